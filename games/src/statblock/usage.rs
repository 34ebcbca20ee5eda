//! Names of entries, with what stands in brackets after them: uses, recharge, costs.

use serde_json::{Value, json};

/// A name without its brackets, and what they say.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Heading {
    pub(super) name: String,
    /// `{"per day": 3}`, `{"recharge": "5-6"}`; null without limits.
    pub(super) usage: Value,
    /// The cost of a legendary action.
    pub(super) cost: Option<i64>,
    /// Brackets that say something else: `(Bat Form Only)`.
    pub(super) other: Option<String>,
}

impl Heading {
    /// The parts of a name such as `Fire Breath (Recharge 5-6)`.
    pub(super) fn of(name: &str) -> Self {
        let mut heading = Self::default();
        let mut rest = name.trim().trim_end_matches(['.', ':']).trim();
        while let Some((before, inner)) = rest
            .strip_suffix(')')
            .and_then(|rest| rest.rsplit_once('('))
        {
            for part in inner.split(';') {
                heading.bracket(part.trim());
            }
            rest = before.trim();
        }
        heading.name = match &heading.other {
            Some(other) => format!("{rest} ({other})"),
            None => rest.to_owned(),
        };
        heading
    }

    fn bracket(&mut self, text: &str) {
        let lower = text.to_lowercase();
        let number = |text: &str| {
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            digits.parse::<i64>().ok()
        };
        if let Some(faces) = lower
            .strip_prefix("recharge ")
            .filter(|faces| number(faces).is_some())
        {
            let first = faces.split(['-', ' ']).next().and_then(number);
            let recharge = match first {
                Some(6) | None => "6".to_owned(),
                Some(first) => format!("{first}-6"),
            };
            self.usage = json!({ "recharge": recharge });
        } else if lower.starts_with("recharge") && lower.contains("rest") {
            self.usage = json!({ "rest": ["short", "long"] });
        } else if let Some((count, _)) = lower
            .split_once("/day")
            .filter(|day| number(day.0).is_some())
        {
            self.usage = json!({ "per day": number(count) });
        } else if lower.starts_with("costs ") {
            self.cost = number(&lower);
        } else if lower == "1/turn" || lower.contains("in lair") {
            // Nobody fights in a lair, and rules that say how often say so themselves.
        } else {
            self.other = Some(text.to_owned());
        }
    }

    /// Uses a day.
    pub(super) fn per_day(&self) -> Option<i64> {
        self.usage.get("per day").and_then(Value::as_i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_of_names_say_how_often() {
        let of = |name| Heading::of(name);
        assert_eq!(
            of("Fire Breath (Recharge 5-6).").usage,
            json!({ "recharge": "5-6" })
        );
        assert_eq!(of("Howl (Recharge 6)").usage, json!({ "recharge": "6" }));
        assert_eq!(
            of("Legendary Resistance (3/Day, or 4/Day in Lair)").per_day(),
            Some(3)
        );
        assert_eq!(of("Wing Attack (Costs 2 Actions)").cost, Some(2));
        assert_eq!(of("Bite (Bat Form Only)").name, "Bite (Bat Form Only)");
    }
}
