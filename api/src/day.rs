//! Answers questions about a day of fights and rests.

use crate::body::two;
use crate::bounds::Bounds;
use crate::creatures::add_own;
use crate::program::CheckName;
use crate::reply::{Reply, text};
use crate::sample::{SampleRequest, simulate};
use crate::watch::Watch;
use crate::wrong::Wrong;
use dicec_compiler::unstable::FIGHTS_HALF_WIDTH;
use dicec_compiler::{Bound, Compiler, Report, ScriptSession, Simulation, random_seed};
use dicec_fights::{DayDocument, EncounterError, FightTitle, Lived, ToldDocument, compile_day};
use dicec_games::encounter::{Bestiary, Day, DayPlan, SURVIVED, Source, Told};
use dicec_lang::front::notation::marked;
use dicec_lang::syntax::{FileCode, Finding, Sources};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// A day, and what is asked about it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct DayRequest {
    /// The day: a line such as `4 Veteran: 6 Goblin; short rest; 2 Ogre`, or a document.
    day: Value,
    /// Stat blocks of your own: one, a list of them, or a pasted text.
    bestiary: Value,
    /// Tell one day, blow by blow.
    tell: bool,
    /// Whether the answer is checked before it is given.
    check: CheckName,
}

/// Lives many days: the document of `dicec day`.
///
/// # Errors
/// All errors in the request, or the reason why the odds are not known.
pub(crate) fn day(body: &[u8], bounds: &Bounds, watch: &Watch<'_>) -> Result<Reply, Wrong> {
    let (request, sample): (DayRequest, SampleRequest) = two(body)?;
    if request.tell && sample.has_extent() {
        let message = "\"tell\" and \"trials and precision\" do not go together";
        return Err(Wrong::request(message, "leave one of them out"));
    }
    let mut bestiary = Bestiary::srd();
    let mut notes = match &request.bestiary {
        Value::Null => Vec::new(),
        own => add_own(&mut bestiary, own)?,
    };
    let (source, day) = request.read()?;
    let plan = DayPlan::new(&day, &bestiary).map_err(|wrong| source.wrong(&wrong))?;
    let title = plan.title();
    let code = FileCode::EncounterNote.as_str();
    let own = plan.notes().into_iter();
    notes.extend(own.map(|note| Finding::in_file(code, &title, None, note).note()));
    if request.tell {
        return tell(&plan, &sample, bounds, notes);
    }
    let bound = request.check.on(compiled(&plan, Told::Sides, bounds)?);
    let simulation = sample.simulation(Simulation::fights(FIGHTS_HALF_WIDTH), bounds)?;
    let lived = |report: Report| {
        let run = report.run();
        Lived::new(&plan, bound.sampled(report), run)
    };
    let document = |report| text(&DayDocument::new(&lived(report)?));
    let report = simulate(&bound, &simulation, watch, document);
    let report = report.map_err(|failure| Wrong::failed_fight(&failure, &title))?;
    Reply::new(&DayDocument::new(&lived(report)?), notes)
}

impl DayRequest {
    fn read(&self) -> Result<(Source, Day), Wrong> {
        match &self.day {
            Value::String(line) => Ok(Source::read_day_line(line)?),
            Value::Object(_) => {
                let source = Source::read_json("day", self.day.to_string().as_bytes())?;
                let day = source.day()?;
                Ok((source, day))
            }
            _ => Err(Wrong::request(
                "\"day\" is missing",
                "write it as in \"4 Veteran: 6 Goblin; short rest; 2 Ogre\"",
            )),
        }
    }
}

/// Tells one day, blow by blow.
fn tell(
    plan: &DayPlan,
    sample: &SampleRequest,
    bounds: &Bounds,
    notes: Vec<Finding>,
) -> Result<Reply, Wrong> {
    let bound = compiled(plan, Told::Blows, bounds)?;
    let title = plan.title();
    let mut session = ScriptSession::new(sample.seed().unwrap_or_else(random_seed));
    let played = bound.play(&mut session);
    let played = played.map_err(|failure| Wrong::failed_fight(&failure, &title))?;
    let survives = played.label.as_deref() == Some(SURVIVED);
    let document = ToldDocument {
        title: FightTitle::Day(&title),
        lines: &played.told(marked),
        winner: survives.then_some(plan.party()),
        seed: session.seed(),
    };
    Reply::new(&document, notes)
}

/// The script of a day, compiled.
fn compiled(plan: &DayPlan, told: Told, bounds: &Bounds) -> Result<Bound, Wrong> {
    let compiler = Compiler::new().limits(bounds.of_fights());
    compile_day(&compiler, plan, told).map_err(|error| match error {
        EncounterError::Encounter(wrong) => Source::line(&plan.title()).wrong(&wrong).into(),
        EncounterError::Functions(found) => Wrong::found(&found, &Sources::single("", "")),
        EncounterError::Failure(failure) => Wrong::failed_fight(&failure, &plan.title()),
    })
}
