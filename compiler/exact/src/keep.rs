//! Which dice selections keep, by their index in the order of values. The distributions use this;
//! [`Pool::select`](dicec_runtime::pool::Pool::select), which works on dice, defines the meaning.

use dicec_runtime::pool::Selector;

/// All selections of a pool, applied together.
pub(super) struct Selection<'s> {
    selects: &'s [(Selector, i64)],
}

impl<'s> Selection<'s> {
    pub(super) fn new(selects: &'s [(Selector, i64)]) -> Self {
        Self { selects }
    }

    /// Whether the die at `index`, in ascending order of `dice` values, is kept. All selections use
    /// the same order, so between equal dice it does not matter which is kept.
    pub(super) fn keeps(&self, index: u64, dice: u64) -> bool {
        self.selects.iter().all(|(selector, count)| {
            let rank = match selector.is_high() {
                true => dice - 1 - index,
                false => index,
            };
            selector.keeps(rank, *count)
        })
    }

    /// The number of kept dice out of `dice`.
    pub(super) fn kept(&self, dice: u64) -> u64 {
        (0..dice)
            .map(|index| u64::from(self.keeps(index, dice)))
            .sum()
    }

    /// A lower bound on the number of dice kept, for any number of dice from `dice` on.
    pub(super) fn keeps_at_least(&self, dice: u64) -> u64 {
        let dropped = self
            .selects
            .iter()
            .map(|(selector, count)| match selector.drops() {
                true => u64::try_from(*count).unwrap_or(0),
                false => u64::MAX,
            });
        dice.saturating_sub(dropped.fold(0, u64::saturating_add))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dicec_runtime::pool::Pool;

    #[test]
    fn indices_are_kept_as_in_a_pool() {
        let selectors = Selector::ALL;
        for (first, second) in selectors.iter().flat_map(|a| selectors.map(|b| (*a, b))) {
            for counts in (-1..=4).flat_map(|a| (0..=4).map(move |b| (a, b))) {
                let selects = [(first, counts.0), (second, counts.1)];
                let selection = Selection::new(&selects);
                for values in [[4, 1, 3], [2, 2, 2], [1, 1, 2], [2, 1, 1], [3, 7, 3]] {
                    let mut table = Pool::new(&[]);
                    values.into_iter().for_each(|value| table.push(value));
                    for (selector, count) in selects {
                        table.select(selector, count);
                    }
                    let mut sorted = values;
                    sorted.sort_unstable();
                    let kept = (0..)
                        .zip(sorted)
                        .filter(|(index, _)| selection.keeps(*index, 3));
                    let sum = kept.map(|(_, value)| value).sum();
                    assert_eq!(table.sum(), Ok(sum), "{selects:?} {values:?}");
                    let all = table.dice().iter().filter(|die| die.is_kept()).count() as u64;
                    assert_eq!(selection.kept(3), all);
                    assert!(selection.keeps_at_least(3) <= all);
                }
            }
        }
    }
}
