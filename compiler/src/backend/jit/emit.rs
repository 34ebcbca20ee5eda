//! The kernel around the function: what is read at the start, the trial loop, the sink, and the two ways out.
//!
//! ```text
//! entry:   load state, trials, pointers, resources; no trials -> done
//! trial:   the function's blocks                     <-+
//! return:  result to the sink; next trial -------------+
//! done:    store state and count; return OK
//! trapped: store state, count, trial and site; return the trap code        (cold)
//! ```

use super::ops;
use crate::ir::cfg::ControlFlow;
use crate::ir::{self, Function, Imm, Op, Target, Terminator, Type};
use cranelift::codegen::ir as clif;
use cranelift::codegen::isa::TargetIsa;
use cranelift::frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift::prelude::{AbiParam, InstBuilder, IntCC, MemFlagsData, Signature, types};
use cranelift_entity::SecondaryMap;
use dicec_runtime::abi::{PoolStep, STATUS_OK, offset};
use dicec_runtime::kernel::Sink;
use dicec_runtime::trap::TrapCode;

/// `extern "C" fn(*mut Context) -> Status`.
fn signature(isa: &dyn TargetIsa) -> Signature {
    let mut signature = Signature::new(isa.default_call_conv());
    signature.params.push(AbiParam::new(isa.pointer_type()));
    signature.returns.push(AbiParam::new(types::I32));
    signature
}

/// Emits the kernel of `function` into `into`; gives the steps that it takes on its pools, by their numbers.
pub(super) fn kernel(
    function: &Function,
    sink: Sink,
    isa: &dyn TargetIsa,
    into: &mut clif::Function,
) -> Vec<PoolStep> {
    into.signature = signature(isa);
    let mut context = FunctionBuilderContext::new();
    let graph = ControlFlow::new(function);
    // Definitions before uses: each block comes after its dominators.
    let order = graph.reverse_postorder();
    let builder = FunctionBuilder::new(into, &mut context);
    let mut emitter = Emitter::new(builder, function, order, sink);
    for &block in order {
        emitter.block(block);
    }
    emitter.exits();
    emitter.builder.seal_all_blocks();
    emitter.builder.finalize(isa.frontend_config());
    emitter.steps
}

/// The state of emission. Values that change from trial to trial are Cranelift variables, which it keeps in
/// registers.
pub(super) struct Emitter<'f, 'c> {
    pub(super) builder: FunctionBuilder<'c>,
    pub(super) function: &'f Function,
    sink: Sink,
    pub(super) context: clif::Value,
    trials: clif::Value,
    cells: clif::Value,
    /// The generator's four words.
    pub(super) state: [Variable; 4],
    trial: Variable,
    /// How many results were true, where the sink counts.
    count: Option<Variable>,
    pub(super) values: SecondaryMap<ir::Value, Option<clif::Value>>,
    blocks: SecondaryMap<ir::Block, Option<clif::Block>>,
    done: clif::Block,
    trapped: clif::Block,
    /// The steps that calls take, by their numbers.
    pub(super) steps: Vec<PoolStep>,
}

/// Loads and stores of memory that the caller vouches for: aligned and never faulting.
pub(super) fn trusted() -> MemFlagsData {
    MemFlagsData::trusted()
}

pub(super) fn at(offset: usize) -> i32 {
    // Offsets into `Context` are below 200.
    offset as i32
}

impl<'f, 'c> Emitter<'f, 'c> {
    /// Emits the entry and prepares the rest.
    fn new(
        mut builder: FunctionBuilder<'c>,
        function: &'f Function,
        order: &[ir::Block],
        sink: Sink,
    ) -> Self {
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let context = builder.block_params(entry)[0];
        let mut load = |offset: usize| {
            let ins = builder.ins();
            ins.load(types::I64, trusted(), context, at(offset))
        };
        let words = [0, 8, 16, 24].map(|word| load(offset::STATE + word));
        let trials = load(offset::TRIALS);
        let cells = load(offset::CELLS);
        let resources = load(offset::RESOURCES);
        let state = words.map(|word| {
            let variable = builder.declare_var(types::I64);
            builder.def_var(variable, word);
            variable
        });
        let zero = builder.ins().iconst(types::I64, 0);
        let trial = builder.declare_var(types::I64);
        builder.def_var(trial, zero);
        let count = (sink == Sink::Count).then(|| {
            let variable = builder.declare_var(types::I64);
            builder.def_var(variable, zero);
            variable
        });
        let (done, trapped) = (builder.create_block(), builder.create_block());
        builder.append_block_param(trapped, types::I32);
        builder.append_block_param(trapped, types::I64);
        builder.set_cold_block(trapped);
        let mut emitter = Self {
            builder,
            function,
            sink,
            context,
            trials,
            cells,
            state,
            trial,
            count,
            values: SecondaryMap::new(),
            blocks: SecondaryMap::new(),
            done,
            trapped,
            steps: Vec::new(),
        };
        emitter.load_resources(resources);
        emitter.create_blocks(order);
        let first = emitter.clif_block(function.entry());
        emitter.builder.ins().brif(trials, first, &[], done, &[]);
        emitter
    }

    /// Reads the resources that are used, once a call.
    fn load_resources(&mut self, resources: clif::Value) {
        for inst in self.function.live_insts() {
            let data = &self.function.insts[inst];
            if let (Op::Resource, Imm::Slot(slot)) = (data.op, data.imm) {
                // A slot is below the number of resources of one source text, far below 2^28.
                let ins = self.builder.ins();
                let value = ins.load(types::I64, trusted(), resources, slot as i32 * 8);
                self.values[data.result] = Some(value);
            }
        }
    }

    fn create_blocks(&mut self, order: &[ir::Block]) {
        for &block in order {
            let here = self.builder.create_block();
            self.blocks[block] = Some(here);
            for &param in &self.function.blocks[block].params {
                let ty = clif_type(self.function.value_type(param));
                self.values[param] = Some(self.builder.append_block_param(here, ty));
            }
        }
    }

    fn clif_block(&self, block: ir::Block) -> clif::Block {
        // `create_blocks` gave every reachable block one; the fallback is never taken.
        self.blocks[block].unwrap_or(self.done)
    }

    /// The value of an operand. Its definition dominates the use, so it was emitted before; the zero stands for what a
    /// verified function cannot hold.
    pub(super) fn value(&mut self, value: ir::Value) -> clif::Value {
        if let Some(known) = self.values[value] {
            return known;
        }
        let ty = clif_type(self.function.value_type(value));
        if ty == types::F64 {
            self.builder.ins().f64const(0.0)
        } else {
            self.builder.ins().iconst(ty, 0)
        }
    }

    /// Emits one block of the function.
    fn block(&mut self, block: ir::Block) {
        let here = self.clif_block(block);
        self.builder.switch_to_block(here);
        let data = &self.function.blocks[block];
        for &inst in &data.insts {
            ops::inst(self, inst);
        }
        match &data.terminator {
            Some(Terminator::Return(value)) => self.result(*value),
            Some(Terminator::Jump(target)) => {
                let (block, args) = self.target(target);
                self.builder.ins().jump(block, &args);
            }
            Some(Terminator::Branch {
                condition,
                then,
                otherwise,
            }) => {
                let condition = self.value(*condition);
                let (then, then_args) = self.target(then);
                let (otherwise, otherwise_args) = self.target(otherwise);
                let ins = self.builder.ins();
                ins.brif(condition, then, &then_args, otherwise, &otherwise_args);
            }
            // A verified function has no open block.
            None => {
                self.builder.ins().jump(self.done, &[]);
            }
        }
    }

    fn target(&mut self, target: &Target) -> (clif::Block, Vec<clif::BlockArg>) {
        let args = target.args.iter().map(|&arg| self.value(arg).into());
        let args = args.collect();
        (self.clif_block(target.block), args)
    }

    /// The end of a trial: its result goes to the sink, and the next trial begins.
    fn result(&mut self, value: ir::Value) {
        let ty = self.function.value_type(value);
        let value = self.value(value);
        let b = &mut self.builder;
        let cell = match ty {
            Type::I64 => value,
            Type::Bool => b.ins().uextend(types::I64, value),
            Type::F64 => b.ins().bitcast(types::I64, MemFlagsData::new(), value),
        };
        let trial = b.use_var(self.trial);
        match self.sink {
            Sink::Values => {
                let byte = b.ins().ishl_imm_u(trial, 3);
                let address = b.ins().iadd(self.cells, byte);
                b.ins().store(trusted(), cell, address, 0);
            }
            Sink::Histogram { low, cells } => {
                let index = b.ins().iadd_imm_s(cell, low.wrapping_neg());
                // Range analysis keeps results within the cells. Were it wrong, a count would be, but never memory.
                let last = b.ins().iconst(types::I64, i64::from(cells) - 1);
                let index = b.ins().umin(index, last);
                let byte = b.ins().ishl_imm_u(index, 3);
                let address = b.ins().iadd(self.cells, byte);
                let old = b.ins().load(types::I64, trusted(), address, 0);
                let new = b.ins().iadd_imm_s(old, 1);
                b.ins().store(trusted(), new, address, 0);
            }
            Sink::Count => {
                if let Some(count) = self.count {
                    let old = b.use_var(count);
                    let new = b.ins().iadd(old, cell);
                    b.def_var(count, new);
                }
            }
        }
        let next = b.ins().iadd_imm_s(trial, 1);
        b.def_var(self.trial, next);
        let more = b.ins().icmp(IntCC::UnsignedLessThan, next, self.trials);
        let first = self.clif_block(self.function.entry());
        let ins = self.builder.ins();
        ins.brif(more, first, &[], self.done, &[]);
    }

    /// Ends the call with `code` at `site` if `condition` holds, otherwise goes on.
    pub(super) fn trap_if(&mut self, condition: clif::Value, code: TrapCode, site: ir::Inst) {
        let code = self
            .builder
            .ins()
            .iconst(types::I32, i64::from(code as u32));
        self.trap_if_with(condition, code, site);
    }

    /// [`Emitter::trap_if`] with a code that is known at run time only.
    pub(super) fn trap_if_with(
        &mut self,
        condition: clif::Value,
        code: clif::Value,
        site: ir::Inst,
    ) {
        let b = &mut self.builder;
        let site = b.ins().iconst(types::I64, i64::from(site.as_u32()));
        let next = b.create_block();
        let args = [code.into(), site.into()];
        b.ins().brif(condition, self.trapped, &args, next, &[]);
        b.switch_to_block(next);
    }

    fn exits(&mut self) {
        self.builder.switch_to_block(self.done);
        self.store_state();
        let ok = self.builder.ins().iconst(types::I32, i64::from(STATUS_OK));
        self.builder.ins().return_(&[ok]);

        self.builder.switch_to_block(self.trapped);
        self.store_state();
        let params = self.builder.block_params(self.trapped);
        let (code, site) = (params[0], params[1]);
        let b = &mut self.builder;
        let trial = b.use_var(self.trial);
        let ins = b.ins();
        ins.store(trusted(), trial, self.context, at(offset::TRAP_TRIAL));
        let ins = b.ins();
        ins.store(trusted(), site, self.context, at(offset::TRAP_SITE));
        b.ins().return_(&[code]);
    }

    /// Leaves the generator's state to the caller, or to what is called.
    pub(super) fn store_generator(&mut self) {
        let b = &mut self.builder;
        for (word, variable) in self.state.into_iter().enumerate() {
            let value = b.use_var(variable);
            let place = at(offset::STATE + word * 8);
            b.ins().store(trusted(), value, self.context, place);
        }
    }

    /// Leaves the generator's state and the count to the caller.
    fn store_state(&mut self) {
        self.store_generator();
        let b = &mut self.builder;
        if let Some(count) = self.count {
            let old = b.ins().load(types::I64, trusted(), self.cells, 0);
            let new = b.use_var(count);
            let sum = b.ins().iadd(old, new);
            b.ins().store(trusted(), sum, self.cells, 0);
        }
    }
}

/// Truth values are bytes of 0 and 1.
fn clif_type(ty: Type) -> clif::Type {
    match ty {
        Type::I64 => types::I64,
        Type::F64 => types::F64,
        Type::Bool => types::I8,
    }
}
