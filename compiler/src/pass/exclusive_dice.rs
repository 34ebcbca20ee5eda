//! Dice of exclusive paths, for lanes: a trial that rolls one of them does not roll the other, so
//! both can be the same die.
//!
//! ```text
//! block0: branch hero, block1, block2          block0: v1 = pool 1 20
//! block1: v1 = pool 1 20                               branch hero, block1, block2
//! block2: v2 = pool 1 20
//! ```
//!
//! Lanes draw all dice of an iteration, whichever path they take, and this halves them where both
//! sides of a fight strike. The shared pool goes to the block from which the paths part.

use crate::analysis::Region;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Imm, Inst, Op};
use rustc_hash::FxHashSet;

/// A pool that others may share.
struct Shared {
    inst: Inst,
    /// Where it is rolled now.
    home: Block,
    /// Where the function rolled those that share it.
    blocks: Vec<Block>,
}

/// Lets equal pools on exclusive paths of an iteration share their dice.
pub(super) fn share(function: &mut Function, region: &Region) {
    let graph = ControlFlow::new(function);
    share_in(function, &graph, region);
    // Dice have moved; blocks keep their numbers, which the region has.
    function.compact();
}

fn share_in(function: &mut Function, graph: &ControlFlow, region: &Region) {
    for inner in region.loops() {
        share_in(function, graph, inner);
    }
    let own: FxHashSet<Block> = region.blocks().collect();
    let mut pools: Vec<Shared> = Vec::new();
    for block in region.blocks() {
        let before = graph.leading_to(block, region.header());
        for inst in pools_of(function, block) {
            let shared = pools.iter_mut().find_map(|pool| {
                let exclusive = pool.blocks.iter().all(|other| !before.contains(other));
                let home = graph.common_dominator(pool.home, block);
                let home = home.filter(|home| own.contains(home))?;
                let fits = exclusive && dice(function, pool.inst) == dice(function, inst);
                fits.then_some((pool, home))
            });
            match shared {
                Some((pool, home)) => pool.takes(function, (block, inst), home),
                None => pools.push(Shared {
                    inst,
                    home: block,
                    blocks: vec![block],
                }),
            }
        }
    }
}

impl Shared {
    /// Rolls it at `home`, and a pool of `block` with it.
    fn takes(&mut self, function: &mut Function, (block, inst): (Block, Inst), home: Block) {
        function.blocks[block].insts.retain(|&other| other != inst);
        self.blocks.push(block);
        if self.home != home {
            let moved = self.inst;
            function.blocks[self.home]
                .insts
                .retain(|&other| other != moved);
            function.blocks[home].insts.push(moved);
            self.home = home;
        }
        let [gone, kept] = [inst, self.inst].map(|inst| function.insts[inst].result);
        function.replace_uses(|value| if value == gone { kept } else { value });
    }
}

/// The pools that a block rolls.
fn pools_of(function: &Function, block: Block) -> Vec<Inst> {
    let insts = function.blocks[block].insts.iter().copied();
    insts
        .filter(|&inst| matches!(function.insts[inst].imm, Imm::Dice { .. }))
        .collect()
}

fn dice(function: &Function, inst: Inst) -> (Op, Imm) {
    (function.insts[inst].op, function.insts[inst].imm)
}
