//! Expressions of scripts.

use super::{FunctionId, LocalId, OptionId, Type, TypeId};
use crate::hir::{ArithOp, CompareOp, Program, Slot};
use dicec_runtime::span::Span;

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// What it yields; set by [`crate::check`].
    pub ty: Type,
    /// Where it was written.
    pub span: Span,
}

/// The kinds of expression. Operands are evaluated left to right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A whole number.
    Int(i64),
    /// True or false.
    Bool(bool),
    /// A rung of [`Ladder::Pathfinder`](dicec_runtime::degree::Ladder).
    Degree(i64),
    /// A text.
    Text(String),
    /// A variable.
    Local(LocalId),
    /// A resource, by its place in [`Script::resources`](super::Script::resources).
    Resource(Slot),
    /// `-a`.
    Negate(Box<Expr>),
    /// `!a`.
    Not(Box<Expr>),
    /// `a op b` of two whole numbers; never a decimal operation.
    Arith(ArithOp, Box<Expr>, Box<Expr>),
    /// `a op b` of two whole numbers, or of two degrees by their order.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// Whether two truth values or two texts are equal; the flag says whether that is wanted (`==`) or not (`!=`). Texts that are
    /// compared hold no number that was put into them at run time; see [`Expr::ty`]'s checker.
    Same(bool, Box<Expr>, Box<Expr>),
    /// `a && b`; `b` is evaluated only if `a` is true.
    And(Box<Expr>, Box<Expr>),
    /// `a || b`; `b` is evaluated only if `a` is false.
    Or(Box<Expr>, Box<Expr>),
    /// `condition ? a : b`; the three in that order, of which one of the last two is evaluated.
    Choose(Box<[Expr; 3]>),
    /// The greatest or least of one or more whole numbers.
    Extreme(Extreme, Vec<Expr>),
    /// A whole number without its sign.
    Abs(Box<Expr>),
    /// How many elements a list has.
    Len(Box<Expr>),
    /// A new list of these.
    List(Vec<Expr>),
    /// Puts the value at the end of the list, which is changed; yields nothing. Traps where the list is as long as it may be.
    Append(Box<Expr>, Box<Expr>),
    /// A text of these, one or more: texts, whole numbers, truth values (`true`, `false`) and degrees (their names).
    Join(Vec<Expr>),
    /// A field of a record, by its place in the type.
    Field(Box<Expr>, u32),
    /// An element of a list, counted from 0. Traps where there is none.
    Element(Box<Expr>, Box<Expr>),
    /// A new record: the fields that were written, in written order, by their places. The others hold what
    /// [`Script::left_out`](super::Script::left_out) says, in new records and lists of their own.
    Record(TypeId, Vec<(u32, Expr)>),
    /// The value that a function returns.
    Call(FunctionId, Vec<Expr>),
    /// Dice.
    Roll(Box<Roll>),
    /// Whether a player takes an option.
    Option(Box<UserOption>),
}

/// Which end of several numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extreme {
    /// The greatest.
    Max,
    /// The least.
    Min,
}

/// One roll, however many dice it holds. It yields a whole number, or a degree if its rule is an `a vs b`, or a text if it is
/// a die with words on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll {
    /// The rule, typed by [`crate::check::check`]. Its resources are the holes, by their places; it is never a check or a decimal.
    pub rule: Program,
    /// The whole numbers that fill the holes. None of them rolls or asks.
    pub holes: Vec<Expr>,
}

/// `userOption(who, "text")`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserOption {
    /// Which option.
    pub option: OptionId,
    /// Who is asked: a text, or a record, of which the first field of type text is the name. It rolls nothing.
    pub who: Option<Expr>,
    /// How that was written; what players see if it has no name.
    pub written: String,
}
