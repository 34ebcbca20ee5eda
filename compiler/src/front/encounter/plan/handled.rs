//! What the features of a kind of creatures do in a fight.

use super::kind::{Kind, Rare, What};
use crate::front::encounter::document::Encounter;
use crate::front::encounter::feature::{Attached, Handler, Reach, Uses, When, lower};
use crate::front::encounter::wrong::Wrong;

/// What a feature does as soon as something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::front::encounter) struct Handled {
    pub(in crate::front::encounter) when: When,
    /// Whether only the fallen do it.
    pub(in crate::front::encounter) is_last: bool,
    pub(in crate::front::encounter) deed: usize,
    pub(in crate::front::encounter) reach: Reach,
}

impl Kind {
    /// What features do: as actions, or as soon as something happens.
    pub(super) fn read_features(&mut self, encounter: &Encounter) -> Result<(), Wrong> {
        let creature = self.creature.clone();
        let traits = creature.traits.iter().chain(&creature.reactions);
        for one in traits.filter(|one| !encounter.leaves_out(&one.name)) {
            let path = format!("{}: the feature of {}", creature.name, one.name);
            for attached in Attached::of(one, &creature)? {
                let (handlers, missing) = lower(&attached, &path)?;
                let words = missing.join("; ");
                match (handlers.is_empty(), missing.is_empty()) {
                    (_, true) => self.modelled.push(one.name.clone()),
                    (true, false) => self.missing.push(format!("{} ({words})", one.name)),
                    (false, false) => {
                        self.modelled.push(one.name.clone());
                        self.missing
                            .push(format!("{} (in part: {words})", one.name));
                    }
                }
                for handler in handlers {
                    self.handle(&one.name, handler);
                }
            }
        }
        Ok(())
    }

    fn handle(&mut self, name: &str, handler: Handler) {
        let Handler {
            when,
            is_last,
            hit,
            reach,
        } = handler;
        let deed = self.deeds.len();
        self.push(name, What::Blast(hit, reach));
        match when {
            When::Action(Uses::Free) => {}
            When::Action(Uses::Few { uses, recharge }) => self.limited.push(Rare {
                deed,
                uses,
                recharge,
            }),
            _ => self.handled.push(Handled {
                when,
                is_last,
                deed,
                reach,
            }),
        }
    }

    /// What its features do at an event.
    pub(in crate::front::encounter) fn handlers_at(
        &self,
        when: When,
    ) -> impl Iterator<Item = &Handled> {
        self.handled.iter().filter(move |one| one.when == when)
    }

    /// Whether a deed is what a feature does when the creature is hurt, even if it has fallen.
    pub(in crate::front::encounter) fn is_of_fallen(&self, deed: usize) -> bool {
        let mut hurt = self.handlers_at(When::Damaged);
        hurt.any(|one| one.deed == deed)
    }
}
