//! The reader of columns in a build without them: it reads none.

use super::{BadTable, Record};
use crate::{DataType, NO_COLUMNS, NO_COLUMNS_HELP};
use std::fs::File;
use std::io::Read;

/// Rows of columns: there are none.
pub(super) enum ArrowRows {}

/// The rows, and the names and types of the columns.
pub(super) type Opened = (ArrowRows, Vec<(String, DataType)>);

impl ArrowRows {
    pub(super) fn parquet(_: File) -> Result<Opened, BadTable> {
        Err(none())
    }

    pub(super) fn parquet_bytes(_: Vec<u8>) -> Result<Opened, BadTable> {
        Err(none())
    }

    pub(super) fn ipc(_: Box<dyn Read>) -> Result<Opened, BadTable> {
        Err(none())
    }

    pub(super) fn bytes_read(&self) -> u64 {
        match *self {}
    }

    pub(super) fn read(&mut self, _: &mut Record) -> Result<bool, BadTable> {
        match *self {}
    }
}

fn none() -> BadTable {
    BadTable::unreadable(NO_COLUMNS).help(NO_COLUMNS_HELP)
}
