//! Best play: the decisions of a roll that give the best value, and that value.
//!
//! ```text
//! segments --control, step, call--> states before rolls and decisions --graph--> nodes and edges
//!                                            |
//!       search: values, backward -----------+--> cycle: nodes that lead back to each other
//!                                            |
//!       forward: results and decisions -----+--> show: variables of states, for people
//!                                            |
//!       track: the state of a trial of the interpreter
//! ```
//!
//! A decision sees the state before it, that is, all of the past that can matter; a roll is a node
//! of its own, so no decision sees a later one. Shortcuts that reorder rolls, or keep lists in
//! another order than the script, are off. Weights are floats; each value has a bound on its error.

mod call;
mod control;
mod cycle;
mod forward;
mod graph;
mod search;
mod show;
mod step;
mod track;
mod value;

use super::activation::Calls;
use super::constants::Constants;
use super::engine::Engine;
use super::floors::Floors;
use super::kept::Found;
use super::known::Cases;
use super::lower::lower;
use super::lowering::Context;
use super::machine::Machine;
use super::plan::Pure;
use super::roll_distributions::RollDistributions;
use super::shape::Shapes;
use super::values::Values;
use super::{Question, joint};
use crate::{ExactError, Shortcuts};
use dicec_lang::hir::{Data, ExprKind, Module, OptionId, StatId, each_expr};
use dicec_runtime::bug;
use dicec_runtime::pmf::Budget;
use dicec_runtime::trap::{Trap, TrapCode};
use forward::{Forward, forward};
use graph::Graph;
pub use graph::Mover;
use indexmap::IndexSet;
use search::Search;
pub use show::{Shown, value_text};
use step::Stepper;
pub use track::Tracker;
use value::Value;

/// The value of a result, from the values of its parts.
pub type ValueOf<'a> = dyn Fn(&[Data]) -> Result<f64, Trap> + 'a;

/// What players want much of.
pub enum Goal<'a> {
    /// A number that is computed from the parts of the result.
    Result(&'a ValueOf<'a>),
    /// The sum of a statistic in a trial; whether its numbers are floats.
    Statistic(StatId, bool),
}

/// Who decides for the best, and what that is.
pub struct Aim<'a> {
    /// The goal.
    pub goal: Goal<'a>,
    /// Whether each option is decided for the best; the others follow their policies.
    pub decided: &'a [bool],
    /// Whether each option is answered by yes or no.
    pub yes_or_no: &'a [bool],
    /// The players by their names; without any, all options are those of the first.
    pub players: &'a [(String, Mover)],
    /// The player of options without names, or of all options if none has one.
    pub all: Mover,
}

impl Aim<'_> {
    /// The player of this name; none if the player keeps to policies.
    fn mover(&self, who: &str) -> Option<Mover> {
        if self.players.is_empty() {
            return Some(self.all);
        }
        let mut players = self.players.iter();
        let found = players.find(|(name, _)| name == who);
        found.map(|(_, mover)| *mover)
    }

    fn is_yes_or_no(&self, option: OptionId) -> bool {
        self.yes_or_no.get(option.index()).copied().unwrap_or(false)
    }
}

/// An answer to a decision.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerValue {
    /// Its number: 1 for yes, 0 for no, or the index in a list.
    pub number: i64,
    /// The name that players read, if it is an element of a list.
    pub label: Option<String>,
    /// The value of play after it.
    pub value: f64,
}

/// A decision in a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The option.
    pub option: OptionId,
    /// Who decides; empty if nobody is named.
    pub who: String,
    /// For whom the answer is best.
    pub mover: Mover,
    /// How often it is met in a trial of best play.
    pub times: f64,
    /// What is known then: the variables that can matter.
    pub variables: Vec<Shown>,
    /// The answers.
    pub answers: Vec<AnswerValue>,
    /// The index of the best one.
    pub best: usize,
}

impl Choice {
    /// The value that the second best answer loses; none if there is only one answer.
    pub fn loss(&self) -> Option<f64> {
        let best = self.answers[self.best].value;
        let others = self.answers.iter().enumerate();
        let others = others.filter(|(index, _)| *index != self.best);
        let losses = others.map(|(_, answer)| (best - answer.value).abs());
        losses.reduce(f64::min)
    }
}

/// The best play of a roll.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// The value.
    pub value: f64,
    /// A bound on its error, by rounding and by iteration; infinite if none was found.
    pub error: f64,
    /// A bound on the probability of the dice that are left out because they go on for very long.
    pub left_out: f64,
    /// The results of best play with their probabilities; empty if the roll returns nothing.
    pub results: Vec<(Vec<Data>, f64)>,
    /// The probability of play that is left out of the results because it goes on for very long.
    pub unfinished: f64,
    /// The number of different decisions that are met.
    pub decisions: usize,
    /// The number of states.
    pub states: usize,
    /// Whether play may come back to a state: then values are found by iteration.
    pub is_cyclic: bool,
}

/// A solved roll.
pub struct Solved<'p, 'a> {
    graph: Graph<'p, 'a>,
    values: Vec<Value>,
    root: u32,
    forward: Forward,
    is_cyclic: bool,
    args: Vec<Pure>,
}

/// The shortcuts that keep the order of rolls and of lists.
fn allowed(question: &Question<'_>) -> Shortcuts {
    let others = Shortcuts::KEPT
        .union(Shortcuts::ORDERS)
        .union(Shortcuts::LISTS)
        .union(Shortcuts::FLOORS)
        .union(Shortcuts::DICE_VALUES)
        .union(Shortcuts::LATE)
        .union(Shortcuts::FACES)
        .union(Shortcuts::DROPPED);
    question.shortcuts.difference(others).closed()
}

/// Solves a roll for the best play, and calls `then` with it.
///
/// # Errors
/// See [`ExactError`]. A trap that any answers lead to is the answer.
pub fn with_best<R>(
    question: &Question<'_>,
    aim: &Aim<'_>,
    budget: &mut Budget,
    then: impl FnOnce(&mut Solved<'_, '_>) -> R,
) -> Result<R, ExactError> {
    let shortcuts = allowed(question);
    let question = &Question {
        function: question.module.returning(question.function),
        limits: joint::limits(question),
        kept: None,
        shortcuts,
        ..*question
    };
    let mut shapes = Shapes::with_names(question.module);
    let mut values = Values::default();
    let mut context = Context {
        script: question.module,
        policies: question.policies,
        decided: aim.decided,
        shapes: &mut shapes,
        values: &mut values,
        constants: Constants::default(),
        rolls: Vec::new(),
        floors: Floors::default(),
        segments: 0,
        calls: Vec::new(),
        shortcuts,
    };
    let params = question.module.function(question.function).locals.iter();
    let params = params.zip(question.args);
    let args: Vec<Pure> = params
        .map(|(param, data)| context.data(data, &param.ty))
        .collect();
    let plans = lower(context, budget)?;
    let found = Found {
        values,
        cases: Cases::new(plans.segments, question.resources),
        calls: Calls::new(plans.functions.len()),
        distributions: RollDistributions::new(plans.rolls.len(), question.policies),
        pins: IndexSet::default(),
        machine: Machine::new(plans.constants.clone()),
    };
    let engine = Engine::new(question, (&plans, &shapes), found, budget, shortcuts);
    let stat = match aim.goal {
        Goal::Statistic(stat, is_float) => (Some(stat), is_float),
        Goal::Result(_) => (None, false),
    };
    let inside = deciding(question.module, aim.decided);
    let stepper = Stepper::new(engine, inside, stat);
    let mut solved = Solved::of(stepper, aim, args)?;
    Ok(then(&mut solved))
}

/// Whether each function decides something, or calls one that does.
fn deciding(module: &Module, decided: &[bool]) -> Vec<bool> {
    let mut inside = vec![false; module.functions.len()];
    loop {
        let mut changes = false;
        for (index, function) in module.functions.iter().enumerate() {
            let mut decides = false;
            each_expr(&function.body, &mut |expr| match &expr.kind {
                ExprKind::Option(option) => {
                    decides |= decided.get(option.option.index()) == Some(&true);
                }
                ExprKind::Call(callee, _) => decides |= inside[callee.index()],
                _ => {}
            });
            changes |= decides && !inside[index];
            inside[index] |= decides;
        }
        if !changes {
            return inside;
        }
    }
}

impl<'p, 'a> Solved<'p, 'a> {
    fn of(stepper: Stepper<'p>, aim: &'a Aim<'a>, args: Vec<Pure>) -> Result<Self, ExactError> {
        let mut graph = Graph::new(stepper, aim);
        let function = graph.stepper.engine.question.function;
        let start = graph.stepper.start(function, &args)?;
        let root = graph.node(&start.arrived);
        let mut search = Search::new(&mut graph);
        search.solve(root)?;
        let (mut values, is_cyclic) = (search.values, search.is_cyclic);
        let first = &mut values[root as usize];
        let fuel = u64::from(first.fuel).saturating_add(start.fuel);
        if fuel > graph.stepper.engine.question.limits.fuel.into() {
            let span = graph.stepper.engine.question.module.function(function).span;
            return Err(ExactError::Trap(Trap {
                code: TrapCode::OutOfFuel,
                span,
            }));
        }
        first.value += start.reward;
        let forward = forward(&mut graph, &values, root)?;
        Ok(Self {
            graph,
            values,
            root,
            forward,
            is_cyclic,
            args,
        })
    }

    /// The value and the results.
    pub fn best(&self) -> Best {
        let Value {
            value,
            error,
            left_out,
            ..
        } = self.values[self.root as usize];
        let ends = self.forward.ends.iter();
        let results = ends.filter_map(|(node, p)| {
            let row = self.graph.state(*node).err()?;
            let result = self.graph.result(&row);
            (!result.is_empty()).then_some((row, (result, *p)))
        });
        let mut results: Vec<_> = results.collect();
        results.sort_by(|one, other| one.0.cmp(&other.0));
        Best {
            value,
            error,
            left_out,
            results: results.into_iter().map(|(_, result)| result).collect(),
            unfinished: self.forward.left,
            decisions: self.forward.met.len(),
            states: self.graph.len(),
            is_cyclic: self.is_cyclic,
        }
    }

    /// The decisions that best play meets, the most frequent first.
    ///
    /// # Errors
    /// See [`ExactError`].
    pub fn choices(&mut self) -> Result<Vec<Choice>, ExactError> {
        let budget = &mut *self.graph.stepper.engine.budget;
        *budget = budget.renewed();
        let mut met = std::mem::take(&mut self.forward.met);
        met.sort_by(|one, other| {
            other
                .times
                .total_cmp(&one.times)
                .then(one.node.cmp(&other.node))
        });
        let choices = met.iter().map(|met| {
            let work = 16 + met.answers.len() as u64;
            self.graph.stepper.engine.budget.spend(work, 0)?;
            let mut choice = self.choice(met.node, &met.answers)?;
            choice.times = met.times;
            Ok(choice)
        });
        let choices = choices.collect();
        self.forward.met = met;
        choices
    }

    /// The decision at a node whose answers have these values.
    fn choice(&mut self, node: u32, values: &[f64]) -> Result<Choice, ExactError> {
        let state = self.graph.state(node);
        let state = state.unwrap_or_else(|_| bug!("an end decides").raise());
        let asked = self.graph.stepper.asked(&state)?;
        let asked = asked.unwrap_or_else(|| bug!("a roll decides").raise());
        let labels = match &asked.decision.list {
            None => None,
            Some((list, ty)) => {
                let list = self.graph.stepper.word(&state, list)?;
                Some(self.graph.labels((list, ty), &state))
            }
        };
        let label = |index: usize| {
            labels
                .as_ref()
                .and_then(|labels| labels.get(index).cloned())
        };
        let answers = values.iter().enumerate().map(|(index, value)| AnswerValue {
            number: asked.answers[0].saturating_add(index as i64),
            label: label(index),
            value: *value,
        });
        let mover = self.graph.mover(&asked.who);
        Ok(Choice {
            option: asked.decision.option,
            mover: mover.unwrap_or(Mover::Maximiser),
            who: asked.who,
            times: 0.0,
            variables: self.graph.variables(&state),
            answers: answers.collect(),
            best: self.values[node as usize].best as usize,
        })
    }
}
