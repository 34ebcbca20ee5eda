//! What is wrong, as exceptions of Python: findings become a `dicec.DiceError`, notes a
//! `dicec.DiceWarning`.

use crate::wording::{of_python, words};
use anstream::adapter::strip_str;
use dicec_compiler::Failure;
use dicec_lang::syntax::{Code, Diagnostics, Finding, Location, Sources, render};
use dicec_runtime::bug::Bug;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::ffi::CString;

/// The columns of the excerpts in messages.
const WIDTH: usize = 88;

/// The module of the package that defines the exceptions.
const MODULE: &str = "dicec._errors";

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Wrong {
    /// Something is wrong with the question, or it has no answer.
    Findings(Vec<Finding>),
    /// An exception of Python: a value of a wrong type, or Ctrl-C.
    Python(PyErr),
}

/// An answer, or why there is none.
pub(crate) type Answered<T> = Result<T, Wrong>;

impl Wrong {
    /// What is wrong with the files of a rule or a script.
    pub(crate) fn found(found: &Diagnostics, sources: &Sources) -> Self {
        Self::Findings(Finding::all(found, sources, words))
    }

    /// Why a question to a rule or a script has no answer.
    pub(crate) fn failed(failure: &Failure, sources: &Sources) -> Self {
        failure.finding(sources, words).into()
    }

    /// The findings with something done to each; exceptions stay as they are.
    pub(crate) fn each(mut self, change: impl Fn(&mut Finding)) -> Self {
        if let Self::Findings(findings) = &mut self {
            findings.iter_mut().for_each(change);
        }
        self
    }
}

impl From<Finding> for Wrong {
    fn from(finding: Finding) -> Self {
        Self::Findings(vec![finding])
    }
}

impl From<Box<Finding>> for Wrong {
    fn from(finding: Box<Finding>) -> Self {
        (*finding).into()
    }
}

impl From<PyErr> for Wrong {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

/// An internal error.
impl From<Bug> for Wrong {
    fn from(bug: Bug) -> Self {
        Finding::from(bug).into()
    }
}

impl From<Wrong> for PyErr {
    fn from(wrong: Wrong) -> Self {
        match wrong {
            Wrong::Python(error) => error,
            Wrong::Findings(mut findings) => {
                for finding in &mut findings {
                    finding.help = finding.help.as_deref().map(of_python);
                }
                Python::attach(|py| exception(py, &findings).unwrap_or_else(|error| error))
            }
        }
    }
}

/// The exception that tells findings.
fn exception(py: Python<'_>, findings: &[Finding]) -> PyResult<PyErr> {
    let module = py.import(MODULE)?;
    let is_wrong = |finding: &Finding| finding.code == Code::WrongAnswer.as_str();
    let class = match findings.iter().any(is_wrong) {
        true => "WrongAnswer",
        false => "DiceError",
    };
    let (class, part) = (module.getattr(class)?, module.getattr("Finding")?);
    let parts = PyList::empty(py);
    for finding in findings {
        let (text, span) = match &finding.location {
            Location::Text { text, span, .. } => (Some(text.as_str()), Some(span.range())),
            Location::Nowhere | Location::File { .. } => (None, None),
        };
        // Python counts characters.
        let count = |end: usize| text.and_then(|text| Some(text.get(..end)?.chars().count()));
        let span = span.and_then(|span| Some((count(span.start)?, count(span.end)?)));
        let help = finding.help.as_deref();
        parts.append(part.call1((finding.code, &finding.message, span, help, text))?)?;
    }
    let shown: Vec<String> = findings.iter().map(shown).collect();
    Ok(PyErr::from_value(class.call1((shown.join("\n"), parts))?))
}

/// A finding as annotated source, without colours.
fn shown(finding: &Finding) -> String {
    strip_str(&render(finding, WIDTH)).to_string()
}

/// Tells notes as warnings.
///
/// # Errors
/// The user has made warnings errors.
pub(crate) fn warn(py: Python<'_>, notes: impl IntoIterator<Item = Finding>) -> PyResult<()> {
    let mut notes = notes.into_iter().peekable();
    if notes.peek().is_none() {
        return Ok(());
    }
    let category = py.import(MODULE)?.getattr("DiceWarning")?;
    for note in notes {
        // A rule may hold any character, but a C string no zero.
        let text = CString::new(shown(&note).replace('\0', "\u{fffd}")).unwrap_or_default();
        PyErr::warn(py, &category, &text, 1)?;
    }
    Ok(())
}

/// Tells the notes on a rule or a script.
///
/// # Errors
/// As for [`warn`].
pub(crate) fn warn_of(py: Python<'_>, notes: &Diagnostics, sources: &Sources) -> PyResult<()> {
    warn(py, Finding::all(notes, sources, words))
}
