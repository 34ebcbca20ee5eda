//! Parts of actions of stat blocks: what they do for their creature or its friends.

use super::damage::Damage;
use super::save::Save;
use schemars::JsonSchema;
use serde::Deserialize;

/// What an action does for its creature, or for friends of it, as long as it lasts.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Help {
    /// How many creatures it helps, the creature itself included: 1 if this is missing.
    #[serde(default)]
    pub targets: Option<u32>,
    /// For how long: `for 1 minute`; the rest of the fight if this is missing.
    #[serde(default)]
    pub lasts: Option<String>,
    /// Dice that are added to attack rolls: `1d4`.
    #[serde(default, rename = "attack rolls")]
    pub attack_rolls: Option<String>,
    /// Dice that are added to saving throws: `1d4`.
    #[serde(default)]
    pub saves: Option<String>,
    /// A number that is added to the armour class.
    #[serde(default)]
    pub ac: Option<i64>,
    /// Damage that hits with weapons add; its type may be `weapon`, that of the weapon.
    #[serde(default)]
    pub hits: Option<Damage>,
    /// Whether that is damage of hits by spells, too.
    #[serde(default, rename = "hits of spells")]
    pub hits_of_spells: bool,
    /// Whether that is damage only to one enemy that the creature marks: another one by a bonus
    /// action when that has fallen.
    #[serde(default)]
    pub marks: bool,
    /// Whether its saves of Dexterity have advantage.
    #[serde(default)]
    pub nimble: bool,
    /// Whether it makes one more attack with a weapon in each of its turns.
    #[serde(default, rename = "extra attack")]
    pub extra_attack: bool,
    /// Whether it does nothing in its next turn when the help is over.
    #[serde(default)]
    pub tires: bool,
    /// Whether attack rolls against it have disadvantage, unless the attacker perceives invisible
    /// creatures.
    #[serde(default)]
    pub blurred: bool,
    /// How many images of it there are, which attacks may hit in its place.
    #[serde(default)]
    pub images: Option<u32>,
    /// Whether an image is in the place of hits, and not of attacks (SRD 5.2).
    #[serde(default, rename = "images take hits")]
    pub images_take_hits: bool,
    /// Whether it is invisible: its attack rolls have advantage and those against it have
    /// disadvantage, unless the other one perceives invisible creatures.
    #[serde(default)]
    pub invisible: bool,
    /// A save that enemies near it make in each of their turns.
    #[serde(default)]
    pub aura: Option<Aura>,
    /// An attack of a spell, when the help begins and as a bonus action of later turns.
    #[serde(default)]
    pub attack: Option<Weapon>,
}

/// How a reaction stops spells of enemies.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Counter {
    /// The highest level of spells that it stops without a roll (SRD 5.1).
    #[serde(default)]
    pub level: Option<u32>,
    /// What is added to the check against higher levels (SRD 5.1).
    #[serde(default)]
    pub bonus: i64,
    /// What the caster's Constitution save has to reach in place of a check (SRD 5.2).
    #[serde(default)]
    pub dc: Option<i64>,
}

/// A save that enemies near a creature make in each of their turns.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Aura {
    pub save: Save,
    /// The damage of those who fail.
    #[serde(default)]
    pub damage: Vec<Damage>,
    /// How far it reaches, in feet; everywhere if this is missing.
    #[serde(default)]
    pub within: Option<u32>,
    /// Whether the save is made at the end of their turns, and not at the start.
    #[serde(default, rename = "end of turn")]
    pub is_at_end: bool,
}

/// An attack in melee by a spell.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Weapon {
    /// What is added to its d20.
    pub bonus: i64,
    pub damage: Vec<Damage>,
    /// How far away its target may be, in feet.
    pub reach: u32,
}
