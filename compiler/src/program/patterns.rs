//! Kernels for all arguments of a pattern.
//!
//! A pattern is the part of the arguments that code depends on: the lengths of lists, texts, truth
//! values, names, and the numbers that shape the code ([`shaping_words`]), such as those of dice.
//! All other whole numbers are open words (free parameters): code reads them from its argument
//! block. So lists have a known length, records are values, and lanes work, as for known arguments;
//! and one kernel serves all rows of a table that differ only in bonuses, armour and hit points.
//!
//! A word that is 0 is not open if trials test it ([`tested_words`]): abilities that a creature
//! does not have are omitted from its code. If dice decide the length of a trial, as in fights,
//! arguments whose open words are all small have a pattern of their own, with narrower lanes. Other
//! trials gain little from it, and each pattern has to be compiled.
//!
//! ```text
//! arguments --structure--> outline: what the code depends on
//!           --pattern----> kernel
//! ```
//!
//! A pattern depends only on the script and the arguments, so the kernel of a roll does not depend
//! on other rolls. `shared_code` finds patterns, and makes the code.
//!
//! [`shaping_words`]: dicec_native::analysis::shaping_words
//! [`tested_words`]: dicec_native::analysis::tested_words

use super::failure::Failure;
use super::kept::Kept;
use super::kernels::Compiled;
use super::simulation::{Backend, Wanted};
use dicec_native::ir::{Module, OpenRange, OpenWords};
use dicec_native::pass::Sampling;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The patterns of a roll.
#[derive(Default)]
pub(super) struct Patterns {
    /// By argument blocks whose words are 0, except for addresses.
    pub(super) outlines: Kept<Box<[i64]>, Result<Arc<Outline>, Failure>>,
    pub(super) kernels: Kept<(Pattern, Making), Result<PatternKernel, Failure>>,
}

/// The key of a kernel besides its pattern.
pub(super) type Making = (Sampling, Backend, Wanted);

/// A kernel, and the module that its argument blocks are for.
#[derive(Clone)]
pub(super) struct PatternKernel {
    pub(super) kernel: Arc<Compiled>,
    pub(super) module: Arc<Module>,
}

/// The properties shared by all arguments with lists of the same lengths.
pub(super) struct Outline {
    /// The words that the roll never reads.
    pub(super) unread: FxHashSet<u32>,
    /// The words that shape the code.
    pub(super) shaping: FxHashSet<u32>,
    /// The words that trials compare with 0.
    pub(super) tested: FxHashSet<u32>,
    /// Whether dice decide the length of a trial's loops.
    pub(super) loops: bool,
}

impl Outline {
    /// Whether a whole number of the arguments is open.
    pub(super) fn opens(&self, address: u32, number: i64) -> bool {
        OpenRange::Usual.numbers().contains(&number)
            && !self.shaping.contains(&address)
            && !(number == 0 && self.tested.contains(&address))
    }

    /// The range of these open words.
    pub(super) fn range(&self, words: &[i64], open: &[u32]) -> OpenRange {
        let small = OpenRange::Small.numbers();
        let mut numbers = open.iter().map(|&address| &words[address as usize]);
        match self.loops && !open.is_empty() && numbers.all(|number| small.contains(number)) {
            true => OpenRange::Small,
            false => OpenRange::Usual,
        }
    }
}

/// An equivalence class of arguments that differ only in open and unread words.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Pattern {
    /// The words of their argument blocks; 0 for open and unread words and for texts.
    pub(super) words: Box<[i64]>,
    /// The texts, in the order of their words.
    pub(super) texts: Box<[String]>,
    pub(super) open: OpenWords,
    /// The addresses of words that the roll never reads, in order.
    pub(super) unread: Box<[u32]>,
}
