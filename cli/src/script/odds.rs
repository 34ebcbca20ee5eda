//! `dicec odds FILE.dice`: the exact odds of a roll.

use super::loaded::{Loaded, ScriptArgs};
use super::options::OptionArgs;
use crate::args::Shared;
use crate::error::CliError;
use crate::output;
use crate::text::script_odds_report;
use dicec_compiler::answer::document::ScriptOddsDocument;
use dicec_compiler::answer::{Exactness, Questions};
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;
use std::path::Path;

/// Gives the odds of a roll of the script at `path`.
pub(crate) fn run(
    path: &Path,
    script: &ScriptArgs,
    options: &OptionArgs,
    limits: Limits,
    asked: &Questions,
    shared: &Shared,
) -> Result<(), CliError> {
    let loaded = Loaded::read(path, script, shared)?;
    let bound = options.decided(loaded.bind(script, shared)?)?;
    let whole = options.whole(&bound)?;
    let answer = bound.answer(&limits, Exactness::default(), &Control::default());
    let answer = answer.map_err(|failure| loaded.failed(&failure))?;
    if shared.json {
        let roll = bound.definition();
        let names = (roll.name(), roll.label());
        return output::json(&ScriptOddsDocument::new(names, &answer, asked));
    }
    output::print(&script_odds_report(&answer, asked, &whole, output::width()))
}
