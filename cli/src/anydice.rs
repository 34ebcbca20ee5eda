//! AnyDice programs that commands are given.

use crate::args::Shared;
use crate::error::{CliError, FileCode, Finding};
use crate::rule::{RuleArgs, read_source};
use dicec_compiler::unstable::AnyDiceScript;
use dicec_compiler::{AnyDice, Failure};
use dicec_lang::syntax::{Code, Diagnostic, Diagnostics, Sources};
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;
use dicec_runtime::span::Span;

/// The AnyDice program that the words are, if they are one: by the flag, by the name of a file, or
/// plainly by the text, which a note says.
///
/// # Errors
/// A file that cannot be read, or a mistake in the program.
pub(crate) fn given(rule: &RuleArgs, shared: &Shared) -> Result<Option<AnyDice>, CliError> {
    let limits = shared.limits.source();
    let (origin, text, is_recognised) = if let Some(path) = rule.anydice() {
        let (origin, text) = read_source(path, true, "program", limits)?;
        (origin, text, false)
    } else if shared.is_anydice() {
        let (origin, text) = rule.read(limits)?;
        (origin, text, false)
    } else if let Some(text) = rule.inline().filter(|text| AnyDice::is_anydice(text)) {
        (String::new(), text, true)
    } else {
        return Ok(None);
    };
    let program = shared.compiler().anydice(&text);
    let sources = Sources::single(&origin, &text);
    let program = program.map_err(|found| CliError::found(&found, &sources))?;
    if is_recognised {
        let message = "this is read as a program of AnyDice";
        let note = Diagnostic::note(Code::AnyDiceRead, Span::default(), message);
        let notes = Diagnostics::from(note.help("say so with -d anydice"));
        shared.reporter().notes(&notes, &sources);
    }
    Ok(Some(program.from_file(&origin)))
}

/// How much more work than exact odds the one run of an AnyDice program may take before its script
/// is known.
const TRANSLATION_FACTOR: u64 = 10;

/// The script that a program becomes, with a roll for each output and the values of `--set`; or why
/// it has none: a construct without a translation, a mistake that shows when the program runs, or a
/// program that is too large.
///
/// # Errors
/// A value that is not a whole number.
pub(crate) fn translated(
    program: &AnyDice,
    set: &[String],
    shared: &Shared,
) -> Result<Result<AnyDiceScript, Failure>, CliError> {
    let values = values(set)?;
    let values = borrowed(&values);
    let mut limits = Limits::default();
    limits.work *= TRANSLATION_FACTOR;
    let written = program.script(&values, &limits, &Control::default());
    if let Ok(written) = &written {
        shared.reporter().notes(&written.notes, program.sources());
    }
    Ok(written)
}

/// Values of variables as the library takes them.
pub(crate) fn borrowed(values: &[(String, i64)]) -> Vec<(&str, i64)> {
    let values = values.iter();
    values
        .map(|(name, value)| (name.as_str(), *value))
        .collect()
}

/// The values of `--set` for variables of a program.
///
/// # Errors
/// A value that is not a whole number.
pub(crate) fn values(set: &[String]) -> Result<Vec<(String, i64)>, CliError> {
    let set = set.iter().map(|text| {
        let parts = text.split_once('=');
        let parts = parts.and_then(|(name, value)| Some((name, value.trim().parse().ok()?)));
        let (name, value) = parts.ok_or_else(|| {
            let message = format!("--set {text} gives no variable a whole number");
            let finding = Finding::general(FileCode::BadArguments.as_str(), message);
            finding.help("write --set X=5 for a global variable of the program")
        })?;
        Ok((name.trim().to_owned(), value))
    });
    set.collect()
}
