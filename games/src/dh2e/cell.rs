//! Values in texts that change a scenario: numbers, words, dice and qualities. The path of an error
//! is the text; [`super::change`] adds the name.

use super::json::{MOST, Wrong};
use super::quality::Quality;
use crate::document::read;
use dicec_lang::front::notation::dice_value;
use dicec_lang::syntax::SourceLimits;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The form of damage, as advice.
const DAMAGE_HELP: &str = "write dice and numbers: `1d10+3`";

/// Words that are separated by semicolons.
pub(super) fn words(text: &str) -> Vec<String> {
    let words = text.split(';').map(|word| word.trim().to_owned());
    words.filter(|word| !word.is_empty()).collect()
}

/// A value as a document has it: a number, or a word.
pub(super) fn value<T: DeserializeOwned>(text: &str) -> Result<T, Wrong> {
    let json = match (text.parse::<i64>(), text.parse::<f64>()) {
        (Ok(number), _) => number.into(),
        (Err(_), Ok(number)) if number.is_finite() => number.into(),
        _ => Value::from(text.to_lowercase()),
    };
    read(&json, text)
}

/// A number that may be below 0.
pub(super) fn number(text: &str) -> Result<i64, Wrong> {
    let number: i64 = value(text)?;
    match number.unsigned_abs() > MOST {
        true => {
            let wrong = Wrong::new(text, format!("is {number}, beyond ±{MOST}"));
            Err(wrong.help("write a smaller number"))
        }
        false => Ok(number),
    }
}

/// A number from 0 on.
pub(super) fn count(text: &str) -> Result<i64, Wrong> {
    let number = number(text)?;
    match number < 0 {
        true => Err(Wrong::new(
            text,
            format!("is {number}, and counts from 0 on"),
        )),
        false => Ok(number),
    }
}

/// Refuses damage that is not dice and numbers.
pub(super) fn check_damage(text: &str) -> Result<(), Wrong> {
    let found = dice_value(text, SourceLimits::default()).err();
    found.map_or(Ok(()), |found| {
        let wrong = Wrong::new(text, format!("is `{text}`: {}", found.message));
        Err(wrong.help(DAMAGE_HELP))
    })
}

/// Refuses a quality that is probably a typo.
pub(super) fn check_quality(text: &str) -> Result<(), Wrong> {
    let quality = Quality::read(text);
    let near = quality.nearest().filter(|_| !quality.is_known());
    near.map_or(Ok(()), |near| {
        let wrong = Wrong::new(
            text,
            format!("has `{text}`, which is not a quality with rules"),
        );
        Err(wrong.help(format!("did you mean `{near}`?")))
    })
}
