//! `dicec day`: whole days of fights and rests.
//!
//! ```text
//! line, file --source--> Day, DayPlan --fights--> Lived --report--> text, a document, a picture
//! ```

mod find;
mod report;
mod source;

use crate::args::{SampleArgs, Shared};
use crate::bestiary::EditionName;
use crate::blows::Blows;
use crate::checks::CheckArgs;
use crate::commands::sim::{exit_code, simulate};
use crate::error::{CliError, FileCode, Finding};
use crate::exit::ExitCode;
use crate::loaded::{Loaded, ScriptArgs};
use crate::number;
use crate::output;
use crate::plot::PictureFile;
use crate::report::Reporter;
use crate::script::laid_out;
use clap::Args;
use dicec_compiler::Simulation;
use dicec_compiler::unstable::{Backend, FIGHTS_HALF_WIDTH};
use dicec_fights::{DayDocument, FightTitle, Lived};
use dicec_games::GENERATED;
use dicec_games::encounter::{DayPlan, SURVIVED, Told, day_script};
use source::DaySource;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  dicec day '4 Veteran: 6 Goblin; short rest; 2 Ogre, 1 Orc'
  dicec day 'party.json: 6 Goblin; 1 Troll'         a file of stat blocks
  dicec day examples/day.toml                       everything in a file
  dicec day '4 Veteran: 6 Orc; 2 Ogre' --tell       blow by blow
  dicec day '4 Veteran: 6 Orc; 1 Ogre' --find 'N Orc' --win 90%";

/// Fight and rest through a whole day many times: does the party survive it?
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DayArgs {
    /// The day: `4 Veteran: 6 Goblin; short rest; 2 Ogre`, or a file DAY.toml or DAY.json
    #[arg(value_name = "DAY", required = true)]
    words: Vec<String>,
    /// Stat blocks of your own, as for `dicec encounter`; may be repeated
    #[arg(long, value_name = "FILE")]
    bestiary: Vec<PathBuf>,
    /// The edition of characters by class and level [default: 5.1]
    #[arg(long, value_enum, value_name = "EDITION")]
    edition: Option<EditionName>,
    /// Tell one day, blow by blow
    #[arg(long, conflicts_with_all = ["trials", "precision", "find", "plot"])]
    tell: bool,
    /// Creatures that join the enemies of the last fight, `N Goblin`: the greatest N with which
    /// the party still survives
    #[arg(long, value_name = "CREATURE", requires = "win")]
    find: Option<String>,
    /// The chance to survive that the party is to have: 80%, or 0.8
    #[arg(long, value_name = "P", requires = "find", value_parser = number::share)]
    win: Option<f64>,
    /// Print the script that the day becomes
    #[arg(long, conflicts_with = "find")]
    emit: bool,
    /// Draw survival and hit points by fight: a .svg or .png file
    #[arg(long, value_name = "FILE", value_parser = PictureFile::parse)]
    plot: Option<PictureFile>,
    #[command(flatten)]
    sample: SampleArgs,
    #[command(flatten)]
    checks: CheckArgs,
    /// Print JSON, errors too
    #[arg(long)]
    pub(crate) json: bool,
}

impl DayArgs {
    fn shared(&self) -> Shared {
        Shared::without_flags(self.json)
    }
}

pub(crate) fn run(args: &DayArgs) -> Result<ExitCode, CliError> {
    let source = DaySource::read(&args.words.join(" "), args)?;
    if let Some(wanted) = &args.find {
        find::run(args, wanted, &source)?;
        return Ok(ExitCode::SUCCESS);
    }
    let plan = source.plan(&source.day)?;
    tell_notes(&plan, Reporter::new(args.json));
    if args.emit || args.tell {
        let told = if args.tell { Told::Blows } else { Told::Sides };
        let script = script_of(&plan, &source, told)?;
        match args.emit {
            true => output::print(&script)?,
            false => tell(args, &plan, &script)?,
        }
        return Ok(ExitCode::SUCCESS);
    }
    let lived = lived(args, &plan, &source, FIGHTS_HALF_WIDTH)?;
    if let Some(plot) = &args.plot {
        plot.write_curves(&report::curves(&lived))?;
    }
    match args.json {
        true => output::json(&DayDocument::new(&lived))?,
        false => output::print(&report::report(&lived, output::width()))?,
    }
    Ok(exit_code(&lived.run))
}

/// Lives many days, until the chance to survive is known to `half_width` unless something else is
/// asked for.
fn lived(
    args: &DayArgs,
    plan: &DayPlan,
    source: &DaySource,
    half_width: f64,
) -> Result<Lived, CliError> {
    let text = script_of(plan, source, Told::Sides)?;
    let none = ScriptArgs::default();
    let loaded = Loaded::text(&plan.title(), &text, GENERATED, &none, &args.shared())?;
    let bound = args.checks.on(loaded.bind(&none, &args.shared())?);
    let mut asked = args.sample.simulation(Backend::Auto, true);
    if args.sample.trials.is_none() && args.sample.precision.is_none() {
        asked.extent = Simulation::fights(half_width).extent;
    }
    let (answer, run) = simulate(&loaded, &bound, asked)?;
    Ok(Lived::new(plan, answer, run)?)
}

/// The script of a day, in its normal layout.
fn script_of(plan: &DayPlan, source: &DaySource, told: Told) -> Result<String, CliError> {
    let script = day_script(plan, told).map_err(|wrong| source.wrong(&wrong))?;
    laid_out(&plan.title(), &script)
}

/// Tells one day, blow by blow.
fn tell(args: &DayArgs, plan: &DayPlan, script: &str) -> Result<(), CliError> {
    let none = ScriptArgs::default();
    let title = plan.title();
    let loaded = Loaded::text(&title, script, GENERATED, &none, &args.shared())?;
    let bound = loaded.bind(&none, &args.shared())?;
    let blows = Blows {
        title: FightTitle::Day(&title),
        loaded: &loaded,
        bound: &bound,
        sides: &[(SURVIVED, plan.party())],
        seed: args.sample.seed,
        json: args.json,
    };
    blows.tell()
}

/// Tells what is not modelled.
fn tell_notes(plan: &DayPlan, reporter: Reporter) {
    let code = FileCode::EncounterNote.as_str();
    let title = plan.title();
    for message in plan.notes() {
        reporter.note(&Finding::in_file(code, &title, None, message).note());
    }
}
