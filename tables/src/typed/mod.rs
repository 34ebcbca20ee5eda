//! Rows with their answers as record batches of Arrow, for Parquet files and other libraries.
//!
//! ```text
//! cells of a row --own-----> columns as they were read, or as their first rows look
//! its answers ----added----> numbers, lists of quantiles, structures of degrees, maps of lines
//! ```

mod added;
mod own;

use crate::answer::Answer;
use crate::group::Group;
use crate::joined::Joined;
use added::Added;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, FieldRef, Schema, SchemaRef};
use own::Own;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use thiserror::Error;

/// Why rows cannot be a record batch.
#[derive(Debug, Error)]
pub enum BadBatch {
    /// A cell is not what its column has held so far.
    #[error(
        "the first rows of the column \"{column}\" hold {expected}, but row {row} holds `{cell}`"
    )]
    Cell {
        /// The column's name.
        column: String,
        /// What it holds.
        expected: &'static str,
        /// The row, from 1, counted over all batches.
        row: u64,
        /// The cell.
        cell: String,
    },
    /// Two columns have one name.
    #[error("two columns would be called \"{0}\"")]
    Twice(String),
    /// Arrow does not make it.
    #[error(transparent)]
    Arrow(#[from] ArrowError),
}

/// Collects rows, and makes record batches of them.
pub struct Typed {
    own: Vec<Own>,
    groups: Vec<Group>,
    /// The columns that each group adds.
    added: Vec<Vec<Added>>,
    /// Known after the first batch.
    schema: Option<SchemaRef>,
    rows: u64,
}

impl Typed {
    /// No rows yet of a table with these columns, and with those that the groups add. A column of
    /// its own has the type that the table gave it; or, if it is text, the one that its cells in
    /// the first batch have: whole numbers, numbers, truth values or texts.
    pub fn new(header: &[String], types: &[Option<DataType>], groups: &[Group]) -> Self {
        let types = types.iter().cloned().chain(std::iter::repeat(None));
        let own = header.iter().zip(types);
        Self {
            own: own.map(|(name, ty)| Own::new(name, ty)).collect(),
            added: groups.iter().map(Added::of_group).collect(),
            groups: groups.to_vec(),
            schema: None,
            rows: 0,
        }
    }

    /// Adds a row: its cells, and an answer a group, if there is one.
    ///
    /// # Errors
    /// A cell that is not what its column holds.
    pub fn push(&mut self, cells: &Joined<'_>, answers: &[Option<Answer>]) -> Result<(), BadBatch> {
        self.rows += 1;
        for (column, own) in self.own.iter_mut().enumerate() {
            own.push(cells, column, self.rows)?;
        }
        for ((group, added), answer) in self.groups.iter().zip(&mut self.added).zip(answers) {
            for column in added {
                column.push(group, answer.as_ref());
            }
        }
        Ok(())
    }

    /// The rows since the last batch. The first one decides the types.
    ///
    /// # Errors
    /// Two columns of one name.
    pub fn batch(&mut self) -> Result<RecordBatch, BadBatch> {
        let schema = match &self.schema {
            Some(schema) => Arc::clone(schema),
            None => self.decide()?,
        };
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(schema.fields().len());
        for own in &mut self.own {
            columns.push(own.finish()?);
        }
        for column in self.added.iter_mut().flatten() {
            columns.push(column.finish()?);
        }
        Ok(RecordBatch::try_new(schema, columns)?)
    }

    /// Decides what the columns hold.
    fn decide(&mut self) -> Result<SchemaRef, BadBatch> {
        let own = self.own.iter_mut().map(Own::decide);
        let own = own.map(FieldRef::new);
        let mut fields: Vec<FieldRef> = own.collect();
        fields.extend(
            self.added
                .iter()
                .flatten()
                .map(|added| added.field().clone()),
        );
        let mut taken = FxHashSet::default();
        let twice = fields
            .iter()
            .find(|field| !taken.insert(field.name().clone()));
        if let Some(field) = twice {
            return Err(BadBatch::Twice(field.name().clone()));
        }
        let schema = Arc::new(Schema::new(fields));
        self.schema = Some(Arc::clone(&schema));
        Ok(schema)
    }
}
