//! `dicec batch --cluster`: the run as a statement of SQL, which `dicec-sql` sends to a cluster.
//! Everything is checked here before it is sent, as for a run on this machine.

use super::args::BatchArgs;
use super::naming;
use super::tables::Tables;
use crate::commands::sql;
use crate::error::{CliError, FileCode, Finding};
use crate::exit::ExitCode;
use crate::loaded::Loaded;
use dicec_runtime::bug;
use dicec_runtime::bug::Bug;
use dicec_runtime::driver::Extent;
use dicec_runtime::resource::ResourceTable;
use dicec_tables::{Batch, Columns, Field, Group, Method, Named, Written};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Sends the run to the cluster at `address`.
///
/// # Errors
/// What is wrong with the rules or the header, or that `dicec-sql` is not there.
pub(super) fn run(
    args: &BatchArgs,
    address: &str,
    named: &[Named],
    rules: &[Loaded],
    (tables, batch): (&Tables, &Batch),
) -> Result<ExitCode, CliError> {
    let statement = Statement {
        columns: batch.columns(),
        given: args.shared.table()?,
        method: batch.method(),
        groups: batch.groups(),
    };
    naming::check_added(&tables.places, &statement.groups, false)?;
    let text = statement.text(named, rules, &from(args))?;
    let mut words: Vec<OsString> = ["--cluster", address].map(OsString::from).into();
    if let Some(path) = &args.output {
        words.extend([OsString::from("--output"), path.into()]);
    }
    if args.shared.json {
        words.push("--json".into());
    }
    if args.format != Written::Auto {
        words.extend(["--format", args.format.name()].map(OsString::from));
    }
    words.extend(["--", &text].map(OsString::from));
    sql::hand_over(
        words
            .iter()
            .map(OsString::as_os_str)
            .collect::<Vec<&OsStr>>(),
    )
}

/// Refuses what the machines of a cluster cannot read.
///
/// # Errors
/// A table is standard input.
pub(super) fn check(args: &BatchArgs) -> Result<(), CliError> {
    let mut tables = [Some(&args.table), args.targets.as_ref()].into_iter();
    if args.cluster.is_none() || !tables.any(|table| table == Some(&PathBuf::from("-"))) {
        return Ok(());
    }
    let message = "the machines of a cluster cannot read standard input";
    let finding = Finding::general(FileCode::NotOnCluster.as_str(), message);
    Err(finding
        .help("give the table as a file that all can read")
        .into())
}

/// The tables, as SQL names them.
fn from(args: &BatchArgs) -> String {
    let name = |path: &Path| quoted(&path.display().to_string(), '\'');
    let table = name(&args.table);
    match &args.targets {
        None => table,
        Some(targets) => format!("dice_matchups({table}, {})", name(targets)),
    }
}

/// What the statement is made of.
struct Statement<'a> {
    columns: &'a Columns,
    given: ResourceTable,
    method: &'a Method,
    groups: Vec<Group>,
}

impl Statement<'_> {
    /// All columns of the tables, and those that each rule adds.
    fn text(&self, named: &[Named], rules: &[Loaded], from: &str) -> Result<String, CliError> {
        let mut calls = Vec::new();
        let mut added = Vec::new();
        for (index, (named, rule)) in named.iter().zip(rules).enumerate() {
            // No column of a table that a rule reads is called so.
            let odds = quoted(&format!("[{}]", named.name), '"');
            calls.push(format!("{} AS {odds}", self.call(rule)?));
            let group = self.groups.get(index);
            for field in group.iter().flat_map(|group| &group.fields) {
                added.extend(group.map(|group| part(group, *field, &odds)));
            }
        }
        let own = self.columns.names().iter().map(|name| quoted(name, '"'));
        let own = own.collect::<Vec<_>>().join(", ");
        let added = added.join(", ");
        let calls = calls.join(", ");
        Ok(format!(
            "SELECT {own}, {added} FROM (SELECT *, {calls} FROM {from})"
        ))
    }

    /// The call of a function that gives the odds of a rule.
    fn call(&self, rule: &Loaded) -> Result<String, CliError> {
        let program = &rule.program;
        let text = quoted(program.text(), '\'');
        let (function, simulation) = match self.method {
            Method::Exact(..) => ("dice_odds", String::new()),
            Method::Sample(simulation) => match simulation.extent {
                Extent::Trials(trials) => ("dice_sim", format!(", {trials}, {}", simulation.seed)),
                Extent::Precision { .. } | Extent::OfRange { .. } => {
                    let message = "a cluster samples a number of trials, not until it is precise";
                    let finding = Finding::general(FileCode::NotOnCluster.as_str(), message);
                    return Err(finding.help("give the number of trials with -n").into());
                }
            },
        };
        let resources = program.resources().iter().map(|used| {
            let name = used.name.to_string();
            let value = match self.columns.find(&name) {
                Some(column) => quoted(&self.columns.names()[column], '"'),
                None => {
                    let given = self.given.get(&used.name);
                    given
                        .ok_or_else(|| bug!("a resource without a value"))?
                        .to_string()
                }
            };
            Ok(format!(", {}, {value}", quoted(&name, '\'')))
        });
        let resources = resources.collect::<Result<String, Bug>>()?;
        Ok(match resources.strip_prefix(", ") {
            None => format!("{function}({text}{simulation})"),
            Some(named) => format!("{function}({text}{simulation}, named_struct({named}))"),
        })
    }
}

/// A column that a rule adds, out of the structure of its odds.
fn part(group: &Group, field: Field, odds: &str) -> String {
    let name = quoted(&group.column(field), '"');
    let part = format!("{odds}[{}]", quoted(group.suffix(field), '\''));
    format!("{part} AS {name}")
}

/// A text as SQL quotes it.
fn quoted(text: &str, quote: char) -> String {
    let inner = text.replace(quote, &format!("{quote}{quote}"));
    format!("{quote}{inner}{quote}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Shared;
    use dicec_compiler::Simulation;
    use dicec_runtime::pmf::Limits;
    use dicec_runtime::resource::ResourceName;
    use dicec_tables::Numbers;

    /// The statement for these expressions over a table with an attack and a name.
    fn statement(given: &[&str], method: Method) -> String {
        let shared = Shared::without_flags(false);
        let expressions: Vec<String> = given.iter().map(|text| (*text).to_owned()).collect();
        let named = Named::all(&expressions);
        let rules = named.iter().map(|named| {
            Loaded::expression(&named.origin(), &named.text, &shared).expect("a rule")
        });
        let rules: Vec<Loaded> = rules.collect();
        let mut table = ResourceTable::new();
        table.set(ResourceName::parse("Bless"), 2);
        let header = ["Attack \"x\"", "It's"].map(str::to_owned);
        let columns = Columns::new(&header, table.clone());
        let batch = Batch::new(columns, method, Numbers::Quantiles);
        let mut batch = batch.expect("threads");
        for (named, rule) in named.iter().zip(&rules) {
            batch
                .ask_rule(&named.name, &rule.program)
                .expect("the columns are there");
        }
        let statement = Statement {
            columns: batch.columns(),
            given: table,
            method: batch.method(),
            groups: batch.groups(),
        };
        let text = statement.text(&named, &rules, "'party.csv'");
        text.expect("it is about trials")
    }

    #[test]
    fn a_run_is_a_statement() {
        let exact = Method::Exact(Limits::default(), None);
        assert_eq!(
            statement(&["hit=1d20 + [Attack \"x\"] + [Bless] >= 15"], exact),
            "SELECT \"Attack \"\"x\"\"\", \"It's\", \"[hit]\"['p'] AS \"hit_p\" FROM (SELECT *, \
             dice_odds('1d20 + [Attack \"x\"] + [Bless] >= 15', named_struct('Attack \"x\"', \
             \"Attack \"\"x\"\"\", 'Bless', 2)) AS \"[hit]\" FROM 'party.csv')"
        );
        let sampled = Method::Sample(Simulation::trials(1000).seed(7));
        assert_eq!(
            statement(&["d=2d6"], sampled),
            "SELECT \"Attack \"\"x\"\"\", \"It's\", \"[d]\"['mean'] AS \"d_mean\", \"[d]\"['sd'] AS \
             \"d_sd\", \"[d]\"['p5'] AS \"d_p5\", \"[d]\"['p50'] AS \"d_p50\", \"[d]\"['p95'] AS \
             \"d_p95\", \"[d]\"['se'] AS \"d_se\" FROM (SELECT *, dice_sim('2d6', 1000, 7) AS \
             \"[d]\" FROM 'party.csv')"
        );
    }
}
