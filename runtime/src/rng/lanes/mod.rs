//! The draw layout of vector kernels, part of the seed contract: how words become the dice of many trials at once. This is its
//! meaning, in plain Rust; the IR evaluator draws through it, and compiled code gives the same dice and end state.
//!
//! A kernel's *lanes* hold a trial each. Every draw takes one 64-bit word from each of two streams ([`Twins`]) and cuts both into
//! lane words, the lowest bits of the first stream's word first. A lane word becomes several dice ([`Word`]): those of its trial,
//! and, where they are few, those of further trials of the same lane. So a *group* of [`Layout::trials`] trials is drawn at once:
//! the first trials of all lanes, then the second ones, and so on. A group draws its words in the order of its dice, lane by lane.
//!
//! A lane that rejects its word makes all lanes draw anew: the word alone, or the whole group where that happens seldom
//! ([`Layout::together`]). Either is exact: the number of draws is fixed, and the lanes that accepted have nothing to do with
//! those that did not.
//!
//! **Branches and loops** cut a trial into regions: what lies outside of all loops is one, and each loop is one, without the loops in it.
//! A region has a layout of its own, of the dice in the text of its blocks in their order, and a group draws by it whenever it comes to the
//! region: once a trial, or once a round of the loop for as long as any of its trials goes on. So dice are drawn for all lanes, on both sides of a
//! branch, and for trials that have left the loop; most of them nobody looks at. How many words a round takes never depends on the faces of that round, so
//! that faces which nobody looks at change no odds; and a word that is drawn anew belongs to its round alone. A group with a loop has one trial a lane.
//!
//! **Checks of which every die is known** roll none of them: a trial is a coin of the check's exact odds, and a lane word gives eight ([`Coins`]).
//!
//! A number of trials that is no multiple of a group's ends in a group whose last trials nobody looks at. They run like the others: a
//! loop goes on for them, too.

mod coins;
mod joint;
mod word;

#[cfg(test)]
mod tests;

pub use coins::Coins;
pub use joint::Joint;
pub use word::{Die, Word};

use super::Stream;
use coins::COINS;
use std::sync::Arc;

/// How wide a kernel's lanes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tier {
    /// Eight lanes of 16 bits.
    V16,
    /// Four lanes of 32 bits.
    V32,
}

impl Tier {
    /// How many lanes there are.
    pub fn lanes(self) -> usize {
        (128 / self.bits()) as usize
    }

    /// How many bits a lane has.
    pub fn bits(self) -> u32 {
        match self {
            Tier::V16 => 16,
            Tier::V32 => 32,
        }
    }

    /// Whether a lane can hold all whole numbers from `low` to `high`.
    pub fn holds(self, low: i64, high: i64) -> bool {
        let most = 1_i64 << (self.bits() - 1);
        low >= -most && high < most
    }
}

/// A stream and its twin, which is a long jump (2^192 words) away and so in nobody else's way. Both take the same steps: the
/// stream alone tells where the twin is, and is what a kernel leaves behind.
#[derive(Clone, Debug)]
pub struct Twins {
    /// The stream that was given.
    pub first: Stream,
    /// Its twin.
    pub second: Stream,
}

impl Twins {
    /// The twins at this stream's place.
    pub fn new(stream: &Stream) -> Self {
        Self {
            first: stream.clone(),
            second: stream.twin(),
        }
    }

    /// The next word of each, as lane words.
    fn lanes(&mut self, tier: Tier) -> impl Iterator<Item = u32> + use<> {
        let words = [self.first.word(), self.second.word()];
        let bits = tier.bits();
        words
            .into_iter()
            .flat_map(move |word| (0..64 / bits).map(move |lane| word >> (lane * bits)))
            // A lane has at most 32 bits.
            .map(move |word| (word & (u64::MAX >> (64 - bits))) as u32)
    }
}

/// Most dice of a group that takes more than one trial a lane: beyond them registers run out.
const MOST_SHARED_DICE: usize = 8;

/// A group is drawn anew as a whole if at most this share of groups has to be, in 65536ths of a draw.
const SELDOM: u64 = 1 << 14;

/// How the words of a group become dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    tier: Tier,
    /// How many trials a lane takes.
    slots: usize,
    /// How many dice a trial takes.
    dice: usize,
    words: Vec<Word>,
    together: bool,
    /// What a draw gives instead of the words' dice.
    coins: Option<Arc<Coins>>,
}

impl Layout {
    /// The layout of trials that are coins: dice of two sides, of which the second is heads.
    pub fn of_coins(coins: Coins) -> Self {
        Self {
            tier: Tier::V32,
            slots: COINS,
            dice: 1,
            words: Vec::new(),
            together: false,
            coins: Some(Arc::new(coins)),
        }
    }

    /// The layout of trials that roll dice of these sides, in this order; `None` where a lane word cannot give one of them.
    pub fn new(tier: Tier, sides: &[u32]) -> Option<Self> {
        let mut best = Self::of_lone_trials(tier, sides)?;
        for slots in [2, 4] {
            if sides.len() * slots > MOST_SHARED_DICE {
                break;
            }
            let next = Self::with_slots(tier, sides, slots)?;
            // As few words a trial as can be; among equals the larger group.
            if next.words.len() * best.slots <= best.words.len() * slots {
                best = next;
            }
        }
        Some(best)
    }

    /// [`Layout::new`] with one trial a lane.
    pub fn of_lone_trials(tier: Tier, sides: &[u32]) -> Option<Self> {
        Self::with_slots(tier, sides, 1)
    }

    fn with_slots(tier: Tier, sides: &[u32], slots: usize) -> Option<Self> {
        let words = Word::pack(tier, sides.repeat(slots).into_iter())?;
        let rejected: u64 = words.iter().map(|word| word.rejected_of_65536()).sum();
        Some(Self {
            tier,
            slots,
            dice: sides.len(),
            words,
            together: rejected * tier.lanes() as u64 <= SELDOM,
            coins: None,
        })
    }

    /// How wide the lanes are.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// How many trials a lane takes: the trials of a group come in so many runs of one a lane.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// How many dice a trial takes.
    pub fn dice(&self) -> usize {
        self.dice
    }

    /// How many trials a group has.
    pub fn trials(&self) -> usize {
        self.slots * self.tier.lanes()
    }

    /// The coins that a draw gives, if it gives no dice.
    pub fn coins(&self) -> Option<&Coins> {
        self.coins.as_deref()
    }

    /// The words of a lane, in draw order. Their dice are those of the lane's trials, one trial behind the other. Coins have none.
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// Whether a rejected word makes the whole group draw anew, and not the word alone.
    pub fn together(&self) -> bool {
        self.together
    }

    /// Draws the dice of a group.
    pub fn draw(&self, twins: &mut Twins) -> Group {
        if let Some(coins) = &self.coins {
            let faces = |way: u64| (0..COINS).map(|coin| 1 + (way >> coin & 1)).collect();
            return Group {
                lanes: coins.draw(twins).into_iter().map(faces).collect(),
                dice: self.dice,
            };
        }
        loop {
            let mut lanes = vec![Vec::new(); self.tier.lanes()];
            let accepted = self.words.iter().fold(true, |accepted, word| {
                accepted & self.draw_word(word, twins, &mut lanes)
            });
            if accepted {
                return Group {
                    lanes,
                    dice: self.dice,
                };
            }
        }
    }

    /// Draws a word of each lane and adds its faces; says whether they count.
    fn draw_word(&self, word: &Word, twins: &mut Twins, lanes: &mut [Vec<u64>]) -> bool {
        loop {
            let before = lanes.first().map_or(0, Vec::len);
            let mut accepted = true;
            for (bits, faces) in twins.lanes(self.tier).zip(&mut *lanes) {
                accepted &= word.draw(bits, |face| faces.push(face));
            }
            if accepted || self.together {
                return accepted;
            }
            lanes.iter_mut().for_each(|faces| faces.truncate(before));
        }
    }
}

/// The dice of a group.
#[derive(Clone, Debug)]
pub struct Group {
    /// The faces of each lane, one trial behind the other.
    lanes: Vec<Vec<u64>>,
    /// How many dice a trial takes.
    dice: usize,
}

impl Group {
    /// The faces of a trial, in draw order. `trial` is below [`Layout::trials`].
    pub fn faces(&self, trial: usize) -> &[u64] {
        let (slot, lane) = (trial / self.lanes.len(), trial % self.lanes.len());
        &self.lanes[lane][slot * self.dice..(slot + 1) * self.dice]
    }
}
