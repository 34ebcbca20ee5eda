//! A table's own columns: those of Arrow unchanged, others with the types of their first cells.

use super::BadBatch;
use super::inferred::Inferred;
use crate::joined::Joined;
use arrow_array::{Array, ArrayRef, new_empty_array};
use arrow_schema::{ArrowError, DataType, Field};
use arrow_select::interleave::interleave;
use std::sync::Arc;

/// A column.
pub(super) struct Own {
    name: String,
    cells: Cells,
}

enum Cells {
    /// Values of columns of Arrow.
    Taken(Taken),
    /// A column that was text, or JSON.
    Inferred(Inferred),
}

/// Values of columns that were read.
struct Taken {
    ty: DataType,
    arrays: Vec<ArrayRef>,
    /// For each row the array that has its value, and the place there.
    places: Vec<(usize, usize)>,
}

impl Own {
    /// A column of a table, with its type if the table states it.
    pub(super) fn new(name: &str, ty: Option<DataType>) -> Self {
        Self {
            name: name.to_owned(),
            cells: match ty {
                Some(ty) => Cells::Taken(Taken {
                    ty,
                    arrays: Vec::new(),
                    places: Vec::new(),
                }),
                None => Cells::Inferred(Inferred::new()),
            },
        }
    }

    /// Adds the cell of a row, which has this number.
    pub(super) fn push(
        &mut self,
        cells: &Joined<'_>,
        column: usize,
        row: u64,
    ) -> Result<(), BadBatch> {
        match &mut self.cells {
            Cells::Inferred(inferred) => inferred.push(cells, column).map_err(|misfit| {
                let (expected, cell) = (misfit.expected, misfit.cell);
                let column = self.name.clone();
                BadBatch::Cell {
                    column,
                    expected,
                    row,
                    cell,
                }
            }),
            Cells::Taken(taken) => match cells.array(column) {
                Some((array, place)) if *array.data_type() == taken.ty => {
                    taken.push(array, place);
                    Ok(())
                }
                _ => Err(BadBatch::Type {
                    column: self.name.clone(),
                    expected: taken.ty.clone(),
                    row,
                }),
            },
        }
    }

    /// Decides its type, if the table does not say it.
    pub(super) fn decide(&mut self) -> Field {
        let ty = match &mut self.cells {
            Cells::Taken(taken) => taken.ty.clone(),
            Cells::Inferred(inferred) => inferred.decide(),
        };
        Field::new(&self.name, ty, true)
    }

    /// The cells since the last time.
    pub(super) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        match &mut self.cells {
            Cells::Taken(taken) => taken.finish(),
            Cells::Inferred(inferred) => inferred.finish(),
        }
    }
}

impl Taken {
    fn push(&mut self, array: &ArrayRef, place: usize) {
        // Rows come in the order in which they were read.
        let is_next = self
            .arrays
            .last()
            .is_none_or(|last| !Arc::ptr_eq(last, array));
        if is_next {
            self.arrays.push(Arc::clone(array));
        }
        self.places.push((self.arrays.len() - 1, place));
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let (arrays, places) = (
            std::mem::take(&mut self.arrays),
            std::mem::take(&mut self.places),
        );
        if arrays.is_empty() {
            return Ok(new_empty_array(&self.ty));
        }
        let arrays: Vec<&dyn Array> = arrays.iter().map(AsRef::as_ref).collect();
        interleave(&arrays, &places)
    }
}
