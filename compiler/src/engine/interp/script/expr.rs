//! The walk over expressions: one function a kind.

use super::heap::Value;
use super::table::{RollSite, Table};
use super::walk::{Walk, at};
use crate::engine::interp::{self, Interpreter};
use crate::hir::Kind;
use crate::hir::script::{
    Expr, ExprKind, Extreme, Roll, Script, Type, TypeId, UserOption, list_cost, record_cost,
};
use dicec_runtime::degree::Ladder;
use dicec_runtime::ops;
use dicec_runtime::span::Span;
use dicec_runtime::text::Text;
use dicec_runtime::trap::{Trap, TrapCode};

impl<T: Table> Walk<'_, T> {
    pub(super) fn expr(&mut self, expr: &Expr) -> Result<Value, Trap> {
        let span = expr.span;
        let value = match &expr.kind {
            ExprKind::Int(value) | ExprKind::Degree(value) => Value::Int(*value),
            ExprKind::Bool(value) => Value::Bool(*value),
            ExprKind::Text(text) => Value::Text(Text::words(text.as_str())),
            ExprKind::Local(local) => self.local(*local),
            // The caller gives a value a slot.
            ExprKind::Resource(slot) => {
                let value = self.resources.get(slot.0 as usize);
                Value::Int(value.copied().unwrap_or(0))
            }
            ExprKind::Negate(value) => {
                let value = self.int(value)?;
                Value::Int(ops::ineg(value).map_err(at(span))?)
            }
            ExprKind::Not(value) => Value::Bool(!self.truth(value)?),
            ExprKind::Arith(op, left, right) => {
                let (left, right) = (self.int(left)?, self.int(right)?);
                Value::Int(op.apply(left, right).map_err(at(span))?)
            }
            ExprKind::Compare(op, left, right) => {
                let (left, right) = (self.int(left)?, self.int(right)?);
                Value::Bool(op.holds(left.cmp(&right)))
            }
            ExprKind::Same(wanted, left, right) => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                Value::Bool(same(&left, &right) == *wanted)
            }
            ExprKind::And(left, right) => self.short_circuit(left, right, true)?,
            ExprKind::Or(left, right) => self.short_circuit(left, right, false)?,
            ExprKind::Choose(parts) => self.choose(parts)?,
            ExprKind::Extreme(extreme, values) => self.extreme(*extreme, values)?,
            ExprKind::Abs(value) => {
                let value = self.int(value)?;
                Value::Int(ops::iabs(value).map_err(at(span))?)
            }
            ExprKind::Len(list) => {
                let list = self.expr(list)?;
                // A list is within its limit, far below 2^63.
                Value::Int(self.heap.parts(&list).len() as i64)
            }
            ExprKind::List(parts) => {
                let values = self.exprs(parts)?;
                self.burn(list_cost(values.len()), span)?;
                self.heap.add(values)
            }
            ExprKind::Append(list, value) => self.append(list, value, span)?,
            ExprKind::Join(parts) => self.join(parts, span)?,
            ExprKind::Field(record, field) => {
                let record = self.expr(record)?;
                self.part(&record, *field as usize)
            }
            ExprKind::Element(list, index) => {
                let list = self.expr(list)?;
                let index = self.int(index)?;
                let index = self.index(&list, index, span)?;
                self.part(&list, index)
            }
            ExprKind::Record(id, fields) => self.record(*id, fields, span)?,
            ExprKind::Call(function, args) => {
                let args = self.exprs(args)?;
                self.call(*function, args, span)?
            }
            ExprKind::Roll(roll) => self.roll(roll, span)?,
            ExprKind::Option(option) => self.option(option, span)?,
        };
        Ok(value)
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Result<Vec<Value>, Trap> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// An expression that yields a whole number or a degree; a truth value counts as 0 or 1.
    pub(super) fn int(&mut self, expr: &Expr) -> Result<i64, Trap> {
        Ok(match self.expr(expr)? {
            Value::Int(value) => value,
            Value::Bool(value) => i64::from(value),
            // The type checker puts no other value here.
            _ => 0,
        })
    }

    pub(super) fn truth(&mut self, expr: &Expr) -> Result<bool, Trap> {
        Ok(self.expr(expr)? == Value::Bool(true))
    }

    fn part(&self, whole: &Value, part: usize) -> Value {
        let value = self.heap.parts(whole).get(part);
        value.cloned().unwrap_or(Value::Unit)
    }

    /// `&&` goes on if the left side is true, `||` if it is false.
    fn short_circuit(&mut self, left: &Expr, right: &Expr, on: bool) -> Result<Value, Trap> {
        let branches = T::PATHS && rolls(self.script, right);
        let mut value = self.truth(left)?;
        if branches {
            self.begin();
            self.mark(if value { 't' } else { 'f' });
        }
        if value == on {
            value = self.truth(right)?;
        }
        if branches {
            self.leave('i');
        }
        Ok(Value::Bool(value))
    }

    fn choose(&mut self, [condition, yes, no]: &[Expr; 3]) -> Result<Value, Trap> {
        let branches = T::PATHS && (rolls(self.script, yes) || rolls(self.script, no));
        let truth = self.truth(condition)?;
        if branches {
            self.begin();
            self.mark(if truth { 't' } else { 'f' });
        }
        let value = self.expr(if truth { yes } else { no })?;
        if branches {
            self.leave('i');
        }
        Ok(value)
    }

    fn extreme(&mut self, extreme: Extreme, values: &[Expr]) -> Result<Value, Trap> {
        let mut best: Option<i64> = None;
        for value in values {
            let value = self.int(value)?;
            best = Some(match (best, extreme) {
                (None, _) => value,
                (Some(best), Extreme::Max) => best.max(value),
                (Some(best), Extreme::Min) => best.min(value),
            });
        }
        // There is at least one.
        Ok(Value::Int(best.unwrap_or(0)))
    }

    fn append(&mut self, list: &Expr, value: &Expr, span: Span) -> Result<Value, Trap> {
        let list = self.expr(list)?;
        let value = self.expr(value)?;
        self.burn(1, span)?;
        let most = self.list as usize;
        if let Some(parts) = self.heap.parts_mut(&list) {
            if parts.len() >= most {
                return Err(at(span)(TrapCode::ListTooLong));
            }
            parts.push(value);
        }
        Ok(Value::Unit)
    }

    fn join(&mut self, parts: &[Expr], span: Span) -> Result<Value, Trap> {
        let mut texts = Vec::with_capacity(parts.len());
        for part in parts {
            texts.push(match (self.expr(part)?, &part.ty) {
                (Value::Text(text), _) => text,
                (Value::Bool(value), _) => Text::words(value.to_string()),
                (Value::Int(rung), Type::Degree) => Text::words(Ladder::Pathfinder.name(rung)),
                (Value::Int(value), _) => Text::number(value),
                (Value::Unit | Value::Ref(_), _) => Text::default(),
            });
        }
        Text::join(texts).map(Value::Text).map_err(at(span))
    }

    fn record(&mut self, id: TypeId, written: &[(u32, Expr)], span: Span) -> Result<Value, Trap> {
        let ty = self.script.record(id);
        let mut given: Vec<Option<Value>> = vec![None; ty.fields.len()];
        for (field, value) in written {
            let value = self.expr(value)?;
            if let Some(place) = given.get_mut(*field as usize) {
                *place = Some(value);
            }
        }
        let mut units = record_cost(ty.fields.len());
        let mut missing = Vec::new();
        for (field, value) in ty.fields.iter().zip(&given) {
            if value.is_none() {
                let data = self.script.left_out(field);
                units += data.cost();
                missing.push(data);
            }
        }
        self.burn(units, span)?;
        let mut missing = missing.iter();
        let mut values = Vec::with_capacity(given.len());
        for value in given {
            values.push(match (value, &mut missing) {
                (Some(value), _) => value,
                (None, missing) => missing
                    .next()
                    .map_or(Value::Unit, |data| self.heap.load(data)),
            });
        }
        Ok(self.heap.add(values))
    }

    fn roll(&mut self, roll: &Roll, span: Span) -> Result<Value, Trap> {
        let holes: Result<Vec<i64>, Trap> = roll.holes.iter().map(|hole| self.int(hole)).collect();
        let holes = holes?;
        let site = RollSite {
            path: self.path.text(),
            roll,
            holes: &holes,
            span,
        };
        let interpreter = Interpreter::new(&roll.rule, self.rolls);
        let run = |dice: &mut T::Dice| interpreter.run(&holes, dice, &mut ());
        let outcome = self.table.roll(site, run)?;
        self.mark('r');
        Ok(match (outcome.value, roll.rule.kind) {
            (interp::Value::Int(place), Kind::Label) => {
                let label = usize::try_from(place).ok();
                let label = label.and_then(|place| roll.rule.labels.get(place));
                Value::Text(label.map_or_else(Text::default, |label| Text::words(label.as_str())))
            }
            (value, _) => Value::Int(value.to_cell()),
        })
    }

    fn option(&mut self, option: &UserOption, span: Span) -> Result<Value, Trap> {
        let who = match &option.who {
            Some(who) => self.who(who, &option.written)?,
            None => String::new(),
        };
        let taken = self.table.option(self.path.text(), option.option, &who);
        self.mark('u');
        taken.map(Value::Bool).map_err(at(span))
    }
}

/// Whether two truth values or texts are equal.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        // Texts may be put together from different pieces.
        (Value::Text(left), Value::Text(right)) => left.to_string() == right.to_string(),
        _ => left == right,
    }
}

/// Whether an expression can roll dice or ask for an option.
fn rolls(script: &Script, expr: &Expr) -> bool {
    let here = match &expr.kind {
        ExprKind::Roll(_) | ExprKind::Option(_) => true,
        ExprKind::Call(function, _) => script.function(*function).rolls,
        _ => false,
    };
    here || expr.parts().iter().any(|part| rolls(script, part))
}
