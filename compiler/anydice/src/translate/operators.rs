//! Operators (section 5).

use super::code::{Code, Level};
use super::script::Helper;
use super::value::{Dice, Face, List, Value, free};
use super::{Translator, untranslated};
use crate::ast::{Binary, Expr, ExprKind, Prefix};
use crate::failure::Failure;
use dicec_runtime::compare::CompareOp;

impl Translator<'_> {
    pub(super) fn prefix(&mut self, operator: Prefix, inner: &Expr) -> Result<Value, Failure> {
        let value = self.value(inner)?;
        match (operator, value) {
            (Prefix::Plus, value) => Ok(value),
            (Prefix::Minus, Value::Dice(dice)) if !dice.is_single() => {
                let one = dice.one().minus();
                Ok(Value::Dice(Dice {
                    face: Face::Total(one),
                    ..dice
                }))
            }
            (Prefix::Minus, value) => Ok(Value::of(value.total().minus(), &[&value])),
            (Prefix::Not, value) => {
                let is_zero = equal(&value.total().int(), &Code::number(0));
                Ok(Value::of(is_zero, &[&value]))
            }
            (Prefix::Length, value) => self.length(value, inner),
        }
    }

    fn length(&mut self, value: Value, of: &Expr) -> Result<Value, Failure> {
        let length = match value {
            Value::Sequence(List::Known(elements)) => Code::number(elements.len() as i64),
            Value::Sequence(List::Code(code)) => Code::call("len", &[&code]),
            Value::Dice(dice) => dice.length().ok_or_else(|| several(of))?,
            Value::Number(code) => self.script.help(Helper::Digits, &[&code]),
            Value::Rolled(_) => return Err(mixed(of).into()),
        };
        Ok(Value::Number(length))
    }

    pub(super) fn binary(
        &mut self,
        operator: Binary,
        left: &Expr,
        right: &Expr,
    ) -> Result<Value, Failure> {
        if let Binary::Compare(comparison) = operator {
            return self.comparison(comparison, left, right);
        }
        let is_sum = matches!(operator, Binary::Add | Binary::Subtract | Binary::Or);
        let (one, two) = match is_sum {
            true => (self.term(left, right)?, self.term(right, left)?),
            false => (self.value(left)?, self.value(right)?),
        };
        let (first, second) = (one.total(), two.total());
        let code = match operator {
            Binary::Add => arithmetic(Level::Sum, "+", &first, &second),
            Binary::Subtract => arithmetic(Level::Sum, "-", &first, &second),
            Binary::Multiply => arithmetic(Level::Product, "*", &first, &second),
            Binary::Divide => {
                let is_positive = |of: &Expr| self.facts.is_at_least(of, 0);
                match is_positive(left) && is_positive(right) {
                    true => arithmetic(Level::Product, "/", &first, &second),
                    false => self.script.help(Helper::Quotient, &[&first, &second]),
                }
            }
            Binary::Power if self.facts.is_at_least(right, 0) => {
                self.script.help(Helper::Power, &[&first, &second])
            }
            Binary::Power => {
                let message = "this exponent can be negative";
                let help = "scripts have no such power: write the numbers that it gives";
                return Err(untranslated(right.span, message, help).into());
            }
            Binary::And => {
                Code::binary(Level::And, "&&", &first.truth(), &second.truth()).marked_truth()
            }
            Binary::Or => {
                Code::binary(Level::Or, "||", &first.truth(), &second.truth()).marked_truth()
            }
            Binary::Compare(_) => return Err(mixed(left).into()),
        };
        Ok(Value::of(code, &[&one, &two]))
    }

    /// A term next to another one: a call that is too deep counts as 0 there.
    fn term(&mut self, term: &Expr, other: &Expr) -> Result<Value, Failure> {
        let ExprKind::Call(signature, arguments) = &term.kind else {
            return self.value(term);
        };
        if self.facts.is_cut(term) && !self.facts.is_cut(other) {
            return self.cut_call(*signature, arguments, term);
        }
        self.value(term)
    }

    fn comparison(
        &mut self,
        comparison: CompareOp,
        left: &Expr,
        right: &Expr,
    ) -> Result<Value, Failure> {
        let (one, two) = (self.value(left)?, self.value(right)?);
        let code = match (&one, &two) {
            (Value::Sequence(list), Value::Number(number)) => {
                self.counted(list, number, |face, number| {
                    compared(comparison, face, number)
                })
            }
            (Value::Number(number), Value::Sequence(list)) => {
                self.counted(list, number, |face, number| {
                    compared(comparison, number, face)
                })
            }
            (Value::Sequence(first), Value::Sequence(second)) => {
                let order = self
                    .script
                    .help(Helper::Order, &[&first.code(), &second.code()]);
                compared(comparison, &order, &Code::number(0))
            }
            (Value::Sequence(_), Value::Rolled(_)) | (Value::Rolled(_), Value::Sequence(_)) => {
                return Err(mixed(left).into());
            }
            _ => compared(comparison, &one.total(), &two.total()),
        };
        Ok(Value::of(code, &[&one, &two]))
    }

    /// How many elements of a list fulfil a condition.
    fn counted(&self, list: &List, number: &Code, of: impl Fn(&Code, &Code) -> Code) -> Code {
        let list = list.code();
        let face = free("face", &[&list, number]);
        let condition = of(&Code::atom(face.clone(), &[]), number);
        let text = format!("count({} for {face} : {})", condition.text(), list.text());
        Code::atom(text, &[&condition, &list])
    }
}

/// Sums and products, with their number if both sides are known.
fn arithmetic(level: Level, sign: &str, left: &Code, right: &Code) -> Code {
    Code::binary(level, sign, &left.int(), &right.int())
}

fn equal(left: &Code, right: &Code) -> Code {
    Code::binary(Level::Equal, "==", left, right).marked_truth()
}

pub(super) fn compared(comparison: CompareOp, left: &Code, right: &Code) -> Code {
    let (left, right) = (&left.int(), &right.int());
    let (level, sign) = match comparison {
        CompareOp::Equal => (Level::Equal, "=="),
        CompareOp::NotEqual => (Level::Equal, "!="),
        CompareOp::Less => (Level::Compare, "<"),
        CompareOp::LessEqual => (Level::Compare, "<="),
        CompareOp::Greater => (Level::Compare, ">"),
        CompareOp::GreaterEqual => (Level::Compare, ">="),
    };
    Code::binary(level, sign, left, right).marked_truth()
}

/// A value that is sometimes a number and sometimes dice.
pub(super) fn mixed(of: &Expr) -> dicec_lang::syntax::Diagnostic {
    let message = "this is sometimes a number and sometimes dice";
    let help = "AnyDice treats these differently here: use two functions";
    untranslated(of.span, message, help)
}

/// Dice of which a script knows only the sum.
pub(super) fn several(of: &Expr) -> dicec_lang::syntax::Diagnostic {
    let message = "a script knows only the sum of these dice";
    let help = "write the dice here: NdX with a number of dice from 0 on";
    untranslated(of.span, message, help)
}
