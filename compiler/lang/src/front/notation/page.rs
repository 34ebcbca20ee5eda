//! The output of the printer: text in pieces, some of them highlighted.

use std::fmt::Write;

/// How a piece of a shown roll is highlighted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// Not at all.
    #[default]
    Plain,
    /// A die or sub-roll that does not count.
    Dropped,
    /// A die that succeeded.
    Success,
    /// A die that failed.
    Failure,
    /// An outstandingly good face.
    Critical,
    /// An outstandingly bad face.
    Fumble,
}

impl Style {
    /// The Markdown on both sides of such a piece. Critical and fumble marks are shown by colours
    /// only.
    pub fn mark(self) -> &'static str {
        match self {
            Style::Plain | Style::Critical | Style::Fumble => "",
            Style::Dropped => "~~",
            Style::Success => "**",
            Style::Failure => "__",
        }
    }
}

/// A piece of a shown roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// What it says.
    pub text: String,
    /// How it is highlighted.
    pub style: Style,
}

impl Segment {
    /// A piece without a highlight.
    pub fn plain(text: String) -> Self {
        let style = Style::Plain;
        Self { text, style }
    }
}

/// The text of segments, with their Markdown.
pub fn marked(segments: &[Segment]) -> String {
    let pieces = segments.iter().map(|segment| {
        let mark = segment.style.mark();
        [mark, &segment.text, mark].concat()
    });
    pieces.collect()
}

/// Text in pieces; pieces of one style that follow one another are one.
#[derive(Clone, Debug, Default)]
pub struct Page {
    segments: Vec<Segment>,
    /// Whether everything that is written belongs to a sub-roll that does not count.
    struck: bool,
}

impl Page {
    /// Adds plain text.
    pub fn push(&mut self, text: &str) {
        self.styled(text, Style::Plain);
    }

    /// Adds text in a style.
    pub fn styled(&mut self, text: &str, style: Style) {
        let style = if self.struck { Style::Dropped } else { style };
        match self.segments.last_mut() {
            Some(last) if last.style == style => last.text.push_str(text),
            _ => self.segments.push(Segment {
                text: text.to_owned(),
                style,
            }),
        }
    }

    /// Adds a number or its like.
    pub(super) fn show(&mut self, value: impl std::fmt::Display) {
        // Writing to a page cannot fail.
        let _ = write!(self, "{value}");
    }

    /// Sets whether everything from here on is struck; returns the previous setting.
    pub(super) fn strike(&mut self, struck: bool) -> bool {
        std::mem::replace(&mut self.struck, struck)
    }

    /// What was written.
    pub fn into_segments(self) -> Vec<Segment> {
        self.segments
    }
}

impl Write for Page {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.push(text);
        Ok(())
    }
}
