//! Tables of odds: rows in, columns of odds out. A question is a rule whose resources are columns,
//! a column of rules or AnyDice programs, the roll of a script whose arguments have columns, or an
//! encounter whose sides have some.
//!
//! ```text
//!  rows --cell, questions--> indices (question, tuple of values)
//!                              |
//!             memo <--solve----+ tuples that are not known yet, on several threads
//!               |
//!  Answer (numbers of a row) --group--> columns
//! ```
//!
//! [`Source`] reads rows, and [`Joins`] pairs them with those of a second table, or with the
//! values of a [`Sweep`].
//!
//! Rows are worked through in blocks ([`Batch::clear`], [`Batch::push`], [`Batch::solve`],
//! [`Batch::answer`]), so that memory does not grow with the table. A run tells of its progress in
//! rows ([`Batch::on_progress`]), and a [`Control`](dicec_runtime::control::Control) cancels it.
//! Equal rows are computed once, and every row is sampled from the same seed: the answers depend
//! neither on the order of the rows nor on the threads.
//!
//! ```
//! use dicec_compiler::Compiler;
//! use dicec_runtime::pmf::Limits;
//! use dicec_runtime::resource::ResourceTable;
//! use dicec_tables::{Batch, Columns, Field, Method, Numbers};
//!
//! let header = ["Attack".to_owned(), "Target Defense".to_owned()];
//! let columns = Columns::new(&header, ResourceTable::new());
//! let method = Method::Exact(Limits::default(), None);
//! let mut batch = Batch::new(columns, method, Numbers::Quantiles)?;
//! let hit = Compiler::new().rule("1d20 + [Attack] >= [Target Defense]")?;
//! batch.ask_rule("hit", &hit).expect("the columns are there");
//!
//! let rows: [&[&str]; 2] = [&["6", "12"], &["3", "19"]];
//! for row in &rows {
//!     batch.push(row);
//! }
//! batch.solve()?;
//! let group = &batch.groups()[0];
//! assert_eq!(group.columns().collect::<Vec<_>>(), ["hit_p"]);
//! let first = batch.answer(0, 0).expect("a good row");
//! assert_eq!(group.figure(&first, Field::P).expect("a check").to_string(), "0.75");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
#[cfg(feature = "columns")]
mod arrow;
mod back_off;
mod batch;
mod cell;
mod columnar;
mod columns;
mod curves;
#[cfg(feature = "serde")]
pub mod document;
mod fault;
mod field;
mod fights;
mod figure;
mod format;
mod group;
mod index;
mod joined;
mod lines;
mod long;
mod memo;
mod naming;
mod outputs;
mod path;
mod questions;
mod results;
mod rolls;
mod rules;
mod sink;
mod solve;
mod source;
mod sweep;
mod swept;
mod texts;
mod tuples;
mod varying;
mod wanted;
mod whole_file;

pub use answer::{Answer, Events, Odds, Spread, Stat, Summary};
#[cfg(feature = "columns")]
pub use arrow::{BadBatch, BatchWriter, RecordBatches};
pub use back_off::TRIES;
pub use batch::Batch;
pub use cell::{NotWhole, integer, value};
pub use columnar::{ArrayRef, Container, DataType, HAS_COLUMNS, NO_COLUMNS, NO_COLUMNS_HELP};
pub use columns::Columns;
pub use curves::{Curves, Drawn, Height, NoCurves};
pub use fault::{ArgumentFault, Fault, TextError};
pub use field::Field;
pub use fights::{CellNote, FightColumns, NoFights, ScenarioColumns, SideColumns};
pub use figure::Figure;
pub use format::{Format, UnknownEnding, Written};
pub use group::{Collision, Group};
pub use joined::{BadRow, Joined, Joins, Origin, Point, SameName};
pub use long::{LongColumns, ResultRow};
pub use naming::Named;
pub use outputs::{AnyDiceCells, Variables};
pub use path::part;
pub use results::{ResultCell, Results};
pub use rolls::BadRoll;
pub use sink::{CsvSink, Layout, Sink, column_sink};
#[cfg(feature = "serde")]
pub use sink::{JsonSink, RowDocument};
pub use solve::Method;
pub use source::{BadTable, Record, RowFault, Shape, Source};
#[cfg(feature = "columns")]
pub use source::{unwound, vetted};
pub use sweep::{BadGrid, Grid, RULES, Sweep};
pub use varying::{BadHeader, Part, Varying};
pub use wanted::{Numbers, Wanted};
pub use whole_file::WholeFile;

/// A row of a table.
pub trait Row {
    /// The text of a cell, counted from 0; empty if the row ends before it.
    fn cell(&self, column: usize) -> &str;
}

impl<T: AsRef<str>> Row for [T] {
    fn cell(&self, column: usize) -> &str {
        self.get(column).map_or("", AsRef::as_ref)
    }
}

impl<R: Row + ?Sized> Row for &R {
    fn cell(&self, column: usize) -> &str {
        (**self).cell(column)
    }
}
