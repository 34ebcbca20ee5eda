//! Initial positions, in feet on a grid, speeds of creatures, and their options at a distance.
//! Without positions every creature is in reach of every other, and none of it matters.

use super::deed::{Deed, Todo, What};
use super::feet::Feet;
use super::kind::Kind;
use super::steps::{alternatives, is_multiattack};
use super::strike::Strike;
use crate::encounter::bestiary::{Action, Creature};
use crate::encounter::document::{Encounter, Listed};
use crate::encounter::wrong::Wrong;

/// A position: feet to the right, and feet down.
pub(in crate::encounter) type Position = [i64; 2];

/// The side of a square of the grid, in feet (SRD 5.1, "Movement and Position").
const SQUARE: i64 = 5;

/// The farthest position, in feet.
const FARTHEST: i64 = 10_000;

impl Kind {
    /// Attacks for melee or a distance become two: the second one is thrown.
    pub(super) fn add_thrown(&mut self, action: &Action) {
        let is_both = action.kind.as_deref() == Some("melee or ranged");
        let own = self.deeds.last().filter(|_| is_both);
        let aim = own.map(|deed| deed.aim.clone()).unwrap_or_default();
        if let Some(What::Strike(strike)) = own.map(|deed| &deed.what) {
            let thrown = Strike {
                is_melee: false,
                feet: Feet::of(action, false),
                ..strike.clone()
            };
            self.push(&action.name, What::Strike(thrown), None);
            self.deeds
                .iter_mut()
                .last()
                .into_iter()
                .for_each(|deed| deed.aim = aim.clone());
        }
    }

    /// Its options in a turn in which its routine is out of reach, in the order in which they are
    /// tried: the other alternatives of its multiattack, its routine thrown, one ranged attack, the
    /// best first.
    ///
    /// # Errors
    /// The errors of the alternatives.
    pub(super) fn choose_options(&mut self) -> Result<(), Wrong> {
        let actions = self.creature.actions.iter();
        let others = actions.filter(|action| is_multiattack(action));
        let others = others.flat_map(alternatives);
        let others = others.map(|steps| {
            let all: Result<Vec<Option<Todo>>, Wrong> =
                steps.iter().map(|step| self.todo(step)).collect();
            all.map(|all| all.into_iter().collect())
        });
        let others: Result<Vec<Option<Vec<Todo>>>, Wrong> = others.collect();
        let is_free = |deed: &usize| {
            let is_limited = self.limited.iter().any(|rare| rare.deed == *deed);
            !is_limited && !self.deeds[*deed].aim.has_state
        };
        let is_always = |todo: &Todo| is_free(&todo.deed);
        let mut others = others?;
        others.retain(|todos| todos.iter().flatten().all(is_always));
        let thrown: Option<Vec<Todo>> = self.routine.iter().map(|todo| self.thrown(todo)).collect();
        let single = (0..self.deeds.len()).filter(is_free);
        let single = single.filter(|&deed| self.deeds[deed].is_melee() == Some(false));
        let mut single: Vec<usize> = single.collect();
        single.sort_by_key(|&deed| std::cmp::Reverse(self.deeds[deed].worth()));
        let single = single.into_iter().map(|deed| vec![Todo::once(deed)]);
        let all = others.into_iter().flatten().chain(thrown).chain(single);
        let mut options: Vec<Vec<Todo>> = Vec::new();
        for option in all {
            let is_new = option != self.routine && !options.contains(&option);
            options.extend((is_new && !option.is_empty()).then_some(option));
        }
        let melee = (0..self.deeds.len()).filter(is_free);
        let melee = melee.filter(|&deed| self.deeds[deed].is_melee() == Some(true));
        let best = melee.max_by_key(|&deed| (self.deeds[deed].worth(), usize::MAX - deed));
        (self.options, self.opportunity) = (options, best);
        Ok(())
    }

    /// Whether any of its deeds depends on its movement.
    pub(in crate::encounter) fn runs(&self) -> bool {
        self.handled.iter().any(|one| one.only.run.is_some())
    }

    /// An attack of its routine as it is thrown.
    fn thrown(&self, todo: &Todo) -> Option<Todo> {
        let own = &self.deeds[todo.deed];
        let is_it = |deed: &Deed| deed.name == own.name && deed.is_melee() == Some(false);
        let deed = self.deeds.iter().position(is_it)?;
        Some(Todo {
            deed,
            times: todo.times.clone(),
        })
    }
}

/// The speed of a creature. In fights without distances, no creature moves.
///
/// # Errors
/// A speed that matters and is not a number of feet.
pub(super) fn speed(creature: &Creature, encounter: &Encounter) -> Result<u32, Wrong> {
    if !encounter.has_positions() {
        return Ok(0);
    }
    creature.feet().ok_or_else(|| {
        let path = format!("{}: $.speed", creature.name);
        Wrong::new(path, "is not a speed in feet")
            .help("write it as in `{\"walk\": 30, \"fly\": 60}`")
    })
}

/// The positions of creatures by kind, in fights with distances: those of the document, or next to
/// each other along the edge of their side.
///
/// # Errors
/// A position that is too far away, or a number of positions other than that of the creatures.
pub(super) fn positions(
    encounter: &Encounter,
    listed: &[Listed],
) -> Result<Option<Vec<Vec<Position>>>, Wrong> {
    if !encounter.has_positions() {
        return Ok(None);
    }
    let between = i64::from(encounter.distance.unwrap_or(0));
    if between > FARTHEST {
        let what = format!("is more than {FARTHEST} feet");
        return Err(Wrong::new("$.distance", what));
    }
    let mut next = [0; 2];
    let mut all = Vec::new();
    for one in listed {
        let name = &one.creature.name;
        let path = format!("{name}: $.at");
        let count = one.count as usize;
        let own = match &one.at[..] {
            [] => {
                let edge = if one.side == 0 { 0 } else { between };
                let first = next[one.side];
                next[one.side] += i64::from(one.count) * SQUARE;
                let rows = (0..i64::from(one.count)).map(|row| [edge, first + row * SQUARE]);
                rows.collect()
            }
            [position] => vec![*position; count],
            positions if positions.len() == count => positions.to_vec(),
            positions => {
                let what = format!("has {} positions for {count} creatures", positions.len());
                return Err(Wrong::new(path, what).help("give a position for each, or one for all"));
            }
        };
        if own.iter().flatten().any(|feet| feet.abs() > FARTHEST) {
            let what = format!("is more than {FARTHEST} feet away");
            return Err(Wrong::new(path, what));
        }
        all.push(own);
    }
    Ok(Some(all))
}
