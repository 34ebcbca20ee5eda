//! What a thorough check of exact odds does besides more trials: it finds them a second time, by
//! other means, and compares the two.

use super::compare::Disagreement;
use super::expected::{Chances, Expected};
use crate::engine::exact::{Question, solve};
use crate::hir::Kind;
use crate::program::bind::Bound;
use dicec_runtime::control::Control;
use dicec_runtime::pmf::{Budget, Limits};

/// How far two floats may be apart besides their bounds: lines and statistics state none.
const NOISE: f64 = 1e-9;

impl Bound {
    /// Finds exact odds again, without what earlier questions found out. An answer that does not
    /// fit in the budget now says nothing.
    pub(super) fn solved_again(
        &self,
        expected: &Expected,
        limits: &Limits,
        control: &Control,
    ) -> Result<(), Disagreement> {
        let question = Question {
            kept: None,
            ..self.question()
        };
        let mut budget = Budget::new(*limits).under(control);
        let Ok(odds) = solve::<f64>(&question, &mut budget) else {
            return Ok(());
        };
        let again = Expected::odds(&odds, self.kind(), self.program().hir());
        match difference(expected, &again, self.kind()) {
            Some((part, first, second)) => Err(Disagreement::certain(
                &part,
                &first.to_string(),
                &format!("{second} when it is solved again"),
            )),
            None => Ok(()),
        }
    }
}

/// The first part in which two answers differ, and what each says about it.
fn difference(one: &Expected, other: &Expected, kind: Option<Kind>) -> Option<(String, f64, f64)> {
    let left_out = one.left_out + other.left_out;
    let none = Chances::default();
    let results = |expected: &Expected| expected.results.clone().unwrap_or_default();
    let mut parts = vec![("the chance of", results(one), results(other))];
    let stats = one.stats.iter().zip(&other.stats);
    parts
        .extend(stats.map(|(one, other)| ("a number of a statistic:", one.clone(), other.clone())));
    let names = one.named.keys().chain(other.named.keys());
    parts.extend(names.map(|name| {
        let of = |expected: &Expected| expected.named.get(name).unwrap_or(&none).clone();
        ("a number of a statistic:", of(one), of(other))
    }));
    for (part, one, other) in parts {
        let values = one.values.iter().chain(&other.values);
        for &value in values {
            let [p, q] = [&one, &other].map(|chances| chances.of_value(value));
            let allowed = (one.error + other.error + NOISE) * p.max(q) + left_out;
            if (p - q).abs() > allowed {
                let scale = kind.map_or(one.scale, Kind::scale);
                return Some((format!("{part} {}", scale.number(value)), p, q));
            }
        }
    }
    let lines = one.lines.keys().chain(other.lines.keys());
    for line in lines {
        let [p, q] = [one, other].map(|one| one.lines.get(line).copied().unwrap_or(0.0));
        if (p - q).abs() > NOISE * p.max(q) + left_out {
            return Some((format!("the line {line:?}"), p, q));
        }
    }
    None
}
