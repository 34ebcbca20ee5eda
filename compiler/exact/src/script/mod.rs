//! Exact odds of scripts: a distribution over states is propagated through the program, and equal
//! states are merged at every point.
//!
//! ```text
//! hir --rewrite--> hir, whose lists of dice are rolled later or face by face
//! hir --shape--> values and objects --lower, operand--> segments (plan) --liveness--> live
//!     segments --kept--> for later questions, with what was found out (bill: what they pay for it)
//!     segments + arguments --walk--> outcomes --> result (engine: the state of all this)
//!          |      known: a segment, for all states with the same answers to its questions (case)
//!          |           +--work--> the outcomes of the first of them (machine, eval)
//!          |           |      +--call--> outcomes of functions, once per input
//!          |           |      +--roll_distributions--> odds of rolls, by closed forms
//!          |           +--notes--> lines, statistics
//!          +--convolve: states that differ in one number at most (column)
//!          +--compose: several segments at once for these (piece, needs, seen, poured)
//!          +--floors: what is only compared is kept only above a number
//!          +--consumed: a list that is read for the last time loses the elements that were read
//!          +--interchange: equal records are sorted where nothing observes their order (order)
//!          +--best: single states, if players decide for the best
//!          +--state_explosion--> what keeps states apart, if they are too many
//! ```
//!
//! A state is a row of words (slots): those of the live variables, and of the objects that are
//! reachable from them. A distribution (`dist`) packs it into as few bits as its numbers need
//! (`packed`). Nothing else is part of a state: texts are templates, records and lists that are
//! never written are values (`values`), and lines and statistics only add up.
//!
//! Endless programs are cut like endless dice: iterations of a `while`, and calls of a recursive
//! function, are left out if their probability is at most
//! [`SERIES_CUT`](dicec_runtime::pmf::SERIES_CUT). Loops over lists and numbers end by themselves
//! and are not cut. If the rest can trap at all, the answer is the trap. Each state has the maximum
//! fuel of any path to it, so a script that can run out of fuel is detected.
//!
//! Names in this folder, and the usual terms: case (memoised step), piece (partial distribution),
//! flight (pending updates), to pour (to accumulate), `needs` (path condition), floor (saturation
//! bound), bill (recorded cost), word (slot), `order` (symmetry reduction).

mod activation;
mod attempts;
mod best;
mod bill;
mod call;
mod case;
mod column;
mod compare;
mod compose;
mod composite;
mod constants;
mod consumed;
mod convolve;
mod cost;
mod data;
mod dice_value;
mod dist;
mod effects;
mod engine;
mod eval;
mod flight;
mod floors;
mod flow;
mod forms;
mod interchange;
mod joint;
mod kept;
mod known;
mod live;
mod liveness;
mod lower;
mod lowering;
mod machine;
mod needs;
mod notes;
mod operand;
mod option;
mod order;
mod packed;
mod piece;
mod plan;
mod poured;
mod question;
mod reads;
mod rewrite;
mod roll_distributions;
mod roll_value;
mod seen;
mod shape;
mod share;
mod side;
mod state_explosion;
mod together;
mod touch;
mod unordered;
mod values;
mod walk;
mod work;

use super::shortcuts::Shortcuts;
use super::{Exact, ExactError, Inputs};
use activation::Activation;
use attempts::{states, states_within};
use dicec_lang::hir::{Data, ExprKind, FunctionId, Module, Policy, Roll, Stmt, StmtKind, Type};
use dicec_runtime::limits::{RollLimits, ScriptLimits};
use dicec_runtime::pmf::{Budget, Pmf, Weight};
use engine::Engine;
use rewrite::Rewritten;

pub use best::{
    Aim, AnswerValue, Best, Choice, Goal, Mover, Shown, Solved, Tracker, ValueOf, value_text,
    with_best,
};
pub use joint::Joint;
pub use kept::KeptPlans;
pub use notes::Noted;
pub use state_explosion::{StateExplosion, VariedPart};

/// A question about a roll.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The checked rule or script.
    pub module: &'q Module,
    /// The body of the roll; returns nothing, a number, a truth value or a degree.
    pub function: FunctionId,
    /// Its arguments, one per parameter.
    pub args: &'q [Data],
    /// One value per resource of the module.
    pub resources: &'q [i64],
    /// One policy per option; options without one are never taken.
    pub policies: &'q [Policy],
    /// The limits on dice.
    pub rolls: RollLimits,
    /// The limits on a trial.
    pub limits: ScriptLimits,
    /// The cache of earlier questions about this module.
    pub kept: Option<&'q KeptPlans>,
    /// The shortcuts that are allowed.
    pub shortcuts: Shortcuts,
}

/// The exact odds of a roll of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds<W = f64> {
    /// The distribution of the result: a number, 0 or 1 for a truth value, a rung; `None` if the
    /// roll returns nothing.
    pub result: Option<Pmf<W>>,
    /// An upper bound on the probability that is left out: of loops, calls and dice that go on for
    /// very long. Each probability is off by at most this; 0 if nothing goes on forever.
    pub residual: f64,
    /// The mean number of lines of each template in a trial, in the order of the text.
    pub lines: Vec<(String, f64)>,
    /// Whether an [`ExprKind::AtLeast`] may clamp a number. For a script: whether one did, in any
    /// state; unknown for a rule.
    pub may_clamp: bool,
    /// The numbers that trials note, by [`Module::stats`].
    pub stats: Vec<Noted>,
    /// The statistics that the script names itself, in the order of their names.
    pub named: Vec<(String, Noted)>,
    /// Of a result with several parts, or a text, the odds of all parts together.
    pub joint: Option<Joint<W>>,
}

impl<'q> Question<'q> {
    /// A question about a rule.
    pub fn of_rule(module: &'q Module, resources: &'q [i64], rolls: RollLimits) -> Self {
        Self {
            module,
            function: FunctionId(0),
            args: &[],
            resources,
            policies: &[],
            rolls,
            limits: ScriptLimits::default(),
            kept: None,
            shortcuts: Shortcuts::all(),
        }
    }

    /// The dice of a roll without control flow, if they have closed forms.
    fn straight_line(&self) -> Option<&'q Roll> {
        let body = &self.module.function(self.function).body;
        match &body[..] {
            [
                Stmt {
                    kind: StmtKind::Return(Some(value)),
                    ..
                },
            ] => match &value.kind {
                ExprKind::Roll(roll) if roll.holes.is_empty() => Some(roll),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The exact odds of a roll: closed forms for straight-line dice, state propagation for control
/// flow. Weights are [`f64`] or [`dashu_int::UBig`].
///
/// # Errors
/// See [`ExactError`].
pub(super) fn solve<W: Weight>(
    question: &Question<'_>,
    budget: &mut Budget,
) -> Result<Odds<W>, ExactError> {
    let shortcuts = question.shortcuts.closed();
    let kept = question
        .kept
        .filter(|_| shortcuts.contains(Shortcuts::KEPT));
    let question = &Question {
        function: question.module.returning(question.function),
        limits: joint::limits(question),
        kept,
        shortcuts,
        ..*question
    };
    // A result that is noted part by part has odds of its parts, which closed forms do not give.
    let has_parts = question.module.parts_of(question.function).is_some();
    let closed = shortcuts.contains(Shortcuts::CLOSED_FORMS) && !has_parts;
    let Some(roll) = question.straight_line().filter(|_| closed) else {
        return match rewritten(question, budget) {
            Some(odds) => Ok(odds),
            None => states(question, budget),
        };
    };
    let inputs = Inputs {
        resources: question.resources,
        roll,
        holes: &[],
        shortcuts,
    };
    let Exact { pmf, residual } = super::roll(inputs, question.rolls, budget)?;
    Ok(Odds {
        result: Some(pmf),
        residual,
        may_clamp: true,
        lines: Vec::new(),
        stats: vec![Noted::default(); question.module.stats.len()],
        named: Vec::new(),
        joint: None,
    })
}

/// The odds of the rewritten module; `None` if the odds of the module itself have to be computed.
fn rewritten<W: Weight>(question: &Question<'_>, budget: &mut Budget) -> Option<Odds<W>> {
    let allowed = question.shortcuts.intersection(Rewritten::ALL);
    let held = question.kept;
    let held = held.and_then(|kept| kept.rewritten(question.module, allowed));
    let own;
    let (new, kept) = match held {
        Some((new, kept)) => (new, Some(kept)),
        None => {
            own = Rewritten::of(question.module, allowed);
            (own.as_ref(), None)
        }
    };
    let new = new?;
    let before = budget.clone();
    let question = Question {
        module: &new.module,
        kept,
        ..*question
    };
    if let Ok(Some(odds)) = states_within(&question, budget, new.fuel) {
        new.fire();
        return Some(odds);
    }
    *budget = before;
    None
}

impl<W: Weight> Engine<'_, W> {
    /// The complete odds, after the last call ended.
    fn odds(&mut self, last: &Activation<W>) -> Result<Odds<W>, ExactError> {
        let script = self.question.module;
        let notes = self.noted();
        let (stats, named) = notes.stats(&script.stats, &self.world.values);
        let mut odds = Odds {
            result: None,
            residual: last.residual.min(1.0),
            may_clamp: self.machine.clamped,
            lines: notes.lines(&self.world.values),
            stats,
            named,
            joint: None,
        };
        if let Some(parts) = script.parts_of(self.question.function) {
            match joint::joint(last, (script, parts), &self.world.values) {
                Some(joint) => odds.add_joint(joint, parts),
                // Everything was left out.
                None => self.budget.spend(u64::MAX, 1)?,
            }
        } else if script.function(self.question.function).result != Type::Unit {
            odds.result = result(last);
            if odds.result.is_none() {
                // Everything was left out.
                self.budget.spend(u64::MAX, 1)?;
            }
        }
        Ok(odds)
    }
}

/// The distribution of a call's results.
fn result<W: Weight>(call: &Activation<W>) -> Option<Pmf<W>> {
    let outcomes = &call.outcomes;
    let states = (0..outcomes.len()).map(|outcome| {
        let value = outcomes.row(outcome).first().copied().unwrap_or(0);
        (value, outcomes.share(outcome))
    });
    let roundings = states.clone().map(|(_, share)| share.roundings()).max();
    let weights = states.map(|(value, share)| (value, share.weight.clone()));
    Some(Pmf::from_weights(weights)?.with_roundings(roundings?))
}
