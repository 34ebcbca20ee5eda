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

    /// Whether all count from one end. Then one order of the dice serves all, and between equal dice it does not matter which
    /// are kept. Else dice of one value may be dropped twice.
    pub(super) fn has_one_end(&self) -> bool {
        let mut ends = self.selects.iter().map(|(selector, _)| selector.is_high());
        let first = ends.next();
        ends.all(|end| Some(end) == first)
    }

    /// Whether the die at a place, in ascending order of so many, is kept; where the selections have one end.
    pub(super) fn keeps(&self, place: u64, dice: u64) -> bool {
        self.selects.iter().all(|(selector, count)| {
            let rank = match selector.is_high() {
                true => dice - 1 - place,
                false => place,
            };
            selector.keeps(rank, *count)
        })
    }

    /// How many of `tied` dice of one value are kept, where `below` are lower, of `dice` dice.
    ///
    /// Earlier ones are counted first from either end: so each selection drops some of the first, or some of the last.
    pub(super) fn keeps_of_equal(&self, below: u64, tied: u64, dice: u64) -> u64 {
        let (mut first, mut last) = (0, 0);
        for (selector, count) in self.selects {
            let beyond = match selector.is_high() {
                true => dice - below - tied,
                false => below,
            };
            // Those that the selector counts.
            let count = u64::try_from(*count).unwrap_or(0);
            let counted = count.saturating_sub(beyond).min(tied);
            if selector.drops() {
                first = counted.max(first);
            } else {
                last = (tied - counted).max(last);
            }
        }
        tied.saturating_sub(first).saturating_sub(last)
    }

    /// How many of so many dice are kept, where the selections have one end.
    pub(super) fn kept(&self, dice: u64) -> u64 {
        (0..dice).map(|place| u64::from(self.keeps(place, dice))).sum()
    }

    /// From below, how many dice are kept of any number from `dice` on.
    pub(super) fn keeps_at_least(&self, dice: u64) -> u64 {
        let dropped = self.selects.iter().map(|(selector, count)| match selector.drops() {
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
    fn equal_dice_are_kept_as_on_the_table() {
        let selectors = Selector::ALL;
        for (first, second) in selectors.iter().flat_map(|a| selectors.map(|b| (*a, b))) {
            for counts in (-1..=4).flat_map(|a| (0..=4).map(move |b| (a, b))) {
                let selects = [(first, counts.0), (second, counts.1)];
                let selection = Selection::new(&selects);
                for (below, tied, above) in [(0, 3, 0), (1, 2, 1), (0, 2, 2), (2, 2, 0), (1, 1, 1)] {
                    let mut table = Pool::new(&[]);
                    let values = [(0, below), (1, tied), (2, above)];
                    for (value, number) in values {
                        (0..number).for_each(|_| table.push(value));
                    }
                    for (selector, count) in selects {
                        table.select(selector, count);
                    }
                    let kept = table.dice().iter().filter(|die| die.is_kept() && die.value == 1);
                    let dice = below + tied + above;
                    let got = selection.keeps_of_equal(below, tied, dice);
                    assert_eq!(got, kept.count() as u64, "{selects:?} {values:?}");
                    if selection.has_one_end() {
                        let places = (below..below + tied).filter(|p| selection.keeps(*p, dice));
                        assert_eq!(got, places.count() as u64, "{selects:?} {values:?}");
                    }
                    let all = table.dice().iter().filter(|die| die.is_kept()).count() as u64;
                    assert!(selection.keeps_at_least(dice) <= all);
                }
            }
        }
    }
}
