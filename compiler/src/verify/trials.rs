//! Trials of two modules with the same words: what an `Exact` rewrite keeps.

use super::{Difference, Effort};
use crate::engine::eval::{Ran, Trials};
use crate::ir::Module;
use dicec_runtime::rng::Stream;
use std::sync::Arc;

/// The seed of the first trial; each trial has its own, so that a difference in one is not one in
/// all that follow.
const SEED: u64 = 0xd1ce;

/// Runs trials of both modules and compares results, lines, statistics, traps, the fuel that is left
/// and the state of the generator; returns how many trials were compared before the blocks of
/// `effort` were used up.
///
/// # Errors
/// The first difference.
pub fn trials_differ(
    before: &Arc<Module>,
    after: &Arc<Module>,
    inputs: &[i64],
    effort: &Effort,
) -> Result<usize, Difference> {
    let both = [before, after].map(|module| Trials::new(module, inputs));
    let [Ok(before), Ok(after)] = both else {
        return accepted(both.map(|trials| trials.is_ok()));
    };
    let mut blocks = [effort.blocks; 2];
    for (number, seed) in (SEED..).take(effort.trials).enumerate() {
        let [mut first, mut second] = [seed; 2].map(Stream::from_seed);
        let Some(expected) = before.run(&mut first, &mut blocks[0]) else {
            return Ok(number);
        };
        let Some(found) = after.run(&mut second, &mut blocks[1]) else {
            return Ok(number);
        };
        if (&expected, first.state()) != (&found, second.state()) {
            let drawn_alike = first.state() == second.state();
            return Err(differ(seed, &expected, &found, drawn_alike));
        }
    }
    Ok(effort.trials)
}

/// Both modules take the inputs, or neither does.
fn accepted([before, after]: [bool; 2]) -> Result<usize, Difference> {
    let takes = |takes| if takes { "accepted" } else { "refused" }.to_owned();
    match before == after {
        true => Ok(0),
        false => Err(Difference {
            of: "its input".to_owned(),
            before: takes(before),
            after: takes(after),
        }),
    }
}

fn differ(seed: u64, before: &Ran, after: &Ran, drawn_alike: bool) -> Difference {
    let drawn = if drawn_alike { "" } else { ", other words" };
    let shown = |ran: &Ran| format!("{ran:?}");
    Difference {
        of: format!("the trial of seed {seed}"),
        before: shown(before),
        after: format!("{}{drawn}", shown(after)),
    }
}
