//! The answer of a script for people: results, lines, statistics.

use super::ending::{Judged, ending};
use super::summary::{exactness, heading, odds_body, sim_body, sim_footer, sim_heading};
use dicec_compiler::answer::{Answer, Questions, Run, figures, significant};
use std::fmt::Write;

/// The report on the exact odds of a roll; `whole` are the names of the statistics that are shown
/// with all their odds. Writing to a String cannot fail, here and below.
pub(crate) fn script_odds_report(
    answer: &Answer,
    asked: &Questions,
    whole: &[String],
    width: usize,
) -> String {
    let mut text = heading(&how_exact(answer));
    if let Some(odds) = &answer.result {
        text += odds_body(odds, asked, width).trim_end();
        text += "\n\n";
    }
    text += &beside_results(answer, asked, whole, width);
    text.trim_end().to_owned() + "\n"
}

/// The same for a simulation.
pub(crate) fn script_simulation_report(
    answer: &Answer,
    run: &Run,
    asked: &Questions,
    whole: &[String],
    width: usize,
) -> String {
    let mut text = sim_heading(run);
    if let Some(odds) = &answer.result {
        text += sim_body(odds, asked, width).trim_end();
        text += "\n\n";
    }
    text += &beside_results(answer, asked, whole, width);
    text + &sim_ending(answer, run) + &sim_footer(run)
}

/// Why the simulation of a roll of a script ended; nothing if it ran the trials that were asked
/// for.
pub(crate) fn sim_ending(answer: &Answer, run: &Run) -> String {
    ending(run, &Judged::of(answer))
}

/// How exact the answer of a script is.
pub(crate) fn how_exact(answer: &Answer) -> String {
    let joint = answer.joint.as_ref().map(|joint| &joint.odds);
    match answer.result.as_ref().or(joint) {
        Some(odds) => exactness(odds),
        None if answer.left_out == 0.0 => "exact odds".to_owned(),
        None => {
            let share = significant(answer.left_out, 2);
            format!("exact odds (trials that never end are left out: {share})")
        }
    }
}

/// The parts of the result, the lines and the statistics.
pub(super) fn beside_results(
    answer: &Answer,
    asked: &Questions,
    whole: &[String],
    width: usize,
) -> String {
    let mut text = String::new();
    for part in &answer.parts {
        text += &heading(&part.name);
        text += odds_body(&part.odds, asked, width).trim_end();
        text += "\n\n";
    }
    text += &lines_report(answer, width);
    let widest = answer.stats.iter().map(|stat| stat.name.chars().count());
    let widest = widest.max().unwrap_or(0);
    for stat in &answer.stats {
        let known = match &stat.odds {
            Some(odds) => figures(odds, stat.error),
            None => "never noted".to_owned(),
        };
        let often = match significant(stat.per_trial, 6).as_str() {
            "1" => String::new(),
            notes => format!("; noted {notes} times per trial"),
        };
        let _ = writeln!(text, "{:widest$}  {known}{often}", stat.name);
    }
    if answer.other_stats > 0.0 {
        let (times, listed) = (answer.other_stats, answer.stats.len());
        let _ = writeln!(
            text,
            "and {times:.4} numbers per trial of other statistics: only {listed} are listed"
        );
    }
    if !answer.stats.is_empty() {
        text.push('\n');
    }
    for stat in &answer.stats {
        if let Some(odds) = stat.odds.as_ref().filter(|_| whole.contains(&stat.name)) {
            text += &heading(&stat.name);
            text += &odds_body(odds, asked, width);
            text.push('\n');
        }
    }
    text
}

fn lines_report(answer: &Answer, width: usize) -> String {
    let lines = &answer.lines;
    if lines.is_empty() {
        return String::new();
    }
    let mut text = heading("lines per 100 trials");
    // Room for a number and two gaps.
    let most = width.saturating_sub(16).max(10);
    let shown = |line: &str| -> String {
        let line = line.replace('\n', " ");
        match line.chars().count() <= most {
            true => line,
            false => line.chars().take(most - 3).chain("...".chars()).collect(),
        }
    };
    let widest = lines.iter().map(|(line, _)| shown(line).chars().count());
    let widest = widest.max().unwrap_or(0);
    for (line, times) in lines {
        let _ = writeln!(text, "  {:widest$}  {:>10.4}", shown(line), times * 100.0);
    }
    if answer.other_lines > 0.0 {
        let times = answer.other_lines * 100.0;
        let _ = writeln!(
            text,
            "  and {times:.4} other lines: only {} are listed",
            lines.len()
        );
    }
    text + "\n"
}
