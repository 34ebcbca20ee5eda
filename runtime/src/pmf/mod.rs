//! Finite probability mass functions (PMFs) over `i64`: the exact engine computes with them, and
//! sampled results are checked against them.
//!
//! The flow through the folder: a question gets one [`Budget`] (`budget`); dice become tables
//! (`pool`), their modifiers change the faces (`face`, `series`), pools are added up (`fold`) or
//! some of their dice chosen (`order`, and `chains` where dice explode first), tables are combined,
//! mapped and mixed (`combine`, `mixture`; most of this collects its results in `accumulate`), and
//! the result answers questions (`table`, `query`).
//!
//! All of it is generic over the weight (`weight`): `f64` for speed, with a tracked error bound, or
//! `UBig` for exact fractions. The difference between the two is one trait, `kernel`, implemented
//! in `float` and `exact`; `window` is the pool algorithm that both share, and `recurrence` the one
//! for large pools in whole numbers.
//!
//! Nothing here panics, hangs or allocates without limit: every operation whose cost depends on its
//! input charges the budget before it starts.

mod accumulate;
mod budget;
mod chains;
mod combine;
mod cost;
mod exact;
mod face;
mod float;
mod fold;
mod kernel;
mod mixture;
mod number;
mod order;
mod pool;
mod query;
mod rank;
mod recurrence;
mod scaled;
mod select;
mod series;
mod split;
mod table;
#[cfg(test)]
mod tests;
mod weight;
mod window;

pub use budget::{
    Budget, DEFAULT_OUTCOMES, DEFAULT_WORK, Exhausted, Limits, MAX_OUTCOMES, Resource, SERIES_CUT,
};
pub use combine::{CombineError, Overflow};
pub(crate) use exact::{bits, ratio, signed_ratio};
pub use face::{DieError, Truncated};
pub use float::TINY;
pub use mixture::MixtureError;
pub use order::Keep;
pub use query::Relation;
pub use series::{Chain, Ends, Extra};
pub use split::Split;
pub use table::Pmf;
pub use weight::Weight;
