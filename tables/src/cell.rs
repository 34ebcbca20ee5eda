//! Cells, as spreadsheets and people write them: whole numbers for resources, and values for the
//! arguments of a script.

use dicec_lang::hir::Type;
use serde_json::Value;
use std::fmt;

/// Why a cell is not a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotWhole {
    /// It is empty.
    Empty,
    /// It has digits after the decimal point that matter.
    Fraction,
    /// It does not fit in 64 bits.
    TooLarge,
    /// It is something else.
    Other,
}

/// The end of the sentence `"twelve" in column "Attack" ...`.
impl fmt::Display for NotWhole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotWhole::Empty => "is empty; a whole number is wanted",
            NotWhole::Fraction | NotWhole::Other => "is not a whole number",
            NotWhole::TooLarge => "is too large: it has to fit in 64 bits",
        })
    }
}

/// Parses a cell: a whole number with an optional sign, spaces around it, and perhaps a decimal
/// point that only zeros follow, which is what spreadsheets make of whole numbers.
pub fn integer(cell: &[u8]) -> Result<i64, NotWhole> {
    let cell = cell.trim_ascii();
    let (negative, digits) = match cell {
        [] => return Err(NotWhole::Empty),
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let point = digits.iter().position(|byte| *byte == b'.');
    let (whole, decimals) = point.map_or((digits, None), |point| {
        (&digits[..point], Some(&digits[point + 1..]))
    });
    let all_digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    if !all_digits(whole) || decimals.is_some_and(|text| !all_digits(text)) {
        return Err(NotWhole::Other);
    }
    if decimals.is_some_and(|text| text.iter().any(|digit| *digit != b'0')) {
        return Err(NotWhole::Fraction);
    }
    let mut value: i64 = 0;
    for digit in whole {
        let digit = i64::from(digit - b'0');
        // Built up with its sign, so that the least number fits too.
        let digit = if negative { -digit } else { digit };
        value = (value.checked_mul(10))
            .and_then(|value| value.checked_add(digit))
            .ok_or(NotWhole::TooLarge)?;
    }
    Ok(value)
}

/// A cell as a value of this type; none if it is empty. JSON is read as JSON, everything else is
/// text. Text needs no quotes even if it could be JSON, and numbers and truth values may be written
/// as spreadsheets do. Whether the value fits is not decided here.
pub fn value(ty: &Type, cell: &str) -> Option<Value> {
    let cell = cell.trim();
    if cell.is_empty() {
        return None;
    }
    let text = || Value::String(cell.to_owned());
    Some(match ty {
        Type::Text | Type::Enum(_) if !cell.starts_with('"') => text(),
        Type::Bool if cell.eq_ignore_ascii_case("true") => Value::Bool(true),
        Type::Bool if cell.eq_ignore_ascii_case("false") => Value::Bool(false),
        Type::Int if let Ok(value) = integer(cell.as_bytes()) => value.into(),
        _ => serde_json::from_str(cell).unwrap_or_else(|_| text()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_read_by_their_type() {
        let list = Type::List(Box::new(Type::Int));
        for (ty, cell, value) in [
            (&Type::Int, " +7.0 ", json!(7)),
            (&Type::Int, "7.5", json!(7.5)),
            (&Type::Int, "seven", json!("seven")),
            (&Type::Bool, "TRUE", json!(true)),
            (&Type::Bool, "false", json!(false)),
            (&Type::Bool, "yes", json!("yes")),
            (&Type::Text, " Orc ", json!("Orc")),
            (&Type::Text, "007", json!("007")),
            (&Type::Text, "true", json!("true")),
            (&Type::Text, "{x", json!("{x")),
            (&Type::Text, "\" Orc \"", json!(" Orc ")),
            (&Type::Text, "\"Orc", json!("\"Orc")),
            (&list, "[1, 2]", json!([1, 2])),
            (&list, "[1, 2", json!("[1, 2")),
        ] {
            assert_eq!(super::value(ty, cell), Some(value), "{cell}");
        }
        assert_eq!(super::value(&Type::Text, "  "), None);
    }

    #[test]
    fn whole_numbers_in_every_spelling() {
        for (cell, value) in [
            ("0", 0),
            ("12", 12),
            (" 12\t", 12),
            ("+7", 7),
            ("-3", -3),
            ("007", 7),
            ("12.0", 12),
            ("-12.000", -12),
            ("9223372036854775807", i64::MAX),
            ("-9223372036854775808", i64::MIN),
        ] {
            assert_eq!(integer(cell.as_bytes()), Ok(value), "{cell}");
        }
    }

    #[test]
    fn other_cells_are_not_whole_numbers() {
        for (cell, why) in [
            ("", NotWhole::Empty),
            ("  ", NotWhole::Empty),
            ("twelve", NotWhole::Other),
            ("12.5", NotWhole::Fraction),
            ("9223372036854775808", NotWhole::TooLarge),
            ("-9223372036854775809", NotWhole::TooLarge),
            ("12.", NotWhole::Other),
            (".0", NotWhole::Other),
            ("1 2", NotWhole::Other),
            ("--1", NotWhole::Other),
            ("+", NotWhole::Other),
            ("1e3", NotWhole::Other),
            ("1,000", NotWhole::Other),
            ("0x10", NotWhole::Other),
        ] {
            assert_eq!(integer(cell.as_bytes()), Err(why), "{cell}");
        }
    }
}
