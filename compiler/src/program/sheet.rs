//! Sheets: the resources of a character as a JSON object of names and whole numbers. Fields of
//! nested objects have joined names. Other fields matter only if a rule uses them: dice and
//! decimals belong in the rules.

use super::fields::{BadSheet, Field, read_fields};
use dicec_lang::front::dice_resources::is_expression;
use dicec_lang::syntax::whole;
use serde_json::Value;

/// The contents of a sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// The whole numbers by their names, in order.
    pub numbers: Vec<(String, i64)>,
    /// The other fields, each as JSON.
    pub others: Vec<(String, String)>,
    /// The texts that look like an expression: `2d6+5`, `0.5`. A name or a remark may look like
    /// one, too.
    pub expressions: Vec<(String, String)>,
}

/// Reads a sheet. A number may be written as a text, `"4"`, or with a decimal point, `4.0`.
///
/// # Errors
/// It is not a JSON object with unique names.
pub fn read_sheet(bytes: &[u8]) -> Result<Sheet, BadSheet> {
    let mut sheet = Sheet::default();
    for (name, field) in read_fields(bytes)? {
        let (number, json) = match field {
            Field::Number(number) => (whole(&number), Value::Number(number)),
            Field::Text(text) => (text.trim().parse().ok(), Value::String(text)),
            Field::Bool(truth) => (None, Value::Bool(truth)),
            Field::List(list) => (None, Value::Array(list)),
            Field::Null => (None, Value::Null),
        };
        if let Some(number) = number {
            sheet.numbers.push((name, number));
            continue;
        }
        let text = match &json {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        if let Some(text) = text.filter(|text| is_expression(text)) {
            sheet.expressions.push((name.clone(), text));
        }
        sheet.others.push((name, json.to_string()));
    }
    Ok(sheet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets() {
        let text =
            br#"{"Strength": 4, "Max Health": -2, "abilities": {"str": 3, "dex": {"mod": 1}},
            "Level": "5", "Speed": 30.0, "name": "Orc", "CR": 0.5, "tags": ["a"], "note": null,
            "Damage": "2d6+5"}"#;
        let sheet = read_sheet(text).expect("a sheet");
        let number = |name: &str, value| (name.to_owned(), value);
        let numbers = [
            number("Strength", 4),
            number("Max Health", -2),
            number("abilities.str", 3),
            number("abilities.dex.mod", 1),
            number("Level", 5),
            number("Speed", 30),
        ];
        let other = |name: &str, json: &str| (name.to_owned(), json.to_owned());
        let others = [
            other("name", "\"Orc\""),
            other("CR", "0.5"),
            other("tags", "[\"a\"]"),
            other("note", "null"),
            other("Damage", "\"2d6+5\""),
        ];
        assert_eq!(
            (&sheet.numbers[..], &sheet.others[..]),
            (&numbers[..], &others[..])
        );
        let expression = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let expressions = [expression("CR", "0.5"), expression("Damage", "2d6+5")];
        assert_eq!(sheet.expressions[..], expressions);
        assert_eq!(read_sheet("\u{feff} {} ".as_bytes()), Ok(Sheet::default()));
    }

    #[test]
    fn numbers_that_do_not_fit_are_of_no_use() {
        let sheet = read_sheet(br#"{"A": 9223372036854775808, "B": 1e300}"#).expect("a sheet");
        assert_eq!((sheet.numbers.len(), sheet.others.len()), (0, 2));
    }

    #[test]
    fn a_bad_sheet_names_key_and_place() {
        for (text, line, start) in [
            ("{\"A\": 1,\n\"A\": 2}", 2, "`A`: the name is there twice"),
            ("[1]", 1, "invalid type: sequence, expected an object"),
            ("{\"A\": 1", 1, "EOF while parsing an object"),
            ("{} {}", 1, "trailing characters"),
            ("", 1, "EOF while parsing a value"),
        ] {
            let wrong = read_sheet(text.as_bytes()).expect_err(text);
            assert!(wrong.message.starts_with(start), "{text}: {wrong:?}");
            assert_eq!(wrong.line.max(1), line, "{text}");
        }
    }
}
