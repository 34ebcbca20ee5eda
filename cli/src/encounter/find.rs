//! The number of creatures that a side can face: `dicec encounter '4 Veteran' --find 'N Goblin'
//! --win 80%`.

use super::EncounterArgs;
use super::fight::first_wins;
use crate::error::CliError;
use crate::output;
use crate::scene::Scene;
use dicec_compiler::answer::short_percent;
use dicec_fights::{MostFoes, MostFoesDocument, against};
use dicec_games::encounter::Bestiary;
use std::fmt::Write;

pub(super) fn run(
    args: &EncounterArgs,
    words: &str,
    wanted: &str,
    bestiary: &Bestiary,
) -> Result<(), CliError> {
    let sample = &args.sample;
    let is_fixed = args.exact || sample.trials.is_some() || sample.precision.is_some();
    let found = MostFoes::find(
        wanted,
        args.win.unwrap_or_default(),
        is_fixed,
        &mut |foes| Ok(Scene::read(&against(words, foes)?, args, bestiary)?.plan),
        &mut |plan, half_width| first_wins(plan, args, half_width),
    )?;
    match args.json {
        true => output::json(&MostFoesDocument::new(&found)),
        false => output::print(&text(&found)),
    }
}

/// Writing to a String cannot fail.
fn text(found: &MostFoes) -> String {
    let (side, creature, most) = (&found.side, &found.creature, found.most);
    let win = short_percent(found.win);
    let against = match &found.others[..] {
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
    for (count, win) in &found.tried {
        let win = short_percent(*win);
        let _ = writeln!(text, "  {count:>3} {creature}  {win:>8}");
    }
    text
}
