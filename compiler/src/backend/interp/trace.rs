//! What a roll leaves for showing it: its dice and pools, in draw order.

use dicec_runtime::span::Span;

/// One die on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RolledDie {
    /// How many sides it has.
    pub sides: u64,
    /// What it shows, in `1..=sides`.
    pub face: u64,
    /// Whether it counts.
    pub kept: bool,
    /// Where its pool was written.
    pub span: Span,
}

/// One pool: which of the trace's dice belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolRoll {
    /// The index of its first die in [`Trace::dice`].
    pub first: usize,
    /// How many dice it has; they follow one another.
    pub count: usize,
}

/// Watches a roll. The unit type watches nothing and costs nothing.
pub trait Observer {
    /// A die was drawn.
    fn die(&mut self, die: RolledDie);
    /// A pool's dice, `count` of them, have all been drawn.
    fn pool(&mut self, count: usize);
}

impl Observer for () {
    #[inline]
    fn die(&mut self, _die: RolledDie) {}
    #[inline]
    fn pool(&mut self, _count: usize) {}
}

/// Keeps everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// All dice, in draw order.
    pub dice: Vec<RolledDie>,
    /// All pools, in the order in which they were rolled.
    pub pools: Vec<PoolRoll>,
}

impl Observer for Trace {
    fn die(&mut self, die: RolledDie) {
        self.dice.push(die);
    }

    fn pool(&mut self, count: usize) {
        // A pool's dice are drawn after everything that its count and sides roll, and before anything else.
        let first = self.dice.len() - count;
        self.pools.push(PoolRoll { first, count });
    }
}
