//! `dicec sim FILE.dice`: a roll over many trials.

use super::loaded::{Loaded, ScriptArgs};
use super::options::OptionArgs;
use crate::args::Shared;
use crate::error::CliError;
use crate::output;
use crate::progress::watched;
use crate::text::script_simulation_report;
use dicec_compiler::Simulation;
use dicec_compiler::answer::Questions;
use dicec_compiler::answer::document::ScriptSimulationDocument;
use std::path::Path;

/// Simulates a roll of the script at `path`.
pub(crate) fn run(
    path: &Path,
    script: &ScriptArgs,
    options: &OptionArgs,
    simulation: Simulation,
    asked: &Questions,
    shared: &Shared,
) -> Result<(), CliError> {
    let loaded = Loaded::read(path, script, shared)?;
    let bound = options.decided(loaded.bind(script, shared)?)?;
    let whole = options.whole(&bound)?;
    let simulation = bound.resolved(&simulation);
    let report = watched(&simulation, |control| {
        bound.simulate_with(&simulation, control)
    });
    let report = report.map_err(|failure| loaded.failed(&failure))?;
    let run = report.run();
    let answer = bound.sampled(report);
    if shared.json {
        let roll = bound.definition();
        let names = (roll.name(), roll.label());
        return output::json(&ScriptSimulationDocument::new(names, &answer, &run, asked));
    }
    let width = output::width();
    output::print(&script_simulation_report(
        &answer, &run, asked, &whole, width,
    ))
}
