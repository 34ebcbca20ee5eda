//! The syntax tree: what was written, without blanks and redundant parentheses.

use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;

pub use crate::hir::{ArithOp as BinaryOp, CompareOp};

/// A node of the tree. Equality looks at the meaning alone, not at where it stands.
#[derive(Clone, Debug)]
pub struct Ast {
    /// What it is.
    pub kind: AstKind,
    /// Where it stands, its parentheses included.
    pub span: Span,
    height: u32,
}

/// The kinds of node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AstKind {
    /// A whole number.
    Number(i64),
    /// `[Name]`.
    Resource(ResourceName),
    /// `-a`.
    Negate(Box<Ast>),
    /// `a + b` and its like.
    Binary(BinaryOp, Box<Ast>, Box<Ast>),
    /// `a >= b` and its like.
    Compare(CompareOp, Box<Ast>, Box<Ast>),
    /// `a vs b`.
    Versus(Box<Ast>, Box<Ast>),
    /// `XdY`; the count is absent in `dY`.
    Dice(Option<Box<Ast>>, Box<Ast>),
    /// Stands for what could not be parsed; a diagnostic says why. Printed as `?`.
    Error,
}

impl Ast {
    /// A node of this kind at `span`.
    pub fn new(kind: AstKind, span: Span) -> Self {
        let below = match &kind {
            AstKind::Number(_) | AstKind::Resource(_) | AstKind::Error => 0,
            AstKind::Negate(value) => value.height,
            AstKind::Binary(_, left, right)
            | AstKind::Compare(_, left, right)
            | AstKind::Versus(left, right) => left.height.max(right.height),
            AstKind::Dice(count, sides) => {
                let count = count.as_ref().map_or(0, |count| count.height);
                count.max(sides.height)
            }
        };
        Self {
            kind,
            span,
            height: below + 1,
        }
    }

    /// How many nodes the longest way from here to a leaf has.
    pub fn height(&self) -> u32 {
        self.height
    }
}

impl PartialEq for Ast {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Ast {}
