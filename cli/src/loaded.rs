//! An expression or a script that a command works on: read, compiled, and with its arguments and
//! resources.

use crate::anydice;
use crate::args::Shared;
use crate::error::{CliError, FileCode, Finding, Location};
use crate::location::line_and_column;
use crate::number;
use crate::rule::{RuleArgs, read_source};
use crate::scenario::{Generated, is_scenario, script_of};
use crate::script::{Given, Remembered, no_script, read_arguments};
use clap::Args;
use dicec_compiler::unstable::{AnyDiceScript, BindError, Given as Kept};
use dicec_compiler::{AnyDice, Bound, Failure, Program, Roll};
use dicec_games::GENERATED;
use dicec_games::dh2e::{Purpose, Scenario};
use dicec_lang::front::script::import_file;
use dicec_lang::hir::Kind;
use dicec_lang::syntax::{Code, Diagnostic, SourceLimits, Sources, shorten};
use dicec_runtime::bug;
use dicec_runtime::limits::{
    MAX_DEPTH_CEILING, MAX_FUEL_CEILING, MAX_LIST_CEILING, PlayLimits, ScriptLimits,
};
use dicec_runtime::resource::{ResourceName, ResourceTable};
use dicec_runtime::span::Span;
use serde_json::Value;
use std::path::Path;

/// A part of a text that is named in a line of its own is cut to this many columns.
const MAX_SHOWN: usize = 40;

/// What helps a scenario without exact odds.
const SMALLER: &str = "a smaller scenario has exact odds: fewer fighters, wounds or rounds; or \
                       raise the budget with --max-work or --max-outcomes, or sample: without \
                       --exact, or `dicec sim`";

/// Which roll of a script, and what with.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Scripts (FILE.dice)")]
pub(crate) struct ScriptArgs {
    /// The roll to make; may be left out where the script has only one
    #[arg(long = "roll", value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The roll's arguments: a JSON file, `-` for standard input, or an object in braces
    #[arg(long = "args", value_name = "JSON")]
    arguments: Option<String>,
    /// One argument, or a part of one: --set target.ac=15; of a scenario of the d100 rules, one of
    /// somebody's numbers: --set Scav.count=5; may be repeated
    #[arg(long = "set", value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Most loop iterations, calls and new elements of one trial [default: 1,000,000]
    #[arg(long, help_heading = "Limits", value_name = "N", value_parser = number::count_in::<u32>(1..=u64::from(MAX_FUEL_CEILING)))]
    fuel: Option<u32>,
    /// How deep functions may call each other [default: 200]
    #[arg(long, help_heading = "Limits", value_name = "N", value_parser = number::count_in::<u32>(1..=u64::from(MAX_DEPTH_CEILING)))]
    max_depth: Option<u32>,
    /// Most elements of a list [default: 10,000]
    #[arg(long, help_heading = "Limits", value_name = "N", value_parser = number::count_in::<u32>(1..=u64::from(MAX_LIST_CEILING)))]
    max_list: Option<u32>,
    /// Most bytes that one execution for a player may take: its rolls, dice and lines [default:
    /// 134,217,728]
    #[arg(long, help_heading = "Limits", value_name = "BYTES", value_parser = number::count_in::<u32>(1..=u64::from(u32::MAX)))]
    max_shown: Option<u32>,
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

    /// Whether there is one roll to ask about: one is named, or there are not several.
    pub(crate) fn chooses(&self, script: &Loaded) -> bool {
        self.name.is_some() || script.program.rolls().count() < 2
    }

    /// Whether any arguments are given.
    pub(crate) fn brings_arguments(&self) -> bool {
        self.arguments.is_some() || !self.set.is_empty()
    }

    /// Whether the arguments come from standard input.
    pub(crate) fn reads_standard_input(&self) -> bool {
        self.arguments.as_deref() == Some("-")
    }

    /// What `--set` says.
    pub(crate) fn set(&self) -> &[String] {
        &self.set
    }

    /// The first of these flags that was given; a rule that is not a script takes none of them.
    pub(crate) fn given(&self) -> Option<&'static str> {
        [
            ("--roll", self.name.is_some()),
            ("--args", self.arguments.is_some()),
            ("--set", !self.set.is_empty()),
            ("--fuel", self.fuel.is_some()),
            ("--max-depth", self.max_depth.is_some()),
            ("--max-list", self.max_list.is_some()),
            ("--max-shown", self.max_shown.is_some()),
        ]
        .into_iter()
        .find_map(|(flag, given)| given.then_some(flag))
    }
}

/// A compiled expression or script and the files that it came from.
pub(crate) struct Loaded {
    sources: Sources,
    pub(crate) program: Program,
    /// The scenario of the d100 rules that became the script, as `--set` has changed it.
    scenario: Option<Scenario>,
    /// What of `--set` has changed the scenario.
    changed: Vec<String>,
    /// Whether a scenario or an encounter became the script.
    is_generated: bool,
}

impl Loaded {
    /// Reads and compiles what the words of a command name, for this purpose, and tells the notes
    /// on it. An expression refuses the flags of scripts: those of `script`, and `other`.
    ///
    /// # Errors
    /// Such a flag, a file that cannot be read, or everything that is wrong with the text.
    pub(crate) fn new(
        words: &RuleArgs,
        script: &ScriptArgs,
        other: Option<&str>,
        purpose: Purpose,
        shared: &Shared,
    ) -> Result<Self, CliError> {
        if let Some(path) = words.script() {
            return Self::script(path, script, purpose, shared);
        }
        if let Some(program) = anydice::given(words, shared)? {
            return Self::anydice(&program, script, shared);
        }
        no_script(script.given().or(other))?;
        let (origin, text) = words.read(shared.limits.source())?;
        Self::expression(&origin, &text, shared)
    }

    /// Compiles the script that an AnyDice program becomes, with the values of `--set`.
    ///
    /// # Errors
    /// As for [`anydice::translated`], and a program without a script.
    fn anydice(program: &AnyDice, args: &ScriptArgs, shared: &Shared) -> Result<Self, CliError> {
        let written = anydice::translated(program, &args.set, shared)?;
        let written = written.map_err(|why| CliError::failure(&why, program.sources()))?;
        Self::of_program(program, written, args, shared)
    }

    /// Compiles the script that an AnyDice program has become.
    ///
    /// # Errors
    /// As for [`Loaded::text`].
    pub(crate) fn of_program(
        program: &AnyDice,
        written: AnyDiceScript,
        args: &ScriptArgs,
        shared: &Shared,
    ) -> Result<Self, CliError> {
        let origin = program.sources().names().next();
        let origin = origin.filter(|name| !name.is_empty());
        let made = Generated {
            script: written.text,
            scenario: None,
            changed: args.set.clone(),
        };
        Self::generated(origin.unwrap_or("the program"), made, args, shared)
    }

    /// Compiles an expression, and tells the notes on it.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub(crate) fn expression(origin: &str, text: &str, shared: &Shared) -> Result<Self, CliError> {
        let (compiler, dice) = (shared.compiler(), shared.dice()?);
        let wrong = |found, text: &str| CliError::found(&found, &Sources::single(origin, text));
        let expanded = compiler.with_dice(text, &dice);
        let text = expanded.map_err(|found| wrong(found, text))?;
        let program = compiler.rule(&text).map_err(|found| wrong(found, &text))?;
        let sources = match program.sources().names().len() {
            1 => Sources::single(origin, &text),
            // With the libraries of which it calls functions.
            _ => program.sources().clone(),
        };
        Ok(Self::bare(sources, program).noted(shared))
    }

    /// What is not the script of a scenario.
    fn bare(sources: Sources, program: Program) -> Self {
        Self {
            sources,
            program,
            scenario: None,
            changed: Vec::new(),
            is_generated: false,
        }
    }

    /// Reads and compiles a script with all that it imports, and tells the notes on it.
    ///
    /// # Errors
    /// A file that cannot be read, or everything that is wrong with the texts.
    pub(crate) fn script(
        path: &Path,
        args: &ScriptArgs,
        purpose: Purpose,
        shared: &Shared,
    ) -> Result<Self, CliError> {
        if is_scenario(path) {
            let made = script_of(path, &args.set, purpose, shared.reporter())?;
            return Self::generated(&path.display().to_string(), made, args, shared);
        }
        let limits = shared.limits.source();
        let (origin, text) = read_source(path, true, "script", limits)?;
        Self::text(&origin, &text, limits, args, shared)
    }

    /// Compiles the script of a scenario.
    ///
    /// # Errors
    /// As for [`Loaded::script`].
    pub(crate) fn generated(
        origin: &str,
        made: Generated,
        args: &ScriptArgs,
        shared: &Shared,
    ) -> Result<Self, CliError> {
        let loaded = Self::text(origin, &made.script, GENERATED, args, shared)?;
        Ok(Self {
            scenario: made.scenario,
            changed: made.changed,
            is_generated: true,
            ..loaded
        })
    }

    /// The scenario of the d100 rules that became the script, as `--set` has changed it.
    pub(crate) fn scenario(&self) -> Option<&Scenario> {
        self.scenario.as_ref()
    }

    /// What `--args` and `--set` say of the roll, not yet held to any.
    ///
    /// # Errors
    /// What cannot be read, or a part that cannot be set.
    pub(crate) fn given(&self, args: &ScriptArgs) -> Result<Given, CliError> {
        self.given_over(args, None)
    }

    /// The same over the arguments that a session remembers.
    fn given_over(&self, args: &ScriptArgs, remembered: Option<&Value>) -> Result<Given, CliError> {
        let set = args.set.iter().filter(|one| !self.changed.contains(one));
        let set: Vec<String> = set.cloned().collect();
        let given = Given::read(args.arguments.as_deref(), &set, remembered)?;
        given.suit(self.scenario())?;
        Ok(given)
    }

    /// Compiles the text of a script, within these limits, with all that it imports, and tells the
    /// notes on it.
    ///
    /// # Errors
    /// As for [`Loaded::script`].
    pub(crate) fn text(
        origin: &str,
        text: &str,
        limits: SourceLimits,
        args: &ScriptArgs,
        shared: &Shared,
    ) -> Result<Self, CliError> {
        shared.refuse_dice()?;
        let compiler = shared.compiler().source_limits(limits);
        let compiler = compiler.script_limits(args.limits());
        let compiler = match args.max_shown {
            Some(bytes) => compiler.play_limits(PlayLimits { bytes }),
            None => compiler,
        };
        let mut load = |importer: &str, written: &str| import_file(importer, written, limits);
        match compiler.script_file(origin, text, &mut load) {
            Ok(program) => {
                let sources = program.sources().clone();
                Ok(Self::bare(sources, program).noted(shared))
            }
            Err(errors) => Err(CliError::found(&errors.found, &errors.sources)),
        }
    }

    fn noted(self, shared: &Shared) -> Self {
        shared.reporter().notes(self.program.notes(), &self.sources);
        self
    }

    /// What an expression gives.
    ///
    /// # Errors
    /// An internal one.
    pub(crate) fn kind(&self) -> Result<Kind, CliError> {
        let kind = self.program.kind();
        kind.ok_or_else(|| bug!("an expression that gives nothing").into())
    }

    /// The roll that is asked for.
    ///
    /// # Errors
    /// There is none of that name, or there are several and none is named.
    pub(crate) fn roll(&self, args: &ScriptArgs) -> Result<Roll, CliError> {
        self.roll_of(args.name.as_deref())
    }

    /// The same with the odds of its roll given a condition on the result, if there is one.
    ///
    /// # Errors
    /// What is wrong with the condition, or no single roll is meant.
    pub(crate) fn conditional(
        mut self,
        text: Option<&str>,
        args: &ScriptArgs,
    ) -> Result<Self, CliError> {
        let Some(text) = text else { return Ok(self) };
        if self.scenario.is_some() {
            // Each row makes a script of its own of it.
            let message = "a table of a scenario takes no condition";
            let finding = Finding::general(FileCode::UnknownRoll.as_str(), message);
            let help = "ask for one row at a time: dicec odds FILE.json --given CONDITION";
            return Err(finding.help(help).into());
        }
        let roll = match self.program.is_rule() {
            true => self.roll_of(None)?,
            false => self.roll(args)?,
        };
        let condition = roll.condition(text);
        let condition = condition.map_err(|wrong| CliError::found(&wrong.found, &wrong.sources))?;
        self.program = roll.given(condition);
        Ok(self)
    }

    fn roll_of(&self, wanted: Option<&str>) -> Result<Roll, CliError> {
        self.program.roll_or_only(wanted).map_err(|error| {
            let origin = self.sources.names().next().unwrap_or_default();
            let code = FileCode::UnknownRoll.as_str();
            let finding = Finding::in_file(code, origin, None, error.to_string());
            finding
                .help(error.help("choose one with --roll NAME"))
                .into()
        })
    }

    /// The roll with its arguments and resources.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub(crate) fn bind(&self, args: &ScriptArgs, shared: &Shared) -> Result<Bound, CliError> {
        let (bound, _) = self.bind_over(args, shared, None)?;
        Ok(bound)
    }

    /// The same for a roll that goes on with what a session remembers, and all that it was given.
    ///
    /// # Errors
    /// As for [`Loaded::bind`].
    pub(crate) fn bind_over(
        &self,
        args: &ScriptArgs,
        shared: &Shared,
        before: Option<&Remembered>,
    ) -> Result<(Bound, Kept), CliError> {
        let roll = self.roll_of(args.name.as_deref().or(before.map(|before| &*before.roll)))?;
        let kept = before.filter(|before| before.roll == roll.name());
        let kept = kept.and_then(|before| before.given.as_ref());
        let given = self.given_over(args, kept.map(|kept| &kept.arguments))?;
        let data = read_arguments(&roll, &given)?;
        let mut table = shared.table()?;
        for (name, value) in kept.into_iter().flat_map(|kept| &kept.resources) {
            let name = ResourceName::parse(name);
            if table.get(&name).is_none() {
                table.set(name, *value);
            }
        }
        let bound = roll.bind(data, &table);
        let bound = bound.map_err(|error| self.unbound(error))?;
        let names = self.program.resources().iter();
        let names = names.map(|used| used.name.to_string());
        let kept = Kept {
            arguments: given.json,
            resources: names.zip(bound.resources().iter().copied()).collect(),
        };
        Ok((bound, kept))
    }

    /// All rolls by what players call them, each with the default values of its parameters.
    ///
    /// # Errors
    /// A parameter without a default value, or a resource.
    pub(crate) fn bind_all(&self, shared: &Shared) -> Result<Vec<(String, Bound)>, CliError> {
        let given = self.given(&ScriptArgs::default())?;
        let table = shared.table()?;
        let bind = |roll: Roll| {
            let bound = roll.bind(read_arguments(&roll, &given)?, &table);
            let bound = bound.map_err(|error| self.unbound(error))?;
            Ok((roll.label().to_owned(), bound))
        };
        self.program.rolls().map(bind).collect()
    }

    /// All rolls, each with those of the arguments that it has parameters for.
    ///
    /// # Errors
    /// Everything that is wrong with them, and an argument that no roll takes.
    pub(crate) fn bind_each(
        &self,
        args: &ScriptArgs,
        shared: &Shared,
    ) -> Result<Vec<Bound>, CliError> {
        let given = self.given(args)?;
        let table = shared.table()?;
        let rolls: Vec<Roll> = self.program.rolls().collect();
        given.taken(&rolls)?;
        let bind = |roll: &Roll| {
            let bound = roll.bind(read_arguments(roll, &given.of(roll))?, &table);
            bound.map_err(|error| self.unbound(error))
        };
        rolls.iter().map(bind).collect()
    }

    fn unbound(&self, error: BindError) -> CliError {
        match error {
            BindError::Resources(found) => CliError::found(&found, &self.sources),
            error => Finding::general(FileCode::BadArguments.as_str(), error.to_string()).into(),
        }
    }

    /// A part of the text as the place of a finding.
    pub(crate) fn location(&self, span: Span) -> Location {
        // Only the place of it is used.
        let diagnostic = Diagnostic::error(Code::UnknownResource, span, "");
        Finding::in_sources(&diagnostic, &self.sources).location
    }

    /// A part of the text as `FILE:LINE:COLUMN, SOURCE`, if it is one.
    pub(crate) fn shown(&self, span: Span) -> Option<String> {
        let Location::Text {
            origin, text, span, ..
        } = self.location(span)
        else {
            return None;
        };
        let (line, column) = line_and_column(&text, span.start as usize);
        let source = text.get(span.range())?.lines().next()?;
        let source = shorten(source, MAX_SHOWN);
        Some(format!("{origin}:{line}:{column}, {source}"))
    }

    /// An error about an expression as a whole; the caller words it.
    pub(crate) fn finding(&self, code: Code) -> Finding {
        Finding::whole(code, code.title(), &self.sources)
    }

    /// The roll with zeros for arguments and resources: for what does not depend on them.
    ///
    /// # Errors
    /// As for [`Loaded::roll`].
    pub(crate) fn bind_zeros(&self, args: &ScriptArgs) -> Result<Bound, CliError> {
        let roll = self.roll(args)?;
        let mut table = ResourceTable::new();
        table.set_default(Some(0));
        roll.bind(roll.zeros(), &table)
            .map_err(|error| self.unbound(error))
    }

    /// A failure of it as an error. Nobody has written the script of a scenario: its error is about
    /// the scenario as a whole.
    pub(crate) fn failed(&self, failure: &Failure) -> CliError {
        let mut error = CliError::failure(failure, &self.sources);
        if self.is_generated {
            let origin = self.sources.names().next().unwrap_or_default();
            let is_budget = error.is_budget();
            for finding in &mut error.findings {
                finding.location = Location::File {
                    path: origin.to_owned(),
                    at: None,
                };
                if is_budget {
                    finding.help = Some(SMALLER.to_owned());
                }
            }
        }
        error
    }
}
