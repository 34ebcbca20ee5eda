//! Coins, counted: a lane word shows as many heads as it has reached bounds.

use super::state::VectorEmitter;
use cranelift::prelude::{InstBuilder, IntCC};
use dicec_runtime::rng::lanes::Coins;

impl VectorEmitter<'_, '_> {
    /// Throws the coins of a group and counts their heads. A group with an open word, which is rare, is left to the host.
    pub(super) fn count_coins(&mut self, coins: &Coins) {
        let words = self.lane_words();
        if coins.open() > 0 {
            // Below the first word that has a meaning.
            let least = self.splat(coins.least(0));
            let open = self
                .builder
                .ins()
                .icmp(IntCC::SignedGreaterThan, least, words);
            let any = self.builder.ins().vany_true(open);
            self.leave_if(any);
        }
        for heads in 1..=coins.a_word() {
            // A lane, as no coin is certain: some word is open or shows fewer heads.
            let before = self.splat(coins.least(heads) - 1);
            let reached = self
                .builder
                .ins()
                .icmp(IntCC::SignedGreaterThan, words, before);
            self.count(reached);
        }
    }
}
