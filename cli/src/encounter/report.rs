//! The result of an encounter, for people.

use crate::text::{columns, duration, heading, sim_footer, winners};
use dicec_compiler::answer::{grouped, short_percent, significant};
use dicec_fights::{Ablated, Fought};
use dicec_games::encounter::{Caveat, Figures};
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
    let sides = [
        (first.as_str(), wins),
        (second, loses),
        ("draw", &fought.draw),
    ];
    let caveats: Vec<String> = fought.caveats.iter().map(Caveat::text).collect();
    text += &winners(&sides, &caveats, width);
    text += &fought.rounds().map(duration).unwrap_or_default();
    text += &outlook(fought);
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

/// How the fight is for the first side: a word, and what it has left.
fn outlook(fought: &Fought) -> String {
    let name = &fought.sides[0];
    let outlook = fought.outlook(0);
    let falls = short_percent(outlook.falls);
    let dies = outlook.dies.as_ref();
    let dies = dies.map_or(String::new(), |dies| {
        format!(", somebody dies in {}", short_percent(dies.p))
    });
    let verdict = fought.verdict().about(name);
    let mut text = format!("{verdict}: somebody falls in {falls} of the fights{dies}\n");
    if let Some([low, middle, high]) = outlook.quantiles() {
        let most = outlook
            .most
            .map_or(String::new(), |most| format!(" of {most}"));
        let _ = writeln!(
            text,
            "hit points left{most}: {middle} in the middle, {low} to {high} in nine of ten fights"
        );
    }
    if let Some(budget) = &fought.budget {
        let _ = writeln!(
            text,
            "by experience points: {} in the rules of 2014 ({}), {} in those of 2024 ({})",
            budget.rules_of_2014,
            grouped(budget.adjusted),
            budget.rules_of_2024,
            grouped(budget.points)
        );
    }
    text + "\n"
}

/// A line for each kind of creatures.
fn creatures(fought: &Fought, width: usize) -> String {
    let has_dead = fought.figures.iter().any(|figures| figures.dead.is_some());
    let dead = has_dead.then_some("dead");
    let headings = ["", "standing"].into_iter().chain(dead);
    let headings = headings.chain(["hit points", "taken", "damage done in a fight"]);
    let headings: Vec<&str> = headings.collect();
    let kinds = fought.figures.iter();
    let rows = kinds.map(|figures| row(fought, figures, has_dead));
    let rows: Vec<Vec<String>> = rows.collect();
    columns(&headings, &rows, width)
        + "
"
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
    let damages = deeds.map(|deed| (deed.name.as_str(), fought.mean(&deed.damage)));
    let mut damages: Vec<(&str, f64)> = damages.collect();
    // Spells that nobody casts would fill the line.
    if damages.iter().any(|(_, damage)| *damage > 0.0) {
        damages.retain(|(_, damage)| *damage > 0.0);
    }
    let damage: Vec<String> = damages
        .into_iter()
        .map(|(name, damage)| format!("{name} {}", tenths(damage)))
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
