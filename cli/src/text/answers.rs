//! Several named answers as a table with a row for each.

use super::ending::{Judged, ending};
use super::given::given_line;
use super::script::{beside_results, how_exact};
use super::summary::{
    clamp_note, heading, odds_body, quantiles, ranges, sim_body, sim_footer, sim_heading,
};
use dicec_compiler::answer::{NamedAnswer, NamedAnswers, Questions, Run, figures};
use std::fmt::Write;

/// The report on several exact answers; `whole` are the names of the statistics that are shown with
/// all their odds, and `nothing` the words for an answer without results. Writing to a String
/// cannot fail.
pub(crate) fn answers_report(
    answers: &NamedAnswers,
    asked: &Questions,
    (whole, nothing): (&[String], &str),
    width: usize,
) -> String {
    let widest = answers.iter().map(|named| named.name.chars().count());
    let widest = widest.max().unwrap_or(0);
    let mut text = heading("exact odds");
    for named in answers.iter() {
        let lines = row(named, asked, nothing, width.saturating_sub(widest + 2));
        for (index, line) in lines.lines().enumerate() {
            let name = if index == 0 { named.name.as_str() } else { "" };
            let _ = writeln!(text, "{name:widest$}  {line}");
        }
    }
    for named in answers.iter() {
        text += &whole_answer(named, asked, whole, width);
    }
    text
}

/// The report on several simulated numbers, each with its figures, and a chart if all results are
/// asked for.
pub(crate) fn simulated_answers_report(
    answers: &NamedAnswers,
    run: &Run,
    asked: &Questions,
    width: usize,
) -> String {
    let mut text = sim_heading(run);
    for named in answers.iter() {
        text += &heading(&named.name);
        text += &match &named.answer.result {
            Some(odds) => sim_body(odds, asked, width) + &ending(run, &Judged::Results(odds)),
            None => "no outcomes\n".to_owned(),
        };
        text.push('\n');
    }
    text + &sim_footer(run)
}

/// The figures of an answer; how exact they are, unless they are fractions.
fn row(named: &NamedAnswer, asked: &Questions, nothing: &str, width: usize) -> String {
    let answer = &named.answer;
    let Some(odds) = &answer.result else {
        let names = answer.parts.iter().map(|part| part.name.as_str());
        let names: Vec<&str> = names.collect();
        let given = answer.given.as_ref();
        let given = given.map_or_else(String::new, |given| format!("\n({})", given_line(given)));
        return match names.is_empty() {
            true => nothing.to_owned(),
            false => format!("returns {}{given}", names.join(", ")),
        };
    };
    let mut text = figures(odds, None) + "\n";
    if odds.kind().is_number() {
        if asked.summary || !asked.quantiles.is_empty() {
            text += &quantiles(odds, asked);
        }
        text += &ranges(odds, asked);
    }
    if let Some(given) = &answer.given {
        text += &format!("({})\n", given_line(given));
    }
    if odds.denominator().is_none() {
        text += &format!("({})\n", how_exact(answer));
    }
    text + &clamp_note(odds, width)
}

/// The chart of an answer if each result is asked for, its lines and its statistics.
fn whole_answer(named: &NamedAnswer, asked: &Questions, whole: &[String], width: usize) -> String {
    let mut text = String::new();
    if let Some(odds) = named.answer.result.as_ref().filter(|_| asked.all) {
        text += odds_body(odds, asked, width).trim_end();
        text += "\n\n";
    }
    // The statistics of the other rolls of its script are theirs.
    let mut answer = named.answer.clone();
    answer.stats.retain(|stat| stat.odds.is_some());
    text += &beside_results(&answer, asked, whole, width);
    let text = text.trim_end();
    match text.is_empty() {
        true => String::new(),
        false => format!("\n{}{text}\n", heading(&named.name)),
    }
}
