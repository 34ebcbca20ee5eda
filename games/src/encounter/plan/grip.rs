//! Grips of deeds on creatures (SRD 5.1, "Making an Attack: Grappling"), and what they hold in a
//! fight.

use super::damage::{By, DamagePart};
use crate::encounter::bestiary::{Action, Grapple, Size};
use crate::encounter::wrong::Wrong;
use crate::script_text::ScriptCode;

/// The grip of a deed on creatures that it hits, or that fail its save.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Grip {
    /// The DC of a check to escape.
    pub(in crate::encounter) dc: i64,
    /// Whether held creatures are also restrained.
    pub(in crate::encounter) restrains: bool,
    /// The maximum number of held creatures.
    pub(in crate::encounter) holds: u32,
    /// Whether it targets no other creature while it holds one.
    pub(in crate::encounter) is_exclusive: bool,
    /// The maximum size of a held creature.
    pub(in crate::encounter) max_size: Option<Size>,
    /// Whether its attack rolls against held creatures have advantage.
    pub(in crate::encounter) has_advantage: bool,
    /// Whether its attacks on held creatures always hit.
    pub(in crate::encounter) cannot_miss: bool,
    /// Whether checks to escape have disadvantage.
    pub(in crate::encounter) hinders_escape: bool,
    /// The damage to held creatures at the start of their turns.
    pub(in crate::encounter) damage: Vec<DamagePart>,
}

impl Grip {
    /// How an action that is at a path holds somebody, if it does.
    ///
    /// # Errors
    /// A number that it cannot have, or damage that is not dice.
    pub(super) fn of(action: &Action, path: &str) -> Result<Option<Self>, Wrong> {
        let Some(grapple) = &action.grapples else {
            return Ok(None);
        };
        let path = format!("{path}.grapples");
        let holds = grapple.holds.unwrap_or(1);
        check(grapple, holds, &path)?;
        Ok(Some(Self {
            dc: grapple.escape_dc,
            restrains: grapple.restrains,
            holds,
            is_exclusive: grapple.only_held,
            max_size: grapple.max_size,
            has_advantage: grapple.advantage,
            cannot_miss: grapple.cannot_miss,
            hinders_escape: grapple.hinders_escape,
            damage: DamagePart::all(&grapple.damage, By::Effect, &path)?,
        }))
    }
}

/// Whether the numbers of a grapple fit each other.
fn check(grapple: &Grapple, holds: u32, path: &str) -> Result<(), Wrong> {
    if !(1..=100).contains(&holds) {
        let what = format!("is {holds}, not in 1 to 100");
        return Err(Wrong::new(format!("{path}.holds"), what));
    }
    if grapple.only_held && holds > 1 {
        let wrong = Wrong::new(
            format!("{path}.only held"),
            "is of an attack that holds several",
        );
        return Err(wrong.help("an attack that holds several may always be made on others"));
    }
    Ok(())
}

/// A grip in a fight: the fields with the numbers of the held creatures, and its possible targets.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Hold {
    pub(in crate::encounter) kind: usize,
    pub(in crate::encounter) deed: usize,
    /// The fields, one for each creature that it holds at a time.
    pub(in crate::encounter) slots: Vec<ScriptCode>,
    pub(in crate::encounter) grip: Grip,
    /// The kinds of enemies that it may hold.
    pub(in crate::encounter) victims: Vec<usize>,
    /// Those of them that it also restrains.
    pub(in crate::encounter) restrained: Vec<usize>,
}

impl Hold {
    /// Whether held creatures take damage from it.
    pub(in crate::encounter) fn hurts(&self) -> bool {
        !self.grip.damage.is_empty()
    }
}
