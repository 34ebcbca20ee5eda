//! The code that all arguments of a pattern share: finds the pattern of a roll's arguments, and the
//! kernel for it.

use super::bind::Bound;
use super::failure::Failure;
use super::kernels::Compiled;
use super::patterns::{Making, Outline, Pattern, PatternKernel};
use super::stages::Simulated;
use dicec_native::analysis::{Words, has_open_loops, read_words, shaping_words, tested_words};
use dicec_native::ir::{ArgumentBlock, Field, OpenRange, OpenWords, Tables};
use dicec_native::lower::{Arguments, Holds, Leaf};
use dicec_native::pass::{Sampling, optimise};
use dicec_runtime::bug;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

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
