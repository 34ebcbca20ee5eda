//! Whether samples of a script fit its exact odds: results and statistics by chi-square, lines by
//! their expected numbers.

use crate::enumerate_script::ScriptEnumeration;
use dicec_compiler::{Bound, Simulation};
use dicec_runtime::driver::Control;
use dicec_runtime::pmf::Limits;
use dicec_runtime::stats::chi_square;

/// The smallest accepted p-value of a sample.
const UNLIKELY: f64 = 1e-6;

/// Compares a simulation with the exact odds. `most` is the maximum number of lines of one template
/// per trial. The values that a statistic records in one trial are assumed to be independent.
///
/// # Panics
/// If it does not fit or traps, or if there are no exact odds.
pub fn check(bound: &Bound, simulation: &Simulation, most: f64) {
    let what = format!("{}\n{:?}", bound.program().text(), simulation.sampling);
    let exact = bound.solve::<f64>(&Limits::default());
    let exact = exact.unwrap_or_else(|failure| panic!("{failure:?}: {what}"));
    let sampler = bound.sampler(simulation).expect("native code");
    let got = sampler.run(bound, &Control::default());
    let got = got.expect("no trap");
    let results = got.tally().expect("outcomes are kept");
    if let Some(pmf) = &exact.result {
        let p = chi_square(results, pmf).p_value;
        assert!(p > UNLIKELY, "p = {p}: {what}");
    }
    let named: Vec<_> = got.events.named().iter().collect();
    assert_eq!(named.len(), exact.named.len(), "{what}");
    let named = exact.named.iter().map(|(_, noted)| noted).zip(named);
    let named = named.map(|(noted, (_, tally))| (noted, tally));
    for (noted, tally) in exact.stats.iter().zip(got.events.stats()).chain(named) {
        let Some(pmf) = &noted.pmf else { continue };
        let p = chi_square(tally, pmf).p_value;
        assert!(p > UNLIKELY, "p = {p}: {what}");
    }
    let trials = got.trials() as f64;
    let mut sampled: Vec<(&str, u64)> = got.events.lines.iter().collect();
    for (line, expected) in &exact.lines {
        let here = sampled.iter().position(|(template, _)| template == line);
        let times = here.map_or(0, |place| sampled.swap_remove(place).1);
        let mean = times as f64 / trials;
        // The variance of a trial's count is at most `most` times its mean; this allows six
        // standard errors.
        let error = 6.0 * (most * expected.max(1.0 / trials) / trials).sqrt();
        assert!(
            (mean - expected).abs() < error,
            "{line}: {mean}, not {expected}: {what}"
        );
    }
    assert_eq!(sampled, [], "it says what it cannot: {what}");
}

/// Compares the results of a simulation with all rolls of the dice in the interpreter, of which
/// there are at most `most`: it gives no others, and each as often as it should, within seven
/// standard errors.
///
/// # Panics
/// If it does not fit or traps, or if there are more rolls.
pub fn check_enumerated(bound: &Bound, simulation: &Simulation, most: usize) {
    let what = bound.program().text();
    let all = ScriptEnumeration::of(&bound.question(), most);
    let all = all.unwrap_or_else(|| panic!("more than {most} rolls: {what}"));
    assert!(all.traps.is_empty(), "{:?}: {what}", all.traps);
    let sampler = bound.sampler(simulation).expect("native code");
    let got = sampler.run(bound, &Control::default());
    let got = got.expect("no trap");
    let results = got.tally().expect("outcomes are kept");
    let (trials, mut found) = (got.trials() as f64, all.results);
    for (value, times) in results.outcomes() {
        let Some(chance) = found.remove(&value) else {
            panic!("{value} is impossible: {what}")
        };
        let error = 7.0 * (chance * (1.0 - chance) / trials).sqrt();
        let share = times as f64 / trials;
        assert!(
            (share - chance).abs() <= error,
            "{value}: {share}, not {chance}: {what}"
        );
    }
    // A result this likely is met.
    found.retain(|_, chance| *chance * trials > 50.0);
    assert!(found.is_empty(), "{found:?} are missing: {what}");
}
