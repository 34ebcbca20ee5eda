//! Self-check of the exact engine: computes an answer again without shortcuts, with a new plan and
//! an empty cache, and compares the two.
//!
//! Debug builds check the first answers about a program and a sample of the others; all builds
//! check every answer with `DICEC_VERIFY=1`, and none with `DICEC_VERIFY=0`.
//! [`first_wrong_shortcut`] finds the faulty shortcut.

use super::script::{self, Noted, Odds, Question};
use super::shortcuts::{SHORTCUTS, Shortcuts};
use super::{ExactError, KeptPlans};
use dicec_lang::hir::Data;
use dicec_runtime::pmf::{Budget, Limits, Pmf, Weight};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

/// Two answers to one question.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The first shortcut that causes the difference, if a search found it.
    pub shortcut: Option<&'static str>,
    /// The part of the answer that differs.
    pub what: String,
    /// The answer with the shortcuts.
    pub with: String,
    /// The answer without them.
    pub without: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            shortcut,
            what,
            with,
            without,
        } = self;
        write!(f, "exact odds depend on ")?;
        match shortcut {
            Some(shortcut) => write!(f, "the shortcut `{shortcut}`")?,
            None => write!(f, "a shortcut")?,
        }
        write!(f, ": {what} is {with}, and {without} without shortcuts")
    }
}

impl std::error::Error for Difference {}

/// The result of checking an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Verified {
    /// The plain answer is equal.
    Same,
    /// The plain answer needs more work than allowed.
    TooMuch,
    /// The plain answer is different.
    Differs(Difference),
}

/// The plain solution may take this many times the work of the answer, up to a limit.
const TIMES: u64 = 20;
const LEAST_WORK: u64 = 20_000;
const MAX_WORK: u64 = 2_000_000;

/// The shortcuts of plain solutions, from none to more; the first set that is within the budget is
/// used.
const PLAIN: [Shortcuts; 3] = [
    Shortcuts::empty(),
    OFTEN_NEEDED,
    OFTEN_NEEDED.union(Shortcuts::CASES).union(Shortcuts::CALLS),
];

/// The shortcuts without which most answers are out of reach.
const OFTEN_NEEDED: Shortcuts = Shortcuts::EQUAL.union(Shortcuts::CLOSED_FORMS);

/// The exact odds of a roll: closed forms for straight-line dice, state propagation for control
/// flow. Weights are [`f64`] or [`dashu_int::UBig`]. See the module for which answers are checked.
///
/// # Errors
/// See [`ExactError`].
pub fn solve<W: Weight>(
    question: &Question<'_>,
    budget: &mut Budget,
) -> Result<Odds<W>, ExactError> {
    let before = budget.spent();
    let answer = script::solve(question, budget);
    if !is_checked(question) {
        return answer;
    }
    let work = (budget.spent() - before).saturating_mul(TIMES);
    let plain = Budget::new(Limits {
        work: work.clamp(LEAST_WORK, MAX_WORK),
        outcomes: budget.limits().outcomes,
    });
    let plain = plain.cutting(budget.cut());
    let found = verified(question, &answer, plain.clone());
    count(&found);
    match found {
        Verified::Differs(mut difference) => {
            let first = first_wrong_shortcut::<W>(question, &plain);
            difference.shortcut = first.map(|(name, _)| name);
            Err(ExactError::Wrong(Box::new(difference)))
        }
        Verified::Same | Verified::TooMuch => answer,
    }
}

/// The answers that are checked.
#[derive(Clone, Copy)]
enum Checked {
    None,
    /// The first ones about each program, and some of the others.
    Sample,
    All,
}

/// Whether the answer to a question is checked.
fn is_checked(question: &Question<'_>) -> bool {
    static CHECKED: OnceLock<Checked> = OnceLock::new();
    let read = || match std::env::var("DICEC_VERIFY").as_deref() {
        Ok("") | Err(_) if cfg!(debug_assertions) => Checked::Sample,
        Ok("" | "0") | Err(_) => Checked::None,
        Ok(_) => Checked::All,
    };
    match CHECKED.get_or_init(read) {
        Checked::None => false,
        Checked::Sample => question.kept.is_none_or(KeptPlans::is_sampled),
        Checked::All => true,
    }
}

thread_local! {
    static CHECKED: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

fn count(found: &Verified) {
    let (checked, skipped) = CHECKED.get();
    CHECKED.set(match found {
        Verified::Same | Verified::Differs(_) => (checked + 1, skipped),
        Verified::TooMuch => (checked, skipped + 1),
    });
}

/// The number of answers that this thread checked, and of those that took too much work without
/// shortcuts, since the last call.
pub fn take_checked() -> (u64, u64) {
    CHECKED.take()
}

/// The limits of each solution when the shortcuts are switched on one after the other, for a
/// question with `limits`: a part of the work, because there are as many solutions as shortcuts.
pub fn plain_limits(limits: &Limits) -> Limits {
    Limits {
        work: limits.work / 8,
        ..*limits
    }
}

/// Compares an answer with the one without shortcuts, found within a budget.
pub fn verified<W: Weight>(
    question: &Question<'_>,
    answer: &Result<Odds<W>, ExactError>,
    budget: Budget,
) -> Verified {
    if matches!(
        answer,
        Err(ExactError::Exhausted(_) | ExactError::StateExplosion(_))
    ) {
        return Verified::TooMuch;
    }
    for shortcuts in PLAIN {
        let plain = solved(question, shortcuts, &budget);
        if let Some(plain) = plain {
            return match difference(answer, &plain) {
                Some(difference) => Verified::Differs(difference),
                None => Verified::Same,
            };
        }
    }
    Verified::TooMuch
}

/// The answer with only these shortcuts; `None` if it takes too much work.
fn solved<W: Weight>(
    question: &Question<'_>,
    shortcuts: Shortcuts,
    budget: &Budget,
) -> Option<Result<Odds<W>, ExactError>> {
    let question = Question {
        kept: None,
        shortcuts,
        ..*question
    };
    match script::solve(&question, &mut budget.clone()) {
        Err(ExactError::Exhausted(_) | ExactError::StateExplosion(_)) => None,
        solved => Some(solved),
    }
}

/// The first shortcut, in the order of [`SHORTCUTS`], with which an answer differs from the one
/// without shortcuts. Each answer is found within a budget, usually one of [`plain_limits`].
pub fn first_wrong_shortcut<W: Weight>(
    question: &Question<'_>,
    budget: &Budget,
) -> Option<(&'static str, Difference)> {
    let plain = PLAIN.into_iter().find_map(|on| {
        let plain = solved::<W>(question, on, budget)?;
        Some((on, plain))
    });
    let (mut on, plain) = plain?;
    for shortcut in &SHORTCUTS {
        on |= shortcut.flag;
        let answer = match shortcut.flag {
            Shortcuts::KEPT => Some(kept_answer(question, budget)),
            _ => solved(question, on, budget),
        };
        let found = answer.and_then(|answer| difference(&answer, &plain));
        if let Some(difference) = found {
            return Some((shortcut.name, difference));
        }
    }
    None
}

/// The answer to a question that is asked after another one, and then once more.
fn kept_answer<W: Weight>(question: &Question<'_>, budget: &Budget) -> Result<Odds<W>, ExactError> {
    let kept = KeptPlans::default();
    let question = Question {
        kept: Some(&kept),
        shortcuts: Shortcuts::all(),
        ..*question
    };
    let resources: Vec<i64> = question.resources.iter().map(next).collect();
    let args: Vec<Data> = question.args.iter().map(other).collect();
    let before = Question {
        resources: &resources,
        args: &args,
        ..question
    };
    // This question may have no answer, because it is not the user's.
    let _ = script::solve::<W>(&before, &mut budget.clone());
    let first = script::solve::<W>(&question, &mut budget.clone());
    first.and_then(|_| script::solve(&question, &mut budget.clone()))
}

fn next(number: &i64) -> i64 {
    number.wrapping_add(1)
}

/// An argument of the same type and shape with other numbers.
fn other(data: &Data) -> Data {
    match data {
        Data::Int(number) => Data::Int(next(number)),
        Data::List(all) => Data::List(all.iter().map(other).collect()),
        Data::Record(all) => Data::Record(all.iter().map(other).collect()),
        _ => data.clone(),
    }
}

/// The first part in which two answers differ by more than their error bounds.
fn difference<W: Weight>(
    with: &Result<Odds<W>, ExactError>,
    without: &Result<Odds<W>, ExactError>,
) -> Option<Difference> {
    let (with, without) = match (with, without) {
        (Ok(with), Ok(without)) => (with, without),
        // The trap that is found first depends on the order in which states are visited.
        (Err(ExactError::Trap(_)), Err(ExactError::Trap(_))) => return None,
        (Err(ExactError::Trap(trap)), Ok(_)) => {
            return Some(differs("the answer", trap, &"a distribution"));
        }
        (Ok(_), Err(ExactError::Trap(trap))) => {
            return Some(differs("the answer", &"a distribution", trap));
        }
        // A refusal says nothing about the answer.
        _ => return None,
    };
    let left_out = with.residual + without.residual;
    let results = match (&with.result, &without.result) {
        (None, None) => None,
        (Some(with), Some(without)) => of_results(with, without, left_out),
        (with, without) => Some(differs(
            "whether there is a result",
            &with.is_some(),
            &without.is_some(),
        )),
    };
    results
        .or_else(|| of_lines(&with.lines, &without.lines, left_out))
        .or_else(|| {
            let numbers = |odds: &Odds<W>| {
                let known = odds.stats.iter().enumerate();
                let known =
                    known.map(|(place, noted)| (format!("statistic {place}"), noted.clone()));
                known.chain(odds.named.clone()).collect::<Vec<_>>()
            };
            of_stats(&numbers(with), &numbers(without), left_out)
        })
}

fn differs(
    what: impl Into<String>,
    with: &dyn fmt::Display,
    without: &dyn fmt::Display,
) -> Difference {
    Difference {
        shortcut: None,
        what: what.into(),
        with: with.to_string(),
        without: without.to_string(),
    }
}

/// A bound on the errors of sums of floats, whose roundings are not counted.
const UNCOUNTED: f64 = 1e-9;

fn of_results<W: Weight>(with: &Pmf<W>, without: &Pmf<W>, left_out: f64) -> Option<Difference> {
    if W::ROUNDING == 0.0 && left_out == 0.0 {
        return of_fractions(with, without);
    }
    of_floats("the probability of", with, without, left_out)
}

fn of_fractions<W: Weight>(with: &Pmf<W>, without: &Pmf<W>) -> Option<Difference> {
    let weights = |pmf: &Pmf<W>| {
        pmf.iter()
            .map(|(value, weight)| (value, weight.clone()))
            .collect()
    };
    let all: [BTreeMap<i64, W>; 2] = [weights(with), weights(without)];
    let [left, right] = &all;
    let zero = W::zero();
    let values = left.keys().chain(right.keys());
    let value = values.copied().find(|value| {
        let [left, right] = [left, right].map(|of| of.get(value).unwrap_or(&zero));
        left.mul(without.total()) != right.mul(with.total())
    })?;
    let [left, right] = [left, right].map(|of| of.get(&value).unwrap_or(&zero));
    let (left, right) = (left.ratio(with.total()), right.ratio(without.total()));
    Some(differs(
        format!("the probability of {value}"),
        &left,
        &right,
    ))
}

fn of_floats<W: Weight>(
    what: &str,
    with: &Pmf<W>,
    without: &Pmf<W>,
    left_out: f64,
) -> Option<Difference> {
    let probabilities = |pmf: &Pmf<W>| pmf.probabilities().collect();
    let all: [BTreeMap<i64, f64>; 2] = [probabilities(with), probabilities(without)];
    let [left, right] = &all;
    // Each is divided by its total, which is one more rounding.
    let bound = with.error_bound() + without.error_bound() + 2.0 * f64::EPSILON;
    let values = left.keys().chain(right.keys());
    let value = values.copied().find(|value| {
        let found = [left, right].map(|of| of.get(value).copied());
        let [left, right] = found.map(|found| found.unwrap_or(0.0));
        let apart = (left - right).abs() > bound * left.max(right) + left_out;
        // All of a number may have been left out.
        let lost = found.contains(&None) && left.max(right) > left_out;
        apart || lost
    })?;
    let [left, right] = [left, right].map(|of| of.get(&value).copied().unwrap_or(0.0));
    Some(differs(format!("{what} {value}"), &left, &right))
}

fn of_lines(
    with: &[(String, f64)],
    without: &[(String, f64)],
    left_out: f64,
) -> Option<Difference> {
    let all = [with, without].map(|lines| lines.iter().cloned().collect::<BTreeMap<String, f64>>());
    let [left, right] = &all;
    let mut names = left.keys().chain(right.keys());
    let name = names.find(|name| {
        let found = [left, right].map(|of| of.get(*name).copied());
        let [left, right] = found.map(|found| found.unwrap_or(0.0));
        let most = UNCOUNTED * (1.0 + left.max(right)) + left_out * (1.0 + left.max(right));
        (left - right).abs() > most || found.contains(&None) && left_out == 0.0
    })?;
    let [left, right] = [left, right].map(|of| of.get(name).copied().unwrap_or(0.0));
    Some(differs(
        format!("the number of lines {name:?}"),
        &left,
        &right,
    ))
}

fn of_stats(
    with: &[(String, Noted)],
    without: &[(String, Noted)],
    left_out: f64,
) -> Option<Difference> {
    let all =
        [with, without].map(|stats| stats.iter().cloned().collect::<BTreeMap<String, Noted>>());
    let [left, right] = &all;
    let nothing = Noted::default();
    left.keys().chain(right.keys()).find_map(|name| {
        let [left, right] = [left, right].map(|of| of.get(name).unwrap_or(&nothing));
        let most = (UNCOUNTED + left_out) * (1.0 + left.times.max(right.times));
        if (left.times - right.times).abs() > most {
            let what = format!("the count of {name}");
            return Some(differs(what, &left.times, &right.times));
        }
        match (&left.pmf, &right.pmf) {
            (Some(left), Some(right)) => {
                // The weights are expected numbers, each with the error of a sum.
                let what = format!("in {name}, the share of");
                of_floats(&what, left, right, UNCOUNTED + 4.0 * left_out)
            }
            _ => None,
        }
    })
}
