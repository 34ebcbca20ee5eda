//! Gazes and auras: saves that a creature asks of each enemy whose turn starts (SRD 5.1, Basilisk,
//! Medusa).

use super::deed::{Sight, What};
use super::kind::Kind;
use super::occasion::Handled;
use super::saving::blast;
use crate::encounter::bestiary::Action;
use crate::encounter::document::Encounter;
use crate::encounter::feature::{Only, Reach, When};
use crate::encounter::wrong::Wrong;

impl Kind {
    /// Reads its traits with a save as handlers of the turns of enemies.
    ///
    /// # Errors
    /// The errors in a save.
    pub(super) fn read_sights(&mut self, encounter: &Encounter, path: &str) -> Result<(), Wrong> {
        let traits = self.creature.traits.clone();
        for (index, one) in traits.into_iter().enumerate() {
            let save = one.save.filter(|_| one.feature.is_none());
            if save.is_none() || encounter.leaves_out(&one.name) {
                continue;
            }
            let path = format!("{path}.traits[{index}]");
            let action = Action {
                name: one.name.clone(),
                save,
                ..Action::default()
            };
            let Some(hit) = blast(&action, &path)? else {
                self.missing.push(one.name);
                continue;
            };
            let deed = self.deeds.len();
            self.push(&one.name, What::Blast(hit, Reach::Given), None);
            self.deeds[deed].sight = Some(match one.gaze {
                true => Sight::Gaze,
                false => Sight::Aura,
            });
            self.apart.push(deed);
            self.modelled.push(one.name);
            self.handled.push(Handled {
                when: When::EnemyTurnStart,
                is_last: false,
                deed,
                reach: Reach::Given,
                only: Only {
                    within: one.within.filter(|_| encounter.has_positions()),
                    ..Only::default()
                },
                is_once_a_turn: false,
                follow: None,
            });
        }
        Ok(())
    }

    /// Whether it has a gaze.
    pub(in crate::encounter) fn gazes(&self) -> bool {
        self.deeds
            .iter()
            .any(|deed| deed.sight == Some(Sight::Gaze))
    }
}
