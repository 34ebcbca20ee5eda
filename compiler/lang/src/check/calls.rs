//! The call graph.

use crate::hir::{ExprKind, FunctionId, Module, each_expr};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

/// The calls of a script.
pub(super) struct Calls {
    /// Groups of functions that call each other, by their indices; a group comes after those that
    /// it calls.
    pub(super) groups: Vec<Group>,
    /// The functions that each function calls.
    pub(super) callees: Vec<Vec<FunctionId>>,
}

/// Functions that call each other.
pub(super) struct Group {
    /// The functions, in written order.
    pub(super) members: Vec<FunctionId>,
    /// Whether they call each other.
    pub(super) recursive: bool,
}

impl Calls {
    pub(super) fn of(script: &Module) -> Self {
        let callees: Vec<Vec<FunctionId>> = script
            .functions
            .iter()
            .map(|function| {
                let mut callees = Vec::new();
                each_expr(&function.body, &mut |expr| {
                    if let ExprKind::Call(id, _) = expr.kind {
                        callees.push(id);
                    }
                });
                callees.sort();
                callees.dedup();
                callees
            })
            .collect();
        let mut graph = DiGraph::<(), (), u32>::new();
        let nodes: Vec<_> = callees.iter().map(|_| graph.add_node(())).collect();
        for (callees, &node) in callees.iter().zip(&nodes) {
            for callee in callees {
                graph.add_edge(node, nodes[callee.index()], ());
            }
        }
        let groups = kosaraju_scc(&graph).into_iter().map(|group| {
            let recursive = group.len() > 1 || graph.contains_edge(group[0], group[0]);
            // Indices come from a text below 4 GiB.
            let members = group.iter().map(|node| FunctionId(node.index() as u32));
            let mut members: Vec<FunctionId> = members.collect();
            members.sort();
            Group { members, recursive }
        });
        Self {
            groups: groups.collect(),
            callees,
        }
    }
}
