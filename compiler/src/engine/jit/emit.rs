//! A function as native code: its blocks, and the values that all of them share. What stands around it is in [`super::around`].

use super::anchor::Anchors;
use super::around::Around;
use super::sums::Sums;
use super::{Source, ops};
use crate::ir::cfg::ControlFlow;
use crate::ir::{self, Func, Function, Imm, Op, Target, Terminator, Type};
use cranelift::codegen::ir as clif;
use cranelift::codegen::isa::TargetIsa;
use cranelift::frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift::prelude::{InstBuilder, MemFlagsData, types};
use cranelift_entity::SecondaryMap;
use dicec_runtime::abi::{PoolStep, offset};
use dicec_runtime::trap::TrapCode;

/// Emits a function of `source` into `into`: the kernel, if it is the trial. `steps` takes the steps on pools, by their numbers.
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

/// The state of emission. Values that change from trial to trial are Cranelift variables, which it keeps in
/// registers.
pub(super) struct Emitter<'f, 'c> {
    pub(super) builder: FunctionBuilder<'c>,
    pub(super) source: &'f Source<'f>,
    pub(super) func: Func,
    pub(super) function: &'f Function,
    pub(super) context: clif::Value,
    /// The generator's four words.
    pub(super) state: [Variable; 4],
    /// What a script's functions keep in registers besides.
    pub(super) script: Option<ScriptState>,
    pub(super) around: Around,
    pub(super) values: SecondaryMap<ir::Value, Option<clif::Value>>,
    /// Within what numbers of dice and constants lie by the way they are made.
    pub(super) bounds: SecondaryMap<ir::Value, Option<(i64, i64)>>,
    /// How far numbers are above the least that they can be, where that was there before they were.
    pub(super) above: SecondaryMap<ir::Value, Option<clif::Value>>,
    pub(super) blocks: SecondaryMap<ir::Block, Option<clif::Block>>,
    /// Takes a code and a site.
    pub(super) trapped: clif::Block,
    /// A word, the sides of the die that was taken from it last in this block, and what is left.
    pub(super) rest: Option<(clif::Value, i64, clif::Value)>,
    /// Whether trials seldom come to the block that is emitted.
    rare: bool,
    pub(super) steps: &'f mut Vec<PoolStep>,
    pub(super) sums: Sums<'f>,
    pub(super) anchors: Option<Anchors>,
}

/// What a script's functions keep in registers: the fields of the same names of
/// [`ScriptContext`](dicec_runtime::abi::ScriptContext).
#[derive(Clone, Copy)]
pub(super) struct ScriptState {
    pub(super) memory: Variable,
    pub(super) free: Variable,
    pub(super) fuel: Variable,
}

/// Loads and stores of memory that the caller vouches for: aligned and never faulting.
pub(super) fn trusted() -> MemFlagsData {
    MemFlagsData::trusted()
}

pub(super) fn at(offset: usize) -> i32 {
    // Offsets into `Context` are below 400.
    offset as i32
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

    /// A word of the context.
    pub(super) fn load(&mut self, offset: usize) -> clif::Value {
        let ins = self.builder.ins();
        ins.load(types::I64, trusted(), self.context, at(offset))
    }

    /// Leaves a word in the context.
    pub(super) fn store(&mut self, value: clif::Value, offset: usize) {
        let ins = self.builder.ins();
        ins.store(trusted(), value, self.context, at(offset));
    }

    /// Reads the words that are used by slot, once a call.
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

    pub(super) fn clif_block(&self, block: ir::Block) -> clif::Block {
        // `create_blocks` gave every reachable block one; the fallback is never taken.
        self.blocks[block].unwrap_or(self.trapped)
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
        self.rest = None;
        self.rare = is_rare(self.function, block);
        let data = &self.function.blocks[block];
        for (place, &inst) in data.insts.iter().enumerate() {
            ops::inst(self, inst);
            self.anchor(&data.insts, place);
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
                    // What only the chain needs is made out of the way.
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
            // A verified function has no open block.
            None => {
                let zero = self.builder.ins().iconst(types::I64, 0);
                let code = self.builder.ins().iconst(types::I32, 0);
                let args = [code.into(), zero.into()];
                self.builder.ins().jump(self.trapped, &args);
            }
        }
    }

    /// A block for more of the block that is emitted.
    pub(super) fn new_block(&mut self) -> clif::Block {
        let block = self.builder.create_block();
        if self.rare {
            self.builder.set_cold_block(block);
        }
        block
    }

    fn target(&mut self, target: &Target) -> (clif::Block, Vec<clif::BlockArg>) {
        let args = target.args.iter().map(|&arg| self.value(arg).into());
        let args = args.collect();
        (self.clif_block(target.block), args)
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
        let site = self.source.site(self.func, site);
        let site = self.builder.ins().iconst(types::I64, site);
        self.trap_at(condition, code, site);
    }

    /// [`Emitter::trap_if_with`] at a site that is known at run time only.
    pub(super) fn trap_at(&mut self, condition: clif::Value, code: clif::Value, site: clif::Value) {
        // What the trap is is said out of the way.
        let [traps, next] = [(); 2].map(|()| self.new_block());
        let b = &mut self.builder;
        b.set_cold_block(traps);
        b.ins().brif(condition, traps, &[], next, &[]);
        b.switch_to_block(traps);
        b.ins().jump(self.trapped, &[code.into(), site.into()]);
        b.switch_to_block(next);
    }

    /// Traps with what a call of the runtime left, if it left a trap.
    pub(super) fn check_call(&mut self, site: ir::Inst) {
        let ins = self.builder.ins();
        let status = ins.load(types::I32, trusted(), self.context, at(offset::CALL_STATUS));
        self.trap_if_with(status, status, site);
    }

    /// Leaves the generator's state to the caller, or to what is called.
    pub(super) fn store_generator(&mut self) {
        for (word, variable) in self.state.into_iter().enumerate() {
            let value = self.builder.use_var(variable);
            self.store(value, offset::STATE + word * size_of::<u64>());
        }
    }

    /// Takes the generator's state from the caller, or back from what was called.
    pub(super) fn load_generator(&mut self) {
        for (word, variable) in self.state.into_iter().enumerate() {
            let value = self.load(offset::STATE + word * size_of::<u64>());
            self.builder.def_var(variable, value);
        }
    }
}

/// Whether a block draws one more die of a chain: most dice neither explode nor are rolled again.
fn is_rare(function: &Function, block: ir::Block) -> bool {
    let mut insts = function.blocks[block].insts.iter();
    insts.any(|&inst| {
        matches!(
            function.insts[inst].op,
            Op::ExplosionsLeft | Op::RerollsLeft
        )
    })
}

/// Truth values are bytes of 0 and 1.
pub(super) fn clif_type(ty: Type) -> clif::Type {
    match ty {
        Type::I64 => types::I64,
        Type::F64 => types::F64,
        Type::Bool => types::I8,
    }
}
