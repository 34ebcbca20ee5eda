//! A script that a command works on: read, compiled, and with its arguments.

use super::arguments::{Given, read_arguments};
use crate::args::Shared;
use crate::error::{CliError, FileCode, Finding, Place};
use crate::number;
use crate::rule::read_source;
use clap::Args;
use dicec_compiler::syntax::nearest;
use dicec_compiler::{BoundScript, Failure, Script, ScriptRoll};
use dicec_runtime::limits::{MAX_DEPTH_CEILING, MAX_FUEL_CEILING, MAX_LIST_CEILING, ScriptLimits};
use dicec_runtime::span::Span;
use std::path::Path;

/// Which roll of a script, and what with.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Scripts (FILE.dice)")]
pub(crate) struct ScriptArgs {
    /// The roll to make; may be left out where the script has only one
    #[arg(long = "roll", value_name = "NAME")]
    name: Option<String>,
    /// The roll's arguments: a JSON file, `-` for standard input, or an object in braces
    #[arg(long = "args", value_name = "JSON")]
    arguments: Option<String>,
    /// One argument, or a part of one: --set target.ac=15; may be repeated
    #[arg(long = "set", value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Most loop rounds, calls and new elements of one trial [default: 1,000,000]
    #[arg(long, value_name = "N", value_parser = number::count_in::<u32>(1..=u64::from(MAX_FUEL_CEILING)))]
    fuel: Option<u32>,
    /// How deep functions may call each other [default: 200]
    #[arg(long, value_name = "N", value_parser = number::count_in::<u32>(1..=u64::from(MAX_DEPTH_CEILING)))]
    max_depth: Option<u32>,
    /// Most elements of a list [default: 10,000]
    #[arg(long, value_name = "N", value_parser = number::count_in::<u32>(1..=u64::from(MAX_LIST_CEILING)))]
    max_list: Option<u32>,
}

impl ScriptArgs {
    fn limits(&self) -> ScriptLimits {
        let default = ScriptLimits::default();
        ScriptLimits {
            fuel: self.fuel.unwrap_or(default.fuel),
            depth: self.max_depth.unwrap_or(default.depth),
            list: self.max_list.unwrap_or(default.list),
        }
    }

    /// What `--args` and `--set` say, not yet held to any roll.
    ///
    /// # Errors
    /// What cannot be read, or a part that cannot be set.
    pub(crate) fn base(&self) -> Result<Given, CliError> {
        Given::read(self.arguments.as_deref(), &self.set)
    }

    /// The first of these flags that was given; a rule that is no script takes none of them.
    pub(crate) fn given(&self) -> Option<&'static str> {
        [
            ("--roll", self.name.is_some()),
            ("--args", self.arguments.is_some()),
            ("--set", !self.set.is_empty()),
            ("--fuel", self.fuel.is_some()),
            ("--max-depth", self.max_depth.is_some()),
            ("--max-list", self.max_list.is_some()),
        ]
        .into_iter()
        .find_map(|(flag, given)| given.then_some(flag))
    }
}

/// A compiled script and where it came from.
pub(crate) struct Loaded {
    origin: String,
    pub(crate) script: Script,
}

impl Loaded {
    /// Reads and compiles a script, and tells the notes on it.
    ///
    /// # Errors
    /// A file that cannot be read, or everything that is wrong with the text.
    pub(crate) fn read(path: &Path, args: &ScriptArgs, shared: &Shared) -> Result<Self, CliError> {
        let (origin, text) = read_source(path, true, "script", shared.limits.source())?;
        let compiler = shared.compiler().script_limits(args.limits());
        match compiler.script(&text) {
            Ok(script) => {
                shared.reporter().notes(script.notes(), &origin, &text);
                Ok(Self { origin, script })
            }
            Err(found) => Err(CliError::rule(&found, &origin, &text)),
        }
    }

    /// The roll that is asked for.
    ///
    /// # Errors
    /// There is none of that name, or there are several and none is named.
    pub(crate) fn roll(&self, args: &ScriptArgs) -> Result<ScriptRoll<'_>, CliError> {
        let names: Vec<&str> = self.script.rolls().map(|roll| roll.name()).collect();
        let unknown = |message: String, help: String| {
            Finding::in_file(FileCode::UnknownRoll, &self.origin, None, message).help(help)
        };
        let listed = format!("there are: {}", names.join(", "));
        let finding = match (&args.name, names.as_slice()) {
            (_, []) => unknown(
                "this script defines no roll".to_owned(),
                "define one: defroll \"Label\" name() { ... }".to_owned(),
            ),
            (None, [only]) => return self.find(only),
            (None, _) => unknown(
                "this script defines several rolls, and none is chosen".to_owned(),
                format!("choose one with --roll NAME; {listed}"),
            ),
            (Some(name), _) => match self.script.roll(name) {
                Some(roll) => return Ok(roll),
                None => unknown(
                    format!("there is no roll {name}"),
                    match nearest(name, names.iter().copied()) {
                        Some(near) => format!("did you mean {near}?"),
                        None => listed,
                    },
                ),
            },
        };
        Err(finding.into())
    }

    fn find(&self, name: &str) -> Result<ScriptRoll<'_>, CliError> {
        let message = || format!("there is no roll {name}");
        self.script.roll(name).ok_or_else(|| {
            Finding::in_file(FileCode::UnknownRoll, &self.origin, None, message()).into()
        })
    }

    /// The roll with its arguments and resources.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub(crate) fn bind(
        &self,
        args: &ScriptArgs,
        shared: &Shared,
    ) -> Result<BoundScript<'_>, CliError> {
        let roll = self.roll(args)?;
        let data = read_arguments(roll, &args.base()?)?;
        let table = shared.table()?;
        roll.bind(data, &table)
            .map_err(|found| CliError::rule(&found, &self.origin, self.script.text()))
    }

    /// A part of this script as the place of a finding.
    pub(crate) fn place(&self, span: Span) -> Place {
        Place::Rule {
            origin: self.origin.clone(),
            text: self.script.text().to_owned(),
            span,
            labels: Vec::new(),
        }
    }

    /// A failure of this script as an error.
    pub(crate) fn failed(&self, failure: &Failure) -> CliError {
        CliError::failure(failure, &self.origin, self.script.text())
    }
}
