//! The parts of an iteration that were emitted, and the lanes on each edge between them.
//!
//! A block with only one incoming edge that needs no mask is merged into its predecessor: the masks
//! of `a || b || c`, tested one after the other, become one.

use super::lane::Lane;
use super::number::{Ranged, TRUTHS};
use super::state::VectorEmitter;
use crate::ir::{self, Block};
use cranelift::codegen::ir as clif;
use cranelift::prelude::InstBuilder;
use cranelift_entity::SecondaryMap;

/// A vector of 0 and -1; `None` for all lanes.
pub(super) type Mask = Option<clif::Value>;

/// One execution of a region, with the parts emitted so far.
pub(super) struct Iteration {
    /// The lanes at its beginning.
    pub(super) mask: Mask,
    /// In the order of the region's parts.
    pub(super) nodes: Vec<Node>,
    /// The node that a block belongs to.
    pub(super) node_of: SecondaryMap<Block, Option<usize>>,
    /// The function's result, if the region returns.
    pub(super) result: Option<Ranged>,
}

/// A block or a loop; it has no edges if its block was merged into its predecessor.
#[derive(Default)]
pub(super) struct Node {
    pub(super) mask: Mask,
    /// A lane takes the first edge whose condition holds, otherwise the last one.
    pub(super) edges: Vec<Edge>,
}

/// An edge out of a block or a loop.
pub(super) struct Edge {
    /// Valid in lanes that are at the node; the last edge has none.
    pub(super) condition: Option<clif::Value>,
    pub(super) target: Block,
    pub(super) args: Vec<Ranged>,
}

impl<'f> VectorEmitter<'f, '_> {
    pub(super) fn edge(&self, condition: Option<clif::Value>, target: &ir::Target) -> Edge {
        let args = target.args.iter();
        Edge {
            condition,
            target: target.block,
            args: args.map(|&arg| self.ranged(arg)).collect(),
        }
    }

    /// The lanes that reach `target`.
    pub(super) fn mask(&mut self, iteration: &Iteration, target: Block) -> Mask {
        let dominator = self.graph.immediate_dominator(target);
        let dominator = dominator.and_then(|block| iteration.node_of[block]);
        if let Some(index) = dominator.filter(|&index| iteration.always_leads(index, target)) {
            return iteration.nodes[index].mask;
        }
        let mut all: Option<Mask> = None;
        for node in &iteration.nodes {
            if node.edges.iter().all(|edge| edge.target != target) {
                continue;
            }
            let mut rest = node.mask;
            for edge in &node.edges {
                let mask = match edge.condition {
                    Some(condition) => Some(self.both(rest, condition)),
                    None => rest,
                };
                if edge.target == target {
                    all = Some(match (all, mask) {
                        (Some(Some(a)), Some(b)) => Some(self.builder.ins().bor(a, b)),
                        (None, mask) => mask,
                        // All lanes.
                        _ => None,
                    });
                }
                if let Some(condition) = edge.condition {
                    rest = Some(self.without(rest, condition));
                }
            }
        }
        all.flatten()
    }

    pub(super) fn both(&mut self, mask: Mask, condition: clif::Value) -> clif::Value {
        let Some(mask) = mask else { return condition };
        let [mask, condition] = [mask, condition].map(|vector| Lane::new(vector, 0));
        self.mask_of([mask, condition, Lane::constant(0)])
    }

    pub(super) fn without(&mut self, mask: Mask, condition: clif::Value) -> clif::Value {
        let none = Lane::constant(0);
        let all = Lane::constant(-1);
        let mask = mask.map_or(all, |mask| Lane::new(mask, 0));
        self.mask_of([Lane::new(condition, 0), none, mask])
    }

    fn either(&mut self, a: clif::Value, b: clif::Value) -> clif::Value {
        let [a, b] = [a, b].map(|vector| Lane::new(vector, 0));
        self.mask_of([a, Lane::constant(-1), b])
    }

    /// The mask of a select between two masks.
    fn mask_of(&mut self, [condition, yes, no]: [Lane; 3]) -> clif::Value {
        let condition = self.above(condition, 0);
        let mask = self.choose_lanes(condition, (yes, TRUTHS), (no, TRUTHS));
        self.above(mask, 0)
    }

    /// Replaces the only edge to a block by the edges of that block.
    pub(super) fn splice(&mut self, node: &mut Node, place: usize, edges: Vec<Edge>) {
        let leading = node.edges.remove(place).condition;
        for (next, mut edge) in edges.into_iter().enumerate() {
            edge.condition = match (leading, edge.condition) {
                (Some(leading), Some(condition)) => Some(self.both(Some(leading), condition)),
                (leading, condition) => condition.or(leading),
            };
            node.edges.insert(place + next, edge);
        }
        let mut edges: Vec<Edge> = Vec::new();
        for edge in node.edges.drain(..) {
            match edges.last_mut() {
                Some(last) if last.target == edge.target && last.args == edge.args => {
                    last.condition = match (last.condition, edge.condition) {
                        (Some(a), Some(b)) => Some(self.either(a, b)),
                        _ => None,
                    };
                }
                _ => edges.push(edge),
            }
        }
        node.edges = edges;
    }
}

impl Iteration {
    /// Before its first part.
    pub(super) fn new(mask: Mask) -> Self {
        Self {
            mask,
            nodes: Vec::new(),
            node_of: SecondaryMap::new(),
            result: None,
        }
    }

    /// Whether all lanes at this node reach `target`.
    fn always_leads(&self, index: usize, target: Block) -> bool {
        let mut leads = vec![false; self.nodes.len()];
        for (here, node) in self.nodes.iter().enumerate().skip(index).rev() {
            let mut edges = node.edges.iter();
            leads[here] = !node.edges.is_empty()
                && edges.all(|edge| {
                    let next = self.node_of[edge.target].filter(|&next| next > here);
                    edge.target == target
                        || next
                            .and_then(|next| leads.get(next))
                            .is_some_and(|&leads| leads)
                });
        }
        leads.get(index).is_some_and(|&leads| leads)
    }
}
