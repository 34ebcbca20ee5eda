//! `dicec dh2e predicate`: whether a predicate holds.

use crate::error::{CliError, FileCode};
use crate::output;
use crate::report::Reporter;
use crate::scenario::Document;
use clap::Args;
use dicec_games::dh2e::{At, Notes, Options, Predicate};
use serde::Serialize;

/// Tell whether a predicate holds when some options are set
#[derive(Args, Debug)]
pub(super) struct PredicateArgs {
    /// The predicate: JSON, a file with it, or `-` for standard input
    #[arg(value_name = "JSON")]
    predicate: String,
    /// An option that is set; may be repeated
    #[arg(long = "option", value_name = "OPTION")]
    options: Vec<String>,
    /// Print JSON, errors too
    #[arg(long)]
    pub(super) json: bool,
}

/// The output of `dicec dh2e predicate --json`.
#[derive(Serialize)]
struct PredicateJson {
    /// Whether it holds.
    result: bool,
}

pub(super) fn run(args: &PredicateArgs) -> Result<(), CliError> {
    let document = Document::read(&args.predicate, "predicate").map_err(|mut error| {
        // Who writes an option as it is forgets that it is a text.
        let help = format!("the option alone is '\"{}\"'", args.predicate);
        let missing = error.findings.iter_mut();
        missing
            .filter(|finding| finding.code == FileCode::Unreadable.as_str())
            .for_each(|finding| finding.help = Some(help.clone()));
        error
    })?;
    let mut notes = Notes::default();
    let predicate = Predicate::read(At::root(&document.json), &mut notes);
    document.tell(&notes, Reporter::new(args.json));
    let options: Options = args.options.iter().map(String::as_str).collect();
    let result = predicate.holds(&options);
    match args.json {
        true => output::json(&PredicateJson { result }),
        false => output::print(if result { "holds\n" } else { "does not hold\n" }),
    }
}
