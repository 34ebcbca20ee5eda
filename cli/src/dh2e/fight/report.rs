//! The result of a scenario's fights, for people.

use super::fought::{Fate, Fought};
use crate::dh2e::happenings::listed;
use crate::text::{columns, duration, heading, how_exact, sim_ending, sim_footer, winners};
use dicec_compiler::answer::{grouped, short_percent, significant};

/// The report on fights; `all` shows every injury and condition.
pub(super) fn report<'a>(fought: &Fought<'a>, all: bool, width: usize) -> String {
    let (plan, run) = (fought.plan, fought.run);
    let how = match run {
        Some(run) => format!("{} fights", grouped(run.trials)),
        None => how_exact(fought.answer),
    };
    let mut text = heading(&format!("{}: {how}", plan.title));
    let sides = plan.sides.iter();
    let shares = sides.map(|side| (side.name.as_str(), fought.share(&side.result)));
    let nobody = (plan.nobody, fought.share(plan.nobody));
    let shares: Vec<_> = shares.chain([nobody]).collect();
    let shares: Vec<_> = shares.iter().map(|(name, share)| (*name, share)).collect();
    text += &winners(&shares, &[], width);
    text += &fought.rounds().map(duration).unwrap_or_default();
    text.push('\n');
    let fates = fought.fates();
    text += &fighters(fought, &fates, width);
    let title = |fate: &Fate<'a>| Some(fate.figures.title.as_str());
    let injuries = fates.iter().map(|fate| (title(fate), &fate.injuries[..]));
    text += &listed("critical injuries per 100 fights", injuries, all);
    let conditions = fates.iter().map(|fate| (title(fate), &fate.conditions[..]));
    text += &listed("conditions per 100 fights", conditions, all);
    if let Some(run) = run {
        text.push('\n');
        text += &sim_ending(fought.answer, run);
        text += &sim_footer(run);
    }
    text
}

/// A line for each kind of fighters.
fn fighters(fought: &Fought<'_>, fates: &[Fate<'_>], width: usize) -> String {
    let rows = fates.iter().map(|fate| {
        let count = fate.figures.names.len();
        vec![
            fate.figures.title.clone(),
            match count {
                1 => short_percent(fate.standing),
                _ => format!("{:.2} of {count}", fate.standing),
            },
            format!("{:.1} of {}", fate.wounds_left, fate.figures.wounds),
            significant(fate.hits, 3),
            fought.plan.sides[fate.figures.side].name.clone(),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let headings = ["", "standing", "wounds left", "hits taken", "side"];
    columns(&headings, &rows, width)
}
