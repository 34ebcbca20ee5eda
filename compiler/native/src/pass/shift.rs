//! Turns loops that only move the elements of a list by one into one instruction. `remove`, `draw`
//! and `insert` are such loops, and so are many that authors write.
//!
//! ```text
//! head(v1):                         ; v1 begins with v0
//!     branch v1 < v9, body, end
//! body:                             ; elements from v8 on
//!     fuel 1
//!     v2 = iadd_wrap v1, 1
//!     v3 = load element (v8 + v2)
//!     v4 = store element (v8 + v1), v3
//!     jump head(v2)
//! ; becomes
//! head(v1):
//!     v5 = shift_down element (v8 + v1), v9 - v1
//!     jump end                      ; v1 is the greater of v1 and v9 there
//! ```

use crate::analysis::{Given, Interval, KnownRanges};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Field, Function, Imm, Op, Target, Terminator, Value};
use dicec_runtime::span::Span;

/// The required range of indices, so that no difference of two overflows; indices of lists are in
/// it.
const INDICES: Interval = Interval {
    low: -(1 << 40),
    high: 1 << 40,
};

pub(super) fn shift(function: &mut Function, given: Given, known: &mut KnownRanges) {
    let graph = ControlFlow::new(function);
    if !graph.has_loops() {
        return;
    }
    let heads = graph.reverse_postorder().iter();
    let found: Vec<Moves> = heads
        .filter_map(|&head| Moves::of(function, &graph, head))
        .collect();
    if found.is_empty() {
        return;
    }
    let ranges = known.within(function, given);
    let is_index = |value: Value| {
        let range = ranges.of(value);
        INDICES.low <= range.low && range.high <= INDICES.high
    };
    for moves in found {
        if is_index(moves.index) && is_index(moves.to) {
            moves.replace(function);
        }
    }
}

/// A loop that moves elements.
struct Moves {
    head: Block,
    /// The parameter that counts.
    index: Value,
    /// The number that it counts to.
    to: Value,
    /// Whether it counts down, and so moves elements up.
    up: bool,
    field: Field,
    /// The address of the replaced element, without the index.
    base: (Option<Value>, i64),
    /// The target after the loop.
    end: Target,
    span: Span,
}

impl Moves {
    fn of(function: &Function, graph: &ControlFlow, head: Block) -> Option<Self> {
        let data = &function.blocks[head];
        let (&[index], &[test]) = (data.params.as_slice(), data.insts.as_slice()) else {
            return None;
        };
        let test = &function.insts[test];
        let &[counter, to] = test.args.as_slice() else {
            return None;
        };
        let Some(Terminator::Branch {
            condition,
            then,
            otherwise,
        }) = &data.terminator
        else {
            return None;
        };
        let (up, by) = match test.op {
            Op::Ilt => (false, 1),
            Op::Igt => (true, -1),
            _ => return None,
        };
        let body = then.block;
        let Some(Terminator::Jump(back)) = &function.blocks[body].terminator else {
            return None;
        };
        let is_loop = (*condition, counter) == (test.result, index)
            && to != index
            && back.block == head
            && otherwise.block != body
            && graph.predecessors(body) == [head];
        let next = Sum::of(function, index, *back.args.first()?)?;
        let moved = Moved::of(function, body)?;
        let [from, into] =
            [moved.from, moved.into].map(|address| Sum::of(function, index, address));
        let (from, into) = (from?, into?);
        let is_moved =
            next == (Sum {
                indices: 1,
                base: None,
                offset: by,
            }) && into.indices == 1
                && from
                    == (Sum {
                        offset: into.offset.wrapping_add(by),
                        ..into
                    })
                && into.base != Some(moved.word);
        (is_loop && is_moved).then(|| Self {
            head,
            index,
            to,
            up,
            field: moved.field,
            base: (into.base, into.offset),
            end: otherwise.clone(),
            span: moved.span,
        })
    }

    fn replace(self, function: &mut Function) {
        let Self { index, to, up, .. } = self;
        let last = if up { Op::Imin } else { Op::Imax };
        let last = function.new_inst(last, Vec::new(), Imm::None, self.span);
        let after = function.insts[last].result;
        let with = |value: Value| if value == index { after } else { value };
        function.replace_uses(with);
        function.insts[last].args = vec![index, to];

        let mut insts = Vec::new();
        let mut add = |op: Op, args: Vec<Value>, imm: Imm| {
            let inst = function.new_inst(op, args, imm, self.span);
            insts.push(inst);
            function.insts[inst].result
        };
        let (more, less) = if up { (index, to) } else { (to, index) };
        let count = add(Op::IsubWrap, vec![more, less], Imm::None);
        // The address of the first element plus an index, like any other access to the list.
        let offset = add(Op::Iconst, Vec::new(), Imm::Int(self.base.1));
        let first = match self.base.0 {
            Some(base) => add(Op::IaddWrap, vec![base, offset], Imm::None),
            None => offset,
        };
        let address = add(Op::IaddWrap, vec![first, less], Imm::None);
        let op = if up { Op::ShiftUp } else { Op::ShiftDown };
        add(op, vec![address, count], Imm::Field(self.field));
        insts.push(last);

        let mut end = self.end;
        end.args.iter_mut().for_each(|arg| *arg = with(*arg));
        let data = &mut function.blocks[self.head];
        data.insts = insts;
        data.terminator = Some(Terminator::Jump(end));
    }
}

/// A block that moves one word, burns fuel for it, and otherwise only adds.
struct Moved {
    /// The location where a trial runs out of fuel.
    span: Span,
    field: Field,
    word: Value,
    from: Value,
    into: Value,
}

impl Moved {
    fn of(function: &Function, block: Block) -> Option<Self> {
        let (mut burned, mut loaded, mut stored) = (None, None, None);
        for &inst in &function.blocks[block].insts {
            let data = &function.insts[inst];
            match (data.op, data.imm, data.args.as_slice()) {
                (Op::Iconst | Op::IaddWrap, ..) => {}
                (Op::Fuel, Imm::Int(1), _) if burned.is_none() => burned = Some(data.span),
                (Op::Load, Imm::Field(field), &[from]) if loaded.is_none() => {
                    loaded = Some((field, from, data.result));
                }
                (Op::Store, Imm::Field(field), &[into, word]) if stored.is_none() => {
                    stored = Some((field, into, word));
                }
                _ => return None,
            }
        }
        let ((field, from, word), (also, into, what)) = (loaded?, stored?);
        let span = burned?;
        (field == also && word == what).then_some(Self {
            span,
            field,
            word,
            from,
            into,
        })
    }
}

/// A sum: the factor of the index, a value and a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sum {
    indices: u32,
    base: Option<Value>,
    offset: i64,
}

impl Sum {
    fn of(function: &Function, index: Value, value: Value) -> Option<Self> {
        let zero = Self {
            indices: 0,
            base: None,
            offset: 0,
        };
        if value == index {
            return Some(Self { indices: 1, ..zero });
        }
        if let Some(offset) = function.as_iconst(value) {
            return Some(Self { offset, ..zero });
        }
        match function.def(value) {
            Some(data) if data.op == Op::IaddWrap => {
                let &[a, b] = data.args.as_slice() else {
                    return None;
                };
                let (a, b) = (Self::of(function, index, a)?, Self::of(function, index, b)?);
                let is_sum = a.base.is_none() || b.base.is_none();
                is_sum.then_some(Self {
                    indices: a.indices + b.indices,
                    base: a.base.or(b.base),
                    offset: a.offset.wrapping_add(b.offset),
                })
            }
            _ => Some(Self {
                base: Some(value),
                ..zero
            }),
        }
    }
}
