//! A vector kernel: the loop over groups of trials.
//!
//! ```text
//! entry: load state, groups, pointers; no groups -> done
//! group: draw the words; if one is rejected -> group        <-+
//! trial: the function, once per trial of a lane; -> sink      |
//!        next group ------------------------------------------+
//! done:  store state, count and number of groups left; return OK
//! ```
//!
//! A rejection branches back to the head of the loop: a block of its own would spill the
//! accumulators. If a trial of a group may trap, the call ends before that group, with groups left.

use super::cells::{Cells, NoteCells};
use super::computed::Computed;
use super::fuel;
use super::kept::LaneSink;
use super::lane::Lane;
use super::raised::Raises;
use super::relay::Relay;
use super::state::{VectorEmitter, unaligned};
use super::table::Table;
use crate::analysis::Uniform;
use crate::ir::cfg::ControlFlow;
use crate::jit::state::{at, trusted};
use crate::pass::VectorForm;
use cranelift::codegen::ir as clif;
use cranelift::codegen::isa::TargetIsa;
use cranelift::codegen::settings::Value;
use cranelift::frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift::prelude::{AbiParam, InstBuilder, Signature, types};
use cranelift_entity::SecondaryMap;
use dicec_runtime::abi::{STATUS_OK, offset};
use dicec_runtime::kernel::Sink;
use dicec_runtime::rng::lanes::LaneWidth;
use rustc_hash::FxHashMap;

/// Repeating at most this many instructions of a trial costs less than keeping their results in
/// registers (measured with `2d6+3`, and with `4d6kh3`, which has more).
const SHORT: usize = 8;

/// Emits the kernel of `form` into `into`. `table` belongs to the form and the sink, `notes` has
/// the cells for the notes of the form.
pub(super) fn kernel(
    form: &VectorForm,
    sink: Sink,
    (table, notes): (&Table, Option<&NoteCells>),
    isa: &dyn TargetIsa,
    into: &mut clif::Function,
) {
    let mut signature = Signature::new(isa.default_call_conv());
    signature.params.push(AbiParam::new(isa.pointer_type()));
    signature.returns.push(AbiParam::new(types::I32));
    into.signature = signature;
    let mut context = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(into, &mut context);
    let mut emitter = VectorEmitter::new(builder, form, sink, (table, notes), isa);
    emitter.group(table);
    emitter.exit();
    emitter.builder.seal_all_blocks();
    emitter.builder.finalize(isa.frontend_config());
}

impl<'f, 'c> VectorEmitter<'f, 'c> {
    /// Emits the entry and switches to the head of the loop.
    fn new(
        mut builder: FunctionBuilder<'c>,
        form: &'f VectorForm,
        sink: Sink,
        (table, notes): (&Table, Option<&'f NoteCells>),
        isa: &dyn TargetIsa,
    ) -> Self {
        let [entry, head, done] = [(); 3].map(|()| builder.create_block());
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let width = form.width;
        let lanes = match width {
            LaneWidth::V8 => types::I8X16,
            LaneWidth::V16 => types::I16X8,
            LaneWidth::V32 => types::I32X4,
        };
        let mut emitter = Self {
            context: builder.block_params(entry)[0],
            state: [(); 4].map(|()| builder.declare_var(types::I64X2)),
            groups: builder.declare_var(types::I64),
            sink: LaneSink::new(&mut builder, form, sink, table),
            fuel: fuel::variables(&mut builder, form),
            only_burned: fuel::only_burned(form.function()),
            cells: notes.map(|notes| Cells::new(&mut builder, notes)),
            block: form.function().entry(),
            raises: Raises::default(),
            graph: ControlFlow::new(form.function()),
            uniform: Uniform::of(form.function(), &form.region, form.staggered()),
            builder,
            form,
            ranges: form.lane_ranges(),
            width,
            lanes,
            part: 0,
            values: SecondaryMap::new(),
            computed: Computed::default(),
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
            let offset = at(offset::TWINS) + 16 * word as i32;
            let value = ins.load(types::I64X2, unaligned(), self.context, offset);
            self.builder.def_var(variable, value);
        }
        let groups = self.load(offset::TRIALS);
        self.builder.def_var(self.groups, groups);
        self.begin_sink();
        let ins = self.builder.ins();
        ins.brif(groups, self.head, &[], self.done, &[]);
        self.builder.switch_to_block(self.head);
    }

    /// The loop's body.
    fn group(&mut self, table: &Table) {
        let mut rounds = None;
        if let Some(relay) = Relay::of(self.form) {
            rounds = Some(self.relay(&relay));
        } else if let Some(bernoulli) = self.form.bernoulli() {
            self.count_bernoulli(bernoulli);
        } else if let Table::Draws(draws) = table {
            self.count_draws(draws);
        } else {
            let (drawn, lefts) = self.draw(&self.form.region);
            // Notes and loops must not run before it is known that no die is rejected.
            let straight = self.form.function().blocks.len() == 1 && !self.form.module.is_script();
            if !straight {
                self.redraw_if(&lefts, self.head);
            }
            self.begin_fuel();
            let results = drawn.into_iter().map(|pools| {
                self.values.clear();
                let (result, _) = self.trial(pools);
                self.one(result)
            });
            let results: Vec<Lane> = results.collect();
            // Work done before the branch needs no registers after it; but a long computation
            // should wait.
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
            self.record(&results, None);
        }
        let b = &mut self.builder;
        let groups = b.use_var(self.groups);
        let left = match rounds {
            Some(rounds) => b.ins().isub(groups, rounds),
            None => b.ins().iadd_imm_s(groups, -1),
        };
        b.def_var(self.groups, left);
        b.ins().brif(left, self.head, &[], self.done, &[]);
    }

    fn exit(&mut self) {
        self.builder.switch_to_block(self.done);
        for (word, variable) in self.state.into_iter().enumerate() {
            let value = self.builder.use_var(variable);
            let offset = at(offset::TWINS) + 16 * word as i32;
            let ins = self.builder.ins();
            ins.store(unaligned(), value, self.context, offset);
        }
        self.end_sink();
        let left = self.builder.use_var(self.groups);
        let ins = self.builder.ins();
        ins.store(trusted(), left, self.context, at(offset::TRIALS));
        let ok = self.builder.ins().iconst(types::I32, i64::from(STATUS_OK));
        self.builder.ins().return_(&[ok]);
    }
}

/// x86-64 with an instruction that selects by masks.
fn is_sse41(flag: &Value) -> bool {
    flag.name == "has_sse41" && flag.as_bool() == Some(true)
}
