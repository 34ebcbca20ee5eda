//! `dicec describe`: what an application needs to know of a script.

use crate::args::Shared;
use crate::error::CliError;
use crate::output;
use crate::script::{Loaded, ScriptArgs};
use clap::Args;
use serde_json::Value;
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
    let loaded = Loaded::read(&args.file, &ScriptArgs::default(), &args.shared)?;
    let described = loaded.script.describe();
    if args.shared.json {
        return output::json(&described);
    }
    let mut text = String::new();
    for roll in loaded.script.rolls() {
        let params = roll.parameters();
        let params: Vec<String> = params
            .iter()
            .map(|(name, ty)| format!("{name}: {ty}"))
            .collect();
        let (label, name) = (roll.label(), roll.name());
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{name} {label:?}\n  takes ({})", params.join(", "));
        let all = described["rolls"].as_array().into_iter().flatten();
        if let Some(json) = all.into_iter().find(|json| json["name"] == name) {
            for (what, key) in [
                ("offers", "options"),
                ("counts", "stats"),
                ("says", "outputs"),
            ] {
                list(&mut text, what, &json[key]);
            }
        }
    }
    for ty in &loaded.script.hir().types {
        let fields: Vec<String> = loaded.script.fields(ty);
        let _ = writeln!(text, "{} {{ {} }}", ty.name, fields.join(", "));
    }
    list(&mut text, "resources", &described["resources"]);
    output::print(&text)
}

/// A line with the texts of a JSON list, if there are any.
fn list(text: &mut String, what: &str, json: &Value) {
    let texts: Vec<String> = json
        .as_array()
        .into_iter()
        .flatten()
        .map(ToString::to_string)
        .collect();
    if !texts.is_empty() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {what} {}", texts.join(", "));
    }
}
