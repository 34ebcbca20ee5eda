//! Sampled odds.

use crate::body::three;
use crate::bounds::Bounds;
use crate::program::{Loaded, ProgramRequest};
use crate::questions::QuestionRequest;
use crate::reply::{Reply, text};
use crate::sample::{SampleRequest, simulate};
use crate::watch::Watch;
use crate::wrong::Wrong;
use dicec_compiler::answer::Questions;
use dicec_compiler::answer::document::{ScriptSimulationDocument, SimulationDocument};
use dicec_compiler::unstable::Backend;
use dicec_compiler::{Bound, Keep, Report, Simulation};
use dicec_runtime::bug;

/// Simulates a rule or a roll of a script: the document of `dicec sim`.
///
/// # Errors
/// Everything that is wrong with the request, or a trap.
pub(crate) fn sim(body: &[u8], bounds: &Bounds, watch: &Watch<'_>) -> Result<Reply, Wrong> {
    let (program, questions, sample): (ProgramRequest, QuestionRequest, SampleRequest) =
        three(body)?;
    questions.check_summary()?;
    let loaded = program.load(bounds)?;
    let asked = questions.read(&loaded)?;
    let bound = program.bind(&loaded)?;
    let usual = Simulation::usual(Backend::Auto, loaded.program.is_script());
    let keep = match asked.summary {
        true => Keep::Moments,
        false => Keep::Outcomes,
    };
    let simulation = sample.simulation(usual, bounds)?.keep(keep);
    let made = |report| document(&loaded, &bound, report, &asked);
    let report = simulate(&bound, &simulation, watch, made);
    let report = report.map_err(|failure| loaded.failed(&failure))?;
    Ok(Reply {
        document: made(report)?,
        notes: loaded.notes(),
    })
}

/// The document of a simulation's results.
fn document(
    loaded: &Loaded,
    bound: &Bound,
    report: Report,
    asked: &Questions,
) -> Result<String, Wrong> {
    let run = report.run();
    let answer = bound.sampled(report);
    if loaded.program.is_rule() {
        let odds = answer
            .result
            .ok_or_else(|| bug!("a rule without results"))?;
        return text(&SimulationDocument::new(&odds, &run, asked));
    }
    let names = (bound.definition().name(), bound.definition().label());
    text(&ScriptSimulationDocument::new(names, &answer, &run, asked))
}
