//! Scalar replacement: fields of known arguments become values. A field that is accessed only at
//! known addresses needs no memory. For lanes, a field may also be accessed at one of a few
//! addresses of a [`KnownMemory`]: the access then selects among their words.

use super::known_memory::{self, KnownMemory, Places};
use super::look_up::First;
use super::words::{Access, Choice, MAX_HELD, rewrite};
use crate::ir::{Field, Imm, Inst, InstData, ListData, Module, Op, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::bug;
use rustc_hash::FxHashMap;

/// The maximum number of words that are replaced.
const MAX_WORDS: usize = 32;

/// The same with accesses at one of several addresses, and the maximum number of these.
const MAX_CHOSEN_WORDS: usize = 192;
const MAX_CHOICES: usize = 32;

/// Replaces all fields that can be replaced, in a module of known arguments.
pub(super) fn scalar_replacement(module: &mut Module, memory: Option<&KnownMemory>) {
    let Some(arguments) = module.tables.known.clone() else {
        return;
    };
    let arguments = memory.map_or(&*arguments, |memory| &memory.words);
    let found = Found::in_trial(module, arguments.len(), memory);
    let words = found.words();
    if found.reaches.is_empty() || words.len() * module.trial().blocks.len() > MAX_HELD {
        return;
    }
    let first = |at: usize| {
        let known = First::of(&module.tables, arguments, at);
        known.unwrap_or_else(|| bug!("a word outside of the memory is replaced").raise())
    };
    let accesses = found.accesses(&words, first);
    let first: Vec<First> = words.iter().map(|&(_, at)| first(at)).collect();
    rewrite(module.trial_mut(), &first, &accesses);
    forget_writes(module);
}

/// Updates which fields are still written.
fn forget_writes(module: &mut Module) {
    let mut written: SecondaryMap<Field, bool> = SecondaryMap::new();
    for function in module.functions.values() {
        for inst in function.live_insts() {
            let InstData { op, imm, .. } = &function.insts[inst];
            match imm {
                Imm::Field(field) if *op != Op::Peek => written[*field] = true,
                Imm::List(kind) => fields_of(&module.tables.lists[*kind])
                    .into_iter()
                    .for_each(|field| written[field] = true),
                _ => {}
            }
        }
    }
    for (field, data) in &mut module.tables.fields {
        data.written &= written[field];
    }
}

fn fields_of(list: &ListData) -> [Field; 4] {
    [list.length, list.capacity, list.start, list.element]
}

/// An instruction that reads or writes a field, and the words that it may access, in order: one, or
/// those that the address selects.
struct Reach {
    inst: Inst,
    op: Op,
    field: Field,
    address: Value,
    offset: i64,
    words: Vec<usize>,
}

/// The accesses of a trial to the words of known arguments.
struct Found {
    reaches: Vec<Reach>,
    /// The fields that are also accessed where they cannot be replaced.
    blocked: SecondaryMap<Field, bool>,
    /// The fields that the trial writes, if only when it makes a record: a [`Op::Peek`] may not
    /// read their initial contents.
    stored: SecondaryMap<Field, bool>,
    most: usize,
}

impl Found {
    fn in_trial(module: &Module, end: usize, memory: Option<&KnownMemory>) -> Self {
        let mut found = Self {
            reaches: Vec::new(),
            blocked: SecondaryMap::new(),
            stored: SecondaryMap::new(),
            most: memory.map_or(MAX_WORDS, |_| MAX_CHOSEN_WORDS),
        };
        let places = memory.map(|memory| Places::of(module, memory));
        for (func, function) in &module.functions {
            for inst in function.live_insts() {
                let data = &function.insts[inst];
                match (data.op, data.imm) {
                    // At a known address it is folded; in lanes there may be several addresses.
                    (Op::Peek, Imm::Field(_)) if places.is_none() => {}
                    (Op::Peek | Op::Load | Op::Store, Imm::Field(field)) => {
                        if func.as_u32() == 0 {
                            found.note(module, inst, field, places.as_ref(), end);
                        } else {
                            found.blocked[field] = true;
                        }
                    }
                    (_, Imm::List(kind)) => fields_of(&module.tables.lists[kind])
                        .into_iter()
                        .for_each(|field| found.blocked[field] = true),
                    // An instruction that moves words reads and writes all of them.
                    (_, Imm::Field(field)) => found.blocked[field] = true,
                    _ => {}
                }
            }
        }
        found
    }

    /// Records an access of the trial.
    fn note(
        &mut self,
        module: &Module,
        inst: Inst,
        field: Field,
        places: Option<&Places<'_>>,
        end: usize,
    ) {
        let trial = module.trial();
        let data = &trial.insts[inst];
        let address = data.args[0];
        let offset = i64::from(module.tables.fields[field].offset);
        let words = match (trial.as_iconst(address), places) {
            (Some(address), _) => {
                let at = address.checked_add(offset);
                let at = at.and_then(|at| usize::try_from(at).ok());
                at.filter(|&at| at < end).map(|at| vec![at])
            }
            (None, Some(places)) => match data.op {
                Op::Peek => places.read(field, address, known_memory::MAX_LOOKED_UP),
                Op::Store => places.written(field, address, MAX_CHOICES),
                _ => places.read(field, address, MAX_CHOICES),
            },
            (None, None) => None,
        };
        let Some(words) = words else {
            self.blocked[field] = true;
            return;
        };
        self.stored[field] |= data.op == Op::Store;
        self.reaches.push(Reach {
            inst,
            op: data.op,
            field,
            address,
            offset,
            words,
        });
    }

    /// The words that are replaced, by address.
    fn words(&self) -> Vec<(Field, usize)> {
        let reaches = self
            .reaches
            .iter()
            .filter(|reach| !self.blocked[reach.field] && !self.is_known(reach));
        let words = reaches.flat_map(|reach| reach.words.iter().map(|&at| (reach.field, at)));
        let mut words: Vec<(Field, usize)> = words.collect();
        words.sort_unstable();
        words.dedup();
        if words.len() > self.most {
            words.clear();
        }
        words
    }

    /// Whether it reads words that never change during a trial.
    fn is_known(&self, reach: &Reach) -> bool {
        reach.op == Op::Peek && !self.stored[reach.field]
    }

    /// The replacements of the accesses; `first` gives the initial contents of a word.
    fn accesses(
        &self,
        words: &[(Field, usize)],
        first: impl Fn(usize) -> First,
    ) -> FxHashMap<Inst, Access> {
        let numbers: FxHashMap<(Field, usize), usize> = words.iter().copied().zip(0..).collect();
        let access = |reach: &Reach| {
            let number = |at: usize| numbers.get(&(reach.field, at)).copied();
            let is_store = reach.op == Op::Store;
            // Addresses in the arguments are far below 2^63.
            let key = |at: usize| at as i64 - reach.offset;
            let access = match reach.words[..] {
                _ if self.blocked[reach.field] => return None,
                [at] if self.is_known(reach) => Access::Always(first(at)),
                _ if self.is_known(reach) => {
                    let words = reach.words.iter().map(|&at| (key(at), first(at)));
                    Access::LookUp(reach.address, words.collect())
                }
                [at] if is_store => Access::Store(number(at)?),
                [at] => Access::Load(number(at)?),
                _ => {
                    let words = reach.words.iter().map(|&at| Some((key(at), number(at)?)));
                    let choice = Choice {
                        index: reach.address,
                        words: words.collect::<Option<_>>()?,
                    };
                    if is_store {
                        Access::StoreOf(choice)
                    } else {
                        Access::LoadOf(choice)
                    }
                }
            };
            Some((reach.inst, access))
        };
        self.reaches.iter().filter_map(access).collect()
    }
}
