//! How a block affects which variables are live: for each variable, it does one of three things.
//! It needs the variable, passes it on to an exit, or neither.

/// A set of variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Set(Vec<u64>);

impl Set {
    pub(super) fn none(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)])
    }

    pub(super) fn all(size: usize) -> Self {
        Self(vec![u64::MAX; size.div_ceil(64)])
    }

    pub(super) fn insert(&mut self, local: usize) {
        self.0[local / 64] |= 1 << (local % 64);
    }

    pub(super) fn remove(&mut self, local: usize) {
        self.0[local / 64] &= !(1 << (local % 64));
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    pub(super) fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        let bits = self.0.iter().enumerate();
        bits.flat_map(|(word, bits)| {
            (0..64)
                .filter(move |bit| bits >> bit & 1 == 1)
                .map(move |bit| word * 64 + bit)
        })
    }
}

/// The variables that a block needs, and those that it passes on to each exit.
#[derive(Debug, Default)]
pub(super) struct Flow {
    pub(super) needs: Set,
    pub(super) next: Set,
    pub(super) breaks: Set,
    pub(super) continues: Set,
}

impl Flow {
    pub(super) fn none(size: usize) -> Self {
        Self {
            needs: Set::none(size),
            next: Set::none(size),
            breaks: Set::none(size),
            continues: Set::none(size),
        }
    }

    pub(super) fn sets(&mut self) -> [&mut Set; 4] {
        [
            &mut self.needs,
            &mut self.next,
            &mut self.breaks,
            &mut self.continues,
        ]
    }

    /// The flow of this block followed by `rest`.
    pub(super) fn then(mut self, rest: &Self) -> Self {
        let on = std::mem::replace(&mut self.next, rest.next.clone());
        self.needs.add(&on.and(&rest.needs));
        self.breaks.add(&on.and(&rest.breaks));
        self.continues.add(&on.and(&rest.continues));
        self.next = on.and(&self.next);
        self
    }

    /// The union of both flows.
    pub(super) fn or(mut self, mut other: Self) -> Self {
        for (set, more) in self.sets().into_iter().zip(other.sets()) {
            set.add(more);
        }
        self
    }

    /// The live variables before the block, for those after it.
    pub(super) fn before(&self, after: &After<'_>) -> Set {
        let mut live = self.needs.clone();
        live.add(&self.next.and(after.next));
        live.add(&self.breaks.and(after.breaks));
        live.add(&self.continues.and(after.continues));
        live
    }
}

/// The live variables at each exit.
pub(super) struct After<'l> {
    pub(super) next: &'l Set,
    pub(super) breaks: &'l Set,
    pub(super) continues: &'l Set,
}
