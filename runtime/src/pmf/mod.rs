//! Finite probability mass functions (PMFs) over `i64`: the values that the exact engine computes with, and the
//! tables that sampled results are checked against.
//!
//! The flow through the folder: a question gets one [`Budget`] (`budget`); dice become tables (`pool`), tables
//! are combined, mapped and mixed (`combine`, `mixture`, which gather into `accumulate`), and the result
//! answers questions (`table`, `query`). All of it is generic over the weight (`weight`): `f64` for speed,
//! with a tracked error bound, or `BigUint` for exact fractions. What differs between the two is one
//! trait, `kernel`, implemented in `float` and `exact`; `window` is the pool algorithm that both share.
//!
//! Nothing here panics, hangs or allocates without bound: every operation whose cost depends on its input
//! asks the budget before it starts.

mod accumulate;
mod budget;
mod combine;
mod exact;
mod float;
mod kernel;
mod mixture;
mod pool;
mod query;
mod table;
#[cfg(test)]
mod tests;
mod weight;
mod window;

pub use budget::{
    Budget, DEFAULT_OUTCOMES, DEFAULT_WORK, Exhausted, Limits, MAX_OUTCOMES, Resource,
};
pub use combine::{CombineError, Overflow};
pub(crate) use exact::ratio;
pub use float::TINY;
pub use mixture::MixtureError;
pub use query::Relation;
pub use table::Pmf;
pub use weight::Weight;
