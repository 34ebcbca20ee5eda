//! The values of expressions.

use super::Machine;
use crate::arithmetic;
use crate::ast::{Expr, ExprKind, Part};
use crate::failure::{Failure, Unplaced};
use crate::value::Value;
use dicec_lang::syntax::{Code, Diagnostic};
use dicec_runtime::pmf::Weight;
use std::rc::Rc;

/// The maximum length of a sequence.
const MAX_SEQUENCE: u64 = 1_000_000;

impl<W: Weight> Machine<'_, '_, W> {
    /// The value of an expression.
    pub(super) fn value(&mut self, expr: &Expr) -> Result<Value<W>, Failure> {
        let value = self.evaluated(expr)?;
        if let Some(facts) = &mut self.facts {
            facts.see(expr, &value);
        }
        Ok(value)
    }

    fn evaluated(&mut self, expr: &Expr) -> Result<Value<W>, Failure> {
        if let Some(observed) = self.frames.observed()
            && let Some(value) = observed.value(expr.id)
        {
            return Ok(Value::Number(value));
        }
        self.engine.pay(1).map_err(|why| why.at(expr.span))?;
        match &expr.kind {
            ExprKind::Number(number) => Ok(Value::Number(*number)),
            ExprKind::Variable(variable) => match self.read(*variable) {
                Some(value) => {
                    let value = value.clone();
                    self.check_free(&value, expr.span)?;
                    Ok(value)
                }
                None => Err(self.no_variable(*variable, expr.span).into()),
            },
            ExprKind::Prefix(operator, inner) => {
                let inner = self.value(inner)?;
                self.placed(expr, &[&inner], |machine| {
                    machine.engine.prefix(*operator, &inner)
                })
            }
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.placed(expr, &[&left, &right], |machine| {
                    machine.engine.binary(*operator, &left, &right)
                })
            }
            ExprKind::Dice(number, faces) => {
                let number = number
                    .as_ref()
                    .map(|number| self.value(number))
                    .transpose()?;
                let faces = self.value(faces)?;
                if !matches!(number, None | Some(Value::Number(1))) {
                    self.check_undrawn(&faces, expr.span)?;
                }
                let parts: Vec<&Value<W>> = number.iter().chain([&faces]).collect();
                self.placed(expr, &parts, |machine| {
                    machine.engine.make(number.as_ref(), &faces)
                })
            }
            ExprKind::At(positions, of) => {
                let places = match self.value(positions)? {
                    Value::Number(number) => vec![number],
                    Value::Sequence(elements) => elements.to_vec(),
                    Value::Dice(_) => {
                        let message = "a position is a number or a sequence, and this is dice";
                        let found = Diagnostic::error(Code::AnyDiceKind, positions.span, message);
                        let help = "write the position before the sign: 1@4d6 is the highest die";
                        return Err(found.help(help).into());
                    }
                };
                let of = self.value(of)?;
                let lowest_first = self.settings.lowest_first;
                self.placed(expr, &[&of], |machine| {
                    machine.engine.at(&places, &of, lowest_first)
                })
            }
            ExprKind::Sequence(parts) => self.sequence(parts),
            ExprKind::Call(signature, arguments) => self.call(*signature, arguments, expr),
        }
    }

    /// The value of an operation on these values.
    fn placed(
        &mut self,
        expr: &Expr,
        values: &[&Value<W>],
        of: impl FnOnce(&mut Self) -> Result<Value<W>, Unplaced>,
    ) -> Result<Value<W>, Failure> {
        let draws = self.joined(values, expr.span)?;
        let value = of(self).map_err(|why| why.at(expr.span))?;
        Ok(value.depending(draws))
    }

    /// `{1, 2..4, d6, X:3}`: sequences flatten, and dice are each of their results once.
    fn sequence(&mut self, parts: &[Part]) -> Result<Value<W>, Failure> {
        let mut elements: Vec<i64> = Vec::new();
        for part in parts {
            let span = part.from.span;
            let piece: Vec<i64> = match &part.to {
                Some(to) => {
                    let from = self.whole(&part.from, "the start of a range")?;
                    let to = self.whole(to, "the end of a range")?;
                    let length = match to.checked_sub(from) {
                        _ if to < from => 0,
                        Some(length) => length.unsigned_abs().saturating_add(1),
                        None => u64::MAX,
                    };
                    too_long(length, span)?;
                    (from..=to).collect()
                }
                None => match self.value(&part.from)? {
                    Value::Number(number) => vec![number],
                    Value::Sequence(inner) => inner.to_vec(),
                    Value::Dice(dice) => {
                        self.check_undrawn(&Value::Dice(Rc::clone(&dice)), span)?;
                        let sum = self.engine.sum(&dice).map_err(|why| why.at(span))?;
                        let results = sum.iter().flat_map(|sum| sum.iter());
                        results.map(|(result, _)| result).collect()
                    }
                },
            };
            let times = match &part.times {
                Some(times) => self.whole(times, "the number of repetitions")?,
                None => 1,
            };
            let times = u64::try_from(times).unwrap_or(0);
            let added = (piece.len() as u64).saturating_mul(times);
            too_long(added.saturating_add(elements.len() as u64), span)?;
            self.engine.pay(added).map_err(|why| why.at(span))?;
            if !piece.is_empty() {
                (0..times).for_each(|_| elements.extend(&piece));
            }
        }
        Ok(Value::sequence(elements))
    }

    /// A number, or the sum of a sequence.
    fn whole(&mut self, expr: &Expr, role: &str) -> Result<i64, Failure> {
        match self.value(expr)? {
            Value::Number(number) => Ok(number),
            Value::Sequence(elements) => {
                arithmetic::sum(&elements).map_err(|why| why.at(expr.span))
            }
            Value::Dice(_) => {
                let message = format!("{role} is a number, and this is dice");
                let found = Diagnostic::error(Code::AnyDiceKind, expr.span, message);
                let help = "put this into a function with a parameter N:n, and call it with the \
                            dice";
                Err(found.help(help).into())
            }
        }
    }
}

fn too_long(length: u64, span: dicec_runtime::span::Span) -> Result<(), Failure> {
    if length <= MAX_SEQUENCE {
        return Ok(());
    }
    let message = format!("a sequence has at most {MAX_SEQUENCE} elements");
    let found = Diagnostic::error(Code::AnyDiceKind, span, message);
    Err(found.help("make the sequence shorter").into())
}
