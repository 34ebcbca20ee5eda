//! Columns of Arrow as cells: whole numbers, numbers and truth values as JSON writes them, texts as
//! they are, lists as lists of JSON. Fields of structures are columns of their own, such as
//! `save.dex`, as they are in tables of JSON.
//!
//! A cell is read where it is, and columns are not made to other types: one long text may be the
//! value of a thousand rows, which only a look at the cells at hand keeps from being a thousand
//! texts.

use super::Record;
use super::feed::MAX_ROW_BYTES;
use super::gate::{MAX_DEPTH, MAX_ELEMENTS, MAX_FIELDS};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, BooleanArray, RecordBatch, StructArray, downcast_dictionary_array,
};
use arrow_cast::cast;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType, Field, Fields};
use serde_json::Value;
use std::fmt::{self, Write};
use std::sync::Arc;

/// The most bytes of all columns' names: those in structures have the names of those, too.
const MAX_NAMES: usize = 16 << 20;

/// Columns of a batch that are decimal numbers are numbers here, others are as they are.
pub(super) struct Cells(ArrayRef);

/// Why a cell cannot be read.
pub(super) enum TooMuch {
    /// Its row has too many bytes.
    Bytes,
    /// It is a list with too many elements.
    Elements,
    /// Arrow cannot show it.
    Arrow(ArrowError),
}

impl From<ArrowError> for TooMuch {
    fn from(error: ArrowError) -> Self {
        Self::Arrow(error)
    }
}

/// The names and types of columns, those in structures with the names of both.
///
/// # Errors
/// There are too many, or they are too deep in each other.
pub(super) fn flattened(fields: &Fields) -> Result<Vec<(String, DataType)>, String> {
    let mut columns = Vec::new();
    let mut left = MAX_NAMES;
    for field in fields {
        flatten("", field, MAX_DEPTH, &mut left, &mut columns)?;
    }
    Ok(columns)
}

fn flatten(
    before: &str,
    field: &Field,
    depth: usize,
    left: &mut usize,
    columns: &mut Vec<(String, DataType)>,
) -> Result<(), String> {
    let depth = depth.checked_sub(1);
    let depth = depth.ok_or_else(|| format!("columns are more than {MAX_DEPTH} deep"))?;
    let bytes = before.len() + field.name().len();
    *left = left
        .checked_sub(bytes)
        .ok_or("the names of columns are too long")?;
    let name = format!("{before}{}", field.name());
    match field.data_type() {
        DataType::Struct(fields) => {
            let before = format!("{name}.");
            for field in fields {
                flatten(&before, field, depth, left, columns)?;
            }
        }
        _ if columns.len() == MAX_FIELDS => {
            return Err(format!("it has more than {MAX_FIELDS} columns"));
        }
        ty => columns.push((name, ty.clone())),
    }
    Ok(())
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
        Ok(Self(match is_decimal(array.data_type()) {
            true => cast(array, &DataType::Float64)?,
            false => Arc::clone(array),
        }))
    }

    /// Adds the cell of a row to the record.
    ///
    /// # Errors
    /// A value that Arrow cannot show, or that is too long.
    pub(super) fn write(&self, row: usize, record: &mut Record) -> Result<(), TooMuch> {
        let left = usize::try_from(MAX_ROW_BYTES).unwrap_or(usize::MAX);
        let left = left
            .checked_sub(record.text_bytes())
            .ok_or(TooMuch::Bytes)?;
        if let Some(text) = text(&self.0, row) {
            (text.len() <= left).then_some(()).ok_or(TooMuch::Bytes)?;
            record.push_text(text);
            return Ok(());
        }
        let mut room = Room {
            bytes: left,
            elements: MAX_ELEMENTS,
        };
        let json = match value(&self.0, row, &mut room)? {
            Value::Null => String::new(),
            Value::String(text) => {
                record.push_text(&text);
                return Ok(());
            }
            value => value.to_string(),
        };
        (json.len() <= left).then_some(()).ok_or(TooMuch::Bytes)?;
        record.push_json(&json);
        Ok(())
    }
}

/// What a cell may still take.
struct Room {
    bytes: usize,
    elements: usize,
}

impl Room {
    fn take(&mut self, bytes: usize) -> Result<(), TooMuch> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(TooMuch::Bytes)?;
        Ok(())
    }
}

/// The text in a row of a column of texts; none if it is missing.
fn text(array: &ArrayRef, row: usize) -> Option<&str> {
    if array.is_null(row) {
        return None;
    }
    Some(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row),
        DataType::Utf8View => array.as_string_view().value(row),
        DataType::Dictionary(..) => {
            let values = array.as_any_dictionary_opt()?.values();
            return text(values, key(array, row)?);
        }
        _ => return None,
    })
}

/// Where the value of a row stands in the dictionary of its column.
fn key(array: &ArrayRef, row: usize) -> Option<usize> {
    downcast_dictionary_array!(array => array.key(row), _ => None)
}

/// The value in a row, as JSON has it.
fn value(array: &ArrayRef, row: usize, room: &mut Room) -> Result<Value, TooMuch> {
    use DataType::{
        Boolean, Dictionary, FixedSizeList, Float16, Float32, Float64, Int8, Int16, Int32, Int64,
        LargeList, LargeUtf8, List, UInt8, UInt16, UInt32, UInt64, Utf8, Utf8View,
    };
    if array.is_null(row) {
        return Ok(Value::Null);
    }
    Ok(match array.data_type() {
        Int8 => array.as_primitive::<Int8Type>().value(row).into(),
        Int16 => array.as_primitive::<Int16Type>().value(row).into(),
        Int32 => array.as_primitive::<Int32Type>().value(row).into(),
        Int64 => array.as_primitive::<Int64Type>().value(row).into(),
        UInt8 => array.as_primitive::<UInt8Type>().value(row).into(),
        UInt16 => array.as_primitive::<UInt16Type>().value(row).into(),
        UInt32 => array.as_primitive::<UInt32Type>().value(row).into(),
        UInt64 => array.as_primitive::<UInt64Type>().value(row).into(),
        Float16 => single(array.as_primitive::<Float16Type>().value(row).to_f32()),
        Float32 => single(array.as_primitive::<Float32Type>().value(row)),
        Float64 => {
            let found = array.as_primitive::<Float64Type>().value(row);
            number(found, &found)
        }
        Boolean => array.as_boolean().value(row).into(),
        Utf8 | LargeUtf8 | Utf8View => {
            let text = text(array, row).unwrap_or_default();
            room.take(text.len())?;
            text.into()
        }
        Dictionary(..) => match (array.as_any_dictionary_opt(), key(array, row)) {
            (Some(dictionary), Some(key)) => value(dictionary.values(), key, room)?,
            _ => Value::Null,
        },
        List(_) => list(&array.as_list::<i32>().value(row), room)?,
        LargeList(_) => list(&array.as_list::<i64>().value(row), room)?,
        FixedSizeList(..) => list(&array.as_fixed_size_list().value(row), room)?,
        // In a list: a column of decimal numbers is of numbers already.
        ty if is_decimal(ty) => {
            let cell = cast(&array.slice(row, 1), &Float64)?;
            value(&cell, 0, room)?
        }
        // Anything else is shown as Arrow shows it.
        _ => shown(array, row, room)?.into(),
    })
}

/// The elements of a list.
fn list(elements: &ArrayRef, room: &mut Room) -> Result<Value, TooMuch> {
    let left = room.elements.checked_sub(elements.len());
    room.elements = left.ok_or(TooMuch::Elements)?;
    let values = (0..elements.len()).map(|place| value(elements, place, room));
    Ok(Value::Array(values.collect::<Result<_, _>>()?))
}

/// A value as Arrow shows it.
fn shown(array: &ArrayRef, row: usize, room: &mut Room) -> Result<String, TooMuch> {
    struct Bounded<'r>(String, &'r mut Room, bool);
    impl Write for Bounded<'_> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            if self.1.take(text.len()).is_err() {
                self.2 = true;
                return Err(fmt::Error);
            }
            self.0.push_str(text);
            Ok(())
        }
    }
    let mut bounded = Bounded(String::new(), room, false);
    let options = FormatOptions::default().with_display_error(true);
    let formatter = ArrayFormatter::try_new(array.as_ref(), &options)?;
    let written = write!(bounded, "{}", formatter.value(row));
    match (written, bounded.2) {
        (_, true) => Err(TooMuch::Bytes),
        (Err(_), _) => {
            let why = "a value cannot be shown".to_owned();
            Err(ArrowError::CastError(why).into())
        }
        (Ok(()), false) => Ok(bounded.0),
    }
}

fn is_decimal(ty: &DataType) -> bool {
    use DataType::{Decimal32, Decimal64, Decimal128, Decimal256};
    // No bonus has more digits than a float keeps.
    matches!(
        ty,
        Decimal32(..) | Decimal64(..) | Decimal128(..) | Decimal256(..)
    )
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

/// A number by its own digits: 0.1 is not 0.10000000149011612.
fn single(found: f32) -> Value {
    let shown = found.to_string();
    number(shown.parse().unwrap_or(f64::NAN), &shown)
}

/// A number, or its text if JSON has none such.
fn number(number: f64, shown: &dyn fmt::Display) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return (number as i64).into();
    }
    let json = serde_json::Number::from_f64(number);
    json.map_or_else(|| Value::String(shown.to_string()), Value::Number)
}
