//! Rare parts of a loop in which lanes relay: lanes compute all paths, whichever their trials take,
//! so what few trials come to is set apart, and jumped over while no lane is there.
//!
//! ```text
//! VectorForm, Seen --with_rare_parts--> VectorForm with rare parts, if there are any
//! ```
//!
//! What is rare follows from a few trials ([`Seen`]). It changes which words become which dice, and
//! no odds.

use super::contract::{Pass, Profile};
use super::rare_dice;
use super::rewrites::Rewrites;
use super::seen::Seen;
use super::vector_form::VectorForm;
use crate::analysis::{Part, Region};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Imm, Module, Op, Terminator};

/// A part is only set apart if it costs at least this: as much as a jump that is often
/// mispredicted, and what it passes on.
const MIN_COST: usize = 40;

/// What a die costs, compared with other instructions.
const DIE: usize = 20;

impl VectorForm {
    /// The same trials, where what few of those that were `seen` came to is set apart; `None` if
    /// lanes do not relay, if there is nothing, or if it was set apart before.
    pub fn with_rare_parts(&self, seen: &Seen, rewrites: &mut Rewrites<'_>) -> Option<Self> {
        if self.region.has_rare_parts() {
            return None;
        }
        rewrites.known.profile = Some(Profile {
            region: self.relay_region()?.clone(),
            seen: seen.clone(),
        });
        let mut module = Module::clone(&self.module);
        // Dice move; all blocks can be reached, so they keep their numbers.
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

    /// The loop in which lanes relay.
    pub(super) fn relay_region(&self) -> Option<&Region> {
        match self.region.parts.get(self.relay?)? {
            Part::Loop(inner) => Some(inner),
            Part::Block(_) | Part::Rare(_) => None,
        }
    }
}

/// Sets dice of a loop apart that few trials need; returns the blocks that begin rare parts.
pub(super) fn set_apart(function: &mut Function, profile: &Profile) -> Vec<Block> {
    let mut rare = Vec::new();
    set_apart_in(function, &profile.region, &profile.seen, &mut rare);
    rare
}

/// Sets dice of a loop and of those in it apart; adds the blocks that begin rare parts.
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

/// Those of these blocks that cost enough, with what only they lead to; no trial returns there.
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
