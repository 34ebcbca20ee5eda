//! The columns of a table with a row for each result.

use super::BadBatch;
use super::inferred::Inferred;
use crate::figure::Figure;
use crate::long::{LongColumns, ResultRow};
use crate::results::ResultCell;
use arrow_array::ArrayRef;
use arrow_array::builder::{Float64Builder, StringBuilder};
use arrow_schema::{ArrowError, DataType, Field};
use std::sync::Arc;

/// The cells of these columns.
pub(super) struct Long {
    columns: LongColumns,
    rules: StringBuilder,
    parts: StringBuilder,
    /// Of the type of the results of the first batch.
    results: Inferred,
    p: Float64Builder,
}

impl Long {
    pub(super) fn new(columns: LongColumns) -> Self {
        Self {
            columns,
            rules: StringBuilder::new(),
            parts: StringBuilder::new(),
            results: Inferred::new(),
            p: Float64Builder::new(),
        }
    }

    /// Adds the cells of a row, which has this number.
    pub(super) fn push(&mut self, cells: ResultRow<'_>, row: u64) -> Result<(), BadBatch> {
        self.rules.append_value(cells.rule);
        self.parts.append_option(cells.part);
        let pushed = match cells.found {
            Some((ResultCell::Number(Figure::Whole(value)), _)) => self.results.push_whole(*value),
            Some((ResultCell::Number(Figure::Float(value)), _)) => self.results.push_float(*value),
            Some((ResultCell::Truth(holds), _)) => self.results.push_truth(*holds),
            Some((ResultCell::Name(name), _)) => self.results.push_text(name),
            None => self.results.push_nothing(),
        };
        pushed.map_err(|misfit| BadBatch::Cell {
            column: "result".to_owned(),
            expected: misfit.expected,
            row,
            cell: misfit.cell,
        })?;
        self.p.append_option(cells.found.map(|(_, p)| p));
        Ok(())
    }

    /// The columns, when the first batch is there.
    pub(super) fn decide(&mut self) -> Vec<Field> {
        let result = self.results.decide();
        let ty = |name| match name {
            "result" => result.clone(),
            "p" => DataType::Float64,
            _ => DataType::Utf8,
        };
        let names = self.columns.names();
        names.map(|name| Field::new(name, ty(name), true)).collect()
    }

    /// The cells since the last time.
    pub(super) fn finish(&mut self) -> Result<Vec<ArrayRef>, ArrowError> {
        let (rules, parts) = (self.rules.finish(), self.parts.finish());
        let rules = self.columns.has_rule.then(|| Arc::new(rules) as ArrayRef);
        let parts = self.columns.has_part.then(|| Arc::new(parts) as ArrayRef);
        let p = Arc::new(self.p.finish()) as ArrayRef;
        let results = self.results.finish()?;
        let first = rules.into_iter().chain(parts);
        Ok(first.chain([results, p]).collect())
    }
}
