//! The flags of `dicec sql`.

use clap::Parser;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use dicec_sql::MEMORY;
use dicec_tables::Written;
use std::path::PathBuf;

/// Bytes.
const MIB: usize = 1 << 20;

/// The memory of a session, if nobody says how much.
const DEFAULT_MIB: u32 = (MEMORY / MIB) as u32;

/// What `--help` ends with. clap wraps paragraphs, so that each is one line here.
const MORE: &str = "\
Examples:
  dicec sql \"SELECT Name, dice_p('1d20 + 7 >= [AC]', Defense) AS hit FROM 'foes.csv'\"
  dicec sql \"SELECT dice_odds('1d20 + 9 vs [AC]', Defense) FROM 'foes.parquet'\"
  dicec sql -o odds.parquet - < odds.sql

Tables: a file is a table by its path in quotes: .csv, .tsv, .json (an array of objects), .jsonl, .parquet or .arrow; so is a folder or a pattern of files of one kind. \
Names are as they are written: Name and name are two columns; one with spaces is \"Target AC\".

Functions, where the resources follow in the order in which the rule names them, or are one named_struct('Attack', attack, ...):
  dice_mean(rule, resources...)               the mean of a number
  dice_p(rule, resources...)                  the chance of a check or a success
  dice_quantile(rule, q, resources...)        a quantile, 0.5 for the median
  dice_odds(rule, resources...)               all of it, as a structure
  dice_sim(rule, trials, seed, resources...)  the same, sampled
  dice_encounter(sides, trials, seed)         win, lose, draw and more of a fight
  dice_matchups('a.csv', 'b.csv')             each row with each target, a table";

/// Answer a statement of SQL over tables in files, with the odds of dice as functions
#[derive(Parser, Clone, Debug)]
#[command(name = "dicec sql", bin_name = "dicec sql", version, after_help = MORE)]
pub(super) struct Args {
    /// The statement; `-` reads it from standard input
    #[arg(value_name = "SQL")]
    pub(super) statement: String,
    /// Write the table to a file instead of standard output; only a complete one replaces what was
    /// there
    #[arg(short = 'o', long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// How the table is written; auto follows the name of the file (.csv, .tsv, .json, .jsonl,
    /// .parquet or .arrow)
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = written())]
    pub(super) format: Written,
    /// Write a line of JSON for each row, and errors and notes as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Work on this many parts of the tables at a time; the answers do not depend on it [default:
    /// one for each thread of the machine; 64 on a cluster]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    partitions: Option<u16>,
    /// How much memory sorting, grouping and joining may take, in MiB. What does not fit is written
    /// to temporary files, or is an error. Not on a cluster, whose machines decide for themselves
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_MIB, value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "cluster")]
    memory: u32,
    /// Work on a cluster, whose scheduler is there; its machines read the tables under the same
    /// paths
    #[arg(long, value_name = "HOST:PORT")]
    pub(super) cluster: Option<String>,
}

impl Args {
    /// How many parts of the tables are worked on at a time.
    pub(super) fn partitions(&self) -> Option<usize> {
        self.partitions.map(usize::from)
    }

    /// How many bytes sorting, grouping and joining may take.
    pub(super) fn memory(&self) -> usize {
        (self.memory as usize).saturating_mul(MIB)
    }
}

/// The values of `--format`.
fn written() -> impl TypedValueParser<Value = Written> {
    let value = |one: Written| PossibleValue::new(one.name()).help(one.help());
    let values = PossibleValuesParser::new(Written::all().map(value));
    values.try_map(|name| Written::named(&name).ok_or("not a format"))
}
