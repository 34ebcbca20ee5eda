//! Where the answer to a question about a row is, or why there is none.

use crate::cell::NotWhole;

/// Where a row's answer is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Index {
    /// The number of a row's own expression; 0 for what is asked of all rows.
    pub(crate) text: usize,
    /// The number of its tuple in a [`Memo`](crate::memo::Memo).
    pub(crate) tuple: u32,
}

/// Why a row has no index.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NoIndex {
    /// The row is not worked out.
    Skipped,
    /// A cell of this column is not a whole number.
    Cell { column: usize, why: NotWhole },
    /// The text of this number is not an expression or a fight, or reads a column that is not
    /// there; see [`Texts::error`](crate::texts::Texts::error) and
    /// [`Fights::fault`](crate::fights::Fights::fault).
    Text(usize),
    /// The cells do not make arguments of the roll; see
    /// [`Roll::wrong_arguments`](crate::rolls::Roll::wrong_arguments).
    Arguments,
}
