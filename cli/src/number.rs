//! Parsers of numbers on a command line, for clap: `10_000_000`, `10,000,000`, `1e7` and `10M` are
//! all the same count.

use dicec_compiler::answer::{Total, grouped};
use std::ops::RangeInclusive;

/// The letters that may end a count, and the power of ten that each stands for.
const SUFFIXES: [(char, u32); 7] = [
    ('k', 3),
    ('K', 3),
    ('m', 6),
    ('M', 6),
    ('g', 9),
    ('G', 9),
    ('B', 9),
];

/// Parses a count: digits with `_` or `,` between them, a fraction that comes out whole, an
/// exponent or a suffix.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a whole number such as 10000, 10_000, 1e4 or 10k");
    let (digits, power) = split_power(text.trim()).ok_or_else(wrong)?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let shift = power
        .checked_sub(u32::try_from(fraction.len()).map_err(|_| wrong())?)
        .ok_or_else(wrong)?;
    let mut value: u64 = 0;
    let mut seen = false;
    for character in whole.chars().chain(fraction.chars()) {
        if matches!(character, '_' | ',') && seen {
            continue;
        }
        let digit = character.to_digit(10).ok_or_else(wrong)?;
        seen = true;
        value = value
            .checked_mul(10)
            .and_then(|value| value.checked_add(u64::from(digit)))
            .ok_or_else(|| too_large(text))?;
    }
    if !seen {
        return Err(wrong());
    }
    let scale = 10_u64.checked_pow(shift);
    match scale.and_then(|scale| value.checked_mul(scale)) {
        Some(value) => Ok(value),
        None if value == 0 => Ok(0),
        None => Err(too_large(text)),
    }
}

/// A parser of counts that lie in a range, for clap.
pub(crate) fn count_in<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let value = count(text)?;
        let (low, high) = (*range.start(), *range.end());
        let outside = || format!("it has to lie in {}..={}", grouped(low), grouped(high));
        if !range.contains(&value) {
            return Err(outside());
        }
        T::try_from(value).map_err(|_| outside())
    }
}

/// Parses a resource's value or a total: a whole number with an optional sign.
pub(crate) fn integer(text: &str) -> Result<i64, String> {
    let text = text.trim();
    let plain: String = text.chars().filter(|character| *character != '_').collect();
    plain.parse().map_err(|_| {
        let whole = plain.trim_start_matches(['-', '+']);
        if !whole.is_empty() && whole.bytes().all(|byte| byte.is_ascii_digit()) {
            too_large(text)
        } else {
            format!("`{text}` is not a whole number")
        }
    })
}

/// Parses a total: a whole number or a decimal, with an optional sign.
pub(crate) fn total(text: &str) -> Result<Total, String> {
    match integer(text) {
        Ok(value) => Ok(Total::Whole(value)),
        Err(why) => match text.trim().parse::<f64>() {
            Ok(value) if value.is_finite() && text.contains('.') => Ok(Total::Float(value)),
            _ => Err(why),
        },
    }
}

/// Parses a range of totals: `7..9`, both included.
pub(crate) fn range(text: &str) -> Result<(Total, Total), String> {
    let wrong = || format!("`{text}` is not two totals such as 7..9");
    let (low, high) = text.split_once("..").ok_or_else(wrong)?;
    let high = high.strip_prefix('=').unwrap_or(high);
    let (low, high) = (total(low)?, total(high)?);
    if low.number() > high.number() {
        return Err(format!("it holds no total: write {high}..{low}"));
    }
    Ok((low, high))
}

/// Parses a share: `0.05` or `5%`.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let value = positive_or_zero(text)?;
    if value <= 1.0 {
        Ok(value)
    } else {
        Err(format!("`{text}` is not a share between 0 and 1"))
    }
}

/// Parses a precision: any number above 0, `0.001` or `0.1%`.
pub(crate) fn precision(text: &str) -> Result<f64, String> {
    match positive_or_zero(text)? {
        value if value > 0.0 => Ok(value),
        _ => Err(format!("`{text}` is not above 0")),
    }
}

/// Splits `1.5e7` or `10M` into its digits and its power of ten.
fn split_power(text: &str) -> Option<(&str, u32)> {
    if let Some((digits, exponent)) = text.split_once(['e', 'E']) {
        return Some((digits, exponent.parse().ok()?));
    }
    let suffix = SUFFIXES.iter().find(|(letter, _)| text.ends_with(*letter));
    Some(match suffix {
        Some((letter, power)) => (text.strip_suffix(*letter)?.trim_end(), *power),
        None => (text, 0),
    })
}

fn positive_or_zero(text: &str) -> Result<f64, String> {
    let trimmed = text.trim();
    let (number, scale) = match trimmed.strip_suffix('%') {
        Some(number) => (number.trim_end(), 100.0),
        None => (trimmed, 1.0),
    };
    match number.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value / scale),
        _ => Err(format!("`{text}` is not a number such as 0.01 or 1%")),
    }
}

fn too_large(text: &str) -> String {
    format!("`{text}` is too large")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_in_every_spelling() {
        for (text, value) in [
            ("0", 0),
            ("10_000_000", 10_000_000),
            ("10,000,000", 10_000_000),
            ("1e7", 10_000_000),
            ("1E7", 10_000_000),
            ("10M", 10_000_000),
            ("10 M", 10_000_000),
            ("1.5k", 1500),
            ("1.2500e2", 125),
            ("2G", 2_000_000_000),
            ("2B", 2_000_000_000),
            ("0e99", 0),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(count(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn other_texts_are_not_counts() {
        for text in [
            "",
            " ",
            "_",
            ",1",
            "1.5",
            "-1",
            "1e",
            "e7",
            "1e-3",
            "1e99",
            "M",
            "ten",
            "1x",
            "18446744073709551616",
            "1.2.3k",
            "0x10",
            "1e4294967296",
        ] {
            assert!(count(text).is_err(), "{text}");
        }
        assert!(count_in::<u32>(1..=10)("11").is_err());
        assert_eq!(count_in::<u32>(1..=10)("10"), Ok(10));
    }

    #[test]
    fn integers_and_shares() {
        assert_eq!(integer(" -3 "), Ok(-3));
        assert_eq!(integer("+1_000"), Ok(1000));
        assert!(integer("9223372036854775808").is_err_and(|text| text.contains("too large")));
        assert!(integer("4.5").is_err());
        assert_eq!(total("4.5"), Ok(Total::Float(4.5)));
        assert_eq!(total("-4"), Ok(Total::Whole(-4)));
        assert!(total("four").is_err() && total("inf").is_err());
        assert_eq!(share("5%"), Ok(0.05));
        assert_eq!(share("0.5"), Ok(0.5));
        assert!(share("1.5").is_err() && share("-0.1").is_err() && share("NaN").is_err());
        assert!(precision("0").is_err() && precision("inf").is_err());
    }

    #[test]
    fn ranges_of_totals() {
        let whole = |low, high| Ok((Total::Whole(low), Total::Whole(high)));
        assert_eq!(range("7..9"), whole(7, 9));
        assert_eq!(range(" -3 ..= 3"), whole(-3, 3));
        assert_eq!(range("1..1.5"), Ok((Total::Whole(1), Total::Float(1.5))));
        for wrong in ["7", "7-9", "9..7", "..3", "a..b"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }
}
