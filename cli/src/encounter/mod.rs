//! `dicec encounter`: the chances of the sides, and the reasons.
//!
//! ```text
//! words, flags --line--> Scene: the encounter and its plan --fight--> Fought --> report, document
//! ```
//!
//! `crate::blows` narrates one fight; `find` searches for the maximum number of creatures that a
//! side can face.

mod fight;
mod find;
mod line;
mod report;

use crate::args::{BudgetArgs, SampleArgs, Shared};
use crate::bestiary::{EditionName, bestiary};
use crate::blows::Blows;
use crate::checks::CheckArgs;
use crate::commands::sim::exit_code;
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::loaded::{Loaded, ScriptArgs};
use crate::number;
use crate::output;
use crate::plot::PictureFile;
use crate::report::Reporter;
use crate::scene::Scene;
use clap::{Args, ValueEnum};
use dicec_fights::{Ablated, EncounterDocument, FightTitle, Fought};
use dicec_games::GENERATED;
use dicec_games::encounter::{
    Bestiary, Escape, Heal, HitPoints, Initiative, Limited, Purpose, Targets, Told,
};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  dicec encounter '4 Veteran vs 1 Troll, 6 Goblin'
  dicec encounter '4 Veteran vs 1 Troll' --tell --seed 7      blow by blow
  dicec encounter '4 Veteran' --find 'N Goblin' --win 80%     how many are fair?
  dicec encounter '4 Veteran vs 2 Troll' --compare '5 Veteran vs 2 Troll'
  dicec encounter '3 Knight vs 8 Wolf' --ablate               what do traits do?
  dicec encounter '4 Hero vs 3 Ogre' --bestiary heroes.json
  dicec encounter 'Ayla, Bran vs 3 Ogre' --bestiary party.csv
  dicec encounter 'champion 5, life cleric 5, evoker 5, thief 5 vs 1 Troll'
  dicec encounter --list wolf                                 creatures by name
  dicec encounter --list 'cr 5, type giant'                   by rating and type";

/// Fight an encounter many times: who wins, how often, and why
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EncounterArgs {
    /// The encounter: `4 Veteran vs 1 Troll, 6 Goblin`, or a file FILE.json
    #[arg(value_name = "ENCOUNTER", required_unless_present_any = ["list", "describe"])]
    words: Vec<String>,
    /// Stat blocks of your own: text of a page, JSON (also of other tools), CSV with a row for
    /// each, a character in TOML, or a script; may be repeated
    #[arg(long, value_name = "FILE")]
    bestiary: Vec<PathBuf>,
    /// The edition of characters by class and level [default: 5.1]
    #[arg(long, value_enum, value_name = "EDITION")]
    edition: Option<EditionName>,
    /// Whom creatures attack [default: weakest]
    #[arg(long, value_enum, value_name = "POLICY", help_heading = "Tactics")]
    target: Option<TargetName>,
    /// When they use actions that recharge or have few uses [default: always]
    #[arg(long, value_enum, value_name = "WHEN", help_heading = "Tactics")]
    limited: Option<LimitedName>,
    /// Whom they heal, if they can [default: fallen]
    #[arg(long, value_enum, value_name = "WHOM", help_heading = "Tactics")]
    heal: Option<HealName>,
    /// When those who are held use their action to escape [default: stuck]
    #[arg(long, value_enum, value_name = "WHEN", help_heading = "Tactics")]
    escape: Option<EscapeName>,
    /// Attacks only: no traits, reactions, saves, limited or legendary actions
    #[arg(long, help_heading = "Rules")]
    plain: bool,
    /// Leave a trait or an action out, as if nobody had it; may be repeated
    #[arg(long, value_name = "NAME", help_heading = "Rules")]
    without: Vec<String>,
    /// Where hit points come from [default: average]
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Rules")]
    hp: Option<HpName>,
    /// Who rolls for initiative [default: each]
    #[arg(long, value_enum, value_name = "WHO", help_heading = "Rules")]
    initiative: Option<InitiativeName>,
    /// After how many rounds it is a draw [default: 100]
    #[arg(long, value_name = "N", value_parser = number::count_in::<u32>(1..=1000), help_heading = "Rules")]
    rounds: Option<u32>,
    /// How many feet are between the sides at the beginning: then creatures have to move
    #[arg(long, value_name = "FEET", value_parser = number::count_in::<u32>(0..=5000), help_heading = "Rules")]
    distance: Option<u32>,
    /// Tell one fight, blow by blow
    #[arg(long, conflicts_with_all = ["trials", "precision", "compare", "find", "ablate", "exact", "plot"])]
    tell: bool,
    /// Exact odds instead of a simulation: of small fights
    #[arg(long, conflicts_with_all = ["trials", "precision"])]
    exact: bool,
    /// Another encounter to compare with
    #[arg(long, value_name = "ENCOUNTER", conflicts_with_all = ["find", "ablate"])]
    compare: Option<String>,
    /// Creatures that the first side faces as well, `N Goblin`: the greatest N that it can
    #[arg(
        long,
        value_name = "CREATURE",
        requires = "win",
        conflicts_with = "ablate"
    )]
    find: Option<String>,
    /// The chance that the first side is to have: 80%, or 0.8
    #[arg(long, value_name = "P", requires = "find", value_parser = number::share)]
    win: Option<f64>,
    /// The odds without each trait and each limited action that somebody has
    #[arg(long)]
    ablate: bool,
    /// Print the script that the encounter becomes
    #[arg(long, conflicts_with_all = ["compare", "find", "ablate"])]
    emit: bool,
    /// List the creatures that fit: a part of the name, `cr 5`, `type dragon`; or all
    #[arg(long, value_name = "TEXT", num_args = 0..=1, default_missing_value = "")]
    list: Option<String>,
    /// Print the JSON Schema of an encounter, a day, a stat block, a character or features
    #[arg(long, value_enum, value_name = "FILE")]
    describe: Option<DescribedName>,
    /// Draw who wins: a .svg or .png file
    #[arg(long, value_name = "FILE", value_parser = PictureFile::parse)]
    plot: Option<PictureFile>,
    #[command(flatten)]
    sample: SampleArgs,
    #[command(flatten)]
    budget: BudgetArgs,
    #[command(flatten)]
    checks: CheckArgs,
    /// Print JSON, errors too
    #[arg(long)]
    pub(crate) json: bool,
}

impl EncounterArgs {
    /// What the commands' shared flags say here: a script of an encounter has no resources.
    fn shared(&self) -> Shared {
        Shared::without_flags(self.json)
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum DescribedName {
    /// An encounter with its sides and policies
    Encounter,
    /// A day of fights and rests
    Day,
    /// A stat block
    Creature,
    /// A character by class and level
    Character,
    /// Features of stat blocks
    Feature,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TargetName {
    /// The enemy with the fewest hit points left
    Weakest,
    /// The one with the most hit points left
    Strongest,
    /// Any of them
    Random,
    /// The first one listed, until it falls
    Focus,
    /// The one that was attacked least often
    Spread,
    /// The one that is closest
    Nearest,
}

impl From<TargetName> for Targets {
    fn from(name: TargetName) -> Self {
        match name {
            TargetName::Weakest => Targets::Weakest,
            TargetName::Strongest => Targets::Strongest,
            TargetName::Random => Targets::Random,
            TargetName::Focus => Targets::Focus,
            TargetName::Spread => Targets::Spread,
            TargetName::Nearest => Targets::Nearest,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LimitedName {
    /// As soon as they can
    Always,
    /// Areas only if two enemies or more stand
    Crowds,
    /// Never
    Never,
}

impl From<LimitedName> for Limited {
    fn from(name: LimitedName) -> Self {
        match name {
            LimitedName::Always => Limited::Always,
            LimitedName::Crowds => Limited::Crowds,
            LimitedName::Never => Limited::Never,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum HealName {
    /// Characters at 0 hit points who are not dead
    Fallen,
    /// Those, and creatures with at most half of their hit points
    Half,
    /// Nobody
    Never,
}

impl From<HealName> for Heal {
    fn from(name: HealName) -> Self {
        match name {
            HealName::Fallen => Heal::Fallen,
            HealName::Half => Heal::Half,
            HealName::Never => Heal::Never,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EscapeName {
    /// If they are restrained, or can reach nobody
    Restrained,
    /// Always
    Always,
    /// If they can reach nobody
    Stuck,
    /// Never
    Never,
}

impl From<EscapeName> for Escape {
    fn from(name: EscapeName) -> Self {
        match name {
            EscapeName::Restrained => Escape::Restrained,
            EscapeName::Always => Escape::Always,
            EscapeName::Stuck => Escape::Stuck,
            EscapeName::Never => Escape::Never,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum HpName {
    /// The average of the stat block
    Average,
    /// Rolled for each creature
    Rolled,
}

impl From<HpName> for HitPoints {
    fn from(name: HpName) -> Self {
        match name {
            HpName::Average => HitPoints::Average,
            HpName::Rolled => HitPoints::Rolled,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum InitiativeName {
    /// Each creature
    Each,
    /// Creatures of a kind roll once
    Kinds,
    /// Nobody: they act in the order in which they are listed
    Listed,
}

impl From<InitiativeName> for Initiative {
    fn from(name: InitiativeName) -> Self {
        match name {
            InitiativeName::Each => Initiative::Each,
            InitiativeName::Kinds => Initiative::Kinds,
            InitiativeName::Listed => Initiative::Listed,
        }
    }
}

pub(crate) fn run(args: &EncounterArgs) -> Result<ExitCode, CliError> {
    if let Some(name) = args.describe {
        line::describe(name)?;
        return Ok(ExitCode::SUCCESS);
    }
    let bestiary = bestiary(&args.bestiary, args.edition, args.json)?;
    if let Some(part) = &args.list {
        line::list(&bestiary, part, args.json)?;
        return Ok(ExitCode::SUCCESS);
    }
    let words = args.words.join(" ");
    if let Some(wanted) = &args.find {
        find::run(args, &words, wanted, &bestiary)?;
        return Ok(ExitCode::SUCCESS);
    }
    let scene = Scene::read(&words, args, &bestiary)?;
    scene.tell_notes(Reporter::new(args.json));
    if args.emit {
        let told = if args.tell {
            Told::Blows
        } else {
            Told::Figures
        };
        output::print(&scene.script(told, fight::purpose(args))?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.tell {
        tell(args, &scene)?;
        return Ok(ExitCode::SUCCESS);
    }
    let fought = fight::fought(&scene.plan, args)?;
    let other = args.compare.as_deref().map(|words| {
        let scene = Scene::read(words, args, &bestiary)?;
        scene.tell_notes(Reporter::new(args.json));
        fight::fought(&scene.plan, args)
    });
    let mut all = vec![fought];
    all.extend(other.transpose()?);
    if let Some(plot) = &args.plot {
        let sides: Vec<_> = all.iter().map(Fought::side).collect();
        plot.write(&sides)?;
    }
    let ablated = match args.ablate {
        true => ablated(args, &words, &bestiary)?,
        false => Vec::new(),
    };
    match args.json {
        true => output::json(&EncounterDocument::new(&all[0], all.get(1), &ablated))?,
        false => output::print(&report::report(&all, &ablated, output::width()))?,
    }
    let ended = all.iter().find_map(|fought| fought.run.as_ref());
    Ok(ended.map_or(ExitCode::SUCCESS, exit_code))
}

/// The odds without each trait.
fn ablated(
    args: &EncounterArgs,
    words: &str,
    bestiary: &Bestiary,
) -> Result<Vec<Ablated>, CliError> {
    let (source, encounter) = line::read(words, bestiary)?;
    let encounter = line::changed(encounter, args);
    Ablated::all((&source, &encounter), bestiary, &mut |plan| {
        fight::fought(plan, args)
    })
}

/// Tells one fight, blow by blow.
fn tell(args: &EncounterArgs, scene: &Scene) -> Result<(), CliError> {
    let text = scene.script(Told::Blows, Purpose::Trials)?;
    let none = ScriptArgs::default();
    let loaded = Loaded::text(&scene.title, &text, GENERATED, &none, &args.shared())?;
    let bound = loaded.bind(&none, &args.shared())?;
    let [first, second] = scene.plan.sides();
    let blows = Blows {
        title: FightTitle::Encounter(&scene.title),
        loaded: &loaded,
        bound: &bound,
        sides: &[("first", first), ("second", second)],
        seed: args.sample.seed,
        json: args.json,
    };
    blows.tell()
}
