//! Values by backward induction, depth first: a node has its value once all that follow have theirs.
//! Nodes that lead back to each other are found as strongly connected components (Tarjan 1972) and
//! solved together ([`super::cycle`]). The edges of a node are dropped with its value, so memory is
//! for states, not for steps.

use super::cycle::{Component, solve};
use super::graph::{Edge, Expansion, Graph, Kind, Mover};
use crate::ExactError;
use dicec_runtime::trap::{Trap, TrapCode};
use rustc_hash::FxHashMap;

/// No component has this number: the node has no value yet.
pub(super) const OPEN: u32 = u32::MAX;

/// Two answers are as good if their values differ by at most this, relative to their size.
pub(super) const TIE: f64 = 1e-12;

/// What is known about a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) value: f64,
    /// A bound on the error of the value.
    pub(super) error: f64,
    /// A bound on the probability that is left out from here on.
    pub(super) left_out: f64,
    /// The index of the best answer.
    pub(super) best: u32,
    /// The number of its component; those that follow have lower ones.
    pub(super) component: u32,
    /// A bound on the fuel from here on, for parts that end by themselves.
    pub(super) fuel: u32,
}

const UNKNOWN: Value = Value {
    value: 0.0,
    error: 0.0,
    left_out: 0.0,
    best: 0,
    component: OPEN,
    fuel: 0,
};

/// A node on the current path.
struct Visit {
    node: u32,
    expansion: Expansion,
    /// The number of edges that were followed.
    followed: usize,
    /// The earliest node on the path that it leads back to, by its time.
    low: u32,
}

pub(super) struct Search<'s, 'p, 'a> {
    pub(super) graph: &'s mut Graph<'p, 'a>,
    pub(super) values: Vec<Value>,
    /// When each node was first visited, from 1 on.
    times: Vec<u32>,
    clock: u32,
    components: u32,
    /// The nodes without a value, in the order of their times.
    open: Vec<u32>,
    /// The edges of those that lead back.
    held: FxHashMap<u32, Expansion>,
    edges_held: u64,
    /// Whether any nodes lead back to each other.
    pub(super) is_cyclic: bool,
}

impl<'s, 'p, 'a> Search<'s, 'p, 'a> {
    pub(super) fn new(graph: &'s mut Graph<'p, 'a>) -> Self {
        Self {
            graph,
            values: Vec::new(),
            times: Vec::new(),
            clock: 0,
            components: 0,
            open: Vec::new(),
            held: FxHashMap::default(),
            edges_held: 0,
            is_cyclic: false,
        }
    }

    /// Finds the values of a node and of all that follow.
    ///
    /// # Errors
    /// See [`ExactError`].
    pub(super) fn solve(&mut self, root: u32) -> Result<(), ExactError> {
        let mut path = vec![self.visit(root)?];
        while let Some(visit) = path.last_mut() {
            if let Some(edge) = visit.expansion.edges.get(visit.followed) {
                visit.followed += 1;
                let to = edge.to;
                match self.times[to as usize] {
                    0 => {
                        let next = self.visit(to)?;
                        path.push(next);
                    }
                    time if self.values[to as usize].component == OPEN => {
                        visit.low = visit.low.min(time);
                    }
                    _ => {}
                }
                continue;
            }
            let Some(done) = path.pop() else {
                break;
            };
            if let Some(before) = path.last_mut() {
                before.low = before.low.min(done.low);
            }
            self.close(done)?;
        }
        Ok(())
    }

    fn visit(&mut self, node: u32) -> Result<Visit, ExactError> {
        let expansion = self.graph.expand(node)?;
        let nodes = self.graph.len();
        self.values.resize(nodes, UNKNOWN);
        self.times.resize(nodes, 0);
        self.clock += 1;
        self.times[node as usize] = self.clock;
        self.open.push(node);
        self.edges_held += expansion.edges.len() as u64;
        let work = 16 + 2 * expansion.edges.len() as u64;
        let held = nodes as u64 + self.edges_held / 4;
        self.graph.stepper.engine.budget.spend(work, held)?;
        Ok(Visit {
            node,
            expansion,
            followed: 0,
            low: self.clock,
        })
    }

    /// Ends a node whose edges were all followed.
    fn close(&mut self, done: Visit) -> Result<(), ExactError> {
        let Visit {
            node,
            expansion,
            low,
            ..
        } = done;
        if low < self.times[node as usize] {
            self.held.insert(node, expansion);
            return Ok(());
        }
        let is_alone =
            self.open.last() == Some(&node) && expansion.edges.iter().all(|edge| edge.to != node);
        self.edges_held -= expansion.edges.len() as u64;
        if is_alone {
            self.open.pop();
            self.values[node as usize] = Value {
                component: self.components,
                ..value(&expansion, &self.values)
            };
        } else {
            self.component(node, expansion)?;
        }
        self.components += 1;
        Ok(())
    }

    /// Solves nodes that lead back to each other.
    fn component(&mut self, root: u32, expansion: Expansion) -> Result<(), ExactError> {
        self.is_cyclic = true;
        self.held.insert(root, expansion);
        let start = self.open.iter().rposition(|node| *node == root);
        let nodes = self.open.split_off(start.unwrap_or(0));
        let mut members = Vec::with_capacity(nodes.len());
        for node in nodes {
            let expansion = self.held.remove(&node);
            let expansion = expansion.map_or_else(|| self.graph.expand(node), Ok)?;
            if node != root {
                self.edges_held -= expansion.edges.len() as u64;
            }
            members.push((node, expansion));
        }
        let component = Component::new(&members, &self.values);
        let budget = &mut *self.graph.stepper.engine.budget;
        let Some(solved) = solve(&component, budget)? else {
            let state = self.graph.state(root);
            return Err(match state {
                Ok(state) => self.graph.stepper.endless(state.spot),
                Err(_) => Trap {
                    code: TrapCode::OutOfFuel,
                    span: Default::default(),
                }
                .into(),
            });
        };
        for ((node, _), value) in members.iter().zip(solved) {
            self.values[*node as usize] = Value {
                component: self.components,
                ..value
            };
        }
        Ok(())
    }
}

/// The value of a node from those that follow.
pub(super) fn value(expansion: &Expansion, values: &[Value]) -> Value {
    let to = |edge: &Edge| &values[edge.to as usize];
    let edges = expansion.edges.iter();
    let fuel = edges
        .clone()
        .map(|edge| to(edge).fuel.saturating_add(edge.fuel));
    let fuel = fuel.max().unwrap_or(0);
    match expansion.kind {
        Kind::End(value) => Value { value, ..UNKNOWN },
        Kind::Random => {
            let all: f64 = edges.clone().map(|edge| edge.p).sum();
            let (mut sum, mut size, mut error, mut left_out) = (0.0, 0.0, 0.0, 0.0);
            for edge in edges {
                let value = edge.reward + to(edge).value;
                sum += edge.p * value;
                size += edge.p * value.abs();
                error += edge.p * to(edge).error;
                left_out += edge.p * to(edge).left_out;
            }
            let value = expansion.reward + sum / all;
            let roundings = expansion.roundings as f64 + expansion.edges.len() as f64 + 4.0;
            let size = size / all + expansion.reward.abs();
            Value {
                value,
                error: error / all + roundings * f64::EPSILON * size,
                left_out: expansion.left_out + left_out / all,
                fuel,
                ..UNKNOWN
            }
        }
        Kind::Choice { mover, .. } => {
            let answers = edges.clone().map(|edge| edge.reward + to(edge).value);
            let answers: Vec<f64> = answers.collect();
            let best = best(mover, &answers);
            let value = extreme(mover, &answers);
            let errors = || answers.iter().zip(edges.clone().map(|edge| to(edge).error));
            let [low, high] = [-1.0, 1.0].map(|side| {
                let ends = errors().map(|(answer, error)| answer + side * error);
                extreme(mover, &ends.collect::<Vec<_>>())
            });
            let left_out = edges.clone().map(|edge| to(edge).left_out);
            Value {
                value,
                error: (value - low).max(high - value) + f64::EPSILON * value.abs(),
                left_out: left_out.fold(0.0, f64::max),
                best: best as u32,
                fuel,
                ..UNKNOWN
            }
        }
    }
}

/// The value of the best answer.
pub(super) fn extreme(mover: Mover, answers: &[f64]) -> f64 {
    let answers = answers.iter().copied();
    match mover {
        Mover::Maximiser => answers.fold(f64::NEG_INFINITY, f64::max),
        Mover::Minimiser => answers.fold(f64::INFINITY, f64::min),
    }
}

/// The index of the best answer, the first of those that are as good.
pub(super) fn best(mover: Mover, answers: &[f64]) -> usize {
    let extreme = extreme(mover, answers);
    let tie = TIE * extreme.abs().max(1.0);
    let is_best = |answer: &f64| (answer - extreme).abs() <= tie;
    answers.iter().position(is_best).unwrap_or(0)
}
