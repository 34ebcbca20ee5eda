//! Columns of CSV and JSON, and of sweeps: their type is inferred from their first cells.

use crate::joined::Joined;
use arrow_array::builder::StringBuilder;
use arrow_array::{Array, ArrayRef};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{ArrowError, DataType};
use serde_json::Value;

/// A column.
pub(super) struct Inferred {
    cells: StringBuilder,
    /// The type of its cells so far, until it is decided.
    seen: Held,
    /// The decided type.
    decided: Option<Held>,
}

/// A cell that does not have the type of its column.
pub(super) struct Misfit {
    /// The type of the column.
    pub(super) expected: &'static str,
    pub(super) cell: String,
}

/// The type of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    Nothing,
    Whole,
    Number,
    Truth,
    Text,
}

impl Inferred {
    pub(super) fn new() -> Self {
        Self {
            cells: StringBuilder::new(),
            seen: Held::Nothing,
            decided: None,
        }
    }

    /// Adds the cell of a row.
    pub(super) fn push(&mut self, cells: &Joined<'_>, column: usize) -> Result<(), Misfit> {
        let (held, text) = found(cells, column);
        self.add(held, text)
    }

    /// Adds a whole number.
    pub(super) fn push_whole(&mut self, value: i64) -> Result<(), Misfit> {
        self.add(Held::Whole, Some(value.to_string()))
    }

    /// Adds a number.
    pub(super) fn push_float(&mut self, value: f64) -> Result<(), Misfit> {
        self.add(Held::Number, Some(value.to_string()))
    }

    /// Adds a truth value.
    pub(super) fn push_truth(&mut self, holds: bool) -> Result<(), Misfit> {
        self.add(Held::Truth, Some(holds.to_string()))
    }

    /// Adds a text.
    pub(super) fn push_text(&mut self, text: &str) -> Result<(), Misfit> {
        self.add(Held::Text, Some(text.to_owned()))
    }

    /// Adds a missing cell.
    pub(super) fn push_nothing(&mut self) -> Result<(), Misfit> {
        self.add(Held::Nothing, None)
    }

    fn add(&mut self, held: Held, text: Option<String>) -> Result<(), Misfit> {
        let decided = self.decided;
        if let Some(decided) = decided.filter(|decided| decided.with(held) != *decided) {
            return Err(Misfit {
                expected: decided.shown(),
                cell: text.unwrap_or_default(),
            });
        }
        self.seen = self.seen.with(held);
        self.cells.append_option(text);
        Ok(())
    }

    /// Decides its type: that of the cells so far.
    pub(super) fn decide(&mut self) -> DataType {
        // A column without a cell so far may still get any.
        let held = match self.seen {
            Held::Nothing => Held::Text,
            seen => seen,
        };
        self.decided.get_or_insert(held).ty()
    }

    /// The cells since the last time.
    pub(super) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let texts = self.cells.finish();
        let strict = CastOptions {
            safe: false,
            ..CastOptions::default()
        };
        cast_with_options(&texts as &dyn Array, &self.decide(), &strict)
    }
}

/// The type of a cell, with its text if there is one.
fn found(cells: &Joined<'_>, column: usize) -> (Held, Option<String>) {
    if let Some(value) = cells.value(column) {
        return match value {
            Value::Null => (Held::Nothing, None),
            Value::Bool(_) => (Held::Truth, Some(value.to_string())),
            Value::Number(ref number) if number.is_i64() => (Held::Whole, Some(value.to_string())),
            Value::Number(_) => (Held::Number, Some(value.to_string())),
            Value::String(text) => (Held::Text, Some(text)),
            Value::Array(_) | Value::Object(_) => (Held::Text, Some(value.to_string())),
        };
    }
    let Some(cell) = cells.get(column) else {
        return (Held::Nothing, None);
    };
    let text = String::from_utf8_lossy(cell);
    if cells.is_of_values(column) {
        return (Held::Text, Some(text.into_owned()));
    }
    match Held::of(text.trim()) {
        Held::Nothing => (Held::Nothing, None),
        Held::Text => (Held::Text, Some(text.into_owned())),
        held => (held, Some(text.trim().to_owned())),
    }
}

impl Held {
    /// The type of a cell of CSV. `007` and `+7` are texts: as numbers they could not be written
    /// back unchanged.
    fn of(cell: &str) -> Self {
        let is_number = |cell: &str| {
            let digits = cell.strip_prefix('-').unwrap_or(cell);
            let leads =
                digits.starts_with('0') && digits[1..].starts_with(|c: char| c.is_ascii_digit());
            digits.starts_with(|c: char| c.is_ascii_digit())
                && !leads
                && cell.parse::<f64>().is_ok_and(f64::is_finite)
        };
        match cell {
            "" => Held::Nothing,
            "true" | "false" => Held::Truth,
            cell if cell
                .parse::<i64>()
                .is_ok_and(|number| number.to_string() == cell) =>
            {
                Held::Whole
            }
            cell if is_number(cell) => Held::Number,
            _ => Held::Text,
        }
    }

    /// The common type of both.
    fn with(self, other: Self) -> Self {
        match (self, other) {
            (held, Held::Nothing) | (Held::Nothing, held) => held,
            (Held::Whole, Held::Number) | (Held::Number, Held::Whole) => Held::Number,
            (held, other) if held == other => held,
            _ => Held::Text,
        }
    }

    fn ty(self) -> DataType {
        match self {
            Held::Whole => DataType::Int64,
            Held::Number => DataType::Float64,
            Held::Truth => DataType::Boolean,
            Held::Nothing | Held::Text => DataType::Utf8,
        }
    }

    fn shown(self) -> &'static str {
        match self {
            Held::Whole => "whole numbers",
            Held::Number => "numbers",
            Held::Truth => "`true` and `false`",
            Held::Nothing | Held::Text => "texts",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Held;

    #[test]
    fn cells_are_what_they_can_be_written_back_as() {
        for (cell, held) in [
            ("", Held::Nothing),
            ("12", Held::Whole),
            ("-3", Held::Whole),
            ("9223372036854775808", Held::Number),
            ("0.5", Held::Number),
            ("1e3", Held::Number),
            ("007", Held::Text),
            ("+7", Held::Text),
            ("nan", Held::Text),
            ("inf", Held::Text),
            (".5", Held::Text),
            ("true", Held::Truth),
            ("Orc", Held::Text),
        ] {
            assert_eq!(Held::of(cell), held, "{cell}");
        }
    }
}
