//! Store-to-load forwarding: a load of a word whose value is known is replaced by that value, which
//! was stored or loaded before, with nothing in between that may have changed the word.
//!
//! Aliasing: words of different fields are different, and so are words of one field at different
//! offsets from one address. A store may change any other word of its field. The facts at the end
//! of a block also hold in a block of which it is the only predecessor.
//!
//! Dead stores: a store is dropped if its word is stored again before anything may have loaded it.

use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Field, Function, Imm, Inst, ListData, Op, Tables, Value};
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

/// An address: an offset from another address, or an absolute one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    base: Option<Value>,
    above: i64,
}

impl Place {
    fn of(function: &Function, mut address: Value) -> Self {
        let mut above = 0_i64;
        while let Some(data) = function.def(address)
            && data.op == Op::IaddWrap
        {
            let [a, b] = [0, 1].map(|operand| data.args[operand]);
            let (base, number) = match (function.as_iconst(a), function.as_iconst(b)) {
                (None, Some(number)) => (a, number),
                (Some(number), None) => (b, number),
                _ => break,
            };
            (address, above) = (base, above.wrapping_add(number));
        }
        match function.as_iconst(address) {
            Some(number) => Self {
                base: None,
                above: above.wrapping_add(number),
            },
            None => Self {
                base: Some(address),
                above,
            },
        }
    }

    /// Whether both may be the same address.
    fn may_equal(self, other: Self) -> bool {
        self.base != other.base || self.above == other.above
    }
}

/// The words whose values are known, by field and address.
type Known = FxHashMap<(Field, Place), Value>;

/// The maximum number of words that are tracked.
const MAX_WORDS: usize = 256;

/// Replaces loads of known words.
pub(super) fn forward(function: &mut Function, tables: &Tables) {
    let graph = ControlFlow::new(function);
    let mut replaced: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    let mut ends: SecondaryMap<Block, Known> = SecondaryMap::new();
    for &block in graph.reverse_postorder() {
        let mut known = match graph.predecessors(block) {
            &[only] if block != function.entry() => ends[only].clone(),
            _ => Known::default(),
        };
        let mut insts = std::mem::take(&mut function.blocks[block].insts);
        insts.retain(|&inst| {
            for arg in &mut function.insts[inst].args {
                *arg = replaced[*arg].unwrap_or(*arg);
            }
            let value = known_word(&mut known, function, inst, tables);
            replaced[function.insts[inst].result] = value;
            value.is_none()
        });
        drop_stores(function, &mut insts, tables);
        function.blocks[block].insts = insts;
        ends[block] = known;
    }
    function.replace_uses(|value| replaced[value].unwrap_or(value));
}

/// The known value of the word that an instruction loads; updates the facts for its effects.
fn known_word(
    known: &mut Known,
    function: &Function,
    inst: Inst,
    tables: &Tables,
) -> Option<Value> {
    let data = &function.insts[inst];
    match (data.op, data.imm, data.args.as_slice()) {
        (Op::Load, Imm::Field(field), &[address]) => {
            let place = Place::of(function, address);
            if let Some(&value) = known.get(&(field, place)) {
                return Some(value);
            }
            remember(known, field, place, data.result);
        }
        (Op::Store, Imm::Field(field), &[address, value]) => {
            let place = Place::of(function, address);
            known.retain(|&(other, known), _| other != field || !known.may_equal(place));
            remember(known, field, place, value);
        }
        (Op::ShiftDown | Op::ShiftUp, Imm::Field(field), _) => {
            known.retain(|&(other, _), _| other != field);
        }
        (Op::Append, Imm::List(kind), _) => {
            let appended = fields_of(&tables.lists[kind]);
            known.retain(|(field, _), _| !appended.contains(field));
        }
        (Op::Call, ..) => known.clear(),
        _ => {}
    }
    None
}

fn fields_of(list: &ListData) -> [Field; 4] {
    [list.length, list.capacity, list.start, list.element]
}

fn remember(known: &mut Known, field: Field, place: Place, value: Value) {
    if known.len() < MAX_WORDS {
        known.insert((field, place), value);
    }
}

/// Drops the stores of a block whose words it stores again before anything may have loaded them.
fn drop_stores(function: &Function, insts: &mut Vec<Inst>, tables: &Tables) {
    // The words that the rest of the block stores before anything loads them.
    let mut stored: Vec<(Field, Place)> = Vec::new();
    let mut dropped: FxHashSet<Inst> = FxHashSet::default();
    for &inst in insts.iter().rev() {
        let data = &function.insts[inst];
        match (data.op, data.imm) {
            (Op::Store, Imm::Field(field)) => {
                let word = (field, Place::of(function, data.args[0]));
                if stored.contains(&word) {
                    dropped.insert(inst);
                } else if stored.len() < MAX_WORDS {
                    stored.push(word);
                }
            }
            (Op::Load | Op::Peek, Imm::Field(field)) => {
                let place = Place::of(function, data.args[0]);
                stored.retain(|&(other, word)| other != field || !word.may_equal(place));
            }
            (Op::ShiftDown | Op::ShiftUp, Imm::Field(field)) => {
                stored.retain(|&(other, _)| other != field);
            }
            (Op::Append, Imm::List(kind)) => {
                let appended = fields_of(&tables.lists[kind]);
                stored.retain(|(field, _)| !appended.contains(field));
            }
            (Op::Call, _) => stored.clear(),
            _ => {}
        }
    }
    insts.retain(|inst| !dropped.contains(inst));
}
