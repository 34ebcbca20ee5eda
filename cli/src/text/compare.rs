//! The odds of two or more rules side by side.

use super::chart::{headed_chart, steps_note};
use super::summary::{clamp_note, exactness, quantiles, ranges};
use clap::builder::styling::Style;
use dicec_compiler::answer::{
    Chances, Distribution, Questions, Side, figures, named_rows, ordinal, rows, share_text,
    significant,
};
use dicec_lang::hir::Kind;
use dicec_lang::syntax::shorten;
use std::fmt::Write;

/// The report on the exact odds of rules. Writing to a String cannot fail, here and below.
pub(crate) fn comparison_report(sides: &[Side<'_>], asked: &Questions, width: usize) -> String {
    let odds: Vec<&Distribution> = sides.iter().map(|side| side.odds).collect();
    let names: Vec<String> = (0..sides.len()).map(ordinal).collect();
    let widest = names.iter().map(String::len).max().unwrap_or(0);
    let named: Vec<(String, &Side<'_>)> = names
        .iter()
        .map(|name| format!("{name:<widest$}"))
        .zip(sides)
        .collect();
    let titles = named.iter().map(|(name, side)| title(name, side, width));
    let mut text = titles.collect::<String>() + "\n";
    if !asked.summary {
        text += &match named_rows(&odds) {
            Some(rows) => headed_chart(&rows, &names, width),
            None => {
                let rows = rows(&odds, asked.all);
                headed_chart(&rows.rows, &names, width) + &steps_note(&rows)
            }
        };
        text.push('\n');
    }
    for (name, side) in &named {
        for (index, line) in answers(side.odds, asked, width, widest).lines().enumerate() {
            let pad = " ".repeat(widest);
            let name = if index == 0 { name } else { &pad };
            let _ = writeln!(text, "{name}  {line}");
        }
    }
    if odds.iter().all(|odds| odds.kind() == Kind::Check) {
        return text + &truths(&odds, &names);
    }
    text.push('\n');
    text + &relations(&odds, &names)
}

/// Which rule a side is, and how exact its odds are.
fn title(name: &str, side: &Side<'_>, width: usize) -> String {
    let style = Style::new().bold();
    let indent = name.len() + 2;
    let expression = shorten(side.expression, width.saturating_sub(indent).max(12));
    let exactness = exactness(side.odds);
    let pad = " ".repeat(indent);
    format!("{style}{name}{style:#}  {expression}\n{pad}{exactness}\n")
}

/// The figures of a side by itself.
fn answers(odds: &Distribution, asked: &Questions, width: usize, indent: usize) -> String {
    let mut answers = figures(odds, None) + "\n";
    if odds.kind().is_number() {
        if asked.summary || !asked.quantiles.is_empty() {
            answers += &quantiles(odds, asked);
        }
        answers += &ranges(odds, asked);
    }
    answers + &clamp_note(odds, width.saturating_sub(indent + 2))
}

/// How independent rolls compare, two by two.
fn relations(odds: &[&Distribution], names: &[String]) -> String {
    let mut text = String::new();
    for (index, first) in odds.iter().enumerate() {
        for (other, second) in odds.iter().enumerate().skip(index + 1) {
            let Chances {
                greater,
                equal,
                less,
            } = first.relation(second);
            let (first, second) = (&names[index], &names[other]);
            for (sign, share) in [('>', greater), ('=', equal), ('<', less)] {
                let share = share_text(&share);
                let _ = writeln!(text, "P({first} {sign} {second}) = {share}");
            }
        }
    }
    text
}

/// How far the chances of two checks are apart, or which of several is the likeliest.
fn truths(odds: &[&Distribution], names: &[String]) -> String {
    let chances: Vec<f64> = odds.iter().map(|odds| odds.at_least(1).p).collect();
    let greatest = chances.iter().copied().fold(0.0, f64::max);
    let least = chances.iter().copied().fold(1.0, f64::min);
    let best: Vec<&str> = (names.iter().zip(&chances))
        .filter(|(_, chance)| **chance == greatest)
        .map(|(name, _)| name.as_str())
        .collect();
    let points = significant((greatest - least) * 100.0, 6);
    match (best.as_slice(), odds.len()) {
        (best, 2) if best.len() == 2 => "both are equally likely\n".to_owned(),
        ([best], 2) => format!("the {best} is likelier, by {points} percentage points\n"),
        (best, count) if best.len() == count => "all are equally likely\n".to_owned(),
        (best, _) => {
            let best = best.join(" and the ");
            format!("likeliest: the {best}, by {points} percentage points over the least likely\n")
        }
    }
}
