//! Columns for formats that know plain values only, CSV and tables for people: each field of a
//! structure becomes a column of its own, and a list a text. Numbers are written as `dicec batch`
//! writes them.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray, UInt64Array};
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::{DataType, Field, Float64Type, Schema};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use dicec_tables::Figure;
use std::sync::Arc;

/// A batch whose columns hold plain values.
///
/// # Errors
/// A value cannot be shown.
pub(super) fn plain(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let mut columns = Vec::new();
    let schema = batch.schema();
    for (field, column) in schema.fields().iter().zip(batch.columns()) {
        add(field.name(), column, &mut columns)?;
    }
    let fields = columns.iter();
    let fields = fields.map(|(name, column)| Field::new(name, column.data_type().clone(), true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let columns = columns.into_iter().map(|(_, column)| column);
    RecordBatch::try_new(schema, columns.collect())
}

/// Adds a column, or those of its fields.
fn add(
    name: &str,
    column: &ArrayRef,
    columns: &mut Vec<(String, ArrayRef)>,
) -> Result<(), ArrowError> {
    match column.data_type() {
        DataType::Struct(fields) => {
            // Where the structure is missing, so are its fields.
            let (_, parts, nulls) = column.as_struct().clone().into_parts();
            let is_missing = |row: usize| nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
            let kept: Vec<Option<u64>> = (0..column.len())
                .map(|row| (!is_missing(row)).then_some(row as u64))
                .collect();
            let kept = UInt64Array::from(kept);
            for (field, part) in fields.iter().zip(parts) {
                let part = take(&part, &kept, None)?;
                add(&format!("{name}.{}", field.name()), &part, columns)?;
            }
        }
        DataType::Float64 => {
            let cells = column.as_primitive::<Float64Type>().iter();
            let cells = cells.map(|cell| cell.map(|cell| Figure::Float(cell).to_string()));
            columns.push((name.to_owned(), Arc::new(StringArray::from_iter(cells))));
        }
        ty if ty.is_nested() => {
            let options = FormatOptions::default();
            let shown = ArrayFormatter::try_new(column, &options)?;
            let cell = |row: usize| match column.is_null(row) {
                true => Ok(None),
                false => shown.value(row).try_to_string().map(Some),
            };
            let cells = (0..column.len()).map(cell);
            let cells = cells.collect::<Result<Vec<_>, ArrowError>>()?;
            columns.push((name.to_owned(), Arc::new(StringArray::from(cells))));
        }
        _ => columns.push((name.to_owned(), ArrayRef::clone(column))),
    }
    Ok(())
}
