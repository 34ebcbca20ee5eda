//! Brute force for rules whose dice may explode or be rerolled without end: all rolls except the
//! unlikely ones.

use crate::enumerate::Odometer;
use crate::stages::solve;
use dashu_int::UBig;
use dicec_compiler::{Bound, Failure};
use dicec_lang::interp::Interpreter;
use dicec_runtime::pmf::{Limits, Pmf};
use dicec_runtime::trap::Trap;
use std::collections::BTreeMap;

/// Rolls below these probabilities are not followed: first below the first one; if there are too
/// many rolls, below the next one.
const LEAST_BRANCH: [f64; 3] = [1e-11, 1e-7, 1e-5];

/// The outcomes of all rolls.
#[derive(Default)]
struct Brute {
    results: BTreeMap<i64, f64>,
    traps: Vec<(Trap, f64)>,
    cut: f64,
}

impl Brute {
    /// `None` if there are more rolls than `most`.
    fn of(bound: &Bound, most: usize) -> Option<Self> {
        let least = LEAST_BRANCH.into_iter();
        least
            .map(|least| Self::down_to(least, bound, most))
            .find_map(|all| all)
    }

    fn down_to(least: f64, bound: &Bound, most: usize) -> Option<Self> {
        let program = bound.program();
        let interpreter = Interpreter::of_rule(program.hir(), program.limits().roll);
        let mut odometer = Odometer {
            least,
            ..Odometer::default()
        };
        let mut all = Self::default();
        for _ in 0..most {
            match interpreter.roll(bound.resources(), &mut odometer, &mut ()) {
                Ok(outcome) => {
                    *all.results.entry(outcome.value.to_cell()).or_default() +=
                        odometer.probability();
                }
                Err(_) if odometer.cut => all.cut += odometer.probability(),
                Err(trap) => all.traps.push((trap, odometer.probability())),
            }
            if !odometer.advance() {
                return Some(all);
            }
        }
        None
    }

    fn expect_equal(&self, text: &str, exact: &Pmf, residual: f64) {
        let slack = self.cut + residual + 1e-12;
        let results = self.results.keys().copied();
        for result in results.chain(exact.iter().map(|(result, _)| result)) {
            let p = self.results.get(&result).copied().unwrap_or(0.0);
            let q = exact.probability(result);
            let equal = (p - q).abs() <= slack;
            assert!(equal, "`{text}`: P({result}) is {p}, not {q}; {slack}");
        }
    }
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// Both sides agree.
    Equal,
    /// There is no rule, or it has too many rolls.
    Nothing,
    /// The exact engine refused.
    Refused,
}

/// Compares the exact engine with brute force over at most `most` rolls.
///
/// # Panics
/// If they differ.
pub fn compare(bound: &Bound, most: usize) -> Compared {
    let text = bound.program().text();
    let Some(brute) = Brute::of(bound, most) else {
        return Compared::Nothing;
    };
    // A refusal takes as long as the budget lasts.
    let limits = Limits {
        work: 30_000_000,
        ..Limits::default()
    };
    let likely = |(_, mass): &&(Trap, f64)| *mass > 1e-14;
    match solve::<f64>(bound, &limits) {
        Ok(exact) => {
            assert_eq!(brute.traps.iter().find(likely), None, "`{text}`");
            let residual = exact.residual;
            assert!(residual < 1e-9, "`{text}` leaves out {residual}");
            brute.expect_equal(text, &exact.pmf, residual);
            if most < 20_000 {
                expect_fractions(bound, &limits, &exact.pmf);
            }
        }
        Err(Failure::Trap(trap)) => {
            let known = brute.traps.iter().any(|(found, _)| *found == trap);
            assert!(known || brute.cut > 0.0, "`{text}`: {trap:?}");
        }
        Err(Failure::Exhausted(_)) => return Compared::Refused,
        Err(other) => panic!("`{text}`: {other}"),
    }
    Compared::Equal
}

/// Checks that integer weights give the same result.
fn expect_fractions(bound: &Bound, limits: &Limits, decimal: &Pmf) {
    let text = bound.program().text();
    let exact: Pmf<UBig> = match bound.fractions(limits) {
        Ok(exact) => exact,
        Err(Failure::Exhausted(_)) => return,
        Err(other) => panic!("`{text}`: {other}"),
    };
    let total: UBig = exact.iter().map(|(_, weight)| weight).sum();
    assert_eq!(&total, exact.total(), "`{text}`");
    let near = |(v, p): (i64, f64)| {
        let q = decimal.probability(v);
        assert!(
            (p - q).abs() <= 1e-12 * p + 1e-14,
            "`{text}` at {v}: {p} and {q}"
        );
    };
    exact.probabilities().for_each(near);
}
