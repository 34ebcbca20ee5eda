//! An encounter as a document: the creatures, their sides and their policies. A line of text
//! ([`super::line`]) is converted to one.

use super::bestiary::{Action, Bestiary, Creature, read};
use super::policy::Policy;
use super::wrong::{self, Wrong};
use crate::character::is_sheet;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// The greatest number of creatures in an encounter.
pub const MAX_CREATURES: u32 = 40;

/// The greatest number of different ones.
const MAX_KINDS: usize = 16;

/// An encounter between two sides.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Encounter {
    /// The sides: two of them.
    pub sides: Vec<Side>,
    /// After how many rounds it is a draw.
    #[serde(default = "hundred")]
    pub rounds: u32,
    /// Who rolls for initiative.
    #[serde(default)]
    pub initiative: Initiative,
    /// Where hit points come from.
    #[serde(default)]
    pub hit_points: HitPoints,
    /// Whether there are attacks only: no traits, reactions, saves, limited or legendary actions.
    #[serde(default)]
    pub plain: bool,
    /// Traits and actions that are left out, as if nobody had them.
    #[serde(default)]
    pub without: Vec<String>,
    /// How many feet are between the sides. With it, or with a position of somebody, distances
    /// count; without either, everybody is in reach of everybody.
    #[serde(default)]
    pub distance: Option<u32>,
    /// Functions of the rolling language that policies may name. A command takes the name of a file
    /// with them, too: `tactics.dice`.
    #[serde(default)]
    pub functions: Option<String>,
}

fn hundred() -> u32 {
    100
}

/// A side.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Side {
    /// What people call it; its creatures if this is left out.
    #[serde(default)]
    pub name: Option<String>,
    /// Its creatures.
    pub creatures: Vec<Group>,
    /// Which enemy it attacks.
    #[serde(default)]
    pub targets: Policy<Targets>,
    /// When it uses what it can use only now and then.
    #[serde(default)]
    pub limited: Policy<Limited>,
    /// When it uses actions that heal.
    #[serde(default)]
    pub heal: Heal,
    /// When those who are held use their action to escape.
    #[serde(default)]
    pub escape: Escape,
    /// What it does about gazes.
    #[serde(default)]
    pub gazes: Gazes,
    /// The actions that it does not use: it saves them for later.
    #[serde(default)]
    pub keep: Vec<String>,
    /// The level from which on it does not use its spell slots.
    #[serde(default)]
    pub keep_slots_from: Option<u32>,
    /// Whether it is surprised: it does nothing in the first round.
    #[serde(default)]
    pub surprised: bool,
    /// When it flees, and has lost.
    #[serde(default)]
    pub flees: Flees,
}

/// Creatures of a kind.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Group {
    /// The name of a creature of the bestiary, or a stat block.
    pub creature: Value,
    /// How many there are.
    #[serde(default = "one")]
    pub count: u32,
    /// Their armour class, if it is not that of the stat block.
    #[serde(default)]
    pub ac: Option<i64>,
    /// Their hit points, if they are not those of the stat block. They are not rolled then.
    #[serde(default)]
    pub hp: Option<i64>,
    /// The round at whose beginning they arrive, from 2 on; they are there from the start if this
    /// is missing. Characters are always there.
    #[serde(default)]
    pub arrives: Option<u32>,
    /// Where they stand, in feet on a grid: a position for each, or one for all of them.
    #[serde(default)]
    pub at: Vec<[i64; 2]>,
}

fn one() -> u32 {
    1
}

/// Who rolls for initiative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Initiative {
    /// Each creature.
    #[default]
    Each,
    /// Creatures of a kind roll once and act together.
    Kinds,
    /// Nobody: creatures act in the order in which they are listed.
    Listed,
}

/// Where hit points come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum HitPoints {
    /// The average of the stat block.
    #[default]
    Average,
    /// Rolled for each creature.
    Rolled,
}

/// Which enemy a side attacks. Ties go to the one that is listed first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Targets {
    /// The one with the fewest hit points left.
    #[default]
    Weakest,
    /// The one with the most hit points left.
    Strongest,
    /// Any of them.
    Random,
    /// The first one listed, until it falls.
    Focus,
    /// The one that was attacked least often.
    Spread,
    /// The one that is closest.
    Nearest,
}

/// When a side uses actions that recharge or have few uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Limited {
    /// As soon as it can.
    #[default]
    Always,
    /// If at least two enemies stand, for an area; the others always.
    Crowds,
    /// Never.
    Never,
}

/// Whom a side heals: those at 0 hit points first, then the one with the fewest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Heal {
    /// Characters at 0 hit points who are not dead.
    #[default]
    Fallen,
    /// Those, and creatures with at most half of their hit points.
    Half,
    /// Nobody.
    Never,
}

/// When those of a side who are held use their action to escape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Escape {
    /// If they are restrained, or can reach nobody.
    Restrained,
    /// Always.
    Always,
    /// If they can reach nobody.
    #[default]
    Stuck,
    /// Never.
    Never,
}

/// What those of a side do whose turn starts near a creature with a gaze.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Gazes {
    /// They look at it, and make the save.
    #[default]
    Meet,
    /// They avert their eyes, and do not see the creature until their next turn.
    Avert,
}

/// When those of a side who stand flee, at the end of a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Flees {
    /// Never.
    #[default]
    Never,
    /// Once one of them has fallen.
    First,
    /// Once half of them have fallen.
    Half,
}

/// Creatures of a kind on a side, with the stat block.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    /// The side's index.
    pub(super) side: usize,
    /// What they are.
    pub(super) creature: Creature,
    /// How many there are.
    pub(super) count: u32,
    /// The round at whose beginning they arrive, if they are not there from the start.
    pub(super) arrives: Option<u32>,
    /// Where they stand, if the document says so: a position for each, or one for all.
    pub(super) at: Vec<[i64; 2]>,
}

impl Encounter {
    /// Reads a document.
    ///
    /// # Errors
    /// The path of what is wrong.
    pub fn read(json: &Value) -> Result<Self, Wrong> {
        wrong::read(json, "$")
    }

    /// Whether a trait or an action of this name is left out.
    pub(super) fn leaves_out(&self, name: &str) -> bool {
        let mut all = self.without.iter();
        all.any(|out| out.eq_ignore_ascii_case(name))
    }

    /// Whether distances count.
    pub(super) fn has_positions(&self) -> bool {
        let mut groups = self.sides.iter().flat_map(|side| &side.creatures);
        self.distance.is_some() || groups.any(|group| !group.at.is_empty())
    }

    /// The stat blocks of all creatures, in the order in which they are listed.
    ///
    /// # Errors
    /// A creature that nobody knows, too many of them, or a side without any.
    pub(super) fn creatures(&self, bestiary: &Bestiary) -> Result<Vec<Listed>, Wrong> {
        if self.sides.len() != 2 {
            let what = format!("has {} sides, and an encounter has two", self.sides.len());
            return Err(Wrong::new("$.sides", what));
        }
        let mut all: Vec<Listed> = Vec::new();
        for (side, of_side) in self.sides.iter().enumerate() {
            let before = all.len();
            for (index, group) in of_side.creatures.iter().enumerate() {
                let path = format!("$.sides[{side}].creatures[{index}]");
                let creature = group.creature(bestiary, &path)?;
                check_arrival(group, &creature, self.rounds, &path)?;
                all.extend((group.count > 0).then_some(Listed {
                    side,
                    creature,
                    count: group.count,
                    arrives: group.arrives,
                    at: group.at.clone(),
                }));
            }
            if all[before..].iter().all(|one| one.arrives.is_some()) && all.len() > before {
                let path = format!("$.sides[{side}].creatures");
                return Err(Wrong::new(
                    path,
                    "all arrive later: somebody has to be there first",
                ));
            }
            if all.len() == before {
                let path = format!("$.sides[{side}].creatures");
                return Err(Wrong::new(path, "is empty: a side needs a creature"));
            }
        }
        let count: u64 = all.iter().map(|one| u64::from(one.count)).sum();
        if count > u64::from(MAX_CREATURES) || all.len() > MAX_KINDS {
            let what = format!(
                "have {count} creatures of {} kinds; at most {MAX_CREATURES} of {MAX_KINDS} kinds fight",
                all.len()
            );
            let wrong = Wrong::new("$.sides", what);
            return Err(wrong.help("let one creature stand for several, or fight in several parts"));
        }
        if self.rounds == 0 || self.rounds > 1000 {
            return Err(Wrong::new("$.rounds", "is not between 1 and 1000"));
        }
        Ok(all)
    }

    /// What people call a side: its name, or its creatures.
    pub(super) fn side_name(&self, side: usize, all: &[Listed]) -> String {
        if let Some(name) = self.sides.get(side).and_then(|side| side.name.clone()) {
            return name;
        }
        let own = all.iter().filter(|one| one.side == side);
        let named = own.map(|one| {
            let Creature {
                name, character, ..
            } = &one.creature;
            let who = match (one.count, character) {
                (1, true) => name.clone(),
                (count, _) => format!("{count} {name}"),
            };
            match one.arrives {
                None => who,
                Some(round) => format!("{who} at round {round}"),
            }
        });
        named.collect::<Vec<_>>().join(", ")
    }
}

impl Side {
    /// Whether it saves an action for later.
    pub(super) fn saves_for_later(&self, action: &Action) -> bool {
        let mut kept = self.keep.iter();
        let slot = action.usage.as_ref().and_then(|usage| usage.slot);
        let is_slot = |from: u32| slot.is_some_and(|slot| slot >= from);
        kept.any(|name| name.eq_ignore_ascii_case(&action.name))
            || self.keep_slots_from.is_some_and(is_slot)
    }
}

impl Group {
    fn creature(&self, bestiary: &Bestiary, path: &str) -> Result<Creature, Wrong> {
        let path = format!("{path}.creature");
        let mut creature = match self.creature.as_str() {
            Some(name) => bestiary
                .find(name)
                .ok_or_else(|| stranger(name, path, bestiary))?,
            None if is_sheet(&self.creature) => {
                read(&bestiary.built(&self.creature, &path)?, &path)?
            }
            None => read(&self.creature, &path)?,
        };
        creature.ac = self.ac.unwrap_or(creature.ac);
        if let Some(hp) = self.hp {
            creature.hp = hp;
            creature.hp_dice = Some(hp.to_string());
        }
        Ok(creature)
    }
}

/// Whether creatures can arrive when they are said to.
fn check_arrival(group: &Group, creature: &Creature, rounds: u32, path: &str) -> Result<(), Wrong> {
    let Some(round) = group.arrives else {
        return Ok(());
    };
    let path = format!("{path}.arrives");
    if !(2..=rounds).contains(&round) {
        let what = format!("is {round}, not a round from 2 to {rounds}");
        return Err(Wrong::new(path, what));
    }
    if creature.character {
        let wrong = Wrong::new(path, "is of a character: those are there from the start");
        return Err(wrong.help("reinforcements are creatures that are not characters"));
    }
    Ok(())
}

/// A creature that is in no bestiary.
pub(super) fn stranger(name: &str, path: String, bestiary: &Bestiary) -> Wrong {
    if let Some(wrong) = bestiary.wrong_character(name) {
        let level = wrong.path.strip_prefix("$.").unwrap_or(&wrong.path);
        let what = format!("names `{name}`, whose {level} {}", wrong.what);
        return Wrong {
            path,
            what,
            ..wrong
        };
    }
    let wrong = Wrong::new(path, format!("names `{name}`, which no bestiary has"));
    let forms = bestiary.forms(name);
    if !forms.is_empty() {
        let names: Vec<String> = forms.iter().map(|form| format!("`{form}`")).collect();
        return wrong.help(format!("say in which form it is: {}", names.join(", ")));
    }
    if let Some(meant) = bestiary.nearest_character(name) {
        return wrong.help(format!("did you mean `{meant}`?"));
    }
    match bestiary.nearest(name) {
        Some(meant) => wrong.help(format!("did you mean `{meant}`?")),
        None => {
            wrong.help("`dicec encounter --list` names all creatures; --bestiary FILE adds some")
        }
    }
}
