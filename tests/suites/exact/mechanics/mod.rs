//! Mechanics of games, as people write them: exact under the default limits, and equal to a second
//! computation ([`counted`]).

mod battles;
mod cards;
mod counted;
mod held;
mod sets;

use counted::Odds;
use dicec_compiler::Bound;
use dicec_runtime::pmf::Limits;
use dicec_tests::programs::{bare, first, notation, rule, script};
use serde_json::json;
use std::collections::BTreeSet;

/// How a mechanic is written.
enum Written {
    /// A rule of the rule book.
    Rule(&'static str),
    /// A rule of the notation.
    Notation(&'static str),
    /// The body of a roll of a script, after the functions that it calls.
    Script(&'static str, &'static str),
}

use Written::{Notation, Rule, Script};

impl Written {
    fn bound(&self) -> Bound {
        match self {
            Rule(text) => bare(&rule(text)),
            Notation(text) => bare(&notation(text)),
            Script(functions, body) => {
                let text = format!("{functions} defroll \"R\" r() {{ {body} }}");
                first(&script(&text), &json!({}))
            }
        }
    }
}

/// A name, what is asked, and the second computation.
type Mechanic = (&'static str, Written, fn() -> Odds);

/// The largest difference of two probabilities beyond the part that is left out.
const SLACK: f64 = 1e-10;

#[test]
fn mechanics_are_exact_and_right() {
    let all = || {
        [held::ALL, sets::ALL, battles::ALL, cards::ALL]
            .into_iter()
            .flatten()
    };
    let mut wrong = Vec::new();
    for (name, written, expected) in all() {
        let odds = match written.bound().solve::<f64>(&Limits::default()) {
            Ok(odds) => odds,
            Err(failure) => {
                wrong.push(format!("{name}: {failure}"));
                continue;
            }
        };
        let pmf = odds.result.expect("it returns something");
        let expected = expected();
        let total: f64 = expected.values().sum();
        assert!((total - 1.0).abs() < SLACK, "{name}: all is {total}");
        let numbers = pmf.iter().map(|(number, _)| number);
        for number in numbers
            .chain(expected.keys().copied())
            .collect::<BTreeSet<_>>()
        {
            let (p, q) = (pmf.probability(number), expected.get(&number).copied());
            let error = (p - q.unwrap_or(0.0)).abs();
            if error > SLACK + odds.residual {
                wrong.push(format!("{name}: P({number}) is {p}, not {q:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let names: BTreeSet<&str> = all().map(|mechanic| mechanic.0).collect();
    assert_eq!(names.len(), all().count(), "two have one name");
    assert!(names.len() >= 60, "{}", names.len());
}
