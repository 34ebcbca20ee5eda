//! The syntax tree of AnyDice programs, as section 2 and 3 of the description have it: names are
//! texts, and nothing has a place.

use std::rc::Rc;

/// Statements in order.
pub type Block = Vec<Statement>;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// `X: value`.
    Assign(String, Expr),
    /// The conditions with their blocks, and the block of `else`.
    If(Vec<(Expr, Block)>, Option<Block>),
    /// `loop X over values { }`.
    Loop(String, Expr, Block),
    /// `output value named "text"`.
    Output(Expr, Option<String>),
    /// `set "key" to value`.
    Set(String, Setting),
    /// `function: name { }`.
    Function(Rc<Function>),
    /// `result: value`.
    Result(Expr),
}

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// A text between quotes.
    Text(String),
    /// Anything else.
    Value(Expr),
}

/// A definition of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its words and parameters, in order.
    pub header: Vec<Header>,
    /// Its statements.
    pub body: Block,
}

/// A part of the header of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Header {
    /// A word of its name.
    Word(String),
    /// A parameter and its type: `n`, `s`, `d`, `?`, or nothing.
    Parameter(String, &'static str),
}

impl Function {
    /// Its words and the places of its parameters: `highest ? of ?`.
    pub fn signature(&self) -> String {
        let parts = self.header.iter().map(|part| match part {
            Header::Word(word) => word.as_str(),
            Header::Parameter(..) => "?",
        });
        parts.collect::<Vec<_>>().join(" ")
    }

    /// Its parameters.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.header.iter().filter_map(|part| match part {
            Header::Word(_) => None,
            Header::Parameter(name, of) => Some((name.as_str(), *of)),
        })
    }
}

/// An expression. Operators are their signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// At least 0: a minus is an operator.
    Number(i64),
    /// A variable.
    Variable(String),
    /// `+ - ! #`, or `d`.
    Prefix(&'static str, Box<Expr>),
    /// Every operator between two values, with `d` and `@`.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `{1, 2..4, X:3}`.
    Sequence(Vec<Part>),
    /// `[highest 3 of 4d6]`.
    Call(Vec<Piece>),
}

/// A part of a sequence: `from`, `from..to`, each with `:times`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The value, or the first of a range.
    pub from: Expr,
    /// The last of a range.
    pub to: Option<Expr>,
    /// How often it is repeated.
    pub times: Option<Expr>,
}

/// A part of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A word of the name.
    Word(String),
    /// An argument.
    Argument(Expr),
}

/// The operators between two values with their levels in section 3, all read from the left.
pub const OPERATORS: [(&str, u8); 15] = [
    ("d", 2),
    ("@", 3),
    ("^", 4),
    ("*", 5),
    ("/", 5),
    ("+", 6),
    ("-", 6),
    ("=", 7),
    ("!=", 7),
    ("<", 7),
    (">", 7),
    ("<=", 7),
    (">=", 7),
    ("&", 8),
    ("|", 8),
];

/// The operators that stand before a value.
pub const PREFIXES: [&str; 5] = ["+", "-", "!", "#", "d"];

/// The level of the loosest operators.
pub const LOOSEST: u8 = 8;
