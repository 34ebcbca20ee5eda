//! Several files as one text: its locations are mapped back to those of a file for reports.

use super::Diagnostic;
use dicec_runtime::span::Span;
use std::sync::Arc;

/// The files that a text is made of, one after the other. The main one is the first, so that its
/// offsets are the same in both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    text: Arc<str>,
    files: Vec<File>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct File {
    name: String,
    span: Span,
}

/// A location in one of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located<'s> {
    /// The file's name.
    pub name: &'s str,
    /// Its text.
    pub text: &'s str,
    /// The span in its text.
    pub span: Span,
}

impl Located<'_> {
    /// The line, counted from 1.
    pub fn line(&self) -> usize {
        let before = self
            .text
            .get(..self.span.range().start)
            .unwrap_or(self.text);
        before.matches('\n').count() + 1
    }
}

impl Sources {
    /// One file.
    pub fn single(name: impl Into<String>, text: &str) -> Self {
        let mut sources = Self::default();
        sources.add(name, text);
        sources
    }

    /// Adds a file after the others; returns its span. Together they have to stay below 4 GiB.
    pub(crate) fn add(&mut self, name: impl Into<String>, text: &str) -> Span {
        let start = self.text.len();
        let span = Span::new(start as u32, (start + text.len()) as u32);
        // It begins on a new line, whether or not the last file ended with one.
        self.text = format!("{}{text}\n", self.text).into();
        self.files.push(File {
            name: name.into(),
            span,
        });
        span
    }

    /// All files as one text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of the main file.
    pub fn main(&self) -> &str {
        let main = self.files.first();
        main.and_then(|main| self.text.get(main.span.range()))
            .unwrap_or_default()
    }

    /// The names of the files, the main one first.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.files.iter().map(|file| file.name.as_str())
    }

    /// The texts of the files, in the same order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let files = self.files.iter();
        files.filter_map(|file| self.text.get(file.span.range()))
    }

    /// The file in which a span begins.
    pub fn locate(&self, span: Span) -> Located<'_> {
        let behind = self
            .files
            .partition_point(|file| file.span.start <= span.start);
        let Some(file) = self.files.get(behind.saturating_sub(1)) else {
            return Located {
                name: "",
                text: "",
                span: Span::default(),
            };
        };
        let local = |at: u32| at.clamp(file.span.start, file.span.end) - file.span.start;
        Located {
            name: &file.name,
            text: self.text.get(file.span.range()).unwrap_or_default(),
            span: Span::new(local(span.start), local(span.end)),
        }
    }

    /// Whether a span is in the main file.
    pub fn is_main(&self, span: Span) -> bool {
        let main = self.files.first();
        main.is_some_and(|main| span.start <= main.span.end)
    }

    /// A finding in terms of its file: the file's name and text, and the finding with its locations
    /// there. Secondary locations in other files become part of the help.
    pub fn localise(&self, found: &Diagnostic) -> (Located<'_>, Diagnostic) {
        let place = self.locate(found.span);
        let mut local = found.clone();
        local.span = place.span;
        local.labels.clear();
        for label in &found.labels {
            let other = self.locate(label.span);
            if other.name == place.name {
                let mut label = label.clone();
                label.span = other.span;
                local.labels.push(label);
            } else {
                let elsewhere = format!("{} (line {} of {})", label.text, other.line(), other.name);
                local.help = Some(match local.help {
                    Some(help) => format!("{help}; {elsewhere}"),
                    None => elsewhere,
                });
            }
        }
        (place, local)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Code;

    #[test]
    fn places_are_those_of_their_file() {
        let mut sources = Sources::single("main.dice", "abc");
        let second = sources.add("lib.dice", "x\nyz");
        assert_eq!(&sources.text()[second.range()], "x\nyz");
        let found = sources.locate(Span::new(second.start + 2, second.end));
        assert_eq!(
            (found.name, found.span, found.line()),
            ("lib.dice", Span::new(2, 4), 2)
        );
        // The end of a file is its own.
        assert_eq!(sources.locate(Span::new(3, 3)).name, "main.dice");
        assert!(sources.is_main(Span::new(3, 3)) && !sources.is_main(second));
    }

    #[test]
    fn second_places_elsewhere_are_told_in_words() {
        let mut sources = Sources::single("main.dice", "abc");
        let second = sources.add("lib.dice", "x");
        let found = Diagnostic::error(Code::DefinedTwice, Span::new(1, 2), "m")
            .label(second, "the first one")
            .help("h");
        let (_, local) = sources.localise(&found);
        assert!(local.labels.is_empty());
        assert_eq!(
            local.help.as_deref(),
            Some("h; the first one (line 1 of lib.dice)")
        );
    }
}
