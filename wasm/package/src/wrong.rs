//! Errors and notes as JavaScript gets them: findings with the offsets of its own strings.

use dicec_compiler::Failure;
use dicec_compiler::unstable::syntax::{Diagnostic, Diagnostics, Severity, Sources};
use dicec_runtime::bug;
use serde::Serialize;

/// An error or a note.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Finding {
    /// Its stable code; none if a call is wrong, rather than a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    is_error: bool,
    message: String,
    /// The part of the text that it is about, in UTF-16 code units.
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<Units>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
}

/// A part of a text in UTF-16 code units.
#[derive(Debug, Serialize)]
struct Units {
    start: usize,
    end: usize,
}

/// A call that makes no sense, as the JSON of its findings.
pub(crate) fn misuse(message: impl Into<String>, help: impl Into<String>) -> String {
    json(&[Finding {
        is_error: true,
        message: message.into(),
        help: Some(help.into()),
        ..Finding::default()
    }])
}

/// Errors in a text, as the JSON of their findings.
pub(crate) fn found(found: &Diagnostics, sources: &Sources) -> String {
    json(&findings(found, sources))
}

/// A failure of a program, as the JSON of its findings.
pub(crate) fn failed(failure: &Failure, sources: &Sources) -> String {
    match failure.diagnostic(sources.main().len()) {
        Some(diagnostic) => found(&diagnostic.into(), sources),
        None => json(&[Finding {
            is_error: true,
            message: failure.to_string(),
            ..Finding::default()
        }]),
    }
}

/// Errors and notes on a text.
pub(crate) fn findings(found: &Diagnostics, sources: &Sources) -> Vec<Finding> {
    found.iter().map(|one| finding(one, sources)).collect()
}

fn finding(found: &Diagnostic, sources: &Sources) -> Finding {
    let text = sources.main();
    // A span is on the borders of letters.
    let units = |at: u32| text[..at as usize].encode_utf16().count();
    // The caller does not have the texts of libraries.
    let is_here = sources.is_main(found.span);
    Finding {
        code: Some(found.code.as_str()),
        is_error: found.severity == Severity::Error,
        message: found.message.clone(),
        span: is_here.then(|| Units {
            start: units(found.span.start),
            end: units(found.span.end),
        }),
        help: found.help.clone(),
    }
}

/// A document as JSON.
pub(crate) fn json<D: Serialize + ?Sized>(document: &D) -> String {
    let text = serde_json::to_string(document);
    text.unwrap_or_else(|error| bug!("a document that is not JSON: {error}").raise())
}
