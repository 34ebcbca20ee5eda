//! `dicec dh2e describe`: the JSON Schema of the files.

use crate::error::CliError;
use crate::output;
use clap::{Args, ValueEnum};
use dicec_games::dh2e::schema;
use dicec_runtime::bug;

/// Print the JSON Schema of a file
#[derive(Args, Debug)]
pub(super) struct DescribeArgs {
    /// Which file
    #[arg(value_name = "FILE")]
    file: Described,
}

/// The files.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Described {
    /// A character, a creature or a machine
    Actor,
    /// An attack
    Attack,
    /// A fight
    Fight,
    /// Items, elements and modifiers
    Items,
    /// A table of critical injuries
    Injuries,
    /// Tables of phenomena and perils
    Phenomena,
}

pub(super) fn run(args: &DescribeArgs) -> Result<(), CliError> {
    let name = match args.file {
        Described::Actor => "actor",
        Described::Attack => "attack",
        Described::Fight => "fight",
        Described::Items => "items",
        Described::Injuries => "injuries",
        Described::Phenomena => "phenomena",
    };
    let schema = schema(name).ok_or_else(|| bug!("a file without a schema"))?;
    output::json(&schema)
}
