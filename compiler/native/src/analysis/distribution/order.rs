//! Order statistics in code: finds the ranks of the dice that a value sums, when the dice are
//! sorted by minima and maxima.
//!
//! Minima and maxima commute with every threshold: whether one of them is at least `t` depends only
//! on which dice are. So values made of minima and maxima select dice by rank, in any order, if and
//! only if they do so for dice that show 0 or 1 (Knuth, The Art of Computer Programming, 5.3.4, the
//! zero-one principle). All rows of zeros and ones are tried, so the shape of the sorting network
//! does not matter, nor whether it sorts the kept dice.

use crate::ir::{Function, Op, Value};
use cranelift_entity::SecondaryMap;

/// The maximum number of dice: with more, there are too many rows.
const MAX_DICE: usize = 16;

/// A value on all rows of zeros and ones, a bit each; die `i` of row `r` shows bit `i` of `r`.
type Rows = Vec<u64>;

/// The ranks of the `dice` in ascending order, and whether `value` includes the die of that rank in
/// its sum. `None` if `value` is not such a sum.
pub(super) fn ranks(code: &Function, value: Value, dice: &[Value]) -> Option<Vec<bool>> {
    let count = dice.len();
    if !(2..=MAX_DICE).contains(&count) {
        return None;
    }
    let known = rows(code, dice);
    let leaves = leaves(code, value).into_iter();
    let leaves: Vec<&Rows> = leaves
        .map(|leaf| known[leaf].as_ref())
        .collect::<Option<_>>()?;
    if leaves.len() > count {
        return None;
    }
    let sum = |row: usize| leaves.iter().filter(|rows| shows_one(rows, row)).count();
    // By the number of dice that show 1.
    let sums: Vec<usize> = (0..=count).map(|ones| sum((1 << ones) - 1)).collect();
    let decides = |row: usize| sum(row) == sums[row.count_ones() as usize];
    if !(0..1_usize << count).all(decides) {
        return None;
    }
    // If one more die shows 1, it is the one with the highest rank that showed 0.
    let ranks = sums.windows(2).rev().map(|pair| match pair[1] - pair[0] {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    });
    ranks.collect()
}

fn shows_one(rows: &Rows, row: usize) -> bool {
    rows[row / 64] >> (row % 64) & 1 == 1
}

/// The operands of the sums that lead to `value`.
fn leaves(code: &Function, value: Value) -> Vec<Value> {
    let (mut leaves, mut pending) = (Vec::new(), vec![value]);
    while let Some(value) = pending.pop() {
        match code.def(value) {
            // There are fewer ranks than this, so it is not a sum of some of them.
            _ if leaves.len() > MAX_DICE => break,
            Some(data) if matches!(data.op, Op::Iadd | Op::IaddWrap) => pending.extend(&data.args),
            _ => leaves.push(value),
        }
    }
    leaves
}

/// The rows of the dice, and of all minima and maxima of values that have rows.
fn rows(code: &Function, dice: &[Value]) -> SecondaryMap<Value, Option<Rows>> {
    let words = (1_usize << dice.len()).div_ceil(64);
    let mut known: SecondaryMap<Value, Option<Rows>> = SecondaryMap::new();
    for (die, &value) in dice.iter().enumerate() {
        let word = |word: usize| {
            let bits = (0..64).map(|bit| ((word * 64 + bit) >> die & 1) << bit);
            bits.fold(0, |word, bit| word | bit as u64)
        };
        known[value] = Some((0..words).map(word).collect());
    }
    for data in code.insts.values() {
        let join: fn(u64, u64) -> u64 = match data.op {
            Op::Imin => |a, b| a & b,
            Op::Imax => |a, b| a | b,
            _ => continue,
        };
        if let (Some(a), Some(b)) = (&known[data.args[0]], &known[data.args[1]]) {
            known[data.result] = Some(a.iter().zip(b).map(|(&a, &b)| join(a, b)).collect());
        }
    }
    known
}
