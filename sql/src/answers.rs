//! The answers to rows of columns, as the column that a call gives.

use crate::cells::Cells;
use crate::error::SqlError;
use crate::fault;
use crate::question::Question;
use datafusion::arrow::array::ArrayRef;
use datafusion::error::DataFusionError;
use dicec_lang::syntax::{FileCode, Finding};

impl Question {
    /// The answers to these rows, and the largest share of rolls of a row that clamping at 0
    /// changed.
    ///
    /// # Errors
    /// The first row that has no answer.
    pub(crate) fn answers(&mut self, cells: &Cells) -> Result<(ArrayRef, f64), DataFusionError> {
        self.batch.clear();
        let mut is_asked = Vec::new();
        for row in cells.rows() {
            is_asked.push(row.is_some());
            match row {
                Some(row) => {
                    self.batch.push(&row);
                }
                None => self.batch.skip(),
            }
        }
        self.batch.solve().map_err(|why| {
            SqlError::from(Finding::general(
                FileCode::Cancelled.as_str(),
                why.to_string(),
            ))
        })?;
        let mut column = self.shape.builder();
        let mut clamped: f64 = 0.0;
        for (row, is_asked) in is_asked.into_iter().enumerate() {
            if !is_asked {
                column.push(None);
                continue;
            }
            let answer = self.batch.answer(row, 0);
            let answer = answer.map_err(|fault| fault::in_row(self, &cells.row(row), fault))?;
            clamped = clamped.max(answer.clamped.unwrap_or(0.0));
            let figures = self.shape.figures(&answer);
            if self.shape.is_number() && figures == [None] {
                return Err(fault::no_figure(self, &cells.row(row)).into());
            }
            column.push(Some(&figures));
        }
        Ok((column.finish()?, clamped))
    }
}
