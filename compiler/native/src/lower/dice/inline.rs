//! Small pools of written dice, and groups, without steps on a pool: the dice are values, rerolls
//! and explosions are loops (see [`super::chain`]), a sorting network orders the dice, and the
//! indices that count are known.
//!
//! ```text
//! 2d20kh1:
//!     v0 = pool 1 20
//!     v1 = pool 1 20
//!     v2 = imin v0, v1        ; unused, so it is removed
//!     v3 = imax v0, v1
//! ```
//!
//! The same words are drawn in the same order as by the steps, and the kept dice have the same
//! values; which of two equal dice is kept makes no difference to a total. Nor does their order, so
//! the sorting network only separates the kept dice from the others.

use super::chain::Explode;
use super::pool::Part;
use crate::ir::{Imm, Op, Value};
use crate::lower::body::Body;
use dicec_lang::hir::{Condition, Counting, Die, ExprKind, Group, Pool, Select, Stage};
use dicec_runtime::limits::MAX_SIDES;
use dicec_runtime::pool::{Bound, Explosion};
use dicec_runtime::span::Span;

/// Larger pools are left to the steps: their sorting network would be long.
const MAX_DICE: i64 = 16;

/// Clamps within this keep sums far from overflow.
const MAX_BOUND: i64 = MAX_SIDES as i64;

/// A pool of values: its dice are rerolled first, then clamped, then exploded, then selected from.
struct Small<'p> {
    count: usize,
    sides: u32,
    rerolls: Vec<(bool, &'p Condition)>,
    clamps: Vec<(Op, i64)>,
    explosion: Option<(Explosion, Option<&'p Condition>)>,
    selects: &'p [Select],
}

impl Small<'_> {
    fn new(pool: &Pool) -> Option<Small<'_>> {
        let (ExprKind::Int(count), Die::Sides(sides)) = (&pool.count.kind, &pool.die) else {
            return None;
        };
        let ExprKind::Int(sides) = sides.kind else {
            return None;
        };
        let written = |select: &Select| matches!(select.count.kind, ExprKind::Int(_));
        let fits = (1..=MAX_DICE).contains(count) && pool.selects.iter().all(written);
        let mut small = Small {
            count: usize::try_from(*count).ok().filter(|_| fits)?,
            sides: u32::try_from(sides)
                .ok()
                .filter(|s| (1..=MAX_SIDES).contains(s))?,
            rerolls: Vec::new(),
            clamps: Vec::new(),
            explosion: None,
            selects: &pool.selects,
        };
        for stage in &pool.stages {
            small.add(stage)?;
        }
        let adds_dice = matches!(small.explosion, Some((how, _)) if how != Explosion::Compound);
        let whole = pool.selects.is_empty() && pool.counting.is_none();
        (whole || !adds_dice).then_some(small)
    }
}

impl<'p> Small<'p> {
    /// Adds a stage; `None` if it is not in that order.
    fn add(&mut self, stage: &'p Stage) -> Option<()> {
        if self.explosion.is_some() {
            return None;
        }
        match stage {
            Stage::Reroll { once, conditions } => {
                let [condition] = conditions.as_slice() else {
                    return None;
                };
                self.rerolls.push((*once, condition));
                self.clamps.is_empty().then_some(())
            }
            Stage::Bound(..) => {
                self.clamps.push(clamp(stage)?);
                Some(())
            }
            Stage::Explode(how, condition) => {
                self.explosion = Some((*how, condition.as_ref()));
                Some(())
            }
            Stage::Select(_) => None,
        }
    }

    /// Whether values may differ from faces.
    fn reshapes(&self) -> bool {
        !self.clamps.is_empty() || self.explosion.is_some()
    }
}

/// Whether the value at an index, counted from the lowest of `count`, is kept by selections with
/// written counts.
fn keeps(selects: &[Select], count: usize, place: usize) -> bool {
    selects.iter().all(|select| {
        let from_top = select.selector.is_high();
        let rank = if from_top { count - 1 - place } else { place };
        match select.count.kind {
            // At most 16 of them.
            ExprKind::Int(counted) => select.selector.keeps(rank as u64, counted),
            _ => true,
        }
    })
}

/// The operation and bound of a written clamp.
fn clamp(stage: &Stage) -> Option<(Op, i64)> {
    let (op, bound) = match stage {
        Stage::Bound(Bound::Min, bound) => (Op::Imax, bound),
        Stage::Bound(Bound::Max, bound) => (Op::Imin, bound),
        Stage::Explode(..) | Stage::Reroll { .. } | Stage::Select(_) => return None,
    };
    match bound.kind {
        ExprKind::Int(bound) if bound.abs() <= MAX_BOUND => Some((op, bound)),
        _ => None,
    }
}

impl<'s> Body<'_, 's> {
    /// The result of a small pool; `None` if this one is left to the steps.
    pub(super) fn small_pool(&mut self, pool: &'s Pool, span: Span) -> Option<Value> {
        let small = Small::new(pool)?;
        let naturals = self.inside.naturals;
        let natural = naturals.is_some_and(|naturals| naturals.sides == small.sides);
        if natural && small.reshapes() {
            // The natural is a face, and the values would no longer be faces.
            return None;
        }
        let (values, with_extras) = self.rolled(&small, span);
        let kept = self.kept(&small, values, span);
        self.mark(&pool.marks);
        let total = match &pool.counting {
            None => with_extras.unwrap_or_else(|| self.sum(&kept, span)),
            Some(counting) => self.tally(&kept, counting, span),
        };
        if natural {
            let (count, face) = self.naturals_of(&kept, span);
            self.note_naturals(count, face);
        }
        Some(total)
    }

    /// The result of a group that keeps one value at a written index; `None` if this one is left to
    /// the steps. (The sum of several may overflow, which the steps have to detect.)
    pub(super) fn small_group(
        &mut self,
        group: &'s Group,
        parts: &[Part],
        span: Span,
    ) -> Option<Value> {
        let written = |select: &Select| matches!(select.count.kind, ExprKind::Int(_));
        let small = parts.len() <= MAX_DICE as usize && group.selects.iter().all(written);
        if !small || group.counting.is_some() || !parts.iter().all(Part::is_total) {
            return None;
        }
        let mut kept = (0..parts.len()).filter(|&place| keeps(&group.selects, parts.len(), place));
        let (Some(place), None) = (kept.next(), kept.next()) else {
            return None;
        };
        let mut totals: Vec<Value> = parts.iter().map(|part| part.total).collect();
        self.separate(&mut totals, |other| other == place, span);
        totals.get(place).copied()
    }

    /// Reorders values, so that those at the kept places are the ones that sorting, the lowest
    /// first, would put there. They are in no order among themselves.
    fn separate(&mut self, values: &mut [Value], is_kept: impl Fn(usize) -> bool, span: Span) {
        for (low, high) in separating_network(values.len(), is_kept) {
            let pair = [values[low], values[high]];
            values[low] = self.inst(span, Op::Imin, &pair, Imm::None);
            values[high] = self.inst(span, Op::Imax, &pair, Imm::None);
        }
    }

    /// The values of the dice, drawn and changed, and their sum with extra dice, if there may be
    /// some.
    fn rolled(&mut self, small: &Small<'s>, span: Span) -> (Vec<Value>, Option<Value>) {
        let mut faces: Vec<Value> = (0..small.count)
            .map(|_| self.die(small.sides, span))
            .collect();
        for &(once, condition) in &small.rerolls {
            let on = self.chain_while(condition);
            for face in &mut faces {
                *face = self.reroll(*face, on, once, small.sides, span);
            }
        }
        let mut values = faces.clone();
        for &(op, bound) in &small.clamps {
            let bound = self.builder.iconst(bound);
            for value in &mut values {
                *value = self.inst(span, op, &[*value, bound], Imm::None);
            }
        }
        let Some((how, condition)) = small.explosion else {
            return (values, None);
        };
        let explode = Explode {
            how,
            on: match condition {
                Some(condition) => self.chain_while(condition),
                None => self.chain_at(small.sides, span),
            },
            sides: small.sides,
        };
        if how == Explosion::Compound {
            for (value, face) in values.iter_mut().zip(faces) {
                *value = self.compound(face, *value, explode, span);
            }
            return (values, None);
        }
        let sum = self.sum(&values, span);
        let mut all = self.no_extras(sum, small.count, span);
        for face in faces {
            all = self.explode(face, explode, all, span);
        }
        (values, Some(all.sum))
    }

    /// The values of the dice that count.
    fn kept(&mut self, small: &Small<'s>, mut dice: Vec<Value>, span: Span) -> Vec<Value> {
        if small.selects.is_empty() {
            return dice;
        }
        let is_kept = |place| keeps(small.selects, small.count, place);
        self.separate(&mut dice, is_kept, span);
        let places = dice.into_iter().enumerate();
        places
            .filter(|&(place, _)| is_kept(place))
            .map(|(_, die)| die)
            .collect()
    }

    /// The sum; it cannot overflow, see [`MAX_BOUND`].
    fn sum(&mut self, values: &[Value], span: Span) -> Value {
        self.builder.set_span(span);
        let sum = values
            .iter()
            .copied()
            .reduce(|sum, value| self.builder.inst(Op::IaddWrap, &[sum, value], Imm::None));
        sum.unwrap_or_else(|| self.builder.iconst(0))
    }

    /// The number of values that succeed, minus those that fail without succeeding.
    fn tally(&mut self, values: &[Value], counting: &'s Counting, span: Span) -> Value {
        let mut counted: Vec<Vec<Value>> = Vec::new();
        let kinds = [&counting.double, &counting.success, &counting.failure];
        let numbers = kinds.map(|conditions| {
            let mut meet = self.meet_any(values, conditions, span)?;
            for before in &counted {
                self.without(&mut meet, before, span);
            }
            let number = self.number_of(&meet, span);
            counted.push(meet);
            Some(number)
        });
        self.successes(numbers, span)
    }

    /// Whether each of the values meets any of the conditions; none without conditions.
    fn meet_any(
        &mut self,
        values: &[Value],
        conditions: &'s [Condition],
        span: Span,
    ) -> Option<Vec<Value>> {
        let (first, others) = conditions.split_first()?;
        let mut meet = self.meet(values, first, span);
        for condition in others {
            let this = self.meet(values, condition, span);
            meet = self.either(meet, &this, span);
        }
        Some(meet)
    }

    /// Takes back the truths where another one is true.
    fn without(&mut self, truths: &mut [Value], others: &[Value], span: Span) {
        for (truth, &other) in truths.iter_mut().zip(others) {
            let open = self.inst(span, Op::Not, &[other], Imm::None);
            *truth = self.inst(span, Op::Both, &[*truth, open], Imm::None);
        }
    }

    /// Whether either of two truths is true, for each pair.
    fn either(&mut self, truths: Vec<Value>, others: &[Value], span: Span) -> Vec<Value> {
        let pairs = truths.into_iter().zip(others);
        pairs
            .map(|(truth, &other)| self.inst(span, Op::Either, &[truth, other], Imm::None))
            .collect()
    }

    /// Whether each of the values meets a condition.
    fn meet(&mut self, values: &[Value], condition: &'s Condition, span: Span) -> Vec<Value> {
        let threshold = self.aside(&condition.threshold);
        let op = crate::lower::expr::compare(condition.op);
        let values = values.iter();
        values
            .map(|&value| self.inst(span, op, &[value, threshold], Imm::None))
            .collect()
    }

    /// The number of true values.
    fn number_of(&mut self, truths: &[Value], span: Span) -> Value {
        let numbers = truths.iter();
        let numbers: Vec<Value> = numbers
            .map(|&truth| self.inst(span, Op::Btoi, &[truth], Imm::None))
            .collect();
        self.sum(&numbers, span)
    }

    /// The number of natural dice among the kept ones, and their face.
    fn naturals_of(&mut self, kept: &[Value], span: Span) -> (Value, Value) {
        self.builder.set_span(span);
        // At most 16.
        let count = self.builder.iconst(kept.len() as i64);
        let face = match kept {
            [face] => *face,
            _ => self.builder.iconst(0),
        };
        (count, face)
    }
}

/// The comparisons that sort `n` values; each moves the lower value to the lower index: Batcher's
/// odd-even merge sort (Knuth, The Art of Computer Programming, 5.2.2, algorithm M).
fn sorting_network(n: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let top = n.next_power_of_two() / 2;
    let mut p = top;
    while p > 0 {
        let (mut q, mut r, mut d) = (top, 0, p);
        loop {
            for i in 0..n.saturating_sub(d) {
                if i & p == r {
                    pairs.push((i, i + d));
                }
            }
            if q == p {
                break;
            }
            (d, q, r) = (q - p, q / 2, p);
        }
        p /= 2;
    }
    pairs
}

/// Where a value gets to in the rest of a network.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Kept,
    Dropped,
    /// A comparison decides.
    Compared,
}

/// The comparisons of [`sorting_network`] that decide which values get to the kept places. One of
/// two values that are both kept, or both dropped, whatever it finds, decides nothing.
fn separating_network(n: usize, is_kept: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let fate = |place| match is_kept(place) {
        true => Fate::Kept,
        false => Fate::Dropped,
    };
    let mut fates: Vec<Fate> = (0..n).map(fate).collect();
    let mut pairs = sorting_network(n);
    pairs.reverse();
    pairs.retain(|&(low, high)| {
        let decides = fates[low] != fates[high] || fates[low] == Fate::Compared;
        if decides {
            (fates[low], fates[high]) = (Fate::Compared, Fate::Compared);
        }
        decides
    });
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use super::{separating_network, sorting_network};

    /// By the zero-one principle (Knuth, 5.3.4, theorem Z) a network that sorts all rows of zeros
    /// and ones sorts everything.
    #[test]
    fn sorting_networks_sort() {
        for n in 1..=16 {
            for row in 0..1_u32 << n {
                let mut bits: Vec<bool> = (0..n).map(|place| row >> place & 1 == 1).collect();
                for (low, high) in sorting_network(n) {
                    (bits[low], bits[high]) = (bits[low] & bits[high], bits[low] | bits[high]);
                }
                assert!(bits.is_sorted(), "{n}: {row:b}");
            }
        }
    }

    /// The values at the kept places are those of the sorted row, by the same principle: for each
    /// set of places, and each row of zeros and ones, the same number of ones.
    #[test]
    fn separating_networks_keep_what_sorting_would_keep() {
        for n in 1..=8 {
            for kept in 0..1_u32 << n {
                let is_kept = |place: usize| kept >> place & 1 == 1;
                let network = separating_network(n, is_kept);
                for row in 0..1_u32 << n {
                    let mut bits: Vec<bool> = (0..n).map(|place| row >> place & 1 == 1).collect();
                    let ones = row.count_ones() as usize;
                    for &(low, high) in &network {
                        (bits[low], bits[high]) = (bits[low] & bits[high], bits[low] | bits[high]);
                    }
                    let found = (0..n)
                        .filter(|&place| is_kept(place) && bits[place])
                        .count();
                    let sorted = (n - ones..n).filter(|&place| is_kept(place)).count();
                    assert_eq!(found, sorted, "{n}: {kept:b} of {row:b}");
                }
            }
        }
    }

    /// The lowest of four is found by three comparisons, and the other three are not compared.
    #[test]
    fn dice_that_are_all_kept_are_not_compared() {
        assert_eq!(separating_network(4, |place| place > 0).len(), 3);
        assert_eq!(separating_network(16, |_| true), []);
    }
}
