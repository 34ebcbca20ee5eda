//! How the rows of a run are written, and what is done about bad ones.

use crate::report::Reporter;
use clap::ValueEnum;
use dicec_tables::Format;

/// What a bad row means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnError {
    /// End with an error at the first bad row
    #[default]
    Stop,
    /// Leave bad rows out, and count them
    Skip,
    /// Keep bad rows, with nothing in the added columns
    Null,
}

/// How rows are written, and what is done about bad ones.
#[derive(Clone, Copy)]
pub(super) struct Policy {
    pub(super) on_error: OnError,
    /// `None` is a table for people.
    pub(super) format: Option<Format>,
    pub(super) delimiter: u8,
    pub(super) width: usize,
    /// Whether rows scroll by on a terminal, where a progress bar would be in the way.
    pub(super) is_watched: bool,
    pub(super) reporter: Reporter,
}

impl Policy {
    /// Whether rows are written as objects.
    pub(super) fn is_json(&self) -> bool {
        self.format.is_some_and(Format::is_json)
    }

    /// Whether the name of a question is that of a column, too, as in objects of JSON.
    pub(super) fn names_questions(&self) -> bool {
        self.format.is_some_and(Format::names_questions)
    }
}
