//! The code around a function's blocks: prologue, trial loop, exits. The trial function becomes a
//! whole kernel:
//!
//! ```text
//! entry:   load state, trials, pointers, resources; no trials -> done
//! start:   reset a script's memory and fuel               <-+
//! trial:   the function's blocks                               |
//! return:  result to the sink; next trial ---------------------+
//! done:    store state and count; return OK
//! trapped: store state, count, trial and site; return the trap code        (cold)
//! ```
//!
//! Other functions load the state from the context and store it there, with the status of the call.

use super::source::Source;
use super::state::{Around, Emitter, Kept, Trials, at, clif_type, trusted};
use crate::ir::{self, Func, Function, Type};
use cranelift::codegen::ir as clif;
use cranelift::codegen::isa::TargetIsa;
use cranelift::frontend::FunctionBuilder;
use cranelift::prelude::{AbiParam, InstBuilder, MemFlagsData, Signature, types};
use cranelift_entity::EntityRef;
use dicec_runtime::abi::{STATUS_OK, offset};
use dicec_runtime::bug;
use dicec_runtime::kernel::Sink;

impl Around {
    /// `extern "C" fn(*mut Context) -> Status` for the kernel; `fn(*mut Context, depth,
    /// arguments...) -> i64` for others.
    pub(super) fn signature(function: &Function, func: Func, isa: &dyn TargetIsa) -> Signature {
        let mut signature = Signature::new(isa.default_call_conv());
        signature.params.push(AbiParam::new(isa.pointer_type()));
        if func.index() == 0 {
            signature.returns.push(AbiParam::new(types::I32));
        } else {
            let params = &function.blocks[function.entry()].params;
            let words = 1 + params.len();
            let words = std::iter::repeat_n(AbiParam::new(types::I64), words);
            signature.params.extend(words);
            signature.returns.push(AbiParam::new(types::I64));
        }
        signature
    }

    pub(super) fn new(
        builder: &mut FunctionBuilder<'_>,
        source: &Source<'_>,
        func: Func,
        entry: clif::Block,
    ) -> Self {
        if func.index() > 0 {
            return Around::Called(builder.block_params(entry)[1]);
        }
        let counts = source.sink == Sink::Count;
        let moments = match source.sink {
            Sink::Moments(moments) => Some(Kept::new(builder, moments)),
            Sink::Values | Sink::Histogram { .. } | Sink::Count => None,
        };
        Around::Trials(Trials {
            sink: source.sink,
            left: builder.declare_var(types::I64),
            cells: builder.declare_var(types::I64),
            count: counts.then(|| builder.declare_var(types::I64)),
            moments,
            start: builder.create_block(),
            done: builder.create_block(),
        })
    }
}

impl Emitter<'_, '_> {
    /// The code before the function's blocks.
    pub(super) fn begin(&mut self, order: &[ir::Block]) {
        self.load_generator();
        self.load_memory();
        let entry = self.function.entry();
        match self.around {
            Around::Trials(trials) => {
                let number = self.load(offset::TRIALS);
                let cells = self.load(offset::CELLS);
                let zero = self.builder.ins().iconst(types::I64, 0);
                self.builder.def_var(trials.left, number);
                self.builder.def_var(trials.cells, cells);
                if let Some(count) = trials.count {
                    self.builder.def_var(count, zero);
                }
                if let Some(kept) = trials.moments {
                    self.begin_moments(kept);
                }
                self.begin_memory(zero);
                self.load_resources();
                self.create_blocks(order);
                let ins = self.builder.ins();
                ins.brif(number, trials.start, &[], trials.done, &[]);
                self.builder.switch_to_block(trials.start);
                self.begin_trial();
                let first = self.clif_block(entry);
                self.builder.ins().jump(first, &[]);
            }
            Around::Called(_) => {
                self.load_script_state();
                let here = self.builder.current_block();
                let here = here.unwrap_or_else(|| bug!("a function without a block").raise());
                let args: Vec<clif::BlockArg> = self.builder.block_params(here)[2..]
                    .iter()
                    .map(|&arg| arg.into())
                    .collect();
                self.load_resources();
                self.create_blocks(order);
                let first = self.clif_block(entry);
                self.builder.ins().jump(first, &args);
            }
        }
    }

    /// The end of the function.
    pub(super) fn result(&mut self, value: ir::Value) {
        let ty = self.function.value_type(value);
        match self.around {
            Around::Trials(trials) => self.trial_result(trials, ty, value),
            Around::Called(_) => {
                let value = self.value(value);
                self.store_state();
                let ok = self.builder.ins().iconst(types::I32, i64::from(STATUS_OK));
                let ins = self.builder.ins();
                ins.store(trusted(), ok, self.context, at(offset::CALL_STATUS));
                debug_assert_eq!(clif_type(ty), types::I64);
                self.builder.ins().return_(&[value]);
            }
        }
    }

    /// The end of a trial: its result goes to the sink, and the next trial begins.
    fn trial_result(&mut self, trials: Trials, ty: Type, result: ir::Value) {
        let value = self.value(result);
        let b = &mut self.builder;
        let cell = match ty {
            Type::I64 => value,
            Type::Bool => b.ins().uextend(types::I64, value),
            Type::F64 => b.ins().bitcast(types::I64, MemFlagsData::new(), value),
        };
        let start = b.use_var(trials.cells);
        match trials.sink {
            Sink::Values => {
                b.ins().store(trusted(), cell, start, 0);
                let next = b.ins().iadd_imm_s(start, 8);
                b.def_var(trials.cells, next);
            }
            Sink::Histogram { low, cells } => {
                let index = b.ins().iadd_imm_s(cell, low.wrapping_neg());
                // Range analysis shows that results are within the cells. If it were wrong, a count
                // would be wrong, but memory stays safe: the number of cells is a power of two. A
                // plain die is always within them.
                let mask = u64::from(cells).next_power_of_two() - 1;
                let last = low.saturating_add_unsigned(mask);
                let index = match self.bounds[result] {
                    Some((least, most)) if low <= least && most <= last => index,
                    _ => b.ins().band_imm_u(index, mask.cast_signed()),
                };
                let byte = b.ins().ishl_imm_u(index, 3);
                let address = b.ins().iadd(start, byte);
                let old = b.ins().load(types::I64, trusted(), address, 0);
                let new = b.ins().iadd_imm_s(old, 1);
                b.ins().store(trusted(), new, address, 0);
            }
            Sink::Count => {
                if let Some(count) = trials.count {
                    let old = b.use_var(count);
                    let new = match self.counted(result, old) {
                        Some(new) => new,
                        None => self.builder.ins().iadd(old, cell),
                    };
                    self.builder.def_var(count, new);
                }
            }
            Sink::Moments(_) => {
                if let Some(kept) = trials.moments {
                    self.keep_moments(kept, cell);
                }
            }
        }
        let b = &mut self.builder;
        let left = b.use_var(trials.left);
        let left = b.ins().iadd_imm_s(left, -1);
        b.def_var(trials.left, left);
        b.ins().brif(left, trials.start, &[], trials.done, &[]);
    }

    /// The exits: the end of the loop and the traps.
    pub(super) fn exits(&mut self) {
        if let Around::Trials(trials) = self.around {
            self.builder.switch_to_block(trials.done);
            self.store_generator();
            self.store_sums(trials);
            let ok = self.builder.ins().iconst(types::I32, i64::from(STATUS_OK));
            self.builder.ins().return_(&[ok]);
        }
        self.builder.switch_to_block(self.trapped);
        let params = self.builder.block_params(self.trapped);
        let (code, site) = (params[0], params[1]);
        self.store(site, offset::TRAP_SITE);
        match self.around {
            Around::Trials(trials) => {
                self.store_generator();
                self.store_sums(trials);
                let all = self.load(offset::TRIALS);
                let left = self.builder.use_var(trials.left);
                let trial = self.builder.ins().isub(all, left);
                self.store(trial, offset::TRAP_TRIAL);
                self.builder.ins().return_(&[code]);
            }
            Around::Called(_) => {
                self.store_state();
                let ins = self.builder.ins();
                ins.store(trusted(), code, self.context, at(offset::CALL_STATUS));
                let zero = self.builder.ins().iconst(types::I64, 0);
                self.builder.ins().return_(&[zero]);
            }
        }
    }

    /// Adds the count to its cell, or the moments to theirs.
    fn store_sums(&mut self, trials: Trials) {
        if let Some(kept) = trials.moments {
            let cells = self.builder.use_var(trials.cells);
            self.store_moments(kept, cells);
        }
        let b = &mut self.builder;
        if let Some(count) = trials.count {
            let cells = b.use_var(trials.cells);
            let old = b.ins().load(types::I64, trusted(), cells, 0);
            let new = b.use_var(count);
            let sum = b.ins().iadd(old, new);
            b.ins().store(trusted(), sum, cells, 0);
        }
    }
}
