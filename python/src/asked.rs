//! A rule that is asked about: compiled, with its resources.

use crate::error::{Answered, Wrong, warn_of};
use crate::kept;
use crate::limits::{compiler, limits};
use crate::resources::Resources;
use dicec_compiler::unstable::BindError;
use dicec_compiler::{AnyDice, Bound, Compiler, Dialect, Failure, Program, ResourceName};
use dicec_lang::syntax::{Code, Finding, Sources};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::{Bound as Object, PyAnyMethods, PyResult, Python};
use pyo3::types::{PyDict, PyMapping};
use std::collections::BTreeMap;

/// How rules are read.
#[derive(Default)]
pub(crate) struct Reading {
    pub(crate) dialect: Option<String>,
    pub(crate) limits: Option<BTreeMap<String, u64>>,
}

impl Reading {
    /// The compiler that reads them.
    ///
    /// # Errors
    /// `ValueError` for a dialect or a limit that there is not.
    pub(crate) fn compiler(self) -> PyResult<Compiler> {
        let dialect = match self.dialect.as_deref() {
            None | Some("rulebook") => Dialect::Rulebook,
            Some("notation") => Dialect::Notation,
            Some("anydice") => {
                let message = "an AnyDice program is not a rule: dicec.anydice(text)";
                return Err(PyValueError::new_err(message));
            }
            Some(other) => {
                let message = format!("the dialect is \"rulebook\" or \"notation\", not {other:?}");
                return Err(PyValueError::new_err(message));
            }
        };
        Ok(compiler(limits(self.limits)?).dialect(dialect))
    }
}

/// A rule, compiled.
pub(crate) struct Rule {
    pub(crate) program: Program,
    sources: Sources,
}

impl Rule {
    /// Compiles a rule with these dice in place of resources, and tells the notes on it.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub(crate) fn new(
        py: Python<'_>,
        text: &str,
        compiler: &Compiler,
        resources: &Resources,
    ) -> Answered<Self> {
        let expanded = compiler.with_dice(text, &resources.dice);
        let text = expanded.map_err(|found| Wrong::found(&found, &Sources::single("", text)))?;
        let program = kept::rule(compiler, &text).map_err(|found| {
            let sources = Sources::single("", &text);
            if AnyDice::is_anydice(&text) {
                let message = "this is an AnyDice program, and not a rule".to_owned();
                let finding = Finding::whole(Code::OtherTool, message, &sources);
                return finding.help("dicec.anydice(text)").into();
            }
            Wrong::found(&found, &sources)
        })?;
        let sources = match program.sources().names().len() {
            1 => Sources::single("", &text),
            // With the libraries of which it calls functions.
            _ => program.sources().clone(),
        };
        warn_of(py, program.notes(), &sources)?;
        Ok(Self { program, sources })
    }

    /// The rule with its resources.
    ///
    /// # Errors
    /// Resources that are missing.
    pub(crate) fn bind(self, resources: &Resources) -> Answered<Asked> {
        let bound = self.program.bind(&resources.table);
        let bound = bound.map_err(|error| match error {
            BindError::Resources(found) => Wrong::found(&found, &self.sources),
            error => Wrong::failed(&error.into(), &self.sources),
        })?;
        Ok(Asked {
            bound,
            sources: self.sources,
        })
    }

    /// Where its text is.
    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }
}

/// Refuses keywords that the rule does not read: most are misspelt parameters of the function.
fn check_keywords(text: &str, named: Option<&Object<'_, PyDict>>) -> PyResult<()> {
    let in_brackets = text.split('[').skip(1);
    let in_brackets = in_brackets.filter_map(|rest| Some(rest.split_once(']')?.0));
    let read: Vec<ResourceName> = in_brackets.map(ResourceName::parse).collect();
    for (name, _) in named.into_iter().flatten() {
        let name: String = name.extract()?;
        if !read.contains(&ResourceName::parse(&name)) {
            return Err(PyTypeError::new_err(format!(
                "\"{name}\" is neither a keyword of this function nor a resource of the rule"
            )));
        }
    }
    Ok(())
}

/// A rule with everything that its answers depend on.
pub(crate) struct Asked {
    pub(crate) bound: Bound,
    sources: Sources,
}

impl Asked {
    /// Compiles a rule and gives it its resources: those of a mapping, and of keywords.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub(crate) fn new(
        py: Python<'_>,
        text: &str,
        reading: Reading,
        given: Option<&Object<'_, PyMapping>>,
        named: Option<&Object<'_, PyDict>>,
    ) -> Answered<Self> {
        let compiler = reading.compiler()?;
        let resources = Resources::new(&compiler, given, named)?;
        let asked = Rule::new(py, text, &compiler, &resources)?.bind(&resources)?;
        // A resource that is missing says more about a typo.
        check_keywords(text, named)?;
        Ok(asked)
    }

    /// A failure of it.
    pub(crate) fn failed(&self, failure: &Failure) -> Wrong {
        Wrong::failed(failure, &self.sources)
    }
}
