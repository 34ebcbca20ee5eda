//! Play by the best answers from the beginning: the distribution of the results, and the decisions
//! that are met.

use super::graph::{Expansion, Graph, Kind};
use super::value::Value;
use crate::ExactError;
use dicec_runtime::pmf::SERIES_CUT;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

/// A decision that is met.
#[derive(Debug)]
pub(super) struct Met {
    pub(super) node: u32,
    /// How often it is met in a trial.
    pub(super) times: f64,
    /// The value of each answer.
    pub(super) answers: Vec<f64>,
}

/// What becomes of a roll that is played for the best.
#[derive(Default)]
pub(super) struct Forward {
    /// The ends with their probabilities, and a bound on the rounding of each, relative to it.
    pub(super) ends: Vec<(u32, f64)>,
    pub(super) met: Vec<Met>,
    /// The probability of play that did not end.
    pub(super) left: f64,
}

/// Follows the best answers from a node on.
///
/// # Errors
/// See [`ExactError`].
pub(super) fn forward(
    graph: &mut Graph<'_, '_>,
    values: &[Value],
    root: u32,
) -> Result<Forward, ExactError> {
    let mut found = Forward::default();
    // Those that follow have lower numbers, so the highest has its whole probability.
    let mut waiting: BTreeMap<u32, BTreeMap<u32, f64>> = BTreeMap::new();
    let component = |node: u32| values[node as usize].component;
    waiting
        .entry(component(root))
        .or_default()
        .insert(root, 1.0);
    while let Some((number, entered)) = waiting.pop_last() {
        let mut walk = Walk {
            values,
            known: FxHashMap::default(),
            times: BTreeMap::new(),
        };
        let mut now = entered;
        let enough = SERIES_CUT * now.values().sum::<f64>();
        loop {
            let mut next: BTreeMap<u32, f64> = BTreeMap::new();
            for (node, mass) in &now {
                *walk.times.entry(*node).or_default() += mass;
                for (to, p) in walk.taken(graph, *node)? {
                    if component(to) == number {
                        *next.entry(to).or_default() += mass * p;
                    } else {
                        let there = waiting.entry(component(to)).or_default();
                        *there.entry(to).or_default() += mass * p;
                    }
                }
            }
            let left: f64 = next.values().sum();
            if next.is_empty() || left <= enough {
                found.left += left;
                break;
            }
            now = next;
        }
        walk.finish(&mut found);
    }
    Ok(found)
}

struct Walk<'v> {
    values: &'v [Value],
    known: FxHashMap<u32, Expansion>,
    times: BTreeMap<u32, f64>,
}

impl Walk<'_> {
    /// The nodes that follow if the best answer is taken, with their probabilities.
    fn taken(
        &mut self,
        graph: &mut Graph<'_, '_>,
        node: u32,
    ) -> Result<Vec<(u32, f64)>, ExactError> {
        let expansion = match self.known.entry(node) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let expansion = graph.expand(node)?;
                let work = 16 + 4 * expansion.edges.len() as u64;
                graph.stepper.engine.budget.spend(work, 0)?;
                place.insert(expansion)
            }
        };
        Ok(match expansion.kind {
            Kind::End(_) => Vec::new(),
            Kind::Random => {
                let all: f64 = expansion.edges.iter().map(|edge| edge.p).sum();
                let edges = expansion.edges.iter();
                edges.map(|edge| (edge.to, edge.p / all)).collect()
            }
            Kind::Choice { .. } => {
                let best = self.values[node as usize].best as usize;
                let best = expansion.edges.get(best).into_iter();
                best.map(|edge| (edge.to, 1.0)).collect()
            }
        })
    }

    fn finish(self, found: &mut Forward) {
        for (node, times) in self.times {
            let Some(expansion) = self.known.get(&node) else {
                continue;
            };
            match expansion.kind {
                Kind::End(_) => found.ends.push((node, times)),
                Kind::Random => {}
                Kind::Choice { .. } => {
                    let answers = expansion.edges.iter();
                    let value = |to: u32| self.values[to as usize].value;
                    let answers = answers.map(|edge| edge.reward + value(edge.to));
                    found.met.push(Met {
                        node,
                        times,
                        answers: answers.collect(),
                    });
                }
            }
        }
    }
}
