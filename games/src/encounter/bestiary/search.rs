//! Looks for creatures: by a part of the name, the challenge rating or the type.

use super::Bestiary;
use serde_json::Value;

/// A condition on creatures.
enum Wanted<'t> {
    /// The name has this text in it, in lower case.
    Name(String),
    /// The challenge rating.
    Rating(f64),
    /// A word of its type: `dragon`.
    Type(&'t str),
}

impl<'t> Wanted<'t> {
    /// `cr 5`, `cr 1/4`, `type dragon`, or a part of a name.
    fn read(text: &'t str) -> Self {
        let text = text.trim();
        match text.split_once(' ') {
            Some((word, rest)) if word.eq_ignore_ascii_case("type") => Self::Type(rest.trim()),
            Some((word, rest)) if word.eq_ignore_ascii_case("cr") => match rating(rest.trim()) {
                Some(rating) => Self::Rating(rating),
                None => Self::Name(text.to_lowercase()),
            },
            _ => Self::Name(text.to_lowercase()),
        }
    }

    fn fits(&self, block: &Value) -> bool {
        let text = |member: &str| block.get(member).and_then(Value::as_str);
        match self {
            Self::Name(part) => text("name").is_some_and(|name| name.to_lowercase().contains(part)),
            Self::Rating(rating) => block.get("cr").and_then(Value::as_f64) == Some(*rating),
            Self::Type(wanted) => text("type").is_some_and(|own| {
                let mut words = own.split(|c: char| !c.is_alphanumeric());
                words.any(|word| word.eq_ignore_ascii_case(wanted))
            }),
        }
    }
}

/// A challenge rating: a whole number, a fraction or a decimal.
fn rating(text: &str) -> Option<f64> {
    let rating = match text.split_once('/') {
        Some((over, under)) => over.parse::<f64>().ok()? / under.parse::<f64>().ok()?,
        None => text.parse().ok()?,
    };
    rating.is_finite().then_some(rating)
}

impl Bestiary {
    /// The stat blocks that fit all conditions of a text, which commas separate: a part of the
    /// name, `cr 5`, `type dragon`. The last of a name only, in the order of their names.
    pub fn search(&self, text: &str) -> Vec<&Value> {
        let wanted: Vec<Wanted<'_>> = text.split(',').map(Wanted::read).collect();
        let name = |block: &Value| block.get("name").and_then(Value::as_str).map(str::to_owned);
        let mut all: Vec<&Value> = self.blocks().collect();
        all.reverse();
        all.sort_by_key(|block| name(block));
        all.dedup_by_key(|block| name(block));
        all.retain(|block| wanted.iter().all(|one| one.fits(block)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_add_up() {
        let bestiary = Bestiary::srd();
        let found = |text| {
            let found = bestiary.search(text);
            let names = found.iter().filter_map(|block| block["name"].as_str());
            names.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(found("dire"), ["Dire Wolf"]);
        assert_eq!(found("type giant, cr 5"), ["Hill Giant", "Troll"]);
        assert_eq!(found("CR 1/8, type humanoid, ban"), ["Bandit"]);
        assert_eq!(found(""), {
            let mut all: Vec<String> = bestiary.names().map(str::to_owned).collect();
            all.sort_unstable();
            all
        });
        assert_eq!(found("cr"), found("CR"));
        assert_eq!(found("type nothing"), [""; 0]);
    }
}
