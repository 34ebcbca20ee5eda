//! The engines: they run a program or compute its distribution. Each reads the HIR or the IR; none
//! depends on a front end.

pub mod eval;
pub mod exact;
pub mod interp;
#[cfg(feature = "jit")]
pub mod jit;
mod sink;
mod workspaces;

pub use sink::{
    best_sink, moments_of, stat_windows, summary_sink, vector_moments_of, vector_sink,
    vector_stat_windows, vector_summary_sink,
};
