//! Grapples: who may be held by whom, and the restrictions of the held (SRD 5.1, "Conditions:
//! Grappled").

use super::Plan;
use super::deed::What;
use super::grip::{Grip, Hold};
use super::kind::Kind;
use crate::encounter::document::Escape;
use crate::script_text::code;

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
                    What::Strike(_) | What::Mend(_) | What::Boon(_) => false,
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
