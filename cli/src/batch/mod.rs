//! `dicec batch`: a table of encounters in, a table of odds out.
//!
//! ```text
//!  TABLE --feed, source--> rows --cell, questions--> tickets (question, tuple of values)
//!                                                   |
//!                            memo <--solve (rayon)--+ tuples not seen before
//!                              |
//!  OUT <--target-- sink <--block (rows in their order, answers, faults)
//! ```
//!
//! A question is an expression (`rules`) or the roll of a script (`scripted`). `naming` and `columns` decide before the first row what each of them is called, what it adds and what it reads. `block` is
//! the loop: it reads a block of rows, has all new tuples worked out at once, and writes the block, so that memory does
//! not grow with the table and the output does not depend on the threads.

mod answer;
pub(crate) mod args;
mod block;
mod cell;
mod columns;
mod fault;
mod feed;
mod lines;
mod memo;
mod naming;
mod notes;
mod patience;
mod questions;
mod rules;
mod scripted;
mod sink;
mod solve;
mod source;
#[cfg(test)]
mod tests;

use crate::args::Shared;
use crate::error::{CliError, FileCode, Finding};
use crate::output;
use crate::script::{BadHeader, Loaded, Varying, no_script};
use crate::target::Target;
use answer::Numbers;
use args::{BatchArgs, Format};
use block::{Batch, Policy};
use columns::Columns;
use dicec_compiler::{Backend, Program};
use dicec_runtime::driver::Control;
use naming::Named;
use questions::Asked;
use rules::{Fixed, Texts};
use scripted::Scripted;
use solve::{Method, Solver};
use source::Source;
use std::io::{self, IsTerminal};
use std::path::Path;

/// Runs the command.
///
/// # Errors
/// Anything that is wrong with the expressions or the table as a whole, and the first bad row unless `--on-error` says
/// otherwise.
pub(crate) fn run(args: &BatchArgs) -> Result<(), CliError> {
    let shared = &args.shared;
    if let Some(script) = &args.script {
        alone(args, script)?;
        let loaded = Loaded::read(script, &args.roll, shared)?;
        let (source, columns) = open(args)?;
        let scripted = bind_script(args, &loaded, &source, &columns)?;
        return work(args, source, columns, vec![scripted]);
    }
    only_for_scripts(args)?;
    let named = naming::name_all(&args.expressions);
    let programs = compile(&named, shared)?;
    let (source, columns) = open(args)?;
    let numbers = args.numbers();
    let mut asked = bind(&named, &programs, numbers, &columns)?;
    if let Some(column) = &args.expr_column {
        let column = columns.find(column)?;
        let name = args.odds_name.as_deref().unwrap_or("expr");
        asked.push(Asked::Texts(Texts::new(
            name,
            column,
            shared.compiler(),
            numbers,
        )));
    }
    work(args, source, columns, asked)
}

/// The table and what its columns give.
fn open(args: &BatchArgs) -> Result<(Source, Columns), CliError> {
    let flags = args.shared.table()?;
    let source = Source::open(&args.table, args.delimiter)?;
    let columns = Columns::new(source.path(), source.header(), flags);
    Ok((source, columns))
}

/// Answers these questions for each row.
fn work(
    args: &BatchArgs,
    source: Source,
    columns: Columns,
    asked: Vec<Asked<'_>>,
) -> Result<(), CliError> {
    let shared = &args.shared;
    let method = method(args);
    let control = Control::default();
    let solver = Solver::new(method.clone(), args.sample.threads, control.clone())?;
    let target = Target::open(args.output.as_deref(), "table")?;
    if args.output.is_some() {
        cancel_on_interrupt(&control);
    }
    let policy = Policy {
        on_error: args.on_error,
        format: format(args),
        json: shared.json,
        delimiter: args.delimiter,
        width: output::width(),
        is_watched: is_watched(args),
        reporter: shared.reporter(),
    };
    if matches!(method, Method::Sample(_)) && args.sample.seed.is_none() {
        notes::sampled_everywhere(&policy, &method);
    }
    Batch::new(source, columns, asked, solver, policy).run(target)
}

/// Holds the flags to a script, which is worked out alone.
fn alone(args: &BatchArgs, script: &Path) -> Result<(), CliError> {
    let shown = script.display();
    let wrong = |message: String, help: &str| {
        Err(Finding::general(FileCode::UnknownRoll.as_str(), message)
            .help(help)
            .into())
    };
    if script.extension().is_none_or(|end| end != "dice") {
        return wrong(
            format!("{shown} is no script: its name does not end in .dice"),
            "an expression stands behind -e: dicec batch TABLE -e EXPR",
        );
    }
    if args.table == Path::new("-") && args.roll.reads_standard_input() {
        return wrong(
            "standard input cannot be both the table and the arguments".to_owned(),
            "give one of them as a file",
        );
    }
    let flags = [
        ("-e", !args.expressions.is_empty()),
        ("--expr-column", args.expr_column.is_some()),
    ];
    for (flag, given) in flags {
        if given {
            return wrong(
                format!("{flag} gives an expression, but {shown} is what is worked out"),
                "work out the script and the expressions one after the other",
            );
        }
    }
    Ok(())
}

/// Refuses the flags that only a script has.
fn only_for_scripts(args: &BatchArgs) -> Result<(), CliError> {
    let option = args.decisions.is_given().then_some("--option");
    no_script(args.roll.given().or(option))?;
    if args.odds_name.is_some() && args.expr_column.is_none() {
        let message = "--as names the odds of --expr-column, or of a script's roll";
        let finding = Finding::general(FileCode::UnknownRoll.as_str(), message);
        return Err(finding
            .help("name an expression like this: -e NAME=EXPR")
            .into());
    }
    Ok(())
}

/// Finds the inputs of the script's roll.
fn bind_script<'s>(
    args: &'s BatchArgs,
    loaded: &'s Loaded,
    source: &Source,
    columns: &Columns,
) -> Result<Asked<'s>, CliError> {
    let roll = loaded.roll(&args.roll)?;
    let (path, header) = (source.path(), source.header());
    let varying = Varying::new(&loaded.script, roll.clone(), args.roll.base()?, header);
    let varying = varying.map_err(|wrong| {
        let finding = |wrong: BadHeader| {
            let place = Some((1, wrong.column as u64 + 1));
            Finding::in_file(FileCode::BadArguments.as_str(), path, place, wrong.message)
                .help(wrong.help)
        };
        let findings = wrong.into_iter().map(finding).collect();
        CliError { findings }
    })?;
    notes::near_misses(args.shared.reporter(), path, header, loaded, &varying);
    let name = args.odds_name.as_deref().unwrap_or(roll.name());
    let scripted = Scripted::new(
        name,
        loaded,
        varying,
        &args.decisions,
        args.numbers(),
        columns,
    )?;
    Ok(Asked::Script(Box::new(scripted)))
}

/// Compiles the expressions of `-e`; all errors of all of them are told at once.
fn compile(named: &[Named], shared: &Shared) -> Result<Vec<Program>, CliError> {
    let mut programs = Vec::with_capacity(named.len());
    let mut findings = Vec::new();
    for Named { name, text } in named {
        let origin = format!("expression {name}");
        match shared.compiler().rule(text) {
            Ok(program) => {
                shared.reporter().notes(program.notes(), &origin, text);
                programs.push(program);
            }
            Err(found) => findings.extend(CliError::rule(&found, &origin, text).findings),
        }
    }
    if findings.is_empty() {
        Ok(programs)
    } else {
        Err(CliError { findings })
    }
}

/// Finds the inputs of the expressions of `-e`.
fn bind<'p>(
    named: &'p [Named],
    programs: &'p [Program],
    numbers: Numbers,
    columns: &Columns,
) -> Result<Vec<Asked<'p>>, CliError> {
    let mut asked = Vec::with_capacity(programs.len());
    let mut findings = Vec::new();
    for (named, program) in named.iter().zip(programs) {
        match Fixed::new(&named.name, program, numbers, columns) {
            Ok(expression) => asked.push(Asked::Fixed(expression)),
            Err(error) => findings.extend(error.findings),
        }
    }
    if findings.is_empty() {
        Ok(asked)
    } else {
        Err(CliError { findings })
    }
}

fn method(args: &BatchArgs) -> Method {
    let backend = if args.interp {
        Backend::Interp
    } else {
        Backend::Jit
    };
    let simulation = args.sample.simulation(backend);
    if args.samples_always() {
        return Method::Sample(simulation);
    }
    let fallback = (!args.exact).then_some(simulation);
    Method::Exact(args.budget.limits(), fallback)
}

/// Whether the rows appear on a terminal.
fn is_watched(args: &BatchArgs) -> bool {
    args.output.is_none() && io::stdout().is_terminal()
}

/// What `auto` means here.
fn format(args: &BatchArgs) -> Format {
    match args.format {
        Format::Auto if is_watched(args) => Format::Table,
        Format::Auto => Format::Csv,
        chosen => chosen,
    }
}

/// Ctrl-C ends the run as an error does, so that no half-written file stays behind; a second one ends it at once. Without a
/// handler Ctrl-C still works, but leaves the temporary file.
fn cancel_on_interrupt(control: &Control) {
    let control = control.clone();
    let _ = ctrlc::set_handler(move || {
        if control.is_cancelled() {
            std::process::exit(130);
        }
        control.cancel();
    });
}
