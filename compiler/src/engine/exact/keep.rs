//! Which dice selections keep, told by places in the order of values, as the distributions need it. The meaning is that of
//! [`Pool::select`](dicec_runtime::pool::Pool::select), which works on dice.

use dicec_runtime::pool::Selector;

/// All selections of a pool together.
pub(super) struct Selection<'s> {
    selects: &'s [(Selector, i64)],
}

impl<'s> Selection<'s> {
    pub(super) fn new(selects: &'s [(Selector, i64)]) -> Self {
        Self { selects }
    }

    /// Whether the die at a place, in ascending order of so many, is kept. One order serves all selections, so that between
    /// equal dice it does not matter which is kept.
    pub(super) fn keeps(&self, place: u64, dice: u64) -> bool {
        self.selects.iter().all(|(selector, count)| {
            let rank = match selector.is_high() {
                true => dice - 1 - place,
                false => place,
            };
            selector.keeps(rank, *count)
        })
    }

    /// How many of so many dice are kept.
    pub(super) fn kept(&self, dice: u64) -> u64 {
        (0..dice)
            .map(|place| u64::from(self.keeps(place, dice)))
            .sum()
    }

    /// From below, how many dice are kept of any number from `dice` on.
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
    fn places_are_kept_as_on_the_table() {
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
                        .filter(|(place, _)| selection.keeps(*place, 3));
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
