//! Common subexpressions: the results that were emitted already. All blocks are emitted for all
//! lanes, so a result is valid in all later blocks, even on other paths ([`super::once`]).

use super::lane::Lane;
use crate::analysis::Interval;
use crate::ir::Op;
use cranelift::codegen::ir as clif;
use rustc_hash::FxHashMap;

/// Results by operation and operands, in the code that is emitted now.
#[derive(Clone, Default)]
pub(super) struct Computed {
    pub(super) results: FxHashMap<(Op, Vec<Lane>), Known>,
    /// Vectors of a lane's distance from a number.
    pub(super) vectors: FxHashMap<(Lane, i64), clif::Value>,
    /// The halves of vectors of 8 bits ([`super::halves`]).
    pub(super) halves: FxHashMap<clif::Value, [clif::Value; 2]>,
}

/// A result, and the intervals of the operands for which its code is valid.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) ranges: Vec<Interval>,
    pub(super) result: Lane,
}
