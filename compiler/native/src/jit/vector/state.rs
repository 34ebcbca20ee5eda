//! The state of emission of a vector kernel, and the building blocks of all operations: words of
//! the context, and vectors that are the same for all trials. [`super::emit`] creates and uses it.

use super::cells::Cells;
use super::computed::Computed;
use super::kept::LaneSink;
use super::number::Number;
use super::raised::Raises;
use crate::analysis::{Ranges, Uniform};
use crate::ir;
use crate::ir::cfg::ControlFlow;
use crate::jit::state::{at, trusted};
use crate::pass::VectorForm;
use cranelift::codegen::cursor::{Cursor, FuncCursor};
use cranelift::codegen::ir as clif;
use cranelift::codegen::ir::ConstantData;
use cranelift::frontend::{FunctionBuilder, Variable};
use cranelift::prelude::{InstBuilder, MemFlagsData, types};
use cranelift_entity::SecondaryMap;
use dicec_runtime::abi::offset;
use dicec_runtime::rng::lanes::LaneWidth;
use rustc_hash::FxHashMap;

/// The state of emission.
pub(super) struct VectorEmitter<'f, 'c> {
    pub(super) builder: FunctionBuilder<'c>,
    pub(super) form: &'f VectorForm,
    pub(super) ranges: Ranges,
    pub(super) width: LaneWidth,
    /// The type of a vector of lanes.
    pub(super) lanes: clif::Type,
    /// The part of the group that code is emitted for ([`super::halves`]).
    pub(super) part: usize,
    pub(super) sink: LaneSink,
    pub(super) context: clif::Value,
    /// The values of the trial that is being emitted.
    pub(super) values: SecondaryMap<ir::Value, Option<Number>>,
    pub(super) computed: Computed,
    pub(super) has_pmulhrsw: bool,
    pub(super) has_blend: bool,
    /// The four words of both generators.
    pub(super) state: [Variable; 4],
    /// The number of groups left.
    pub(super) groups: Variable,
    pub(super) entry: clif::Block,
    /// Loop invariants, computed in the entry block: Cranelift's own search for them is off.
    pub(super) invariants: FxHashMap<Invariant, clif::Value>,
    pub(super) head: clif::Block,
    pub(super) done: clif::Block,
    pub(super) graph: ControlFlow,
    pub(super) uniform: Uniform,
    /// One for each part of a group in a relay; none in a form that burns no fuel in loops.
    pub(super) fuel: Vec<Variable>,
    /// The values that are used only to compute fuel; lanes need not compute them.
    pub(super) only_burned: SecondaryMap<ir::Value, bool>,
    /// The cells of a script.
    pub(super) cells: Option<Cells<'f>>,
    /// The current block, and the pending increments of its iteration.
    pub(super) block: ir::Block,
    pub(super) raises: Raises,
}

impl VectorEmitter<'_, '_> {
    /// A word of the context.
    pub(super) fn load(&mut self, offset: usize) -> clif::Value {
        let ins = self.builder.ins();
        ins.load(types::I64, trusted(), self.context, at(offset))
    }

    /// Ends the call before this group if the condition holds; the host runs the remaining trials.
    pub(super) fn leave_if(&mut self, condition: clif::Value) {
        let b = &mut self.builder;
        let next = b.create_block();
        b.ins().brif(condition, self.done, &[], next, &[]);
        b.switch_to_block(next);
    }

    /// A vector of lanes with this number.
    pub(super) fn splat(&mut self, number: i64) -> clif::Value {
        self.splat_of(self.lanes, number)
    }

    /// A vector of this type with this number in each lane.
    pub(super) fn splat_of(&mut self, ty: clif::Type, number: i64) -> clif::Value {
        let lane = ty.lane_bits() as usize / 8;
        self.invariant(Invariant::Number(ty, number), |entry| {
            let bytes = number.to_le_bytes()[..lane].repeat(16 / lane);
            let data = ConstantData::from(bytes.as_slice());
            let constant = entry.func.dfg.constants.insert(data);
            entry.ins().vconst(ty, constant)
        })
    }

    /// A vector of lanes with the number of this resource.
    pub(super) fn splat_resource(&mut self, slot: u32) -> clif::Value {
        let (lanes, context) = (self.lanes, self.context);
        self.invariant(Invariant::Resource(lanes, slot), |entry| {
            let (ty, resources) = (types::I64, at(offset::RESOURCES));
            let words = entry.ins().load(ty, trusted(), context, resources);
            // A slot is below the number of resources of one source text, far below 2^28.
            let offset = at(slot as usize * 8);
            let word = entry.ins().load(ty, trusted(), words, offset);
            let word = entry.ins().ireduce(lanes.lane_type(), word);
            entry.ins().splat(lanes, word)
        })
    }

    /// A value that is computed once, in the entry block.
    fn invariant(
        &mut self,
        name: Invariant,
        make: impl FnOnce(&mut FuncCursor<'_>) -> clif::Value,
    ) -> clif::Value {
        if let Some(&known) = self.invariants.get(&name) {
            return known;
        }
        let entry = FuncCursor::new(self.builder.func);
        let value = make(&mut entry.at_first_insertion_point(self.entry));
        self.invariants.insert(name, value);
        value
    }
}

/// A vector that is the same for all trials of a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Invariant {
    Number(clif::Type, i64),
    Resource(clif::Type, u32),
}

/// Vectors are not aligned in the context.
pub(super) fn unaligned() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}
