//! Tables: rules for each row of one, or the encounter of each row.
//!
//! ```text
//! bytes --Source--> rows --Batch--> answers --sink--> bytes
//! ```
//!
//! Rows are worked through block by block, so memory does not grow with the table.

mod faults;
mod request;
mod rows;

pub use dicec_tables::Format;
pub(crate) use faults::{no_native_code, wrong_row};
pub use request::{Input, TableRequest};
