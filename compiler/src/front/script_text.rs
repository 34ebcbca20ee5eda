//! Text of scripts that front ends write: lines, comments, names and quoted text. The formatter
//! brings it to its layout.

/// A script while it is written, a line at a time.
#[derive(Debug, Default)]
pub(super) struct ScriptText(String);

impl ScriptText {
    /// A line of code, or of several.
    pub(super) fn line(&mut self, code: impl AsRef<str>) {
        self.0 += code.as_ref();
        self.0.push('\n');
    }

    /// A comment; a line of it for each line of the text.
    pub(super) fn comment(&mut self, text: impl AsRef<str>) {
        for line in text.as_ref().lines() {
            self.line(format!("// {line}").trim_end());
        }
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

/// A text of the script.
pub(super) fn quoted(text: &str) -> String {
    let escaped = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace(['\n', '\t'], " ");
    format!("\"{escaped}\"")
}

/// A name of the script for words: `Half-Red Dragon` is `halfRedDragon`. It may be a word of
/// the language.
pub(super) fn identifier(words: &str) -> String {
    let parts = words.split(|c: char| !c.is_ascii_alphanumeric());
    let mut name = String::new();
    for part in parts.filter(|part| !part.is_empty()) {
        let mut characters = part.chars();
        match (name.is_empty(), characters.next()) {
            (false, Some(first)) => name.push(first.to_ascii_uppercase()),
            (true, Some(first)) => name.push(first.to_ascii_lowercase()),
            (_, None) => {}
        }
        name.extend(characters);
    }
    match name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => name,
        false => format!("n{name}"),
    }
}
