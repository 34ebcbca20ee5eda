//! The syntax tree of a script, with spans. Comments are kept separately, in [`super::Parsed`].
//!
//! Dice and groups are trees of the notation's front end, so that both languages roll the same
//! dice.

mod choice;

pub use choice::{Arm, EnumDef, Match, Pattern, PatternKind, Table};

use crate::front::notation::Ast;
use crate::hir::Float;
use dicec_runtime::against::Against;
use dicec_runtime::compare::CompareOp;
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;
use std::fmt;

/// Something with its span. Equality ignores the span.
#[derive(Clone, Debug)]
pub struct Node<T> {
    /// What it is.
    pub kind: T,
    /// Its span, including its terminator (`;`, `,`, `}`).
    pub span: Span,
}

impl<T> Node<T> {
    /// A node at `span`.
    pub fn new(kind: T, span: Span) -> Self {
        Self { kind, span }
    }
}

impl<T: PartialEq> PartialEq for Node<T> {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl<T: Eq> Eq for Node<T> {}

/// A name with its span.
pub type Name = Node<String>;

/// A definition.
pub type Item = Node<ItemKind>;

/// A statement.
pub type Stmt = Node<StmtKind>;

/// Statements in braces.
pub type Block = Node<Vec<Stmt>>;

/// A whole script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Its definitions, in written order.
    pub items: Vec<Item>,
    /// The files that it is made of, by the prefix of their names; empty if there is only one, of
    /// which nothing has a prefix.
    pub files: Vec<Name>,
}

/// The kinds of definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `import "file.dice";`, `import std.NAME;`
    Import(Import),
    /// `const NAME = e;`
    Const(Const),
    /// `deftype name { ... }`
    Type(TypeDef),
    /// `enum name { ... }`, `flags name { ... }`
    Enum(EnumDef),
    /// `deffun name(...) { ... }`
    Function(Function),
    /// `table name { 1-40: e, 41-100: e }`
    Table(Table),
    /// `defroll "Label" name(...) { ... }`
    Roll(Roll),
}

/// What is imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Import {
    /// A file, as written.
    File(Node<String>),
    /// A library that comes with the compiler.
    Std(Name),
}

impl Import {
    /// What precedes its names where a prefix is needed: `dnd` for `std.dnd` and for
    /// `rules/dnd.dice`.
    pub fn prefix(&self) -> &str {
        match self {
            Import::File(path) => prefix(&path.kind),
            Import::Std(name) => &name.kind,
        }
    }
}

/// The prefix of the names of a file: its name without folders and `.dice`.
pub(super) fn prefix(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.strip_suffix(".dice").unwrap_or(name)
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Const {
    /// Its name.
    pub name: Name,
    /// Its value.
    pub value: Expr,
}

/// A type of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeDef {
    /// Its name.
    pub name: Name,
    /// Its fields.
    pub fields: Node<Vec<Node<Field>>>,
}

/// A field of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Its default.
    pub default: Option<Expr>,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// The type of its result, if it is written.
    pub result: Option<Type>,
    /// Its body.
    pub body: Block,
}

/// An entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll {
    /// What players see.
    pub label: Node<String>,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its body.
    pub body: Block,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Its default.
    pub default: Option<Expr>,
}

/// A written type: `attack list list` is a name and two lists.
pub type Type = Node<(TypeName, u32)>;

/// A type without its lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeName {
    /// `int`
    Int,
    /// `float`
    Float,
    /// `bool`
    Bool,
    /// `string`
    Text,
    /// One that a script defines.
    Named(String),
}

/// The kinds of statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// `target = e;`, `target += e;` and their like.
    Assign(Expr, AssignOp, Expr),
    /// `target++;`, or `target--;` if false.
    Step(Expr, bool),
    /// `e;`
    Expr(Expr),
    /// `if (a) { ... } else if (b) { ... }`, and the block of the last `else`.
    If(Vec<(Expr, Block)>, Option<Block>),
    /// `match (e) { a: { ... } b: { ... } }`
    Match(Box<Match<Block>>),
    /// `while (e) { ... }`
    While(Expr, Block),
    /// `for (name : e) { ... }`
    For(Name, Expr, Block),
    /// `for (name : first..last) { ... }`
    Count(Name, Box<[Expr; 2]>, Block),
    /// `repeat (e) { ... }`
    Repeat(Expr, Block),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;`
    Return(Option<Expr>),
}

/// The operators of assignments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignOp {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Sub,
    /// `*=`
    Mul,
    /// `/=`
    Div,
}

impl fmt::Display for AssignOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AssignOp::Set => "=",
            AssignOp::Add => "+=",
            AssignOp::Sub => "-=",
            AssignOp::Mul => "*=",
            AssignOp::Div => "/=",
        })
    }
}

/// An expression. Equality ignores the span.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its span.
    pub span: Span,
    height: u32,
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A whole number, not negative.
    Int(i64),
    /// A number with decimals, not negative.
    Float(Float),
    /// `true`, `false`
    Bool(bool),
    /// `"text"`, without its quotes and escapes.
    Text(String),
    /// A variable, parameter or constant.
    Name(String),
    /// `[Name]`
    Resource(ResourceName),
    /// `[a, b]`
    List(Vec<Expr>),
    /// Dice or a group, of the notation.
    Dice(Box<Ast>),
    /// `d(count, sides)` with modifiers, `d(n, 10) count>=7`: the count and the sides, and dice
    /// whose count and sides are the first and the second hole.
    DiceCall(Box<[Expr; 2]>, Box<Ast>),
    /// `(e)`: parentheses stay as they are written.
    Paren(Box<Expr>),
    /// `-e`, `!e`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b` and its like.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `condition ? a : b`
    Choose(Box<[Expr; 3]>),
    /// `match (e) { a: b, c: d }`
    Match(Box<Match<Expr>>),
    /// `name(a, b)`
    Call(Name, Arguments),
    /// `e.name`
    Field(Box<Expr>, Name),
    /// `e[index]`
    Index(Box<Expr>, Box<Expr>),
    /// `e[first..last]`
    Slice(Box<[Expr; 3]>),
    /// `first..last`, as an argument
    Range(Box<[Expr; 2]>),
    /// `[value; count]`
    Copies(Box<[Expr; 2]>),
    /// `name(value for x : xs)`
    Gather(Name, Box<Comprehension>),
    /// `[value for x : xs]`
    ListOf(Box<Comprehension>),
    /// `name{ field: e }`
    Record(Name, Vec<(Name, Expr)>),
    /// `{ name: e, ... }` or `(e, ...)`: the parts of the result of a roll, after `return`. In the
    /// second form they have no names of their own.
    Parts(Vec<(Option<Name>, Expr)>),
    /// The placeholder for text that could not be parsed; a diagnostic says why.
    Error,
}

/// The arguments of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    /// The first ones, in the order of the parameters.
    pub values: Vec<Expr>,
    /// `name: value`, which follow them.
    pub named: Vec<(Name, Expr)>,
}

impl Arguments {
    /// All values, in written order.
    pub fn all(&self) -> impl Iterator<Item = &Expr> {
        let named = self.named.iter().map(|(_, value)| value);
        self.values.iter().chain(named)
    }

    /// The values, if none has a name.
    pub fn unnamed(&self) -> Option<&[Expr]> {
        self.named.is_empty().then_some(&self.values[..])
    }
}

/// A value for each element of a list, or for each whole number of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comprehension {
    /// The value.
    pub value: Expr,
    /// `by key`
    pub key: Option<Key>,
    /// The variable.
    pub name: Name,
    /// The list, or the first number.
    pub list: Expr,
    /// The last number of a range.
    pub last: Option<Expr>,
    /// `if filter`: elements that do not pass are skipped.
    pub filter: Option<Expr>,
}

impl Comprehension {
    /// Its expressions, in written order.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        let key = self.key.iter().map(|key| &key.value);
        let around = [&self.list].into_iter().chain(&self.last);
        let rest = around.chain(&self.filter);
        [&self.value].into_iter().chain(key).chain(rest)
    }
}

/// The key by which elements are ordered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The number.
    pub value: Expr,
    /// Whether the greatest is first.
    pub descending: bool,
}

impl Expr {
    /// An expression of this kind at `span`.
    pub fn new(kind: ExprKind, span: Span) -> Self {
        let height = 1 + height_below(&kind);
        Self { kind, span, height }
    }

    /// The number of nodes on the longest path from here to a leaf.
    pub fn height(&self) -> u32 {
        self.height
    }
}

fn height_below(kind: &ExprKind) -> u32 {
    let highest = |parts: &[Expr]| parts.iter().map(Expr::height).max().unwrap_or(0);
    match kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Bool(_)
        | ExprKind::Text(_)
        | ExprKind::Name(_)
        | ExprKind::Resource(_)
        | ExprKind::Error => 0,
        ExprKind::Dice(dice) => dice.height(),
        ExprKind::DiceCall(parts, dice) => highest(&parts[..]).max(dice.height()),
        ExprKind::Paren(value) | ExprKind::Unary(_, value) | ExprKind::Field(value, _) => {
            value.height
        }
        ExprKind::Binary(_, left, right) | ExprKind::Index(left, right) => {
            left.height.max(right.height)
        }
        ExprKind::Choose(parts) | ExprKind::Slice(parts) => highest(&parts[..]),
        ExprKind::Copies(parts) | ExprKind::Range(parts) => highest(&parts[..]),
        ExprKind::List(parts) => highest(parts),
        ExprKind::Call(_, arguments) => arguments.all().map(Expr::height).max().unwrap_or(0),
        ExprKind::Gather(_, parts) | ExprKind::ListOf(parts) => {
            parts.parts().map(Expr::height).max().unwrap_or(0)
        }
        ExprKind::Match(parts) => parts.parts().map(Expr::height).max().unwrap_or(0),
        ExprKind::Parts(parts) => {
            let heights = parts.iter().map(|(_, value)| value.height);
            heights.max().unwrap_or(0)
        }
        ExprKind::Record(_, fields) => {
            let heights = fields.iter().map(|(_, value)| value.height);
            heights.max().unwrap_or(0)
        }
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Expr {}

/// The operators before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `!`
    Not,
    /// At least 0, as the rule book's dialect has the sides of checks and the results of rules; it
    /// is never written.
    Clamp,
}

/// The operators between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`, `!=`, `<`, `<=`, `>`, `>=`
    Compare(CompareOp),
    /// `vs`, `under`
    Versus(Against),
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `/` of the notation dialect, which gives decimals
    Quotient,
    /// `%`
    Rem,
    /// `%` of a compound rule in the notation dialect, where division by 0 is an error
    StrictRem,
}

impl BinaryOp {
    /// The operator that a word is, after an operand: no name can follow there.
    pub(super) fn of_word(word: &str) -> Option<Self> {
        let words = [("and", Self::And), ("or", Self::Or)];
        let mut words = words.into_iter();
        let known = words.find_map(|(known, op)| word.eq_ignore_ascii_case(known).then_some(op));
        known.or_else(|| Against::of_word(word).map(Self::Versus))
    }
}

impl fmt::Display for BinaryOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::Compare(CompareOp::Equal) => "==",
            BinaryOp::Compare(op) => return op.fmt(f),
            BinaryOp::Versus(against) => against.word(),
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div | BinaryOp::Quotient => "/",
            BinaryOp::Rem | BinaryOp::StrictRem => "%",
        })
    }
}
