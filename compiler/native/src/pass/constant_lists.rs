//! Lists that are filled with known words and then only read. A read becomes a function of the
//! index (a few selects and additions), and the list is removed.
//!
//! ```text
//! v1 = new_list 52
//! v2 = store element (v1 + 3), 0
//! v3 = store element (v1 + 4), 1       ; and so on
//! v9 = load element (v1 + 3 + v8)
//! ; becomes
//! v9 = v8
//! ```
//!
//! Premise: every element is stored exactly once, and the stores dominate all reads, so each read
//! sees the stored word. Each store follows the allocation.

use super::look_up::{First, LookUp};
use super::objects::Objects;
use super::words::{Access, Index, rewrite};
use crate::analysis::KnownRanges;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Inst, Op, Tables, Value};
use dicec_runtime::script::HEADER;
use rustc_hash::FxHashMap;

/// The maximum number of elements.
const MAX_ELEMENTS: i64 = 64;

/// Replaces the reads of such lists if each needs at most this many selects.
pub(super) fn constant_lists(
    function: &mut Function,
    tables: &Tables,
    known: &mut KnownRanges,
    most: usize,
) {
    let is_list = |inst: Inst| function.insts[inst].op == Op::NewList;
    if !function.live_insts().any(is_list) {
        return;
    }
    let objects = Objects::of(function, tables, known);
    let graph = ControlFlow::new(function);
    let lists = (0..objects.all.len()).filter_map(|list| Filled::of(&objects, &graph, list));
    let few = lists.filter_map(|list| list.accesses(&graph, most));
    let accesses: FxHashMap<Inst, Access> = few.flatten().collect();
    rewrite(function, &[], &accesses);
}

/// The location of an instruction: its block, and its index there.
type Site = (Block, usize);

/// A list to which only known words are stored.
struct Filled {
    made: Inst,
    /// The words by their indices.
    words: Vec<(i64, First)>,
    /// The instructions that store them.
    stores: Vec<(Inst, Site, First)>,
    /// Those that read an element.
    loads: Vec<(Inst, Site, Index)>,
}

impl Filled {
    fn of(objects: &Objects<'_>, graph: &ControlFlow, list: usize) -> Option<Self> {
        let object = &objects.all[list];
        let fits = object.is_list && !object.escapes && !object.is_shifted;
        if !fits || object.size > MAX_ELEMENTS + HEADER {
            return None;
        }
        let mut filled = Self {
            made: object.made,
            words: Vec::new(),
            stores: Vec::new(),
            loads: Vec::new(),
        };
        for &block in graph.reverse_postorder() {
            let insts = objects.function.blocks[block].insts.iter();
            for (position, &inst) in insts.enumerate() {
                filled.note(objects, list, inst, (block, position))?;
            }
        }
        filled.words.sort_by_key(|&(index, _)| index);
        Some(filled)
    }

    /// Records the effect of an instruction on the list; `None` if it rules out the rewrite.
    fn note(&mut self, objects: &Objects<'_>, list: usize, inst: Inst, site: Site) -> Option<()> {
        let data = &objects.function.insts[inst];
        let is_list = |&arg: &Value| objects.base(arg) == Some(list);
        let is_compared = matches!(data.op, Op::Ieq | Op::Ine) && data.args.iter().any(is_list);
        if is_compared || objects.grown(data) == Some(list) {
            return None;
        }
        let Some(word) = objects.word(data).filter(|word| word.object == list) else {
            return Some(());
        };
        let index = word.offset - HEADER;
        match (data.op, word.index) {
            _ if index < 0 => return None,
            (Op::Store, None) => {
                let stored = First::Number(objects.function.as_iconst(data.args[1])?);
                self.words.push((index, stored));
                self.stores.push((inst, site, stored));
            }
            (Op::Load | Op::Peek, at) => {
                let at = at.map_or(Index::Number(index), Index::Value);
                self.loads.push((inst, site, at));
            }
            _ => return None,
        }
        Some(())
    }

    /// The replacements of the instructions, if all reads see all words and need few selects.
    fn accesses(self, graph: &ControlFlow, most: usize) -> Option<Vec<(Inst, Access)>> {
        let is_once = self.words.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let all_before = |load: Site| {
            let mut stores = self.stores.iter();
            stores.all(|&(_, store, _)| comes_before(graph, store, load))
        };
        let mut loads = self.loads.iter();
        if !is_once || self.words.is_empty() || !loads.all(|&(_, load, _)| all_before(load)) {
            return None;
        }
        let mut loads = self.loads.iter();
        let is_chosen = loads.any(|(_, _, at)| matches!(at, Index::Value(_)));
        if is_chosen && LookUp::of(&self.words).rest.len() > most {
            return None;
        }
        let mut accesses = vec![(self.made, Access::Make(Vec::new()))];
        let stores = self.stores.iter();
        accesses.extend(stores.map(|&(inst, _, word)| (inst, Access::Always(word))));
        for (inst, _, at) in self.loads {
            let access = match at {
                Index::Value(index) => Access::LookUp(index, self.words.clone()),
                Index::Number(index) => {
                    let found = self.words.iter().find(|&&(at, _)| at == index);
                    Access::Always(found?.1)
                }
            };
            accesses.push((inst, access));
        }
        Some(accesses)
    }
}

/// Whether the first instruction dominates the second.
fn comes_before(graph: &ControlFlow, first: Site, second: Site) -> bool {
    match first.0 == second.0 {
        true => first.1 < second.1,
        false => graph.dominates(first.0, second.0),
    }
}
