//! Several equal dice of a W16 word, drawn as one number: a die of the product of their sides.
//!
//! The faces are the number's digits, the first die's the highest (see `word`). Each die after the
//! first sees the word with its top bit flipped, so its digit differs from its face by half the
//! number of sides.

use super::die::Die;

/// Equal dice that are drawn as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joint {
    die: Die,
    dice: u32,
}

impl Joint {
    /// The number of dice, at least one. There are at most 2^14 numbers.
    pub(super) fn new(die: Die, dice: u32) -> Self {
        Self { die, dice }
    }

    /// The number of dice.
    pub fn dice(self) -> u32 {
        self.dice
    }

    /// The number of numbers.
    pub fn numbers(self) -> u32 {
        self.die.drawn.pow(self.dice)
    }

    /// The die that shows the number, and one more.
    pub(super) fn die(self) -> Die {
        Die {
            drawn: self.numbers(),
            halved: false,
        }
    }

    /// Calls `add` with each face, counted from 0, and its count, given the counts of the numbers,
    /// which sum up to less than 2^32.
    pub fn faces(self, counts: &[u32], mut add: impl FnMut(usize, u32)) {
        let sides = self.die.drawn as usize;
        let halved = u32::from(self.die.halved);
        let mut counts = counts.to_vec();
        for index in 0..self.dice {
            let size = counts.len() / sides;
            let mut rest = vec![0; size];
            for (digit, row) in counts.chunks_exact(size).enumerate() {
                for (sum, &count) in rest.iter_mut().zip(row) {
                    *sum += count;
                }
                let turn = if index == 0 { 0 } else { sides / 2 };
                add(((digit + turn) % sides) >> halved, row.iter().sum());
            }
            counts = rest;
        }
    }
}
