//! `dicec fmt`: scripts in their normal layout.

use crate::args::SourceArgs;
use crate::error::{CliError, FileCode, Finding};
use crate::output;
use crate::rule::read_source;
use crate::target::Target;
use clap::Args;
use dicec_lang::front::script;
use dicec_lang::syntax::Sources;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  dicec fmt attack.dice duel.dice      in place
  dicec fmt --check *.dice             which ones would change?
  dicec fmt - < attack.dice            to standard output";

/// Write scripts in their normal layout; comments stay
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FmtArgs {
    /// The scripts; `-` formats standard input to standard output
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Change nothing; fail if a file would change
    #[arg(long)]
    check: bool,
    /// Print JSON, errors too
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    source: SourceArgs,
}

/// The output of `dicec fmt --json`.
#[derive(Serialize)]
struct FmtJson {
    /// In the order of the command line.
    files: Vec<FileJson>,
}

/// A file that was formatted.
#[derive(Serialize)]
struct FileJson {
    file: String,
    /// Whether it was rewritten.
    changed: bool,
}

pub(crate) fn run(args: &FmtArgs) -> Result<(), CliError> {
    let mut files = Vec::new();
    let mut findings = Vec::new();
    for path in &args.files {
        // One wrong script does not keep the others from being formatted.
        match format_file(path, args) {
            Ok(file) => files.extend(file),
            Err(error) if error.is_closed_pipe() => return Err(error),
            Err(error) => findings.extend(error.findings),
        }
    }
    report(files, args)?;
    CliError::of(findings)
}

/// Formats a file; standard input has nothing to tell.
fn format_file(path: &Path, args: &FmtArgs) -> Result<Option<FileJson>, CliError> {
    let limits = args.source.limits();
    let (file, text) = read_source(path, false, "script", limits)?;
    let formatted = script::format(&text, limits)
        .map_err(|found| CliError::found(&found, &Sources::single(file.as_str(), &text)))?;
    let changed = formatted != text;
    let is_stream = path == Path::new("-");
    if args.check && changed {
        let message = "this script is not in its normal layout";
        let finding = Finding::in_file(FileCode::Unformatted.as_str(), &file, None, message);
        return Err(finding.help("`dicec fmt` without --check writes it").into());
    }
    if !args.check && (changed || is_stream) {
        write(path, &formatted, is_stream)?;
    }
    Ok((!is_stream).then_some(FileJson { file, changed }))
}

fn write(path: &Path, formatted: &str, is_stream: bool) -> Result<(), CliError> {
    let mut target = Target::open((!is_stream).then_some(path), "script")?;
    let failed = target.on_failure();
    target.write_all(formatted.as_bytes()).map_err(failed)?;
    target.commit()
}

fn report(files: Vec<FileJson>, args: &FmtArgs) -> Result<(), CliError> {
    if files.is_empty() {
        return Ok(());
    }
    if args.json {
        return output::json(&FmtJson { files });
    }
    let changed = files.iter().filter(|file| file.changed);
    let lines: String = changed
        .map(|file| format!("formatted {}\n", file.file))
        .collect();
    output::print(&lines)
}
