//! `dicec batch`: a table of encounters in, a table of odds out.
//!
//! ```text
//!  TABLE --input, tables--> rows, joined --> dicec_tables::Batch --> answers
//!                                                                      |
//!           OUT <--target-- sink <--block (rows in their order, answers, faults)
//! ```
//!
//! `job` asks the questions, also for `odds` and `sim` with `--sweep`. `naming` names each question
//! before the first row. `block` is the loop: it reads a block of rows, lets the library compute
//! it, and writes it, so that memory does not grow with the table. `cluster` sends a run elsewhere
//! instead, as a statement of SQL.

pub(crate) mod args;
mod block;
mod cluster;
mod fault;
mod fights;
mod files;
mod formats;
mod input;
mod job;
mod naming;
mod notes;
mod picture;
mod policy;
mod scenarios;
pub(crate) mod swept;
mod table_sink;
mod tables;
#[cfg(test)]
mod tests;

use crate::args::Shared;
use crate::bestiary::bestiary;
use crate::error::{CliError, FileCode, Finding};
use crate::exit::ExitCode;
use crate::loaded::Loaded;
use crate::scenario::is_scenario;
use crate::script::no_script;
use args::BatchArgs;
use dicec_runtime::control::Control;
use dicec_tables::{AnyDiceCells, Named, Variables, Varying};
use job::{ask_rules, no_column};
use std::path::Path;
use std::sync::Arc;
use tables::Tables;

/// Runs the command.
///
/// # Errors
/// Anything that is wrong with the expressions or the table as a whole, and the first bad row
/// unless `--on-error` says otherwise.
pub(crate) fn run(args: &BatchArgs) -> Result<ExitCode, CliError> {
    let (shared, job) = (&args.shared, args.job());
    only_cells(args)?;
    if let Some(script) = &args.script {
        only_script(args, script)?;
        let loaded = Loaded::script(script, &args.roll, job.purpose(), shared)?;
        let loaded = loaded.conditional(args.given.as_deref(), &args.roll)?;
        let roll = loaded.roll(&args.roll)?;
        swept::check_script(&args.sweep, &loaded, &roll)?;
        let is_plain =
            |name: &str| Varying::names_part(&roll, name) || scenarios::is_change(&loaded, name);
        let tables = Tables::open(args, is_plain)?;
        let control = Control::default();
        let mut batch = job.batch(&tables, &control)?;
        if !job.ask_scenario(&loaded, &tables.places, &mut batch)? {
            job.ask_roll(&loaded, roll, &tables.places, &mut batch)?;
        }
        job.work(tables, batch, &control, &[])?;
        return Ok(ExitCode::SUCCESS);
    }
    no_script(args.roll.given().or(args.decisions.given()))?;
    if let Some(sides) = &args.encounter {
        fight(args, sides)?;
        return Ok(ExitCode::SUCCESS);
    }
    cluster::check(args)?;
    check_column_names(args)?;
    let mut named = Named::all(&args.expressions);
    let rules = compile(&named, shared)?.into_iter();
    let rules = rules.map(|rule| rule.conditional(args.given.as_deref(), &args.roll));
    let rules = rules.collect::<Result<Vec<Loaded>, CliError>>()?;
    let columns = naming::name_columns(&args.expr_column, &args.odds_names, &args.expressions);
    naming::check_names(named.iter().chain(&columns))?;
    if columns.is_empty() {
        swept::check_rules(&args.sweep, &rules)?;
    }
    let tables = Tables::open(args, |_| false)?;
    let control = Control::default();
    let mut batch = job.batch(&tables, &control)?;
    ask_rules(&named, &rules, &tables.places, &mut batch)?;
    if let Some(address) = &args.cluster {
        return cluster::run(args, address, &named, &rules, (&tables, &batch));
    }
    let swept = tables.places.swept();
    let cells = AnyDiceCells {
        is_every: shared.is_anydice(),
        variables: Variables {
            columns: swept.collect(),
            given: Vec::new(),
        },
    };
    for (heading, of_column) in args.expr_column.iter().zip(columns) {
        let Some(column) = batch.columns().find(heading) else {
            return Err(no_column(&tables.places, batch.columns(), heading, None).into());
        };
        batch.ask_column(&of_column.name, column, shared.compiler(), &cells);
        named.push(of_column);
    }
    job.work(tables, batch, &control, &named)?;
    Ok(ExitCode::SUCCESS)
}

/// Fights the encounter of each row.
fn fight(args: &BatchArgs, sides: &str) -> Result<(), CliError> {
    let bestiary = bestiary(args.shared.resources.bestiaries(), None, args.shared.json)?;
    let (job, tables) = (args.job(), Tables::open(args, |_| true)?);
    let columns = fights::columns(&tables.places, sides, &bestiary)?;
    let control = Control::default();
    let mut batch = job.batch(&tables, &control)?;
    let name = job.name.unwrap_or_default();
    if args.odds_names.len() > 1 {
        let message = "--as names the odds of the encounters once";
        let finding = Finding::general(FileCode::UnknownRoll.as_str(), message);
        return Err(finding.help("leave all but one out").into());
    }
    batch.ask_fights(name, columns, Arc::new(bestiary));
    job.work(tables, batch, &control, &[])
}

/// Refuses `-d anydice` for anything but the cells of a column.
fn only_cells(args: &BatchArgs) -> Result<(), CliError> {
    let is_column = !args.expr_column.is_empty() && args.expressions.is_empty();
    if !args.shared.is_anydice() || is_column {
        return Ok(());
    }
    let message = "-d anydice reads the programs of a column, and nothing else";
    let finding = Finding::general(FileCode::UnknownRoll.as_str(), message);
    let help = "name the column with --expr-column; a program for all rows runs with dicec odds";
    Err(finding.help(help).into())
}

/// Refuses flags that make no sense next to a script.
fn only_script(args: &BatchArgs, script: &Path) -> Result<(), CliError> {
    let shown = script.display();
    let wrong = |message: String, help: &str| {
        Err(Finding::general(FileCode::UnknownRoll.as_str(), message)
            .help(help)
            .into())
    };
    if script.extension().is_none_or(|end| end != "dice") && !is_scenario(script) {
        let help = match formats::is_table(script) {
            true => {
                "several files are one table as a folder, or as a pattern in quotes: 'foes/*.csv'"
            }
            false => "put an expression after -e: dicec batch TABLE -e EXPR",
        };
        let message = format!("{shown} is not a script: its name does not end in .dice");
        return wrong(message, help);
    }
    if args.table == Path::new("-") && args.roll.reads_standard_input() {
        return wrong(
            "standard input cannot be both the table and the arguments".to_owned(),
            "give one of them as a file",
        );
    }
    if args.odds_names.len() > 1 {
        let help = "leave all but one out";
        return wrong(
            "--as names the odds of the script's roll once".to_owned(),
            help,
        );
    }
    let flags = [
        ("-e", !args.expressions.is_empty()),
        ("--expr-column", !args.expr_column.is_empty()),
    ];
    for (flag, given) in flags {
        if given {
            return wrong(
                format!("{flag} gives an expression, but {shown} is to be worked out"),
                "work out the script and the expressions one after the other",
            );
        }
    }
    Ok(())
}

/// Refuses more names than there are columns of expressions.
fn check_column_names(args: &BatchArgs) -> Result<(), CliError> {
    if args.odds_names.len() > args.expr_column.len() {
        let message = "--as names the odds of --expr-column, or of a script's roll";
        let finding = Finding::general(FileCode::UnknownRoll.as_str(), message);
        let help = match args.expr_column.len() {
            0 => "name an expression like this: -e NAME=EXPR",
            _ => "give one --as for each --expr-column, in their order",
        };
        return Err(finding.help(help).into());
    }
    Ok(())
}

/// Compiles the expressions of `-e`; all errors of all of them are reported at once.
fn compile(named: &[Named], shared: &Shared) -> Result<Vec<Loaded>, CliError> {
    let compiled = named.iter();
    let compiled = compiled.map(|named| Loaded::expression(&named.origin(), &named.text, shared));
    let (good, bad): (Vec<_>, Vec<_>) = compiled.partition(Result::is_ok);
    let bad = bad.into_iter().filter_map(Result::err);
    CliError::of(bad.flat_map(|error| error.findings))?;
    Ok(good.into_iter().flatten().collect())
}
