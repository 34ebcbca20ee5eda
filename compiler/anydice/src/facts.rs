//! Facts about a run: a program has no input, so what holds of all evaluations of an expression in
//! its run always holds. The translation to scripts relies on them.

use crate::ast::{Expr, Function, Variable};
use crate::settings::Settings;
use crate::value::Value;
use dicec_runtime::pmf::Weight;
use dicec_runtime::span::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The kinds that the values of an expression had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds {
    pub(crate) number: bool,
    pub(crate) sequence: bool,
    pub(crate) dice: bool,
}

/// The values of an expression, in all its evaluations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) kinds: Kinds,
    /// The least and the greatest number, or result of dice; of sequences nothing is known.
    pub(crate) least: i64,
    pub(crate) most: i64,
    /// The least of the greatest results.
    pub(crate) least_top: i64,
    /// The least and the greatest number of dice.
    pub(crate) dice: (u64, u64),
}

/// What happens outside of functions, in order.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    Number(Variable, i64),
    Sequence(Variable, Vec<i64>),
    /// Dice are given to a variable: those of the expression.
    Dice(Variable, Expr),
    Function(Arc<Function>),
    /// An output, and its name.
    Output(Expr, String),
}

/// The facts about a run.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    seen: FxHashMap<u32, Seen>,
    /// The kinds of the results of functions in calls without an expansion, by their numbers.
    results: FxHashMap<u32, Kinds>,
    pub(crate) events: Vec<(Event, Settings)>,
    /// Calls that were deeper than the setting allows, by the numbers of their expressions.
    cut: FxHashSet<u32>,
    /// The call that was just too deep: its value is not looked at yet.
    just_cut: Option<u32>,
    /// The first expression that gave the empty die, other than by such a call.
    pub(crate) empty: Option<Span>,
    /// The first function of which a call ended without a result.
    pub(crate) endless: Option<Span>,
}

impl Facts {
    /// An expression has a value.
    pub(crate) fn see<W: Weight>(&mut self, expr: &Expr, value: &Value<W>) {
        let (least, most, count) = match value {
            Value::Number(number) => (*number, *number, 1),
            Value::Sequence(_) => (i64::MIN, i64::MAX, 1),
            Value::Dice(dice) => match &dice.die {
                Some(die) => {
                    let count = i64::try_from(dice.count).unwrap_or(i64::MAX);
                    let sum = |face: i64| face.saturating_mul(count);
                    (sum(die.min()), sum(die.max()), dice.count)
                }
                None => {
                    if self.just_cut.take() != Some(expr.id) {
                        self.empty.get_or_insert(expr.span);
                    }
                    return;
                }
            },
        };
        let kinds = Kinds::of(value);
        let seen = self.seen.entry(expr.id).or_insert(Seen {
            kinds,
            least,
            most,
            least_top: most,
            dice: (count, count),
        });
        seen.kinds = seen.kinds.and(kinds);
        seen.least = seen.least.min(least);
        seen.most = seen.most.max(most);
        seen.least_top = seen.least_top.min(most);
        seen.dice = (seen.dice.0.min(count), seen.dice.1.max(count));
    }

    /// A call without an expansion has a result.
    pub(crate) fn result<W: Weight>(&mut self, function: &Function, value: &Value<W>) {
        let kinds = self.results.entry(function.id).or_default();
        *kinds = kinds.and(Kinds::of(value));
    }

    /// A call was too deep.
    pub(crate) fn cut(&mut self, call: &Expr) {
        self.cut.insert(call.id);
        self.just_cut = Some(call.id);
    }

    /// The values of an expression, if it was evaluated.
    pub(crate) fn of(&self, expr: &Expr) -> Option<&Seen> {
        self.seen.get(&expr.id)
    }

    /// Whether all values of an expression are numbers, or results, that are at least this one.
    pub(crate) fn is_at_least(&self, expr: &Expr, least: i64) -> bool {
        self.of(expr)
            .is_some_and(|seen| !seen.kinds.sequence && seen.least >= least)
    }

    /// The kinds of the results of a function in calls without an expansion.
    pub(crate) fn results(&self, function: &Function) -> Kinds {
        self.results.get(&function.id).copied().unwrap_or_default()
    }

    /// Whether calls of this expression were too deep.
    pub(crate) fn is_cut(&self, call: &Expr) -> bool {
        self.cut.contains(&call.id)
    }

    /// Whether any call was too deep.
    pub(crate) fn has_cuts(&self) -> bool {
        !self.cut.is_empty()
    }
}

impl Kinds {
    pub(crate) fn of<W>(value: &Value<W>) -> Self {
        let mut kinds = Self::default();
        match value {
            Value::Number(_) => kinds.number = true,
            Value::Sequence(_) => kinds.sequence = true,
            Value::Dice(_) => kinds.dice = true,
        }
        kinds
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            number: self.number || other.number,
            sequence: self.sequence || other.sequence,
            dice: self.dice || other.dice,
        }
    }
}
