//! The value of a node from those of the nodes that follow, with a bound on its error.

use super::graph::{Edge, Expansion, Kind, Mover};

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

pub(super) const UNKNOWN: Value = Value {
    value: 0.0,
    error: 0.0,
    left_out: 0.0,
    best: 0,
    component: OPEN,
    fuel: 0,
};

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
