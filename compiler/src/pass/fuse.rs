//! Fused sampling: pools draw several dice from each word.
//!
//! The distribution stays the same, weight for weight; the words that a seed gives become other dice. The layout is
//! [`dicec_runtime::rng::draw::packed_sum`]'s.

use crate::ir::{Function, Imm, Op};
use dicec_runtime::rng::draw::dice_per_word;

/// Packs every pool that has something to pack.
pub fn fuse(function: &mut Function) {
    for inst in function.insts.values_mut() {
        if let (Op::Pool, Imm::Dice { count, sides }) = (inst.op, inst.imm)
            && count >= 2
            && dice_per_word(sides) >= 2
        {
            inst.op = Op::Packed;
        }
    }
}
