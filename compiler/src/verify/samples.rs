//! Samples of two modules whose distributions are too large to compare: every observation must be
//! about equally frequent in both.

use super::{Difference, Effort, SEED};
use dicec_native::eval::{Observed, Trials};
use dicec_native::ir::Module;
use dicec_runtime::rng::Stream;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The seeds of the two samples: different words, as the modules draw differently.
const SEEDS: [u64; 2] = [SEED, 0x2026];

/// The number of trials in which each thing was observed, by its name.
type Counts = BTreeMap<String, u64>;

/// Compares samples of the trials of two modules; returns how many trials each had.
///
/// If both have the same distribution, each of the `m` trials in which something was observed is
/// equally likely to be of the one or the other sample. By Hoeffding's inequality (1963, theorem 2)
/// the counts differ by more than `sqrt(2 m ln(2 / p))` with a probability of at most `p`, here
/// 10^-12.
///
/// # Errors
/// The observation that is more frequent in one of them.
pub(super) fn samples_differ(
    before: &Arc<Module>,
    after: &Arc<Module>,
    inputs: &[i64],
    effort: &Effort,
) -> Result<usize, Difference> {
    let samples = [(before, SEEDS[0]), (after, SEEDS[1])]
        .map(|(module, seed)| sample(module, inputs, seed, effort));
    let [Some((before, first)), Some((after, second))] = samples else {
        return Ok(0);
    };
    // Samples of the same size: the smaller one's would have to be scaled.
    if first != second {
        return Ok(0);
    }
    let none = 0;
    for name in before.keys().chain(after.keys()) {
        let [less, more] = [&before, &after].map(|counts| *counts.get(name).unwrap_or(&none));
        let (apart, all) = (less.abs_diff(more) as f64, (less + more) as f64);
        if apart * apart > 2.0 * all * LOG_OF_UNLIKELY {
            return Err(Difference {
                of: format!("the number of {first} trials with {name}"),
                before: less.to_string(),
                after: more.to_string(),
            });
        }
    }
    Ok(first)
}

/// `ln(2 / 10^-12)`
const LOG_OF_UNLIKELY: f64 = 28.33;

/// The observations in the trials that `effort` allows, and the number of trials; `None` if the
/// inputs are not those of the module.
fn sample(
    module: &Arc<Module>,
    inputs: &[i64],
    seed: u64,
    effort: &Effort,
) -> Option<(Counts, usize)> {
    let trials = Trials::new(module, inputs).ok()?;
    let mut counts = Counts::new();
    let mut stream = Stream::from_seed(seed);
    let mut blocks = effort.blocks;
    for number in 0..effort.samples {
        let Some(ran) = trials.run(&mut stream, &mut blocks) else {
            return Some((counts, number));
        };
        for name in names(&ran.observed) {
            *counts.entry(name).or_default() += 1;
        }
    }
    Some((counts, effort.samples))
}

/// Names of everything that was observed in a trial.
fn names(observed: &Observed) -> impl Iterator<Item = String> {
    let ended = match &observed.ended {
        Ok(result) => format!("the result {result}"),
        Err(trap) => format!("the trap {trap:?}"),
    };
    let lines = observed.lines.iter();
    let lines = lines.map(|(line, times)| format!("the line {line:?}, {times} times"));
    let stats = observed.stats.iter();
    let stats = stats.map(|(name, numbers)| format!("{name:?} being {numbers:?}"));
    std::iter::once(ended).chain(lines).chain(stats)
}
