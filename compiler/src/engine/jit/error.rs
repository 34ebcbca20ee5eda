//! Why code could not be made.

use cranelift_module::ModuleError;
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

/// Why Cranelift refused code. No conversion, which would make its type one of the library's
/// interface.
pub(super) fn refused(error: ModuleError) -> JitError {
    JitError::Codegen(error.to_string())
}
