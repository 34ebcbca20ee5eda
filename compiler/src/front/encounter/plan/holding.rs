//! Grapples: what holds somebody, how many at a time, and whom (SRD 5.1, "Conditions: Grappled",
//! "Making an Attack: Grappling").

use super::Plan;
use super::damage::{By, DamagePart};
use super::deed::What;
use super::kind::Kind;
use crate::front::encounter::bestiary::{Action, Grapple, Size};
use crate::front::encounter::document::Escape;
use crate::front::encounter::wrong::Wrong;
use crate::front::script_text::{ScriptCode, code};

/// How a deed holds those whom it hits, or those who fail its save.
#[derive(Clone, Debug)]
pub(in crate::front::encounter) struct Grip {
    /// What a check to escape has to reach.
    pub(in crate::front::encounter) dc: i64,
    /// Whether those who are held are restrained, too.
    pub(in crate::front::encounter) restrains: bool,
    /// How many it holds at a time.
    pub(in crate::front::encounter) holds: u32,
    /// Whether it is about nobody else while it holds somebody.
    pub(in crate::front::encounter) is_exclusive: bool,
    /// The greatest size of those whom it holds.
    pub(in crate::front::encounter) max_size: Option<Size>,
    /// Whether its attack rolls against those whom it holds have advantage.
    pub(in crate::front::encounter) has_advantage: bool,
    /// Whether its attack rolls against those whom it holds hit whatever is rolled.
    pub(in crate::front::encounter) cannot_miss: bool,
    /// Whether checks to escape have disadvantage.
    pub(in crate::front::encounter) hinders_escape: bool,
    /// What those who are held take at the start of their turns.
    pub(in crate::front::encounter) damage: Vec<DamagePart>,
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

/// A grip in a fight: the fields of its creatures that have the numbers of those whom they hold,
/// and whom it may hold.
#[derive(Clone, Debug)]
pub(in crate::front::encounter) struct Hold {
    pub(in crate::front::encounter) kind: usize,
    pub(in crate::front::encounter) deed: usize,
    /// The fields, one for each creature that it holds at a time.
    pub(in crate::front::encounter) slots: Vec<ScriptCode>,
    pub(in crate::front::encounter) grip: Grip,
    /// The kinds of enemies that it may hold.
    pub(in crate::front::encounter) victims: Vec<usize>,
    /// Those of them that are restrained then.
    pub(in crate::front::encounter) restrained: Vec<usize>,
}

impl Hold {
    /// Whether those who are held take damage for it.
    pub(in crate::front::encounter) fn hurts(&self) -> bool {
        !self.grip.damage.is_empty()
    }
}

impl Plan {
    /// Gives each grip that may hold somebody its fields.
    pub(super) fn place_holds(&mut self) {
        let mut all = Vec::new();
        for kind in &self.kinds {
            let mut slots = 0;
            for deed in kind.used() {
                let Some(grip) = &kind.deeds[deed].grip else {
                    continue;
                };
                let victims = self.on_side(1 - kind.side);
                let victims: Vec<&Kind> = victims.filter(|foe| may_hold(grip, foe)).collect();
                let count: u32 = victims.iter().map(|foe| foe.count).sum();
                let restrained = victims.iter().filter(|foe| {
                    let is_immune = foe.creature.is_immune_to("restrained");
                    grip.restrains && !is_immune
                });
                let restrained = restrained.map(|foe| foe.number).collect();
                let first = slots + 1;
                slots += grip.holds.min(count);
                if slots < first {
                    continue;
                }
                all.push(Hold {
                    kind: kind.number,
                    deed,
                    slots: (first..=slots)
                        .map(|slot| code!("holds{slot}", slot))
                        .collect(),
                    grip: grip.clone(),
                    victims: victims.iter().map(|foe| foe.number).collect(),
                    restrained,
                });
            }
        }
        self.holds = all;
        self.drop_idle_grips();
    }

    /// Leaves out what only holds, where there is nobody whom it could hold.
    fn drop_idle_grips(&mut self) {
        for kind in &mut self.kinds {
            let held: Vec<usize> = self
                .holds
                .iter()
                .filter(|hold| hold.kind == kind.number)
                .map(|hold| hold.deed)
                .collect();
            let deeds = &kind.deeds;
            let is_idle = |deed: usize| {
                let is_nothing = match &deeds[deed].what {
                    What::Blast(hit, _) => hit.does_nothing(),
                    What::Strike(_) | What::Mend(_) => false,
                };
                is_nothing && !held.contains(&deed) && !deeds[deed].is_idle_spell
            };
            kind.routine.retain(|todo| !is_idle(todo.deed));
            for option in &mut kind.options {
                option.retain(|todo| !is_idle(todo.deed));
            }
            kind.options.retain(|option| !option.is_empty());
            kind.limited.retain(|rare| !is_idle(rare.deed));
            kind.legendary.retain(|(_, todo)| !is_idle(todo.deed));
            kind.handled.retain(|handled| !is_idle(handled.deed));
            kind.asides.retain(|aside| !is_idle(aside.deed));
        }
    }

    /// What creatures of a side may be held by.
    pub(in crate::front::encounter) fn holds_on(&self, side: usize) -> impl Iterator<Item = &Hold> {
        let from_enemy = move |hold: &&Hold| self.kinds[hold.kind].side != side;
        self.holds.iter().filter(from_enemy)
    }

    /// What creatures of a kind hold others with.
    pub(in crate::front::encounter) fn holds_of(
        &self,
        kind: usize,
    ) -> impl Iterator<Item = &Hold> + '_ {
        self.holds.iter().filter(move |hold| hold.kind == kind)
    }

    /// How a deed holds somebody.
    pub(in crate::front::encounter) fn hold(&self, kind: usize, deed: usize) -> Option<&Hold> {
        self.holds_of(kind).find(|hold| hold.deed == deed)
    }

    /// Whether creatures of a kind do something at their turns only because they are held.
    pub(super) fn acts_when_held(&self, kind: &Kind) -> bool {
        let may_escape = match kind.escapes {
            Escape::Always => self.may_be_held(kind.side) || self.may_be_bound(kind.side),
            Escape::Restrained => self.may_be_bound(kind.side),
            Escape::Stuck | Escape::Never => false,
        };
        may_escape || self.holds_on(kind.side).any(Hold::hurts)
    }

    /// Whether creatures of a side may be held without being restrained.
    pub(in crate::front::encounter) fn may_be_held(&self, side: usize) -> bool {
        let mut holds = self.holds_on(side);
        holds.any(|hold| hold.restrained.len() < hold.victims.len())
    }

    /// Whether creatures of a side may be restrained by somebody who holds them.
    pub(in crate::front::encounter) fn may_be_bound(&self, side: usize) -> bool {
        self.holds_on(side).any(|hold| !hold.restrained.is_empty())
    }
}

/// Whether a grip may hold creatures of a kind.
fn may_hold(grip: &Grip, foe: &Kind) -> bool {
    let fits = grip.max_size.is_none_or(|max| foe.creature.size <= max);
    fits && !foe.creature.is_immune_to("grappled")
}
