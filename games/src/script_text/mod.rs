//! Text of scripts that front ends write: lines, comments, names and quoted text. The formatter
//! brings it to its layout.
//!
//! Names of documents are anything that people call something, so none may become code. Lines
//! therefore take [`ScriptCode`] only, which holds no text of a document but in quotes.

mod code;
mod names;

pub use code::ScriptCode;
pub(super) use code::{IsCode, Joined, checked, code, names_all};
pub(super) use names::Names;

use super::wrong::Wrong;
use dicec_lang::syntax::SourceLimits;

/// The most bytes of a script that a document becomes: three times as many as a fight of sixteen
/// kinds of dragons needs.
const GENERATED_BYTES: usize = 512 * 1024;

/// Limits on the text of such a script: its layout indents it.
pub const GENERATED: SourceLimits = SourceLimits {
    bytes: 4 * GENERATED_BYTES as u32,
    nesting: SourceLimits::DEFAULT_NESTING,
};

/// A script while it is written, a line at a time.
#[derive(Debug, Default)]
pub(super) struct ScriptText(String);

impl ScriptText {
    /// A line of code, or of several.
    pub(super) fn line(&mut self, code: impl Into<ScriptCode>) {
        self.0 += code.into().as_str();
        self.0.push('\n');
    }

    /// A comment; a line of it for each line of the text.
    pub(super) fn comment(&mut self, text: impl AsRef<str>) {
        for line in text.as_ref().lines() {
            self.line(remark(line));
        }
    }

    /// A comment, in lines that are not too long.
    pub(super) fn wrapped_comment(&mut self, text: &str) {
        let mut line = String::new();
        for word in text.split_whitespace() {
            if line.len() + 1 + word.len() > 95 && !line.is_empty() {
                self.comment(&line);
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line += word;
        }
        self.comment(&line);
    }

    /// All lines of another script.
    pub(super) fn append(&mut self, other: ScriptText) {
        self.0 += &other.0;
    }

    /// How much of it is written: what comes after it can be taken back.
    pub(super) fn written(&self) -> usize {
        self.0.len()
    }

    /// Takes back what was written after there was so much of it.
    pub(super) fn take_back(&mut self, written: usize) {
        self.0.truncate(written);
    }

    /// The text.
    ///
    /// # Errors
    /// It is longer than [`GENERATED_BYTES`]: the document has too much in it, or too long names.
    pub(super) fn into_text(self) -> Result<String, Wrong> {
        let length = self.0.len();
        if length <= GENERATED_BYTES {
            return Ok(self.0);
        }
        let what = format!(
            "becomes a script of {} KiB; at most {} KiB are compiled",
            length.div_ceil(1024),
            GENERATED_BYTES / 1024
        );
        let help = "shorten its names and texts, or leave out some of its creatures or parts";
        Err(Wrong::new("$", what).help(help))
    }
}

/// A character of a comment. Some that scripts may hold end a line in other programs, or turn the
/// direction of the text after them; so a comment would not look like one.
fn in_comment(c: char) -> char {
    match c {
        '\t' => c,
        '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => ' ',
        c if c.is_control() => ' ',
        c => c,
    }
}

/// A comment as a line of code.
pub(super) fn remark(text: &str) -> ScriptCode {
    let line: String = text.chars().map(in_comment).collect();
    ScriptCode::comment(&line)
}

/// A text of the script: the same characters when it is read again.
pub(super) fn quoted(text: &str) -> ScriptCode {
    ScriptCode::quoted(text)
}

/// A name of the script for words: `Half-Red Dragon` is `halfRedDragon`. It may be a word of
/// the language.
pub(super) fn identifier(words: &str) -> ScriptCode {
    ScriptCode::identifier(words)
}
