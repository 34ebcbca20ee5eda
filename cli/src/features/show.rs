//! `dicec features show`: the text of a feature for a creature.

use super::{FeatureFile, ValueArgs};
use crate::error::{CliError, Finding};
use crate::output;
use crate::report::Reporter;
use clap::Args;
use dicec_games::features::{Filled, Template, Values, Wrong};
use dicec_lang::syntax::Code;
use serde::Serialize;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  dicec features show examples/features/gore.json --name boar -v 20,tusk,2,6
  dicec features show gaze.json --name basilisk --set CON=2 --set PROF=2";

/// Print the text of a feature for a creature, with its name and numbers
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct ShowArgs {
    /// The file; `-` is standard input
    #[arg(value_name = "FILE.json")]
    file: PathBuf,
    /// The name of the creature
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    values: ValueArgs,
    /// Print JSON, errors too
    #[arg(long)]
    pub(super) json: bool,
}

/// The output of `dicec features show --json`: of each feature of the file, one line.
#[derive(Serialize)]
struct ShowJson {
    /// The name of the feature.
    name: String,
    /// Its text. What is not known stands in braces.
    text: String,
    /// What is not known: names of values, and `NAME` for that of the creature.
    missing: Vec<String>,
}

pub(super) fn run(args: &ShowArgs) -> Result<(), CliError> {
    let reporter = Reporter::new(args.json);
    let file = FeatureFile::read(&args.file)?;
    if file.found.has_errors() {
        return Err(CliError::found(&file.found, &file.sources));
    }
    let values = args.values.values()?;
    for feature in &file.features {
        let fill = |template: &Template| filled(template, args.name.as_deref(), &values, &file);
        let (name, text) = (fill(&feature.name)?, fill(&feature.text)?);
        let mut missing = text.missing;
        let more = name.missing.into_iter();
        let more: Vec<String> = more.filter(|name| !missing.contains(name)).collect();
        missing.extend(more);
        if !missing.is_empty() {
            reporter.note(&unknown(&missing));
        }
        if args.json {
            output::json(&ShowJson {
                name: name.text,
                text: text.text,
                missing,
            })?;
        } else {
            output::print(&format!("{}\n", text.text))?;
        }
    }
    Ok(())
}

fn filled(
    template: &Template,
    name: Option<&str>,
    values: &Values,
    file: &FeatureFile,
) -> Result<Filled, CliError> {
    let wrong = |wrong: Wrong| CliError::found(&wrong.diagnostic().into(), &file.sources);
    template.fill(name, values).map_err(wrong)
}

/// A note on what stays in braces.
fn unknown(missing: &[String]) -> Finding {
    let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
    let message = format!(
        "the text keeps braces: {} not given",
        match names.as_slice() {
            [one] => format!("{one} is"),
            names => format!("{} are", names.join(", ")),
        }
    );
    let advice = missing.iter().map(|name| flag(name));
    let advice: Vec<String> = advice.collect();
    let finding = Finding::general(Code::MissingValue.as_str(), message).note();
    finding.help(format!("give values with {}", advice.join(" ")))
}

fn flag(name: &str) -> String {
    match (name, dicec_games::features::variable(name)) {
        ("NAME", _) => "--name troll".to_owned(),
        (_, Some(_)) => format!("--set {name}=4"),
        (name, None) => format!("--set {name}=3"),
    }
}
