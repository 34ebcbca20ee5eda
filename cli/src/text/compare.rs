//! The odds of two rules side by side.

use super::chart::headed_chart;
use super::summary::{clamp_note, exactness, quantiles, steps_note, tails};
use clap::builder::styling::Style;
use dicec_compiler::answer::{
    Distribution, Questions, Side, figures, named_rows, rows, share_text, significant,
};
use dicec_compiler::hir::Kind;
use dicec_compiler::syntax::shorten;
use std::fmt::Write;

/// The names of the two rules.
const NAMES: [&str; 2] = ["first", "second"];

/// The report on two rules' exact odds. Writing to a String cannot fail, here and below.
pub(crate) fn comparison_report(sides: &[Side<'_>; 2], asked: &Questions, width: usize) -> String {
    let [first, second] = sides.each_ref().map(|side| side.odds);
    let titles = NAMES.iter().zip(sides);
    let titles = titles.map(|(name, side)| title(name, side, width));
    let mut text = titles.collect::<String>() + "\n";
    match named_rows([first, second]) {
        Some(rows) => text += &headed_chart(&rows, NAMES, width),
        None => {
            let rows = rows([first, second]);
            text += &headed_chart(&rows.rows, NAMES, width);
            text += &steps_note(&rows);
        }
    }
    text.push('\n');
    match first.kind() {
        Kind::Check => {
            text += &truths(first, second);
            for (name, side) in NAMES.iter().zip(sides) {
                let note = clamp_note(side.odds, width.saturating_sub(8));
                text.extend(note.lines().map(|line| format!("{name:<6}  {line}\n")));
            }
        }
        Kind::Degree(_) | Kind::Number | Kind::Float | Kind::Label => {
            text += &answers(sides, asked, width);
            text.push('\n');
            text += &relation(first, second);
        }
    }
    text
}

/// Which rule a side is, and how exact its odds are.
fn title(name: &str, side: &Side<'_>, width: usize) -> String {
    let style = Style::new().bold();
    let expression = shorten(side.expression, width.saturating_sub(8).max(12));
    let exactness = exactness(side.odds);
    format!("{style}{name:<6}{style:#}  {expression}\n        {exactness}\n")
}

/// The figures of each side by itself.
fn answers(sides: &[Side<'_>; 2], asked: &Questions, width: usize) -> String {
    let mut text = String::new();
    for (name, side) in NAMES.iter().zip(sides) {
        let odds = side.odds;
        let mut answers = figures(odds, None) + "\n";
        if !asked.quantiles.is_empty() {
            answers += &quantiles(odds, asked);
        }
        answers += &tails(odds, asked);
        answers += &clamp_note(odds, width.saturating_sub(8));
        for (index, line) in answers.lines().enumerate() {
            let name = if index == 0 { name } else { "" };
            let _ = writeln!(text, "{name:<6}  {line}");
        }
    }
    text
}

/// How independent rolls compare.
fn relation(first: &Distribution, second: &Distribution) -> String {
    let chances = first.relation(second);
    let [greater, equal, less] =
        [chances.greater, chances.equal, chances.less].map(|share| share_text(&share));
    format!(
        "P(first > second) = {greater}\nP(first = second) = {equal}\nP(first < second) = {less}\n"
    )
}

/// The chances of two checks, and how far they are apart.
fn truths(first: &Distribution, second: &Distribution) -> String {
    let shares = [first, second].map(|odds| odds.at_least(1));
    let apart = shares[0].p - shares[1].p;
    let points = significant(apart.abs() * 100.0, 6);
    let verdict = match apart {
        apart if apart > 0.0 => format!("the first is likelier, by {points} percentage points"),
        apart if apart < 0.0 => format!("the second is likelier, by {points} percentage points"),
        _ => "both are equally likely".to_owned(),
    };
    let [first, second] = shares.map(|share| share_text(&share));
    format!("P(first is true)  = {first}\nP(second is true) = {second}\n{verdict}\n")
}
