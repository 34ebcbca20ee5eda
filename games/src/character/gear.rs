//! Weapons and armour, facts of the SRD 5.1 and 5.2 ("Equipment").

use crate::wrong::{Wrong, instead};
use dicec_runtime::bug;
use serde::Deserialize;
use std::sync::LazyLock;

/// A weapon.
#[derive(Debug, Deserialize)]
pub(super) struct Weapon {
    pub(super) name: String,
    pub(super) dice: String,
    #[serde(rename = "type")]
    pub(super) damage_type: String,
    /// Its dice in two hands.
    #[serde(default)]
    pub(super) versatile: Option<String>,
    #[serde(default)]
    pub(super) finesse: bool,
    #[serde(default)]
    pub(super) light: bool,
    #[serde(default, rename = "two-handed")]
    pub(super) two_handed: bool,
    /// Whether one attack is made with it, not several.
    #[serde(default)]
    pub(super) loading: bool,
    /// Whether monks use their own dice with it.
    #[serde(default)]
    pub(super) monk: bool,
    #[serde(default)]
    pub(super) reach: Option<u32>,
    /// Feet of a ranged weapon, without and with disadvantage.
    #[serde(default)]
    pub(super) range: Vec<u32>,
    /// The same of a weapon that may be thrown.
    #[serde(default)]
    pub(super) thrown: Vec<u32>,
    /// Its mastery property (SRD 5.2).
    pub(super) mastery: String,
}

/// Armour that is worn.
#[derive(Debug, Deserialize)]
pub(super) struct Armour {
    pub(super) name: String,
    pub(super) ac: i64,
    /// How much of the Dexterity modifier it adds.
    pub(super) dexterity: i64,
    /// Those who usually wear it, and from which level on.
    #[serde(default)]
    usual: Option<String>,
    #[serde(default)]
    level: i64,
}

#[derive(Deserialize)]
struct Gear {
    weapons: Vec<Weapon>,
    armour: Vec<Armour>,
}

static GEAR: LazyLock<Gear> = LazyLock::new(|| {
    let read = serde_json::from_str(include_str!("data/gear.json"));
    read.unwrap_or_else(|error| bug!("the gear: {error}").raise())
});

/// A weapon by its name, at a path of a document.
///
/// # Errors
/// There is none of that name.
pub(super) fn weapon(name: &str, path: &str) -> Result<&'static Weapon, Wrong> {
    let mut all = GEAR.weapons.iter();
    let found = all.find(|one| one.name.eq_ignore_ascii_case(name.trim()));
    found.ok_or_else(|| {
        let names = GEAR.weapons.iter().map(|one| one.name.as_str());
        Wrong::new(
            path,
            format!("is `{name}`, which is not a weapon of the rules"),
        )
        .help(instead(name, names))
    })
}

/// Armour by its name, at a path of a document.
///
/// # Errors
/// There is none of that name.
pub(super) fn armour(name: &str, path: &str) -> Result<&'static Armour, Wrong> {
    let short = name.trim().to_lowercase();
    let short = short.strip_suffix(" armor").unwrap_or(&short);
    let short = short.strip_suffix(" armour").unwrap_or(short);
    let found = GEAR.armour.iter().find(|one| one.name == short);
    found.ok_or_else(|| {
        let names = GEAR.armour.iter().map(|one| one.name.as_str());
        Wrong::new(
            path,
            format!("is `{name}`, which is not armour of the rules"),
        )
        .help(instead(name, names.chain(["none"])))
    })
}

/// The usual armour of a kind (`light`, `medium` or `heavy`) at a level; nothing for `none`.
pub(super) fn usual_armour(kind: &str, level: i64) -> Option<&'static Armour> {
    let fits = |one: &&Armour| one.usual.as_deref() == Some(kind) && one.level <= level;
    GEAR.armour.iter().rev().find(fits)
}

/// A name with capital letters: `Light Crossbow`.
pub(super) fn capital(name: &str) -> String {
    let words = name.split(' ').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        format!("{}{rest}", first.to_uppercase())
    });
    words.collect::<Vec<String>>().join(" ")
}
