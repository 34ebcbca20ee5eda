//! `dicec features`: features of stat blocks in JSON (seed 001). Each command has its own file.

mod check;
mod emit;
mod eval;
mod show;

use crate::error::{CliError, FileCode, Finding};
use crate::report::Reporter;
use crate::rule::read_source;
use clap::{Args, Subcommand};
use dicec_games::features::{Feature, Value, Values, read_features};
use dicec_lang::syntax::{Diagnostics, SourceLimits, Sources};
use std::path::Path;

const EXAMPLES: &str = "\
Examples:
  dicec features check examples/features/*.json
  dicec features show examples/features/gore.json --name boar -v 20,tusk,2,6
  dicec features eval '(8,INT,PROF,+,+)' --set INT=3 --set PROF=2
  dicec features emit examples/features/gore.json -v 20,tusk,2,6,slashing";

/// Features of stat blocks in JSON: what they do, their texts, expressions and scripts
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FeaturesArgs {
    #[command(subcommand)]
    command: FeaturesCommand,
}

#[derive(Debug, Subcommand)]
enum FeaturesCommand {
    Check(check::CheckArgs),
    Show(show::ShowArgs),
    Eval(eval::EvalArgs),
    Emit(emit::EmitArgs),
}

impl FeaturesArgs {
    /// Whether the command prints JSON.
    pub(crate) fn json(&self) -> bool {
        match &self.command {
            FeaturesCommand::Check(args) => args.json,
            FeaturesCommand::Show(args) => args.json,
            FeaturesCommand::Eval(args) => args.json,
            FeaturesCommand::Emit(args) => args.json,
        }
    }
}

pub(crate) fn run(args: &FeaturesArgs) -> Result<(), CliError> {
    match &args.command {
        FeaturesCommand::Check(args) => check::run(args),
        FeaturesCommand::Show(args) => show::run(args),
        FeaturesCommand::Eval(args) => eval::run(args),
        FeaturesCommand::Emit(args) => emit::run(args),
    }
}

/// A file of features larger than this is not one that somebody wrote.
const MAX_BYTES: u32 = 1 << 20;

/// A file of features.
struct FeatureFile {
    sources: Sources,
    features: Vec<Feature>,
    found: Diagnostics,
}

impl FeatureFile {
    /// Reads a file, or standard input for `-`.
    ///
    /// # Errors
    /// It cannot be read. What is wrong in it is found, not an error yet.
    fn read(path: &Path) -> Result<Self, CliError> {
        let limits = SourceLimits {
            bytes: MAX_BYTES,
            ..SourceLimits::default()
        };
        let (origin, text) = read_source(path, false, "feature", limits)?;
        let (features, found) = read_features(&text);
        Ok(Self {
            sources: Sources::single(origin, &text),
            features,
            found,
        })
    }

    /// Its features, if nothing is wrong with them; its notes are told.
    fn features(&self, reporter: Reporter) -> Result<&[Feature], CliError> {
        if self.found.has_errors() {
            return Err(CliError::found(&self.found, &self.sources));
        }
        reporter.notes(&self.found, &self.sources);
        Ok(&self.features)
    }
}

/// What a feature or an expression is given.
#[derive(Args, Clone, Debug, Default)]
struct ValueArgs {
    /// The variables V0, V1, ... in order: numbers or words
    #[arg(
        short = 'v',
        long = "variables",
        value_name = "A,B",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    variables: Vec<String>,
    /// A value: INT=3, creature.STR=2, 'distance(creature,self)=10'; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
}

impl ValueArgs {
    /// The values.
    ///
    /// # Errors
    /// One that has no name, or a name that nothing has.
    fn values(&self) -> Result<Values, CliError> {
        let mut values = Values::default();
        for (index, value) in self.variables.iter().enumerate() {
            given(&mut values, &format!("V{index}"), value)?;
        }
        for set in &self.set {
            let Some((name, value)) = set.split_once('=') else {
                let message = format!("`{set}` gives nothing a value");
                let finding = Finding::general(FileCode::BadArguments.as_str(), message);
                return Err(finding.help("write --set INT=3").into());
            };
            given(&mut values, name, value)?;
        }
        Ok(values)
    }
}

fn given(values: &mut Values, name: &str, value: &str) -> Result<(), CliError> {
    values.give(name, value).map_err(|refused| {
        let finding = Finding::general(FileCode::BadArguments.as_str(), refused.what);
        finding.help(refused.help).into()
    })
}

/// A value as JSON: a number without a point if it has no fraction.
fn json_of(value: &Value) -> serde_json::Value {
    match value {
        Value::Number(number) if number.fract() == 0.0 && number.abs() < MAX_WHOLE => {
            // It is whole and within range.
            (*number as i64).into()
        }
        Value::Number(number) => (*number).into(),
        Value::Word(word) => word.as_str().into(),
    }
}

/// Whole numbers below this are exact in JSON.
const MAX_WHOLE: f64 = 9e15;
