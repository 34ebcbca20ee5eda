//! Follows a trial of the interpreter: from the results of its rolls and the answers of its
//! options, the state before each decision, and so the best answer. All functions are stepped into.

use super::super::plan::Head;
use super::graph::Kind;
use super::step::{Arrived, State};
use super::{Choice, Solved};
use crate::ExactError;
use dicec_runtime::bug;
use std::collections::VecDeque;

/// A trial that is followed.
pub struct Tracker<'s, 'p, 'a> {
    solved: &'s mut Solved<'p, 'a>,
    /// The state at the first event that is not followed yet.
    at: Arrived,
    /// The results of rolls, and the answers of options, in the order in which they happened.
    events: VecDeque<i64>,
}

impl<'p, 'a> Solved<'p, 'a> {
    /// Begins to follow a trial, with the whole budget.
    ///
    /// # Errors
    /// See [`ExactError`].
    pub fn track(&mut self) -> Result<Tracker<'_, 'p, 'a>, ExactError> {
        let budget = &mut *self.graph.stepper.engine.budget;
        *budget = budget.renewed();
        self.graph.stepper.enters_all();
        let function = self.graph.stepper.engine.question.function;
        let args = self.args.clone();
        let at = self.graph.stepper.start(function, &args)?.arrived;
        Ok(Tracker {
            solved: self,
            at,
            events: VecDeque::new(),
        })
    }
}

impl Tracker<'_, '_, '_> {
    /// A roll gave this result: a number, a rung, the index of a label, the key of a float.
    pub fn rolled(&mut self, result: i64) {
        self.events.push_back(result);
    }

    /// An option was answered by this number; yes is 1.
    pub fn answered(&mut self, answer: i64) {
        self.events.push_back(answer);
    }

    /// The best answer to the decision that the trial is at; none if nobody decides for the best.
    ///
    /// # Errors
    /// See [`ExactError`].
    pub fn best(&mut self) -> Result<Option<i64>, ExactError> {
        let state = self.here()?;
        let Some(asked) = self.solved.graph.stepper.asked(&state)? else {
            return Ok(None);
        };
        if self.solved.graph.mover(&asked.who).is_none() {
            return Ok(None);
        }
        let node = self.solved.graph.known(&state);
        let best = node.and_then(|node| self.solved.values.get(node as usize));
        let best = best.unwrap_or_else(|| bug!("a trial is at an unknown state").raise());
        Ok(Some(asked.answers[0] + i64::from(best.best)))
    }

    /// The decision that the trial is at, with the values of its answers.
    ///
    /// # Errors
    /// See [`ExactError`].
    pub fn choice(&mut self) -> Result<Option<Choice>, ExactError> {
        let state = self.here()?;
        let Some(node) = self.solved.graph.known(&state) else {
            return Ok(None);
        };
        let expansion = self.solved.graph.expand(node)?;
        let Kind::Choice { .. } = expansion.kind else {
            return Ok(None);
        };
        let answers = expansion.edges.iter();
        let value = |to: u32| self.solved.values[to as usize].value;
        let answers: Vec<f64> = answers.map(|edge| edge.reward + value(edge.to)).collect();
        self.solved.choice(node, &answers).map(Some)
    }

    /// The state after all events.
    fn here(&mut self) -> Result<State, ExactError> {
        loop {
            let state = match &self.at {
                Arrived::At(state) => state.clone(),
                Arrived::End(_) => bug!("a trial goes on after its end").raise(),
            };
            let Some(event) = self.events.pop_front() else {
                return Ok(state);
            };
            let stepper = &mut self.solved.graph.stepper;
            let mut result = event;
            if let Some(Head::Roll(site, ..)) = &stepper.control.segment(state.spot).head {
                let labels = &stepper.engine.plans.rolls[*site].labels;
                let label = usize::try_from(event)
                    .ok()
                    .and_then(|event| labels.get(event));
                result = label.copied().unwrap_or(event);
            }
            self.at = stepper.with(&state, result, 0)?.arrived;
        }
    }
}
