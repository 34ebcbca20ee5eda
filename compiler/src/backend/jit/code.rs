//! Compiled code and the memory that it lives in.
#![allow(
    unsafe_code,
    reason = "calling compiled code and freeing its memory cannot be expressed safely"
)]

use super::{emit, target};
use crate::ir::Function;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, ModuleError, default_libcall_names};
use dicec_runtime::abi::{Context, PoolStep, Status};
use dicec_runtime::kernel::Sink;
use std::fmt;
use thiserror::Error;

/// Why a program could not be compiled to native code. None of these depends on the rule's text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum JitError {
    /// The machine is not one that code can be made for.
    #[error("native code cannot be made for this machine: {0}")]
    Target(String),
    /// Cranelift refused the code.
    #[error("the code generator failed: {0}")]
    Codegen(String),
}

impl From<ModuleError> for JitError {
    fn from(error: ModuleError) -> Self {
        JitError::Codegen(error.to_string())
    }
}

/// The signature of all kernels.
type Entry = extern "C" fn(*mut Context) -> Status;

/// A kernel's machine code. The pointer never leaves this type, which frees the memory when it is dropped.
pub(super) struct Code {
    /// `None` only while it is being dropped.
    module: Option<JITModule>,
    entry: Entry,
}

// SAFETY: after `Code::compile` nothing touches the module until `drop`, which has the only reference, and the code
// itself is immutable memory that holds no state.
unsafe impl Send for Code {}
// SAFETY: as for `Send`; `call` only reads the entry pointer.
unsafe impl Sync for Code {}

impl Code {
    /// Compiles `function` with its trial loop and sink. The steps are those that [`Context::steps`] has to hold.
    pub(super) fn compile(
        function: &Function,
        sink: Sink,
    ) -> Result<(Self, Vec<PoolStep>), JitError> {
        let isa = target::host()?;
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        match define(&mut module, function, sink) {
            Ok((entry, steps)) => {
                let module = Some(module);
                Ok((Self { module, entry }, steps))
            }
            Err(error) => {
                // SAFETY: no pointer into the module's memory was kept.
                unsafe { module.free_memory() };
                Err(error)
            }
        }
    }

    /// Runs the code.
    ///
    /// # Safety
    /// `context.resources` points to a value for each of the function's resources, and `context.cells` to
    /// `sink.cells(context.trials)` cells that nothing else reads or writes during the call; `context.pools` and
    /// `context.steps` point to as many of each as their counts say, the steps being those of [`Code::compile`].
    pub(super) unsafe fn call(&self, context: &mut Context) -> Status {
        (self.entry)(context)
    }
}

fn define(
    module: &mut JITModule,
    function: &Function,
    sink: Sink,
) -> Result<(Entry, Vec<PoolStep>), JitError> {
    let mut context = module.make_context();
    let steps = emit::kernel(function, sink, module.isa(), &mut context.func);
    let id = module.declare_function("kernel", Linkage::Export, &context.func.signature)?;
    module.define_function(id, &mut context)?;
    module.finalize_definitions()?;
    let pointer = module.get_finalized_function(id);
    // SAFETY: the pointer is to the finished code of a function with exactly this signature (see `emit::signature`), in the
    // machine's C calling convention; the module that owns it is stored beside it.
    let entry = unsafe { std::mem::transmute::<*const u8, Entry>(pointer) };
    Ok((entry, steps))
}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the entry pointer is private to `self`, which is going away, so no call can follow.
            unsafe { module.free_memory() };
        }
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code").finish_non_exhaustive()
    }
}
