//! What each trait contributes: the odds without it.

use super::EncounterArgs;
use super::fight::fought;
use super::scene::{Scene, read};
use crate::error::CliError;
use dicec_compiler::Fought;
use dicec_compiler::front::encounter::Bestiary;

/// The odds without a trait.
pub(super) struct Ablated {
    /// The trait.
    pub(super) name: String,
    /// Who has it.
    pub(super) creatures: Vec<String>,
    /// The probabilities that the sides win.
    pub(super) wins: [f64; 2],
}

impl Ablated {
    /// `Pack Tactics (Wolf)`.
    pub(super) fn label(&self) -> String {
        format!("{} ({})", self.name, self.creatures.join(", "))
    }
}

/// The odds without each trait that somebody has and that is modelled, with the seed of the whole.
///
/// # Errors
/// As for [`fought`].
pub(super) fn all(
    args: &EncounterArgs,
    words: &str,
    bestiary: &Bestiary,
    whole: &Fought,
) -> Result<Vec<Ablated>, CliError> {
    let scene = Scene::read(words, args, bestiary)?;
    let mut all: Vec<Ablated> = Vec::new();
    for (creature, name) in scene.plan.modelled() {
        match all.iter_mut().find(|one| one.name == name) {
            Some(one) => one.creatures.push(creature.to_owned()),
            None => all.push(Ablated {
                name: name.to_owned(),
                creatures: vec![creature.to_owned()],
                wins: whole.wins.clone().map(|share| share.p),
            }),
        }
    }
    for one in &mut all {
        let (source, mut encounter) = read(words, bestiary)?;
        encounter.without.push(one.name.clone());
        let scene = Scene::of(encounter, &source, args, bestiary)?;
        one.wins = fought(&scene, args)?.wins.map(|share| share.p);
    }
    Ok(all)
}
