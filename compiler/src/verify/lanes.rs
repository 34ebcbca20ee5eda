//! Lanes against scalar code: replays the faces of each lane in a separate trial of the same
//! module.

use super::{Difference, Effort};
use dicec_native::eval::{GroupServed, Observed, Ran, Served, Trials, run_recorded};
use dicec_native::pass::VectorForm;
use dicec_runtime::rng::{Dice, Stream};
use dicec_runtime::trap::TrapCode;
use rustc_hash::FxHashSet;

/// Runs groups of a vector form in its evaluator and compares each trial with one in scalar code
/// that rolls the faces that its lane was given: results, traps, and the lines and statistics of
/// all of them together. A face may be given to a trial only once, for a die with its sides.
/// Returns the number of trials that were compared.
///
/// # Errors
/// The first difference: before is scalar code, after are the lanes.
pub fn lanes_differ(
    form: &VectorForm,
    inputs: &[i64],
    mut stream: Stream,
    effort: &Effort,
) -> Result<usize, Difference> {
    let Ok(trials) = Trials::new(&form.module, inputs) else {
        return Ok(0);
    };
    let mut blocks = effort.blocks;
    let mut compared = 0;
    while compared < effort.trials {
        let Some(group) = run_recorded(form, inputs, &mut stream) else {
            break;
        };
        let mut alone = Vec::with_capacity(group.trials.len());
        for (number, (ended, served)) in group.trials.iter().enumerate() {
            let mut dice = Replayed::new(served);
            let Some(Ran { observed, .. }) = trials.run(&mut dice, &mut blocks) else {
                return Ok(compared);
            };
            let whole = observed.ended == *ended && dice.used == served.len();
            if !whole || dice.is_wrong || is_served_twice(served) {
                return Err(Difference {
                    of: format!("trial {number} of a group in lanes, with the faces {served:?},"),
                    before: format!("{:?}", observed.ended),
                    after: format!("{ended:?}"),
                });
            }
            alone.push(observed);
        }
        compared += group.trials.len();
        events_differ(form, &group, &alone)?;
    }
    Ok(compared)
}

/// A trial may not see one face as two dice.
fn is_served_twice(served: &[Served]) -> bool {
    let mut seen = FxHashSet::default();
    served
        .iter()
        .any(|served| !seen.insert((served.draw, served.index)))
}

/// Compares the notes of a group with those of its trials run separately.
fn events_differ(
    form: &VectorForm,
    group: &GroupServed,
    alone: &[Observed],
) -> Result<(), Difference> {
    if alone.iter().any(|observed| observed.ended.is_err()) {
        // The whole group is run again, trial by trial.
        return Ok(());
    }
    let names = &form.module.tables.stats;
    let together = Observed::new(Ok(0), &group.events, names);
    let mut events = dicec_runtime::events::Events::new(names);
    for observed in alone {
        observed.add_to(&mut events);
    }
    let alone = Observed::new(Ok(0), &events, names);
    match alone == together {
        true => Ok(()),
        false => Err(Difference {
            of: "the events of a group".to_owned(),
            before: alone.to_string(),
            after: together.to_string(),
        }),
    }
}

/// The faces of a lane again.
struct Replayed<'s> {
    served: &'s [Served],
    used: usize,
    /// Whether a die had other sides than in the lanes, or there were more dice.
    is_wrong: bool,
}

impl<'s> Replayed<'s> {
    fn new(served: &'s [Served]) -> Self {
        Self {
            served,
            used: 0,
            is_wrong: false,
        }
    }
}

impl Dice for Replayed<'_> {
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode> {
        match self.served.get(self.used) {
            Some(served) if served.sides == sides => {
                self.used += 1;
                Ok(served.face)
            }
            _ => {
                self.is_wrong = true;
                Err(TrapCode::FacesRanOut)
            }
        }
    }
}
