//! The flags that several commands share, as clap structs to flatten. Their meaning to the
//! libraries is defined only here; the commands choose which of them they take.

use crate::error::{CliError, FileCode, Finding};
use crate::number;
use crate::report::Reporter;
use crate::resources::ResourceArgs;
use clap::builder::{PossibleValuesParser, TypedValueParser, ValueParser};
use clap::{Args, ValueEnum};
use dicec_compiler::unstable::{Backend, DiceResources, Sampling};
use dicec_compiler::{Compiler, Simulation, random_seed};
use dicec_lang::front::notation::Dialect;
use dicec_lang::syntax::SourceLimits;
use dicec_runtime::driver::{Extent, Workers};
use dicec_runtime::limits::{MAX_CHAIN_CEILING, MAX_DICE_CEILING, MAX_TOTAL_CEILING, RollLimits};
use dicec_runtime::pmf::{Limits, MAX_OUTCOMES};
use dicec_runtime::resource::ResourceTable;

/// The most trials that can be asked for: days of work, and a trial's number stays cheap to find
/// again.
pub(crate) const MAX_TRIALS: u64 = 1_000_000_000_000;

/// What every command that reads a rule takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct Shared {
    /// How rules are read: as a rule book writes them, or in virtual tabletops' notation, which has
    /// decimals and counts dice
    #[arg(short = 'd', long, default_value = "rulebook", value_parser = dialects())]
    dialect: DialectArg,
    /// Print JSON, errors too
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) resources: ResourceArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

impl Shared {
    /// What a command has that takes none of these but `--json`.
    pub(crate) fn without_flags(json: bool) -> Self {
        Self {
            dialect: DialectArg::default(),
            json,
            resources: ResourceArgs::default(),
            limits: LimitArgs::default(),
        }
    }

    /// Whether the text is a program of AnyDice, which `odds`, `sim`, `roll`, `batch` and `emit`
    /// can be told.
    pub(crate) fn is_anydice(&self) -> bool {
        matches!(self.dialect, DialectArg::AnyDice)
    }

    /// A compiler under these limits.
    pub(crate) fn compiler(&self) -> Compiler {
        Compiler::new()
            .dialect(self.dialect.into())
            .source_limits(self.limits.source())
            .roll_limits(self.limits.roll())
    }

    /// The resources of the sheets and flags.
    pub(crate) fn table(&self) -> Result<ResourceTable, CliError> {
        self.resources.table()
    }

    /// The resources that are dice or decimals.
    pub(crate) fn dice(&self) -> Result<DiceResources, CliError> {
        self.resources.dice(&self.compiler())
    }

    /// Refuses resources that are dice: those of a script are numbers.
    pub(crate) fn refuse_dice(&self) -> Result<(), CliError> {
        if !self.resources.any_expression() {
            return Ok(());
        }
        let message = "the resources of a script are numbers, and one that is given is dice";
        let finding = Finding::general(FileCode::BadArguments.as_str(), message);
        let help = "give dice as an argument: `--set damage=2d6+5` for a parameter `damage: dice`";
        Err(finding.help(help).into())
    }

    /// Where notes and errors go.
    pub(crate) fn reporter(&self) -> Reporter {
        Reporter::new(self.json)
    }
}

/// [`Dialect`] on the command line. Its variants have no text of their own: the help of a command
///   would grow by half.
#[derive(Clone, Copy, Debug, Default)]
enum DialectArg {
    #[default]
    Rulebook,
    Notation,
    /// Programs of AnyDice, of which `odds`, `sim`, `roll`, `batch` and `emit` know.
    AnyDice,
}

/// The dialects of rules.
fn dialects() -> impl TypedValueParser<Value = DialectArg> {
    PossibleValuesParser::new(["rulebook", "notation"]).map(dialect)
}

/// The dialects of rules, and AnyDice.
pub(crate) fn dialects_with_anydice() -> ValueParser {
    let names = ["rulebook", "notation", "anydice"];
    PossibleValuesParser::new(names).map(dialect).into()
}

fn dialect(name: String) -> DialectArg {
    match name.as_str() {
        "notation" => DialectArg::Notation,
        "anydice" => DialectArg::AnyDice,
        _ => DialectArg::Rulebook,
    }
}

impl From<DialectArg> for Dialect {
    fn from(arg: DialectArg) -> Self {
        match arg {
            // An AnyDice program is not a rule: its text is read before a rule would be.
            DialectArg::Rulebook | DialectArg::AnyDice => Dialect::Rulebook,
            DialectArg::Notation => Dialect::Notation,
        }
    }
}

/// Bounds on the text and the roll.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Most dice in one pool [default: 10,000]
    #[arg(long, value_name = "N", value_parser = number::count_in::<u32>(1..=u64::from(MAX_DICE_CEILING)))]
    max_dice: Option<u32>,
    /// Most dice that all pools of one roll may come to together [default: 1,000,000]
    #[arg(long, value_name = "N", value_parser = number::count_in::<u32>(1..=u64::from(MAX_TOTAL_CEILING)))]
    max_total_dice: Option<u32>,
    /// Most extra dice that one die brings by exploding [default: 1,000]
    #[arg(long, value_name = "N", value_parser = number::count_in::<u32>(0..=u64::from(MAX_CHAIN_CEILING)))]
    max_explosions: Option<u32>,
    /// Most rerolls of one die [default: 1,000]
    #[arg(long, value_name = "N", value_parser = number::count_in::<u32>(0..=u64::from(MAX_CHAIN_CEILING)))]
    max_rerolls: Option<u32>,
    #[command(flatten)]
    source: SourceArgs,
}

/// Bounds on the text.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Limits")]
pub(crate) struct SourceArgs {
    /// Most bytes of an expression or a script [default: 65,536]
    #[arg(long, value_name = "BYTES", value_parser = number::count_in::<u32>(1..=1 << 30))]
    max_source: Option<u32>,
    /// Deepest nesting of parentheses and signs [default: 128]
    #[arg(long, value_name = "N", value_parser = number::count_in::<u32>(1..=u64::from(SourceLimits::NESTING_CEILING)))]
    max_nesting: Option<u32>,
}

impl LimitArgs {
    /// The bounds on the text.
    pub(crate) fn source(&self) -> SourceLimits {
        self.source.limits()
    }

    fn roll(&self) -> RollLimits {
        let default = RollLimits::default();
        RollLimits {
            dice: self.max_dice.unwrap_or(default.dice),
            total: self.max_total_dice.unwrap_or(default.total),
            explosions: self.max_explosions.unwrap_or(default.explosions),
            rerolls: self.max_rerolls.unwrap_or(default.rerolls),
        }
    }
}

impl SourceArgs {
    /// The bounds as the front ends take them.
    pub(crate) fn limits(&self) -> SourceLimits {
        let default = SourceLimits::default();
        SourceLimits {
            bytes: self.max_source.unwrap_or(default.bytes),
            nesting: self.max_nesting.unwrap_or(default.nesting),
        }
    }
}

/// What an exact answer may cost.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Limits")]
pub(crate) struct BudgetArgs {
    /// Most work for an exact answer, in weight operations [default: 200,000,000]
    #[arg(long, value_name = "N", value_parser = number::count)]
    max_work: Option<u64>,
    /// Most different totals on the way to an exact answer [default: 1,000,000]
    #[arg(long, value_name = "N", value_parser = number::count_in::<u64>(1..=MAX_OUTCOMES))]
    max_outcomes: Option<u64>,
}

impl BudgetArgs {
    /// The budget as the exact engine takes it.
    pub(crate) fn limits(&self) -> Limits {
        self.limits_or(Limits::default())
    }

    /// The budget, where these limits are the default.
    pub(crate) fn limits_or(&self, default: Limits) -> Limits {
        Limits {
            work: self.max_work.unwrap_or(default.work),
            outcomes: self.max_outcomes.unwrap_or(default.outcomes),
        }
    }
}

/// How to simulate.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Simulation")]
pub(crate) struct SampleArgs {
    /// Run exactly N trials; 10_000_000, 1e7 and 10M are the same [default: 10M native, 1M
    /// interpreted; a script stops sooner, when it is precise]
    #[arg(short = 'n', long = "trials", value_name = "N", value_parser = number::count_in::<u64>(1..=MAX_TRIALS))]
    pub(crate) trials: Option<u64>,
    /// Run until the 95 % interval is at most this far from the middle: 0.001, or 0.1% for a check
    /// [default: none for an expression; for a script 0.1 % of the range of its results, or 0.1
    /// percentage points of a chance]
    #[arg(long, value_name = "H", value_parser = number::precision, conflicts_with = "trials")]
    pub(crate) precision: Option<f64>,
    /// Where --precision gives up [default: 10,000,000,000]
    #[arg(long, value_name = "N", requires = "precision", value_parser = number::count_in::<u64>(1..=MAX_TRIALS))]
    pub(crate) max_trials: Option<u64>,
    /// Seed of the rolls; the same seed gives the same result [default: random]
    #[arg(long, value_name = "N", value_parser = number::count)]
    pub(crate) seed: Option<u64>,
    /// Threads to run on; they do not change the result [default: all]
    #[arg(long, value_name = "N", value_parser = number::count_in::<usize>(1..=256))]
    pub(crate) threads: Option<usize>,
    /// How dice are drawn [default: faithful for interp, else fused]
    #[arg(long, value_name = "MODE")]
    pub(crate) sampling: Option<SamplingName>,
}

impl SampleArgs {
    /// The simulation that the flags ask for on `backend`; a seed is drawn if none was given. A
    /// script runs until it is precise, as its trials may be slow.
    pub(crate) fn simulation(&self, backend: Backend, is_script: bool) -> Simulation {
        let usual = Simulation::usual(backend, is_script);
        let extent = match (self.precision, self.trials) {
            (Some(half_width), _) => Extent::Precision {
                half_width,
                most: self.max_trials.unwrap_or(10_000_000_000),
            },
            (None, Some(trials)) => Extent::Trials(trials),
            (None, None) => usual.extent,
        };
        let sampling = self.sampling.map_or(usual.sampling, Sampling::from);
        Simulation::of(extent)
            .backend(backend)
            .seed(self.seed.unwrap_or_else(random_seed))
            .workers(self.threads.map_or(Workers::Auto, Workers::Threads))
            .sampling(sampling)
    }
}

/// A back end, as `--backend` names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BackendName {
    /// Native code where the trials are enough to earn back its compilation, else the interpreter
    #[default]
    Auto,
    /// Native code
    Jit,
    /// The interpreter: slower, the definition of the meaning
    Interp,
}

impl From<BackendName> for Backend {
    fn from(name: BackendName) -> Self {
        match name {
            BackendName::Auto => Backend::Auto,
            BackendName::Jit => Backend::Jit,
            BackendName::Interp => Backend::Interp,
        }
    }
}

/// A sampling mode, as `--sampling` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SamplingName {
    /// Each die is drawn by itself, in the order of the text
    Faithful,
    /// Several dice may share a draw: the same odds, faster
    Fused,
}

impl From<SamplingName> for Sampling {
    fn from(name: SamplingName) -> Self {
        match name {
            SamplingName::Faithful => Sampling::Faithful,
            SamplingName::Fused => Sampling::Fused,
        }
    }
}
