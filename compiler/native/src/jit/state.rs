//! The state of emission, and the building blocks of all operations: values, words of the context,
//! the generator's state, traps. [`super::emit`] creates and uses it.

use super::anchor::Anchors;
use super::source::Source;
use super::sums::Sums;
use crate::ir::{self, Func, Function, Type};
use cranelift::codegen::ir as clif;
use cranelift::frontend::{FunctionBuilder, Variable};
use cranelift::prelude::{InstBuilder, MemFlagsData, types};
use cranelift_entity::SecondaryMap;
use dicec_runtime::abi::{PoolStep, offset};
use dicec_runtime::bug;
use dicec_runtime::kernel::Sink;
use dicec_runtime::moments::Moments;
use dicec_runtime::trap::TrapCode;

/// The state of emission. Values that change from trial to trial are Cranelift variables, which
/// stay in registers.
pub(super) struct Emitter<'f, 'c> {
    pub(super) builder: FunctionBuilder<'c>,
    pub(super) source: &'f Source<'f>,
    pub(super) func: Func,
    pub(super) function: &'f Function,
    pub(super) context: clif::Value,
    /// The generator's four words.
    pub(super) state: [Variable; 4],
    /// The variables that a script's functions keep in registers as well.
    pub(super) script: Option<ScriptState>,
    pub(super) around: Around,
    pub(super) values: SecondaryMap<ir::Value, Option<clif::Value>>,
    /// The bounds of sums of dice and constants.
    pub(super) bounds: SecondaryMap<ir::Value, Option<(i64, i64)>>,
    /// The distances of numbers from their lowest possible values, where these were computed first.
    pub(super) above: SecondaryMap<ir::Value, Option<clif::Value>>,
    pub(super) blocks: SecondaryMap<ir::Block, Option<clif::Block>>,
    /// Takes a code and a site.
    pub(super) trapped: clif::Block,
    /// A word, the sides of the die that was taken from it last in this block, and the rest of the
    /// word.
    pub(super) rest: Option<(clif::Value, i64, clif::Value)>,
    /// Whether the block that is emitted runs rarely.
    pub(super) rare: bool,
    pub(super) steps: &'f mut Vec<PoolStep>,
    pub(super) sums: Sums<'f>,
    pub(super) anchors: Option<Anchors>,
}

/// What a script's functions keep in registers: the fields of the same names of
/// [`ScriptContext`](dicec_runtime::abi::ScriptContext).
#[derive(Clone, Copy)]
pub(super) struct ScriptState {
    pub(super) memory: Variable,
    /// The greatest address, all of whose bits are set.
    pub(super) mask: Variable,
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

/// The kind of function that is emitted.
pub(super) enum Around {
    /// The kernel.
    Trials(Trials),
    /// A function that others call, with the depth of the call.
    Called(clif::Value),
}

/// The loop over trials.
#[derive(Clone, Copy)]
pub(super) struct Trials {
    pub(super) sink: Sink,
    /// The number of remaining trials, this one included.
    pub(super) left: Variable,
    /// The sink's cells; if results are stored one after the other, the remaining ones.
    pub(super) cells: Variable,
    /// The number of true results, if the sink counts.
    pub(super) count: Option<Variable>,
    /// The moments, if the sink keeps them.
    pub(super) moments: Option<Kept>,
    pub(super) start: clif::Block,
    pub(super) done: clif::Block,
}

/// The moments of a call's results so far, relative to the centre: the sum, the sum of the squares
/// in 128 bits, the lowest and the highest.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    pub(super) moments: Moments,
    pub(super) sum: Variable,
    pub(super) squares: Variable,
    pub(super) least: Variable,
    pub(super) greatest: Variable,
}

impl Kept {
    pub(super) fn new(builder: &mut FunctionBuilder<'_>, moments: Moments) -> Self {
        let [sum, least, greatest] = [(); 3].map(|()| builder.declare_var(types::I64));
        Self {
            moments,
            sum,
            squares: builder.declare_var(types::I128),
            least,
            greatest,
        }
    }
}

impl Emitter<'_, '_> {
    /// A word of the context.
    pub(super) fn load(&mut self, offset: usize) -> clif::Value {
        let ins = self.builder.ins();
        ins.load(types::I64, trusted(), self.context, at(offset))
    }

    /// Stores a word in the context.
    pub(super) fn store(&mut self, value: clif::Value, offset: usize) {
        let ins = self.builder.ins();
        ins.store(trusted(), value, self.context, at(offset));
    }

    pub(super) fn clif_block(&self, block: ir::Block) -> clif::Block {
        // `create_blocks` gave every reachable block one.
        self.blocks[block].unwrap_or_else(|| bug!("no code has {block}").raise())
    }

    /// The value of an operand. Its definition dominates the use, so it was emitted before.
    pub(super) fn value(&mut self, value: ir::Value) -> clif::Value {
        self.values[value].unwrap_or_else(|| bug!("{value} is used before it is defined").raise())
    }

    /// A block for more of the block that is emitted.
    pub(super) fn new_block(&mut self) -> clif::Block {
        let block = self.builder.create_block();
        if self.rare {
            self.builder.set_cold_block(block);
        }
        block
    }

    /// Ends the call with `code` at `site` if `condition` holds, otherwise continues.
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
        // The code and site are set on the cold path.
        let [traps, next] = [(); 2].map(|()| self.new_block());
        let b = &mut self.builder;
        b.set_cold_block(traps);
        b.ins().brif(condition, traps, &[], next, &[]);
        b.switch_to_block(traps);
        b.ins().jump(self.trapped, &[code.into(), site.into()]);
        b.switch_to_block(next);
    }

    /// Traps if a call of the runtime left a trap in the context.
    pub(super) fn check_call(&mut self, site: ir::Inst) {
        let ins = self.builder.ins();
        let status = ins.load(types::I32, trusted(), self.context, at(offset::CALL_STATUS));
        self.trap_if_with(status, status, site);
    }

    /// Stores the generator's state for the caller, or for the function that is called.
    pub(super) fn store_generator(&mut self) {
        for (word, variable) in self.state.into_iter().enumerate() {
            let value = self.builder.use_var(variable);
            self.store(value, offset::STATE + word * size_of::<u64>());
        }
    }

    /// Loads the generator's state that the caller, or the called function, left.
    pub(super) fn load_generator(&mut self) {
        for (word, variable) in self.state.into_iter().enumerate() {
            let value = self.load(offset::STATE + word * size_of::<u64>());
            self.builder.def_var(variable, value);
        }
    }
}

/// Truth values are bytes of 0 and 1.
pub(super) fn clif_type(ty: Type) -> clif::Type {
    match ty {
        Type::I64 => types::I64,
        Type::F64 => types::F64,
        Type::Bool => types::I8,
    }
}
