//! The text that a command works on, from the command line, a file or standard input.

use crate::error::{CliError, FileCode, Finding};
use crate::guard::unguard;
use clap::Args;
use dicec_compiler::syntax::{Code, SourceLimits};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Where the rule's text is.
#[derive(Args, Clone, Debug)]
pub(crate) struct RuleArgs {
    /// The expression or check; `-` reads it from standard input. Several words are joined by
    /// spaces
    #[arg(value_name = "EXPR", num_args = 1.., required_unless_present = "file", conflicts_with = "file")]
    words: Vec<String>,
    /// Read the expression from a file
    #[arg(short = 'f', long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl RuleArgs {
    /// The first word, if the rule stands on the command line: it may be a misspelt command.
    pub(crate) fn first_word(&self) -> Option<&str> {
        self.words.first().map(String::as_str)
    }

    /// The file, if it is a script or a scenario rather than an expression: its name ends in
    /// `.dice` or `.json`.
    pub(crate) fn script(&self) -> Option<&Path> {
        let word = match &self.words[..] {
            [word] => Some(Path::new(unguard(word))),
            _ => None,
        };
        let path = self.file.as_deref().or(word)?;
        path.extension()
            .is_some_and(|end| end == "dice" || end == "json")
            .then_some(path)
    }

    /// The text and where it came from: the name of a file, empty for the command line.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub(crate) fn read(&self, limits: SourceLimits) -> Result<(String, String), CliError> {
        let path = match &self.file {
            Some(path) => path,
            None if self.words == ["-"] => Path::new("-"),
            None => {
                let words: Vec<&str> = self.words.iter().map(|word| unguard(word)).collect();
                return Ok((String::new(), words.join(" ")));
            }
        };
        let is_file = self.file.is_some();
        read_source(path, is_file, "expression", limits)
    }
}

/// The name and the text of a file with an `expression` or a `script`; `-` is standard input unless
/// `is_file`.
///
/// # Errors
/// It cannot be read, is not text, or is too long.
pub(crate) fn read_source(
    path: &Path,
    is_file: bool,
    what: &str,
    limits: SourceLimits,
) -> Result<(String, String), CliError> {
    let (origin, text) = if path == Path::new("-") && !is_file {
        let text = read_text(io::stdin(), limits);
        ("standard input".to_owned(), text)
    } else {
        let text = File::open(path).map_err(Unreadable::Io);
        let text = text.and_then(|file| read_text(file, limits));
        (path.display().to_string(), text)
    };
    match text {
        Ok(text) => Ok((origin, text)),
        Err(error) => Err(error.error(&origin, what)),
    }
}

/// Why a text cannot be had.
enum Unreadable {
    Io(io::Error),
    NotText { byte: usize },
    TooLong { limit: u32 },
}

impl Unreadable {
    fn error(self, origin: &str, what: &str) -> CliError {
        let (code, why) = match self {
            Unreadable::Io(error) => (FileCode::Unreadable.as_str(), error.to_string()),
            Unreadable::NotText { byte } => (
                FileCode::Unreadable.as_str(),
                format!("it is not UTF-8 text (byte {byte})"),
            ),
            Unreadable::TooLong { limit } => (
                Code::SourceTooLong.as_str(),
                format!("it has more than {limit} bytes"),
            ),
        };
        let message = format!("cannot read the {what}: {why}");
        let mut finding = Finding::in_file(FileCode::Unreadable.as_str(), origin, None, message);
        finding.code = code;
        if code == Code::SourceTooLong.as_str() {
            finding = finding.help("shorten it, or raise the limit with --max-source");
        }
        finding.into()
    }
}

/// Reads no more than it takes to see that a text is too long.
fn read_text(from: impl Read, limits: SourceLimits) -> Result<String, Unreadable> {
    let limit = limits.bytes;
    let mut bytes = Vec::new();
    from.take(u64::from(limit) + 1)
        .read_to_end(&mut bytes)
        .map_err(Unreadable::Io)?;
    if bytes.len() > limit as usize {
        return Err(Unreadable::TooLong { limit });
    }
    String::from_utf8(bytes).map_err(|error| Unreadable::NotText {
        byte: error.utf8_error().valid_up_to(),
    })
}
