//! The graph of a decision process: its nodes are states before a roll of dice or a decision, and
//! the ends of the roll. Equal states are one node.

use super::super::values::Values;
use super::control::Spot;
use super::step::{Arrived, Outcome, State, Stepper};
use super::{Aim, Goal};
use crate::ExactError;
use dicec_lang::hir::{CHANCE_SIDES, Data, Float, FunctionId, Module, OptionId, Policy, Type};
use dicec_runtime::bug;
use dicec_runtime::float::from_key;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// The player who decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// Wants as much as possible.
    Maximiser,
    /// Wants as little as possible.
    Minimiser,
}

/// What leads from a node to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) to: u32,
    /// The probability; 1 for an answer.
    pub(super) p: f64,
    /// The expected sum of the wanted statistic on the way.
    pub(super) reward: f64,
    pub(super) fuel: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// An end, of this value.
    End(f64),
    Random,
    /// A decision; its edges are the answers from `first` on.
    Choice {
        mover: Mover,
        first: i64,
    },
}

/// A node with what follows.
#[derive(Debug)]
pub(super) struct Expansion {
    pub(super) kind: Kind,
    pub(super) edges: Vec<Edge>,
    /// The expected sum of the wanted statistic in the node itself.
    pub(super) reward: f64,
    /// The probability that is left out here.
    pub(super) left_out: f64,
    pub(super) roundings: u64,
}

pub(super) struct Graph<'p, 'a> {
    pub(super) stepper: Stepper<'p>,
    aim: &'a Aim<'a>,
    keys: IndexSet<Box<[u8]>, FxBuildHasher>,
}

impl<'p, 'a> Graph<'p, 'a> {
    pub(super) fn new(stepper: Stepper<'p>, aim: &'a Aim<'a>) -> Self {
        Self {
            stepper,
            aim,
            keys: IndexSet::default(),
        }
    }

    /// The number of nodes so far.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The player of this name; none if the player keeps to policies.
    pub(super) fn mover(&self, who: &str) -> Option<Mover> {
        self.aim.mover(who)
    }

    /// The node where a step arrived.
    pub(super) fn node(&mut self, arrived: &Arrived) -> u32 {
        let key = match arrived {
            Arrived::At(state) => packed(Some(state.spot), &state.row),
            Arrived::End(row) => packed(None, row),
        };
        self.keys.insert_full(key).0 as u32
    }

    /// The node of a state, if it is known.
    pub(super) fn known(&self, state: &State) -> Option<u32> {
        let key = packed(Some(state.spot), &state.row);
        self.keys.get_index_of(&key).map(|node| node as u32)
    }

    /// The state of a node, or the row of the result of an end.
    pub(super) fn state(&self, node: u32) -> Result<State, Vec<i64>> {
        let key = self.keys.get_index(node as usize);
        let key = key.unwrap_or_else(|| bug!("no node has the index {node}").raise());
        let mut numbers = Numbers(key);
        let segment = numbers.next().unwrap_or(0);
        if segment == 0 {
            return Err(numbers.map(unfolded).collect());
        }
        let spot = Spot {
            segment: segment as u32 - 1,
            context: numbers.next().unwrap_or(0) as u32,
        };
        Ok(State {
            spot,
            row: numbers.map(unfolded).collect(),
        })
    }

    /// What follows a node.
    ///
    /// # Errors
    /// See [`ExactError`].
    pub(super) fn expand(&mut self, node: u32) -> Result<Expansion, ExactError> {
        let state = match self.state(node) {
            Ok(state) => state,
            Err(row) => return self.end(&row),
        };
        let Some(asked) = self.stepper.asked(&state)? else {
            let rolled = self.stepper.rolled(&state)?;
            return Ok(Expansion {
                kind: Kind::Random,
                reward: rolled.reward,
                left_out: rolled.left_out,
                roundings: rolled.roundings,
                edges: self.merged(rolled.outcomes),
            });
        };
        let [first, last] = asked.answers;
        let count = last.abs_diff(first).saturating_add(1);
        let work = count.saturating_mul(8 + state.row.len() as u64);
        self.stepper.engine.budget.spend(work, count)?;
        let Some(mover) = self.aim.mover(&asked.who) else {
            let answers = self.by_policy(asked.decision.option, asked.answers);
            let mut outcomes = Vec::with_capacity(answers.len());
            for (answer, p) in answers {
                let mut outcome = self.stepper.with(&state, answer, 0)?;
                outcome.p = p;
                outcomes.push(outcome);
            }
            return Ok(Expansion {
                kind: Kind::Random,
                reward: 0.0,
                left_out: 0.0,
                roundings: 1,
                edges: self.merged(outcomes),
            });
        };
        let mut edges = Vec::with_capacity(count as usize);
        for answer in first..=last {
            let outcome = self.stepper.with(&state, answer, 0)?;
            edges.push(self.edge(&outcome));
        }
        Ok(Expansion {
            kind: Kind::Choice { mover, first },
            edges,
            reward: 0.0,
            left_out: 0.0,
            roundings: 0,
        })
    }

    /// The answers of a player who keeps a policy, with their probabilities.
    fn by_policy(&self, option: OptionId, [first, last]: [i64; 2]) -> Vec<(i64, f64)> {
        let policies = self.stepper.engine.question.policies;
        let policy = policies.get(option.index()).copied().unwrap_or_default();
        let is_yes_or_no = self.aim.is_yes_or_no(option);
        match policy {
            Policy::Chance(times) if is_yes_or_no => {
                let p = f64::from(times.min(CHANCE_SIDES)) / f64::from(CHANCE_SIDES);
                let both = [(0, 1.0 - p), (1, p)];
                both.into_iter().filter(|(_, p)| *p > 0.0).collect()
            }
            Policy::Always if is_yes_or_no => vec![(1, 1.0)],
            _ if is_yes_or_no => vec![(0, 1.0)],
            policy => match policy.answer(first, last) {
                Some(answer) => vec![(answer, 1.0)],
                None => {
                    let p = 1.0 / (last - first + 1) as f64;
                    (first..=last).map(|answer| (answer, p)).collect()
                }
            },
        }
    }

    fn edge(&mut self, outcome: &Outcome) -> Edge {
        Edge {
            to: self.node(&outcome.arrived),
            p: outcome.p,
            reward: outcome.reward,
            fuel: u32::try_from(outcome.fuel).unwrap_or(u32::MAX),
        }
    }

    /// Edges to different nodes; outcomes at the same one are added up.
    fn merged(&mut self, outcomes: Vec<Outcome>) -> Vec<Edge> {
        let edges = outcomes.iter().map(|outcome| self.edge(outcome));
        let mut edges: Vec<Edge> = edges.collect();
        edges.sort_by_key(|edge| edge.to);
        edges.dedup_by(|other, edge| {
            let is_same = other.to == edge.to;
            if is_same {
                let p = edge.p + other.p;
                edge.reward = (edge.p * edge.reward + other.p * other.reward) / p;
                edge.p = p;
                edge.fuel = edge.fuel.max(other.fuel);
            }
            is_same
        });
        edges
    }

    fn end(&self, row: &[i64]) -> Result<Expansion, ExactError> {
        let value = match &self.aim.goal {
            Goal::Statistic(..) => 0.0,
            Goal::Result(value) => value(&self.result(row))?,
        };
        Ok(Expansion {
            kind: Kind::End(value),
            edges: Vec::new(),
            reward: 0.0,
            left_out: 0.0,
            roundings: 0,
        })
    }

    /// The values of the parts of a result, or of the only one; empty without a result.
    pub(super) fn result(&self, row: &[i64]) -> Vec<Data> {
        let engine = &self.stepper.engine;
        result(
            (engine.question.module, engine.question.function),
            row,
            &engine.world.values,
        )
    }
}

fn result((module, function): (&Module, FunctionId), row: &[i64], values: &Values) -> Vec<Data> {
    let Some(word) = row.first().copied() else {
        return Vec::new();
    };
    let result = &module.function(function).result;
    match module.parts_of(function) {
        Some(parts) => {
            let words = match result {
                Type::Record(_) => values.words(word).to_vec(),
                _ => vec![word],
            };
            let parts = words.iter().zip(&parts.all);
            parts
                .map(|(word, part)| data(*word, &part.ty, values))
                .collect()
        }
        None => vec![data(word, result, values)],
    }
}

/// A word as a value of a type that has no parts.
pub(super) fn data(word: i64, ty: &Type, values: &Values) -> Data {
    match ty {
        Type::Bool => Data::Bool(word != 0),
        Type::Float => {
            let number = Float::new(from_key(word));
            Data::Float(number.unwrap_or_else(|| bug!("an infinite number").raise()))
        }
        Type::Degree(_) | Type::Enum(_) | Type::Flags(_) => Data::Named(word),
        Type::Text => Data::Text(values.template(word).to_owned()),
        _ => Data::Int(word),
    }
}

/// A place and a row as bytes: seven bits of a number each, the lowest first.
fn packed(spot: Option<Spot>, row: &[i64]) -> Box<[u8]> {
    let mut bytes = Vec::with_capacity(row.len() + 4);
    match spot {
        None => push(&mut bytes, 0),
        Some(spot) => {
            push(&mut bytes, u64::from(spot.segment) + 1);
            push(&mut bytes, spot.context.into());
        }
    }
    for word in row {
        // The sign becomes the lowest bit.
        push(&mut bytes, ((word << 1) ^ (word >> 63)) as u64);
    }
    bytes.into()
}

fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn unfolded(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

struct Numbers<'k>(&'k [u8]);

impl Iterator for Numbers<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
            shift += 7;
        }
    }
}
