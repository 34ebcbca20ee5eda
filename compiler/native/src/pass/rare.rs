//! Moves rare parts of a loop with lane refill into blocks of their own: lanes compute all paths,
//! whichever their trials take, and a rare block is skipped while no lane needs it.
//!
//! ```text
//! VectorForm, Seen --with_rare_parts--> VectorForm with rare parts, if there are any
//! ```
//!
//! A profile of sample trials decides what is rare ([`Seen`]). The rewrite changes which words
//! become which dice, and no odds.

use super::contract::{Pass, Profile};
use super::rare_dice;
use super::rewrites::Rewrites;
use super::seen::Seen;
use super::vector_form::VectorForm;
use crate::analysis::{Part, Region};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Imm, Module, Op, Terminator};

/// The minimum cost of a rare part: that of a jump that is often mispredicted, and of passing
/// values into and out of it.
const MIN_COST: usize = 40;

/// The cost of a die, relative to other instructions.
const DIE: usize = 20;

impl VectorForm {
    /// The same trials with their rare parts separated, according to a profile. `None` if lanes do
    /// not refill, if there are no rare parts, or if they were separated before.
    pub fn with_rare_parts(&self, seen: &Seen, rewrites: &mut Rewrites<'_>) -> Option<Self> {
        if self.region.has_rare_parts() {
            return None;
        }
        rewrites.known.profile = Some(Profile {
            region: self.relay_region()?.clone(),
            seen: seen.clone(),
        });
        let mut module = Module::clone(&self.module);
        // Dice move; all blocks are reachable, so they keep their numbers.
        rewrites.run(Pass::RARE_DICE, &mut module);
        rewrites.known.profile = None;
        let rare = std::mem::take(&mut rewrites.known.rare);
        if rare.is_empty() {
            return None;
        }
        let function = module.trial();
        let mut shape = Region::of(function)?;
        let graph = ControlFlow::new(function);
        for block in rare {
            shape.set_apart(&graph, block);
        }
        Self::laid_out(module, shape).ok()
    }

    /// The loop with lane refill.
    pub(super) fn relay_region(&self) -> Option<&Region> {
        match self.region.parts.get(self.relay?)? {
            Part::Loop(inner) => Some(inner),
            Part::Block(_) | Part::Rare(_) => None,
        }
    }
}

/// Separates rare dice of a loop; returns the first blocks of rare parts.
pub(super) fn set_apart(function: &mut Function, profile: &Profile) -> Vec<Block> {
    let mut rare = Vec::new();
    set_apart_in(function, &profile.region, &profile.seen, &mut rare);
    rare
}

/// Separates rare dice of a loop and of those in it; adds the first blocks of rare parts.
fn set_apart_in(function: &mut Function, region: &Region, seen: &Seen, rare: &mut Vec<Block>) {
    for inner in region.loops() {
        set_apart_in(function, inner, seen, rare);
    }
    let Some(header) = region.header() else {
        return;
    };
    let own: Vec<Block> = region.blocks().collect();
    let dice = rare_dice::set_apart(function, &own, header, |condition| {
        seen.is_rare_condition(condition, header)
    });
    rare.extend(dice);
    let is_rare = |block: &Block| seen.is_rare_block(*block, header);
    rare.extend(worthwhile(function, own.into_iter().filter(is_rare)));
}

/// Those of these blocks that cost enough, with the blocks that only they lead to and no trial
/// returns to.
fn worthwhile(function: &Function, rare: impl Iterator<Item = Block>) -> Vec<Block> {
    let graph = ControlFlow::new(function);
    let mut chosen: Vec<Block> = Vec::new();
    for first in rare {
        if chosen.iter().any(|&outer| graph.dominates(outer, first)) {
            continue;
        }
        let led = function.blocks.keys();
        let led = led.filter(|&block| graph.is_reachable(block) && graph.dominates(first, block));
        let led: Vec<Block> = led.collect();
        let returns = led.iter().any(|&block| {
            let end = &function.blocks[block].terminator;
            matches!(end, Some(Terminator::Return(_)))
        });
        let cost: usize = led.iter().map(|&block| cost(function, block)).sum();
        if !returns && cost >= MIN_COST {
            chosen.push(first);
        }
    }
    chosen
}

fn cost(function: &Function, block: Block) -> usize {
    let insts = function.blocks[block].insts.iter();
    let costs = insts.map(|&inst| {
        let data = &function.insts[inst];
        match (data.op, data.imm) {
            (Op::Fuel | Op::Burn | Op::Iconst | Op::Bconst, _) => 0,
            (_, Imm::Dice { count, .. }) => DIE * count as usize,
            _ => 1,
        }
    });
    costs.sum()
}
