//! What the benchmarks compare: the workloads, hand-written in Rust, compiled by dicec, and in a
//! peer.
//!
//! All variants of a workload do the same work: they draw the dice, and count each outcome (each
//! success of a check).

pub mod corpus;
pub mod fights;
pub mod hand;
pub mod measure;
pub mod peer;
pub mod plain;
pub mod question;
pub mod table;
pub mod workload;
