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
//! on other rolls.

use super::bind::Bound;
use super::failure::Failure;
use super::kernels::Compiled;
use super::simulation::{Backend, Wanted};
use super::stages::{Simulated, locked};
use dicec_native::analysis::{Words, has_open_loops, read_words, shaping_words, tested_words};
use dicec_native::ir::{ArgumentBlock, Field, Module, OpenRange, OpenWords, Tables};
use dicec_native::lower::{Arguments, Holds, Leaf};
use dicec_native::pass::{Sampling, optimise};
use dicec_runtime::bug;
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock};

/// The maximum number of outlines, and of kernels, that a roll keeps: the most recent ones.
const MAX_KEPT: usize = 256;

/// The patterns of a roll.
#[derive(Default)]
pub(super) struct Patterns {
    /// By argument blocks whose words are 0, except for addresses.
    outlines: Kept<Box<[i64]>, Result<Arc<Outline>, Failure>>,
    kernels: Kept<(Pattern, Making), Result<PatternKernel, Failure>>,
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
struct Outline {
    /// The words that the roll never reads.
    unread: FxHashSet<u32>,
    /// The words that shape the code.
    shaping: FxHashSet<u32>,
    /// The words that trials compare with 0.
    tested: FxHashSet<u32>,
    /// Whether dice decide the length of a trial's loops.
    loops: bool,
}

impl Outline {
    /// Whether a whole number of the arguments is open.
    fn opens(&self, address: u32, number: i64) -> bool {
        OpenRange::Usual.numbers().contains(&number)
            && !self.shaping.contains(&address)
            && !(number == 0 && self.tested.contains(&address))
    }

    /// The range of these open words.
    fn range(&self, words: &[i64], open: &[u32]) -> OpenRange {
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
    words: Box<[i64]>,
    /// The texts, in the order of their words.
    texts: Box<[String]>,
    pub(super) open: OpenWords,
    /// The addresses of words that the roll never reads, in order.
    pub(super) unread: Box<[u32]>,
}

impl Bound {
    /// The kernel for the pattern of these arguments, made by `make` if it is new, and the inputs
    /// of a call.
    pub(super) fn pattern_kernel(
        &self,
        making: Making,
        make: impl FnOnce(&Pattern) -> Result<PatternKernel, Failure>,
    ) -> Result<(Arc<Compiled>, Vec<i64>), Failure> {
        let pattern = self.pattern()?;
        let unread = pattern.unread.clone();
        let kernels = &self.stages().patterns.kernels;
        let made = kernels.get((pattern, making), |(pattern, _)| make(pattern));
        let PatternKernel { kernel, module } = made?;
        let inputs = self.inputs_read(&module, &unread)?;
        Ok((kernel, inputs))
    }

    /// The code that simulations of all arguments of this pattern run, and its inputs for these
    /// arguments.
    ///
    /// # Errors
    /// An internal error.
    #[doc(hidden)]
    pub fn shared(&self, sampling: Sampling) -> Result<(Simulated, Vec<i64>), Failure> {
        let pattern = self.pattern()?;
        let shared = self.patterned(&pattern, sampling, &mut self.rewrites())?;
        let module = shared
            .as_ref()
            .map_or_else(|module| &**module, |form| &form.module);
        let inputs = self.inputs_read(module, &pattern.unread)?;
        Ok((shared, inputs))
    }

    /// The pattern of these arguments and resources.
    pub(super) fn pattern(&self) -> Result<Pattern, Failure> {
        let any = self.lowered();
        let arguments = Arguments::new(any);
        let laid_out = arguments.laid_out(self.arguments(), self.resources(), &[]);
        let laid_out = laid_out.ok_or_else(|| self.wrong_types())?;
        let (mut words, leaves) = (laid_out.words, laid_out.leaves);
        let mut structure = words.clone();
        for leaf in &leaves {
            structure[leaf.address as usize] = 0;
        }
        let outlines = &self.stages().patterns.outlines;
        let outline = outlines.get(structure.into(), |_| self.outline(&leaves).map(Arc::new))?;
        let known = any.tables.texts.iter().map(String::as_str);
        let ids: Vec<&str> = known.chain(laid_out.texts).collect();
        let (mut texts, mut open, mut unread) = (Vec::new(), Vec::new(), Vec::new());
        let mut unknown = Vec::new();
        for Leaf { address, holds } in leaves {
            let word = words[address as usize];
            match holds {
                _ if outline.unread.contains(&address) => unread.push(address),
                Holds::Int if outline.opens(address, word) => open.push(address),
                Holds::Text => {
                    let text = usize::try_from(word).ok().and_then(|id| ids.get(id));
                    texts.extend(text.map(|&text| text.to_owned()));
                }
                Holds::Int | Holds::Other => continue,
            }
            unknown.push(address);
        }
        let range = outline.range(&words, &open);
        for address in unknown {
            words[address as usize] = 0;
        }
        Ok(Pattern {
            words: words.into(),
            texts: texts.into(),
            open: OpenWords {
                addresses: open.into(),
                range,
            },
            unread: unread.into(),
        })
    }

    /// The outline of these arguments, whose words are `leaves`.
    fn outline(&self, leaves: &[Leaf]) -> Result<Outline, Failure> {
        let open: Vec<u32> = leaves.iter().map(|leaf| leaf.address).collect();
        let all = OpenWords {
            addresses: open.as_slice().into(),
            range: OpenRange::Usual,
        };
        let (mut module, arguments) = self.lowered_for(&all, &[])?;
        // The block is for any arguments: texts and names are not in the range of open words.
        let tables = Tables {
            known: None,
            ..module.tables.clone()
        };
        let fields = ArgumentBlock::fields(&tables, module.slots(), &arguments);
        let fields = fields.ok_or_else(|| self.bug(bug!("arguments without a layout")))?;
        let field_of: FxHashMap<u32, Field> = fields
            .into_iter()
            .map(|(field, address)| (address, field))
            .collect();
        let among = |words: &Words| -> FxHashSet<u32> {
            let is_one = |address: &u32| {
                let field = field_of.get(address);
                words.addresses.contains(address)
                    || field.is_some_and(|field| words.fields.contains(field))
            };
            open.iter().copied().filter(is_one).collect()
        };
        let read = among(&read_words(&module));
        optimise(&mut module, Sampling::Faithful, &mut self.rewrites());
        Ok(Outline {
            unread: open
                .iter()
                .copied()
                .filter(|at| !read.contains(at))
                .collect(),
            shaping: among(&shaping_words(&module)),
            tested: among(&tested_words(&module)),
            loops: has_open_loops(&module),
        })
    }
}

/// Values by key. Each is made once, even if several threads need it at the same time. The oldest
/// are dropped.
struct Kept<K, V>(Mutex<IndexMap<K, Arc<OnceLock<V>>>>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self(Mutex::new(IndexMap::new()))
    }
}

impl<K: Clone + Eq + Hash, V: Clone> Kept<K, V> {
    fn get(&self, key: K, make: impl FnOnce(&K) -> V) -> V {
        let value = {
            let mut kept = locked(&self.0);
            if kept.len() == MAX_KEPT && !kept.contains_key(&key) {
                kept.shift_remove_index(0);
            }
            Arc::clone(kept.entry(key.clone()).or_default())
        };
        value.get_or_init(|| make(&key)).clone()
    }
}
