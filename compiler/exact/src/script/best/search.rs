//! Values by backward induction, depth first: a node has its value once all that follow have one.
//! Nodes that lead back to each other are found as strongly connected components (Tarjan 1972) and
//! solved together ([`super::cycle`]). The edges of a node are dropped with its value, so memory is
//! for states, not for steps.

use super::cycle::{Component, solve};
use super::graph::{Expansion, Graph};
use super::value::{OPEN, UNKNOWN, Value, value};
use crate::ExactError;
use dicec_runtime::trap::{Trap, TrapCode};
use rustc_hash::FxHashMap;

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
