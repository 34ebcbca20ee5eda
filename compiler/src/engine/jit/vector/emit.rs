//! A vector kernel: the loop over groups of trials.
//!
//! ```text
//! entry: load state, groups, pointers; no groups -> done
//! group: draw the words; one is rejected -> group           <-+
//! trial: the function, once a slot; results to the sink       |
//!        next group ------------------------------------------+
//! done:  store state, count and how many groups are left; return OK
//! ```
//!
//! A rejection goes back to the head of the loop: with a block of its own the accumulators would be spilled.
//! A group in which a trial may trap is left for good: then groups are left.

use super::fuel;
use super::lane::Lane;
use super::note::Cells;
use super::sink::{LaneSink, Table};
use crate::analysis::Ranges;
use crate::engine::jit::emit::{at, trusted};
use crate::ir;
use crate::ir::cfg::ControlFlow;
use crate::pass::VectorForm;
use cranelift::codegen::cursor::{Cursor, FuncCursor};
use cranelift::codegen::ir as clif;
use cranelift::codegen::ir::ConstantData;
use cranelift::codegen::isa::TargetIsa;
use cranelift::codegen::settings::Value;
use cranelift::frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift::prelude::{AbiParam, InstBuilder, MemFlagsData, Signature, types};
use cranelift_entity::SecondaryMap;
use dicec_runtime::abi::{STATUS_OK, offset};
use dicec_runtime::kernel::Sink;
use dicec_runtime::rng::lanes::Tier;
use rustc_hash::FxHashMap;

/// So many instructions of a trial cost less than the registers that their operands take (measured with `2d6+3`, and with `4d6kh3`, which has more).
const SHORT: usize = 8;

/// Emits the kernel of `form` into `into`. `table` is that of the form and the sink.
pub(super) fn kernel(
    form: &VectorForm,
    sink: Sink,
    table: &Table,
    isa: &dyn TargetIsa,
    into: &mut clif::Function,
) {
    let mut signature = Signature::new(isa.default_call_conv());
    signature.params.push(AbiParam::new(isa.pointer_type()));
    signature.returns.push(AbiParam::new(types::I32));
    into.signature = signature;
    let mut context = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(into, &mut context);
    let mut emitter = VectorEmitter::new(builder, form, sink, table, isa);
    emitter.group(table);
    emitter.exit();
    emitter.builder.seal_all_blocks();
    emitter.builder.finalize(isa.frontend_config());
}

/// The state of emission.
pub(super) struct VectorEmitter<'f, 'c> {
    pub(super) builder: FunctionBuilder<'c>,
    pub(super) form: &'f VectorForm,
    pub(super) ranges: Ranges,
    pub(super) tier: Tier,
    /// The type of a vector of lanes.
    pub(super) lanes: clif::Type,
    pub(super) sink: LaneSink,
    pub(super) context: clif::Value,
    /// The values of the trial that is being emitted.
    pub(super) values: SecondaryMap<ir::Value, Option<Lane>>,
    pub(super) has_pmulhrsw: bool,
    pub(super) has_blend: bool,
    /// The four words of both generators.
    pub(super) state: [Variable; 4],
    /// How many groups are left.
    groups: Variable,
    entry: clif::Block,
    /// What stands in the entry for the whole kernel: Cranelift is not asked to look for what trials have in common.
    invariants: FxHashMap<Invariant, clif::Value>,
    pub(super) head: clif::Block,
    done: clif::Block,
    pub(super) graph: ControlFlow,
    pub(super) fuel: Option<Variable>,
    /// A script's.
    pub(super) cells: Option<Cells>,
}

impl<'f, 'c> VectorEmitter<'f, 'c> {
    /// Emits the entry and switches to the head of the loop.
    fn new(
        mut builder: FunctionBuilder<'c>,
        form: &'f VectorForm,
        sink: Sink,
        table: &Table,
        isa: &dyn TargetIsa,
    ) -> Self {
        let [entry, head, done] = [(); 3].map(|()| builder.create_block());
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let tier = form.tier;
        let lanes = match tier {
            Tier::V16 => types::I16X8,
            Tier::V32 => types::I32X4,
        };
        let mut emitter = Self {
            context: builder.block_params(entry)[0],
            state: [(); 4].map(|()| builder.declare_var(types::I64X2)),
            groups: builder.declare_var(types::I64),
            sink: LaneSink::new(&mut builder, form, sink, table, lanes),
            fuel: fuel::variable(&mut builder, form),
            cells: Cells::new(&mut builder, form),
            graph: ControlFlow::new(form.function()),
            builder,
            form,
            ranges: form.lane_ranges(),
            tier,
            lanes,
            values: SecondaryMap::new(),
            has_pmulhrsw: isa.name() == "x64",
            has_blend: isa.isa_flags().iter().any(is_sse41),
            entry,
            invariants: FxHashMap::default(),
            head,
            done,
        };
        emitter.entry();
        emitter
    }

    fn entry(&mut self) {
        for (word, variable) in self.state.into_iter().enumerate() {
            let ins = self.builder.ins();
            let place = at(offset::TWINS) + 16 * word as i32;
            let value = ins.load(types::I64X2, unaligned(), self.context, place);
            self.builder.def_var(variable, value);
        }
        let groups = self.load(offset::TRIALS);
        self.builder.def_var(self.groups, groups);
        self.begin_sink();
        let ins = self.builder.ins();
        ins.brif(groups, self.head, &[], self.done, &[]);
        self.builder.switch_to_block(self.head);
    }

    /// A word of the context.
    pub(super) fn load(&mut self, offset: usize) -> clif::Value {
        let ins = self.builder.ins();
        ins.load(types::I64, trusted(), self.context, at(offset))
    }

    /// The loop's body.
    fn group(&mut self, table: &Table) {
        if let Some(coins) = self.form.coins() {
            self.count_coins(coins);
        } else if let Table::Draws(draws) = table {
            self.count_draws(draws);
        } else {
            let (drawn, lefts) = self.draw(&self.form.region);
            // What notes something or goes round has to know that its dice count.
            let straight = self.form.function().blocks.len() == 1 && !self.form.module.is_script();
            if !straight {
                self.redraw_if(&lefts, self.head);
            }
            self.begin_fuel();
            let results = drawn.into_iter().map(|pools| {
                self.values.clear();
                self.trial(pools)
            });
            let results: Vec<Lane> = results.collect();
            // What is worked out before the branch needs no registers behind it; but what takes long is better not begun.
            let short = straight && self.form.function().live_insts().count() <= SHORT;
            if short {
                self.prepare(&results);
            }
            if straight {
                self.redraw_if(&lefts, self.head);
            }
            if !short {
                self.prepare(&results);
            }
            self.record(&results);
        }
        let b = &mut self.builder;
        let groups = b.use_var(self.groups);
        let left = b.ins().iadd_imm_s(groups, -1);
        b.def_var(self.groups, left);
        b.ins().brif(left, self.head, &[], self.done, &[]);
    }

    fn exit(&mut self) {
        self.builder.switch_to_block(self.done);
        for (word, variable) in self.state.into_iter().enumerate() {
            let value = self.builder.use_var(variable);
            let place = at(offset::TWINS) + 16 * word as i32;
            let ins = self.builder.ins();
            ins.store(unaligned(), value, self.context, place);
        }
        self.end_sink();
        let left = self.builder.use_var(self.groups);
        let ins = self.builder.ins();
        ins.store(trusted(), left, self.context, at(offset::TRIALS));
        let ok = self.builder.ins().iconst(types::I32, i64::from(STATUS_OK));
        self.builder.ins().return_(&[ok]);
    }

    /// Leaves the group, and all that follow it, to the host if the condition holds.
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
        self.invariant(Invariant::Resource(slot), |entry| {
            let (ty, resources) = (types::I64, at(offset::RESOURCES));
            let words = entry.ins().load(ty, trusted(), context, resources);
            // A slot is below the number of resources of one source text, far below 2^28.
            let place = at(slot as usize * 8);
            let word = entry.ins().load(ty, trusted(), words, place);
            let word = entry.ins().ireduce(lanes.lane_type(), word);
            entry.ins().splat(lanes, word)
        })
    }

    /// A value that stands in the entry, once.
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
enum Invariant {
    Number(clif::Type, i64),
    Resource(u32),
}

/// x86-64 with an instruction that chooses by masks.
fn is_sse41(flag: &Value) -> bool {
    flag.name == "has_sse41" && flag.as_bool() == Some(true)
}

/// Vectors are not aligned in the context.
pub(super) fn unaligned() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}
