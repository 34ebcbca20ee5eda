//! Resources: the named numbers of the acting character and of the target (seed 002, 3.4).

use indexmap::IndexMap;
use std::fmt;

/// The owner of a resource (seed 002, 3.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// The acting character: `[Name]` or `[Self Name]`.
    Actor,
    /// The target: `[Target Name]`.
    Target,
}

/// A resource's owner and name. Names are case-sensitive; consecutive spaces count as one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceName {
    owner: Owner,
    name: String,
}

impl ResourceName {
    /// The resource `name` of `owner`. Outer spaces are removed, consecutive inner spaces become
    /// one.
    pub fn new(owner: Owner, name: &str) -> Self {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        Self { owner, name }
    }

    /// Reads the text between the brackets, or the heading of a column: `Strength`, `Self
    /// Strength`, `Target Defense`. `Self` or `Target` without another word is a name, not an
    /// owner.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let owned = |word: &str, owner| {
            let rest = text.strip_prefix(word)?;
            (rest.starts_with(char::is_whitespace)).then(|| Self::new(owner, rest))
        };
        owned("Target", Owner::Target)
            .or_else(|| owned("Self", Owner::Actor))
            .unwrap_or_else(|| Self::new(Owner::Actor, text))
    }

    /// Its owner.
    pub fn owner(&self) -> Owner {
        self.owner
    }

    /// The name without its owner.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Shows the name as rules write it, without brackets: `Strength`, `Target Defense`.
impl fmt::Display for ResourceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.owner {
            // A name that itself begins with an owner's word needs `Self` to read back as what it
            // is.
            Owner::Actor if Self::parse(&self.name) != *self => write!(f, "Self {}", self.name),
            Owner::Actor => f.write_str(&self.name),
            Owner::Target => write!(f, "Target {}", self.name),
        }
    }
}

/// The values of resources, in the order in which they were first set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceTable {
    values: IndexMap<ResourceName, i64>,
    /// Values other than whole numbers.
    unusable: IndexMap<ResourceName, String>,
    default: Option<i64>,
}

impl ResourceTable {
    /// A table without resources and without a default.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a value, replacing an earlier one of the same name.
    pub fn set(&mut self, name: ResourceName, value: i64) {
        self.unusable.shift_remove(&name);
        self.values.insert(name, value);
    }

    /// Records a value of a resource that is not a whole number. It only matters if the resource is
    /// used: then the default does not replace it.
    pub fn set_unusable(&mut self, name: ResourceName, held: impl Into<String>) {
        self.values.shift_remove(&name);
        self.unusable.insert(name, held.into());
    }

    /// The value of a resource if it is not a whole number.
    pub fn unusable(&self, name: &ResourceName) -> Option<&str> {
        self.unusable.get(name).map(String::as_str)
    }

    /// Sets the value of every missing resource; with `None`, a missing resource is an error.
    pub fn set_default(&mut self, value: Option<i64>) {
        self.default = value;
    }

    /// The value of a resource, or the default, if any.
    pub fn get(&self, name: &ResourceName) -> Option<i64> {
        let default = self.default.filter(|_| !self.unusable.contains_key(name));
        self.values.get(name).copied().or(default)
    }

    /// The names that were set, in order.
    pub fn names(&self) -> impl Iterator<Item = &ResourceName> {
        self.values.keys()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_and_show_alike() {
        for (text, owner, name) in [
            ("Strength", Owner::Actor, "Strength"),
            (" Self   Strength ", Owner::Actor, "Strength"),
            ("Target  Max  Health", Owner::Target, "Max Health"),
            ("Target", Owner::Actor, "Target"),
            ("Self", Owner::Actor, "Self"),
            ("Targeting", Owner::Actor, "Targeting"),
            ("Self Target Lock", Owner::Actor, "Target Lock"),
        ] {
            let parsed = ResourceName::parse(text);
            assert_eq!((parsed.owner(), parsed.name()), (owner, name), "{text}");
            assert_eq!(ResourceName::parse(&parsed.to_string()), parsed, "{text}");
        }
    }

    #[test]
    fn missing_names_take_the_default_only_if_there_is_one() {
        let mut table = ResourceTable::new();
        table.set(ResourceName::parse("Strength"), 4);
        let luck = ResourceName::parse("Luck");
        assert_eq!(table.get(&luck), None);
        table.set_default(Some(7));
        assert_eq!(table.get(&luck), Some(7));
        assert_eq!(table.get(&ResourceName::parse("Strength")), Some(4));
    }

    #[test]
    fn what_is_not_a_number_has_no_default() {
        let mut table = ResourceTable::new();
        let name = ResourceName::parse("Strength");
        table.set_default(Some(7));
        table.set_unusable(name.clone(), "\"four\"");
        assert_eq!(
            (table.get(&name), table.unusable(&name)),
            (None, Some("\"four\""))
        );
        table.set(name.clone(), 4);
        assert_eq!((table.get(&name), table.unusable(&name)), (Some(4), None));
    }
}
