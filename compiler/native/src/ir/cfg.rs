//! The control-flow graph: predecessors, reverse postorder, dominators.

use super::entity::Block;
use super::function::Function;
use cranelift_entity::SecondaryMap;
use dicec_runtime::bug;
use rustc_hash::FxHashSet;
use std::cell::OnceCell;
use std::ops::Range;

/// The graph of a function at one moment; a pass that changes branches makes a new one.
#[derive(Debug)]
pub struct ControlFlow {
    order: Vec<Block>,
    /// A block's index in `order`; `None` if it cannot be reached.
    number: SecondaryMap<Block, Option<u32>>,
    /// The predecessors of all blocks in `order`, one block after the other.
    predecessors: Vec<Block>,
    /// Where those of each block begin, by index in `order`, and the end of the last.
    first: Vec<u32>,
    /// Computed when they are asked for: many passes need no dominators.
    dominators: OnceCell<Dominators>,
}

/// The dominator tree. All indices are those in `order`.
#[derive(Debug)]
struct Dominators {
    /// The immediate dominator of each block; the entry's is itself.
    immediate: Vec<u32>,
    /// The number of each block in preorder of the tree, and how many blocks it dominates.
    dominated: Vec<(u32, u32)>,
}

impl ControlFlow {
    /// The graph of `function`.
    pub fn new(function: &Function) -> Self {
        let order = reverse_postorder(function);
        let mut number = SecondaryMap::new();
        number.resize(function.blocks.len());
        for (index, &block) in order.iter().enumerate() {
            number[block] = Some(index as u32);
        }
        let (predecessors, first) = predecessors(function, &order, &number);
        Self {
            order,
            number,
            predecessors,
            first,
            dominators: OnceCell::new(),
        }
    }

    fn dominators(&self) -> &Dominators {
        self.dominators.get_or_init(|| {
            let immediate = self.compute_dominators();
            Dominators {
                dominated: dominated(&immediate),
                immediate,
            }
        })
    }

    /// The blocks that can be reached, each after its dominators.
    pub fn reverse_postorder(&self) -> &[Block] {
        &self.order
    }

    /// Whether the block can be reached from the entry.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.number[block].is_some()
    }

    /// The reachable predecessors.
    pub fn predecessors(&self, block: Block) -> &[Block] {
        match self.number[block] {
            Some(index) => self.before(index as usize),
            None => &[],
        }
    }

    /// The predecessors of the block with this index in `order`.
    fn before(&self, index: usize) -> &[Block] {
        let [begin, end] = [self.first[index], self.first[index + 1]];
        &self.predecessors[begin as usize..end as usize]
    }

    /// The immediate dominator: the closest block that every path from the entry to `block` passes.
    /// `None` for the entry and for blocks that cannot be reached.
    pub fn immediate_dominator(&self, block: Block) -> Option<Block> {
        let index = self.number[block]?;
        let dominator = self.dominators().immediate[index as usize];
        (dominator != index).then(|| self.order[dominator as usize])
    }

    /// A block, and those from which a path leads to it: of its iteration, if it is in a loop with
    /// this header.
    pub fn leading_to(&self, block: Block, header: Option<Block>) -> FxHashSet<Block> {
        let mut before = FxHashSet::default();
        let mut pending = vec![block];
        while let Some(block) = pending.pop() {
            if before.insert(block) && Some(block) != header {
                pending.extend(self.predecessors(block));
            }
        }
        before
    }

    /// Whether there is a cycle.
    pub fn has_loops(&self) -> bool {
        let number = |block: Block| self.number[block];
        let blocks = self.order.iter();
        // On a path without a cycle, numbers only rise.
        blocks.clone().any(|&block| {
            let before = self.predecessors(block).iter();
            before
                .copied()
                .any(|before| number(before) >= number(block))
        })
    }

    /// Whether a path leads from `block` back to it.
    pub fn is_looped(&self, function: &Function, block: Block) -> bool {
        let mut pending: Vec<Block> = successors(function, block).collect();
        let mut seen = SecondaryMap::new();
        while let Some(next) = pending.pop() {
            if next == block {
                return true;
            }
            if !std::mem::replace(&mut seen[next], true) {
                pending.extend(successors(function, next));
            }
        }
        false
    }

    /// Whether every path from the entry to `below` passes `above`; a block dominates itself.
    pub fn dominates(&self, above: Block, below: Block) -> bool {
        let below_number = self.dominated(below).start;
        above == below || self.dominated(above).contains(&below_number)
    }

    /// The numbers of a block and of what it dominates, in a preorder of the dominator tree; none
    /// if the block cannot be reached.
    pub fn dominated(&self, block: Block) -> Range<u32> {
        match self.number[block] {
            Some(index) => {
                let (first, count) = self.dominators().dominated[index as usize];
                first..first + count
            }
            None => u32::MAX..u32::MAX,
        }
    }

    /// The closest block that every path from the entry to either of two blocks passes; `None` if
    /// one of them cannot be reached.
    pub fn common_dominator(&self, a: Block, b: Block) -> Option<Block> {
        self.number[b]?;
        let mut above = a;
        while !self.dominates(above, b) {
            above = self.immediate_dominator(above)?;
        }
        Some(above)
    }

    /// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001.
    fn compute_dominators(&self) -> Vec<u32> {
        let mut dominators: Vec<Option<u32>> = vec![None; self.order.len()];
        if let Some(entry) = dominators.first_mut() {
            *entry = Some(0);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for index in 1..self.order.len() {
                let known = self
                    .before(index)
                    .iter()
                    .filter_map(|&block| self.number[block])
                    .filter(|&before| dominators[before as usize].is_some());
                let meet = known.reduce(|a, b| intersect(&dominators, a, b));
                if dominators[index] != meet {
                    dominators[index] = meet;
                    changed = true;
                }
            }
        }
        // Every reachable block has a predecessor before it in the order, so all are known by now.
        dominators
            .into_iter()
            .map(|known| known.unwrap_or_else(|| bug!("a block without a dominator").raise()))
            .collect()
    }
}

/// The successors of `block`.
pub fn successors(function: &Function, block: Block) -> impl Iterator<Item = Block> {
    let terminator = function.blocks[block].terminator.as_ref();
    terminator
        .into_iter()
        .flat_map(|terminator| terminator.targets().map(|target| target.block))
}

/// The predecessors of these blocks, one block after the other, and where those of each begin.
fn predecessors(
    function: &Function,
    order: &[Block],
    number: &SecondaryMap<Block, Option<u32>>,
) -> (Vec<Block>, Vec<u32>) {
    let edges = || {
        let edges = order
            .iter()
            .flat_map(|&from| successors(function, from).map(move |to| (from, to)));
        edges.filter_map(|(from, to)| Some((from, number[to]? as usize)))
    };
    // The number of edges to the block before, at first.
    let mut first = vec![0; order.len() + 1];
    for (_, to) in edges() {
        first[to + 1] += 1;
    }
    for index in 0..order.len() {
        first[index + 1] += first[index];
    }
    let mut next = first.clone();
    let mut all = vec![function.entry(); first[order.len()] as usize];
    for (from, to) in edges() {
        all[next[to] as usize] = from;
        next[to] += 1;
    }
    (all, first)
}

/// The preorder numbers of the dominator tree, and the sizes of its subtrees, from the immediate
/// dominators in an order in which they precede what they dominate.
fn dominated(dominators: &[u32]) -> Vec<(u32, u32)> {
    let mut found = vec![(0, 1); dominators.len()];
    for (index, &above) in dominators.iter().enumerate().skip(1).rev() {
        found[above as usize].1 += found[index].1;
    }
    // The number of the next block that each dominates.
    let mut next = vec![1; dominators.len()];
    for (index, &above) in dominators.iter().enumerate().skip(1) {
        let number = next[above as usize];
        found[index].0 = number;
        next[above as usize] += found[index].1;
        next[index] = number + 1;
    }
    found
}

/// The blocks that can be reached from the entry.
pub(super) fn reachable(function: &Function) -> SecondaryMap<Block, bool> {
    let mut reached: SecondaryMap<Block, bool> = SecondaryMap::new();
    reached.resize(function.blocks.len());
    let mut pending = vec![function.entry()];
    while let Some(block) = pending.pop() {
        if !std::mem::replace(&mut reached[block], true) {
            pending.extend(successors(function, block));
        }
    }
    reached
}

fn reverse_postorder(function: &Function) -> Vec<Block> {
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
    seen.resize(function.blocks.len());
    let mut order = Vec::new();
    // Each entry is a block and whether its successors have been visited.
    let mut stack = vec![(function.entry(), false)];
    while let Some((block, done)) = stack.pop() {
        if done {
            order.push(block);
        } else if !std::mem::replace(&mut seen[block], true) {
            stack.push((block, true));
            // The last one pushed comes out first, and so last in the reversed order: pushing in
            // branch order keeps `then` before `otherwise`.
            stack.extend(successors(function, block).map(|next| (next, false)));
        }
    }
    order.reverse();
    order
}

fn intersect(dominators: &[Option<u32>], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        let higher = a.max(b);
        let up = dominators[higher as usize];
        let up = up.unwrap_or_else(|| bug!("block {higher} has no dominator").raise());
        if a > b {
            a = up;
        } else {
            b = up;
        }
    }
    a
}

/// Whether a path leads from a block back to it without passing `except`.
pub(crate) fn repeats(function: &Function, block: Block, except: Option<Block>) -> bool {
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut pending = vec![block];
    while let Some(from) = pending.pop() {
        for next in successors(function, from) {
            if Some(next) == except {
                continue;
            }
            if next == block {
                return true;
            }
            if !std::mem::replace(&mut seen[next], true) {
                pending.push(next);
            }
        }
    }
    false
}
