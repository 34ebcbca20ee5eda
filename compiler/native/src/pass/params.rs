//! Removes redundant block parameters: those that always take the same value, or that of another
//! parameter of the block ([`super::equal_params`]).

use super::equal_params::equal_params;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Terminator, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::bug;
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};

pub(super) fn params(function: &mut Function) {
    replace(function, Flow::of(function).replaced());
    replace(function, equal_params(function));
}

/// Replaces parameters by the values that they always take.
fn replace(function: &mut Function, replaced: Vec<(Value, Value)>) {
    if !replaced.is_empty() {
        let mut by: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
        for (param, value) in replaced {
            by[param] = Some(value);
        }
        remove(function, |param| by[param].is_some());
        function.replace_uses(|value| by[value].unwrap_or(value));
    }
}

/// The flow of values into parameters: an edge leads from an argument to its parameter, and from
/// the root to every value that is not a parameter. A parameter always has the value of its
/// dominators in this graph, even around loops in which parameters only pass each other on.
struct Flow {
    graph: DiGraph<Option<Value>, ()>,
    root: NodeIndex,
    nodes: SecondaryMap<Value, Option<NodeIndex>>,
}

impl Flow {
    fn of(function: &Function) -> Self {
        let mut graph = DiGraph::new();
        let mut flow = Self {
            root: graph.add_node(None),
            graph,
            nodes: SecondaryMap::new(),
        };
        let control = ControlFlow::new(function);
        for &block in control.reverse_postorder() {
            for &param in &function.blocks[block].params {
                flow.nodes[param] = Some(flow.graph.add_node(Some(param)));
            }
        }
        for &param in &function.blocks[function.entry()].params {
            flow.begin(param);
        }
        for &block in control.reverse_postorder() {
            let terminator = function.blocks[block].terminator.as_ref();
            for target in terminator.into_iter().flat_map(Terminator::targets) {
                let params = &function.blocks[target.block].params;
                for (&param, &arg) in params.iter().zip(&target.args) {
                    let (from, to) = (flow.node(arg), flow.node(param));
                    flow.graph.add_edge(from, to, ());
                }
            }
        }
        flow
    }

    /// The node of a value; a value that is not a parameter of a reachable block hangs off the
    /// root.
    fn node(&mut self, value: Value) -> NodeIndex {
        self.nodes[value].unwrap_or_else(|| self.begin(value))
    }

    fn begin(&mut self, value: Value) -> NodeIndex {
        let node = self.nodes[value].unwrap_or_else(|| self.graph.add_node(Some(value)));
        self.nodes[value] = Some(node);
        self.graph.add_edge(self.root, node, ());
        node
    }

    /// The parameters that always have another value, each with its first dominator.
    fn replaced(&self) -> Vec<(Value, Value)> {
        let dominators = simple_fast(&self.graph, self.root);
        let first = |node| {
            let mut above = dominators.dominators(node)?;
            let mut first = above.next()?;
            for next in above.filter(|&next| next != self.root) {
                first = next;
            }
            self.graph[first]
        };
        let values = self.graph.node_indices().filter_map(|node| {
            let value = self.graph[node]?;
            let known = first(node)?;
            (known != value).then_some((value, known))
        });
        values.collect()
    }
}

/// Removes parameters and their arguments.
pub(super) fn remove(function: &mut Function, goes: impl Fn(Value) -> bool) {
    let mut kept: SecondaryMap<Block, Vec<bool>> = SecondaryMap::new();
    for (block, data) in &mut function.blocks {
        kept[block] = data.params.iter().map(|&param| !goes(param)).collect();
        data.params.retain(|&param| !goes(param));
    }
    for data in function.blocks.values_mut() {
        for target in data.terminator.iter_mut().flat_map(Terminator::targets_mut) {
            let mut stays = kept[target.block].iter();
            target.args.retain(|_| {
                *stays
                    .next()
                    .unwrap_or_else(|| bug!("an edge has too many arguments").raise())
            });
        }
    }
}
