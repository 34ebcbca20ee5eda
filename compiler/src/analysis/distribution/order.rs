//! Order statistics in code: which places of its dice, brought in order by minima and maxima, a
//! value adds up.
//!
//! Minima and maxima commute with every threshold: whether one of them is at least `t` follows from
//! which dice are. So what is made of them alone is the die at place `r` of the order just if it is
//! for dice that show 0 or 1 (Knuth, The Art of Computer Programming, 5.3.4, the zero-one
//! principle), and all rows of those are looked at, 64 at a time. No shape of network has to be
//! known.

use crate::ir::{Function, Op, Value};
use cranelift_entity::SecondaryMap;

/// More dice have too many rows.
const MAX_DICE: usize = 16;

/// What a value is on all rows of zeros and ones, a bit each; die `i` of row `r` shows bit `i` of
/// `r`.
type Rows = Vec<u64>;

/// The places of the `dice` in ascending order, and whether the die there is one of those that
/// `value` is the sum of. `None` if it is no such sum.
pub(super) fn places(code: &Function, value: Value, dice: &[Value]) -> Option<Vec<bool>> {
    let count = dice.len();
    if !(2..=MAX_DICE).contains(&count) {
        return None;
    }
    let known = rows(code, dice);
    let mut places = vec![false; count];
    for leaf in leaves(code, value) {
        let ones = threshold(known[leaf].as_ref()?, count)?;
        // From below, the die there shows 1 if at most so many show 0.
        let place = places.get_mut(count - ones)?;
        if std::mem::replace(place, true) {
            return None;
        }
    }
    Some(places)
}

/// What sums that lead to `value` add up.
fn leaves(code: &Function, value: Value) -> Vec<Value> {
    let (mut leaves, mut pending) = (Vec::new(), vec![value]);
    while let Some(value) = pending.pop() {
        match code.def(value) {
            // There are fewer places than this, so it is no sum of some.
            _ if leaves.len() > MAX_DICE => break,
            Some(data) if matches!(data.op, Op::Iadd | Op::IaddWrap) => pending.extend(&data.args),
            _ => leaves.push(value),
        }
    }
    leaves
}

/// The rows of the dice, and of all minima and maxima of what has rows.
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

/// How many ones a row needs, at least 1, if that is all that decides.
fn threshold(rows: &Rows, dice: usize) -> Option<usize> {
    let at = |row: usize| rows[row / 64] >> (row % 64) & 1 == 1;
    let least = (1..=dice).find(|&ones| at((1 << ones) - 1))?;
    let decides = (0..1_usize << dice).all(|row| at(row) == (row.count_ones() as usize >= least));
    decides.then_some(least)
}
