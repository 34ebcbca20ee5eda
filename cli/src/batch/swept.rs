//! `dicec odds --sweep` and `dicec sim --sweep`: a table with a row for each value of a resource,
//! an argument or a variable of an AnyDice program, and for each rule.

use super::fault::missing;
use super::formats;
use super::job::{Job, ask_rules};
use super::policy::OnError;
use super::scenarios;
use super::tables::Tables;
use crate::args::Shared;
use crate::checks::CheckArgs;
use crate::error::{CliError, FileCode, Finding};
use crate::loaded::{Loaded, ScriptArgs};
use crate::plot::PictureFile;
use crate::script::DecisionArgs;
use clap::Args;
use dicec_compiler::answer::plot::MAX_CURVES;
use dicec_compiler::{AnyDice, Program, Roll};
use dicec_lang::hir::{Kind, ResourceUse};
use dicec_runtime::control::Control;
use dicec_tables::{Format, Method, Named, Numbers, RULES, Sweep, Variables, Varying, Written};
use std::path::{Path, PathBuf};

/// The values to go through, and how their table is written.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Sweeps")]
pub(crate) struct SweepArgs {
    /// Give a table with a row for each value of a resource, a script's parameter, or a global
    /// variable of an AnyDice program: 'Target AC=10..25', '10..30 by 5' or '10,15,20'; may be
    /// repeated for all combinations
    #[arg(long, value_name = "NAME=VALUES", value_parser = Sweep::parse)]
    pub(crate) sweep: Vec<Sweep>,
    /// How the odds are written, or the table of a sweep; --json writes a line of JSON for each row
    /// of that [default: as the file's name ends; else text for people, and a sweep that is not on
    /// a terminal as CSV]
    #[arg(long, value_name = "FORMAT", help_heading = "Output", value_parser = formats::written())]
    format: Option<Written>,
    /// The same as --format csv: a line for each result, or each row of a sweep
    #[arg(long, conflicts_with_all = ["format", "json"], help_heading = "Output")]
    csv: bool,
    /// Write to a file instead of standard output: odds.csv, odds.json
    #[arg(short = 'o', long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

/// How the odds of a single question are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Text,
    Json,
    /// The delimiter between cells.
    Cells(u8),
}

/// A command with a sweep.
pub(crate) struct Swept<'a> {
    pub(crate) args: &'a SweepArgs,
    pub(crate) shared: &'a Shared,
    pub(crate) method: Method,
    pub(crate) threads: Option<usize>,
    pub(crate) is_seed_open: bool,
    pub(crate) numbers: Numbers,
    pub(crate) plot: Option<&'a PictureFile>,
    pub(crate) script: &'a ScriptArgs,
    pub(crate) decisions: &'a DecisionArgs,
    pub(crate) checks: CheckArgs,
}

impl SweepArgs {
    /// Whether anything is swept.
    pub(crate) fn is_given(&self) -> bool {
        !self.sweep.is_empty()
    }

    /// The file to write to.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// The format of a sweep's table, as far as flags say it.
    fn format(&self) -> Written {
        match self.csv {
            true => Written::As(Format::Csv),
            false => self.format.unwrap_or_default(),
        }
    }

    /// How the odds of a single question are written; --json is the weakest of what says it.
    ///
    /// # Errors
    /// A file whose name ends in something else.
    pub(crate) fn form(&self, json: bool) -> Result<Form, CliError> {
        let of_file = || self.path().map(formats::of_output).transpose();
        let format = match self.format() {
            Written::Auto => of_file()?.flatten(),
            Written::Table => return Ok(Form::Text),
            Written::As(format) => Some(format),
        };
        Ok(match format {
            Some(Format::Csv) => Form::Cells(b','),
            Some(Format::Tsv) => Form::Cells(b'\t'),
            Some(Format::Json | Format::Jsonl) => Form::Json,
            Some(Format::Parquet | Format::Arrow) => {
                let message = "a single answer is not written as Parquet or in Arrow's format";
                let found = Finding::general(FileCode::UnknownFormat.as_str(), message);
                let help = "write .csv, .tsv or .json, or a table: with --sweep, or dicec batch";
                return Err(found.help(help).into());
            }
            None if json => Form::Json,
            None => Form::Text,
        })
    }

    /// Refuses flags whose answers have no place in the table of a sweep.
    ///
    /// # Errors
    /// One of these flags was given.
    pub(crate) fn only(&self, flag: Option<&str>) -> Result<(), CliError> {
        let Some(flag) = flag else { return Ok(()) };
        let help = "leave the flag out, or ask for one value at a time";
        let message = format!("the table of --sweep has no column for {flag}");
        let finding = Finding::general(FileCode::BadSweep.as_str(), message);
        Err(finding.help(help).into())
    }
}

impl Swept<'_> {
    /// The odds of each rule for each combination.
    ///
    /// # Errors
    /// A sweep of nothing, or what is wrong with a combination.
    pub(crate) fn rules(&self, rules: &[Loaded]) -> Result<(), CliError> {
        check_rules(&self.args.sweep, rules)?;
        let kinds = rules.iter().map(Loaded::kind);
        let kinds = kinds.collect::<Result<Vec<Kind>, CliError>>()?;
        let is_alone = rules.len() == 1;
        let has_columns = !is_alone && self.numbers != Numbers::Results;
        if let (true, Some(at)) = (has_columns, kinds.iter().position(|kind| kind.is_label())) {
            let text = rules[at].program.text();
            let message = format!("the labels of {text} have no column next to another rule");
            let finding = Finding::general(FileCode::BadSweep.as_str(), message);
            return Err(finding
                .help("ask for the odds of each rule by itself")
                .into());
        }
        let mut sweeps = self.args.sweep.clone();
        if !is_alone {
            let texts = rules.iter().map(|rule| rule.program.text().to_owned());
            sweeps.push(Sweep::new(RULES, texts.collect()));
        }
        self.check_plot(&sweeps)?;
        let tables = Tables::swept(&sweeps)?;
        let (job, control) = (self.job(), Control::default());
        let mut batch = job.batch(&tables, &control)?;
        let title = match rules {
            [rule] => rule.program.normal_form(),
            _ => String::new(),
        };
        let named = [Named {
            name: String::new(),
            text: String::new(),
            title,
        }];
        if is_alone {
            ask_rules(&named, rules, &tables.places, &mut batch)?;
        } else {
            let programs: Vec<Program> = rules.iter().map(|rule| rule.program.clone()).collect();
            let (column, compiler) = (sweeps.len() - 1, self.shared.compiler());
            let asked = batch.ask_some("", column, compiler, &programs);
            asked.map_err(|lacking| {
                let finding = |(rule, used): &(usize, ResourceUse)| {
                    let location = rules[*rule].location(used.span);
                    missing(&tables.places, batch.columns(), used, location)
                };
                let findings = lacking.iter().map(finding).collect();
                CliError { findings }
            })?;
        }
        job.work(tables, batch, &control, &named)
    }

    /// The odds of a script's roll for each combination.
    ///
    /// # Errors
    /// As for [`Swept::rules`].
    pub(crate) fn script(&self, loaded: &Loaded) -> Result<(), CliError> {
        let roll = loaded.roll(self.script)?;
        check_script(&self.args.sweep, loaded, &roll)?;
        self.check_plot(&self.args.sweep)?;
        let tables = Tables::swept(&self.args.sweep)?;
        let (job, control) = (self.job(), Control::default());
        let mut batch = job.batch(&tables, &control)?;
        if !job.ask_scenario(loaded, &tables.places, &mut batch)? {
            job.ask_roll(loaded, roll, &tables.places, &mut batch)?;
        }
        job.work(tables, batch, &control, &[])
    }

    /// The odds of an AnyDice program's outputs for each combination of its variables, next to
    /// those with these values.
    ///
    /// # Errors
    /// As for [`Swept::rules`].
    pub(crate) fn anydice(
        &self,
        program: &AnyDice,
        given: Vec<(String, i64)>,
    ) -> Result<(), CliError> {
        let sweeps = &self.args.sweep;
        let names: Vec<&str> = given.iter().map(|(name, _)| name.as_str()).collect();
        CliError::of(Sweep::unsettable(sweeps, program, &names))?;
        self.check_plot(sweeps)?;
        let tables = Tables::swept(sweeps)?;
        let (job, control) = (self.job(), Control::default());
        let mut batch = job.batch(&tables, &control)?;
        let columns = sweeps.iter().map(|sweep| sweep.name().to_owned()).zip(0..);
        let columns = columns.collect();
        batch.ask_anydice("", program.clone(), &Variables { columns, given });
        let named = [Named {
            name: String::new(),
            text: String::new(),
            title: String::new(),
        }];
        job.work(tables, batch, &control, &named)
    }

    fn job(&self) -> Job<'_> {
        Job {
            shared: self.shared,
            method: self.method.clone(),
            threads: self.threads,
            is_seed_open: self.is_seed_open,
            numbers: self.numbers.clone(),
            output: self.args.output.as_deref(),
            format: self.args.format(),
            delimiter: None,
            on_error: OnError::Stop,
            plot: self.plot,
            roll: self.script,
            decisions: self.decisions,
            name: None,
            checks: self.checks,
        }
    }

    /// Refuses a picture of too many curves.
    fn check_plot(&self, sweeps: &[Sweep]) -> Result<(), CliError> {
        let values = sweeps.iter().map(|sweep| sweep.values().len());
        let swept = sweeps.iter().filter(|sweep| sweep.name() != RULES);
        let axis = match self.numbers {
            // The axis has the results.
            Numbers::Results => 1,
            _ => swept.map(|sweep| sweep.values().len()).max().unwrap_or(1),
        };
        let curves = values.fold(1, usize::saturating_mul) / axis;
        if self.plot.is_none() || curves <= MAX_CURVES {
            return Ok(());
        }
        let message = format!("a picture has at most {MAX_CURVES} curves, and these are {curves}");
        let finding = Finding::general(FileCode::BadSweep.as_str(), message);
        let help = match self.numbers {
            Numbers::Results => "each value has a curve over the results: sweep fewer",
            _ => {
                "the longest sweep is the axis, and each value of the others has a curve: sweep fewer"
            }
        };
        Err(finding.help(help).into())
    }
}

/// Refuses sweeps of what none of these rules reads.
pub(super) fn check_rules(sweeps: &[Sweep], rules: &[Loaded]) -> Result<(), CliError> {
    let read = rules.iter().flat_map(|rule| rule.program.resources());
    let read: Vec<String> = read.map(|used| used.name.to_string()).collect();
    let reader = if rules.len() == 1 {
        "the rule"
    } else {
        "a rule"
    };
    CliError::of(Sweep::unread(sweeps, reader, &read, |_| false))
}

/// Refuses sweeps of what a roll does not take.
pub(super) fn check_script(sweeps: &[Sweep], loaded: &Loaded, roll: &Roll) -> Result<(), CliError> {
    scenarios::check(sweeps, loaded)?;
    let read = loaded.program.resources().iter();
    let mut read: Vec<String> = read.map(|used| used.name.to_string()).collect();
    read.extend(roll.parameters().into_iter().map(|(name, _)| name));
    let is_part = |sweep: &Sweep| {
        let name = sweep.name();
        Varying::names_part(roll, name) || scenarios::is_change(loaded, name)
    };
    CliError::of(Sweep::unread(sweeps, roll.name(), &read, is_part))
}
