//! `dicec describe`: the description of a script for applications.

use crate::args::Shared;
use crate::error::CliError;
use crate::loaded::{Loaded, ScriptArgs};
use crate::output;
use clap::Args;
use dicec_compiler::unstable::{AnswersDescription, Offers};
use dicec_games::dh2e::Purpose;
use serde_json::json;
use std::fmt::Write;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  dicec describe attack.dice           its rolls, and what they take
  dicec describe attack.dice --json    with JSON Schema of arguments and types";

/// Describe a script: its types, its rolls, their arguments, options, statistics and output lines
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DescribeArgs {
    /// The script
    #[arg(value_name = "FILE.dice")]
    file: PathBuf,
    #[command(flatten)]
    pub(crate) shared: Shared,
}

pub(crate) fn run(args: &DescribeArgs) -> Result<(), CliError> {
    let loaded = Loaded::script(
        &args.file,
        &ScriptArgs::default(),
        Purpose::Trials,
        &args.shared,
    )?;
    let described = loaded.program.describe();
    if args.shared.json {
        return output::json(&described);
    }
    let mut text = String::new();
    for (roll, described) in loaded.program.rolls().zip(&described.rolls) {
        let (label, name, takes) = (roll.label(), roll.name(), roll.parameter_list());
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{name} {label:?}\n  takes ({takes})");
        list(&mut text, "offers", &described.options);
        for (option, answers) in &described.answers {
            let _ = writeln!(text, "    {}: {}", json!(option), offered(answers));
        }
        list(&mut text, "counts", &described.stats);
        list(&mut text, "says", &described.outputs);
    }
    let types = loaded.program.hir().types.iter();
    for ty in types.filter(|ty| !ty.is_opaque()) {
        let fields: Vec<String> = loaded.program.fields(ty);
        let _ = writeln!(text, "{} {{ {} }}", ty.name, fields.join(", "));
    }
    for ty in &loaded.program.hir().enums {
        let _ = writeln!(text, "{} {{ {} }}", ty.name, ty.list());
    }
    list(&mut text, "resources", &described.resources);
    output::print(&text)
}

/// The answers to an option.
fn offered(answers: &AnswersDescription) -> String {
    match (&answers.one_of, answers.numbers) {
        (Some(labels), _) => Offers::OneOf(Some(labels.clone())).words(),
        (None, Some([first, last])) => format!("{first} to {last}"),
        (None, None) => "depends on the roll".to_owned(),
    }
}

/// A line with some texts as JSON, if there are any.
fn list<'t>(text: &mut String, what: &str, texts: impl IntoIterator<Item = &'t String>) {
    let texts = texts.into_iter();
    let texts: Vec<String> = texts.map(|text| json!(text).to_string()).collect();
    if !texts.is_empty() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {what} {}", texts.join(", "));
    }
}
