//! The Cranelift back end: the module of one trial becomes native code that runs many.
//!
//! ```text
//! ir::Module --emit--> CLIF --Cranelift--> Code (owned memory) --> JitKernel
//! ```
//!
//! `around` wraps the trial loop around the function: the generator's state lives in registers but where a pool draws,
//! resources are read once, and each trial ends in the sink. `vector` does so for trials in lanes. A script's module has more functions, which find the state in the context. The code reads and writes nothing but the
//! [`dicec_runtime::abi::Context`] and what that points to; it calls nothing but the functions of [`dicec_runtime::abi::call`],
//! none of which can panic, and every operation that could fault is checked or shown not to.
//!
//! With [`dicec_runtime::abi::call`], which follows the context's pointers, this folder holds the project's only unsafe code:
//! calling what was compiled, and freeing it.

mod anchor;
mod around;
mod code;
mod compare;
mod draw;
mod drawn;
mod emit;
mod float;
mod kernel;
mod moments;
mod ops;
mod pool;
mod script;
mod source;
mod sums;
mod target;
mod vector;

pub use code::JitError;
pub use kernel::JitKernel;
#[cfg(feature = "aarch64")]
pub use vector::vector_listing_for_aarch64;
pub use vector::{VectorKernel, vector_listing};

use crate::engine::stat_windows;
use crate::ir::Module;
use cranelift::codegen::Context;
use cranelift::codegen::isa::TargetIsa;
use dicec_runtime::kernel::Sink;
use source::Source;
use target::Effort;

/// What Cranelift made of a function, as text.
#[derive(Clone, Debug)]
pub struct Listing {
    /// Cranelift's IR, as it was emitted.
    pub clif: String,
    /// The machine code of this machine.
    pub assembly: String,
}

/// Compiles `module` to text, one function after the other, for `dicec emit`.
///
/// # Errors
/// See [`JitError`].
pub fn listing(module: &Module, sink: Sink) -> Result<Listing, JitError> {
    let windows = stat_windows(module);
    let source = Source::new(module, &windows, sink);
    let isa = target::host(Effort::Optimised)?;
    let mut listing = Listing {
        clif: String::new(),
        assembly: String::new(),
    };
    let mut steps = Vec::new();
    for func in source.funcs() {
        let mut context = Context::new();
        emit::function(&source, func, isa.as_ref(), &mut steps, &mut context.func);
        let listed = list(context, isa.as_ref())?;
        listing.clif += &listed.clif;
        listing.assembly += &listed.assembly;
    }
    Ok(listing)
}

/// The listing of one function.
fn list(mut context: Context, isa: &dyn TargetIsa) -> Result<Listing, JitError> {
    let clif = context.func.display().to_string();
    context.set_disasm(true);
    let compiled = context
        .compile(isa, &mut Default::default())
        .map_err(|error| JitError::Codegen(format!("{:?}", error.inner)))?;
    let assembly = compiled.vcode.clone().unwrap_or_default();
    Ok(Listing { clif, assembly })
}
