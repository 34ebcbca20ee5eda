//! The draw layout of vector kernels, part of the seed contract: how words become the dice of many
//! trials at once. This is its meaning, in plain Rust; the IR evaluator draws with it, and compiled
//! code gives the same dice and end state.
//!
//! Each *lane* of a kernel holds a trial. Every draw takes one 64-bit word from each of two streams
//! ([`Twins`]) and cuts both into lane words, the lowest bits of the first stream's word first; it
//! takes two draws to give each of sixteen lanes a word. A lane word becomes several dice
//! ([`Word`]): those of its trial and, if these are few, those of further trials of the same lane.
//! So a *group* of [`Layout::trials`] trials is drawn at once: first one trial of each lane, then
//! the second one of each, and so on. A group draws its words in the order of its dice, lane by
//! lane.
//!
//! If a lane rejects its word, all lanes draw again: only that word, or the whole group if
//! rejections are rare ([`Layout::together`]). Both are exact: the number of draws is fixed, and
//! the words of the lanes that accepted do not depend on the lanes that did not.
//!
//! **Branches and loops** cut a trial into regions: everything outside of loops is one, and each
//! loop is one, without the loops in it. A region has a layout of its own, of the dice in its
//! blocks in their order. A group draws by it whenever it comes to the region: once per trial, or
//! once per iteration of the loop until the last of its trials has left it. So dice are drawn for
//! all lanes, on both sides of a branch, and for trials that have left the loop; most of them are
//! never read. How many words an iteration takes does not depend on the faces of that iteration, so
//! faces that are never read change no odds, and a word that is drawn again belongs to its
//! iteration only. A group with a loop has one trial per lane.
//!
//! **Checks whose dice are all known** roll none of them: a trial is a Bernoulli draw with the
//! exact odds of the check, and a lane word gives eight ([`Bernoulli`]).
//!
//! **Relays** (lane refill): if a trial is mostly one loop, each lane runs several trials of a
//! group, one after the other. After an iteration in which a lane leaves the loop, the outermost
//! region is drawn again, once for all lanes: its dice after the loop are for the trials that end,
//! those before it for the trials that begin. The number of words depends on faces only through the
//! lengths of trials, and each lane runs the same number of trials, however long they are.
//!
//! If a number of trials is not a multiple of a group's, the last group has trials whose results
//! are discarded. They run like the others: a loop also continues for them.

mod bernoulli;
mod die;
mod joint;
mod word;

#[cfg(test)]
mod tests;

pub use bernoulli::Bernoulli;
pub use die::{Die, WordWidth};
pub use joint::Joint;
pub use word::Word;

use super::Stream;
use bernoulli::DRAWS;
use std::sync::Arc;

/// How wide a kernel's lanes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LaneWidth {
    /// Sixteen lanes of 8 bits. Their lane words have 16 bits, so it takes two draws to give each
    /// lane one: the first for lanes 0 to 7.
    V8,
    /// Eight lanes of 16 bits.
    V16,
    /// Four lanes of 32 bits.
    V32,
}

impl LaneWidth {
    /// The number of lanes.
    pub fn lanes(self) -> usize {
        (128 / self.bits()) as usize
    }

    /// The number of bits of a lane.
    pub fn bits(self) -> u32 {
        match self {
            LaneWidth::V8 => 8,
            LaneWidth::V16 => 16,
            LaneWidth::V32 => 32,
        }
    }

    /// The width of the lane words that its dice come from.
    pub fn word(self) -> WordWidth {
        match self {
            LaneWidth::V8 | LaneWidth::V16 => WordWidth::W16,
            LaneWidth::V32 => WordWidth::W32,
        }
    }

    /// Whether a lane can hold all whole numbers from `low` to `high`.
    pub fn holds(self, low: i64, high: i64) -> bool {
        let most = 1_i64 << (self.bits() - 1);
        low >= -most && high < most
    }
}

/// A stream and its twin, which is a long jump (2^192 words) away, where no other stream comes.
/// Both take the same steps, so the stream is enough to find the twin, and a kernel hands back only
/// the stream.
#[derive(Clone, Debug)]
pub struct Twins {
    /// The stream that was given.
    pub first: Stream,
    /// Its twin.
    pub second: Stream,
}

impl Twins {
    /// The twins at this stream's position.
    pub fn new(stream: &Stream) -> Self {
        Self {
            first: stream.clone(),
            second: stream.twin(),
        }
    }

    /// The next word of each, or the next two, as a lane word for each lane.
    fn lanes(&mut self, width: LaneWidth) -> impl Iterator<Item = u32> + use<> {
        let mut next = || [self.first.word(), self.second.word()];
        let bits = width.word().bits();
        let words = [next()].into_iter();
        let more = (bits > width.bits()).then(next);
        words
            .chain(more)
            .flatten()
            .flat_map(move |word| (0..64 / bits).map(move |lane| word >> (lane * bits)))
            // A lane has at most 32 bits.
            .map(move |word| (word & (u64::MAX >> (64 - bits))) as u32)
    }
}

/// The maximum number of dice of a group with more than one trial per lane: more dice need too many
/// registers.
const MAX_SHARED_DICE: usize = 8;

/// A group is drawn again as a whole if at most this share of groups is rejected, in 65536ths of a
/// draw.
const SELDOM: u64 = 1 << 14;

/// How the words of a group become dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    width: LaneWidth,
    /// The number of trials per lane.
    trials_per_lane: usize,
    /// The number of dice of a trial.
    dice: usize,
    words: Vec<Word>,
    together: bool,
    /// Drawn instead of the dice of words.
    bernoulli: Option<Arc<Bernoulli>>,
}

impl Layout {
    /// The layout of Bernoulli draws: each is a die of two sides, the second of which is success.
    pub fn of_bernoulli(draws: Bernoulli) -> Self {
        Self {
            width: LaneWidth::V32,
            trials_per_lane: DRAWS,
            dice: 1,
            words: Vec::new(),
            together: false,
            bernoulli: Some(Arc::new(draws)),
        }
    }

    /// The layout of trials that roll dice of these sides, in this order; `None` if a lane word
    /// cannot give one of them.
    pub fn new(width: LaneWidth, sides: &[u32]) -> Option<Self> {
        let mut best = Self::of_lone_trials(width, sides)?;
        for trials in [2, 4] {
            if sides.len() * trials > MAX_SHARED_DICE {
                break;
            }
            let next = Self::with_trials_per_lane(width, sides, trials)?;
            // The fewest words per trial; among equals the larger group.
            if next.words.len() * best.trials_per_lane <= best.words.len() * trials {
                best = next;
            }
        }
        Some(best)
    }

    /// [`Layout::new`] with one trial per lane.
    pub fn of_lone_trials(width: LaneWidth, sides: &[u32]) -> Option<Self> {
        Self::with_trials_per_lane(width, sides, 1)
    }

    fn with_trials_per_lane(
        width: LaneWidth,
        sides: &[u32],
        trials_per_lane: usize,
    ) -> Option<Self> {
        let words = Word::pack(width.word(), sides.repeat(trials_per_lane).into_iter())?;
        let rejected: u64 = words.iter().map(|word| word.rejected_of_65536()).sum();
        Some(Self {
            width,
            trials_per_lane,
            dice: sides.len(),
            words,
            together: rejected * width.lanes() as u64 <= SELDOM,
            bernoulli: None,
        })
    }

    /// How wide the lanes are.
    pub fn width(&self) -> LaneWidth {
        self.width
    }

    /// The number of trials per lane: a group is that many runs of one trial per lane.
    pub fn trials_per_lane(&self) -> usize {
        self.trials_per_lane
    }

    /// The number of dice of a trial.
    pub fn dice(&self) -> usize {
        self.dice
    }

    /// The number of trials of a group.
    pub fn trials(&self) -> usize {
        self.trials_per_lane * self.width.lanes()
    }

    /// The Bernoulli draws that replace dice, if they do.
    pub fn bernoulli(&self) -> Option<&Bernoulli> {
        self.bernoulli.as_deref()
    }

    /// The words of a lane, in draw order. Their dice are those of the lane's trials, one trial
    /// after the other. Bernoulli draws have none.
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// Whether a rejected word makes the whole group draw again, not only the word.
    pub fn together(&self) -> bool {
        self.together
    }

    /// Draws the dice of a group.
    pub fn draw(&self, twins: &mut Twins) -> Group {
        if let Some(bernoulli) = &self.bernoulli {
            let faces = |pattern: u64| (0..DRAWS).map(|draw| 1 + (pattern >> draw & 1)).collect();
            return Group {
                lanes: bernoulli.draw(twins).into_iter().map(faces).collect(),
                dice: self.dice,
            };
        }
        loop {
            let mut lanes = vec![Vec::new(); self.width.lanes()];
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

    /// Draws a word of each lane and adds its faces; returns whether they count.
    fn draw_word(&self, word: &Word, twins: &mut Twins, lanes: &mut [Vec<u64>]) -> bool {
        loop {
            let before = lanes.first().map_or(0, Vec::len);
            let mut accepted = true;
            for (bits, faces) in twins.lanes(self.width).zip(&mut *lanes) {
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
    /// The faces of each lane, one trial after the other.
    lanes: Vec<Vec<u64>>,
    /// The number of dice of a trial.
    dice: usize,
}

impl Group {
    /// The faces of a trial, in draw order. `trial` is below [`Layout::trials`].
    pub fn faces(&self, trial: usize) -> &[u64] {
        let (run, lane) = (trial / self.lanes.len(), trial % self.lanes.len());
        &self.lanes[lane][run * self.dice..(run + 1) * self.dice]
    }
}
