//! The text that a command works on, from the command line, a file or standard input.

use crate::error::CliError;
use crate::guard::unguard;
use clap::Args;
use dicec_lang::syntax::{Code, SourceLimits, read_file, read_text};
use std::io;
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
    /// One word, as if it stood on the command line.
    pub(crate) fn word(word: &str) -> Self {
        Self {
            words: vec![word.to_owned()],
            file: None,
        }
    }

    /// Each word as a rule of its own; a file is one.
    pub(crate) fn each(&self) -> Vec<Self> {
        match &self.file {
            Some(_) => vec![self.clone()],
            None => self.words.iter().map(|word| Self::word(word)).collect(),
        }
    }

    /// The first word, if the rule stands on the command line: it may be a misspelt command.
    pub(crate) fn first_word(&self) -> Option<&str> {
        self.words.first().map(String::as_str)
    }

    /// The file, if it is a script or a scenario rather than an expression: its name ends in
    /// `.dice` or `.json`.
    pub(crate) fn script(&self) -> Option<&Path> {
        self.path(&["dice", "json"])
    }

    /// The file, if its name says that it is an AnyDice program.
    pub(crate) fn anydice(&self) -> Option<&Path> {
        self.path(&["anydice"])
    }

    /// The file, if its name ends in one of these.
    fn path(&self, endings: &[&str]) -> Option<&Path> {
        let word = match &self.words[..] {
            [word] => Some(Path::new(unguard(word))),
            _ => None,
        };
        let path = self.file.as_deref().or(word)?;
        let ending = path.extension()?;
        endings.iter().any(|one| ending == *one).then_some(path)
    }

    /// The text, if it stands on the command line.
    pub(crate) fn inline(&self) -> Option<String> {
        let is_inline = self.file.is_none() && self.words != ["-"];
        is_inline.then(|| self.joined())
    }

    fn joined(&self) -> String {
        let words: Vec<&str> = self.words.iter().map(|word| unguard(word)).collect();
        words.join(" ")
    }

    /// The text and where it came from: the name of a file, empty for the command line.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub(crate) fn read(&self, limits: SourceLimits) -> Result<(String, String), CliError> {
        let path = match &self.file {
            Some(path) => path,
            None if self.words == ["-"] => Path::new("-"),
            None => return Ok((String::new(), self.joined())),
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
        ("standard input".to_owned(), read_text(io::stdin(), limits))
    } else {
        (path.display().to_string(), read_file(path, limits))
    };
    match text {
        Ok(text) => Ok((origin, text)),
        Err(error) => {
            let finding = error.finding(&origin, what);
            let is_too_long = finding.code == Code::SourceTooLong.as_str();
            Err(match is_too_long {
                true => finding
                    .help("shorten it, or raise the limit with --max-source")
                    .into(),
                false => finding.into(),
            })
        }
    }
}
