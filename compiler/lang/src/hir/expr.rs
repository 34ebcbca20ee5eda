//! Expressions, with the dice and the statements in them.

pub(super) mod pool;
pub(super) mod stmt;

use super::{Aggregate, CompareOp, ConstantId, FunctionId, LocalId, OptionId, Slot, Type, TypeId};
use dicec_runtime::against::Against;
use dicec_runtime::degree::Ladder;
use dicec_runtime::span::Span;
use dicec_runtime::trap::TrapCode;
use pool::{Group, Pool};
use std::fmt;
use std::sync::Arc;
use stmt::Block;

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// Its type; set by [`crate::check`].
    pub ty: Type,
    /// Where it was written.
    pub span: Span,
}

/// The kinds of expression. Operands are evaluated left to right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A whole number.
    Int(i64),
    /// A float.
    Float(Float),
    /// True or false.
    Bool(bool),
    /// A rung of a ladder.
    Degree(Ladder, i64),
    /// A constant of the enum that is its type, by its number there, or a set of the flags that are
    /// its type, by their bits. If several enums have a
    /// constant of this name, only [`crate::check`] knows which one is meant: until then, the type
    /// is unknown and the number is an index in
    /// [`Module::field_names`](super::Module::field_names).
    Named(i64),
    /// A text.
    Text(String),
    /// A constant that is a record or a list.
    Constant(ConstantId),
    /// A variable, or a hole of the roll around it.
    Local(LocalId),
    /// The value of a resource.
    Resource(Slot),
    /// `-a`.
    Negate(Box<Expr>),
    /// `!a`.
    Not(Box<Expr>),
    /// A whole number as a float; [`crate::check`] inserts it if a whole number meets a float, so
    /// that both operands of an operation have one type.
    ToFloat(Box<Expr>),
    /// `a op b`, of two numbers of one type.
    Arith(ArithOp, Box<Expr>, Box<Expr>),
    /// `a op b` of two numbers of one type, or of two degrees by their order.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// Whether two truth values or two texts are equal, or two records of one type are the same
    /// record; the flag is true for `==` and false for `!=`. The checker ensures that texts with
    /// numbers that were inserted at run time are not compared.
    Same(bool, Box<Expr>, Box<Expr>),
    /// Whether a set of flags has all flags of another. Before [`crate::check`], the first may also
    /// be a list, and the second a value that it may have.
    Has(Box<Expr>, Box<Expr>),
    /// `a && b`; `b` is evaluated only if `a` is true.
    And(Box<Expr>, Box<Expr>),
    /// `a || b`; `b` is evaluated only if `a` is false.
    Or(Box<Expr>, Box<Expr>),
    /// `condition ? a : b`, in that order; only one of `a` and `b` is evaluated.
    Choose(Box<[Expr; 3]>),
    /// The greater of a fixed number and `a`: the clamp of seed 002, 3.5.3.
    AtLeast(i64, Box<Expr>),
    /// A number of dice of the notation dialect, which may not be below 0.
    NotNegative(Box<Expr>),
    /// A function of numbers, of one or more arguments.
    Math(Math, Vec<Expr>),
    /// The number of elements of a list.
    Len(Box<Expr>),
    /// A new list of these values.
    List(Vec<Expr>),
    /// Appends the value to the list, which is changed; yields nothing. Traps if the list has its
    /// maximum length.
    Append(Box<Expr>, Box<Expr>),
    /// Removes the last element of the list, which is changed, and yields it. Traps if there is
    /// none.
    Pop(Box<Expr>),
    /// One or more values joined to a text: texts, numbers, truth values (`true`, `false`), degrees
    /// and constants of enums (their names).
    Join(Vec<Expr>),
    /// A field of a record, by its index in the type.
    Field(Box<Expr>, u32),
    /// An element of a list, counted from 0. Traps if there is none.
    Element(Box<Expr>, Box<Expr>),
    /// A new record: the fields that were written, in written order, by their indices. The others
    /// have the values of [`Module::left_out`](super::Module::left_out), in new records and lists
    /// of their own.
    Record(TypeId, Vec<(u32, Expr)>),
    /// A call of a function.
    Call(FunctionId, Vec<Expr>),
    /// Dice that are rolled together: one roll of a player, a whole rule.
    Roll(Box<Roll>),
    /// The result of a pool of dice; only inside a roll.
    Pool(Box<Pool>),
    /// The result of a group of rolls; only inside a roll.
    Group(Box<Group>),
    /// `a vs b` or `a under b`: the total of `a`, which also gives the roll its grade against `b`
    /// (seeds 000 and 003). There is at most one in a roll.
    Versus(Against, Box<Expr>, Box<Expr>),
    /// The signed degrees of a test.
    Degrees(Box<Expr>),
    /// Whether a player takes an option, or the number of the answer.
    Option(Box<UserOption>),
    /// Statements, then a value.
    Block(Box<ValueBlock>),
}

impl Expr {
    /// An expression whose type is not known yet.
    pub fn new(kind: ExprKind, span: Span) -> Self {
        Self {
            kind,
            ty: Type::Unknown,
            span,
        }
    }
}

/// One roll, however many dice it holds. It yields a number or a truth value, a degree if there is
/// an `a vs b` in it, or a text if it is a die with labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll {
    /// The values that are computed before any die is drawn, in order. None of them rolls or asks.
    pub holes: Vec<Hole>,
    /// Dice and arithmetic: literals, holes, resources, operators, functions of numbers, pools,
    /// groups, `vs`.
    pub body: Expr,
    /// The results of a roll that is nothing but a die with labels, each once, in written order:
    /// its body gives their indices. Empty for all other rolls.
    pub labels: Arc<[String]>,
    /// The fuel for rolling its dice: that of the dice whose number is written. Dice of a computed
    /// number cost nothing: only the engine that rolls them knows the number, and each pool has its
    /// own limit. Set by [`crate::check`].
    pub cost: u64,
}

/// A local that a roll's body reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    /// The local; nothing else assigns it.
    pub local: LocalId,
    /// Its value.
    pub value: Expr,
}

/// `userOption(who, "text")`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserOption {
    /// Which option.
    pub option: OptionId,
    /// Who is asked: a text, or a record, of which the first field of type text is the name. It
    /// rolls nothing.
    pub who: Option<Expr>,
    /// The question, if it is joined at run time: players see the text, and policies identify the
    /// option by its [template](Expr::template). It must not roll.
    pub text: Option<Expr>,
    /// The source text of that; players see it if the record has no name.
    pub written: String,
    /// The possible answers, if the option is not a yes or no.
    pub answers: Option<Answers>,
}

/// The answers to an option: whole numbers. The first one holds until a player takes another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    /// The first and the last number; the second is not below the first. They roll nothing.
    pub bounds: [Expr; 2],
    /// The list of which the numbers are indices, and players choose an element.
    pub list: Option<Expr>,
    /// One of them at random: what [`Policy::Random`](super::Policy::Random) evaluates.
    pub random: Expr,
}

impl UserOption {
    /// Who is asked, and what.
    pub fn question(&self) -> impl Iterator<Item = &Expr> {
        self.who.iter().chain(&self.text)
    }
}

/// A block expression: statements and the value that they compute. Sums, sorting and all other
/// iterations over a list are loops in such a block. Control leaves it only by a trap; it changes
/// only variables of its own, which nothing else uses, and notes no lines and statistics itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueBlock {
    /// The initial values of variables whose types only [`crate::check`] knows: it puts
    /// assignments in front of the statements. Empty in a checked module.
    pub initials: Vec<Initial>,
    /// The statements.
    pub statements: Block,
    /// The value; without one, the block yields nothing.
    pub value: Option<Expr>,
    /// Its aggregate, if the block is one.
    pub aggregate: Option<Aggregate>,
}

/// A variable that begins as a value of the type of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initial {
    /// The variable.
    pub local: LocalId,
    /// The variable that has its type, and is assigned before this one is read.
    pub like: LocalId,
    /// Which value.
    pub value: InitialValue,
    /// The purpose of the numbers, for messages: `` `sum` adds ``.
    pub purpose: &'static str,
}

/// A value of any type that has an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialValue {
    /// Nothing.
    Zero,
    /// No number is less.
    Lowest,
    /// No number is greater.
    Highest,
}

/// A finite float, never the negative zero. Equality is that of the bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Float(u64);

impl Float {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// The greatest.
    pub const MAX: Self = Self(f64::MAX.to_bits());

    /// The least.
    pub const MIN: Self = Self(f64::MIN.to_bits());

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
pub enum Math {
    /// Rounds down; of a float (the checker removes it from whole numbers).
    Floor,
    /// Rounds up; of a float.
    Ceil,
    /// The nearest whole number, halves up; of a float.
    Round,
    /// The absolute value.
    Abs,
    /// The square root; of a float.
    Sqrt,
    /// The greatest of one or more.
    Max,
    /// The least of one or more.
    Min,
}

impl fmt::Display for Math {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Math::Floor => "floor",
            Math::Ceil => "ceil",
            Math::Round => "round",
            Math::Abs => "abs",
            Math::Sqrt => "sqrt",
            Math::Max => "max",
            Math::Min => "min",
        })
    }
}

/// Operations on two numbers of one type; [`dicec_runtime::ops`] and [`dicec_runtime::float`]
/// define them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, rounding down, 0 on division by 0; of whole numbers only
    Div,
    /// `/`, the real quotient; always of floats
    Quotient,
    /// `%`, the remainder with the sign of the left side; of whole numbers 0 on division by 0
    Rem,
    /// The same, and division by 0 is an error, as it is of [`ArithOp::Quotient`]
    StrictRem,
    /// `**`; always of floats
    Pow,
    /// `+` of sets of flags: the flags of either
    With,
    /// `-` of sets of flags: those of the left side that the right side has not
    Without,
}

impl ArithOp {
    /// All of them.
    pub const ALL: [ArithOp; 10] = [
        ArithOp::Add,
        ArithOp::Sub,
        ArithOp::Mul,
        ArithOp::Div,
        ArithOp::Quotient,
        ArithOp::Rem,
        ArithOp::StrictRem,
        ArithOp::Pow,
        ArithOp::With,
        ArithOp::Without,
    ];

    /// Whether its operands are floats, whatever was written.
    pub fn is_float(self) -> bool {
        matches!(self, ArithOp::Quotient | ArithOp::Pow)
    }

    /// The operation on two whole numbers.
    ///
    /// # Errors
    /// Overflow, and division by zero in a strict remainder. An operation on floats has no whole
    /// result.
    pub fn apply(self, left: i64, right: i64) -> dicec_runtime::ops::OpResult {
        use dicec_runtime::{float, ops};
        match self {
            ArithOp::Add => ops::iadd(left, right),
            ArithOp::Sub => ops::isub(left, right),
            ArithOp::Mul => ops::imul(left, right),
            ArithOp::Div => ops::idiv(left, right),
            ArithOp::Rem => Ok(ops::irem(left, right)),
            ArithOp::StrictRem => float::irem(left, right),
            ArithOp::With => Ok(ops::ior(left, right)),
            ArithOp::Without => Ok(ops::iand_not(left, right)),
            ArithOp::Quotient | ArithOp::Pow => Err(TrapCode::NoRealResult),
        }
    }

    /// The operation on two floats.
    ///
    /// # Errors
    /// Overflow, division by zero, a power that is not a number. The flooring division and
    /// operations on sets have no result in floats.
    pub fn apply_float(self, left: f64, right: f64) -> Result<f64, TrapCode> {
        use dicec_runtime::float;
        match self {
            ArithOp::Add => float::add(left, right),
            ArithOp::Sub => float::sub(left, right),
            ArithOp::Mul => float::mul(left, right),
            ArithOp::Quotient => float::quotient(left, right),
            ArithOp::Rem | ArithOp::StrictRem => float::remainder(left, right),
            ArithOp::Pow => float::pow(left, right),
            ArithOp::Div | ArithOp::With | ArithOp::Without => Err(TrapCode::NoRealResult),
        }
    }
}

impl fmt::Display for ArithOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ArithOp::Add | ArithOp::With => "+",
            ArithOp::Sub | ArithOp::Without => "-",
            ArithOp::Mul => "*",
            ArithOp::Div | ArithOp::Quotient => "/",
            ArithOp::Rem | ArithOp::StrictRem => "%",
            ArithOp::Pow => "**",
        })
    }
}
