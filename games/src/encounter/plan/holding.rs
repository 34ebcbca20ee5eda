//! Grapples: the holder, the number of held creatures, and their restrictions (SRD 5.1,
//! "Conditions: Grappled", "Making an Attack: Grappling").

use super::Plan;
use super::damage::{By, DamagePart};
use super::deed::What;
use super::kind::Kind;
use crate::encounter::bestiary::{Action, Grapple, Size};
use crate::encounter::document::Escape;
use crate::encounter::wrong::Wrong;
use crate::script_text::{ScriptCode, code};

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

    /// Removes grips for which there is no possible target.
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

    /// The grips that creatures of a side may be held by.
    pub(in crate::encounter) fn holds_on(&self, side: usize) -> impl Iterator<Item = &Hold> {
        let from_enemy = move |hold: &&Hold| self.kinds[hold.kind].side != side;
        self.holds.iter().filter(from_enemy)
    }

    /// The grips of a kind of creatures.
    pub(in crate::encounter) fn holds_of(&self, kind: usize) -> impl Iterator<Item = &Hold> + '_ {
        self.holds.iter().filter(move |hold| hold.kind == kind)
    }

    /// How a deed holds somebody.
    pub(in crate::encounter) fn hold(&self, kind: usize, deed: usize) -> Option<&Hold> {
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
    pub(in crate::encounter) fn may_be_held(&self, side: usize) -> bool {
        let mut holds = self.holds_on(side);
        holds.any(|hold| hold.restrained.len() < hold.victims.len())
    }

    /// Whether creatures of a side may be restrained by a grip.
    pub(in crate::encounter) fn may_be_bound(&self, side: usize) -> bool {
        self.holds_on(side).any(|hold| !hold.restrained.is_empty())
    }
}

/// Whether a grip may hold creatures of a kind.
fn may_hold(grip: &Grip, foe: &Kind) -> bool {
    let fits = grip.max_size.is_none_or(|max| foe.creature.size <= max);
    fits && !foe.creature.is_immune_to("grappled")
}
