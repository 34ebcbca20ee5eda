//! Somebody in a fight.

use super::asides::Aside;
use super::boons::Helped;
use super::dying::Fate;
use super::effects::Suffers;
use super::features::Event;
use super::healing::Heals;
use super::holding::Holds;
use super::martial::Martial;
use serde_json::Value;

/// Somebody in a fight.
#[derive(Clone, Debug)]
pub struct Fighter {
    pub(super) block: Value,
    /// What its features do at events.
    pub(super) features: Vec<(Event, Value)>,
    pub(super) kind: usize,
    /// What it is called.
    pub name: String,
    pub(super) side: usize,
    /// Hit points that are left.
    pub hp: i64,
    pub(super) initiative: i64,
    pub(super) suffers: Vec<Suffers>,
    /// Effects that it has overcome, by who causes them and how.
    pub(super) safe: Vec<(usize, String)>,
    pub(super) uses: Vec<(String, i64)>,
    /// Its spell slots that are left, by level from 1 on.
    pub(super) slots: Vec<i64>,
    pub(super) legendary: i64,
    pub(super) resistances: i64,
    pub(super) reaction: bool,
    pub(super) reckless: bool,
    pub(super) extra: bool,
    pub(super) rampaging: bool,
    pub(super) relentless: bool,
    pub(super) stopped: bool,
    pub(super) berserk: bool,
    /// Whether it averts its eyes from gazes.
    pub(super) averts: bool,
    /// Whether it loses its next turn.
    pub(super) surprised: bool,
    /// Whether it has taken a turn.
    pub(super) has_acted: bool,
    /// How far around it the ground is difficult.
    pub(super) ground: i64,
    /// Its armour class, and what is taken from the damage of its weapon.
    pub(super) ac: i64,
    pub(super) blunted: i64,
    /// Where it stands, how many feet it may still move, how far it has run, and toward whom.
    pub(super) at: [i64; 2],
    pub(super) left: i64,
    pub(super) ran: i64,
    pub(super) prey: Option<usize>,
    /// Temporary hit points that are left.
    pub(super) temporary: i64,
    /// What becomes of it at 0 hit points if it is a character.
    pub fate: Fate,
    pub(super) heals: Vec<Heals>,
    /// What it may do besides its action, and whether its bonus action is spent.
    pub(super) asides: Vec<Aside>,
    pub(super) busy: bool,
    /// Whom it holds, in the order in which it began.
    pub(super) holds: Vec<Holds>,
    /// Whether the end of help costs it its next turn.
    pub(super) tired: bool,
    /// The help that it has.
    pub(super) helped: Vec<Helped>,
    /// What it has of rules of characters.
    pub(super) martial: Martial,
}
