//! **Unstable.** Answers for people and programs: odds with quantiles, comparisons, degrees and
//! labels, the lines and statistics of a script, and the run of a simulation. This module is above
//! the engines; it depends neither on programs nor on output formats.
//!
//! ```text
//! dicec_exact::Question --exact--> Answer <--sampled-- Tally or Summary, Events
//!                                      |
//!                                 Distribution --lattice, rows--> rows of a table, bars
//!                                      |      \--relation--> how it compares with another one
//!                                   document --> JSON (feature `serde`)
//! ```
//!
//! Only [`exact`] decides whether odds are fractions or floats.

mod axis;
mod cells;
mod chances;
mod checked;
mod clamped;
mod condition;
mod digits;
mod distribution;
#[cfg(feature = "serde")]
pub mod document;
mod exact;
mod figures;
mod given;
mod grid;
mod joint;
mod labels;
mod lattice;
mod named;
mod parts;
#[cfg(feature = "plot")]
pub mod plot;
mod questions;
mod relation;
mod rows;
mod run;
mod script;
mod share;
mod together;

pub use axis::{MAX_ROWS, Steps, round_up};
pub use cells::{cells, joint_cells, named_cells};
pub use checked::Checked;
pub use clamped::clamp_text;
pub use condition::Condition;
pub(crate) use condition::NotGiven;
pub use digits::{grouped, percent, short_percent, significant};
pub use distribution::{Distribution, Outcome, Unbounded, kind_word};
pub use exact::{Exactness, FRACTION_WORK, Weights, exact};
pub use figures::{figures, name_share, share_text, short_count, small_part};
pub use given::Given;
pub use grid::{Grid, GridSide};
pub use joint::{BadParts, Joint, JointOdds, PartOdds, chosen_parts};
pub use lattice::Lattice;
pub use named::{NamedAnswer, NamedAnswers};
pub use questions::{QUANTILES, Questions, Range, Total, quantile_column};
pub use relation::{Chances, are_comparable, ordinal};
pub use rows::{Row, Rows, named_rows, rows};
pub use run::Run;
pub use script::{Answer, Statistic};
pub use share::Share;

/// A rule and its odds; rules that are compared or drawn together are of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Side<'d> {
    /// The rule in its normal form.
    pub expression: &'d str,
    /// Its odds.
    pub odds: &'d Distribution,
}
