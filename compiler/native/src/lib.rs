//! From the typed tree to code: the SSA IR ([`ir`]), its text ([`ir_text`]), [`lower`],
//! [`analysis`] and [`pass`], and the engines that run it: the evaluators ([`eval`]) and native
//! code (`jit`).

pub mod analysis;
pub mod eval;
pub mod ir;
pub mod ir_text;
#[cfg(feature = "jit")]
pub mod jit;
pub mod lower;
pub mod pass;
mod sink;
mod workspaces;

pub use sink::{
    best_sink, moments_of, stat_windows, summary_sink, vector_moments_of, vector_sink,
    vector_stat_windows, vector_summary_sink,
};
