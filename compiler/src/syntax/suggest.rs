//! "Did you mean": the nearest of the names that exist.

/// The candidate nearest to `word`, if one is near enough to be a likely slip: few edits for its length, or equal
/// but for capitals.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let allowed = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|name| (strsim::osa_distance(&lower, &name.to_lowercase()), name))
        .filter(|&(distance, _)| distance <= allowed)
        .min()
        .map(|(_, name)| name)
}

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
        assert_eq!(nearest("", names), None);
    }
}
