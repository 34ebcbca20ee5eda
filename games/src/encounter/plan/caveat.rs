//! Caveats: abilities that the odds of a fight leave out.

use super::Plan;

/// The most abilities of a creature that a caveat names.
const MAX_NAMED: usize = 3;

/// The abilities of a kind of creatures that are left out as a whole. They could do damage, cause
/// conditions or change rolls, so the odds hold only without them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caveat {
    /// The name of the stat block.
    pub creature: String,
    /// The names of its traits, reactions and actions that are not modelled at all.
    pub without: Vec<String>,
}

impl Caveat {
    /// The caveat in words: `the Medusa's Petrifying Gaze`.
    pub fn text(&self) -> String {
        let mut names = self.without.clone();
        if names.len() > MAX_NAMED {
            let others = names.len() - MAX_NAMED + 1;
            names.truncate(MAX_NAMED - 1);
            names.push(format!("{others} others"));
        }
        let last = names.pop().unwrap_or_default();
        let names = match names.is_empty() {
            true => last,
            false => format!("{} and {last}", names.join(", ")),
        };
        format!("the {}'s {names}", self.creature)
    }
}

impl Plan {
    /// What the odds of the fight leave out, for each kind of creatures that has more than is
    /// modelled. Abilities that are modelled in part are in [`Plan::missing`] only.
    pub fn caveats(&self) -> Vec<Caveat> {
        let mut all: Vec<Caveat> = Vec::new();
        for (creature, missing) in self.missing() {
            let whole = missing.iter().filter(|what| !what.contains(['(', '`']));
            let without: Vec<String> = whole.cloned().collect();
            let is_new = all.iter().all(|one| one.creature != creature);
            if is_new && !without.is_empty() {
                all.push(Caveat {
                    creature: creature.to_owned(),
                    without,
                });
            }
        }
        all
    }
}
