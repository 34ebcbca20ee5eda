//! Statements.

use super::{ArithOp, Expr, LocalId, StatId};
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
    /// Puts a value in a place: first what the place names (a record; a list and an index, which is checked at the end) is evaluated, then the value.
    Assign(Place, Expr),
    /// Changes the whole number in a place: what the place names is evaluated once, then the place is read (an element's index is checked
    /// then), then the value is evaluated, then the operation is done.
    Update(Place, ArithOp, Expr),
    /// Evaluates an expression for what it does.
    Eval(Expr),
    /// One of two ways.
    If(Expr, Block, Block),
    /// Rounds while the condition holds.
    While(Expr, Block),
    /// A round for each element of a list, which is evaluated once; its length is read anew before each round.
    For(LocalId, Expr, Block),
    /// Leaves the innermost loop.
    Break,
    /// Ends this round of the innermost loop.
    Continue,
    /// Leaves the function.
    Return(Option<Expr>),
    /// A line for players: a text.
    Output(Expr),
    /// The lines that follow belong together.
    StartGroup,
    /// The innermost group ends; without an open one nothing happens.
    EndGroup,
    /// Notes a whole number under a name.
    Stat(StatId, Expr),
}

/// What can be assigned to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A variable.
    Local(LocalId),
    /// A field of a record, by its place in the type.
    Field(Expr, u32),
    /// An element of a list; traps where there is none.
    Element(Expr, Expr),
}
