//! Shared words: consecutive dice of a block are taken from one random word, as long as the product
//! of their sides fits.
//!
//! This is the last step of scalar fused code, after [`super::fuse`]; vector code has a draw layout
//! of its own. A pool becomes faces taken from the word, and their sum;
//! [`dicec_runtime::rng::draw`] has the layout. It pays because a step of the generator costs some
//! ten operations and a face three.

use super::contract::Pass;
use super::rewrites::Rewrites;
use crate::ir::{Block, Function, Imm, Inst, Module, Op, Value};
use dicec_runtime::rng::draw::PACK_LIMIT;
use dicec_runtime::span::Span;
use rustc_hash::FxHashMap;

/// Pools of more dice keep words of their own: their sum is a loop in native code.
const MAX_DICE: u32 = 12;

/// Lets the dice of a module share words.
pub fn share_words(module: &mut Module, rewrites: &mut Rewrites<'_>) {
    rewrites.run(Pass::SHARE, module);
    // The rest of the word after the last die is unused, and so is a sum of one die.
    rewrites.run_all(&[Pass::FOLD, Pass::DCE], module);
}

/// Lets the dice of each block share words.
pub(super) fn share(function: &mut Function) {
    for block in function.blocks.keys() {
        share_in(function, block);
    }
}

/// Dice that share a word.
#[derive(Default)]
struct Group {
    pools: Vec<Inst>,
    /// The product of the sides of all dice.
    product: u64,
}

fn share_in(function: &mut Function, block: Block) {
    let mut groups: Vec<Group> = Vec::new();
    for &inst in &function.blocks[block].insts {
        let data = &function.insts[inst];
        let (Op::Pool | Op::Packed, Imm::Dice { count, sides }) = (data.op, data.imm) else {
            continue;
        };
        let product = u64::from(sides).checked_pow(count);
        let Some(product) = product.filter(|_| count <= MAX_DICE) else {
            continue;
        };
        match groups.last_mut() {
            Some(group) if product <= PACK_LIMIT / group.product => {
                group.pools.push(inst);
                group.product *= product;
            }
            _ if product <= PACK_LIMIT => groups.push(Group {
                pools: vec![inst],
                product,
            }),
            _ => {}
        }
    }
    groups.retain(|group| group.pools.len() > 1);
    if !groups.is_empty() {
        take_from_words(function, block, &groups);
    }
}

/// Lets the dice of each group come from one word.
fn take_from_words(function: &mut Function, block: Block, groups: &[Group]) {
    let numbered = groups.iter().enumerate();
    let group_of: FxHashMap<Inst, usize> = numbered
        .flat_map(|(number, group)| group.pools.iter().map(move |&pool| (pool, number)))
        .collect();
    let insts = std::mem::take(&mut function.blocks[block].insts);
    let mut taking = Taking {
        function,
        insts: Vec::new(),
    };
    // The rest of the word of each group that was begun.
    let mut words: Vec<Option<Value>> = vec![None; groups.len()];
    for inst in insts {
        if let Some(&group) = group_of.get(&inst) {
            let word = words[group].unwrap_or_else(|| {
                // At most `PACK_LIMIT`.
                let product = groups[group].product.cast_signed();
                taking.add(Op::Word, &[], Imm::Int(product))
            });
            words[group] = Some(taking.pool(word, inst));
        }
        taking.insts.push(inst);
    }
    let insts = taking.insts;
    function.blocks[block].insts = insts;
}

/// The instructions of a block that is being rewritten.
struct Taking<'f> {
    function: &'f mut Function,
    insts: Vec<Inst>,
}

impl Taking<'_> {
    /// Makes `inst`, a pool, the sum of faces taken from `word`; returns the rest of the word.
    fn pool(&mut self, mut word: Value, inst: Inst) -> Value {
        let Imm::Dice { count, sides } = self.function.insts[inst].imm else {
            return word;
        };
        let factor = self.add(Op::Iconst, &[], Imm::Int(sides.into()));
        let mut sum = None;
        for _ in 0..count {
            let face = self.add(Op::Face, &[word], Imm::Int(sides.into()));
            word = self.add(Op::ImulWrap, &[word, factor], Imm::None);
            sum = Some(match sum {
                None => face,
                Some(sum) => self.add(Op::IaddWrap, &[sum, face], Imm::None),
            });
        }
        // The sum keeps the value number of the pool.
        let zero = self.add(Op::Iconst, &[], Imm::Int(0));
        let data = &mut self.function.insts[inst];
        (data.op, data.imm) = (Op::IaddWrap, Imm::None);
        data.args = vec![sum.unwrap_or(zero), zero];
        word
    }

    fn add(&mut self, op: Op, args: &[Value], imm: Imm) -> Value {
        let inst = self
            .function
            .new_inst(op, args.to_vec(), imm, Span::default());
        self.insts.push(inst);
        self.function.insts[inst].result
    }
}
