//! Code as text, for `dicec emit` and tests.

use super::emit;
use super::error::JitError;
use super::source::Source;
use super::target::{self, Effort};
use crate::ir::Module;
use crate::stat_windows;
use cranelift::codegen::Context;
use cranelift::codegen::isa::TargetIsa;
use dicec_runtime::bug;
use dicec_runtime::kernel::Sink;

/// A compiled function, as text.
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
pub(super) fn list(mut context: Context, isa: &dyn TargetIsa) -> Result<Listing, JitError> {
    let clif = context.func.display().to_string();
    context.set_disasm(true);
    let compiled = context
        .compile(isa, &mut Default::default())
        .map_err(|error| JitError::Codegen(format!("{:?}", error.inner)))?;
    let assembly = compiled.vcode.clone();
    let assembly = assembly.unwrap_or_else(|| bug!("a listing that was not kept").raise());
    Ok(Listing { clif, assembly })
}
