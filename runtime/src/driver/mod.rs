//! The chunked, parallel driver: runs a kernel for many trials and tallies the results.
//!
//! A run is cut into chunks of [`CHUNK`] trials; [`crate::rng::Streams`] gives each its own stream,
//! and tallies merge in any order, so the result depends on the seed and the number of trials
//! alone, never on the threads. `plan` says how long to run and how to stop early, `round` runs a
//! range of chunks on the threads of `team`, `run` puts rounds together until the plan is met. What
//! comes of the results, `gather` says.

mod gather;
mod plan;
mod round;
mod run;
mod samples;
mod team;

pub use crate::control::Control;
pub use plan::{Extent, Plan, Workers};
pub use run::{RunError, simulate, summarise};
pub use samples::sample;

/// Trials in a chunk. Part of the seed contract.
pub const CHUNK: u64 = 1 << 16;
