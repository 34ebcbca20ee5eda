//! Tables in columns, which are Parquet's and Arrow's. The libraries for them take more than half
//! of the time of a build, so a build has them with the feature `columns` only.

use std::path::Path;

#[cfg(feature = "columns")]
pub use arrow_array::ArrayRef;
#[cfg(feature = "columns")]
pub use arrow_schema::DataType;

/// A column of Arrow: there is none in this build.
#[cfg(not(feature = "columns"))]
#[derive(Clone, Debug)]
pub enum ArrayRef {}

/// The type of a column of Arrow: there is none in this build.
#[cfg(not(feature = "columns"))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataType {}

/// How columns are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// A Parquet file.
    Parquet,
    /// A file in Arrow's format, which ends with a directory of its batches.
    ArrowFile,
    /// The same without one, so that a pipe can be read.
    ArrowStream,
}

impl Container {
    /// Arrow's format for this file, or for a pipe; files that end in `.arrows` are streams.
    pub fn arrow(file: Option<&Path>) -> Self {
        let ending = file.map(|file| file.extension().unwrap_or_default());
        match ending {
            Some(ending) if !ending.eq_ignore_ascii_case("arrows") => Self::ArrowFile,
            Some(_) | None => Self::ArrowStream,
        }
    }
}

/// Whether this build reads and writes tables in columns.
pub const HAS_COLUMNS: bool = cfg!(feature = "columns");

/// The error of a build that does not.
pub const NO_COLUMNS: &str = "this build of dicec has no Parquet and no Arrow";

/// What to do about it.
pub const NO_COLUMNS_HELP: &str =
    "build it with `cargo build --release --features columns`, or use CSV or JSON";
