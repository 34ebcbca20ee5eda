//! Compares trials of two modules with the same words: the invariant of an `Exact` rewrite.

use super::{Difference, Effort};
use dicec_native::eval::{Ran, Trials};
use dicec_native::ir::Module;
use dicec_runtime::rng::Stream;
use std::sync::Arc;

/// The seed of the first trial; each trial has its own, so that a difference in one is not one in
/// all that follow.
const SEED: u64 = 0xd1ce;

/// Runs trials of two modules and compares results, lines, statistics, traps and the state of the
/// generator, and with `fuel` the fuel that is left; returns how many trials were compared before
/// the blocks of `effort` were used up.
///
/// # Errors
/// The first difference.
pub fn trials_differ(
    [before, after]: [&Arc<Module>; 2],
    inputs: &[i64],
    fuel: bool,
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
        let drawn_alike = first.state() == second.state();
        let same_fuel = !fuel || expected.fuel == found.fuel;
        if !drawn_alike || !same_fuel || expected.observed != found.observed {
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
    let same = before.observed == after.observed;
    let shown = |ran: &Ran| match same {
        true => format!("{} with {} units of fuel left", ran.observed, ran.fuel),
        false => ran.observed.to_string(),
    };
    let drawn = if drawn_alike {
        ""
    } else {
        ", drawing other words,"
    };
    Difference {
        of: format!("the trial of seed {seed}"),
        before: shown(before),
        after: shown(after) + drawn,
    }
}
