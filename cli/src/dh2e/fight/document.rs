//! The result of a scenario's fights, as JSON.

use super::fought::{Fate, Fought};
use dicec_compiler::answer::{Checked, Run};
use dicec_fights::Rounds;
use serde::Serialize;

/// The output of `dicec dh2e fight --json`.
#[derive(Serialize)]
pub(super) struct FightDocument {
    /// What people call it.
    fight: String,
    sides: Vec<SideEntry>,
    /// The probability that nobody wins.
    nobody: f64,
    rounds: Option<Rounds>,
    fighters: Vec<FighterEntry>,
    /// How many fights were simulated; null if the odds are exact.
    trials: Option<u64>,
    /// The seed that gives the same result again; null if the odds are exact.
    seed: Option<u64>,
    /// Fights by the time that they took; null if the odds are exact.
    trials_per_second: Option<f64>,
    /// The check that the odds have passed; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<Checked>,
}

#[derive(Serialize)]
struct SideEntry {
    name: String,
    /// The probability that it wins.
    win: f64,
    /// Its 95 % interval.
    interval: Option<[f64; 2]>,
}

/// Fighters of a kind, all together, on average.
#[derive(Serialize)]
struct FighterEntry {
    name: String,
    /// The name of its side.
    side: String,
    count: usize,
    /// How many stand at the end.
    standing: f64,
    /// Wounds that are left.
    wounds: f64,
    /// Wounds at the beginning.
    wounds_before: i64,
    /// How often one of them is hit.
    hits: f64,
    /// Critical injuries, the most frequent first.
    injuries: Vec<HappeningEntry>,
    /// Conditions that they suffer, the most frequent first.
    conditions: Vec<HappeningEntry>,
}

#[derive(Serialize)]
struct HappeningEntry {
    text: String,
    /// How often it happens in a fight, on average.
    per_fight: f64,
}

/// The document of fights.
pub(super) fn document(fought: &Fought<'_>) -> FightDocument {
    let plan = fought.plan;
    let sides = plan.sides.iter().map(|side| {
        let share = fought.share(&side.result);
        SideEntry {
            name: side.name.clone(),
            win: share.p,
            interval: share.interval.map(|(low, high)| [low, high]),
        }
    });
    let fates = fought.fates();
    let fighters = fates.iter().map(|fate| {
        let side = &plan.sides[fate.figures.side];
        fighter(fate, &side.name)
    });
    FightDocument {
        fight: plan.title.clone(),
        sides: sides.collect(),
        nobody: fought.share(plan.nobody).p,
        rounds: fought.rounds().map(Rounds::new),
        fighters: fighters.collect(),
        trials: fought.run.map(|run| run.trials),
        seed: fought.run.map(|run| run.seed),
        trials_per_second: fought.run.map(Run::trials_per_second),
        check: match fought.run {
            Some(run) => run.checked,
            None => fought.answer.checked,
        },
    }
}

fn fighter(fate: &Fate<'_>, side: &str) -> FighterEntry {
    FighterEntry {
        name: fate.figures.title.clone(),
        side: side.to_owned(),
        count: fate.figures.names.len(),
        standing: fate.standing,
        wounds: fate.wounds_left,
        wounds_before: fate.figures.wounds,
        hits: fate.hits,
        injuries: happenings(&fate.injuries),
        conditions: happenings(&fate.conditions),
    }
}

fn happenings(all: &[(&str, f64)]) -> Vec<HappeningEntry> {
    let all = all.iter().map(|(text, times)| HappeningEntry {
        text: (*text).to_owned(),
        per_fight: *times,
    });
    all.collect()
}
