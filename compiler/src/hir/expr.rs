//! Expressions.

use super::Slot;
use dicec_runtime::span::Span;
use std::cmp::Ordering;
use std::fmt;

/// What an expression yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Not checked yet.
    Unknown,
    /// A whole number.
    Int,
    /// True or false.
    Bool,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// What it yields; set by [`crate::sema`].
    pub ty: Type,
    /// Where it was written.
    pub span: Span,
}

/// The kinds of expression. Operands are evaluated left to right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A whole number.
    Int(i64),
    /// The value of a resource.
    Resource(Slot),
    /// `-a`.
    Negate(Box<Expr>),
    /// `a op b` on whole numbers.
    Arith(ArithOp, Box<Expr>, Box<Expr>),
    /// `a op b`, true or false.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// The greater of a fixed number and `a`: the clamp of seed 002, 3.5.3.
    AtLeast(i64, Box<Expr>),
    /// The sum of a pool of dice.
    Pool(Box<Pool>),
    /// `a vs b`: the total of `a`, which also gives the program its degree against the class `b` (seed 000). There is at
    /// most one in a program.
    Versus(Box<Expr>, Box<Expr>),
}

/// A pool of equal dice. The count is evaluated first, then the sides, then the dice are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// How many dice; a negative number rolls none.
    pub count: Expr,
    /// How many sides each has.
    pub sides: Expr,
}

/// Operations on two whole numbers; [`dicec_runtime::ops`] defines them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, rounding down, 0 on division by 0
    Div,
}

impl ArithOp {
    /// All of them.
    pub const ALL: [ArithOp; 4] = [ArithOp::Add, ArithOp::Sub, ArithOp::Mul, ArithOp::Div];

    /// The operation on two numbers.
    ///
    /// # Errors
    /// Overflow.
    pub fn apply(self, left: i64, right: i64) -> dicec_runtime::ops::OpResult {
        use dicec_runtime::ops;
        match self {
            ArithOp::Add => ops::iadd(left, right),
            ArithOp::Sub => ops::isub(left, right),
            ArithOp::Mul => ops::imul(left, right),
            ArithOp::Div => ops::idiv(left, right),
        }
    }
}

impl fmt::Display for ArithOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ArithOp::Add => "+",
            ArithOp::Sub => "-",
            ArithOp::Mul => "*",
            ArithOp::Div => "/",
        })
    }
}

/// Comparisons of two whole numbers (seed 002, 3.7.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl CompareOp {
    /// All of them.
    pub const ALL: [CompareOp; 6] = [
        CompareOp::Equal,
        CompareOp::NotEqual,
        CompareOp::Less,
        CompareOp::LessEqual,
        CompareOp::Greater,
        CompareOp::GreaterEqual,
    ];

    /// Whether it holds for two values that stand in this order.
    pub fn holds(self, ordering: Ordering) -> bool {
        match self {
            CompareOp::Equal => ordering.is_eq(),
            CompareOp::NotEqual => ordering.is_ne(),
            CompareOp::Less => ordering.is_lt(),
            CompareOp::LessEqual => ordering.is_le(),
            CompareOp::Greater => ordering.is_gt(),
            CompareOp::GreaterEqual => ordering.is_ge(),
        }
    }
}

impl fmt::Display for CompareOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CompareOp::Equal => "=",
            CompareOp::NotEqual => "!=",
            CompareOp::Less => "<",
            CompareOp::LessEqual => "<=",
            CompareOp::Greater => ">",
            CompareOp::GreaterEqual => ">=",
        })
    }
}
