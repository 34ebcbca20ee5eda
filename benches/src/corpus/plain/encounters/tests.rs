//! Not only who wins: what else is counted is as the scripts of the encounters count it.

use super::super::super::{CORPUS, Tally};
use super::{Notes, encounter_4v6, encounter_dragon, noted};
use crate::fights::dice::{Batched, Plain};
use dicec_compiler::Simulation;
use dicec_compiler::answer::Answer;

const TRIALS: u64 = 100_000;

/// What `dicec` samples of an encounter.
fn answer(name: &str) -> Answer {
    let script = CORPUS.iter().find(|script| script.name == name);
    let bound = script.expect("it is in the corpus").bound();
    let report = bound.simulate(&Simulation::trials(TRIALS).seed(1));
    bound.sampled(report.expect("fights do not trap"))
}

/// Means of statistics and the chances of who falls first agree within five standard errors.
fn agree<const STATS: usize>(
    name: &str,
    (_, notes): (Tally, Notes<STATS>),
    names: [&str; STATS],
    fell: [&[&str]; 2],
) {
    let answer = answer(name);
    for (tally, stat) in notes.stats.iter().zip(names) {
        let ours = answer.stats.iter().find(|ours| ours.name == stat);
        // The script notes damage whenever it is done, and the counterparts what it comes to.
        let ours = ours.and_then(|ours| Some(ours.per_trial * ours.odds.as_ref()?.mean()));
        let ours = ours.expect("the script has this statistic");
        let apart = (ours - tally.mean()).abs();
        assert!(
            apart <= 5.0 * 2_f64.sqrt() * tally.error(),
            "{name}: {stat}: {ours} and {}",
            tally.mean()
        );
    }
    for (counts, names) in notes.fell.iter().zip(fell) {
        assert_eq!(counts.len(), names.len());
        for (&count, who) in counts.iter().zip(names) {
            let mut lines = answer.lines.iter();
            let ours = lines.find(|(line, _)| *line == format!("{who} falls first"));
            let ours = ours.map_or(0.0, |(_, chance)| chance * TRIALS as f64);
            let theirs = count as f64;
            let apart = (ours - theirs).abs() / (ours + theirs).max(1.0).sqrt();
            assert!(
                apart < 5.0,
                "{name}: {who} falls first: {ours} and {theirs}"
            );
        }
    }
}

#[test]
fn counterparts_note_the_same_of_4v6() {
    use encounter_4v6::{FELL, NAMES, SIZES, fight};
    let name = "encounter_4v6";
    agree(name, noted(TRIALS, SIZES, fight::<Plain>), NAMES, FELL);
    agree(name, noted(TRIALS, SIZES, fight::<Batched>), NAMES, FELL);
}

#[test]
fn counterparts_note_the_same_of_the_dragon() {
    use encounter_dragon::{FELL, NAMES, SIZES, fight};
    let name = "encounter_dragon";
    agree(name, noted(TRIALS, SIZES, fight::<Plain>), NAMES, FELL);
    agree(name, noted(TRIALS, SIZES, fight::<Batched>), NAMES, FELL);
}
