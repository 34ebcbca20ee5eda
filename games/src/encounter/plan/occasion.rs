//! When creatures do something besides their routine: deeds with few uses, bonus and free actions,
//! handlers of events, side effects of spells, and healing.

use super::dice::Dice;
use super::facts::Fact;
use crate::encounter::bestiary::{Action, Usage};
use crate::encounter::document::Heal;
use crate::encounter::feature::{Only, Reach, Uses, Way, When};
use crate::encounter::rest::Rest;
use crate::encounter::wrong::Wrong;
use crate::script_text::{ScriptCode, code};
use serde_json::Value;

/// A deed with few uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::encounter) struct Rare {
    pub(in crate::encounter) deed: usize,
    pub(in crate::encounter) uses: u32,
    /// The lowest face of a d6 that brings it back at the beginning of a turn.
    pub(in crate::encounter) recharge: Option<u32>,
    /// The rest that brings it back in a day of several fights.
    pub(in crate::encounter) rest: Rest,
    /// Whether it is a part of a multiattack, and not an action by itself.
    pub(in crate::encounter) is_step: bool,
    /// The level of the spell slots that it uses up. Deeds of the same level share them.
    pub(in crate::encounter) slot: Option<u32>,
    /// Whether it is used only if it is worth more than the routine.
    pub(super) is_by_worth: bool,
}

impl Rare {
    /// The field of the script's creatures with the uses that are left, by its index.
    pub(in crate::encounter) fn field(&self, index: usize) -> ScriptCode {
        match self.slot {
            Some(level) => slots_field(level),
            None => code!("uses{}", index + 1),
        }
    }
}

/// The field with the spell slots of a level that are left.
pub(in crate::encounter) fn slots_field(level: u32) -> ScriptCode {
    code!("slots{level}", level)
}

/// The field with the uses that are left of something that heals, by its index.
pub(in crate::encounter) fn healing_field(index: usize) -> ScriptCode {
    code!("heals{}", index + 1)
}

/// The field with the uses that are left of a bonus or free action, by its index.
pub(in crate::encounter) fn aside_field(index: usize) -> ScriptCode {
    code!("asides{}", index + 1)
}

/// A bonus or free action.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Aside {
    /// The name of the feature.
    pub(in crate::encounter) of: String,
    pub(in crate::encounter) way: Way,
    pub(in crate::encounter) deed: usize,
    /// How often it is done with one use.
    pub(in crate::encounter) times: u32,
    pub(in crate::encounter) uses: Uses,
    /// The condition on the creature.
    pub(in crate::encounter) fact: Option<Fact>,
    /// Whether the creature must not be held.
    pub(in crate::encounter) is_unheld: bool,
}

/// An event handler of a feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::encounter) struct Handled {
    pub(in crate::encounter) when: When,
    /// Whether only the fallen do it.
    pub(in crate::encounter) is_last: bool,
    pub(in crate::encounter) deed: usize,
    pub(in crate::encounter) reach: Reach,
    pub(in crate::encounter) only: Only,
    /// Whether it happens once in each turn of the creature.
    pub(in crate::encounter) is_once_a_turn: bool,
    /// The attack that follows on whoever suffers from it.
    pub(in crate::encounter) follow: Option<usize>,
}

/// A side effect of a spell on creatures of a kind.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Besides {
    /// The deed that is the spell.
    pub(in crate::encounter) spell: usize,
    /// The kind of its targets.
    pub(in crate::encounter) foe: usize,
    /// The deed with the effect.
    pub(in crate::encounter) deed: usize,
}

/// An action that restores hit points.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Healing {
    pub(in crate::encounter) name: String,
    /// Its function in the script.
    pub(in crate::encounter) word: ScriptCode,
    pub(in crate::encounter) dice: Dice,
    /// The number of uses; `None` if unlimited.
    pub(in crate::encounter) uses: Option<u32>,
    /// The level of the spell slots that it uses up.
    pub(in crate::encounter) slot: Option<u32>,
    /// The lowest face of a d6 that brings it back at the beginning of a turn.
    pub(in crate::encounter) recharge: Option<u32>,
    /// The rest that brings it back in a day of several fights.
    pub(in crate::encounter) rest: Rest,
    /// Whether it takes a bonus action: the creature does something else in its turn, too.
    pub(in crate::encounter) is_bonus: bool,
    /// The creatures that it heals.
    pub(in crate::encounter) policy: Heal,
    /// Whether it heals only the creature itself, if that has at most half of its hit points.
    pub(in crate::encounter) is_own: bool,
}

/// The few uses of a deed that is this action at a path.
///
/// # Errors
/// A recharge in other words than faces of a d6, or another word for when it is used.
pub(super) fn rare(deed: usize, action: &Action, usage: &Usage, path: &str) -> Result<Rare, Wrong> {
    Ok(Rare {
        deed,
        uses: usage.per_day.unwrap_or(1),
        recharge: recharge(usage, path)?,
        rest: rest_of(usage),
        is_step: false,
        slot: usage.slot,
        is_by_worth: match action.when.as_deref() {
            None => false,
            Some("worth") => true,
            Some(other) => {
                let wrong = Wrong::new(format!("{path}.when"), format!("is `{other}`"));
                return Err(wrong.help("there is only `worth`"));
            }
        },
    })
}

/// The rest after which something may be used again: a long one, unless stated otherwise.
pub(super) fn rest_of(usage: &Usage) -> Rest {
    let is_short = |rest: &Value| rest.as_str() == Some("short");
    let is_short = match &usage.rest {
        Some(Value::Array(several)) => several.iter().any(is_short),
        Some(one) => is_short(one),
        None => false,
    };
    match is_short {
        true => Rest::Short,
        false => Rest::Long,
    }
}

/// The lowest face of a d6 that brings something back.
pub(super) fn recharge(usage: &Usage, path: &str) -> Result<Option<u32>, Wrong> {
    let recharge = usage.recharge.as_deref().map(|faces| {
        let lowest = faces.split(['-', '–']).next().unwrap_or(faces).trim();
        let lowest: Option<u32> = lowest.parse().ok();
        lowest.filter(|face| (1..=6).contains(face)).ok_or_else(|| {
            let what = format!("is `{faces}`; it is the faces of a d6, such as `5-6`");
            Wrong::new(format!("{path}.usage.recharge"), what)
        })
    });
    recharge.transpose()
}
