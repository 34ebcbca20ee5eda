//! Pairs of scripts that say the same in other words, and must have equal odds.

use crate::answers::shrink::shrink;
use crate::answers::{bound, guarded_solve};
use crate::corpus::mutant;
use crate::corpus::same::{ADDED, KINDS, changed};
use crate::generate::natural::natural;
use arbitrary::{Result as Made, Unstructured};
use dashu_int::UBig;
use dicec_compiler::unstable::Noted;
use dicec_compiler::{Failure, Odds};
use dicec_runtime::pmf::{Limits, Pmf};
use std::collections::BTreeMap;
use std::fmt;

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// Both have the same odds, as fractions.
    Equal,
    /// Both trap.
    Trapped,
    /// One of them has no exact odds, or does not compile.
    Refused,
}

/// Two scripts that differ and must not.
#[derive(Clone, Debug)]
pub struct Different {
    /// The kind of change.
    pub kind: &'static str,
    /// What differs.
    pub what: String,
    /// The script.
    pub one: String,
    /// The same in other words.
    pub other: String,
}

impl fmt::Display for Different {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            what,
            one,
            other,
        } = self;
        write!(f, "{kind}: {what}\n{one}\n\n{other}")
    }
}

/// A pair from bytes, compared: the kind of change and what was found; `None` if there is no place
/// for a change.
///
/// # Errors
/// Never for lack of bytes. Inside, a pair that differs, made small.
#[allow(clippy::type_complexity)]
pub fn pair(
    bytes: &mut Unstructured<'_>,
) -> Made<Option<(&'static str, Result<Compared, Box<Different>>)>> {
    let kind = *bytes.choose(&KINDS)?;
    let one = match bytes.arbitrary()? {
        true => natural(bytes)?,
        false => mutant(bytes)?,
    };
    let Some(other) = changed(kind, &one, bytes)? else {
        return Ok(None);
    };
    let compared = compare(&one, &other);
    let compared = compared.map_err(|what| Box::new(small(kind, what, one, other)));
    Ok(Some((kind, compared)))
}

/// A smaller pair that differs after a change of the same kind.
fn small(kind: &'static str, what: String, one: String, other: String) -> Different {
    let mut found = Different {
        kind,
        what,
        one: one.clone(),
        other,
    };
    let mut differs = |text: &str| {
        (0..8_u8).any(|seed| {
            let bytes: Vec<u8> = (0..64)
                .map(|index: u8| index.wrapping_mul(37) ^ seed.wrapping_mul(91))
                .collect();
            let Ok(Some(other)) = changed(kind, text, &mut Unstructured::new(&bytes)) else {
                return false;
            };
            let Err(what) = compare(text, &other) else {
                return false;
            };
            (found.what, found.one, found.other) = (what, text.to_owned(), other);
            true
        })
    };
    shrink(&one, &mut differs);
    found
}

/// Work for each of the two.
const WORK: u64 = 20_000_000;

/// Compares the exact odds of two scripts, except for the statistic [`ADDED`].
///
/// # Errors
/// What differs.
pub fn compare(one: &str, other: &str) -> Result<Compared, String> {
    let (Some(first), Some(second)) = (bound(one), bound(other)) else {
        return Ok(Compared::Refused);
    };
    let limits = Limits {
        work: WORK,
        ..Limits::default()
    };
    let [first, second] = [first, second].map(|roll| {
        let odds = guarded_solve(&roll, &limits)?;
        Ok::<_, String>((odds, roll.program().stats().to_vec()))
    });
    let ((first, names), (second, others)) = (first?, second?);
    let (first, second) = match (first, second) {
        (Ok(first), Ok(second)) => (first, second),
        (Err(Failure::Exhausted(_)), _) | (_, Err(Failure::Exhausted(_))) => {
            return Ok(Compared::Refused);
        }
        (Err(Failure::Trap(_)), Err(Failure::Trap(_))) => return Ok(Compared::Trapped),
        (first, second) => return Err(format!("{:?}, {:?}", first.err(), second.err())),
    };
    let slack = first.residual + second.residual;
    match (&first.result, &second.result) {
        (None, None) => {}
        (Some(one), Some(other)) => equal("the result", one, other, slack)?,
        _ => return Err("only one of them has a result".to_owned()),
    }
    if first
        .lines
        .iter()
        .map(|(line, _)| line)
        .ne(second.lines.iter().map(|(line, _)| line))
    {
        return Err(format!("lines {:?} and {:?}", first.lines, second.lines));
    }
    for ((line, times), (_, others)) in first.lines.iter().zip(&second.lines) {
        near(line, *times, *others, slack)?;
    }
    let (first, second) = (noted(&first, &names), noted(&second, &others));
    if first.keys().ne(second.keys()) {
        return Err(format!("statistics {first:?} and {second:?}"));
    }
    for ((name, one), other) in first.iter().zip(second.values()) {
        near(name, one.times, other.times, slack)?;
        if let (Some(one), Some(other)) = (&one.pmf, &other.pmf) {
            for value in one.iter().chain(other.iter()).map(|(value, _)| value) {
                let what = format!("{name} {value}");
                near(
                    &what,
                    one.probability(value),
                    other.probability(value),
                    slack,
                )?;
            }
        }
    }
    Ok(Compared::Equal)
}

/// The statistics by name that note something, except for the added one.
fn noted<'o>(odds: &'o Odds<UBig>, names: &'o [String]) -> BTreeMap<&'o str, &'o Noted> {
    let known = names.iter().zip(&odds.stats);
    let named = odds.named.iter().map(|(name, noted)| (name, noted));
    let all = known
        .chain(named)
        .map(|(name, noted)| (name.as_str(), noted));
    all.filter(|(name, noted)| *name != ADDED && noted.times > 0.0)
        .collect()
}

/// Equal as fractions, unless some rolls are left out.
fn equal(what: &str, one: &Pmf<UBig>, other: &Pmf<UBig>, slack: f64) -> Result<(), String> {
    if slack > 0.0 {
        for value in one.iter().chain(other.iter()).map(|(value, _)| value) {
            near(
                what,
                one.probability(value),
                other.probability(value),
                slack,
            )?;
        }
        return Ok(());
    }
    let left = one
        .iter()
        .map(|(value, weight)| (value, weight * other.total()));
    let right = other
        .iter()
        .map(|(value, weight)| (value, weight * one.total()));
    match left.eq(right) {
        true => Ok(()),
        false => Err(format!(
            "{what}: {:?} and {:?}",
            one.probabilities().collect::<Vec<_>>(),
            other.probabilities().collect::<Vec<_>>()
        )),
    }
}

fn near(what: &str, one: f64, other: f64, slack: f64) -> Result<(), String> {
    match (one - other).abs() <= slack + 1e-9 {
        true => Ok(()),
        false => Err(format!("{what}: {one} and {other}")),
    }
}
