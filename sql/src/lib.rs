//! Odds of dice as functions of SQL: [`register`] adds them to a session of DataFusion.
//!
//! ```text
//!  SQL --DataFusion--> a call with the types and the constants of its arguments
//!                        |
//!                      `call` what it asks, checked when the statement is planned
//!                        |
//!                      `question` a dicec_tables::Batch, one for all equal calls (`questions`);
//!                        |        `ask` checks what is asked, `shape` says what comes back
//!                        |
//!  columns --`cells`--> rows --`answers`--> a column of numbers or of structures
//! ```
//!
//! `functions` is what DataFusion sees of them, `matchups` the table function, `files` lets
//! statements name files as tables, which `store` finds and `scans` reads within bounds, and
//! `fault` puts what is wrong with a row into words, which `wire` brings back from other machines.
//!
//! Equal rows are computed once, however many partitions a plan has, and every row is sampled from
//! the seed of its call: results depend neither on partitions nor on machines.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let session = dicec_sql::Session::new(None, dicec_sql::MEMORY)?;
//! let sql = "SELECT dice_p('1d20 + [Attack] >= 15', a) AS hit FROM (VALUES (5), (7)) t (a)";
//! let rows = session.context().sql(sql).await?.collect().await?;
//! let shown = datafusion::arrow::util::pretty::pretty_format_batches(&rows)?.to_string();
//! assert!(shown.contains("0.55") && shown.contains("0.65"));
//! # Ok(())
//! # }
//! ```

mod advice;
mod answers;
mod ask;
mod call;
mod cells;
mod error;
mod fault;
mod files;
mod foreign;
mod functions;
mod matchups;
mod question;
mod questions;
mod scans;
mod session;
mod shape;
mod store;
mod unwound;
mod wire;

pub use error::SqlError;
pub use functions::{NAMES, functions, register};
pub use questions::Questions;
pub use scans::bounded;
pub use session::{MEMORY, Session};
pub use store::{Reach, Store, Stores};
pub use unwound::answering;
pub use wire::marked;
