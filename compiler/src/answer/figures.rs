//! Figures of odds as one line of text.

use super::digits::{percent, significant};
use super::distribution::{Distribution, Outcome};
use super::share::Share;
use dashu_int::UBig;
use dashu_int::ops::BitTest;
use dicec_lang::hir::Kind;
use std::fmt::Write;

/// Fractions with more digits than this in either part say less than their percentage.
const MAX_DIGITS: usize = 12;

/// The chance of a check, a degree or the likeliest label, or the moments of a number, whose mean
/// may have a standard error. One line.
pub fn figures(odds: &Distribution, error: Option<f64>) -> String {
    match odds.kind() {
        Kind::Check => format!("P(true) = {}", share_text(&odds.at_least(1))),
        Kind::Degree(ladder) => {
            let success = ladder.success();
            let share = share_text(&odds.at_least(success));
            format!("P({} or better) = {share}", ladder.name(success))
        }
        Kind::Test => {
            let share = share_text(&odds.at_least(1));
            format!(
                "P(success) = {share}, degrees: mean {}",
                moments(odds, error)
            )
        }
        Kind::Level(success) => {
            let share = share_text(&odds.at_least(success));
            format!(
                "P({} or better) = {share}",
                odds.name(success).unwrap_or("")
            )
        }
        Kind::Label => {
            let outcomes = odds.outcomes().into_iter().rev();
            let likeliest = outcomes.max_by(|one, other| one.p.total_cmp(&other.p));
            likeliest.map_or_else(String::new, |outcome| name_share(odds, &outcome))
        }
        Kind::Number | Kind::Float => format!("mean {}", moments(odds, error)),
    }
}

/// `P(Hit) = 65 %` for an outcome that has a name.
pub fn name_share(odds: &Distribution, outcome: &Outcome) -> String {
    let name = odds.name(outcome.value).unwrap_or("");
    format!("P({name}) = {}", share_text(&odds.share(outcome)))
}

fn moments(odds: &Distribution, error: Option<f64>) -> String {
    let mut text = match error {
        // Digits below the error's second one mean nothing. Writing to a String cannot fail.
        Some(error) if error > 0.0 && error.is_finite() => {
            let decimals = (1.0 - libm::log10(error).floor()).clamp(0.0, 12.0) as usize;
            format!(
                "{:.decimals$} ± {:.decimals$} (standard error)",
                odds.mean(),
                error
            )
        }
        _ => significant(odds.mean(), 6),
    };
    if let Some(sd) = odds.sd() {
        let _ = write!(text, ", sd {}", significant(sd, 6));
    }
    let _ = write!(
        text,
        ", min {}, max {}",
        odds.show_end(odds.min()),
        odds.show_end(odds.max())
    );
    text
}

/// `13/20 = 65 %`, or with the interval of a sampled one.
pub fn share_text(share: &Share) -> String {
    let percentage = percent(share.p);
    if let Some((low, high)) = share.interval {
        return format!(
            "{percentage} (95 % interval {} to {})",
            percent(low),
            percent(high)
        );
    }
    let Some((above, below)) = &share.fraction else {
        return percentage;
    };
    match (small_part(above), small_part(below)) {
        (Some(above), Some(below)) if below != "1" => format!("{above}/{below} = {percentage}"),
        (Some(_), Some(_)) => percentage,
        // A long one takes lines of its own.
        _ if share.in_full => format!("{percentage}\n  = {above}\n  / {below}"),
        _ => percentage,
    }
}

/// A part of a fraction, if it is short enough to be read.
pub fn small_part(value: &UBig) -> Option<String> {
    // Its digits are counted without writing a huge number out.
    (value.bit_len() < 64)
        .then(|| value.to_string())
        .filter(|digits| digits.len() <= MAX_DIGITS)
}

/// `476 million`.
pub fn short_count(value: f64) -> String {
    let (scale, word) = match value {
        value if value >= 1e9 => (1e9, " billion"),
        value if value >= 1e6 => (1e6, " million"),
        value if value >= 1e3 => (1e3, " thousand"),
        _ => (1.0, ""),
    };
    format!("{}{word}", significant(value / scale, 3))
}
