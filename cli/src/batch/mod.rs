//! `dicec batch`: a table of encounters in, a table of odds out.
//!
//! ```text
//!  TABLE --feed, source--> rows --cell, rules--> tickets (expression, tuple of values)
//!                                                   |
//!                            memo <--solve (rayon)--+ tuples not seen before
//!                              |
//!  OUT <--target-- sink <--block (rows in their order, answers, faults)
//! ```
//!
//! `naming` and `columns` decide before the first row what each expression is called, what it adds and what it reads. `block` is
//! the loop: it reads a block of rows, has all new tuples worked out at once, and writes the block, so that memory does
//! not grow with the table and the output does not depend on the threads.

mod answer;
pub(crate) mod args;
mod block;
mod cell;
mod columns;
mod fault;
mod feed;
mod memo;
mod naming;
mod notes;
mod rules;
mod sink;
mod solve;
mod source;
#[cfg(test)]
mod tests;

use crate::args::Shared;
use crate::error::CliError;
use crate::output;
use crate::target::Target;
use args::{BatchArgs, Format};
use block::{Batch, Policy};
use columns::Columns;
use dicec_compiler::{Backend, Program};
use dicec_runtime::driver::Control;
use naming::Named;
use rules::{Fixed, Texts};
use solve::{Method, Solver};
use source::Source;
use std::io::{self, IsTerminal};
use std::sync::Arc;

/// Runs the command.
///
/// # Errors
/// Anything that is wrong with the expressions or the table as a whole, and the first bad row unless `--on-error` says
/// otherwise.
pub(crate) fn run(args: &BatchArgs) -> Result<(), CliError> {
    let shared = &args.shared;
    let named = naming::name_all(&args.expressions);
    let programs = compile(&named, shared)?;
    let flags = shared.table()?;
    let source = Source::open(&args.table, args.delimiter)?;
    let columns = Columns::new(source.path(), source.header(), flags);
    let fixed = bind(&named, &programs, &columns)?;
    let texts = match &args.expr_column {
        Some(column) => {
            let column = columns.find(column)?;
            Some(Texts::new(&args.expr_name, column, shared.compiler()))
        }
        None => None,
    };
    let method = method(args);
    let control = Arc::new(Control::default());
    let solver = Solver::new(method, args.sample.threads, Arc::clone(&control))?;
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
    Batch::new(source, columns, fixed, texts, solver, policy).run(target)
}

/// Compiles the expressions of `-e`; all errors of all of them are told at once.
fn compile(named: &[Named], shared: &Shared) -> Result<Vec<Program>, CliError> {
    let mut programs = Vec::with_capacity(named.len());
    let mut findings = Vec::new();
    for Named { name, text } in named {
        let origin = format!("expression {name}");
        match shared.compiler().compile(text) {
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
    columns: &Columns,
) -> Result<Vec<Fixed<'p>>, CliError> {
    let mut fixed = Vec::with_capacity(programs.len());
    let mut findings = Vec::new();
    for (named, program) in named.iter().zip(programs) {
        match Fixed::new(&named.name, program, columns) {
            Ok(expression) => fixed.push(expression),
            Err(error) => findings.extend(error.findings),
        }
    }
    if findings.is_empty() {
        Ok(fixed)
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
fn cancel_on_interrupt(control: &Arc<Control<'static>>) {
    let control = Arc::clone(control);
    let _ = ctrlc::set_handler(move || {
        if control.is_cancelled() {
            std::process::exit(130);
        }
        control.cancel();
    });
}
