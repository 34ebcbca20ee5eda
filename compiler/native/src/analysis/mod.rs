//! Analyses of the IR, for passes and engines. They change nothing.
//!
//! ```text
//! interval, float_interval, edge -> ranges -> transfer, assume -> pool_bounds, trip_count
//!               -> executions -> accumulated, dependents -> pending -> range
//! region        the order in which many trials go through the blocks together; uniform: what is
//!               equal for all of them
//! expression    dominated DAGs of dice; distribution and fused_draw turn each into one draw
//! odds          how likely a condition on a die is
//! few_values    which few numbers a value may be
//! names         the few names of statistics that trials put together
//! argument_words  which words of an argument block a trial reads, and which decide on its code
//! cost          the approximate cost of a trial
//! ```

mod accumulated;
mod argument_words;
mod assume;
mod choice;
pub(crate) mod cost;
mod dependents;
mod distribution;
mod edge;
mod executions;
mod expression_dag;
mod few_values;
mod float_interval;
mod fused_draw;
mod interval;
mod known_ranges;
mod names;
mod odds;
mod pending;
mod pool_bounds;
mod range;
mod ranges;
mod reciprocal;
mod region;
mod transfer;
mod trip_count;
mod uniform;

pub use argument_words::{
    Words, has_open_loops, read_words, shaping_operands, shaping_words, tested_words,
};
pub(crate) use edge::{Edge, passed_for};
pub(crate) use executions::{Executions, counted_loops, innermost_loops};
pub(crate) use expression_dag::{ExpressionDag, Uses};
pub(crate) use few_values::FewValues;
pub(crate) use fused_draw::fused_draw;
pub(crate) use interval::Interval;
pub(crate) use known_ranges::KnownRanges;
pub(crate) use names::known_names;
pub(crate) use odds::odds;
pub(crate) use range::{result_range, result_range_of};
pub(crate) use ranges::{Given, Ranges};
pub(crate) use reciprocal::Reciprocal;
pub(crate) use region::{Part, Region};
pub(crate) use transfer::compared;
pub(crate) use trip_count::heads as loop_heads;
pub(crate) use uniform::Uniform;
