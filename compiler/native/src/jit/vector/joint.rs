//! Code that counts draws: see [`super::draws`].

use super::draws::Draws;
use super::number::Number;
use super::state::VectorEmitter;
use dicec_runtime::rng::lanes::Layout;

impl VectorEmitter<'_, '_> {
    /// Draws a group and increments the cells of its numbers.
    pub(super) fn count_draws(&mut self, draws: &Draws) {
        let layout = self.form.region.layout.as_ref();
        let together = layout.is_some_and(Layout::together);
        let (mut lefts, mut cells) = (Vec::new(), Vec::new());
        for (word, firsts) in &draws.words {
            let mut drawn: Vec<Number> = Vec::new();
            if together {
                let left = self.word(word, |_, number| drawn.push(number));
                self.leave(&mut lefts, left);
            } else {
                drawn = self.redrawn(word);
            }
            for (number, &first) in drawn.into_iter().zip(firsts) {
                // A number is within its table, whatever the word is: it is the high part of a
                // product.
                let number = self.one(number);
                let number = self.above(number, 1);
                self.hold(number, cells.len());
                cells.push(first);
            }
        }
        self.redraw_if(&lefts, self.head);
        for (held, first) in cells.into_iter().enumerate() {
            self.raise_held(held, first, false);
        }
    }
}
