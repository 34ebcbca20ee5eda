//! Odds given a condition on the result or its parts: those of the outcomes for which it holds.

use super::distribution::{Distribution, Table};
use super::given::Given;
use super::joint::{Joint, PartOdds};
use super::script::Answer;
use super::share::{Share, lowest};
use dicec_lang::hir::{Data, Float, FunctionId, Module, Type};
use dicec_lang::interp::{AtTable, Interpreter, Scripted, Value};
use dicec_runtime::bug;
use dicec_runtime::limits::{RollLimits, ScriptLimits};
use dicec_runtime::pmf::{Pmf, Weight};
use dicec_runtime::trap::Trap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Numbers beyond this quantile on either side are those at which odds without a bound were cut.
const CUT: f64 = 1e-6;

/// A compiled condition on the outcomes of a roll.
#[derive(Clone, Debug)]
pub struct Condition {
    /// As it was written.
    pub(crate) text: Arc<str>,
    pub(crate) module: Arc<Module>,
    /// The function with a parameter for each part, or for the only result.
    pub(crate) function: FunctionId,
    pub(crate) limits: RollLimits,
}

/// A reason why odds given a condition cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotGiven {
    /// It never holds.
    Never,
    /// The answer was sampled.
    Sampled,
    /// It cannot be computed for an outcome.
    Trap(Trap),
}

impl Condition {
    /// As it was written.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it holds or not; otherwise it is a number.
    pub(crate) fn is_truth(&self) -> bool {
        self.module.function(self.function).result == Type::Bool
    }

    /// Whether it holds for an outcome of each of these odds.
    fn holds(&self, odds: &[&Distribution], outcomes: &[i64]) -> Result<bool, Trap> {
        let function = self.module.function(self.function);
        let types = function.locals.iter().take(function.params);
        let values = odds.iter().zip(outcomes).zip(types);
        let values: Vec<Data> = values
            .map(|((odds, outcome), local)| data(odds, *outcome, &local.ty))
            .collect();
        match self.computed(&values)? {
            Value::Bool(holds) => Ok(holds),
            other => bug!("a condition gives {other:?}").raise(),
        }
    }

    /// Its number for these values of the parts; 1 if it holds.
    pub(crate) fn number(&self, values: &[Data]) -> Result<f64, Trap> {
        Ok(match self.computed(values)? {
            Value::Bool(holds) => f64::from(u8::from(holds)),
            Value::Float(number) => number,
            value => value.to_cell() as f64,
        })
    }

    /// Its value for these values of the parts.
    fn computed(&self, values: &[Data]) -> Result<Value, Trap> {
        let limits = ScriptLimits::default();
        let interpreter = Interpreter::new(&self.module, self.function, self.limits, limits);
        // A condition rolls nothing.
        let mut dice = Scripted::new(&[]);
        let mut host = AtTable {
            dice: &mut dice,
            observer: &mut (),
        };
        let value = interpreter.run(values, &[], &mut host)?;
        Ok(value.unwrap_or_else(|| bug!("a condition gives nothing").raise()))
    }
}

/// An outcome as a value of a type.
fn data(odds: &Distribution, outcome: i64, ty: &Type) -> Data {
    match ty {
        Type::Int | Type::Test => Data::Int(outcome),
        Type::Bool => Data::Bool(outcome != 0),
        Type::Float => {
            let number = Float::new(odds.scale().number(outcome));
            Data::Float(number.unwrap_or_else(|| bug!("an infinite result").raise()))
        }
        Type::Degree(_) | Type::Enum(_) => Data::Named(outcome),
        Type::Flags(_) => Data::Named(odds.set(outcome)),
        Type::Text => Data::Text(odds.outcome_text(outcome)),
        Type::Unknown | Type::Unit | Type::List(_) | Type::Record(_) => {
            bug!("a condition on a value of type {ty:?}").raise()
        }
    }
}

impl Answer {
    /// The odds of the result and its parts given a condition on them. Lines and statistics are
    /// gone: their odds given the condition are not known.
    pub(crate) fn given(mut self, condition: &Condition) -> Result<Self, NotGiven> {
        let is_sampled = |odds: &Distribution| !odds.is_exact();
        let mut odds = self.parts.iter().map(|part| &part.odds).chain(&self.result);
        if odds.any(is_sampled) {
            return Err(NotGiven::Sampled);
        }
        let share = match (&mut self.joint, self.parts.is_empty(), &mut self.result) {
            (Some(joint), false, _) => of_parts(joint, &mut self.parts, condition)?,
            (_, _, Some(result)) => {
                let held = held(result, |outcome| condition.holds(&[result], &[outcome]))?;
                result.narrow(&held)?
            }
            // Nothing comes of a roll that is always left out.
            (_, _, None) => return Err(NotGiven::Never),
        };
        self.left_out = self.result.as_ref().map_or_else(
            || {
                self.joint
                    .as_ref()
                    .map_or(0.0, |joint| joint.odds.left_out())
            },
            Distribution::left_out,
        );
        let has_numbers = self.stats.iter().any(|stat| stat.odds.is_some());
        let given = Given {
            condition: condition.text.to_string(),
            share,
            leaves_out: has_numbers || !self.lines.is_empty(),
        };
        self.given = Some(match self.given {
            Some(before) => before.and(given),
            None => given,
        });
        self.lines.clear();
        self.stats.clear();
        (self.other_lines, self.other_stats) = (0.0, 0.0);
        Ok(self)
    }
}

/// The odds of the parts given the condition, and its probability.
fn of_parts(
    joint: &mut Joint,
    parts: &mut [PartOdds],
    condition: &Condition,
) -> Result<Share, NotGiven> {
    let odds: Vec<&Distribution> = parts.iter().map(|part| &part.odds).collect();
    // The odds are of indices of rows.
    let held = held(&joint.odds, |row| {
        condition.holds(&odds, &joint.rows[row as usize])
    })?;
    let share = joint.odds.narrow(&held)?;
    for (index, part) in parts.iter_mut().enumerate() {
        let mut odds = joint.odds.clone();
        odds.renumber(|row| joint.rows[row as usize][index]);
        part.odds.replace(odds);
    }
    Ok(share)
}

/// The outcomes for which a condition holds.
fn held(
    odds: &Distribution,
    holds: impl Fn(i64) -> Result<bool, Trap>,
) -> Result<BTreeSet<i64>, NotGiven> {
    let mut held = BTreeSet::new();
    for (outcome, _) in odds.probabilities() {
        if holds(outcome).map_err(NotGiven::Trap)? {
            held.insert(outcome);
        }
    }
    Ok(held)
}

impl Distribution {
    /// Leaves only these outcomes; returns the share of all that they have.
    fn narrow(&mut self, held: &BTreeSet<i64>) -> Result<Share, NotGiven> {
        let (narrowed, share) = match &self.table {
            Table::Fractions(table) => {
                let (narrowed, weight) = narrowed(table, held)?;
                let share = Share {
                    fraction: Some(lowest(&weight, table.total())),
                    in_full: self.is_in_full(),
                    ..Share::of(weight.ratio(table.total()))
                };
                (Table::Fractions(narrowed), share)
            }
            Table::Floats(table) => {
                let (narrowed, weight) = narrowed(table, held)?;
                let share = Share::of((weight / table.total()).min(1.0));
                (Table::Floats(narrowed), share)
            }
            Table::Sampled(_) | Table::Summed(_) => bug!("sampled odds of a condition").raise(),
        };
        let mut odds = self.clone();
        odds.table = narrowed;
        // Of the rolls that are left out, the condition may hold for all.
        let left_out = self.left_out() / (share.p * (1.0 - self.left_out()));
        self.replace(odds.leaving_out(left_out.min(1.0)));
        Ok(share)
    }

    /// Takes the table of other odds of the same outcomes, some of which are gone, and what it
    /// leaves out.
    fn replace(&mut self, other: Self) {
        let mut ends = self.unbounded();
        if ends.below || ends.above {
            let (low, high) = other.range();
            ends.below &= low <= self.quantile(CUT);
            ends.above &= high >= self.quantile(1.0 - CUT);
        }
        let left_out = other.left_out();
        self.table = other.table;
        *self = self
            .clone()
            .leaving_out(left_out)
            .unbounded_at(ends)
            .clamped_by(None);
    }
}

/// A table of some of its outcomes, and their weight.
fn narrowed<W: Weight>(table: &Pmf<W>, held: &BTreeSet<i64>) -> Result<(Pmf<W>, W), NotGiven> {
    let mut sum = W::from_u64(0);
    let mut weights = Vec::with_capacity(held.len());
    for (value, weight) in table.iter().filter(|(value, _)| held.contains(value)) {
        sum.add(weight);
        weights.push((value, weight.clone()));
    }
    let narrowed = Pmf::from_weights(weights).ok_or(NotGiven::Never)?;
    Ok((narrowed.with_roundings(table.roundings()), sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_int::UBig;
    use dicec_lang::hir::Kind;

    #[test]
    fn some_outcomes_are_left() {
        let weights = (1..=6).map(|face| (face, UBig::from(1_u8)));
        let table = Pmf::from_weights(weights).expect("weights");
        let mut odds = Distribution::fractions(Kind::Number, table).leaving_out(0.1);
        let share = odds.narrow(&[5, 6].into()).expect("some rolls");
        assert_eq!(share.fraction, Some((1_u8.into(), 3_u8.into())));
        let shares: Vec<_> = odds.probabilities().collect();
        assert_eq!(shares, [(5, 0.5), (6, 0.5)]);
        assert!((odds.left_out() - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(odds.narrow(&BTreeSet::new()), Err(NotGiven::Never));
    }
}
