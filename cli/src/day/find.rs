//! The greatest number of creatures in the last fight with which the party still survives the day.

use super::source::DaySource;
use super::{DayArgs, lived};
use crate::error::{CliError, FileCode, Finding};
use crate::output;
use dicec_compiler::answer::short_percent;
use dicec_games::encounter::MAX_CREATURES;
use serde::Serialize;
use std::fmt::Write;

/// How far a chance may be from the wanted one before it is known only roughly, and how well it is
/// known then and otherwise.
const ROUGHLY: f64 = 0.06;
const HALF_WIDTHS: [f64; 2] = [0.03, 0.005];

/// The result: `dicec day --find --json` prints it.
#[derive(Serialize)]
struct Found<'a> {
    party: String,
    creature: &'a str,
    win: f64,
    /// The greatest number that leaves the party this chance; null if even one is too many.
    count: Option<u32>,
    /// The numbers that were tried, each with the chance to survive.
    tried: Vec<Tried>,
}

#[derive(Serialize)]
struct Tried {
    count: u32,
    survives: f64,
}

pub(super) fn run(args: &DayArgs, wanted: &str, source: &DaySource) -> Result<(), CliError> {
    let creature = wanted.strip_prefix("N ").map(str::trim);
    let creature = creature.filter(|name| !name.is_empty()).ok_or_else(|| {
        let message = format!("`{wanted}` does not say what is counted");
        let finding = Finding::general(FileCode::BadEncounter.as_str(), message);
        CliError::from(finding.help("write it as in `N Goblin`"))
    })?;
    let win = args.win.unwrap_or_default();
    let mut tried: Vec<Tried> = Vec::new();
    let mut survive = |count: u32| {
        let day = source.day.joined_by(creature, count);
        let plan = source.plan(&day)?;
        let rough = lived(args, &plan, source, HALF_WIDTHS[0])?.survives().p;
        let survives = match (rough - win).abs() > ROUGHLY {
            true => rough,
            false => lived(args, &plan, source, HALF_WIDTHS[1])?.survives().p,
        };
        tried.push(Tried { count, survives });
        Ok::<bool, CliError>(survives >= win)
    };
    // The chance falls as the number grows: double it, then halve the gap.
    let most = MAX_CREATURES / 2;
    let (mut low, mut high) = (0, 1);
    while high <= most && survive(high)? {
        low = high;
        high *= 2;
    }
    high = high.min(most + 1);
    while high - low > 1 {
        let middle = low.midpoint(high);
        match survive(middle)? {
            true => low = middle,
            false => high = middle,
        }
    }
    tried.sort_by_key(|one| one.count);
    let found = Found {
        party: source.plan(&source.day)?.party().to_owned(),
        creature,
        win,
        count: (low > 0).then_some(low),
        tried,
    };
    match args.json {
        true => output::json(&found),
        false => output::print(&text(&found, most)),
    }
}

/// Writing to a String cannot fail.
fn text(found: &Found<'_>, most: u32) -> String {
    let (party, creature) = (&found.party, found.creature);
    let win = short_percent(found.win);
    let mut text = match found.count {
        Some(count) if count == most => format!(
            "{party} survive at least {win} of the days with {most} {creature} more in the last fight, the most that are tried\n"
        ),
        Some(count) => format!(
            "{party} survive at least {win} of the days with up to {count} {creature} more in the last fight\n"
        ),
        None => format!(
            "{party} survive less than {win} of the days with 1 {creature} more in the last fight\n"
        ),
    };
    text.push('\n');
    for one in &found.tried {
        let survives = short_percent(one.survives);
        let _ = writeln!(text, "  {:>3} {creature}  {survives:>8}", one.count);
    }
    text
}
