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
    pub(super) fn into_text(self) -> String {
        self.0
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
