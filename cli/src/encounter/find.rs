//! How many creatures a side can face: `dicec encounter '4 Veteran' --find 'N Goblin' --win 80%`.

use super::EncounterArgs;
use super::fight::first_wins;
use super::scene::{Scene, read};
use crate::error::{CliError, FileCode, Finding};
use crate::output;
use dicec_compiler::answer::short_percent;
use dicec_compiler::front::encounter::{Bestiary, MAX_CREATURES};
use serde::Serialize;
use std::fmt::Write;

/// The answer as JSON.
#[derive(Serialize)]
struct FoundJson<'f> {
    /// The first side.
    side: &'f str,
    /// Those of the other side whose number is known.
    others: &'f [String],
    /// The creature that is counted.
    creature: &'f str,
    /// The chance that was asked for.
    win: f64,
    /// The greatest number that leaves the side this chance; null if one is too many.
    count: Option<u32>,
    /// The numbers that were tried, with the chance of the first side.
    tried: &'f [Tried],
}

#[derive(Serialize)]
struct Tried {
    count: u32,
    win: f64,
}

pub(super) fn run(
    args: &EncounterArgs,
    words: &str,
    wanted: &str,
    bestiary: &Bestiary,
) -> Result<(), CliError> {
    let name = wanted.trim();
    let name = name
        .strip_prefix("N ")
        .or_else(|| name.strip_prefix("n "))
        .unwrap_or(name);
    let win = args.win.unwrap_or_default();
    let mut tried: Vec<Tried> = Vec::new();
    let mut side = String::new();
    let mut chance = |count: u32| -> Result<f64, CliError> {
        let scene = face(args, words, &format!("{count} {name}"), bestiary)?;
        scene.plan.sides()[0].clone_into(&mut side);
        let chance = first_wins(&scene, args, win)?;
        tried.push(Tried { count, win: chance });
        Ok(chance)
    };
    // Everybody else leaves this many places; those who are counted are listed last.
    let mut known = face(args, words, &format!("1 {name}"), bestiary)?
        .plan
        .figures();
    known.pop();
    let most = MAX_CREATURES - known.iter().map(|figures| figures.count).sum::<u32>();
    let others = known.iter().filter(|figures| figures.side == 1);
    let others: Vec<String> = others
        .map(|figures| format!("{} {}", figures.count, figures.title))
        .collect();
    // More enemies never help, so the greatest number is found by doubling, then by halves.
    let mut too_many = 1;
    while too_many <= most && chance(too_many)? >= win {
        too_many *= 2;
    }
    let mut enough = too_many / 2;
    too_many = too_many.min(most + 1);
    while too_many - enough > 1 {
        let middle = enough.midpoint(too_many);
        match chance(middle)? >= win {
            true => enough = middle,
            false => too_many = middle,
        }
    }
    tried.sort_by_key(|one| one.count);
    let found = FoundJson {
        side: &side,
        others: &others,
        creature: name,
        win,
        count: (enough > 0).then_some(enough),
        tried: &tried,
    };
    match args.json {
        true => output::json(&found),
        false => output::print(&text(&found, most)),
    }
}

/// The encounter with this many.
fn face(
    args: &EncounterArgs,
    words: &str,
    foes: &str,
    bestiary: &Bestiary,
) -> Result<Scene, CliError> {
    let versus = read(&format!("{words} vs {foes}"), bestiary);
    let joined = || read(&format!("{words}, {foes}"), bestiary);
    let has_both = words.split_whitespace().any(|word| {
        ["vs", "vs.", "versus", "against"]
            .iter()
            .any(|versus| word.eq_ignore_ascii_case(versus))
    });
    let (source, encounter) = match has_both {
        true => joined()?,
        false => versus?,
    };
    if words.trim().is_empty() {
        let message = "--find needs a side that faces somebody";
        return Err(Finding::general(FileCode::BadEncounter.as_str(), message).into());
    }
    Scene::of(encounter, &source, args, bestiary)
}

/// Writing to a String cannot fail.
fn text(found: &FoundJson<'_>, most: u32) -> String {
    let (side, creature) = (found.side, found.creature);
    let win = short_percent(found.win);
    let against = match found.others {
        [] => "against".to_owned(),
        others => format!("against {} and", others.join(", ")),
    };
    let mut text = match found.count {
        Some(count) if count == most => format!(
            "{side} win at least {win} {against} {most} {creature}, the most that can fight\n"
        ),
        Some(count) => format!("{side} win at least {win} {against} up to {count} {creature}\n"),
        None => format!("{side} win less than {win} {against} 1 {creature}\n"),
    };
    text.push('\n');
    for one in found.tried {
        let _ = writeln!(
            text,
            "  {:>3} {creature}  {:>8}",
            one.count,
            short_percent(one.win)
        );
    }
    text
}
