//! Enums, flags, `match` and tables.

use super::{Expr, Name, Node, Type};

/// An enum, or flags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumDef {
    /// Its name.
    pub name: Name,
    /// Whether it defines flags.
    pub is_flags: bool,
    /// Its constants.
    pub constants: Node<Vec<Name>>,
    /// The constant from which on they are successes: `succeeds from regular`.
    pub success: Option<Name>,
}

/// `match (subject) { patterns: value }`; the values are blocks in a statement, and expressions in
/// an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match<T> {
    /// The value that is matched with the patterns.
    pub subject: Expr,
    /// The arms, in braces.
    pub arms: Node<Vec<Node<Arm<T>>>>,
}

impl<T> Match<T> {
    /// The subject, and the expressions of all patterns.
    pub fn compared(&self) -> impl Iterator<Item = &Expr> {
        let patterns = self.arms.kind.iter().flat_map(|arm| &arm.kind.patterns);
        [&self.subject]
            .into_iter()
            .chain(patterns.flat_map(|pattern| pattern.kind.parts()))
    }
}

impl Match<Expr> {
    /// The values of the arms.
    pub fn values(&self) -> impl Iterator<Item = &Expr> {
        self.arms.kind.iter().map(|arm| &arm.kind.value)
    }

    /// All of its expressions.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        self.compared().chain(self.values())
    }
}

/// An arm of a `match`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm<T> {
    /// Its patterns; empty for `else`.
    pub patterns: Vec<Pattern>,
    /// Its body.
    pub value: T,
}

/// A table: an arm for each row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: Name,
    /// The type of its rows, if it is written.
    pub result: Option<Type>,
    /// Its rows, in braces.
    pub rows: Node<Vec<Node<Arm<Expr>>>>,
}

/// A pattern with its span.
pub type Pattern = Node<PatternKind>;

/// The kind of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternKind {
    /// A single value: a name, a number, a text or a truth value.
    Value(Expr),
    /// `1..40`, `101..`, `..0`: the whole numbers between two, or up or down from one.
    Range(Option<Expr>, Option<Expr>),
}

impl PatternKind {
    /// Its expressions.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        let (first, last) = match self {
            PatternKind::Value(value) => (Some(value), None),
            PatternKind::Range(first, last) => (first.as_ref(), last.as_ref()),
        };
        first.into_iter().chain(last)
    }
}
