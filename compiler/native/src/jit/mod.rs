//! The Cranelift back end: the module of one trial becomes native code that runs many trials.
//!
//! ```text
//! ir::Module --emit--> CLIF --Cranelift--> Code (owned memory) --> JitKernel
//! ```
//!
//! `around` wraps the trial loop around the function: the generator's state is in registers except
//! during calls, resources are read once, and each trial's result goes to the sink. `vector` does
//! the same for trials in lanes. A script's module has more functions, which load the state from
//! the context. The code accesses only the [`dicec_runtime::abi::Context`] and memory reachable
//! from it; it calls only the functions of [`dicec_runtime::abi::call`], none of which can panic;
//! and every operation that could fault is checked or proved not to fault.
//!
//! With [`dicec_runtime::abi::call`], which follows the context's pointers, this folder holds the
//! project's only unsafe code: calling and freeing compiled code.

mod anchor;
mod around;
mod code;
mod compare;
mod draw;
mod drawn;
mod emit;
mod error;
mod float;
mod kernel;
mod listing;
mod moments;
mod ops;
mod pool;
mod script;
mod source;
mod state;
mod sums;
mod tables;
mod target;
mod vector;

pub use error::JitError;
pub use kernel::JitKernel;
pub use listing::{Listing, listing};
#[cfg(feature = "aarch64")]
pub use vector::vector_listing_for_aarch64;
pub use vector::{VectorKernel, vector_listing};
