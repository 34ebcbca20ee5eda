//! Predicates: when a modifier or an effect applies, as conditions on the options of a roll (seed
//! 003, "Predicate System").
//!
//! A predicate is parsed once and then evaluated for each set of options.

use super::json::{At, Notes};
use serde_json::Value;
use std::collections::BTreeSet;

/// The form of a predicate, as advice.
const HELP: &str = "a predicate is \"self:aim\", \"not:self:aim\", {\"and\": [...]}, {\"or\": \
                    [...]} or a list, all of which have to hold";

/// A condition on the options of a roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// This option is set.
    Set(String),
    /// This option is not set.
    NotSet(String),
    /// All of these hold; if there are none, it holds.
    All(Vec<Predicate>),
    /// One of these holds; if there are none, it does not.
    Any(Vec<Predicate>),
}

/// The options of a roll that are set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options(BTreeSet<String>);

impl Options {
    /// Sets an option.
    pub fn set(&mut self, option: impl Into<String>) {
        self.0.insert(option.into());
    }

    /// Takes an option back.
    pub fn unset(&mut self, option: &str) {
        self.0.remove(option);
    }

    /// Whether an option is set.
    pub fn is_set(&self, option: &str) -> bool {
        self.0.contains(option)
    }

    /// All options, in order.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl<S: Into<String>> FromIterator<S> for Options {
    fn from_iter<I: IntoIterator<Item = S>>(options: I) -> Self {
        let mut all = Self::default();
        options.into_iter().for_each(|option| all.set(option));
        all
    }
}

impl Predicate {
    /// A predicate that always holds.
    pub const ALWAYS: Self = Self::All(Vec::new());

    /// A predicate that never holds.
    pub const NEVER: Self = Self::Any(Vec::new());

    /// Reads a predicate: a text, an object with `and` or `or`, or a list, which is a conjunction.
    /// Anything else never holds, and is noted.
    pub fn read(json: At<'_>, notes: &mut Notes) -> Self {
        match json.value() {
            Value::String(option) => match option.strip_prefix("not:") {
                Some(option) => Self::NotSet(option.to_owned()),
                None => Self::Set(option.clone()),
            },
            Value::Array(_) => Self::All(Self::read_all(json, notes)),
            Value::Object(object) => Self::read_object(json, object.len(), notes),
            Value::Null | Value::Bool(_) | Value::Number(_) => {
                notes.push(json.wrong("is not a predicate, and never holds").help(HELP));
                Self::NEVER
            }
        }
    }

    fn read_object(json: At<'_>, members: usize, notes: &mut Notes) -> Self {
        let lists = [
            ("and", Self::All as fn(_) -> _),
            ("or", Self::Any as fn(_) -> _),
        ];
        let found = lists.into_iter().find_map(|(name, make)| {
            let list = json.member(name).filter(|list| list.value().is_array())?;
            Some(make(Self::read_all(list, notes)))
        });
        match found {
            Some(predicate) => {
                if members > 1 {
                    let noted = json.wrong("has members that are not read");
                    notes.push(noted.help("write one of `and`, `or`"));
                }
                predicate
            }
            None => {
                let noted = json.wrong("never holds: it has no list `and` or `or`");
                notes.push(noted.help(HELP));
                Self::NEVER
            }
        }
    }

    fn read_all(list: At<'_>, notes: &mut Notes) -> Vec<Self> {
        let elements = list.elements();
        elements.map(|element| Self::read(element, notes)).collect()
    }

    /// The options that it tests.
    pub fn options(&self) -> Vec<&str> {
        match self {
            Self::Set(option) | Self::NotSet(option) => vec![option],
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::options).collect(),
        }
    }

    /// Whether it tests an option, so that setting the option may change the result.
    pub fn mentions(&self, option: &str) -> bool {
        self.options().contains(&option)
    }

    /// Whether it holds when these options are set and no others.
    pub fn holds(&self, options: &Options) -> bool {
        match self {
            Self::Set(option) => options.is_set(option),
            Self::NotSet(option) => !options.is_set(option),
            Self::All(parts) => parts.iter().all(|part| part.holds(options)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(options)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(json: &Value) -> (Predicate, Notes) {
        let mut notes = Notes::default();
        (Predicate::read(At::root(json), &mut notes), notes)
    }

    #[track_caller]
    fn check(json: &Value, options: &[&str], holds: bool) {
        let (predicate, notes) = read(json);
        assert_eq!(notes.all(), [], "{json}");
        let options = options.iter().copied().collect();
        assert_eq!(predicate.holds(&options), holds, "{json} of {options:?}");
    }

    /// Seed 003, "Predicate System", and issue 15, 2.
    #[test]
    fn predicates_of_the_seed() {
        check(&json!("self:prone"), &["self:prone"], true);
        check(&json!("self:prone"), &["self"], false);
        check(&json!("not:flanked"), &[], true);
        check(&json!("not:flanked"), &["flanked"], false);
        check(&json!("not:not:a"), &["not:a"], false);
        check(&json!("not:not:a"), &["a"], true);
        let las = json!({"and": ["self:aim:full", "weapon:class:las"]});
        check(&las, &["self:aim:full"], false);
        check(&las, &["self:aim:full", "weapon:class:las"], true);
        let either = json!({"or": ["target:helpless", "target:stunned"]});
        check(&either, &["target:stunned"], true);
        check(&either, &["target:prone"], false);
        let nested =
            json!([{"and": ["self:aim", {"or": ["weapon:class:las", "weapon:class:bolt"]}]}]);
        check(&nested, &["self:aim", "weapon:class:bolt"], true);
        check(&nested, &["self:aim"], false);
        check(&json!([]), &[], true);
        check(&json!({"and": []}), &[], true);
        check(&json!({"or": []}), &[], false);
    }

    #[test]
    fn what_is_not_a_predicate_never_holds_and_is_noted() {
        for (json, path) in [
            (json!({"nand": ["a"]}), "$"),
            (json!({"and": "a"}), "$"),
            (json!(["a", {"or": [7]}]), "$[1].or[0]"),
            (json!([{"not": "a"}]), "$[0]"),
            (json!(null), "$"),
        ] {
            let (predicate, notes) = read(&json);
            assert!(!predicate.holds(&["a"].into_iter().collect()), "{json}");
            assert_eq!(notes.all().len(), 1, "{json}");
            assert_eq!(notes.all()[0].path, path, "{json}");
        }
    }
}
