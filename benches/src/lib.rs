//! What the benchmarks compare: the workloads, hand-written in Rust, compiled by dicec, and in a
//! peer.
//!
//! All variants of a workload do the same work: they draw the dice, and count each outcome (each
//! success of a check).

use dicec_compiler::Compiler;
use dicec_compiler::unstable::Check;

pub mod corpus;
pub mod fights;
pub mod hand;
pub mod measure;
pub mod peer;
pub mod plain;
pub mod question;
pub mod table;
pub mod workload;

/// The compiler of the benchmarks. Its answers are not checked, as those that they are compared
/// with are not: a check takes some milliseconds, which is a good part of a round.
pub fn compiler() -> Compiler {
    Compiler::new().check(Check::Off)
}
