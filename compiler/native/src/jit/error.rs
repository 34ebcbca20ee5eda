//! Errors of code generation.

use cranelift_module::ModuleError;
use thiserror::Error;

/// The reason why a program could not be compiled to native code. None depends on the rule's text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum JitError {
    /// There is no code generator for this machine.
    #[error("native code cannot be made for this machine: {0}")]
    Target(String),
    /// Cranelift refused the code.
    #[error("the code generator failed: {0}")]
    Codegen(String),
}

/// The error of a rejection by Cranelift. It is not a `From`, which would make Cranelift's type
/// part of the interface.
pub(super) fn refused(error: ModuleError) -> JitError {
    JitError::Codegen(error.to_string())
}
