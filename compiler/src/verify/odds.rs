//! Exact odds against the interpreter's enumeration.

use super::{Difference, Distribution};
use dashu_int::UBig;
use dicec_exact::{Noted, Odds};
use std::collections::BTreeMap;

/// The error of means of lines and chances of statistics, which are floats.
const FLOAT_ERROR: f64 = 1e-9;

/// Compares exact odds with the enumeration of the same question, in which no trial traps: results
/// as fractions, lines and statistics as floats.
///
/// # Errors
/// The first difference: before is the enumeration.
pub fn odds_differ(
    odds: &Odds<UBig>,
    distribution: &Distribution,
    names: &[String],
) -> Result<(), Difference> {
    let (weights, common) = distribution.results();
    let solved = odds.result.as_ref();
    if let Some(pmf) = solved {
        let solved: BTreeMap<i64, &UBig> = pmf.iter().collect();
        let results = solved.keys().chain(weights.keys());
        let zero = UBig::default();
        for result in results {
            let found = solved.get(result).map_or(&zero, |weight| weight);
            let expected = weights.get(result).unwrap_or(&zero);
            if found * &common != expected * pmf.total() {
                let of_both = [(expected, &common), (found, pmf.total())];
                let [before, after] = of_both.map(|(weight, total)| share(weight, total));
                return Err(differ(
                    format!("the chance of result {result}"),
                    before,
                    after,
                ));
            }
        }
    }
    let expected = distribution.means();
    let found = odds.lines.iter();
    let found = found.map(|(line, times)| (line.clone(), *times)).collect();
    same_means("lines", &expected.lines, &found)?;
    let known = names.iter().zip(&odds.stats);
    let named = odds.named.iter().map(|(name, noted)| (name, noted));
    for (name, noted) in known.chain(named) {
        let none = BTreeMap::new();
        let expected = expected.stats.get(name).unwrap_or(&none);
        same_means(name, expected, &of_noted(noted))?;
    }
    Ok(())
}

/// The mean number of times that a trial notes each number.
fn of_noted(noted: &Noted) -> BTreeMap<i64, f64> {
    let chances = noted.pmf.iter().flat_map(|pmf| pmf.probabilities());
    chances
        .map(|(number, chance)| (number, chance * noted.times))
        .collect()
}

fn same_means<K: Ord + std::fmt::Debug>(
    of: &str,
    expected: &BTreeMap<K, f64>,
    found: &BTreeMap<K, f64>,
) -> Result<(), Difference> {
    for key in expected.keys().chain(found.keys()) {
        let [before, after] = [expected, found].map(|means| means.get(key).copied().unwrap_or(0.0));
        if (before - after).abs() > FLOAT_ERROR * before.max(1.0) {
            let of = format!("the mean number of {key:?} in {of}");
            return Err(differ(of, before.to_string(), after.to_string()));
        }
    }
    Ok(())
}

fn share(weight: &UBig, total: &UBig) -> String {
    let [weight, total] = [weight, total].map(|part| part.to_f64().value());
    (weight / total).to_string()
}

fn differ(of: String, before: String, after: String) -> Difference {
    Difference { of, before, after }
}
