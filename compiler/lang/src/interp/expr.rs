//! The walk over expressions of any type. Numbers and truth values are in [`super::number`], pools
//! in [`super::pool`].

use super::heap::Value;
use super::host::{Host, RollSite};
use super::outcome::{Outcome, Value as Number};
use super::walk::{STACK_ADDED, STACK_LEFT, Walk, at};
use crate::hir::{Expr, ExprKind, Module, Roll, StatName, Type, TypeId, ValueBlock, joined_values};
use dicec_runtime::bug;
use dicec_runtime::float::key;
use dicec_runtime::limits::join_cost;
use dicec_runtime::span::Span;
use dicec_runtime::text::Text;
use dicec_runtime::trap::{Trap, TrapCode};

impl<'w, H: Host> Walk<'w, H> {
    /// An expression of any type.
    #[inline]
    pub(super) fn expr(&mut self, expr: &Expr) -> Result<Value<'w>, Trap> {
        match expr.ty {
            Type::Int | Type::Degree(_) | Type::Test | Type::Enum(_) | Type::Flags(_) => {
                self.int(expr).map(Value::Int)
            }
            Type::Float => self.float(expr).map(Value::Float),
            Type::Bool => self.truth(expr).map(Value::Bool),
            _ => self.load(expr),
        }
    }

    /// An expression whose kind does not determine its type.
    pub(super) fn load(&mut self, expr: &Expr) -> Result<Value<'w>, Trap> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Text(text) => Ok(Value::Text(Text::words(text))),
            ExprKind::Constant(id) => {
                let module = self.module;
                Ok(Value::constant(&module.constant(*id).value))
            }
            ExprKind::Local(local) => Ok(self.local(*local)),
            ExprKind::Choose(parts) => self.choose(parts),
            ExprKind::List(parts) => {
                let values = self.exprs(parts)?;
                self.burn(self.module.list_cost(&expr.ty, values.len()), span)?;
                Ok(self.heap.add(values))
            }
            ExprKind::Append(list, value) => self.append(list, value, span),
            ExprKind::Pop(list) => {
                let list = self.expr(list)?;
                self.burn(1, span)?;
                let popped = self.heap.parts_mut(&list).map_err(at(span))?.pop();
                popped.ok_or(TrapCode::NoElement).map_err(at(span))
            }
            ExprKind::Join(parts) => {
                let text = self.join(parts, span)?;
                let bytes = text.template_length();
                self.burn(join_cost(joined_values(parts), bytes), span)?;
                Ok(Value::Text(text))
            }
            ExprKind::Field(record, field) => {
                let record = self.expr(record)?;
                self.part(&record, *field as usize, span)
            }
            ExprKind::Element(list, index) => {
                let list = self.expr(list)?;
                let index = self.int(index)?;
                let index = self.index(&list, index, span)?;
                self.part(&list, index, span)
            }
            ExprKind::Record(id, fields) => self.record(*id, fields, span),
            ExprKind::Call(function, args) => {
                let args = self.exprs(args)?;
                self.call(*function, args, span)
            }
            ExprKind::Roll(roll) => self.roll(roll, &expr.ty, span),
            ExprKind::Block(block) => self.value_block(block),
            ExprKind::Option(option) => self.answer(option, span).map(Value::Int),
            other => Err(at(span)(bug!("{other:?} of type {:?}", expr.ty).into())),
        }
    }

    fn value_block(&mut self, block: &ValueBlock) -> Result<Value<'w>, Trap> {
        stacker::maybe_grow(STACK_LEFT, STACK_ADDED, || {
            self.block(&block.statements)?;
            match &block.value {
                Some(value) => self.expr(value),
                None => Ok(Value::Unit),
            }
        })
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Result<Vec<Value<'w>>, Trap> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// An existing field or element.
    #[inline]
    pub(super) fn part(
        &self,
        whole: &Value<'w>,
        part: usize,
        span: Span,
    ) -> Result<Value<'w>, Trap> {
        let found = self.heap.part(whole, part).map_err(at(span))?;
        found.ok_or_else(|| at(span)(bug!("part {part} of {whole:?}").into()))
    }

    /// `&&` goes on if the left side is true, `||` if it is false.
    pub(super) fn short_circuit(
        &mut self,
        left: &Expr,
        right: &Expr,
        on: bool,
    ) -> Result<bool, Trap> {
        let branches = H::PATHS && rolls(self.module, right);
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
        Ok(value)
    }

    fn choose(&mut self, [condition, yes, no]: &[Expr; 3]) -> Result<Value<'w>, Trap> {
        let branches = H::PATHS && (rolls(self.module, yes) || rolls(self.module, no));
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

    fn append(&mut self, list: &Expr, value: &Expr, span: Span) -> Result<Value<'w>, Trap> {
        let list = self.expr(list)?;
        let value = self.expr(value)?;
        self.burn(1, span)?;
        let most = self.limits.list as usize;
        let parts = self.heap.parts_mut(&list).map_err(at(span))?;
        if parts.len() >= most {
            return Err(at(span)(TrapCode::ListTooLong));
        }
        parts.push(value);
        Ok(Value::Unit)
    }

    /// The line that an `output` puts out: one with only one text in it costs nothing.
    pub(super) fn line(&mut self, line: &Expr) -> Result<Text, Trap> {
        let pieces = self.pieces(line)?;
        Text::join(&pieces).map_err(at(line.span))
    }

    /// The parts of a line that is not paid for, or the line.
    fn pieces(&mut self, line: &Expr) -> Result<Vec<Text>, Trap> {
        match &line.kind {
            ExprKind::Join(parts) if joined_values(parts) == 1 => self.texts(parts),
            _ => Ok(vec![self.text(line)?]),
        }
    }

    /// A number of a statistic.
    pub(super) fn stat(&mut self, name: &StatName, value: &Expr, span: Span) -> Result<(), Trap> {
        let pieces = match name {
            StatName::Known(_) => Vec::new(),
            StatName::Text(name) => self.pieces(name)?,
        };
        let number = match value.ty {
            Type::Float => key(self.float(value)?),
            _ => self.int(value)?,
        };
        let noted = match name {
            StatName::Known(stat) => self.host.stat(*stat, number),
            StatName::Text(name) => {
                let name = Text::join(&pieces).map_err(at(name.span))?;
                self.host.named_stat(&name, number)
            }
        };
        noted.map_err(at(span))
    }

    fn join(&mut self, parts: &[Expr], span: Span) -> Result<Text, Trap> {
        let texts = self.texts(parts)?;
        Text::join(&texts).map_err(at(span))
    }

    /// Values as texts.
    pub(super) fn texts(&mut self, parts: &[Expr]) -> Result<Vec<Text>, Trap> {
        let mut texts = Vec::with_capacity(parts.len());
        for part in parts {
            texts.push(match (self.expr(part)?, &part.ty) {
                (Value::Text(text), _) => text,
                (Value::Bool(value), _) => Text::words(if value { "true" } else { "false" }),
                (Value::Int(rung), Type::Degree(ladder)) => Text::words(ladder.name(rung)),
                (Value::Int(value), Type::Enum(id) | Type::Flags(id)) => {
                    let written = self.module.choice(*id).written(value);
                    let written =
                        written.ok_or_else(|| at(part.span)(bug!("no constant {value}").into()))?;
                    Text::words(&written)
                }
                (Value::Int(value), _) => Text::number(value),
                (Value::Float(value), _) => Text::float(value),
                (other @ (Value::Unit | Value::Ref(_) | Value::Constant(_)), _) => {
                    return Err(at(part.span)(bug!("{other:?} in a text").into()));
                }
            });
        }
        Ok(texts)
    }

    fn record(
        &mut self,
        id: TypeId,
        written: &[(u32, Expr)],
        span: Span,
    ) -> Result<Value<'w>, Trap> {
        let ty = self.module.record(id);
        let mut given: Vec<Option<Value<'w>>> = vec![None; ty.fields.len()];
        for (field, value) in written {
            given[*field as usize] = Some(self.expr(value)?);
        }
        let mut units = self.module.record_cost(id);
        let mut missing = Vec::new();
        for (field, value) in ty.fields.iter().zip(&given) {
            if value.is_none() {
                let data = self.module.left_out(field);
                units += data.cost();
                missing.push(data);
            }
        }
        self.burn(units, span)?;
        let mut missing = missing.iter();
        let mut values = Vec::with_capacity(given.len());
        for value in given {
            values.extend(value.or_else(|| missing.next().map(|data| self.heap.load(data))));
        }
        Ok(self.heap.add(values))
    }

    /// A roll of a script.
    fn roll(&mut self, roll: &Roll, ty: &Type, span: Span) -> Result<Value<'w>, Trap> {
        self.burn(roll.cost, span)?;
        let outcome = self.rolled(roll, ty, span)?;
        self.mark('r');
        match outcome.value {
            Number::Int(label) if !roll.labels.is_empty() => {
                let label = usize::try_from(label).ok();
                let label = label.and_then(|index| roll.labels.get(index));
                let label =
                    label.ok_or_else(|| at(span)(bug!("a label beyond the last").into()))?;
                Ok(Value::Text(Text::words(label)))
            }
            Number::Int(value) | Number::Degree(value) => Ok(Value::Int(value)),
            Number::Float(value) => Ok(Value::Float(value)),
            Number::Bool(value) => Ok(Value::Bool(value)),
        }
    }

    /// The holes of a roll, then its dice.
    #[inline]
    pub(super) fn rolled(&mut self, roll: &Roll, ty: &Type, span: Span) -> Result<Outcome, Trap> {
        // Only hosts that show rolls look at the values.
        let mut holes = Vec::new();
        for hole in &roll.holes {
            let value = self.expr(&hole.value)?;
            if H::PATHS {
                holes.push(match &value {
                    Value::Float(value) => Number::Float(*value),
                    Value::Int(value) => Number::Int(*value),
                    _ => return Err(at(hole.value.span)(bug!("a hole without a number").into())),
                });
            }
            self.set(hole.local, value);
        }
        self.host
            .begin_roll(site(self.path.text(), roll, span, &holes))
            .map_err(at(span))?;
        let outcome = self.thrown(&roll.body, ty);
        let site = site(self.path.text(), roll, span, &holes);
        self.host.end_roll(site, outcome.as_ref().ok());
        outcome
    }

    /// The result of dice; a label is its index.
    #[inline]
    fn thrown(&mut self, body: &Expr, ty: &Type) -> Result<Outcome, Trap> {
        match (ty, &body.kind) {
            (Type::Degree(_) | Type::Test, _) => {
                self.grade = None;
                let total = self.number(body)?;
                let grade = match (self.grade, ty) {
                    (Some(grade), _) => grade.grade,
                    (None, Type::Degree(ladder)) if !ladder.has_none() => {
                        return Err(at(body.span)(bug!("a `vs` without a degree").into()));
                    }
                    // It was dropped.
                    (None, _) => 0,
                };
                Ok(Outcome {
                    value: Number::Degree(grade),
                    raw: Some(total),
                    natural: self.grade.and_then(|grade| grade.natural),
                    against: self.grade.map(|grade| grade.against),
                })
            }
            (Type::Bool, _) => Ok(Outcome::new(Number::Bool(self.truth(body)?), None)),
            (_, ExprKind::AtLeast(floor, value)) => {
                let raw = self.int(value)?;
                let value = Number::Int(raw.max(*floor));
                Ok(Outcome::new(value, Some(Number::Int(raw))))
            }
            _ => {
                let value = self.number(body)?;
                Ok(Outcome::new(value, Some(value)))
            }
        }
    }

    #[inline]
    fn number(&mut self, expr: &Expr) -> Result<Number, Trap> {
        match expr.ty {
            Type::Float => self.float(expr).map(Number::Float),
            _ => self.int(expr).map(Number::Int),
        }
    }
}

fn site<'a>(path: &'a str, roll: &'a Roll, span: Span, holes: &'a [Number]) -> RollSite<'a> {
    RollSite {
        path,
        roll,
        span,
        holes,
    }
}

/// Whether an expression can roll dice or ask for an option, or has loops, which extend the path.
fn rolls(module: &Module, expr: &Expr) -> bool {
    let here = match &expr.kind {
        ExprKind::Roll(_) | ExprKind::Option(_) | ExprKind::Block(_) => true,
        ExprKind::Call(function, _) => module.function(*function).rolls,
        _ => false,
    };
    here || expr.parts().iter().any(|part| rolls(module, part))
}
