//! A character as people write it: a class and a level, and everything that is not as usual.

use super::class::{Class, Named, Subclass, class, classes};
use crate::document;
use crate::edition::Edition;
use crate::wrong::{Wrong, instead};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The file of a character. Everything but the class and the level has a usual value.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// What people call it.
    #[serde(default)]
    pub name: Option<String>,
    /// Its class, or its subclass: `fighter`, `champion`, `life cleric`.
    pub class: String,
    /// `none` for a class without the subclass of the rules.
    #[serde(default)]
    pub subclass: Option<NoSubclass>,
    /// Its level, from 1 to 20.
    pub level: i64,
    /// The edition of the rules: `5.1` or `5.2`.
    #[serde(default)]
    pub edition: Option<Edition>,
    /// Its species or race: `human`, `half-orc`.
    #[serde(default)]
    pub species: Option<String>,
    /// Its ability scores, those of its species and its improvements included: `{"STR": 18}`.
    #[serde(default)]
    pub scores: BTreeMap<String, i64>,
    /// Its weapons, the preferred one first: `["greatsword", "longbow"]`.
    #[serde(default)]
    pub weapons: Option<Vec<String>>,
    /// The weapon in its other hand.
    #[serde(default, rename = "off hand")]
    pub off_hand: Option<String>,
    /// Its armour: `plate`, or `none`.
    #[serde(default, alias = "armor")]
    pub armour: Option<String>,
    /// Whether it has a shield.
    #[serde(default)]
    pub shield: Option<bool>,
    /// Its fighting styles: `["Dueling"]`.
    #[serde(default)]
    pub styles: Option<Vec<String>>,
    /// Its spells, cantrips included.
    #[serde(default)]
    pub spells: Option<Vec<String>>,
    /// Its feats; fights do not play them.
    #[serde(default)]
    pub feats: Vec<String>,
    /// The bonuses of its magic items.
    #[serde(default)]
    pub magic: Magic,
    /// Its hit points, if they are not the average.
    #[serde(default)]
    pub hp: Option<i64>,
    /// Its armour class, if it does not follow from its armour.
    #[serde(default)]
    pub ac: Option<i64>,
}

/// That a character has no subclass, or one that the rules do not have.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NoSubclass {
    /// The only value.
    None,
}

/// Bonuses of magic items, from 0 to 3.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Magic {
    /// That of all its weapons.
    #[serde(default)]
    pub weapons: i64,
    /// That of its armour.
    #[serde(default, alias = "armor")]
    pub armour: i64,
    /// That of its shield.
    #[serde(default)]
    pub shield: i64,
}

/// A sheet with its class and its edition.
pub(super) struct Chosen<'s> {
    pub(super) sheet: &'s Sheet,
    pub(super) edition: Edition,
    pub(super) class: &'static Class,
    pub(super) subclass: Option<&'static Subclass>,
}

/// Whether a document is a sheet: it names a class, and is not a stat block.
pub fn is_sheet(document: &Value) -> bool {
    document.get("class").is_some() && document.get("actions").is_none()
}

impl Sheet {
    /// Reads a sheet at a path of a document.
    ///
    /// # Errors
    /// An unknown member, or one of the wrong type.
    pub fn read(document: &Value, path: &str) -> Result<Self, Wrong> {
        document::read(document, path)
    }

    /// Its class, at a path of the document.
    ///
    /// # Errors
    /// An unknown class, a level that is out of range, or too low for the subclass.
    pub(super) fn choose(&self, edition: Edition, path: &str) -> Result<Chosen<'_>, Wrong> {
        let edition = self.edition.unwrap_or(edition);
        let level = self.level;
        if !(1..=20).contains(&level) {
            let wrong = Wrong::new(format!("{path}.level"), format!("is {level}"));
            return Err(wrong.help("levels are from 1 to 20"));
        }
        let Some(Named { class, subclass }) = class(&self.class, edition) else {
            let what = format!("is `{}`, which is not a class", self.class);
            let names = classes(edition).iter().map(|class| class.name.as_str());
            let wrong = Wrong::new(format!("{path}.class"), what);
            return Err(wrong.help(instead(&self.class, names)));
        };
        if let Some(early) = subclass.filter(|one| level < one.from) {
            let what = format!("is {level}");
            let wrong = Wrong::new(format!("{path}.level"), what);
            let from = early.from;
            return Err(wrong.help(format!(
                "{} starts at level {from}: write `{} {level}`",
                early.full,
                class.name.to_lowercase(),
            )));
        }
        let usual = class.subclasses.first().filter(|one| level >= one.from);
        let usual = usual.filter(|_| self.subclass.is_none());
        Ok(Chosen {
            sheet: self,
            edition,
            class,
            subclass: subclass.or(usual),
        })
    }
}
