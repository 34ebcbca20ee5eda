//! Compiled code and the memory that it lives in.
#![allow(
    unsafe_code,
    reason = "calling compiled code and freeing its memory cannot be expressed safely"
)]

use super::error::{JitError, refused};
use super::source::Source;
use super::target::Effort;
use super::{emit, target};
use cranelift::codegen;
use cranelift::codegen::ir::Function;
use cranelift::codegen::isa::TargetIsa;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use dicec_runtime::abi::{Context, PoolStep, Status};
use std::fmt;

/// The stack that a call takes in addition to the function's own frame: return address, saved
/// registers, arguments.
const FRAME_OVERHEAD: usize = 512;

/// The stack that the runtime's functions may take.
const RUNTIME_STACK: usize = 256 << 10;

/// The signature of all kernels.
type Entry = extern "C" fn(*mut Context) -> Status;

/// A kernel's machine code. The pointer never leaves this type, which frees the memory when it is
/// dropped.
pub(super) struct Code {
    /// `None` only while it is being dropped.
    module: Option<JITModule>,
    entry: Entry,
    functions: Vec<usize>,
    /// The stack that calls may take at the maximum depth; 0 if there is only the kernel.
    stack: usize,
}

// SAFETY: after `Code::compile` or `Code::lone` nothing touches the module until `drop`, which has
// the only reference, and the code itself is immutable memory that holds no state.
unsafe impl Send for Code {}
// SAFETY: as for `Send`; `call` only reads the entry pointer.
unsafe impl Sync for Code {}

impl Code {
    /// Compiles `source`; also returns the steps that [`Context::steps`] has to hold.
    pub(super) fn compile(source: &Source<'_>) -> Result<(Self, Vec<PoolStep>), JitError> {
        let isa = target::host(Effort::Optimised)?;
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        match define(&mut module, source) {
            Ok(defined) => {
                let code = Self {
                    module: Some(module),
                    entry: defined.entry,
                    functions: defined.functions,
                    stack: defined.stack,
                };
                Ok((code, defined.steps))
            }
            Err(error) => {
                // SAFETY: no pointer into the module's memory was kept.
                unsafe { module.free_memory() };
                Err(error)
            }
        }
    }

    /// Compiles a lone kernel as `emit` builds it.
    pub(super) fn lone(emit: impl FnOnce(&dyn TargetIsa, &mut Function)) -> Result<Self, JitError> {
        let isa = target::host(Effort::AsEmitted)?;
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let mut context = module.make_context();
        emit(module.isa(), &mut context.func);
        match define_all(&mut module, [("kernel".to_owned(), context)]) {
            Ok((functions, _)) => Ok(Self {
                entry: entry(&functions),
                module: Some(module),
                functions: Vec::new(),
                stack: 0,
            }),
            Err(error) => {
                // SAFETY: no pointer into the module's memory was kept.
                unsafe { module.free_memory() };
                Err(error)
            }
        }
    }

    /// The addresses of the functions, by their numbers; valid as long as the code.
    pub(super) fn functions(&self) -> &[usize] {
        &self.functions
    }

    /// Runs the code.
    ///
    /// # Safety
    /// `context.resources` points to a value for each of the function's resources, and
    /// `context.cells` to `sink.cells(n)` cells that nothing else reads or writes during the call.
    /// `n` is `context.trials`; in a [lone](Code::lone) kernel, which runs groups, the trials of
    /// that many groups. A lone kernel with a table of its own finds the table there instead of
    /// cells. `context.pools` and `context.steps` point to as many of each as their
    /// counts say, the steps being those of [`Code::compile`]; `context.tables` and
    /// `context.columns` point to the tables of the source, as many as their count says, and to the
    /// columns of each. For a script, the resources are an
    /// [`ArgumentBlock`](crate::ir::ArgumentBlock) of the module, and `context.script` points to
    /// [`Code::functions`], to the addresses that the argument block lists as written, and to a
    /// workspace made from that block, which nothing else uses.
    pub(super) unsafe fn call(&self, context: &mut Context) -> Status {
        if self.stack == 0 {
            return (self.entry)(context);
        }
        let needed = self.stack + RUNTIME_STACK;
        stacker::maybe_grow(needed, needed + RUNTIME_STACK, || (self.entry)(context))
    }
}

/// What was compiled.
struct Defined {
    entry: Entry,
    functions: Vec<usize>,
    stack: usize,
    steps: Vec<PoolStep>,
}

fn define(module: &mut JITModule, source: &Source<'_>) -> Result<Defined, JitError> {
    let mut steps = Vec::new();
    let emitted = source.funcs().map(|func| {
        let mut context = module.make_context();
        emit::function(source, func, module.isa(), &mut steps, &mut context.func);
        (format!("kernel {func}"), context)
    });
    let emitted: Vec<_> = emitted.collect();
    let (functions, frame) = define_all(module, emitted)?;
    let calls = match source.tables {
        Some(tables) if functions.len() > 1 => tables.limits.depth as usize + 1,
        _ => 0,
    };
    Ok(Defined {
        entry: entry(&functions),
        functions: functions
            .into_iter()
            .map(|pointer| pointer as usize)
            .collect(),
        stack: calls.saturating_mul(frame),
        steps,
    })
}

/// Compiles functions; returns their addresses, and the maximum stack that a call of one of them
/// takes.
fn define_all(
    module: &mut JITModule,
    emitted: impl IntoIterator<Item = (String, codegen::Context)>,
) -> Result<(Vec<*const u8>, usize), JitError> {
    let mut ids = Vec::new();
    let mut frame = 0;
    for (name, mut context) in emitted {
        let signature = &context.func.signature;
        let id = module.declare_function(&name, Linkage::Export, signature);
        let id = id.map_err(refused)?;
        module.define_function(id, &mut context).map_err(refused)?;
        let layout = context
            .compiled_code()
            .and_then(|code| code.buffer.frame_layout());
        let used = layout.map_or(0, |layout| layout.frame_to_fp_offset as usize);
        frame = frame.max(used + FRAME_OVERHEAD);
        ids.push(id);
    }
    module.finalize_definitions().map_err(refused)?;
    let addresses = ids.into_iter().map(|id| module.get_finalized_function(id));
    Ok((addresses.collect(), frame))
}

/// The kernel among finished functions: the first.
fn entry(functions: &[*const u8]) -> Entry {
    // SAFETY: the pointer is to the finished code of a function with exactly this signature (see
    // `Around::signature` and the vector kernels'), in the machine's C calling convention; the
    // module that owns it is stored next to it.
    unsafe { std::mem::transmute::<*const u8, Entry>(functions[0]) }
}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the entry pointer is private to `self`, and the addresses of functions are
            // only used by its calls. `self` is being dropped, so no call is running or can follow.
            unsafe { module.free_memory() };
        }
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code").finish_non_exhaustive()
    }
}
