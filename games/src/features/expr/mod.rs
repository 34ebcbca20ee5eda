//! Postfix expressions as typed trees (seed 001, "Variables").
//!
//! ```text
//! text --tokens--> words --parse--> Expr (checked: depth of the stack, types) --eval--> Value
//!                                     +--infix--> words for people
//! ```
//!
//! All operands of a tree are evaluated, from left to right, in the order of the postfix text: the
//! order matters for `store`.

mod build;
mod eval;
mod given;
mod infix;
mod operator;
mod parse;
mod query;
mod types;
mod value;

pub(super) use build::Context;
pub use eval::{Evaluation, Wrong, evaluate};
pub use given::{Refused, Values};
pub(super) use infix::filled;
pub use operator::Binary;
pub(super) use parse::{area, area_words, number_of, parse, parse_kind};
pub(super) use query::QUERIES;
pub use query::Query;
pub(crate) use types::die;
pub(super) use types::{binary_type, fits, fitted, holds};
pub use value::Value;

use super::attribute::Attribute;
use super::event::EventKind;
use super::noun::Noun;
use dicec_runtime::span::Span;
use std::fmt;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: Type,
    /// Where it is written.
    pub span: Span,
}

/// The kind of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number.
    Number(f64),
    /// A word: of a TYPE (an ability, a kind of damage, a spell), or a NAME.
    Word(String),
    /// A noun.
    Noun(Noun),
    /// An attribute of somebody.
    Attribute(Place),
    /// `V0`: a value that the feature gets for each creature.
    Variable(u32),
    /// The result of the trigger: a class of roll, a spell.
    Result,
    /// `!`: 1 if it is 0, else 0.
    Not(Box<Expr>),
    /// An operator with two sides.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `X,Y,Z,ifelse`: Y if X is not 0, else Z. Both are evaluated.
    IfElse(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A condition with more than numbers.
    Query(Query, Vec<Expr>),
    /// Whether somebody is in an area.
    InArea(Box<Expr>, Area),
    /// `X,Y,store`: X, which is stored to Y.
    Store(Box<Expr>, Place),
    /// The first; the second is evaluated after it for its stores (`consume`).
    Before(Box<Expr>, Box<Expr>),
    /// The second; the first is evaluated before it for its stores (`consume`).
    After(Box<Expr>, Box<Expr>),
    /// The value, which `Again` of this number gives again (`duplicate`).
    Kept(u32, Box<Expr>),
    /// The value that was kept under this number.
    Again(u32),
    /// A trigger; only in the expressions of triggers.
    Event(EventKind, Vec<Expr>),
}

/// A place for stores: an attribute of a creature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The creature.
    pub owner: Noun,
    /// Which.
    pub attribute: Attribute,
}

/// `STR` is that of the creature with the feature; `creature.STR` names another one.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.owner {
            Noun::Myself => write!(f, "{}", self.attribute),
            owner => write!(f, "{owner}.{}", self.attribute),
        }
    }
}

/// The type of an expression. Numbers and truth values convert: 0 is false, everything else is
/// true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number.
    Number,
    /// 0 or 1.
    Truth,
    /// A creature or an object, by its id; 0 for none.
    Creature,
    /// A word.
    Word,
    /// A number or a word: the type of a variable is known when a creature gets the feature.
    Unknown,
    /// Whether something happens; only in triggers.
    Event,
}

/// An area (seed 001, "AOE"), in feet.
#[derive(Clone, Debug, PartialEq)]
pub enum Area {
    /// A line of this length and width.
    Line(Box<Expr>, Box<Expr>),
    /// A cone of this length.
    Cone(Box<Expr>),
}

impl Type {
    /// Whether it counts as a number.
    pub fn is_number(self) -> bool {
        matches!(self, Self::Number | Self::Truth | Self::Unknown)
    }

    /// Whether it may be 0 or not: everything but words.
    pub fn is_truth(self) -> bool {
        self.is_number() || self == Self::Creature
    }

    /// Its name, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Truth => "a truth value",
            Self::Creature => "a creature",
            Self::Word => "a word",
            Self::Unknown => "a variable",
            Self::Event => "a trigger",
        }
    }
}

impl Expr {
    /// An expression.
    pub(super) fn new(kind: ExprKind, ty: Type, span: Span) -> Self {
        Self { kind, ty, span }
    }

    /// The expressions that it is made of, in the order in which they are evaluated.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Number(_)
            | ExprKind::Word(_)
            | ExprKind::Noun(_)
            | ExprKind::Attribute(_)
            | ExprKind::Variable(_)
            | ExprKind::Result
            | ExprKind::Again(_) => Vec::new(),
            ExprKind::Not(part) | ExprKind::Store(part, _) | ExprKind::Kept(_, part) => {
                vec![part]
            }
            ExprKind::Binary(_, left, right)
            | ExprKind::Before(left, right)
            | ExprKind::After(left, right) => vec![left, right],
            ExprKind::IfElse(condition, then, otherwise) => vec![condition, then, otherwise],
            ExprKind::Query(_, operands) | ExprKind::Event(_, operands) => {
                operands.iter().collect()
            }
            ExprKind::InArea(who, Area::Line(length, width)) => vec![who, length, width],
            ExprKind::InArea(who, Area::Cone(length)) => vec![who, length],
        }
    }

    /// All of it at one location.
    pub(super) fn at(mut self, span: Span) -> Self {
        self.each(&mut |expr| expr.span = span);
        self
    }

    /// Changes it and all of its parts, the parts first.
    pub(super) fn each(&mut self, change: &mut dyn FnMut(&mut Expr)) {
        match &mut self.kind {
            ExprKind::Number(_)
            | ExprKind::Word(_)
            | ExprKind::Noun(_)
            | ExprKind::Attribute(_)
            | ExprKind::Variable(_)
            | ExprKind::Result
            | ExprKind::Again(_) => {}
            ExprKind::Not(part) | ExprKind::Store(part, _) | ExprKind::Kept(_, part) => {
                part.each(change);
            }
            ExprKind::Binary(_, left, right)
            | ExprKind::Before(left, right)
            | ExprKind::After(left, right) => {
                left.each(change);
                right.each(change);
            }
            ExprKind::IfElse(condition, then, otherwise) => {
                condition.each(change);
                then.each(change);
                otherwise.each(change);
            }
            ExprKind::Query(_, operands) | ExprKind::Event(_, operands) => {
                operands.iter_mut().for_each(|operand| operand.each(change));
            }
            ExprKind::InArea(who, Area::Line(length, width)) => {
                who.each(change);
                length.each(change);
                width.each(change);
            }
            ExprKind::InArea(who, Area::Cone(length)) => {
                who.each(change);
                length.each(change);
            }
        }
        change(self);
    }

    /// Whether the predicate holds for it or a part of it.
    pub fn any(&self, is: &dyn Fn(&Expr) -> bool) -> bool {
        is(self) || self.parts().into_iter().any(|part| part.any(is))
    }
}
