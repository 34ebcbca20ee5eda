//! The command line, and what a run of it ends with.

mod args;
mod columns;
mod output;
mod report;

use args::Args;
use clap::Parser;
use dicec_lang::syntax::{FileCode, Finding};
use dicec_sql::{Session, SqlError, answering};
use futures::StreamExt;
use output::Output;
use report::Reporter;
use std::ffi::OsString;
use std::io::{self, Read};
use std::process::ExitCode;

/// Runs the command line; the exit code is 0, 1 for an error and 2 for a command line that makes
/// no sense.
pub(crate) fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words: Vec<OsString> = args.into_iter().collect();
    let is_json = words.iter().any(|word| word == "--json");
    let reporter = Reporter::new(is_json);
    let args = match Args::try_parse_from(words) {
        Ok(args) => args,
        Err(error) => return reporter.usage(&error),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let ended = match runtime {
        Ok(runtime) => runtime.block_on(answering(answer(&args, reporter))),
        Err(why) => {
            let message = format!("could not start the worker threads: {why}");
            Err(Finding::general(FileCode::NoNativeCode.as_str(), message).into())
        }
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            reporter.error(&error);
            ExitCode::FAILURE
        }
    }
}

/// Answers a statement.
async fn answer(args: &Args, reporter: Reporter) -> Result<(), SqlError> {
    let statement = statement(args)?;
    let session = match &args.cluster {
        Some(address) => Session::remote(address, args.partitions()).await?,
        None => Session::new(args.partitions(), args.memory())?,
    };
    let frame = session.sql(&statement).await?;
    let schema = frame.schema().inner().clone();
    let mut rows = frame.execute_stream().await.map_err(SqlError::from)?;
    // What is wrong with the first rows is told before a header is written.
    let mut next = rows.next().await.transpose().map_err(SqlError::from)?;
    let mut output = Output::open(args, &schema)?;
    while let Some(batch) = next {
        if !output.write(&batch)? {
            // The reader of a pipe went away, as `head` does.
            return Ok(());
        }
        next = rows.next().await.transpose().map_err(SqlError::from)?;
    }
    output.end()?;
    for note in session.questions().notes()? {
        reporter.note(&note);
    }
    Ok(())
}

/// The statement, which may come from standard input.
fn statement(args: &Args) -> Result<String, SqlError> {
    if args.statement != "-" {
        return Ok(args.statement.clone());
    }
    let mut text = String::new();
    let read = io::stdin().read_to_string(&mut text);
    read.map_err(|why| {
        let message = format!("cannot read the statement: {why}");
        let code = FileCode::Unreadable.as_str();
        Finding::in_file(code, "standard input", None, message)
    })?;
    Ok(text)
}
