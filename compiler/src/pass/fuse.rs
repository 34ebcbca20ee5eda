//! Fused sampling: pools draw several dice from each word, and large ones their sum at once.
//!
//! The distribution stays the same, weight for weight; the words that a seed gives become other dice. The layouts are those of
//! [`dicec_runtime::rng::draw::packed_sum`] and [`SumTable`].
//!
//! **What it costs**, measured on one core (docs/performance.md): a die of a packed pool half a nanosecond, a
//! draw from a table as much as three dice, however many it stands for. Smaller pools stay packed nevertheless, because vector code can take a die in a seventh
//! of a nanosecond, which no table reaches below [`DRAWN_DICE`]. A table has to be made, too, in 145 us for `100d6` and about a millisecond for the largest:
//! it pays from some thousand trials on. Which dice are drawn depends on the function alone nevertheless, never on the number of trials, so that a seed gives
//! the same rolls in a short run and in a long one. So the sizes of tables are bounded, each ([`SumTable::size`]) and together ([`MOST_COLUMNS`]).

use crate::ir::{Function, Imm, Op, Unit};
use dicec_runtime::rng::SumTable;
use dicec_runtime::rng::draw::dice_per_word;
use rustc_hash::FxHashSet;

/// From how many dice on a pool is drawn from a table.
const DRAWN_DICE: u32 = 16;

/// The most columns that the tables of a unit may have together: 64 KiB of them.
const MOST_COLUMNS: usize = 1 << 13;

/// Fuses every pool of a lone function that has something to fuse.
pub fn fuse(function: &mut Function) {
    Tables::default().fuse(function);
}

/// [`fuse`] in all functions of a unit.
pub fn fuse_unit(unit: &mut Unit) {
    let mut tables = Tables::default();
    for function in unit.functions.values_mut() {
        tables.fuse(function);
    }
}

/// The tables that were decided on.
#[derive(Default)]
struct Tables {
    dice: FxHashSet<(u32, u32)>,
    columns: usize,
}

impl Tables {
    fn fuse(&mut self, function: &mut Function) {
        for inst in function.insts.values_mut() {
            if let (Op::Pool, Imm::Dice { count, sides }) = (inst.op, inst.imm) {
                if count >= DRAWN_DICE && self.admit(count, sides) {
                    inst.op = Op::Drawn;
                } else if count >= 2 && dice_per_word(sides) >= 2 {
                    inst.op = Op::Packed;
                }
            }
        }
    }

    /// Whether these dice have a table among the others.
    fn admit(&mut self, count: u32, sides: u32) -> bool {
        if self.dice.contains(&(count, sides)) {
            return true;
        }
        let Some(size) = SumTable::size(count, sides) else {
            return false;
        };
        let fits = size <= MOST_COLUMNS - self.columns;
        if fits {
            self.columns += size;
            self.dice.insert((count, sides));
        }
        fits
    }
}
