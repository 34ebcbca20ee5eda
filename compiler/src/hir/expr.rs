//! Expressions.

use super::{CompareOp, Group, Pool, Slot};
use dicec_runtime::span::Span;
use dicec_runtime::trap::TrapCode;
use std::fmt;

/// What an expression yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Not checked yet.
    Unknown,
    /// A whole number.
    Int,
    /// A decimal number.
    Real,
    /// True or false.
    Bool,
}

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
    /// A decimal number.
    Real(Decimal),
    /// The value of a resource.
    Resource(Slot),
    /// `-a`.
    Negate(Box<Expr>),
    /// A whole number as a decimal; inserted by [`crate::check`] where the two meet, so that both operands of an operation are
    /// of one type.
    ToReal(Box<Expr>),
    /// `a op b`.
    Arith(ArithOp, Box<Expr>, Box<Expr>),
    /// `a op b`, true or false.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// The greater of a fixed number and `a`: the clamp of seed 002, 3.5.3.
    AtLeast(i64, Box<Expr>),
    /// `f(a, ...)`.
    Call(Function, Vec<Expr>),
    /// What a pool of dice comes to.
    Pool(Box<Pool>),
    /// What a group of rolls comes to.
    Group(Box<Group>),
    /// `a vs b`: the total of `a`, which also gives the program its degree against the class `b` (seed 000). There is at
    /// most one in a program.
    Versus(Box<Expr>, Box<Expr>),
}

/// A finite decimal number, never the negative zero. Equality is that of the bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decimal(u64);

impl Decimal {
    /// The number, if it is finite.
    pub fn new(value: f64) -> Option<Self> {
        // Adding 0 turns the negative zero into the positive one.
        value.is_finite().then(|| Self((value + 0.0).to_bits()))
    }

    /// The number.
    pub fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

/// Functions of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// The next whole number below; of a decimal (the type checker takes it away from whole ones).
    Floor,
    /// The next whole number above; of a decimal.
    Ceil,
    /// The nearest whole number, halves up; of a decimal.
    Round,
    /// Without its sign.
    Abs,
    /// The square root; of a decimal.
    Sqrt,
    /// The greatest of one or more.
    Max,
    /// The least of one or more.
    Min,
}

/// Operations on two numbers of one type; [`dicec_runtime::ops`] and [`dicec_runtime::real`] define them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, rounding down, 0 on division by 0; of whole numbers alone
    Div,
    /// `/`, the decimal quotient; always of decimals
    Quotient,
    /// `%`, the remainder with the sign of the left side
    Rem,
    /// `**`; always of decimals
    Pow,
}

impl ArithOp {
    /// All of them.
    pub const ALL: [ArithOp; 7] = [
        ArithOp::Add,
        ArithOp::Sub,
        ArithOp::Mul,
        ArithOp::Div,
        ArithOp::Quotient,
        ArithOp::Rem,
        ArithOp::Pow,
    ];

    /// Whether its operands are decimals, whatever was written.
    pub fn is_real(self) -> bool {
        matches!(self, ArithOp::Quotient | ArithOp::Pow)
    }

    /// The operation on two whole numbers.
    ///
    /// # Errors
    /// Overflow, and division by zero in a remainder. An operation on decimals has no whole result.
    pub fn apply(self, left: i64, right: i64) -> dicec_runtime::ops::OpResult {
        use dicec_runtime::{ops, real};
        match self {
            ArithOp::Add => ops::iadd(left, right),
            ArithOp::Sub => ops::isub(left, right),
            ArithOp::Mul => ops::imul(left, right),
            ArithOp::Div => ops::idiv(left, right),
            ArithOp::Rem => real::irem(left, right),
            ArithOp::Quotient | ArithOp::Pow => Err(TrapCode::NoRealResult),
        }
    }

    /// The operation on two decimals.
    ///
    /// # Errors
    /// Overflow, division by zero, a power that is no number. The flooring division has no decimal result.
    pub fn apply_real(self, left: f64, right: f64) -> Result<f64, TrapCode> {
        use dicec_runtime::real;
        match self {
            ArithOp::Add => real::add(left, right),
            ArithOp::Sub => real::sub(left, right),
            ArithOp::Mul => real::mul(left, right),
            ArithOp::Quotient => real::quotient(left, right),
            ArithOp::Rem => real::remainder(left, right),
            ArithOp::Pow => real::pow(left, right),
            ArithOp::Div => Err(TrapCode::NoRealResult),
        }
    }
}

impl fmt::Display for ArithOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ArithOp::Add => "+",
            ArithOp::Sub => "-",
            ArithOp::Mul => "*",
            ArithOp::Div | ArithOp::Quotient => "/",
            ArithOp::Rem => "%",
            ArithOp::Pow => "**",
        })
    }
}
