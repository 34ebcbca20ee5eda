//! "Did you mean": the nearest of the names that exist.

/// The candidate nearest to `word`, if it is near enough to be a likely typo: few edits for its
/// length, or equal except for capitals; or, if it is the only one, a candidate that begins with
/// all of `word`.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let allowed = (word.chars().count() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    let mut longer = Vec::new();
    for name in candidates {
        let candidate = name.to_lowercase();
        let distance = (strsim::osa_distance(&lower, &candidate), name);
        if distance.0 <= allowed && best.is_none_or(|best| distance < best) {
            best = Some(distance);
        }
        if word.len() >= SHORTEST_BEGINNING && candidate.starts_with(&lower) {
            longer.push(name);
        }
    }
    match (best, &longer[..]) {
        (Some((_, name)), _) | (None, &[name]) => Some(name),
        _ => None,
    }
}

/// The minimum number of letters for a suggestion by prefix.
const SHORTEST_BEGINNING: usize = 4;

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let names = ["Strength", "Dexterity", "Target Defense"];
        assert_eq!(nearest("Strenght", names), Some("Strength"));
        assert_eq!(nearest("strength", names), Some("Strength"));
        assert_eq!(nearest("Target Defence", names), Some("Target Defense"));
        assert_eq!(nearest("Luck", names), None);
        assert_eq!(nearest("Dext", names), Some("Dexterity"));
        assert_eq!(nearest("Dex", names), None);
        assert_eq!(nearest("", names), None);
    }
}
