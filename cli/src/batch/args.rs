//! The flags of `dicec batch`, and the decisions that follow from them before a row is read.

use super::formats;
use super::policy::OnError;
use crate::args::{BudgetArgs, SampleArgs, Shared};
use crate::checks::CheckArgs;
use crate::loaded::ScriptArgs;
use crate::number;
use crate::plot::PictureFile;
use crate::script::DecisionArgs;
use clap::Args;
use dicec_compiler::Simulation;
use dicec_compiler::unstable::Backend;
use dicec_runtime::driver::Extent;
use dicec_tables::{Format, Method, Numbers, Sweep, Wanted, Written};
use std::path::PathBuf;
use std::sync::Arc;

/// The chances of encounters are known to this, if nothing else is asked for.
const ENCOUNTER_HALF_WIDTH: f64 = 0.01;

/// What `dicec batch --help` ends with. clap wraps paragraphs, so that each is one line here.
pub(crate) const EXAMPLES: &str = "\
Examples:
  dicec batch encounters.csv -e 'hit=1d20 + [Attack] >= [Target Defense]'
  dicec batch encounters.csv -e '1d8 + [Strength]' -o odds.csv
  dicec batch attacks.csv --expr-column Damage --as damage
  dicec batch party.csv --targets foes.csv -e '1d20 + [Attack] >= [Target AC]'
  dicec batch party.csv --sweep 'AC=10..25' -e '1d20 + [Attack] >= [AC]'
  dicec batch encounters.csv -e '1d20 + [Attack] >= 15' -r Attack=6 --json
  dicec batch duels.csv duel.dice --args duel.json -o odds.csv
  dicec batch attacks.csv --expr-column Damage --outcomes -o results.csv
  dicec batch fights.csv --encounter
  dicec batch /data/party.parquet -e '1d8 + [Damage]' --cluster host:50050

Names: an expression is named by a plain word and `=` before it (letters, digits and _, a letter first; \
not a die such as d20). So `hit=1d20>=5` is named hit, and `d20=20` is a check. Without a name it is expr, or expr1, \
expr2 ... if several.

Columns: a check adds NAME_p; a number adds NAME_mean, NAME_sd, NAME_p5, NAME_p50 and NAME_p95 (quantiles), \
or those of --quantiles, or with --summary NAME_mean, NAME_sd, NAME_min and NAME_max (the lowest and the highest result); \
a degree adds a column for each rung, such as NAME_critical_success; sampled ones add NAME_se, the standard error. Exact odds are rounded to 12 significant digits.

With --outcomes, each result has a row: its columns are rule (the name of the expression, if there are several), part (of a \
script's result or an AnyDice program, if there are any; statistics of scripts, too), result and p, its probability.

Cells: a column that an expression reads holds whole numbers; spaces around them, a leading + and a whole decimal \
such as 12.0 are fine. Other columns may hold anything.

Encounters: with --encounter, the fights of each row give win, lose and draw for the first side, the mean number of rounds, \
and what is left. Columns called rounds, initiative, hp, plain, without, targets, limited, heal or surprised change the encounter, \
Party.targets one side, and Goblin.count, Goblin.ac and Goblin.hp all goblins; so do sweeps of these names.

Scripts: with FILE.dice, a roll of it is worked out for each row. A column that is headed like a parameter (bonus) or a part \
of one (target.ac, attacks[0].bonus) gives that for its row, over --args and --set; one that is headed like a resource gives \
the resource. A cell is JSON where it is that, else a text; an empty one changes nothing. The roll's result adds the columns \
above under the roll's name, a statistic adds STAT_mean and STAT_sd, and each template of a line a column with how many of it a trial has \
on average: those that FILE.dice writes, and those with a name or another text in them that most of the first 256 rows have. The others \
count under the template that they come of.";

/// Work out the odds of every row of a table
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct BatchArgs {
    /// A table whose header names resources (`Attack`, `Target Defense`): CSV, objects of JSON,
    /// Parquet or Arrow; a folder or a pattern ('monsters/*.parquet') is one table in several
    /// files; `-` reads standard input
    #[arg(value_name = "TABLE")]
    pub(crate) table: PathBuf,
    /// A script, of which one roll is worked out for each row; columns give its parameters
    /// (`bonus`, `target.ac`)
    #[arg(value_name = "FILE.dice")]
    pub(crate) script: Option<PathBuf>,
    /// A second table, each of whose rows is a target for each row of TABLE: its columns are
    /// resources of the target (`Defense` is [Target Defense]), and are named so in the output
    #[arg(long, value_name = "TABLE2")]
    pub(crate) targets: Option<PathBuf>,
    /// An expression or check to work out for each row; may be given several times
    #[arg(
        short = 'e',
        long = "expr",
        value_name = "[NAME=]EXPR",
        required_unless_present_any = ["expr_column", "script", "encounter"]
    )]
    pub(crate) expressions: Vec<String>,
    /// Work each row out for each value of a resource or a parameter, too: 'Target AC=10..25',
    /// '10..30 by 5' or '10,15,20'; may be repeated for all combinations
    #[arg(long, value_name = "NAME=VALUES", value_parser = Sweep::parse)]
    pub(crate) sweep: Vec<Sweep>,
    /// Draw the chance or the mean over the values of the longest --sweep, with a curve for each
    /// row and rule, or for each rule if these are too many: a .svg or .png file
    #[arg(long, value_name = "FILE", requires = "sweep", value_parser = PictureFile::parse)]
    pub(crate) plot: Option<PictureFile>,
    /// A column that holds an expression or an AnyDice program of each row's own; may be given
    /// several times
    #[arg(long, value_name = "COLUMN")]
    pub(crate) expr_column: Vec<String>,
    /// The name of that column's odds, or of those of a script's roll; may be repeated, for one
    /// --expr-column after the other [default: expr, or the column's name if there are several; the
    /// roll's name]
    #[arg(long = "as", value_name = "NAME")]
    pub(crate) odds_names: Vec<String>,
    /// Fight the encounter of each row, in the columns of its two sides or in one with both: the
    /// first known ones, such as Party and Monsters, or these
    #[arg(
        long,
        value_name = "COLUMN,COLUMN",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with_all = ["script", "expressions", "expr_column", "summary"]
    )]
    pub(crate) encounter: Option<String>,
    /// Write the table to a file instead of standard output; only a complete one replaces what was
    /// there
    #[arg(short = 'o', long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// How the table is written; auto follows the name of the file (.csv, .tsv, .json, .jsonl,
    /// .parquet or .arrow), and --json writes a line of JSON for each row
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = formats::written())]
    pub(crate) format: Written,
    /// What separates the cells, in the input and in CSV output [default: a comma, or a tab in .tsv
    /// files]
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    pub(crate) delimiter: Option<u8>,
    /// How the tables are read [default: as their names end, .csv, .tsv, .json, .jsonl, .parquet or
    /// .arrow; without an ending as they begin]
    #[arg(long, value_name = "FORMAT", value_parser = formats::read())]
    pub(crate) input_format: Option<Format>,
    /// Give a number's lowest and highest result instead of its quantiles: sampled rows then take
    /// less time
    #[arg(long)]
    pub(crate) summary: bool,
    /// Give these quantiles of a number, and of a script's statistics and parts, instead of the
    /// usual ones, each in a column: 0.1,0.5,99%
    #[arg(
        long,
        value_name = "SHARES",
        value_delimiter = ',',
        value_parser = number::share,
        conflicts_with_all = ["summary", "encounter"]
    )]
    pub(crate) quantiles: Vec<f64>,
    /// Give each result a row of its own, with its probability
    #[arg(long, conflicts_with_all = ["summary", "quantiles", "encounter"])]
    pub(crate) outcomes: bool,
    /// Give the odds of the rolls for which a condition on the result holds: 'total >= 10', or on
    /// the parts of a script's result, 'crits >= 1'; only exact odds
    #[arg(
        long,
        value_name = "CONDITION",
        conflicts_with_all = ["encounter", "expr_column", "cluster", "jit", "interp", "trials", "precision"]
    )]
    pub(crate) given: Option<String>,
    /// What to do about a row that cannot be worked out
    #[arg(long, value_name = "WHAT", default_value = "stop")]
    pub(crate) on_error: OnError,
    /// Work on a cluster, whose scheduler is there; its machines read the table under the same
    /// path, and never sample unless -n says how often
    #[arg(
        long,
        value_name = "HOST:PORT",
        conflicts_with_all = [
            "script", "encounter", "expr_column", "sweep", "plot", "input_format", "delimiter",
            "summary", "quantiles", "outcomes", "on_error", "interp", "precision", "threads", "sampling", "max_work",
            "max_outcomes", "dialect", "default_resource", "max_dice", "max_total_dice",
            "max_explosions", "max_rerolls", "max_source", "max_nesting", "bestiary",
        ]
    )]
    pub(crate) cluster: Option<String>,
    #[command(flatten)]
    pub(crate) shared: Shared,
    /// Sample in native code instead of computing exactly
    #[arg(long, conflicts_with = "interp", help_heading = "Simulation")]
    pub(crate) jit: bool,
    /// Sample with the interpreter
    #[arg(long, help_heading = "Simulation")]
    pub(crate) interp: bool,
    /// Never sample: a row that is too large for an exact answer is an error
    #[arg(long, conflicts_with_all = ["jit", "interp", "trials", "precision"], help_heading = "Simulation")]
    pub(crate) exact: bool,
    #[command(flatten)]
    pub(crate) sample: SampleArgs,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    #[command(flatten)]
    pub(crate) checks: CheckArgs,
    #[command(flatten)]
    pub(crate) roll: ScriptArgs,
    #[command(flatten)]
    pub(crate) decisions: DecisionArgs,
}

impl BatchArgs {
    /// What a number's columns are.
    pub(super) fn numbers(&self) -> Numbers {
        match (self.summary, &self.quantiles[..]) {
            _ if self.outcomes => Numbers::Results,
            (true, _) => Numbers::Ends,
            (false, []) => Numbers::Quantiles,
            (false, asked) => Numbers::Asked(Arc::new(Wanted::everywhere(asked))),
        }
    }

    /// How the rows are worked out.
    pub(super) fn method(&self) -> Method {
        let backend = match self.interp {
            true => Backend::Interp,
            false => Backend::Jit,
        };
        let simulation = self.simulation(backend);
        if self.samples_always() {
            return Method::Sample(simulation);
        }
        let only_exact = self.exact || self.cluster.is_some() || self.given.is_some();
        let fallback = (!only_exact).then_some(simulation);
        Method::Exact(self.budget.limits(), fallback)
    }

    fn simulation(&self, backend: Backend) -> Simulation {
        let mut simulation = self
            .sample
            .simulation(backend, self.script.is_some() || self.encounter.is_some());
        if self.encounter.is_some() && !self.has_extent() {
            simulation.extent = Extent::Precision {
                half_width: ENCOUNTER_HALF_WIDTH,
                most: 10_000_000,
            };
        }
        simulation
    }

    /// Whether every row is sampled: where a back end, a number of trials or a precision is asked
    /// for, and where rows are encounters.
    fn samples_always(&self) -> bool {
        let is_fight = self.encounter.is_some() && !self.exact;
        self.jit || self.interp || is_fight || self.has_extent()
    }

    /// Whether it is said how long a simulation is.
    fn has_extent(&self) -> bool {
        self.sample.trials.is_some() || self.sample.precision.is_some()
    }
}

/// Parses a delimiter: one ASCII character, or `\t` or `tab`.
fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        [b'"' | b'\n' | b'\r'] => Err("quotes and line breaks have their own meaning".to_owned()),
        [byte] if byte.is_ascii() => Ok(*byte),
        _ if text == "\\t" || text.eq_ignore_ascii_case("tab") => Ok(b'\t'),
        _ => Err("it has to be one ASCII character, such as ; or \\t".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::delimiter;

    #[test]
    fn delimiters() {
        assert_eq!(delimiter(";"), Ok(b';'));
        assert_eq!(delimiter("\t"), Ok(b'\t'));
        assert_eq!(delimiter("\\t"), Ok(b'\t'));
        assert_eq!(delimiter("TAB"), Ok(b'\t'));
        for text in ["", ";;", "\"", "\n", "é"] {
            assert!(delimiter(text).is_err(), "{text:?}");
        }
    }
}
