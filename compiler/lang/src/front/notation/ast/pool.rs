//! The part of the syntax tree that is about dice: pools, groups and modifiers.

use super::{Ast, CompareOp};
use dicec_runtime::span::Span;
use std::fmt;

pub use crate::hir::Face;
pub use dicec_runtime::limits::MAX_FACE;
pub use dicec_runtime::pool::{Bound, Explosion, Selector};

/// The maximum number of faces in a list.
pub const MAX_FACES: usize = 1_000;

/// `XdY` and its modifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dice {
    /// How many; absent in `dY`.
    pub count: Option<Ast>,
    /// The kind of die.
    pub die: Die,
    /// Its modifiers, in written order.
    pub modifiers: Vec<Modifier>,
}

impl Dice {
    /// Dice without modifiers: `XdY`.
    pub fn plain(count: Option<Ast>, sides: Ast) -> Self {
        Self {
            count,
            die: Die::Sides(sides),
            modifiers: Vec::new(),
        }
    }

    /// The trees below: count, sides, then the operands of the modifiers.
    pub fn parts(&self) -> impl Iterator<Item = &Ast> {
        let sides = match &self.die {
            Die::Sides(sides) => Some(sides),
            Die::Percent | Die::Fate | Die::Faces(_) => None,
        };
        let operands = self.modifiers.iter().flat_map(Modifier::operands);
        self.count.iter().chain(sides).chain(operands)
    }
}

/// A kind of die.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Die {
    /// `dY`: 1 to Y.
    Sides(Ast),
    /// `d%`: 1 to 100.
    Percent,
    /// `dF`: -1, 0 or 1.
    Fate,
    /// `d{1,1,2,3}`: one of these, in equal shares; 1 to [`MAX_FACES`] of them, each number within
    /// ±[`MAX_FACE`].
    Faces(Vec<Face>),
}

/// `{a, b}` and its modifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// One or more.
    pub members: Vec<Ast>,
    /// Its modifiers, in written order: keeping, dropping and counting; if it has one member,
    /// marks and sorting as well.
    pub modifiers: Vec<Modifier>,
    /// It is written in parentheses, as in `(1d6 + 2d8)s`: one member, and at least one modifier
    /// that does not count.
    pub round: bool,
}

impl Group {
    /// The trees below: the members, then the operands of the modifiers.
    pub fn parts(&self) -> impl Iterator<Item = &Ast> {
        let operands = self.modifiers.iter().flat_map(Modifier::operands);
        self.members.iter().chain(operands)
    }
}

/// A modifier of dice or a group. Equality ignores the location.
#[derive(Clone, Debug)]
pub struct Modifier {
    /// What it does.
    pub kind: ModifierKind,
    /// Its span, its operand included.
    pub span: Span,
    /// How many parentheses around the dice are closed before it, as in `(4d6kh3)kl1`: what is
    /// kept or dropped after them is selected from what was kept before.
    pub closes: u32,
}

impl Modifier {
    /// A modifier of this kind at `span`.
    pub fn new(kind: ModifierKind, span: Span) -> Self {
        Self {
            kind,
            span,
            closes: 0,
        }
    }

    /// The trees in it, in written order.
    pub fn operands(&self) -> impl Iterator<Item = &Ast> {
        let value = match &self.kind {
            ModifierKind::Select(_, count) | ModifierKind::Middle(count) => count.as_ref(),
            ModifierKind::Bound(_, bound) => Some(bound),
            _ => None,
        };
        let conditions = self.kind.conditions().iter();
        let thresholds = conditions.map(|condition| &condition.threshold);
        value.into_iter().chain(thresholds)
    }

    /// Whether it changes single dice.
    pub fn changes_dice(&self) -> bool {
        matches!(
            self.kind,
            ModifierKind::Explode(..) | ModifierKind::Reroll { .. } | ModifierKind::Bound(..)
        )
    }

    /// Whether it only orders the dice that are shown.
    pub fn sorts(&self) -> bool {
        matches!(self.kind, ModifierKind::Sort(_))
    }

    /// Whether it makes the dice a count of successes.
    pub fn is_count(&self) -> bool {
        matches!(
            self.kind,
            ModifierKind::Success(_) | ModifierKind::Double(_) | ModifierKind::Failure(_)
        )
    }
}

impl PartialEq for Modifier {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.closes == other.closes
    }
}

impl Eq for Modifier {}

/// The kinds of modifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModifierKind {
    /// `kh3` and its like; the count is absent in `kh`.
    Select(Selector, Option<Ast>),
    /// `!`, `!!`, `!p`; without a condition at the die's maximum. At most one in a pool.
    Explode(Explosion, Option<Condition>),
    /// `r<2`, or `ro<2` if only once.
    Reroll {
        /// The second face stays.
        once: bool,
        /// Which faces.
        condition: Condition,
    },
    /// `min2`, `max5`.
    Bound(Bound, Ast),
    /// `km1`: the middle dice, of a number of dice that is known before they are rolled.
    Middle(Option<Ast>),
    /// `>=6` in the notation dialect, `count>=6` and `count={2,3,5}` in both. At most one; a value
    /// that meets any of the conditions counts.
    Success(Vec<Condition>),
    /// `double=10`: those that count twice; only together with a success. At most one.
    Double(Vec<Condition>),
    /// `f1`, `fail=1`; only together with a success. At most one.
    Failure(Vec<Condition>),
    /// `cs>=19` in the notation dialect: a mark for the reader; without a condition the highest
    /// face.
    Critical(Option<Condition>),
    /// `cf<=2` in the notation dialect: a mark for the reader; without a condition the lowest
    /// face.
    Fumble(Option<Condition>),
    /// `sa`, `sd`: for the reader.
    Sort(SortOrder),
}

impl ModifierKind {
    /// The comparisons in it.
    pub fn conditions(&self) -> &[Condition] {
        match self {
            ModifierKind::Success(conditions)
            | ModifierKind::Double(conditions)
            | ModifierKind::Failure(conditions) => conditions,
            ModifierKind::Reroll { condition, .. }
            | ModifierKind::Explode(_, Some(condition))
            | ModifierKind::Critical(Some(condition))
            | ModifierKind::Fumble(Some(condition)) => std::slice::from_ref(condition),
            ModifierKind::Explode(_, None)
            | ModifierKind::Critical(None)
            | ModifierKind::Fumble(None)
            | ModifierKind::Select(..)
            | ModifierKind::Middle(_)
            | ModifierKind::Bound(..)
            | ModifierKind::Sort(_) => &[],
        }
    }

    /// Whether it chooses dice by their order.
    pub fn selects(&self) -> bool {
        matches!(self, ModifierKind::Select(..) | ModifierKind::Middle(_))
    }
}

/// A comparison of each die with a threshold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The comparison.
    pub op: CompareOp,
    /// What each die is compared with.
    pub threshold: Ast,
}

/// The order in which a roll shows its dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SortOrder {
    /// `sa`, `s`
    Ascending,
    /// `sd`
    Descending,
}

impl fmt::Display for SortOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SortOrder::Ascending => "s",
            SortOrder::Descending => "sd",
        })
    }
}
