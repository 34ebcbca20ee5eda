//! The rule or the script of a request: compiled, with its resources, arguments and decisions.

use crate::bounds::Bounds;
#[cfg(feature = "native")]
use crate::dice::Given;
use crate::dice::Resources;
use crate::wording::words;
use crate::wrong::Wrong;
use dicec_compiler::unstable::{ArgumentError, BindError, Check, CheckLimits};
use dicec_compiler::{
    AnyDice, Bound, Compiler, Dialect, Failure, Kind, Program, ResourceTable, Roll,
};
use dicec_lang::syntax::{Code, FileCode, Finding, Sources};
#[cfg(feature = "native")]
use dicec_lang::syntax::{Diagnostic, Location};
use dicec_runtime::bug;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A rule, or the text of a script. Scripts import libraries only.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct ProgramRequest {
    /// A rule: `1d20 + [Attack] >= 15`. Either this or `script` is there.
    rule: Option<String>,
    /// The text of a script.
    script: Option<String>,
    /// How a rule is read.
    dialect: DialectName,
    /// The values of resources by their names: numbers, or dice as text.
    set: Resources,
    /// The roll of a script; may be left out where it has only one.
    roll: Option<String>,
    /// The arguments of a script's roll.
    arguments: Option<Map<String, Value>>,
    /// How the simulated players of a script decide about its options, by their texts: `always`,
    /// `never`, a share, `random`, or an answer.
    options: Map<String, Value>,
    /// Whether the answer is checked before it is given.
    pub(crate) check: CheckName,
}

/// How rules are read.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum DialectName {
    /// As in the rule book.
    #[default]
    Rulebook,
    /// As in virtual tabletops.
    Notation,
    /// As a program of AnyDice, whose odds can be asked for; a text that plainly is one need not
    /// say so.
    AnyDice,
}

/// How answers are checked.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CheckName {
    /// With some trials of the interpreter.
    #[default]
    Usual,
    /// Not at all.
    Off,
}

impl CheckName {
    /// A roll whose answers are checked like this, within the bounds that it has.
    pub(crate) fn on(self, bound: Bound) -> Bound {
        match self.limits() {
            None => bound,
            Some(limits) => bound.checked_by(limits),
        }
    }

    /// Bounds on checks other than the usual ones.
    pub(crate) fn limits(self) -> Option<CheckLimits> {
        match self {
            CheckName::Usual => None,
            CheckName::Off => Some(Check::Off.limits()),
        }
    }
}

impl DialectName {
    /// The dialect of rules that it names, if it is one.
    fn of_rules(self) -> Option<Dialect> {
        match self {
            DialectName::Rulebook => Some(Dialect::Rulebook),
            DialectName::Notation => Some(Dialect::Notation),
            DialectName::AnyDice => None,
        }
    }
}

/// A compiled rule or script, and where its text is.
pub(crate) struct Loaded {
    pub(crate) program: Program,
    sources: Sources,
    table: ResourceTable,
}

impl ProgramRequest {
    /// The AnyDice program that the rule is, if it is one.
    ///
    /// # Errors
    /// A mistake in it, or members that it cannot have.
    pub(crate) fn anydice(&self, bounds: &Bounds) -> Result<Option<AnyDice>, Wrong> {
        let is_said = matches!(self.dialect, DialectName::AnyDice);
        let text = match (&self.rule, &self.script) {
            (Some(text), None) if is_said || AnyDice::is_anydice(text) => text,
            _ => return Ok(None),
        };
        self.only_script_members()?;
        let program = Compiler::new().limits(bounds.limits).anydice(text);
        let program = program.map_err(|found| Wrong::found(&found, &Sources::single("", text)));
        program.map(Some)
    }

    /// The values of the variables of an AnyDice program.
    ///
    /// # Errors
    /// A value that is not a whole number.
    pub(crate) fn variables(&self) -> Result<Vec<(&str, i64)>, Wrong> {
        Wrong::any(self.set.iter().map(|(name, value)| {
            let number = value.as_i64();
            let number = number.ok_or_else(|| {
                let message =
                    format!("the variable {name} gets {value}, which is not a whole number");
                Wrong::request(message, "write {\"set\": {\"N\": 5}}")
            })?;
            Ok((name, number))
        }))
    }

    /// Compiles the rule or the script.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub(crate) fn load(&self, bounds: &Bounds) -> Result<Loaded, Wrong> {
        match (&self.rule, &self.script) {
            (Some(rule), None) => {
                self.only_script_members()?;
                self.rule(rule, bounds)
            }
            (None, Some(script)) => self.script(script, bounds),
            (None, None) => Err(Wrong::request(
                "there is neither a rule nor a script",
                "write \"rule\": \"2d6\", or \"script\": with the text of one",
            )),
            (Some(_), Some(_)) => Err(Wrong::request(
                "there is both a rule and a script",
                "leave one of them out",
            )),
        }
    }

    /// Compiles another rule for the same resources.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub(crate) fn rule(&self, text: &str, bounds: &Bounds) -> Result<Loaded, Wrong> {
        let compiler = self.compiler(bounds)?;
        let given = self.set.read(&compiler)?;
        let wrong = |found, text: &str| Wrong::found(&found, &Sources::single("", text));
        let expanded = compiler.with_dice(text, &given.dice);
        let text = expanded.map_err(|found| wrong(found, text))?;
        let program = compiler.rule(&text).map_err(|found| wrong(found, &text))?;
        let sources = match program.sources().names().len() {
            1 => Sources::single("", &text),
            // With the libraries of which it calls functions.
            _ => program.sources().clone(),
        };
        Ok(Loaded {
            program,
            sources,
            table: given.table,
        })
    }

    fn script(&self, text: &str, bounds: &Bounds) -> Result<Loaded, Wrong> {
        let compiler = self.compiler(bounds)?;
        let given = self.set.read(&compiler)?;
        if given.has_dice {
            let message = "the resources of a script are numbers, and one that is given is dice";
            let finding = Finding::general(FileCode::BadArguments.as_str(), message);
            let help = "give dice as an argument, to a parameter of the type `dice`";
            return Err(finding.help(help).into());
        }
        let mut load = |_: &str, _: &str| Err("only libraries are here, not files".to_owned());
        let program = compiler.script_file("", text, &mut load);
        let program = program.map_err(|errors| Wrong::found(&errors.found, &errors.sources))?;
        Ok(Loaded {
            sources: program.sources().clone(),
            program,
            table: given.table,
        })
    }

    /// The compiler of rules and scripts.
    ///
    /// # Errors
    /// The dialect is that of AnyDice programs.
    pub(crate) fn compiler(&self, bounds: &Bounds) -> Result<Compiler, Wrong> {
        let dialect = self.dialect.of_rules().ok_or_else(|| {
            let help = "ask for \"odds\", or leave \"dialect\" out";
            Wrong::request("an AnyDice program has only odds", help)
        })?;
        Ok(Compiler::new().limits(bounds.limits).dialect(dialect))
    }

    /// Refuses members that only scripts have.
    fn only_script_members(&self) -> Result<(), Wrong> {
        let given = [
            ("roll", self.roll.is_some()),
            ("arguments", self.arguments.is_some()),
            ("options", !self.options.is_empty()),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((name, _)) => Err(Wrong::request(
                format!("\"{name}\" is for scripts, and this is a rule"),
                "leave it out, or give a script instead",
            )),
        }
    }

    /// The rules of a table with these resources.
    ///
    /// # Errors
    /// A dialect that there is not.
    #[cfg(feature = "native")]
    pub(crate) fn of_table(
        set: Map<String, Value>,
        dialect: &Value,
        check: &Value,
    ) -> Result<Self, Wrong> {
        let dialect = DialectName::deserialize(dialect);
        let dialect = dialect.map_err(|error| {
            Wrong::request(
                format!("\"dialect\": {error}"),
                "leave it out for the rule book's",
            )
        })?;
        if matches!(dialect, DialectName::AnyDice) {
            let message = "the rules of a table are not AnyDice programs here";
            return Err(Wrong::request(message, "use dicec batch --expr-column"));
        }
        let check = CheckName::deserialize(check);
        let check = check.map_err(|error| {
            Wrong::request(
                format!("\"check\": {error}"),
                "leave it out for the usual check",
            )
        })?;
        Ok(Self {
            set: Resources::new(set),
            dialect,
            check,
            ..Self::default()
        })
    }

    /// The resources as a compiler takes them.
    ///
    /// # Errors
    /// What is neither a number nor dice.
    #[cfg(feature = "native")]
    pub(crate) fn resources(&self, compiler: &Compiler) -> Result<Given, Wrong> {
        self.set.read(compiler)
    }

    /// Whether there are resources, so that a missing one is a mistake and not just left open.
    pub(crate) fn has_resources(&self) -> bool {
        !self.set.is_empty()
    }

    /// The roll with its arguments, resources and decisions.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub(crate) fn bind(&self, loaded: &Loaded) -> Result<Bound, Wrong> {
        let roll = self.chosen(loaded)?;
        self.bound(loaded, &roll, &self.arguments())
    }

    /// Each roll of a script with those of the arguments that it has parameters for.
    ///
    /// # Errors
    /// Everything that is wrong with them, and an argument that no roll takes.
    pub(crate) fn bind_each(&self, loaded: &Loaded) -> Result<Vec<Bound>, Wrong> {
        let given = self.arguments.clone().unwrap_or_default();
        let rolls: Vec<Roll> = loaded.program.rolls().collect();
        let takes = |roll: &Roll, name: &str| {
            let mut parameters = roll.parameters().into_iter();
            parameters.any(|(parameter, _)| parameter == name)
        };
        let mut names = given.keys();
        if let Some(name) = names.find(|name| !rolls.iter().any(|roll| takes(roll, name))) {
            let message = format!("no roll takes an argument {name}");
            let finding = Finding::general(FileCode::BadArguments.as_str(), message);
            return Err(finding.help("leave it out of \"arguments\"").into());
        }
        let bind = |roll: &Roll| {
            let members = given.iter().filter(|(name, _)| takes(roll, name));
            let members = members.map(|(name, value)| (name.clone(), value.clone()));
            self.bound(loaded, roll, &Value::Object(members.collect()))
        };
        Wrong::any(rolls.iter().map(bind))
    }

    /// Whether there is one roll to ask about: one is named, or there are not several.
    pub(crate) fn chooses(&self, loaded: &Loaded) -> bool {
        self.roll.is_some() || loaded.program.rolls().count() < 2
    }

    fn bound(&self, loaded: &Loaded, roll: &Roll, arguments: &Value) -> Result<Bound, Wrong> {
        let data = roll.arguments(arguments).map_err(|errors| {
            let findings = errors.0.iter().map(|error| bad_argument(roll, error));
            Wrong {
                findings: findings.collect(),
            }
        })?;
        let bound = roll.bind(data, &loaded.table);
        let bound = bound.map_err(|error| match error {
            BindError::Resources(found) => Wrong::found(&found, &loaded.sources),
            error => Finding::general(FileCode::BadArguments.as_str(), error.to_string()).into(),
        })?;
        let decisions = loaded.program.decisions(&self.decisions());
        Ok(self.check.on(bound.decided(&decisions?)?))
    }

    /// The roll that is asked for.
    ///
    /// # Errors
    /// There is none of that name, or there are several and none is named.
    pub(crate) fn chosen(&self, loaded: &Loaded) -> Result<Roll, Wrong> {
        let roll = loaded.program.roll_or_only(self.roll.as_deref());
        roll.map_err(|error| {
            let finding = Finding::general(FileCode::UnknownRoll.as_str(), error.to_string());
            finding
                .help(error.help("choose one with \"roll\": its name"))
                .into()
        })
    }

    /// The arguments of the roll.
    pub(crate) fn arguments(&self) -> Value {
        Value::Object(self.arguments.clone().unwrap_or_default())
    }

    /// The decisions as the command writes them.
    pub(crate) fn decisions(&self) -> Vec<(String, String)> {
        let all = self.options.iter();
        let all = all.map(|(option, how)| {
            let how = match how {
                Value::Bool(true) => "always".to_owned(),
                Value::Bool(false) => "never".to_owned(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            (option.clone(), how)
        });
        all.collect()
    }
}

impl Loaded {
    /// What a rule gives.
    ///
    /// # Errors
    /// An internal one.
    pub(crate) fn kind(&self) -> Result<Kind, Wrong> {
        let kind = self.program.kind();
        kind.ok_or_else(|| bug!("a rule that gives nothing").into())
    }

    /// The numbers among its resources.
    #[cfg(feature = "native")]
    pub(crate) fn table(&self) -> &ResourceTable {
        &self.table
    }

    /// A part of its text as the place of a finding.
    #[cfg(feature = "native")]
    pub(crate) fn location(&self, span: dicec_runtime::span::Span) -> Location {
        // Only the place of it is used.
        let found = Diagnostic::error(Code::UnknownResource, span, "");
        Finding::in_sources(&found, &self.sources).location
    }

    /// The notes on it.
    pub(crate) fn notes(&self) -> Vec<Finding> {
        Finding::all(self.program.notes(), &self.sources, words)
    }

    /// A failure of it.
    pub(crate) fn failed(&self, failure: &Failure) -> Wrong {
        Wrong::failed(failure, &self.sources)
    }

    /// An error about a rule as a whole.
    pub(crate) fn whole(&self, code: Code, message: String) -> Finding {
        Finding::whole(code, message, &self.sources)
    }
}

/// What is wrong with an argument.
pub(crate) fn bad_argument(roll: &Roll, error: &ArgumentError) -> Finding {
    if let Some(found) = error.finding_in_text(words) {
        return found;
    }
    let help = error.help.clone();
    let help = help.unwrap_or_else(|| format!("{} takes ({})", roll.name(), roll.parameter_list()));
    Finding::general(FileCode::BadArguments.as_str(), error.to_string()).help(help)
}
