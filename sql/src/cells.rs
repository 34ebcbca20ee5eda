//! The arguments of a call as rows of cells, as `dicec-tables` reads them.

use crate::call::{Call, Resources};
use crate::error::{SqlError, internal};
use datafusion::arrow::array::{Array, ArrayRef, AsArray, StringArray, StructArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use datafusion::error::DataFusionError;
use datafusion::logical_expr::ColumnarValue;
use dicec_runtime::bug;
use dicec_tables::Row;

/// The columns that a question reads: those of the sides of an encounter or of the resources, and
/// at the end that of the rule, unless it is the same for each row.
pub(crate) struct Cells {
    columns: Vec<Column>,
    /// How many rows they have; one if nothing differs between rows.
    rows: usize,
    /// Whether nothing differs between rows.
    is_constant: bool,
}

/// A column of texts.
struct Column {
    texts: StringArray,
    /// The structure that it is a part of, if it is one: a row without it has no cell.
    owner: Option<StructArray>,
    /// Whether its only cell stands for each row.
    is_constant: bool,
}

/// A row of them.
pub(crate) struct RowOf<'c> {
    cells: &'c Cells,
    row: usize,
}

impl Cells {
    /// The cells of a call with these arguments.
    ///
    /// # Errors
    /// An argument cannot be read as texts.
    pub(crate) fn new(
        call: &Call,
        arguments: &[ColumnarValue],
        rows: usize,
    ) -> Result<Self, DataFusionError> {
        let is_constant = |value: &ColumnarValue| matches!(value, ColumnarValue::Scalar(_));
        let all_constant = arguments.iter().all(is_constant);
        let mut columns = Vec::new();
        for argument in arguments.get(..call.sides()).unwrap_or_default() {
            columns.push(Column::new(argument)?);
        }
        for argument in arguments.get(call.first..).unwrap_or_default() {
            match call.resources {
                Resources::InOrder(_) => columns.push(Column::new(argument)?),
                Resources::Named(_) => columns.extend(Column::fields(argument)?),
            }
        }
        if call.has_rule_column() {
            let rule = arguments.first();
            columns.push(Column::new(rule.ok_or_else(|| {
                SqlError::from(internal(&bug!("a call without a rule")))
            })?)?);
        }
        Ok(Self {
            columns,
            rows: if all_constant { 1 } else { rows },
            is_constant: all_constant,
        })
    }

    /// Whether nothing differs between rows, so that there is only one.
    pub(crate) fn is_constant(&self) -> bool {
        self.is_constant
    }

    /// The rows; none for one that lacks a cell, whose answer is missing, too.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Option<RowOf<'_>>> {
        (0..self.rows).map(|row| {
            let is_whole = self.columns.iter().all(|column| column.has(row));
            is_whole.then_some(RowOf { cells: self, row })
        })
    }

    /// The row of this number.
    pub(crate) fn row(&self, row: usize) -> RowOf<'_> {
        RowOf { cells: self, row }
    }
}

impl Column {
    fn new(value: &ColumnarValue) -> Result<Self, DataFusionError> {
        let (array, is_constant) = array(value)?;
        Self::of(&array, None, is_constant)
    }

    /// The columns of a structure.
    fn fields(value: &ColumnarValue) -> Result<Vec<Self>, DataFusionError> {
        let (array, is_constant) = array(value)?;
        let owner = array.as_struct();
        let columns = owner.columns().iter();
        let columns = columns.map(|column| Self::of(column, Some(owner.clone()), is_constant));
        columns.collect()
    }

    fn of(
        array: &ArrayRef,
        owner: Option<StructArray>,
        is_constant: bool,
    ) -> Result<Self, DataFusionError> {
        let texts = cast(array, &DataType::Utf8)?;
        Ok(Self {
            texts: texts.as_string::<i32>().clone(),
            owner,
            is_constant,
        })
    }

    /// Where the cell of a row is.
    fn index(&self, row: usize) -> usize {
        if self.is_constant { 0 } else { row }
    }

    fn has(&self, row: usize) -> bool {
        let row = self.index(row);
        let owned = self.owner.as_ref().is_none_or(|owner| owner.is_valid(row));
        owned && self.texts.is_valid(row)
    }

    fn cell(&self, row: usize) -> &str {
        let row = self.index(row);
        match row < self.texts.len() {
            true => self.texts.value(row),
            false => "",
        }
    }
}

/// A value as an array, and whether that has one element for all rows.
fn array(value: &ColumnarValue) -> Result<(ArrayRef, bool), DataFusionError> {
    Ok(match value {
        ColumnarValue::Array(array) => (ArrayRef::clone(array), false),
        ColumnarValue::Scalar(scalar) => (ScalarValue::to_array(scalar)?, true),
    })
}

impl Row for RowOf<'_> {
    fn cell(&self, column: usize) -> &str {
        let column = self.cells.columns.get(column);
        column.map_or("", |column| column.cell(self.row))
    }
}
