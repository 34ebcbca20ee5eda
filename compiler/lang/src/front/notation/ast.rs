//! The syntax tree: the rule as written, without spaces and redundant parentheses. Dice and groups
//! are in [`pool`].

pub(super) mod pool;

use dicec_runtime::against::Against;
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;
use pool::{Dice, Group};
use std::fmt;
use std::sync::Arc;

pub use crate::hir::{CompareOp, Float};

/// A node of the tree. Equality ignores the location.
#[derive(Clone, Debug)]
pub struct Ast {
    /// What it is.
    pub kind: AstKind,
    /// Its span, its parentheses included.
    pub span: Span,
    /// The number of parentheses around it that a shown roll keeps; equality ignores them.
    pub parens: u32,
    height: u32,
}

/// The kinds of node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AstKind {
    /// A whole number, not negative: a sign is a [`AstKind::Negate`].
    Number(i64),
    /// A number with a decimal point, not negative; the notation dialect only.
    Float(Float),
    /// `[Name]`, `@name`, `@{any name}`.
    Resource(ResourceName),
    /// A value that a script computes before it rolls, by its index among the holes of the text.
    /// Printed as `?`.
    Hole(u32),
    /// `-a`.
    Negate(Box<Ast>),
    /// `a + b` and its like.
    Binary(BinaryOp, Box<Ast>, Box<Ast>),
    /// `a >= b` and its like.
    Compare(CompareOp, Box<Ast>, Box<Ast>),
    /// `a vs b`.
    Versus(Against, Box<Ast>, Box<Ast>),
    /// `floor(a)`, `max(a, b)` and their like.
    Call(Function, Vec<Ast>),
    /// `XdY` and what follows it directly.
    Dice(Box<Dice>),
    /// `{a, b}` and what follows it directly.
    Group(Box<Group>),
    /// `a[fire]`: a label for the term, without effect on the value.
    Labelled(Arc<str>, Box<Ast>),
    /// The placeholder for text that could not be parsed; a diagnostic says why. Printed as `?`.
    Error,
}

impl AstKind {
    /// Calls `see` with each node directly below, in written order; the operands of modifiers are
    /// some of them.
    pub fn each_part<'a>(&'a self, see: &mut dyn FnMut(&'a Ast)) {
        match self {
            AstKind::Number(_)
            | AstKind::Float(_)
            | AstKind::Resource(_)
            | AstKind::Hole(_)
            | AstKind::Error => {}
            AstKind::Negate(value) | AstKind::Labelled(_, value) => see(value),
            AstKind::Binary(_, left, right)
            | AstKind::Compare(_, left, right)
            | AstKind::Versus(_, left, right) => {
                see(left);
                see(right);
            }
            AstKind::Call(_, arguments) => arguments.iter().for_each(see),
            AstKind::Dice(dice) => dice.parts().for_each(see),
            AstKind::Group(group) => group.parts().for_each(see),
        }
    }

    /// Whether the predicate holds for any node directly below.
    pub fn any_part(&self, mut is_it: impl FnMut(&Ast) -> bool) -> bool {
        let mut any = false;
        self.each_part(&mut |part| any = any || is_it(part));
        any
    }
}

impl Ast {
    /// A node of this kind at `span`.
    pub fn new(kind: AstKind, span: Span) -> Self {
        let mut below = 0;
        kind.each_part(&mut |part| below = below.max(part.height));
        Self {
            kind,
            span,
            parens: 0,
            height: below + 1,
        }
    }

    /// The d100 of a bare `under`, which stands before this word.
    pub(in crate::front) fn d100(word: Span) -> Self {
        let span = Span::new(word.start, word.start);
        let number = |number| Self::new(AstKind::Number(number), span);
        let dice = Dice::plain(Some(number(1)), number(100));
        Self::new(AstKind::Dice(Box::new(dice)), span)
    }

    /// These dice, which have no count yet, with this one.
    pub(in crate::front) fn counted(self, count: Ast) -> Self {
        let span = count.span.to(self.span);
        let kind = match self.kind {
            AstKind::Dice(dice) => AstKind::Dice(Box::new(Dice {
                count: Some(count),
                ..*dice
            })),
            other => other,
        };
        Self::new(kind, span)
    }

    /// The node without braces that are only parentheses: those of groups of one without modifiers.
    pub fn unwrapped(&self) -> &Ast {
        let mut ast = self;
        while let AstKind::Group(group) = &ast.kind
            && let ([member], []) = (&group.members[..], &group.modifiers[..])
        {
            ast = member;
        }
        ast
    }

    /// The node with this number of parentheses around it.
    pub(in crate::front) fn in_parens(self, parens: u32) -> Self {
        Self { parens, ..self }
    }

    /// Its value, if it consists of whole numbers.
    pub fn written(&self) -> Option<i64> {
        match &self.kind {
            AstKind::Number(value) => Some(*value),
            AstKind::Negate(value) => value.written()?.checked_neg(),
            AstKind::Binary(op, left, right) => {
                let (left, right) = (left.written()?, right.written()?);
                match op {
                    BinaryOp::Add => left.checked_add(right),
                    BinaryOp::Sub => left.checked_sub(right),
                    BinaryOp::Mul => left.checked_mul(right),
                    BinaryOp::Div | BinaryOp::Rem | BinaryOp::Pow => None,
                }
            }
            _ => None,
        }
    }

    /// The number of nodes on the longest path from here to a leaf; the operands of modifiers
    /// count.
    pub fn height(&self) -> u32 {
        self.height
    }
}

/// Whether a check is used as a number in a rule, other than in dice, groups and the sides of a
/// `vs`: then it is a compound rule.
pub fn counts_check(rule: &Ast) -> bool {
    match &rule.unwrapped().kind {
        AstKind::Number(_)
        | AstKind::Float(_)
        | AstKind::Resource(_)
        | AstKind::Hole(_)
        | AstKind::Error
        | AstKind::Dice(_)
        | AstKind::Group(_)
        | AstKind::Versus(..) => false,
        AstKind::Negate(value) | AstKind::Labelled(_, value) => holds_check(value),
        AstKind::Binary(_, left, right) | AstKind::Compare(_, left, right) => {
            holds_check(left) || holds_check(right)
        }
        AstKind::Call(_, arguments) => arguments.iter().any(holds_check),
    }
}

fn holds_check(part: &Ast) -> bool {
    matches!(part.unwrapped().kind, AstKind::Compare(..)) || counts_check(part)
}

impl PartialEq for Ast {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Ast {}

/// The operators between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`; the notation dialect only
    Rem,
    /// `**` or `^`; the notation dialect only
    Pow,
}

impl BinaryOp {
    /// All of them.
    pub const ALL: [BinaryOp; 6] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::Pow,
    ];

    /// Those of the rule book.
    pub const RULEBOOK: [BinaryOp; 4] =
        [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div];
}

impl fmt::Display for BinaryOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Pow => "**",
        })
    }
}

/// The functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// The next whole number down.
    Floor,
    /// The next whole number up.
    Ceil,
    /// The nearest whole number; a half goes up.
    Round,
    /// The absolute value.
    Abs,
    /// The square root; the notation dialect only.
    Sqrt,
    /// The first to the power of the second; the notation dialect only.
    Pow,
    /// The greatest.
    Max,
    /// The least.
    Min,
}

impl Function {
    /// All of them.
    pub const ALL: [Function; 8] = [
        Function::Floor,
        Function::Ceil,
        Function::Round,
        Function::Abs,
        Function::Sqrt,
        Function::Pow,
        Function::Max,
        Function::Min,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Function::Floor => "floor",
            Function::Ceil => "ceil",
            Function::Round => "round",
            Function::Abs => "abs",
            Function::Sqrt => "sqrt",
            Function::Pow => "pow",
            Function::Max => "max",
            Function::Min => "min",
        }
    }

    /// The function of this name, in capitals or not.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|function| function.name().eq_ignore_ascii_case(name))
    }

    /// The number of its arguments; `None` for one or more.
    pub fn arity(self) -> Option<usize> {
        match self {
            Function::Floor | Function::Ceil | Function::Round | Function::Abs | Function::Sqrt => {
                Some(1)
            }
            Function::Pow => Some(2),
            Function::Max | Function::Min => None,
        }
    }

    /// Whether only the notation dialect has it: its results have decimals.
    pub fn is_notation_only(self) -> bool {
        matches!(self, Function::Sqrt | Function::Pow)
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
