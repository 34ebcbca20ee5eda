//! AnyDice programs that commands are given.

use crate::args::Shared;
use crate::error::CliError;
use crate::rule::{RuleArgs, read_source};
use dicec_compiler::AnyDice;
use dicec_lang::syntax::{Code, Diagnostic, Diagnostics, Sources};
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
