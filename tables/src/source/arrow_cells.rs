//! Columns of Arrow as cells: whole numbers, numbers and truth values as JSON writes them, texts as
//! they are, lists as lists of JSON. Fields of structures are columns of their own, such as
//! `save.dex`, as they are in tables of JSON.

use super::Record;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float32Array, Float64Array, Int64Array, LargeListArray,
    RecordBatch, StringArray, StructArray, UInt64Array,
};
use arrow_cast::cast;
use arrow_cast::display::array_value_to_string;
use arrow_schema::{ArrowError, DataType, Field, Fields};
use serde_json::Value;
use std::sync::Arc;

/// A column of a batch.
pub(super) enum Cells {
    Int(Int64Array),
    Unsigned(UInt64Array),
    Float(Float64Array),
    Single(Float32Array),
    Bool(BooleanArray),
    Text(StringArray),
    List(LargeListArray, Box<Cells>),
    /// Anything else is shown as Arrow shows it.
    Other(ArrayRef),
}

/// The names and types of columns, those in structures with the names of both.
pub(super) fn flattened(fields: &Fields) -> Vec<(String, DataType)> {
    let mut columns = Vec::new();
    fields
        .iter()
        .for_each(|field| flatten("", field, &mut columns));
    columns
}

fn flatten(before: &str, field: &Field, columns: &mut Vec<(String, DataType)>) {
    let name = format!("{before}{}", field.name());
    match field.data_type() {
        DataType::Struct(fields) => {
            let before = format!("{name}.");
            fields
                .iter()
                .for_each(|field| flatten(&before, field, columns));
        }
        ty => columns.push((name, ty.clone())),
    }
}

/// The columns of a batch, in the order of [`flattened`].
///
/// # Errors
/// A structure that does not hold what its type says.
pub(super) fn arrays(batch: &RecordBatch) -> Result<Vec<ArrayRef>, ArrowError> {
    let mut columns = Vec::new();
    for column in batch.columns() {
        add(column, &mut columns)?;
    }
    Ok(columns)
}

impl Cells {
    /// The cells of a column.
    ///
    /// # Errors
    /// A column that does not hold what its type says.
    pub(super) fn new(array: &ArrayRef) -> Result<Self, ArrowError> {
        use DataType::{
            Boolean, Decimal32, Decimal64, Decimal128, Decimal256, Dictionary, FixedSizeList,
            Float16, Float32, Float64, Int8, Int16, Int32, Int64, LargeList, LargeUtf8, List,
            UInt8, UInt16, UInt32, UInt64, Utf8, Utf8View,
        };
        let as_type = |ty: &DataType| cast(array, ty);
        Ok(match array.data_type() {
            Int8 | Int16 | Int32 | Int64 => {
                Cells::Int(as_type(&Int64)?.as_primitive::<Int64Type>().clone())
            }
            UInt8 | UInt16 | UInt32 | UInt64 => {
                Cells::Unsigned(as_type(&UInt64)?.as_primitive::<UInt64Type>().clone())
            }
            Float16 | Float32 => {
                Cells::Single(as_type(&Float32)?.as_primitive::<Float32Type>().clone())
            }
            // No bonus has more digits than a float keeps.
            Float64 | Decimal32(..) | Decimal64(..) | Decimal128(..) | Decimal256(..) => {
                Cells::Float(as_type(&Float64)?.as_primitive::<Float64Type>().clone())
            }
            Boolean => Cells::Bool(array.as_boolean().clone()),
            Utf8 | LargeUtf8 | Utf8View => Cells::Text(as_type(&Utf8)?.as_string::<i32>().clone()),
            Dictionary(_, of) => Self::new(&as_type(of)?)?,
            List(item) | LargeList(item) | FixedSizeList(item, _) => {
                let lists = as_type(&LargeList(Arc::clone(item)))?;
                let lists = lists.as_list::<i64>().clone();
                let values = Self::new(lists.values())?;
                Cells::List(lists, Box::new(values))
            }
            _ => Cells::Other(Arc::clone(array)),
        })
    }

    /// Adds the cell of a row to the record.
    ///
    /// # Errors
    /// A value that Arrow cannot show.
    pub(super) fn write(&self, row: usize, record: &mut Record) -> Result<(), ArrowError> {
        match self {
            Cells::Text(texts) if texts.is_valid(row) => record.push_text(texts.value(row)),
            _ => match self.value(row)? {
                Value::Null => record.push_json(""),
                Value::String(text) => record.push_text(&text),
                value => record.push_json(&value.to_string()),
            },
        }
        Ok(())
    }

    /// The value in a row, as JSON has it.
    fn value(&self, row: usize) -> Result<Value, ArrowError> {
        if self.array().is_null(row) {
            return Ok(Value::Null);
        }
        Ok(match self {
            Cells::Int(numbers) => numbers.value(row).into(),
            Cells::Unsigned(numbers) => numbers.value(row).into(),
            Cells::Float(numbers) => number(numbers.value(row), &numbers.value(row)),
            // By its own digits: 0.1 is not 0.10000000149011612.
            Cells::Single(numbers) => {
                let shown = numbers.value(row).to_string();
                number(shown.parse().unwrap_or(f64::NAN), &shown)
            }
            Cells::Bool(truths) => truths.value(row).into(),
            Cells::Text(texts) => texts.value(row).into(),
            Cells::List(lists, values) => {
                let [from, to] = [row, row + 1].map(|place| lists.value_offsets()[place]);
                let places = (from..to).filter_map(|place| usize::try_from(place).ok());
                Value::Array(
                    places
                        .map(|place| values.value(place))
                        .collect::<Result<_, _>>()?,
                )
            }
            Cells::Other(array) => array_value_to_string(array, row)?.into(),
        })
    }

    fn array(&self) -> &dyn Array {
        match self {
            Cells::Int(array) => array,
            Cells::Unsigned(array) => array,
            Cells::Float(array) => array,
            Cells::Single(array) => array,
            Cells::Bool(array) => array,
            Cells::Text(array) => array,
            Cells::List(array, _) => array,
            Cells::Other(array) => array,
        }
    }
}

/// Adds a column, or those of a structure: a structure that is missing has no fields.
fn add(array: &ArrayRef, columns: &mut Vec<ArrayRef>) -> Result<(), ArrowError> {
    match array.as_any().downcast_ref::<StructArray>() {
        Some(structure) => {
            let (_, fields, _) = structure.clone().into_parts();
            for field in &fields {
                add(&where_valid(field, structure)?, columns)?;
            }
        }
        None => columns.push(Arc::clone(array)),
    }
    Ok(())
}

/// A field of a structure, missing where the structure is.
fn where_valid(field: &ArrayRef, structure: &StructArray) -> Result<ArrayRef, ArrowError> {
    match structure.nulls() {
        None => Ok(Arc::clone(field)),
        Some(nulls) => {
            let is_missing = BooleanArray::new(!nulls.inner(), None);
            arrow_select::nullif::nullif(field, &is_missing)
        }
    }
}

/// A number, or its text if JSON has none such.
fn number(number: f64, shown: &dyn std::fmt::Display) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return (number as i64).into();
    }
    let json = serde_json::Number::from_f64(number);
    json.map_or_else(|| Value::String(shown.to_string()), Value::Number)
}
