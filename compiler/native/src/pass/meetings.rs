//! Joins of the values of words (phi placement): the blocks that take a word as a parameter,
//! because paths with different writes of it join there.
//!
//! These are the iterated dominance frontier of the blocks that write the word (Cytron et al.,
//! "Efficiently Computing Static Single Assignment Form and the Control Dependence Graph", 1991).
//! In all other blocks a word has the value that it had at the end of the immediate dominator.

use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;

/// The words that each block takes as parameters, by number, in order.
pub(super) struct Meetings(SecondaryMap<Block, Vec<usize>>);

impl Meetings {
    /// The joins of words `0..count`, for blocks and the words that they write.
    pub(super) fn of(
        function: &Function,
        graph: &ControlFlow,
        count: usize,
        writes: impl Iterator<Item = (Block, usize)>,
    ) -> Self {
        let frontier = frontier(function, graph);
        let mut writers: Vec<Vec<Block>> = vec![Vec::new(); count];
        for (block, word) in writes {
            if writers[word].last() != Some(&block) {
                writers[word].push(block);
            }
        }
        let mut meetings: SecondaryMap<Block, Vec<usize>> = SecondaryMap::new();
        for (word, mut pending) in writers.into_iter().enumerate() {
            let mut taken = FxHashSet::default();
            while let Some(block) = pending.pop() {
                for &next in &frontier[block] {
                    if taken.insert(next) {
                        meetings[next].push(word);
                        pending.push(next);
                    }
                }
            }
        }
        Self(meetings)
    }

    /// The words that a block takes as parameters.
    pub(super) fn words(&self, block: Block) -> &[usize] {
        &self.0[block]
    }
}

/// The dominance frontier of each block.
fn frontier(function: &Function, graph: &ControlFlow) -> SecondaryMap<Block, Vec<Block>> {
    let mut frontier: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
    for &block in graph.reverse_postorder() {
        let end = graph.immediate_dominator(block);
        for &before in graph.predecessors(block) {
            let mut at = Some(before);
            while let Some(here) = at.filter(|_| at != end) {
                if frontier[here].last() != Some(&block) {
                    frontier[here].push(block);
                }
                at = graph.immediate_dominator(here);
            }
        }
    }
    // The entry has no parameters, and no edge leads to it.
    debug_assert!(
        frontier
            .values()
            .all(|blocks| !blocks.contains(&function.entry()))
    );
    frontier
}
