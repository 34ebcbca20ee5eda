//! The result of many days, for people.

use crate::text::{columns, heading, sim_footer};
use dicec_compiler::answer::plot::{Curve, Curves, Measure};
use dicec_compiler::answer::{Distribution, grouped, short_percent};
use dicec_fights::{FightOdds, LEVELS, Lived};
use dicec_games::encounter::Caveat;
use std::fmt::Write;

/// The report. Writing to a String cannot fail, here and below.
pub(super) fn report(lived: &Lived, width: usize) -> String {
    let days = grouped(lived.run.trials);
    let mut text = heading(&format!("{}: {days} days", lived.title));
    let fights = lived.fights();
    text += &survival(lived);
    text += &fights
        .iter()
        .max_by(|one, other| lost(one).total_cmp(&lost(other)))
        .filter(|worst| lost(worst) > 0.0)
        .map(|worst| {
            let name = &worst.figures.name;
            format!("most often it ends with {name}: {}\n", ending(worst))
        })
        .unwrap_or_default();
    text.push('\n');
    text += &course(lived, &fights, width);
    text += &heroes(lived, &fights, width);
    text.push('\n');
    text += &sim_footer(&lived.run);
    text + "\nHow days are played: docs/encounters.md\n"
}

fn survival(lived: &Lived) -> String {
    let survives = lived.survives();
    let caveats: Vec<String> = lived.caveats.iter().map(Caveat::text).collect();
    let without = match caveats.is_empty() {
        true => String::new(),
        false => format!(", without {}", caveats.join(" and ")),
    };
    let interval = survives.interval.map_or(String::new(), |(low, high)| {
        format!(
            " (95 % interval {} to {})",
            short_percent(low),
            short_percent(high)
        )
    });
    format!(
        "P({} survive the day) = {}{interval}{without}\n",
        lived.party,
        short_percent(survives.p)
    )
}

/// The probability that a fight ends the day.
fn lost(fight: &FightOdds<'_>) -> f64 {
    fight.defeated + fight.fled + fight.undecided
}

/// How often a fight ends the day, and how.
fn ending(fight: &FightOdds<'_>) -> String {
    let parts = [
        ("they are defeated in", fight.defeated),
        ("flee in", fight.fled),
        ("and nobody wins in", fight.undecided),
    ];
    let parts = parts.into_iter().filter(|(_, p)| *p > 0.0);
    let parts = parts.map(|(how, p)| format!("{how} {} of the days", short_percent(p)));
    parts.collect::<Vec<_>>().join(", ")
}

/// The quantiles of what is left, as `120 (95 to 138)`.
fn left(odds: Option<&Distribution>) -> String {
    odds.map_or("-".to_owned(), |odds| {
        let [low, middle, high] = LEVELS.map(|level| odds.quantile(level));
        format!("{middle} ({low} to {high})")
    })
}

/// A line for each fight.
fn course(lived: &Lived, fights: &[FightOdds<'_>], width: usize) -> String {
    let figures = &lived.figures;
    let has_slots = figures.slots > 0;
    let hit_points = format!("hit points of {}", figures.most);
    let slots = format!("slots of {}", figures.slots);
    let mut headings = vec!["after", "won", "all alive", "rounds", hit_points.as_str()];
    headings.extend(has_slots.then_some(slots.as_str()));
    headings.push("");
    let rows = fights.iter().map(|fight| {
        let rounds = fight.rounds.map(|rounds| format!("{:.1}", rounds.mean()));
        let mut cells = vec![
            fight.figures.name.clone(),
            short_percent(fight.won.p),
            short_percent(fight.all_alive),
            rounds.unwrap_or_else(|| "-".to_owned()),
            left(fight.hit_points),
        ];
        cells.extend(has_slots.then(|| left(fight.slots)));
        cells.push(String::new());
        cells
    });
    columns(&headings, &rows.collect::<Vec<_>>(), width) + "\n"
}

/// A line for each kind of the party: its mean hit points after each fight, and how many are dead
/// after the last one.
fn heroes(lived: &Lived, fights: &[FightOdds<'_>], width: usize) -> String {
    let after: Vec<String> = (1..=fights.len())
        .map(|number| format!("after {number}"))
        .collect();
    let mut headings = vec!["hit points", "at first"];
    headings.extend(after.iter().map(String::as_str));
    headings.extend(["dead", ""]);
    let rows = lived
        .figures
        .heroes
        .iter()
        .enumerate()
        .map(|(index, hero)| {
            let name = match hero.count {
                1 => hero.name.clone(),
                count => format!("{count} {}", hero.name),
            };
            let mut cells = vec![name, hero.most.to_string()];
            let of_fight = |fight: &FightOdds<'_>| fight.heroes.get(index).copied().flatten();
            cells.extend(fights.iter().map(|fight| {
                let left = of_fight(fight);
                left.map_or("-".to_owned(), |(left, _)| format!("{left:.1}"))
            }));
            let dead = fights.last().and_then(of_fight);
            cells.push(dead.map_or("-".to_owned(), |(_, dead)| match hero.count {
                1 => short_percent(dead),
                count => format!("{dead:.2} of {count}"),
            }));
            cells.push(String::new());
            cells
        });
    let mut text = columns(&headings, &rows.collect::<Vec<_>>(), width);
    let _ = writeln!(text, "means of the days that win the fight");
    text
}

/// Survival and the share of the hit points that is left, by fight.
pub(super) fn curves(lived: &Lived) -> Curves {
    let fights = lived.fights();
    let most = lived.figures.most as f64;
    let curve = |name: &str, height: &dyn Fn(&FightOdds<'_>) -> Option<f64>| Curve {
        name: name.to_owned(),
        points: fights.iter().map(height).collect(),
    };
    let quantile = |level: f64| {
        move |fight: &FightOdds<'_>| Some(fight.hit_points?.quantile(level) as f64 / most)
    };
    Curves {
        axis: "after fight".to_owned(),
        values: (1..=fights.len()).map(|fight| fight.to_string()).collect(),
        measure: Measure::Probability,
        curves: vec![
            curve("the party wins", &|fight| Some(fight.won.p)),
            curve("nobody is dead", &|fight| Some(fight.all_alive)),
            curve("hit points left: 95 % quantile", &quantile(LEVELS[2])),
            curve("hit points left: median", &quantile(LEVELS[1])),
            curve("hit points left: 5 % quantile", &quantile(LEVELS[0])),
        ],
    }
}
