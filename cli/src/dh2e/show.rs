//! Runs generated scripts: a roll, step by step, and the exact odds.

use crate::args::Shared;
use crate::error::CliError;
use crate::loaded::{Loaded, ScriptArgs};
use crate::output;
use crate::script::steps_report;
use dicec_compiler::answer::document::{PlayDocument, ScriptOddsDocument};
use dicec_compiler::answer::{Answer, Exactness, Questions};
use dicec_compiler::{ScriptSession, random_seed};
use dicec_games::GENERATED;
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;
use serde::Serialize;

/// A generated script, and how it is rolled.
pub(super) struct Generated<'a, A> {
    /// What errors call it.
    pub(super) origin: &'a str,
    pub(super) text: &'a str,
    /// What is known before the roll: as text, and as members of the document.
    pub(super) before: (String, Option<A>),
    pub(super) seed: Option<u64>,
}

/// A roll and odds as JSON.
#[derive(Serialize)]
struct ShownJson<'p, A> {
    /// What is known before the roll.
    #[serde(flatten)]
    about: Option<A>,
    /// As `dicec roll --json`; null if there is none.
    roll: Option<PlayDocument<'p>>,
    /// As `dicec odds --json`; null if they were not asked for.
    odds: Option<ScriptOddsDocument>,
}

/// The odds of a script as text of a width.
pub(super) type OddsReport<'a> = &'a dyn Fn(&Answer, usize) -> String;

/// Shows a roll, the odds, or both; the odds if there is a report on them.
///
/// # Errors
/// Everything that keeps them from being computed.
pub(super) fn show<A: Serialize>(
    generated: &Generated<'_, A>,
    is_rolled: bool,
    odds: Option<OddsReport<'_>>,
    shared: &Shared,
) -> Result<(), CliError> {
    let none = ScriptArgs::default();
    let loaded = Loaded::text(generated.origin, generated.text, GENERATED, &none, shared)?;
    let bound = loaded.bind(&none, shared)?;
    let failed = |failure| loaded.failed(&failure);
    let (before, about) = &generated.before;
    let mut text = before.clone();
    let mut shown = ShownJson {
        about: about.as_ref(),
        roll: None,
        odds: None,
    };
    let mut session = ScriptSession::new(generated.seed.unwrap_or_else(random_seed));
    let played = is_rolled.then(|| bound.play(&mut session)).transpose();
    let played = played.map_err(failed)?;
    if let Some(played) = &played {
        text += &steps_report(&bound, played, Some(session.seed()), false);
        shown.roll = Some(bound.play_document(played, Some(session.seed())));
    }
    if let Some(report) = odds {
        let answer = bound.answer(
            &Limits::default(),
            Exactness::default(),
            &Control::default(),
        );
        let answer = answer.map_err(failed)?;
        let names = (bound.definition().name(), bound.definition().label());
        let asked = Questions::default();
        if is_rolled {
            text.push('\n');
        }
        text += &report(&answer, output::width());
        shown.odds = Some(ScriptOddsDocument::new(names, &answer, &asked));
    }
    match shared.json {
        true => output::json(&shown),
        false => output::print(&text),
    }
}
