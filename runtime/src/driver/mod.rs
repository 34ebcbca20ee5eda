//! The chunked, parallel driver: runs a kernel for many trials and tallies the results.
//!
//! A run is cut into chunks of [`CHUNK`] trials; [`crate::rng::Streams`] gives each its own stream,
//! and tallies merge in any order, so the result depends only on the seed and the number of trials,
//! never on the threads. `plan` has the extent and the stop rule, `chunks` runs a range of chunks
//! on the threads of `team`, in short calls of a `portion` of trials, `run` runs such ranges until
//! the plan is fulfilled, `gather` accumulates the results, and `precision` tests after a range
//! whether they are precise enough. `samples` stores every result instead, each as an `element` of
//! the caller's array.

mod chunks;
mod element;
mod error;
mod gather;
mod plan;
mod portion;
mod precision;
mod run;
mod samples;
mod team;

pub use crate::control::Control;
pub use element::Element;
pub use error::RunError;
pub use plan::{Extent, Judged, Plan, StatScales, Workers};
pub use run::{Ended, Ran, Seen, simulate, simulate_seen, summarise, summarise_seen};
pub use samples::sample;

/// Trials in a chunk. Part of the seed contract.
pub const CHUNK: u64 = 1 << 16;
