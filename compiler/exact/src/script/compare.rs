//! Comparisons with numbers of which only a range is known.

use dicec_lang::hir::CompareOp;
use std::ops::RangeInclusive;

/// The result of a comparison with a word, if it is the same for all numbers of a range.
pub(super) fn resolved(op: CompareOp, range: &RangeInclusive<i64>, word: i64) -> Option<bool> {
    let (least, most) = (*range.start(), *range.end());
    let [first, last] = [least, most].map(|end| op.holds(end.cmp(&word)));
    match op {
        CompareOp::Equal | CompareOp::NotEqual if least != most => {
            (!range.contains(&word)).then_some(first)
        }
        // The other operators are monotonic.
        _ => (first == last).then_some(first),
    }
}

/// The operator for swapped operands.
pub(super) fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Equal | CompareOp::NotEqual => op,
        CompareOp::Less => CompareOp::Greater,
        CompareOp::LessEqual => CompareOp::GreaterEqual,
        CompareOp::Greater => CompareOp::Less,
        CompareOp::GreaterEqual => CompareOp::LessEqual,
    }
}

/// The part of a range for which a comparison with a word has this result.
pub(super) fn narrowed(
    op: CompareOp,
    holds: bool,
    range: &RangeInclusive<i64>,
    word: i64,
) -> RangeInclusive<i64> {
    let (least, most) = (*range.start(), *range.end());
    let below = least..=most.min(word.saturating_sub(1));
    let above = least.max(word.saturating_add(1))..=most;
    match (op, holds) {
        (CompareOp::Equal, true) | (CompareOp::NotEqual, false) => word..=word,
        (CompareOp::Equal, false) | (CompareOp::NotEqual, true) => {
            if least == word {
                above
            } else if most == word {
                below
            } else {
                range.clone()
            }
        }
        (CompareOp::Less, true) | (CompareOp::GreaterEqual, false) => below,
        (CompareOp::Greater, true) | (CompareOp::LessEqual, false) => above,
        (CompareOp::LessEqual, true) | (CompareOp::Greater, false) => least..=most.min(word),
        (CompareOp::GreaterEqual, true) | (CompareOp::Less, false) => least.max(word)..=most,
    }
}
