//! What an encounter came to, for people.

use super::ablate::Ablated;
use super::fight::Fought;
use crate::text::{chart, heading, sim_footer};
use dicec_compiler::answer::{Row, Share, grouped, percent, short_percent, significant};
use dicec_compiler::front::encounter::Figures;
use std::fmt::Write;

/// The report on an encounter, or on two that are compared. Writing to a String cannot fail, here
/// and below.
pub(super) fn report(all: &[Fought], ablated: &[Ablated], width: usize) -> String {
    let mut text = String::new();
    for fought in all {
        text += &one(fought, width);
        text.push('\n');
    }
    if let [first, second] = all {
        text += &difference(first, second);
    }
    if !ablated.is_empty() {
        text += &contributions(&all[0], ablated);
    }
    let has_positions = all.iter().any(|fought| fought.has_positions);
    let reach = match has_positions {
        true => "creatures that have to move",
        false => "everybody in reach",
    };
    text + &format!(
        "Average hit points, {reach}, weakest enemy first, unless asked otherwise: docs/encounters.md\n"
    )
}

fn one(fought: &Fought, width: usize) -> String {
    let how = match &fought.run {
        Some(run) => format!("{}: {} fights", fought.title, grouped(run.trials)),
        None => format!("{}: exact odds", fought.title),
    };
    let mut text = heading(&how);
    let [first, second] = &fought.sides;
    let [wins, loses] = &fought.wins;
    let row = |label: &str, share: &Share| Row {
        label: label.to_owned(),
        p: vec![share.p],
    };
    let rows = [
        row(first, wins),
        row(second, loses),
        row("draw", &fought.draw),
    ];
    text += &chart(&rows, width);
    text.push('\n');
    match wins.interval {
        Some((low, high)) => {
            let (low, high) = (short_percent(low), short_percent(high));
            let p = short_percent(wins.p);
            let _ = writeln!(text, "P({first}) = {p} (95 % interval {low} to {high})");
        }
        None => {
            let _ = writeln!(text, "P({first}) = {}", percent(wins.p));
        }
    }
    if let Some(rounds) = fought.rounds() {
        let (low, high) = rounds.range();
        let mean = significant(rounds.mean(), 3);
        let _ = writeln!(
            text,
            "a fight lasts {mean} rounds on average, from {low} to {high}"
        );
    }
    text.push('\n');
    text += &creatures(fought, width);
    for (side, name) in fought.sides.iter().enumerate() {
        let falls = fought.first_to_fall(side);
        if falls.is_empty() {
            continue;
        }
        let shown = falls.iter().take(3);
        let shown: Vec<String> = shown
            .map(|(name, p)| format!("{name} {}", short_percent(*p)))
            .collect();
        let rest = if falls.len() > 3 { ", ..." } else { "" };
        let _ = writeln!(text, "first of {name} to fall: {}{rest}", shown.join(", "));
    }
    if let Some(run) = &fought.run {
        text.push('\n');
        text += &sim_footer(run);
    }
    text
}

/// A line for each kind of creatures.
fn creatures(fought: &Fought, width: usize) -> String {
    let has_dead = fought.figures.iter().any(|figures| figures.dead.is_some());
    let dead = has_dead.then_some("dead");
    let headings = ["", "standing"].into_iter().chain(dead);
    let headings = headings.chain(["hit points", "taken", "damage done in a fight"]);
    let headings: Vec<String> = headings.map(str::to_owned).collect();
    let kinds = fought.figures.iter();
    let rows = kinds.map(|figures| row(fought, figures, has_dead));
    let rows: Vec<Vec<String>> = [headings].into_iter().chain(rows).collect();
    let widest = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let mut text = String::new();
    for row in &rows {
        let Some((damage, cells)) = row.split_last() else {
            continue;
        };
        let mut start = String::new();
        for (column, cell) in cells.iter().enumerate() {
            let widest = widest(column);
            let _ = match column {
                0 => write!(start, "{cell:widest$}  "),
                _ => write!(start, "{cell:>widest$}  "),
            };
        }
        let indent = " ".repeat(start.chars().count());
        let room = width.saturating_sub(indent.len()).max(20);
        for (index, part) in wrapped(damage, room).into_iter().enumerate() {
            let before = if index == 0 { &start } else { &indent };
            let _ = writeln!(text, "{}", format!("{before}{part}").trim_end());
        }
    }
    text + "\n"
}

/// Parts of a line, separated by commas, as lines of at most this width.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for part in text.split(", ") {
        match lines.last_mut() {
            Some(line) if line.is_empty() => part.clone_into(line),
            Some(line) if line.chars().count() + 2 + part.chars().count() <= width => {
                *line += ", ";
                *line += part;
            }
            _ => lines.push(part.to_owned()),
        }
    }
    lines
}

/// The cells of a kind of creatures; the dead have a column if there may be some.
fn row(fought: &Fought, figures: &Figures, has_dead: bool) -> Vec<String> {
    let tenths = |value: f64| format!("{value:.1}");
    let standing = fought.mean(&figures.standing);
    let left = fought.mean(&figures.hit_points);
    let hit_points = match figures.most {
        Some(most) => format!("{} of {most}", tenths(left)),
        None => tenths(left),
    };
    let deeds = figures.deeds.iter();
    let damage: Vec<String> = deeds
        .map(|deed| format!("{} {}", deed.name, tenths(fought.mean(&deed.damage))))
        .collect();
    let mut cells = vec![
        figures.title.clone(),
        format!("{} of {}", significant(standing, 3), figures.count),
    ];
    let dead = figures.dead.as_deref();
    let dead = dead.map_or(String::new(), |dead| significant(fought.mean(dead), 3));
    cells.extend(has_dead.then_some(dead));
    let taken = fought.taken(figures);
    cells.push(hit_points);
    cells.push(taken.map_or("-".to_owned(), tenths));
    cells.push(damage.join(", "));
    cells
}

/// How much better the first side of the second encounter does.
fn difference(one: &Fought, other: &Fought) -> String {
    let points = (other.wins[0].p - one.wins[0].p) * 100.0;
    let (name, after) = (&one.sides[0], &other.sides[0]);
    let before = short_percent(one.wins[0].p);
    let wins = short_percent(other.wins[0].p);
    let points = significant(points.abs(), 3);
    match other.wins[0].p >= one.wins[0].p {
        true => format!("{after} win {wins}, {name} {before}: {points} percentage points more\n\n"),
        false => {
            format!("{after} win {wins}, {name} {before}: {points} percentage points less\n\n")
        }
    }
}

/// What each trait changes.
fn contributions(whole: &Fought, ablated: &[Ablated]) -> String {
    let name = &whole.sides[0];
    let mut text = heading(&format!(
        "{name} win {} without a trait of",
        short_percent(whole.wins[0].p)
    ));
    let widest = ablated
        .iter()
        .map(|one| one.label().chars().count())
        .max()
        .unwrap_or(0);
    for one in ablated {
        let points = (one.wins[0] - whole.wins[0].p) * 100.0;
        let _ = writeln!(
            text,
            "  {:widest$}  {:>8}  {points:+.1} points",
            one.label(),
            short_percent(one.wins[0])
        );
    }
    text + "\n"
}
