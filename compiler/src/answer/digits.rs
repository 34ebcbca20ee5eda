//! Formats numbers and probabilities for people.

use dicec_runtime::bug;

/// A number to this many significant digits, without trailing zeros.
pub fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.abs().to_string();
    }
    let digits = digits.max(1);
    let scientific = format!("{value:.*e}", digits - 1);
    // Rounding may carry into the next power of ten, so the exponent is read off the rounded text.
    let exponent = scientific.split_once('e');
    let exponent = exponent.and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    let exponent = exponent.unwrap_or_else(|| bug!("no exponent in {scientific}").raise());
    let text = match exponent {
        -5..=14 => {
            let decimals = (digits as i32 - 1 - exponent).max(0);
            format!("{value:.*}", decimals as usize)
        }
        _ => return trim_mantissa(&scientific),
    };
    trim_zeros(&text).to_owned()
}

/// A probability for a table: two decimals, and never 0 or 100 unless it is.
pub fn short_percent(p: f64) -> String {
    match p {
        0.0 => "0 %".to_owned(),
        1.0 => "100 %".to_owned(),
        p if p < 0.000_05 => "<0.01 %".to_owned(),
        p if p > 0.999_95 => ">99.99 %".to_owned(),
        p => format!("{:.2} %", p * 100.0),
    }
}

/// A probability to six significant digits, and never 100 unless it is.
pub fn percent(p: f64) -> String {
    if p < 1.0 && p > 0.999_999_5 {
        return ">99.9999 %".to_owned();
    }
    format!("{} %", significant(p * 100.0, 6))
}

/// A count with commas between groups of three digits.
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn trim_zeros(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

fn trim_mantissa(scientific: &str) -> String {
    match scientific.split_once('e') {
        Some((mantissa, exponent)) => format!("{}e{exponent}", trim_zeros(mantissa)),
        None => scientific.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (value, text) in [
            (0.0, "0"),
            (10.5, "10.5"),
            (2.415_229_457, "2.41523"),
            (999_999.96, "1000000"),
            (123_456_789.0, "123456789"),
            (0.000_012_345_67, "0.0000123457"),
            (1.5e-9, "1.5e-9"),
            (1.0e18, "1e18"),
            (-2.5, "-2.5"),
        ] {
            assert_eq!(significant(value, 6), text);
        }
    }

    #[test]
    fn counts_are_grouped() {
        for (value, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(value), text);
        }
    }

    #[test]
    fn percents() {
        assert_eq!(percent(0.65), "65 %");
        assert_eq!(percent(7.0 / 12.0), "58.3333 %");
        assert_eq!(percent(1.0 - 1e-12), ">99.9999 %");
        assert_eq!((percent(0.0), percent(1.0)), ("0 %".into(), "100 %".into()));
        assert_eq!(short_percent(1e-300), "<0.01 %");
        assert_eq!(short_percent(0.99999), ">99.99 %");
        assert_eq!(short_percent(0.027_777), "2.78 %");
    }
}
