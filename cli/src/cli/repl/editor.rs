//! The input line: its history, its completions, and definitions of several lines.

use super::entry::{self, is_definition};
use super::memory::Memory;
use crate::error::{CliError, FileCode, Finding};
use dicec_lang::front::notation::Function;
use dicec_lang::front::script::{libraries, library_functions};
use etcetera::BaseStrategy;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Helper};
use std::fs;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

const PROMPT: &str = "dicec> ";

/// More lines than this are forgotten, the oldest first.
const MAX_HISTORY: usize = 1000;

/// What was read.
pub(super) enum Read {
    /// A line, or the lines of a definition.
    Line(String),
    /// The line was given up.
    Interrupted,
    End,
}

/// The keyboard, or standard input.
pub(super) struct Editor {
    lines: rustyline::Editor<Words, FileHistory>,
    history: Option<PathBuf>,
    is_at_terminal: bool,
}

impl Editor {
    /// # Errors
    /// A terminal that cannot be used.
    pub(super) fn new() -> Result<Self, CliError> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .max_history_size(MAX_HISTORY)
            .map_err(unusable)?
            .auto_add_history(true)
            .build();
        let mut lines = rustyline::Editor::with_config(config).map_err(unusable)?;
        lines.set_helper(Some(Words::default()));
        let is_at_terminal = io::stdin().is_terminal();
        let history = is_at_terminal.then(history_file).flatten();
        if let Some(path) = &history {
            // The first session has none to load.
            let _ = lines.load_history(path);
        }
        Ok(Self {
            lines,
            history,
            is_at_terminal,
        })
    }

    /// Whether somebody is typing.
    pub(super) fn is_at_terminal(&self) -> bool {
        self.is_at_terminal
    }

    /// The next entry.
    ///
    /// # Errors
    /// A terminal that cannot be read.
    pub(super) fn read(&mut self, memory: &Memory) -> Result<Read, CliError> {
        if let Some(words) = self.lines.helper_mut() {
            words.names = memory.names();
        }
        let prompt = if self.is_at_terminal { PROMPT } else { "" };
        match self.lines.readline(prompt) {
            Ok(line) => Ok(Read::Line(line)),
            Err(ReadlineError::Interrupted) => Ok(Read::Interrupted),
            Err(ReadlineError::Eof) => Ok(Read::End),
            Err(error) => Err(unusable(error)),
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        if let Some(path) = &self.history {
            // A history that cannot be kept is not worth an error at the end of a session.
            let _ = path.parent().map(fs::create_dir_all);
            let _ = self.lines.save_history(path);
        }
    }
}

fn unusable(error: ReadlineError) -> CliError {
    let message = format!("cannot read the terminal: {error}");
    Finding::general(FileCode::Unreadable.as_str(), message).into()
}

fn history_file() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    let state = folders.state_dir().unwrap_or_else(|| folders.data_dir());
    Some(state.join("dicec").join("history"))
}

/// Knows the words of a session, and where an entry ends.
#[derive(Default)]
struct Words {
    names: Vec<String>,
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..at).unwrap_or(line);
        let in_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '[');
        let start = typed.trim_end_matches(in_word).len();
        let word = &typed[start..];
        if word.is_empty() {
            return Ok((start, Vec::new()));
        }
        let mut found: Vec<String> = self.all().filter(|known| known.starts_with(word)).collect();
        found.sort_unstable();
        found.dedup();
        Ok((start, found))
    }
}

impl Words {
    fn all(&self) -> impl Iterator<Item = String> {
        let commands = entry::WORDS.iter().chain(&entry::DEFINITIONS);
        let functions = Function::ALL
            .into_iter()
            .map(|function| format!("{function}("));
        let libraries = libraries().flat_map(|library| {
            let names = library_functions(library);
            names.map(move |name| format!("{library}.{name}("))
        });
        let commands = commands.map(|word| (*word).to_owned());
        commands
            .chain(functions)
            .chain(libraries)
            .chain(self.names.clone())
    }
}

impl Validator for Words {
    /// A definition goes on until its brackets are closed, or an empty line ends it.
    fn validate(&self, typed: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = typed.input();
        let is_open = is_definition(text.trim_start()) && depth(text) > 0;
        Ok(match is_open && !text.ends_with("\n") {
            true => ValidationResult::Incomplete,
            false => ValidationResult::Valid(None),
        })
    }
}

/// How many brackets of a text are open, outside texts.
fn depth(text: &str) -> i64 {
    let mut in_text = false;
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '"' => in_text = !in_text,
            '{' | '(' if !in_text => depth += 1,
            '}' | ')' if !in_text => depth -= 1,
            _ => {}
        }
    }
    depth
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}

impl Helper for Words {}
