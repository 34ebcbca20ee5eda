//! The odds of an attack, for people: hits, wounds, the kill, and hits by location.

use crate::dh2e::happenings::{by_frequency, listed};
use crate::text::{columns, heading, how_exact, odds_body};
use dicec_compiler::answer::{Answer, Questions, Statistic, percent, significant};
use dicec_games::dh2e::{HITS, Happening, KILLED, OUT_OF_THE_FIGHT, WOUNDS_TO, happening};
use std::fmt::Write;

/// The report on the odds of an attack. Writing to a String cannot fail, here and below.
pub(super) fn report(target: &str, answer: &Answer, width: usize) -> String {
    let mut text = heading(&how_exact(answer));
    let asked = Questions::default();
    let hits = answer.stats.iter().find(|stat| stat.name == HITS);
    let hits = hits.and_then(|stat| stat.odds.as_ref());
    for (what, odds) in [("hits", hits), ("wounds", answer.result.as_ref())] {
        if let Some(odds) = odds {
            let _ = writeln!(
                text,
                "{what}\n\n{}\n",
                odds_body(odds, &asked, width).trim_end()
            );
        }
    }
    for (what, name) in [
        ("P(kill)", KILLED),
        ("P(out of the fight)", OUT_OF_THE_FIGHT),
    ] {
        if let Some(p) = chance(answer, name) {
            let _ = writeln!(text, "{what} = {}", percent(p));
        }
    }
    text + &locations(answer, width) + &injuries(target, answer)
}

/// The chance that a statistic is 1, of one that is noted in each attack.
fn chance(answer: &Answer, name: &str) -> Option<f64> {
    let mut stats = answer.stats.iter();
    let stat = stats.find(|stat| stat.name == name)?;
    Some(stat.odds.as_ref()?.mean())
}

/// A line for each location that may be hit.
fn locations(answer: &Answer, width: usize) -> String {
    let row = |stat: &Statistic| {
        let place = stat.name.strip_prefix(WOUNDS_TO)?;
        let odds = stat.odds.as_ref()?;
        let (low, high) = odds.range();
        Some(vec![
            place.to_owned(),
            significant(stat.per_trial, 3),
            significant(odds.mean(), 3),
            format!("{low} to {high}"),
        ])
    };
    let rows: Vec<Vec<String>> = answer.stats.iter().filter_map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let headings = ["location", "hits in an attack", "wounds of each", "from"];
    format!("\n{}", columns(&headings, &rows, width))
}

/// How often each critical injury and each condition happens; nothing if none may.
fn injuries(target: &str, answer: &Answer) -> String {
    let (mut injuries, mut conditions) = (Vec::new(), Vec::new());
    for (line, times) in &answer.lines {
        match happening(target, line) {
            Some(Happening::Injury(text)) => injuries.push((text, *times)),
            Some(Happening::Condition(text)) => conditions.push((text, *times)),
            Some(Happening::Hit) | None => {}
        }
    }
    let list = |what: &str, all| {
        let heading = format!("{what} of {target} per 100 attacks");
        listed(&heading, [(None, &by_frequency(all)[..])], true)
    };
    list("critical injuries", injuries) + &list("conditions", conditions)
}
