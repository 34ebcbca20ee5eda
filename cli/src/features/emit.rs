//! `dicec features emit`: the script of a feature.

use super::{FeatureFile, ValueArgs};
use crate::error::{CliError, FileCode, Finding};
use crate::output;
use crate::report::Reporter;
use crate::script::laid_out;
use clap::{Args, ValueEnum};
use dicec_games::features::feature_script;
use serde::Serialize;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  dicec features emit examples/features/gore.json
  dicec features emit --stage dice examples/features/gore.json -v 20,tusk,2,6";

/// Print the script that a feature becomes: a record of who takes part, and a function for each of
/// its parts. Variables that are not given are parameters
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct EmitArgs {
    /// The file; `-` is standard input
    #[arg(value_name = "FILE.json")]
    file: PathBuf,
    /// Which stage
    #[arg(long, value_enum, value_name = "STAGE", default_value_t)]
    stage: Stage,
    #[command(flatten)]
    values: ValueArgs,
    /// Print JSON, errors too
    #[arg(long)]
    pub(super) json: bool,
}

/// The stages of a feature.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Stage {
    /// The script
    #[default]
    Dice,
}

/// The output of `dicec features emit --json`, a line for each feature.
#[derive(Serialize)]
struct EmitJson {
    /// The stage, as `--stage` names it.
    stage: &'static str,
    /// What is printed without `--json`.
    text: String,
}

pub(super) fn run(args: &EmitArgs) -> Result<(), CliError> {
    let file = FeatureFile::read(&args.file)?;
    let features = file.features(Reporter::new(args.json))?;
    let values = args.values.values()?;
    let origin = args.file.display().to_string();
    let Stage::Dice = args.stage;
    for feature in features {
        let script = feature_script(feature, &values);
        let script = script.map_err(|wrong| {
            let code = FileCode::BadEncounter.as_str();
            let finding = Finding::in_file(code, &origin, None, wrong.to_string());
            finding.help(wrong.help.unwrap_or_default())
        })?;
        let text = laid_out(&origin, &script)?;
        match args.json {
            true => output::json(&EmitJson {
                stage: "dice",
                text,
            })?,
            false => output::print(&text)?,
        }
    }
    Ok(())
}
