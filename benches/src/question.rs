//! The questions for exact odds, to both engines.

use crate::compiler;
use crate::peer;
use dicec_compiler::Program;
use dicec_runtime::pmf::Limits;
use std::hint::black_box;
use xdy::Evaluator;

/// A rule and a question about its odds. Both engines have parsed and compiled it before.
pub struct Question {
    /// The rule, and the question's name.
    pub rule: &'static str,
    /// The same in the peer's language.
    peer: &'static str,
    /// Whether the answer is the chance that it holds: the peer has no comparisons, so it builds
    /// the difference of the two sides and is asked for its chance to be above 0.
    is_check: bool,
}

/// All questions.
pub const QUESTIONS: [Question; 5] = [
    Question {
        rule: "4d6kh3",
        peer: "4D6 drop lowest",
        is_check: false,
    },
    Question {
        rule: "10d10kh5",
        peer: "10D10 drop lowest 5",
        is_check: false,
    },
    Question {
        rule: "100d6",
        peer: "100D6",
        is_check: false,
    },
    Question {
        rule: "30d6",
        peer: "30D6",
        is_check: false,
    },
    Question {
        rule: "1d20+5>1d20+4",
        peer: "(1D20 + 5) - (1D20 + 4)",
        is_check: true,
    },
];

impl Question {
    /// The compiled program of the rule.
    pub fn program(&self) -> Program {
        compiler().rule(self.rule).expect("the questions are rules")
    }

    /// The rule, compiled by the peer.
    pub fn peer(&self) -> Evaluator {
        peer::evaluator(self.peer)
    }

    /// Answers it `times` times, in `f64` weights.
    pub fn answer(&self, program: &Program, times: u64) {
        let bound = program.bind_values(&[]).expect("its resources");
        for _ in 0..times {
            let odds = black_box(&bound).distribution(&Limits::default());
            black_box(odds.expect("the questions have answers"));
        }
    }

    /// Answers it `times` times, in whole numbers.
    pub fn answer_in_fractions(&self, program: &Program, times: u64) {
        let bound = program.bind_values(&[]).expect("its resources");
        for _ in 0..times {
            let odds = black_box(&bound).fractions(&Limits::default());
            black_box(odds.expect("the questions have answers"));
        }
    }

    /// Has the peer answer it `times` times; its weights are whole numbers.
    pub fn answer_by_peer(&self, rule: &Evaluator, times: u64) {
        for _ in 0..times {
            let odds = peer::distribution(black_box(rule));
            if self.is_check {
                black_box(odds.cdf(0));
            }
            black_box(odds);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_give_the_same_answers() {
        for question in QUESTIONS {
            let (program, peer) = (question.program(), question.peer());
            let bound = program.bind_values(&[]).expect("its resources");
            let ours = bound.distribution(&Limits::default()).expect("an answer");
            let theirs = peer::distribution(&peer);
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b;
            if question.is_check {
                let chance = 1.0 - theirs.cdf(0).to_f64();
                assert!(near(ours.probability(1), chance), "{}", question.rule);
                continue;
            }
            assert_eq!(ours.len(), theirs.len(), "{}", question.rule);
            for (outcome, p) in theirs.to_f64() {
                let ours = ours.probability(i64::from(outcome));
                assert!(near(ours, p), "{} {outcome}", question.rule);
            }
        }
    }
}
