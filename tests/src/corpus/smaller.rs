//! Smaller dice and numbers, so that brute force knows all rolls of a script.

use super::edit::{apply, replace};
use super::site::places;
use arbitrary::{Result, Unstructured};
use dicec_lang::front::script::{ExprKind, parse};
use dicec_lang::syntax::SourceLimits;

/// The script with dice of few sides, and with small numbers for most of the large ones.
///
/// # Errors
/// Never for lack of bytes.
pub(super) fn smaller(text: &str, bytes: &mut Unstructured<'_>) -> Result<String> {
    let script = parse(text, SourceLimits::default()).script;
    let mut edits = Vec::new();
    for place in places(&script) {
        for expr in &place.exprs {
            match &expr.kind {
                ExprKind::Dice(_) => {
                    let dice = small_dice(&text[expr.span.range()], bytes)?;
                    edits.push(replace(expr.span, dice));
                }
                ExprKind::Int(number) if *number > 5 && bytes.ratio(3, 4)? => {
                    edits.push(replace(expr.span, (number % 4 + 1).to_string()));
                }
                _ => {}
            }
        }
    }
    Ok(apply(text, edits))
}

/// `2d20kh1` as `2d3kh1`: at most two dice of at most four sides, whose other numbers fit.
fn small_dice(dice: &str, bytes: &mut Unstructured<'_>) -> Result<String> {
    let mut out = String::with_capacity(dice.len());
    let mut rest = dice;
    let mut after_d = false;
    while let Some(letter) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits == 0 {
            after_d = letter == 'd';
            out.push(letter);
            rest = &rest[letter.len_utf8()..];
            continue;
        }
        let number: u64 = rest[..digits].parse().unwrap_or(2);
        let before_d = rest[digits..].starts_with('d');
        let small = match (after_d, before_d) {
            (true, _) if number > 1 => number.min(bytes.int_in_range(2..=4)?),
            (_, true) => number.min(2),
            _ => number.min(3),
        };
        out.push_str(&small.to_string());
        after_d = false;
        rest = &rest[digits..];
    }
    Ok(out)
}
