//! The rule that a command works on: read from the command line, a file or standard input, and compiled.

use crate::args::Shared;
use crate::error::{CliError, FileCode, Finding};
use crate::guard::unguard;
use clap::Args;
use dicec_compiler::syntax::{Code, Diagnostic, SourceLimits};
use dicec_compiler::{Bound, Failure, Program};
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

/// Where the rule's text is.
#[derive(Args, Clone, Debug)]
pub(crate) struct RuleArgs {
    /// The expression or check; `-` reads it from standard input. Several words are joined by blanks
    #[arg(value_name = "EXPR", num_args = 1.., required_unless_present = "file", conflicts_with = "file")]
    words: Vec<String>,
    /// Read the expression from a file
    #[arg(short = 'f', long, value_name = "FILE")]
    file: Option<PathBuf>,
}

/// A compiled rule and where it came from.
pub(crate) struct Rule {
    /// The file's name; empty for the command line.
    pub(crate) origin: String,
    pub(crate) program: Program,
}

impl RuleArgs {
    /// The first word, if the rule stands on the command line: it may be a misspelt command.
    pub(crate) fn first_word(&self) -> Option<&str> {
        self.words.first().map(String::as_str)
    }

    /// Reads and compiles the rule, and tells the notes on it.
    ///
    /// # Errors
    /// A file that cannot be read, or everything that is wrong with the text.
    pub(crate) fn compile(&self, shared: &Shared) -> Result<Rule, CliError> {
        let (origin, text) = self.read(shared.limits.source())?;
        match shared.compiler().compile(&text) {
            Ok(program) => {
                shared.reporter().notes(program.notes(), &origin, &text);
                Ok(Rule { origin, program })
            }
            Err(found) => Err(CliError::rule(&found, &origin, &text)),
        }
    }

    /// The text and where it came from.
    fn read(&self, limits: SourceLimits) -> Result<(String, String), CliError> {
        match &self.file {
            Some(path) => {
                let origin = path.display().to_string();
                let text = File::open(path)
                    .map_err(Unreadable::Io)
                    .and_then(|file| read_text(file, limits));
                named(origin, text)
            }
            None if self.words == ["-"] => {
                named("standard input".to_owned(), read_text(io::stdin(), limits))
            }
            None => {
                let words: Vec<&str> = self.words.iter().map(|word| unguard(word)).collect();
                Ok((String::new(), words.join(" ")))
            }
        }
    }
}

impl Rule {
    /// The rule with its resources.
    ///
    /// # Errors
    /// Each resource that has no value.
    pub(crate) fn bind(&self, shared: &Shared) -> Result<Bound<'_>, CliError> {
        let table = shared.table()?;
        self.program
            .bind(&table)
            .map_err(|found| CliError::rule(&found, &self.origin, self.program.text()))
    }

    /// A failure of this rule as an error.
    pub(crate) fn failed(&self, failure: &Failure) -> CliError {
        CliError::failure(failure, &self.origin, self.program.text())
    }

    /// An error about this rule as a whole; the caller words it.
    pub(crate) fn finding(&self, code: Code) -> Finding {
        let span = self.program.ast().span;
        let diagnostic = Diagnostic::error(code, span, code.title());
        Finding::in_rule(&diagnostic, &self.origin, self.program.text())
    }
}

enum Unreadable {
    Io(io::Error),
    NotText { byte: usize },
}

fn named(origin: String, text: Result<String, Unreadable>) -> Result<(String, String), CliError> {
    let message = match text {
        Ok(text) => return Ok((origin, text)),
        Err(Unreadable::Io(error)) => format!("cannot read the expression: {error}"),
        Err(Unreadable::NotText { byte }) => {
            format!("cannot read the expression: it is not UTF-8 text (byte {byte})")
        }
    };
    Err(Finding::in_file(FileCode::Unreadable, &origin, None, message).into())
}

/// Reads no more than it takes to see that a text is too long.
fn read_text(from: impl Read, limits: SourceLimits) -> Result<String, Unreadable> {
    let most = u64::from(limits.bytes) + 4;
    let mut bytes = Vec::new();
    from.take(most)
        .read_to_end(&mut bytes)
        .map_err(Unreadable::Io)?;
    let is_cut = bytes.len() as u64 == most;
    String::from_utf8(bytes).or_else(|error| {
        let wrong = error.utf8_error();
        let byte = wrong.valid_up_to();
        // The cut may have gone through a character; what is left is too long all the same.
        if is_cut && wrong.error_len().is_none() {
            Ok(String::from_utf8_lossy(&error.as_bytes()[..byte]).into_owned())
        } else {
            Err(Unreadable::NotText { byte })
        }
    })
}
