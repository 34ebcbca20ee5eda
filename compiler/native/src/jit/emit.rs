//! Emits the blocks of a function, and the values that all of them share. `around.rs` emits the
//! code before and after them.

use super::anchor::Anchors;
use super::ops;
use super::source::Source;
use super::state::{Around, Emitter, ScriptState, clif_type, trusted};
use super::sums::Sums;
use crate::ir::cfg::ControlFlow;
use crate::ir::{self, Func, Function, Imm, Op, Target, Terminator};
use cranelift::codegen::ir as clif;
use cranelift::codegen::isa::TargetIsa;
use cranelift::frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift::prelude::{InstBuilder, types};
use cranelift_entity::SecondaryMap;
use dicec_runtime::abi::{PoolStep, offset};
use dicec_runtime::bug;

/// Emits a function of `source` into `into`: the kernel, if it is the trial. `steps` collects the
/// steps on pools, by their numbers.
pub(super) fn function(
    source: &Source<'_>,
    func: Func,
    isa: &dyn TargetIsa,
    steps: &mut Vec<PoolStep>,
    into: &mut clif::Function,
) {
    let function = source.function(func);
    into.signature = Around::signature(function, func, isa);
    let mut context = FunctionBuilderContext::new();
    let graph = ControlFlow::new(function);
    // Definitions before uses: each block comes after its dominators.
    let order = graph.reverse_postorder();
    let builder = FunctionBuilder::new(into, &mut context);
    let mut emitter = Emitter::new(builder, source, func, steps);
    emitter.begin(order);
    for &block in order {
        emitter.block(block);
    }
    emitter.exits();
    emitter.builder.seal_all_blocks();
    emitter.builder.finalize(isa.frontend_config());
}

impl<'f, 'c> Emitter<'f, 'c> {
    /// Switches to the block of the entry, and prepares the rest.
    fn new(
        mut builder: FunctionBuilder<'c>,
        source: &'f Source<'f>,
        func: Func,
        steps: &'f mut Vec<PoolStep>,
    ) -> Self {
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let context = builder.block_params(entry)[0];
        let state = [(); 4].map(|()| builder.declare_var(types::I64));
        let script = source.tables.map(|_| ScriptState {
            memory: builder.declare_var(types::I64),
            mask: builder.declare_var(types::I64),
            free: builder.declare_var(types::I64),
            fuel: builder.declare_var(types::I64),
        });
        let trapped = builder.create_block();
        builder.append_block_param(trapped, types::I32);
        builder.append_block_param(trapped, types::I64);
        builder.set_cold_block(trapped);
        let anchors = Anchors::new(source.function(func), &mut builder);
        Self {
            around: Around::new(&mut builder, source, func, entry),
            builder,
            source,
            func,
            function: source.function(func),
            context,
            state,
            script,
            values: SecondaryMap::new(),
            bounds: SecondaryMap::new(),
            above: SecondaryMap::new(),
            blocks: SecondaryMap::new(),
            trapped,
            rest: None,
            rare: false,
            steps,
            sums: Sums::of(source.function(func)),
            anchors,
        }
    }

    /// Loads the words that are used by slot, once per call.
    pub(super) fn load_resources(&mut self) {
        let mut resources = None;
        for inst in self.function.live_insts() {
            let data = &self.function.insts[inst];
            if let (Op::Resource, Imm::Slot(slot)) = (data.op, data.imm) {
                let words = match resources {
                    Some(words) => words,
                    None => *resources.insert(self.load(offset::RESOURCES)),
                };
                // A slot is below the number of resources of one source text, far below 2^28.
                let ins = self.builder.ins();
                let value = ins.load(types::I64, trusted(), words, slot as i32 * 8);
                self.values[data.result] = Some(value);
            }
        }
    }

    pub(super) fn create_blocks(&mut self, order: &[ir::Block]) {
        for &block in order {
            let here = self.builder.create_block();
            if is_rare(self.function, block) {
                self.builder.set_cold_block(here);
            }
            self.blocks[block] = Some(here);
            for &param in &self.function.blocks[block].params {
                let ty = clif_type(self.function.value_type(param));
                self.values[param] = Some(self.builder.append_block_param(here, ty));
            }
        }
    }

    /// Emits one block of the function.
    fn block(&mut self, block: ir::Block) {
        let here = self.clif_block(block);
        self.builder.switch_to_block(here);
        self.rest = None;
        self.rare = is_rare(self.function, block);
        let data = &self.function.blocks[block];
        for (index, &inst) in data.insts.iter().enumerate() {
            ops::inst(self, inst);
            self.anchor(&data.insts, index);
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
                let rare = !self.rare && is_rare(self.function, then.block);
                let (then, then_args) = self.target(then);
                let (otherwise, otherwise_args) = self.target(otherwise);
                let b = &mut self.builder;
                if rare {
                    // Code that only the explosion chain needs is emitted on the cold path.
                    let edge = b.create_block();
                    b.set_cold_block(edge);
                    b.ins()
                        .brif(condition, edge, &[], otherwise, &otherwise_args);
                    b.switch_to_block(edge);
                    b.ins().jump(then, &then_args);
                    return;
                }
                b.ins()
                    .brif(condition, then, &then_args, otherwise, &otherwise_args);
            }
            None => bug!("{block} has no terminator").raise(),
        }
    }

    /// Sets an anchor after an instruction, if one is due.
    fn anchor(&mut self, insts: &[ir::Inst], index: usize) {
        let Some(anchors) = &mut self.anchors else {
            return;
        };
        let due = anchors.due(self.function, insts, index);
        if due.is_empty() {
            return;
        }
        let slot = anchors.slot;
        let pointer = self.builder.func.dfg.value_type(self.context);
        for (value, offset) in due {
            if let Some(value) = self.values[value] {
                let ins = self.builder.ins();
                ins.stack_store(pointer, value, slot, offset);
            }
        }
        // Otherwise the next anchor would make these stores dead. It takes no machine code.
        self.builder.ins().sequence_point();
    }

    fn target(&mut self, target: &Target) -> (clif::Block, Vec<clif::BlockArg>) {
        let args = target.args.iter().map(|&arg| self.value(arg).into());
        let args = args.collect();
        (self.clif_block(target.block), args)
    }
}

/// Whether a block draws one more die of an explosion chain: most dice are not rolled again.
fn is_rare(function: &Function, block: ir::Block) -> bool {
    let mut insts = function.blocks[block].insts.iter();
    insts.any(|&inst| {
        matches!(
            function.insts[inst].op,
            Op::ExplosionsLeft | Op::RerollsLeft
        )
    })
}
