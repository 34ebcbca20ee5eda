//! `dicec batch`: a table of encounters in, a table of odds out.
//!
//! ```text
//!  TABLE --input, tables--> rows, joined --> dicec_tables::Batch --> answers
//!                                                                      |
//!           OUT <--target-- sink <--block (rows in their order, answers, faults)
//! ```
//!
//! `naming` decides before the first row what each question is called. `block` is the loop: it
//! reads a block of rows, has the library work it out, and writes it, so that memory does not grow
//! with the table.

pub(crate) mod args;
mod block;
mod fault;
mod input;
mod naming;
mod notes;
mod sink;
mod tables;
#[cfg(test)]
mod tests;

use crate::args::Shared;
use crate::error::{CliError, FileCode, Finding};
use crate::interrupt::on_interrupt;
use crate::loaded::Loaded;
use crate::output;
use crate::script::no_script;
use crate::target::Target;
use args::{BatchArgs, Format};
use block::{Policy, Run};
use dicec_compiler::{Backend, Roll};
use dicec_runtime::control::Control;
use dicec_tables::{BadHeader, BadRoll, Batch, Columns, Method, Varying};
use fault::{Places, missing};
use naming::Named;
use std::io::{self, IsTerminal};
use std::path::Path;
use tables::Tables;

/// Runs the command.
///
/// # Errors
/// Anything that is wrong with the expressions or the table as a whole, and the first bad row
/// unless `--on-error` says otherwise.
pub(crate) fn run(args: &BatchArgs) -> Result<(), CliError> {
    let shared = &args.shared;
    if let Some(script) = &args.script {
        only_script(args, script)?;
        let loaded = Loaded::script(script, &args.roll, shared)?;
        let roll = loaded.roll(&args.roll)?;
        let tables = Tables::open(args, |name| Varying::names_part(&roll, name))?;
        let control = Control::default();
        let mut batch = batch(args, &tables, &control)?;
        ask_roll(args, &loaded, roll, &tables.places, &mut batch)?;
        return work(args, tables, batch, &control, &[]);
    }
    only_for_scripts(args)?;
    let mut named = naming::name_all(&args.expressions);
    let rules = compile(&named, shared)?;
    let tables = Tables::open(args, |_| false)?;
    let control = Control::default();
    let mut batch = batch(args, &tables, &control)?;
    ask_rules(&named, &rules, &tables.places, &mut batch)?;
    if let Some(name) = &args.expr_column {
        let Some(column) = batch.columns().find(name) else {
            return Err(no_column(&tables.places, batch.columns(), name, None).into());
        };
        let name = args.odds_name.as_deref().unwrap_or("expr");
        batch.ask_column(name, column, shared.compiler());
        named.push(Named::of_column(name));
    }
    work(args, tables, batch, &control, &named)
}

/// The run over the table, without questions yet.
fn batch(args: &BatchArgs, tables: &Tables, control: &Control) -> Result<Batch, CliError> {
    let columns = Columns::new(&tables.places.header, args.shared.table()?);
    let threads = args.sample.threads;
    let batch = Batch::controlled(
        columns,
        method(args),
        args.numbers(),
        threads,
        control.clone(),
    );
    batch.map_err(|why| Finding::general(FileCode::NoNativeCode.as_str(), why).into())
}

/// Answers the questions for each row.
fn work(
    args: &BatchArgs,
    tables: Tables,
    batch: Batch,
    control: &Control,
    named: &[Named],
) -> Result<(), CliError> {
    let shared = &args.shared;
    let target = Target::open(args.output.as_deref(), "table")?;
    if args.output.is_some() {
        // It ends as an error does, so that no half-written file stays behind.
        let control = control.clone();
        on_interrupt(move || control.cancel());
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
    if matches!(batch.method(), Method::Sample(_)) && args.sample.seed.is_none() {
        notes::sampled_everywhere(&policy, batch.method());
    }
    Run::new(tables, batch, named, policy).run(target)
}

/// Refuses flags that make no sense next to a script.
fn only_script(args: &BatchArgs, script: &Path) -> Result<(), CliError> {
    let shown = script.display();
    let wrong = |message: String, help: &str| {
        Err(Finding::general(FileCode::UnknownRoll.as_str(), message)
            .help(help)
            .into())
    };
    if script.extension().is_none_or(|end| end != "dice") {
        return wrong(
            format!("{shown} is not a script: its name does not end in .dice"),
            "put an expression after -e: dicec batch TABLE -e EXPR",
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
                format!("{flag} gives an expression, but {shown} is to be worked out"),
                "work out the script and the expressions one after the other",
            );
        }
    }
    Ok(())
}

/// Refuses the flags that only a script has.
fn only_for_scripts(args: &BatchArgs) -> Result<(), CliError> {
    no_script(args.roll.given().or(args.decisions.given()))?;
    if args.odds_name.is_some() && args.expr_column.is_none() {
        let message = "--as names the odds of --expr-column, or of a script's roll";
        let finding = Finding::general(FileCode::UnknownRoll.as_str(), message);
        return Err(finding
            .help("name an expression like this: -e NAME=EXPR")
            .into());
    }
    Ok(())
}

/// Asks for the odds of the script's roll.
fn ask_roll(
    args: &BatchArgs,
    loaded: &Loaded,
    roll: Roll,
    places: &Places,
    batch: &mut Batch,
) -> Result<(), CliError> {
    let header = &places.header;
    let given = args.roll.base()?;
    let varying = Varying::new(roll.clone(), given.json.clone(), header);
    let varying = varying.map_err(|wrong| {
        let finding = |wrong: BadHeader| {
            let (path, column) = places.heading(wrong.column);
            let code = FileCode::BadArguments.as_str();
            Finding::in_file(code, path, Some((1, column)), wrong.message).help(wrong.help)
        };
        let findings = wrong.into_iter().map(finding).collect();
        CliError { findings }
    })?;
    notes::near_misses(args.shared.reporter(), places, loaded, &varying);
    let decisions = args.decisions.all(&loaded.program)?;
    let name = args.odds_name.as_deref().unwrap_or(roll.name());
    let asked = batch.ask_roll(name, varying, &decisions);
    asked.map_err(|BadRoll { arguments, missing }| {
        let columns = batch.columns();
        let wrong = arguments.iter().map(|error| match error.found.as_str() {
            // Nothing is there, and no column gives it.
            "nothing" => {
                let expected = &error.expected;
                let help = format!("give it with --args or --set; its type is {expected}");
                no_column(places, columns, &error.path, Some(&help))
            }
            _ => given.finding(&roll, error),
        });
        let missing = missing
            .iter()
            .map(|used| fault::missing(places, columns, used, loaded.location(used.span)));
        let findings = wrong.chain(missing).collect();
        CliError { findings }
    })
}

/// The error of a column that is not there, and what else can be done about it.
fn no_column(places: &Places, columns: &Columns, name: &str, help: Option<&str>) -> Finding {
    let suggestion = columns.suggest(name);
    let (message, help) = match help {
        None => (places.without(name), suggestion),
        Some(help) => (places.without(name), format!("{suggestion}; or {help}")),
    };
    let code = FileCode::MissingColumn.as_str();
    Finding::in_file(code, &places.path, Some((1, 1)), message).help(help)
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

/// Asks for the odds of the expressions of `-e`.
fn ask_rules(
    named: &[Named],
    rules: &[Loaded],
    places: &Places,
    batch: &mut Batch,
) -> Result<(), CliError> {
    let mut findings = Vec::new();
    for (named, rule) in named.iter().zip(rules) {
        let Err(lacking) = batch.ask_rule(&named.name, &rule.program) else {
            continue;
        };
        let columns = batch.columns();
        let finding = |used| missing(places, columns, used, rule.location(used.span));
        findings.extend(lacking.iter().map(finding));
    }
    CliError::of(findings)
}

fn method(args: &BatchArgs) -> Method {
    let backend = if args.interp {
        Backend::Interp
    } else {
        Backend::Jit
    };
    let simulation = args.sample.simulation(backend, args.script.is_some());
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
