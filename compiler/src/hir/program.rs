//! A whole rule.

use super::Expr;
use dicec_runtime::degree::Ladder;
use dicec_runtime::resource::ResourceName;
use dicec_runtime::scale::Scale;
use dicec_runtime::span::Span;
use std::sync::Arc;

/// What a program's result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A whole number.
    Number,
    /// A decimal number. As an outcome it is its [`dicec_runtime::real::key`].
    Real,
    /// True or false.
    Check,
    /// A rung of a ladder.
    Degree(Ladder),
    /// One of [`Program::labels`], as its place among them, counted from 0.
    Label,
}

impl Kind {
    /// Whether it is a number, whole or decimal.
    pub fn is_number(self) -> bool {
        matches!(self, Kind::Number | Kind::Real)
    }

    /// How outcomes of this kind are read.
    pub fn scale(self) -> Scale {
        match self {
            Kind::Number | Kind::Check | Kind::Degree(_) | Kind::Label => Scale::Whole,
            Kind::Real => Scale::Real,
        }
    }
}

/// A resource's place among those that a program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub u32);

/// A resource that a program reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceUse {
    /// Which one.
    pub name: ResourceName,
    /// Where it is first named.
    pub span: Span,
}

/// A rule: one expression over the resources that it reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The resources, by [`Slot`], each once.
    pub resources: Vec<ResourceUse>,
    /// What is evaluated.
    pub body: Expr,
    /// The results of a rule that is nothing but a die with labels, each once, in written order; empty for all other rules.
    pub labels: Arc<[String]>,
    /// What its result is; set by [`crate::check`].
    pub kind: Kind,
}

impl Program {
    /// A program that is still to be checked.
    pub fn new(resources: Vec<ResourceUse>, body: Expr) -> Self {
        Self {
            resources,
            body,
            labels: Arc::default(),
            kind: Kind::Number,
        }
    }
}
