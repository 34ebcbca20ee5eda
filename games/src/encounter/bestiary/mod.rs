//! Stat blocks by name: those of the SRD 5.1, and those in users' own files.
//!
//! This work includes material taken from the System Reference Document 5.1 ("SRD 5.1") by Wizards
//! of the Coast LLC, available under the Creative Commons Attribution 4.0 International License.
//! `srd-5.1.json` has facts of it only, tabulated from the 5e-database (MIT license).

mod creature;
mod damage;
mod help;
mod members;
mod outcome;
mod rows;
mod save;
mod search;
mod size;
mod spellcasting;

pub use creature::Creature;
pub(super) use creature::{ABILITIES, Action, Area, Grapple, Step, Trait, Usage};
pub(super) use damage::{Damage, Part};
pub(super) use help::{Aura, Counter, Help, Weapon};
pub(super) use outcome::{Outcome, Premise};
pub(super) use save::Save;
pub use size::Size;
pub(super) use spellcasting::Spellcasting;

use super::spells::with_spells;
use super::wrong::Wrong;
use crate::character::{Sheet, imported, is_sheet, named, nearest_named};
use crate::edition::Edition;
use dicec_lang::syntax::nearest;
use dicec_runtime::bug;
use serde_json::Value;
use std::sync::{Arc, LazyLock};

/// The creatures of the SRD 5.1, which are read once.
static SRD: LazyLock<Bestiary> = LazyLock::new(|| {
    let all = serde_json::from_str(include_str!("srd-5.1.json"));
    let all: Vec<Value> = all.unwrap_or_else(|error| bug!("the SRD's creatures: {error}").raise());
    Bestiary {
        blocks: all.into_iter().map(Arc::new).collect(),
        edition: Edition::default(),
    }
});

/// Stat blocks that encounters may name. Later ones hide earlier ones of the same name. Characters
/// by class and level are creatures, too: `champion 5`.
#[derive(Clone, Debug, Default)]
pub struct Bestiary {
    blocks: Vec<Arc<Value>>,
    /// The edition of characters whose name does not say it.
    edition: Edition,
}

impl Bestiary {
    /// The creatures of the SRD 5.1.
    pub fn srd() -> Self {
        SRD.clone()
    }

    /// The same with characters of another edition.
    #[must_use]
    pub fn of_edition(self, edition: Edition) -> Self {
        Self { edition, ..self }
    }

    /// Adds the stat blocks of a document: one, or a list of them; sheets of characters, and
    /// characters of other tools, become stat blocks. Returns its unknown members.
    ///
    /// # Errors
    /// The path of a value that is not a stat block.
    pub fn add(&mut self, document: Value) -> Result<Vec<Wrong>, Wrong> {
        let (mut all, is_list) = match document {
            Value::Array(all) => (all, true),
            one => (vec![one], false),
        };
        let mut unknown = Vec::new();
        for (index, block) in all.iter_mut().enumerate() {
            let path = match is_list {
                true => format!("$[{index}]"),
                false => "$".to_owned(),
            };
            // What `dicec character --json` prints.
            if block["creature"].is_object() {
                *block = block["creature"].take();
            }
            if let Some(sheet) = imported(block, self.edition) {
                *block = sheet;
            }
            if is_sheet(block) {
                *block = self.built(block, &path)?;
            }
            read(block, &path)?;
            unknown.extend(members::unknown(block, &path));
        }
        self.blocks.extend(all.into_iter().map(Arc::new));
        Ok(unknown)
    }

    /// All stat blocks, in the order in which they were added.
    pub fn blocks(&self) -> impl Iterator<Item = &Value> {
        self.blocks.iter().map(|block| &**block)
    }

    /// The names of all creatures, in the order in which they were added.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.blocks().map(|block| block.get("name"));
        names.filter_map(|name| name.and_then(Value::as_str))
    }

    /// A creature or a character as people write it: capitals do not matter, and a plural will do.
    pub fn find(&self, name: &str) -> Option<Creature> {
        let wanted = singulars(name);
        let found = wanted.iter().find_map(|wanted| {
            let is_it = |block: &&Arc<Value>| {
                let name = block.get("name").and_then(Value::as_str);
                name.is_some_and(|name| name.to_lowercase() == *wanted)
            };
            self.blocks.iter().rev().find(is_it)
        });
        match found {
            Some(found) => read(found, "$").ok(),
            None => read(&self.character(name)?, "$").ok(),
        }
    }

    /// The stat block of a character whose sheet is at a path.
    ///
    /// # Errors
    /// The path of the mistake.
    pub(super) fn built(&self, sheet: &Value, path: &str) -> Result<Value, Wrong> {
        Ok(Sheet::read(sheet, path)?.build(self.edition, path)?.block)
    }

    /// The stat block of a character by class and level, with everything as usual.
    fn character(&self, name: &str) -> Option<Value> {
        let sheet = named(name, self.edition)?;
        Some(sheet.build(self.edition, "$").ok()?.block)
    }

    /// The error in the name of a character: its level; `None` if it does not name a class.
    pub(super) fn wrong_character(&self, name: &str) -> Option<Wrong> {
        named(name, self.edition)?.build(self.edition, "$").err()
    }

    /// The character that was probably meant: `chanpion 5` is `champion 5`.
    pub(super) fn nearest_character(&self, name: &str) -> Option<String> {
        nearest_named(name, self.edition)
    }

    /// The names of the forms of a creature that has several stat blocks: `Vampire, Bat Form`.
    pub(super) fn forms(&self, name: &str) -> Vec<&str> {
        let wanted = singulars(name);
        let is_form = |full: &&str| {
            let own = full.split_once(", ").map(|(own, _)| own.to_lowercase());
            own.is_some_and(|own| wanted.contains(&own))
        };
        self.names().filter(is_form).collect()
    }

    /// The name that was probably meant.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        let wanted = singulars(name);
        let mut wanted = wanted.iter();
        wanted.find_map(|wanted| nearest(wanted, self.names()))
    }
}

/// Reads a stat block at a path of its document.
///
/// # Errors
/// The path of the mistake.
pub(super) fn read(block: &Value, path: &str) -> Result<Creature, Wrong> {
    super::wrong::read(&with_spells(block), path)
}

/// The possible singulars of a name, in lower case; the first is the name itself.
fn singulars(name: &str) -> Vec<String> {
    let name = name.trim().to_lowercase();
    let mut all = Vec::new();
    let endings = [
        ("ves", "f"),
        ("ies", "y"),
        ("men", "man"),
        ("es", ""),
        ("s", ""),
    ];
    for (plural, singular) in endings {
        all.extend(
            name.strip_suffix(plural)
                .map(|stem| format!("{stem}{singular}")),
        );
    }
    all.insert(0, name);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_creature_of_the_srd_is_read_whole() {
        let bestiary = Bestiary::srd();
        assert_eq!(bestiary.names().count(), 334);
        for name in bestiary.names() {
            let creature = bestiary.find(name).expect("it is there");
            assert_eq!(creature.name, name);
        }
        let own = Value::Array(bestiary.blocks().cloned().collect());
        assert_eq!(Bestiary::default().add(own), Ok(Vec::new()));
    }

    #[test]
    fn creatures_are_found_as_people_write_them() {
        let bestiary = Bestiary::srd();
        let named = |name| bestiary.find(name).map(|creature| creature.name);
        assert_eq!(named("goblins"), Some("Goblin".to_owned()));
        assert_eq!(named("WOLVES"), Some("Wolf".to_owned()));
        assert_eq!(named("harpies"), Some("Harpy".to_owned()));
        assert_eq!(named("rhinoceros"), Some("Rhinoceros".to_owned()));
        assert_eq!(
            named("vampire, bat form"),
            Some("Vampire, Bat Form".to_owned())
        );
        assert_eq!(named("Gobblin"), None);
        assert_eq!(bestiary.nearest("Gobblin"), Some("Goblin"));
    }
}
