//! The classes of both editions, as data: facts of the SRD 5.1 and 5.2, and how fights play each
//! feature.

use crate::edition::Edition;
use dicec_runtime::bug;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A class.
#[derive(Debug, Deserialize)]
pub(super) struct Class {
    pub(super) name: String,
    #[serde(rename = "hit die")]
    pub(super) hit_die: i64,
    /// The abilities of its saving throws.
    pub(super) saves: Vec<String>,
    /// The abilities from the one with the highest score of the standard array to the lowest;
    /// improvements go to the first ones.
    pub(super) scores: Vec<String>,
    /// The usual armour: `light`, `medium`, `heavy` or `none`.
    pub(super) armour: String,
    /// Whether it usually has a shield.
    pub(super) shield: bool,
    /// The usual weapons, the preferred one first.
    pub(super) weapons: Vec<String>,
    /// Skills that it usually has: Athletics or Acrobatics.
    #[serde(default)]
    pub(super) skills: Vec<String>,
    /// The weapon in the other hand.
    #[serde(default, rename = "off hand")]
    pub(super) off_hand: Option<String>,
    /// The ability that adds to the armour class without armour.
    #[serde(default)]
    pub(super) unarmoured: Option<String>,
    /// The levels with an Ability Score Improvement.
    pub(super) improvements: Vec<i64>,
    /// Fighting styles by level.
    #[serde(default)]
    pub(super) styles: BTreeMap<i64, Vec<String>>,
    /// Columns of its table: a number for each level.
    #[serde(default)]
    pub(super) columns: BTreeMap<String, Vec<i64>>,
    #[serde(default)]
    pub(super) casting: Option<Casting>,
    pub(super) features: Vec<Feature>,
    pub(super) subclasses: Vec<Subclass>,
}

/// A subclass.
#[derive(Debug, Deserialize)]
pub(super) struct Subclass {
    /// Its short name: `Life`.
    pub(super) name: String,
    /// Its name in the rules: `Life Domain`.
    pub(super) full: String,
    /// The level from which on characters have it.
    pub(super) from: i64,
    /// The usual armour, if it is better than that of the class.
    #[serde(default)]
    pub(super) armour: Option<String>,
    /// Without armour: an ability that adds to 10 and Dexterity, or a number in place of 10.
    #[serde(default)]
    pub(super) unarmoured: Option<Value>,
    /// The spells that are always prepared, by level of the class.
    #[serde(default)]
    pub(super) spells: BTreeMap<i64, Vec<String>>,
    pub(super) features: Vec<Feature>,
}

/// How a class casts spells.
#[derive(Debug, Deserialize)]
pub(super) struct Casting {
    pub(super) ability: String,
    /// The table of slots.
    pub(super) slots: Slots,
    /// The number of cantrips by level.
    #[serde(default)]
    pub(super) cantrips: Vec<usize>,
    /// The number of spells that are known or prepared by level. Without it: the modifier of the
    /// ability and the level, or half of it.
    #[serde(default)]
    pub(super) known: Vec<usize>,
    /// Usual spells by their level, from cantrips on, the preferred ones first.
    pub(super) spells: Vec<Vec<String>>,
    /// Spells once a day by level of the class (Mystic Arcanum).
    #[serde(default)]
    pub(super) arcanum: BTreeMap<i64, String>,
    /// Whether Mage Armor is cast before the fight.
    #[serde(default, rename = "mage armour")]
    pub(super) mage_armour: bool,
}

/// A table of spell slots.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Slots {
    Full,
    Half,
    Pact,
}

/// A feature of a class or a subclass.
#[derive(Debug, Deserialize)]
pub(super) struct Feature {
    pub(super) name: String,
    /// The level that gives it.
    pub(super) level: i64,
    /// What it adds to the stat block, see `additions`; nothing if it is in the numbers already.
    /// Without this member and `idle`, it is not played.
    #[serde(default)]
    pub(super) adds: Option<Map<String, Value>>,
    /// Whether it has no effect in a fight.
    #[serde(default)]
    pub(super) idle: bool,
    /// The parts of it that are not played, in words.
    #[serde(default)]
    pub(super) left: Option<String>,
    /// Whether it matters where distances count, and is not played there.
    #[serde(default, rename = "left with distances")]
    pub(super) left_with_distances: bool,
    /// The level from which on another feature replaces it.
    #[serde(default)]
    pub(super) until: Option<i64>,
}

static CLASSES: LazyLock<[Vec<Class>; 2]> = LazyLock::new(|| {
    let texts = [
        include_str!("data/classes-5.1.json"),
        include_str!("data/classes-5.2.json"),
    ];
    texts.map(|text| {
        let read = serde_json::from_str(text);
        read.unwrap_or_else(|error| bug!("the classes: {error}").raise())
    })
});

/// The classes of an edition.
pub(super) fn classes(edition: Edition) -> &'static [Class] {
    match edition {
        Edition::Srd51 => &CLASSES[0],
        Edition::Srd52 => &CLASSES[1],
    }
}

/// A class and a subclass that a name means.
pub(super) struct Named {
    pub(super) class: &'static Class,
    /// None if the name is that of the class alone.
    pub(super) subclass: Option<&'static Subclass>,
}

/// The class that a name means: that of a class, of a subclass, or of both.
pub(super) fn class(name: &str, edition: Edition) -> Option<Named> {
    let name = name.trim().to_lowercase();
    let plural = name.strip_suffix('s').unwrap_or(&name);
    let is_it = |own: &str| own == name || own == plural;
    let mut all = classes(edition).iter();
    all.find_map(|class| {
        let own = class.name.to_lowercase();
        if is_it(&own) {
            return Some(Named {
                class,
                subclass: None,
            });
        }
        let mut subclasses = class.subclasses.iter();
        let found = subclasses.find(|one| class.names_of(one).iter().any(|own| is_it(own)));
        found.map(|subclass| Named {
            class,
            subclass: Some(subclass),
        })
    })
}

impl Class {
    /// The number of a column at a level; 1 if it has no such column.
    pub(super) fn column(&self, name: &str, level: i64) -> i64 {
        let column = self.columns.get(name);
        let index = usize::try_from(level - 1).unwrap_or(0);
        column.and_then(|all| all.get(index)).copied().unwrap_or(1)
    }

    /// The names under which a subclass is known, in lower case: `life`, `life cleric`,
    /// `life domain`.
    pub(super) fn names_of(&self, subclass: &Subclass) -> Vec<String> {
        let (own, full) = (subclass.name.to_lowercase(), subclass.full.to_lowercase());
        let class = self.name.to_lowercase();
        let full = full.strip_prefix("the ").unwrap_or(&full).to_owned();
        vec![
            format!("{own} {class}"),
            format!("{full} {class}"),
            own,
            full,
        ]
    }
}
