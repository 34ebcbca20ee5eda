//! The job of a run over a table, for all commands: `batch`, or `odds` and `sim` with `--sweep`.

use super::args::BatchArgs;
use super::block::Run;
use super::fault::{self, Places, missing};
use super::formats;
use super::notes;
use super::picture::Picture;
use super::policy::{OnError, Policy};
use super::scenarios;
use super::tables::Tables;
use crate::args::Shared;
use crate::checks::CheckArgs;
use crate::error::{CliError, FileCode, Finding};
use crate::interrupt::on_interrupt;
use crate::loaded::{Loaded, ScriptArgs};
use crate::output;
use crate::plot::PictureFile;
use crate::script::DecisionArgs;
use crate::target::Target;
use dicec_compiler::Roll;
use dicec_games::dh2e::Purpose;
use dicec_runtime::control::Control;
use dicec_tables::{
    BadHeader, BadRoll, Batch, Columns, Format, Method, Named, Numbers, Varying, Written,
};
use std::io::{self, IsTerminal};
use std::path::Path;

/// What is to be done.
pub(super) struct Job<'a> {
    pub(super) shared: &'a Shared,
    pub(super) method: Method,
    pub(super) threads: Option<usize>,
    /// Whether the user left the seed open.
    pub(super) is_seed_open: bool,
    pub(super) numbers: Numbers,
    pub(super) output: Option<&'a Path>,
    pub(super) format: Written,
    pub(super) delimiter: Option<u8>,
    pub(super) on_error: OnError,
    pub(super) plot: Option<&'a PictureFile>,
    pub(super) roll: &'a ScriptArgs,
    pub(super) decisions: &'a DecisionArgs,
    /// What the odds of a script's roll are called.
    pub(super) name: Option<&'a str>,
    pub(super) checks: CheckArgs,
}

impl BatchArgs {
    /// What the run is to do.
    pub(super) fn job(&self) -> Job<'_> {
        Job {
            shared: &self.shared,
            method: self.method(),
            threads: self.sample.threads,
            is_seed_open: self.sample.seed.is_none(),
            numbers: self.numbers(),
            output: self.output.as_deref(),
            format: self.format,
            delimiter: self.delimiter,
            on_error: self.on_error,
            plot: self.plot.as_ref(),
            roll: &self.roll,
            decisions: &self.decisions,
            name: self.odds_names.first().map(String::as_str),
            checks: self.checks,
        }
    }
}

impl Job<'_> {
    /// The run over the tables, without questions yet.
    pub(super) fn batch(&self, tables: &Tables, control: &Control) -> Result<Batch, CliError> {
        let columns = Columns::new(&tables.places.header, self.shared.table()?);
        let method = self.method.clone();
        let batch = Batch::controlled(
            columns,
            method,
            self.numbers.clone(),
            self.threads,
            control.clone(),
        );
        let batch = batch.map_err(|why| Finding::general(FileCode::NoNativeCode.as_str(), why));
        let mut batch = batch?;
        if let Some(check) = self.checks.given() {
            batch.check(check.limits());
        }
        Ok(batch)
    }

    /// Answers the questions for each row.
    pub(super) fn work(
        &self,
        tables: Tables,
        batch: Batch,
        control: &Control,
        named: &[Named],
    ) -> Result<(), CliError> {
        let format = self.shown_format()?;
        let target = Target::open(self.output, "table")?;
        if self.output.is_some() || self.plot.is_some() {
            // It ends as an error does, so that no half-written file stays behind.
            let control = control.clone();
            on_interrupt(move || control.cancel());
        }
        let policy = Policy {
            on_error: self.on_error,
            format,
            delimiter: self.delimiter.unwrap_or(b','),
            width: output::width(),
            is_watched: self.is_watched(),
            reporter: self.shared.reporter(),
        };
        if matches!(batch.method(), Method::Sample(_)) && self.is_seed_open {
            notes::sampled_everywhere(&policy, batch.method());
        }
        let names = named.iter().map(|named| named.title.clone());
        let names: Vec<String> = match named {
            [] => {
                let roll = batch.varying(0).map(|varying| varying.roll().name());
                vec![self.name.or(roll).unwrap_or_default().to_owned()]
            }
            _ => names.collect(),
        };
        let picture = self
            .plot
            .map(|file| Picture::new(file, &names, &tables, &self.numbers));
        Run::new(tables, batch, named, policy, picture).run(target)
    }

    /// Asks for the odds of a script's roll.
    pub(super) fn ask_roll(
        &self,
        loaded: &Loaded,
        roll: Roll,
        places: &Places,
        batch: &mut Batch,
    ) -> Result<(), CliError> {
        let header = &places.header;
        let given = loaded.given(self.roll)?;
        let varying = Varying::new(roll.clone(), given.json.clone(), header);
        let varying = varying.map_err(|wrong| {
            let finding = |wrong: BadHeader| {
                let (path, place) = places.heading(wrong.column);
                let code = FileCode::BadArguments.as_str();
                Finding::in_file(code, path, place, wrong.message).help(wrong.help)
            };
            let findings = wrong.into_iter().map(finding).collect();
            CliError { findings }
        })?;
        notes::near_misses(self.shared.reporter(), places, loaded, &varying);
        let decisions = self.decisions.all(&loaded.program)?;
        let name = self.name.unwrap_or(roll.name());
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

    /// Asks for the odds of the scenario that became a script, if columns change it; whether they
    /// do.
    pub(super) fn ask_scenario(
        &self,
        loaded: &Loaded,
        places: &Places,
        batch: &mut Batch,
    ) -> Result<bool, CliError> {
        let columns = scenarios::columns(loaded, self.roll, places)?;
        let is_asked = columns.is_some();
        if let Some(scenario) = loaded.scenario() {
            notes::strangers(self.shared.reporter(), places, scenario);
        }
        if let Some(columns) = columns {
            batch.ask_scenarios(self.name.unwrap_or_default(), columns);
        }
        Ok(is_asked)
    }

    /// What the script of a scenario is for.
    pub(super) fn purpose(&self) -> Purpose {
        match self.method {
            Method::Exact(..) => Purpose::Odds,
            Method::Sample(_) => Purpose::Trials,
        }
    }

    /// Whether the rows appear on a terminal.
    fn is_watched(&self) -> bool {
        self.output.is_none() && io::stdout().is_terminal()
    }

    /// The format of the answer; `None` is a table for people.
    fn shown_format(&self) -> Result<Option<Format>, CliError> {
        let of_file = match self.format {
            Written::Table => return Ok(None),
            Written::As(format) => Some(format),
            Written::Auto => self.output.map(formats::of_output).transpose()?.flatten(),
        };
        Ok(match of_file {
            Some(format) => Some(formats::in_this_build(format, self.output)?),
            None if self.shared.json => Some(Format::Jsonl),
            None if self.is_watched() => None,
            None => Some(Format::Csv),
        })
    }
}

/// Asks for the odds of these expressions.
pub(super) fn ask_rules(
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

/// The error of a column that is not there, and what else can be done about it.
pub(super) fn no_column(
    places: &Places,
    columns: &Columns,
    name: &str,
    help: Option<&str>,
) -> Finding {
    let suggestion = columns.suggest(name);
    let (message, help) = match help {
        None => (places.without(name), suggestion),
        Some(help) => (places.without(name), format!("{suggestion}; or {help}")),
    };
    let code = FileCode::MissingColumn.as_str();
    let at = (!places.path.is_empty()).then_some((1, 1));
    Finding::in_file(code, &places.path, at, message).help(help)
}
