//! Counts Bernoulli draws: the number of successes of a lane word is the number of bounds that it
//! reaches.

use super::state::VectorEmitter;
use cranelift::prelude::{InstBuilder, IntCC};
use dicec_runtime::rng::lanes::Bernoulli;

impl VectorEmitter<'_, '_> {
    /// Counts the successes of a group. A group with an open word, which is rare, is left to the
    /// host.
    pub(super) fn count_bernoulli(&mut self, draws: &Bernoulli) {
        let words = self.lane_words();
        if draws.open() > 0 {
            // Below the first word that a pattern owns.
            let least = self.splat(draws.least(0));
            let open = self
                .builder
                .ins()
                .icmp(IntCC::SignedGreaterThan, least, words);
            let any = self.builder.ins().vany_true(open);
            self.leave_if(any);
        }
        for successes in 1..=draws.per_word() {
            // The bound is a lane: no draw is certain, so that some word is open or has fewer
            // successes.
            let before = self.splat(draws.least(successes) - 1);
            let reached = self
                .builder
                .ins()
                .icmp(IntCC::SignedGreaterThan, words, before);
            self.count(reached);
        }
    }
}
