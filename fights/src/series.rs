//! Questions that take the fights of several encounters: the contribution of each trait, and the
//! number of creatures that a side can face. The caller runs the fights.

use super::fought::Fought;
use dicec_games::encounter::{Bestiary, Encounter, MAX_CREATURES, Plan, Source};
use dicec_lang::syntax::{FileCode, Finding};

/// The odds without a trait.
#[derive(Clone, Debug)]
pub struct Ablated {
    /// The trait.
    pub name: String,
    /// The creatures that have it.
    pub creatures: Vec<String>,
    /// The probabilities that the sides win.
    pub wins: [f64; 2],
}

impl Ablated {
    /// The odds without each modelled trait of any creature. `fight` runs an encounter, with the
    /// seed of the whole one.
    ///
    /// # Errors
    /// Those of `fight`, or an encounter that is invalid.
    pub fn all<E: From<Finding>>(
        (source, encounter): (&Source, &Encounter),
        bestiary: &Bestiary,
        fight: &mut dyn FnMut(&Plan) -> Result<Fought, E>,
    ) -> Result<Vec<Self>, E> {
        let planned = |encounter: &Encounter| {
            let plan = Plan::new(encounter, bestiary);
            plan.map_err(|wrong| E::from(source.wrong(&wrong)))
        };
        let mut all: Vec<Self> = Vec::new();
        for (creature, name) in planned(encounter)?.modelled() {
            match all.iter_mut().find(|one| one.name == name) {
                Some(one) => one.creatures.push(creature.to_owned()),
                None => all.push(Self {
                    name: name.to_owned(),
                    creatures: vec![creature.to_owned()],
                    wins: [0.0; 2],
                }),
            }
        }
        for one in &mut all {
            let mut encounter = encounter.clone();
            encounter.without.push(one.name.clone());
            one.wins = fight(&planned(&encounter)?)?.wins.map(|share| share.p);
        }
        Ok(all)
    }

    /// `Pack Tactics (Wolf)`.
    pub fn label(&self) -> String {
        format!("{} ({})", self.name, self.creatures.join(", "))
    }
}

/// The half-width of a chance if many encounters are tried for one answer, and the one for chances
/// that are not close.
const CHANCE_HALF_WIDTH: f64 = 0.005;
const ROUGH_HALF_WIDTH: f64 = 0.03;

/// The maximum number of creatures of one kind that a side can face.
#[derive(Clone, Debug)]
pub struct MostFoes {
    /// The first side.
    pub side: String,
    /// The creatures of the other side whose number is fixed.
    pub others: Vec<String>,
    /// The creature that is counted.
    pub creature: String,
    /// The wanted chance.
    pub win: f64,
    /// The maximum number that leaves the side this chance; none if even one is too many.
    pub count: Option<u32>,
    /// The maximum number that can fight.
    pub most: u32,
    /// The numbers that were tried, each with the chance of the first side.
    pub tried: Vec<(u32, f64)>,
}

impl MostFoes {
    /// Tries numbers of the creature that `wanted` names, `N Goblin`, against the sides of `words`.
    /// `face` reads an encounter between the two; `chance` is the chance of its first side, known
    /// to a half-width; with `is_fixed`, only a rough chance is needed.
    ///
    /// # Errors
    /// Those of `face` and `chance`.
    pub fn find<E>(
        wanted: &str,
        win: f64,
        is_fixed: bool,
        face: &mut dyn FnMut(&str) -> Result<Plan, E>,
        chance: &mut dyn FnMut(&Plan, f64) -> Result<f64, E>,
    ) -> Result<Self, E> {
        let name = wanted.trim();
        let name = name
            .strip_prefix("N ")
            .or_else(|| name.strip_prefix("n "))
            .unwrap_or(name);
        let first = face(&format!("1 {name}"))?;
        // The other creatures leave this many places; the counted ones are listed last.
        let mut known = first.figures();
        known.pop();
        let others = known.iter().filter(|figures| figures.side == 1);
        let others = others.map(|figures| format!("{} {}", figures.count, figures.title));
        let most = MAX_CREATURES - known.iter().map(|figures| figures.count).sum::<u32>();
        let mut tried = Vec::new();
        let mut wins = |count: u32| -> Result<bool, E> {
            let plan = face(&format!("{count} {name}"))?;
            let rough = chance(&plan, ROUGH_HALF_WIDTH)?;
            let is_clear = is_fixed || (rough - win).abs() > 2.0 * ROUGH_HALF_WIDTH;
            let p = match is_clear {
                true => rough,
                false => chance(&plan, CHANCE_HALF_WIDTH)?,
            };
            tried.push((count, p));
            Ok(p >= win)
        };
        // More enemies never help, so the maximum is found by doubling, then by bisection.
        let mut too_many = 1;
        while too_many <= most && wins(too_many)? {
            too_many *= 2;
        }
        let mut enough = too_many / 2;
        too_many = too_many.min(most + 1);
        while too_many - enough > 1 {
            let middle = enough.midpoint(too_many);
            match wins(middle)? {
                true => enough = middle,
                false => too_many = middle,
            }
        }
        tried.sort_by_key(|(count, _)| *count);
        Ok(Self {
            side: first.sides()[0].clone(),
            others: others.collect(),
            creature: name.to_owned(),
            win,
            count: (enough > 0).then_some(enough),
            most,
            tried,
        })
    }
}

/// The description of an encounter between some sides and further foes of the first one.
///
/// # Errors
/// A side is missing.
pub fn against(words: &str, foes: &str) -> Result<String, Box<Finding>> {
    if words.trim().is_empty() {
        let message = "to find a number of creatures takes a side that faces them";
        let finding = Finding::general(FileCode::BadEncounter.as_str(), message);
        return Err(Box::new(finding));
    }
    let has_both = words.split_whitespace().any(|word| {
        ["vs", "vs.", "versus", "against"]
            .iter()
            .any(|versus| word.eq_ignore_ascii_case(versus))
    });
    Ok(match has_both {
        true => format!("{words}, {foes}"),
        false => format!("{words} vs {foes}"),
    })
}
