//! Where the values of words meet: the blocks that take a word as a parameter, because paths on
//! which it was written differently come together in them.
//!
//! They are the iterated dominance frontier of the blocks that write the word (Cytron et al.,
//! "Efficiently Computing Static Single Assignment Form and the Control Dependence Graph", 1991).
//! In all other blocks a word is what it was at the end of the immediate dominator.

use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;

/// The words that each block takes as parameters, by their numbers, in order.
pub(super) struct Meetings(SecondaryMap<Block, Vec<usize>>);

impl Meetings {
    /// Of words `0..count`, for blocks and words that they write.
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

    /// The words that a block takes.
    pub(super) fn words(&self, block: Block) -> &[usize] {
        &self.0[block]
    }
}

/// The blocks where the dominance of each block ends.
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
    // The entry has no parameters, and nothing jumps there.
    debug_assert!(
        frontier
            .values()
            .all(|blocks| !blocks.contains(&function.entry()))
    );
    frontier
}
