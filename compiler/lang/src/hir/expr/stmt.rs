//! Statements.

use super::{ArithOp, Expr};
use crate::hir::{LocalId, StatId};
use dicec_runtime::span::Span;

/// Statements, one after another.
pub type Block = Vec<Stmt>;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it was written; a trap of its operation names this.
    pub span: Span,
}

/// The kinds of statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// Assigns to a place: first the parts of the place (a record; a list and an index, which is
    /// checked at the end) are evaluated, then the value.
    Assign(Place, Expr),
    /// Changes the number in a place: the parts of the place are evaluated once, then the place is
    /// read (an element's index is checked then), then the value is evaluated, then the operation
    /// is done.
    Update(Place, ArithOp, Expr),
    /// Evaluates an expression for its effects.
    Eval(Expr),
    /// Runs one of two blocks.
    If(Expr, Block, Block),
    /// Iterates while the condition holds.
    While(Expr, Block),
    /// One iteration for each element of a list, which is evaluated once; its length is read again
    /// before each iteration.
    For(LocalId, Expr, Block),
    /// One iteration for each whole number from the first bound to the last, both included; the
    /// variable holds it at the beginning of the iteration. Both bounds are evaluated once, in
    /// order. Traps if the last bound is the greatest whole number.
    Count(LocalId, Box<[Expr; 2]>, Block),
    /// Traps, as a list without the element that is wanted, unless this is true.
    Require(Expr),
    /// Leaves the innermost loop.
    Break,
    /// Ends this iteration of the innermost loop.
    Continue,
    /// Leaves the function.
    Return(Option<Expr>),
    /// A line for players: a text.
    Output(Expr),
    /// Starts a group: the lines that follow belong together.
    StartGroup,
    /// Ends the innermost group, if one is open.
    EndGroup,
    /// Notes a number of a statistic. A name that is put together is evaluated first; it is joined
    /// after the number was evaluated.
    Stat(StatName, Expr),
}

/// The name of a statistic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatName {
    /// A statistic with a known name.
    Known(StatId),
    /// A text that is joined in each trial. Its template is the name, which may also be that of a
    /// known statistic.
    Text(Expr),
}

/// A place for assignments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A variable.
    Local(LocalId),
    /// A field of a record, by its index in the type.
    Field(Expr, u32),
    /// An element of a list; traps if there is none.
    Element(Expr, Expr),
}
