//! Pools of dice and groups of rolls, with their modifiers. [`dicec_runtime::pool`] defines the
//! meaning of each part.

use super::{Expr, ExprKind};
use dicec_runtime::compare::CompareOp;
use dicec_runtime::pool::{Bound, Explosion, Selector};
use std::fmt;

/// A pool of equal dice.
///
/// Evaluated in this order: the count, the sides, how many dice each selection counts, those of the
/// stages first; then the dice are drawn; then the stages run, each after its own thresholds; then
/// the selections; then the thresholds of the marks; then the counting, after its thresholds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// How many dice; a negative number rolls none.
    pub count: Expr,
    /// What the dice are.
    pub die: Die,
    /// The changes of the dice, in written order.
    pub stages: Vec<Stage>,
    /// Which of them count; each selection sees all dice, and a die is dropped if any selection
    /// drops it.
    pub selects: Vec<Select>,
    /// Turns the pool into a count of dice instead of a sum.
    pub counting: Option<Counting>,
    /// Which faces are shown as outstanding.
    pub marks: Marks,
}

/// A kind of die.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Die {
    /// With the faces `1..=sides`.
    Sides(Expr),
    /// With faces of its own, at least one, each within ±10^9.
    Faces(Vec<Face>),
}

/// A face of a custom die.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Face {
    /// A number, which it counts.
    Number(i64),
    /// A label; it counts 0, but for a die that is a whole rule: see [`super::Roll::labels`].
    Label(String),
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Face::Number(value) => value.fmt(f),
            Face::Label(label) => f.write_str(label),
        }
    }
}

impl Face {
    /// Its contribution to a count.
    pub fn value(&self) -> i64 {
        match self {
            Face::Number(value) => *value,
            Face::Label(_) => 0,
        }
    }
}

/// A condition on a die.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// How it is compared.
    pub op: CompareOp,
    /// The number to compare with.
    pub threshold: Expr,
}

/// A change of the dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Dice whose face meets the condition (without one: is the highest) add another die.
    Explode(Explosion, Option<Condition>),
    /// Dice whose face meets any of the conditions are rolled again, until none does or `once`.
    Reroll {
        /// One time at most.
        once: bool,
        /// At least one.
        conditions: Vec<Condition>,
    },
    /// Values are bounded by this.
    Bound(Bound, Expr),
    /// Dice are kept and dropped before the stages that follow, which do not consider those that
    /// are dropped. Each selection sees all dice that earlier stages have left.
    Select(Vec<Select>),
}

/// A selection of dice or sub-rolls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Select {
    /// Which end is kept or dropped.
    pub selector: Selector,
    /// How many.
    pub count: Expr,
}

/// A count of kept dice or sub-rolls: those that succeed, some of them twice, less those that fail
/// without succeeding. A value meets several conditions if it meets any of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counting {
    /// The conditions under which a die counts as two successes; empty for never.
    pub double: Vec<Condition>,
    /// The conditions of success, at least one.
    pub success: Vec<Condition>,
    /// The conditions of failure; empty for never.
    pub failure: Vec<Condition>,
}

impl Counting {
    /// Its conditions, in the order of their evaluation.
    pub fn conditions(&self) -> impl Iterator<Item = &Condition> {
        let conditions = self.double.iter().chain(&self.success);
        conditions.chain(&self.failure)
    }

    /// Its conditions, in the order of their evaluation.
    pub fn conditions_mut(&mut self) -> impl Iterator<Item = &mut Condition> {
        let conditions = self.double.iter_mut().chain(&mut self.success);
        conditions.chain(&mut self.failure)
    }
}

/// Faces that are shown as outstanding. They change no number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// The outstandingly good ones; empty for the highest.
    pub critical: Vec<Mark>,
    /// The outstandingly bad ones; empty for the lowest.
    pub fumble: Vec<Mark>,
}

impl Marks {
    /// The conditions, in the order of their evaluation.
    pub fn conditions(&self) -> impl Iterator<Item = &Condition> {
        let marks = self.critical.iter().chain(&self.fumble);
        marks.filter_map(Option::as_ref)
    }

    /// The conditions, in the order of their evaluation.
    pub fn conditions_mut(&mut self) -> impl Iterator<Item = &mut Condition> {
        let marks = self.critical.iter_mut().chain(&mut self.fumble);
        marks.filter_map(Option::as_mut)
    }

    /// Whether they have to be evaluated even if no one looks at them: a threshold may roll dice,
    /// and it may trap.
    pub fn are_computed(&self) -> bool {
        let written = |condition: &Condition| matches!(condition.threshold.kind, ExprKind::Int(_));
        !self.conditions().all(written)
    }
}

/// Values that are outstanding, or the face at the end of the die.
pub type Mark = Option<Condition>;

/// Several rolls in braces. The selections' counts are evaluated first, then the members, then as
/// for a pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its members.
    pub members: Members,
    /// The selections of members that count.
    pub selects: Vec<Select>,
    /// Turns the group into a count instead of a sum.
    pub counting: Option<Counting>,
    /// Which values of joined dice are shown as outstanding, if not those that the pools say.
    pub marks: Marks,
}

/// The members that a group selects from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Members {
    /// Whole numbers: the totals of the rolls. At least one.
    Totals(Vec<Expr>),
    /// The kept dice of all terms that are pools, as one pool; the other terms are added to its
    /// result.
    Dice(Vec<Term>),
}

/// A term of a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its role.
    pub part: TermPart,
    /// The expression that is joined, added or subtracted.
    pub expr: Expr,
}

/// The role of a term in a group of dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermPart {
    /// A pool, or a group of dice whose terms are all joined; it contributes its kept dice. If it
    /// counts, the count is not used.
    Joined,
    /// It is added to the group's result.
    Added,
    /// It is subtracted from the group's result.
    Subtracted,
}

impl Pool {
    /// A pool of `count` dice of `sides` sides, without modifiers.
    pub fn plain(count: Expr, sides: Expr) -> Self {
        Self {
            count,
            die: Die::Sides(sides),
            stages: Vec::new(),
            selects: Vec::new(),
            counting: None,
            marks: Marks::default(),
        }
    }

    /// All its selections, in the order in which their counts are evaluated.
    pub fn all_selects(&self) -> impl Iterator<Item = &Select> {
        let early = self.stages.iter().filter_map(|stage| match stage {
            Stage::Select(selects) => Some(selects),
            _ => None,
        });
        early.chain([&self.selects]).flatten()
    }

    /// Its sides, if it is the sum of plain dice without modifiers.
    pub fn plain_sides(&self) -> Option<&Expr> {
        let plain = self.stages.is_empty()
            && self.selects.is_empty()
            && self.counting.is_none()
            && !self.marks.are_computed();
        match &self.die {
            Die::Sides(sides) if plain => Some(sides),
            _ => None,
        }
    }
}
