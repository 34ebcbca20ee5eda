//! Lowers expressions of the HIR to parts of segments. A deterministic one becomes a [`Pure`]; one
//! with several outcomes becomes the head of a segment that puts its result in a variable. Operands
//! are evaluated left to right; one that precedes an expression with effects is kept in a variable.

use super::compare::mirrored;
use super::floors::Floor;
use super::lowering::Lowering;
use super::plan::{Head, Piece, Pure, RollSite, RolledDice, Step, WordOrder};
use super::shape::{FieldPlace, Shape, ShapeId};
use crate::float::{Unary, is_float};
use dicec_lang::hir::{
    Aggregate, ArithOp, CompareOp, Drawing, Expr, ExprKind, FunctionId, Math, Module, Roll, Type,
    TypeId, joined_values,
};
use dicec_runtime::bug;
use dicec_runtime::float::key;
use dicec_runtime::span::Span;
use std::sync::Arc;

/// Stack space that is ensured before going down a tree, and how much is added if it is short.
const STACK_LEFT: usize = 128 << 10;
const STACK_ADDED: usize = 2 << 20;

impl<'s> Lowering<'_, '_, 's> {
    pub(super) fn expr(&mut self, expr: &'s Expr) -> Pure {
        stacker::maybe_grow(STACK_LEFT, STACK_ADDED, || self.kind(expr))
    }

    fn kind(&mut self, expr: &'s Expr) -> Pure {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(word) | ExprKind::Degree(_, word) | ExprKind::Named(word) => {
                Pure::Word(*word)
            }
            ExprKind::Float(value) => Pure::Word(key(value.get())),
            ExprKind::Bool(truth) => Pure::Word(i64::from(*truth)),
            ExprKind::Text(text) => Pure::Word(self.context.values.text(text)),
            ExprKind::Constant(id) => self.context.constant(*id, &expr.ty),
            ExprKind::Local(local) => {
                let value = Pure::Local(local.index());
                above(value, self.floor_of(*local))
            }
            ExprKind::Resource(slot) => Pure::Resource(slot.index()),
            ExprKind::Not(value) => Pure::Not(Box::new(self.expr(value))),
            ExprKind::Arith(op, left, right) => {
                let of_floats = is_float(left);
                Pure::Arith(*op, of_floats, Box::new(self.operands([left, right])), span)
            }
            ExprKind::Compare(op, left, right) => {
                let sides = self.operands([left, right]);
                let [left, right] = sides.map(|side| self.totalled(side));
                Pure::Compare(*op, Box::new(compared(*op, left, right)))
            }
            ExprKind::Same(wanted, left, right) => {
                // Texts without numbers are equal if their templates are; records are the same if
                // their references are equal.
                let op = if *wanted {
                    CompareOp::Equal
                } else {
                    CompareOp::NotEqual
                };
                Pure::Compare(op, Box::new(self.operands([left, right])))
            }
            ExprKind::Has(set, flags) => {
                let [set, flags] = self.operands([set, flags]);
                let missing = Box::new([flags, set]);
                let missing = Pure::Arith(ArithOp::Without, false, missing, span);
                Pure::Compare(CompareOp::Equal, Box::new([missing, Pure::Word(0)]))
            }
            ExprKind::And(left, right) if !acts(right) => {
                Pure::And(Box::new(self.operands([left, right])))
            }
            ExprKind::Or(left, right) if !acts(right) => {
                Pure::Or(Box::new(self.operands([left, right])))
            }
            ExprKind::And(left, right) => self.choice(left, Ok(right), Err(0), ShapeId::VALUE),
            ExprKind::Or(left, right) => self.choice(left, Err(1), Ok(right), ShapeId::VALUE),
            ExprKind::Choose(parts) => self.choose(parts, &expr.ty),
            ExprKind::Math(extreme @ (Math::Max | Math::Min), parts) => {
                Pure::Extreme(*extreme, self.row(parts))
            }
            ExprKind::Degrees(test) => self.expr(test),
            ExprKind::Negate(_)
            | ExprKind::AtLeast(..)
            | ExprKind::NotNegative(_)
            | ExprKind::ToFloat(_)
            | ExprKind::Math(..)
            | ExprKind::Pool(_)
            | ExprKind::Group(_)
            | ExprKind::Versus(..) => self.unary(expr),
            ExprKind::Len(list) => {
                let object = self.shape(&list.ty).is_object();
                Pure::Len(Box::new(self.expr(list)), object)
            }
            ExprKind::List(parts) => self.list(parts, None, expr),
            ExprKind::Append(list, value) => {
                let [list, value] = self.operands([list, value]);
                self.append(list, value, span);
                Pure::Word(0)
            }
            ExprKind::Pop(list) => self.pop(list, span),
            ExprKind::Join(parts) => self.join(parts, joined_values(parts), span),
            ExprKind::Field(record, field) => {
                let place = self.field(&record.ty, *field);
                let floor = self.context.floors.of_field(record, *field);
                let record = Box::new(self.expr(record));
                match place {
                    Some((FieldPlace::Slot(slot), _)) => above(Pure::Slot(record, slot), floor),
                    Some((FieldPlace::Fixed(fixed), true)) => {
                        Pure::Fixed(Box::new(Pure::Slot(record, 0)), fixed)
                    }
                    Some((FieldPlace::Fixed(fixed), false)) => Pure::Fixed(record, fixed),
                    // A checked script reads only existing fields.
                    None => bug!("{:?} has no field {field}", expr.kind).raise(),
                }
            }
            ExprKind::Element(list, index) => {
                let object = self.shape(&list.ty).is_object();
                Pure::Element(Box::new(self.operands([list, index])), object, span)
            }
            ExprKind::Record(id, fields) => self.record(*id, fields, span),
            ExprKind::Call(function, args) => self.call(*function, args, &expr.ty, span),
            ExprKind::Roll(roll) => self.roll(roll, span),
            ExprKind::Option(option) => self.option(option),
            ExprKind::Block(block) => {
                if let Some(Aggregate::Rolled(value)) = block.aggregate
                    && let Some(rolled) = self.roll_value(block, value, span)
                {
                    return rolled;
                }
                if let Some(drawing) = block.drawing() {
                    return self.draw(drawing, span);
                }
                let around = self.span;
                self.statements(&block.statements);
                self.span = around;
                let value = block.value.as_ref().map(|value| self.expr(value));
                value.unwrap_or(Pure::Word(0))
            }
        }
    }

    /// Takes out an element. Loops that move the others would be a segment for each of them.
    fn draw(&mut self, drawing: Drawing<'s>, span: Span) -> Pure {
        let around = self.span;
        drawing.before.iter().for_each(|stmt| self.statement(stmt));
        self.span = around;
        let [list, index] = drawing.from.map(|local| Pure::Local(local.index()));
        let pair = Box::new([list.clone(), index.clone()]);
        self.set(drawing.taken.index(), Pure::Element(pair, true, span));
        self.step(Step::Remove(list, index, span));
        Pure::Local(drawing.taken.index())
    }

    fn pop(&mut self, list: &'s Expr, span: Span) -> Pure {
        let shape = self.shape(&list.ty);
        let element = match self.context.shapes.get(shape) {
            Shape::List(element) => *element,
            // Lists that are changed are objects.
            Shape::Value | Shape::Record(..) => bug!("{list:?} does not change").raise(),
        };
        let list = self.kept(list);
        self.step(Step::Pay(1, span));
        let into = self.temporary(element);
        let length = Pure::Len(Box::new(list.clone()), true);
        let last = Box::new([length, Pure::Word(-1)]);
        let last = Pure::Arith(ArithOp::Add, false, last, span);
        self.set(
            into,
            Pure::Element(Box::new([list.clone(), last]), true, span),
        );
        self.step(Step::Shorten(list));
        Pure::Local(into)
    }

    /// A list of these elements. If it is kept sorted, those so far are sorted before each part
    /// that acts: seven dice are 792 states there, too.
    pub(super) fn list(
        &mut self,
        parts: &'s [Expr],
        order: Option<WordOrder>,
        whole: &'s Expr,
    ) -> Pure {
        let span = whole.span;
        let parts = match order {
            Some(order) => self.sorted_row(parts, order, span),
            None => self.row(parts),
        };
        let cost = self.context.script.list_cost(&whole.ty, parts.len());
        let list = if self.shape(&whole.ty).is_object() {
            Pure::List(parts)
        } else {
            Pure::Tuple(parts)
        };
        Pure::Paid(Box::new(list), cost, span)
    }

    fn sorted_row(&mut self, parts: &'s [Expr], order: WordOrder, span: Span) -> Vec<Pure> {
        let mut values: Vec<Pure> = Vec::new();
        for part in parts {
            if !values.is_empty() && acts(part) {
                let length = values.len() as i64;
                let before = Box::new(Pure::Tuple(std::mem::take(&mut values)));
                let sorted = Pure::Sorted(before, false, order);
                let sorted = self.spilled(sorted, ShapeId::VALUE);
                let element = |index| {
                    let pair = Box::new([sorted.clone(), Pure::Word(index)]);
                    Pure::Element(pair, false, span)
                };
                values = (0..length).map(element).collect();
            }
            values.push(self.expr(part));
        }
        values
    }

    /// Operands, in order.
    pub(super) fn operands<const N: usize>(&mut self, parts: [&'s Expr; N]) -> [Pure; N] {
        let mut values = self.sequence(parts.into_iter()).into_iter();
        parts.map(|_| {
            let value = values.next();
            value.unwrap_or_else(|| bug!("a part without a value").raise())
        })
    }

    fn row(&mut self, parts: &'s [Expr]) -> Vec<Pure> {
        self.sequence(parts.iter())
    }

    fn sequence(&mut self, parts: impl Iterator<Item = &'s Expr>) -> Vec<Pure> {
        let mut values: Vec<Pure> = Vec::new();
        let mut shapes: Vec<ShapeId> = Vec::new();
        for part in parts {
            if !values.is_empty() && acts(part) {
                let before = std::mem::take(&mut values).into_iter().zip(&shapes);
                values = before
                    .map(|(value, shape)| self.spilled(value, *shape))
                    .collect();
            }
            shapes.push(self.shape(&part.ty));
            values.push(self.expr(part));
        }
        values
    }

    /// An operand that is evaluated once and used several times.
    pub(super) fn kept(&mut self, expr: &'s Expr) -> Pure {
        let shape = self.shape(&expr.ty);
        let value = self.expr(expr);
        self.spilled(value, shape)
    }

    fn choose(&mut self, parts: &'s [Expr; 3], ty: &Type) -> Pure {
        let [condition, yes, no] = parts;
        if acts(yes) || acts(no) {
            let shape = self.shape(ty);
            return self.choice(condition, Ok(yes), Ok(no), shape);
        }
        Pure::Choose(Box::new(self.operands([condition, yes, no])))
    }

    /// One of two expressions or words.
    fn choice(
        &mut self,
        condition: &'s Expr,
        yes: Result<&'s Expr, i64>,
        no: Result<&'s Expr, i64>,
        shape: ShapeId,
    ) -> Pure {
        let condition = self.expr(condition);
        let into = self.temporary(shape);
        let [then, otherwise] = [yes, no].map(|way| {
            self.block(|inner| {
                let value = way.map_or_else(Pure::Word, |expr| inner.expr(expr));
                inner.set(into, value);
            })
        });
        self.branch(condition, then, otherwise);
        Pure::Local(into)
    }

    /// An operation on one number. Dice occur only in rolls, which are heads of segments.
    fn unary(&mut self, expr: &'s Expr) -> Pure {
        let Some((value, unary)) = Unary::of(expr) else {
            bug!("{:?} outside a roll", expr.kind).raise();
        };
        let value = self.expr(value);
        Pure::Unary(unary, Box::new(self.totalled(value)), expr.span)
    }

    /// A line of output; a line of a single text costs no fuel.
    pub(super) fn line(&mut self, line: &'s Expr) -> Pure {
        match &line.kind {
            ExprKind::Join(parts) if joined_values(parts) == 1 => self.join(parts, 0, line.span),
            _ => self.expr(line),
        }
    }

    /// A joined text, which costs the fuel of `values` parts.
    fn join(&mut self, parts: &'s [Expr], values: u64, span: Span) -> Pure {
        let script = self.context.script;
        let pieces = parts.iter().map(|part| piece(script, &part.ty));
        let pieces: Vec<Piece> = pieces.collect();
        let parts = self.row(parts).into_iter().zip(pieces);
        Pure::Join(parts.collect(), values, span)
    }

    fn roll(&mut self, roll: &'s Roll, span: Span) -> Pure {
        let cost = roll.cost;
        if cost > 0 {
            self.step(Step::Pay(cost, span));
        }
        let holes = self.sequence(roll.holes.iter().map(|hole| &hole.value));
        let labels = roll.labels.iter();
        let labels = labels
            .map(|label| self.context.values.text(label))
            .collect();
        let mut reads = Vec::new();
        roll.body.each(&mut |part| {
            if let ExprKind::Resource(slot) = part.kind
                && !reads.contains(&slot.index())
            {
                reads.push(slot.index());
            }
        });
        let site = RollSite {
            dice: RolledDice::Written(roll.clone()),
            labels,
            reads,
        };
        self.rolled(site, holes)
    }

    fn call(&mut self, function: FunctionId, args: &'s [Expr], ty: &Type, span: Span) -> Pure {
        let mut values = self.row(args);
        if values.iter().any(Pure::makes_objects) {
            // The caller's state must hold the arguments, so that their changes are visible.
            for (value, arg) in values.iter_mut().zip(args) {
                let shape = self.shape(&arg.ty);
                *value = self.spilled(std::mem::replace(value, Pure::Word(0)), shape);
            }
        }
        let into = if *ty == Type::Unit {
            None
        } else {
            let shape = self.shape(ty);
            Some(self.temporary(shape))
        };
        self.head(Head::Call {
            into,
            function,
            args: values,
            span,
        });
        into.map_or(Pure::Word(0), Pure::Local)
    }

    fn record(&mut self, id: TypeId, written: &'s [(u32, Expr)], span: Span) -> Pure {
        let mut values = self.sequence(written.iter().map(|(_, value)| value));
        let fields = &self.context.script.record(id).fields;
        let layout = self.context.shapes.layout(id).cloned();
        let places = layout.map_or_else(Vec::new, |layout| layout.fields);
        let order = |place: &FieldPlace| match place {
            FieldPlace::Fixed(place) => (false, *place),
            FieldPlace::Slot(place) => (true, *place),
        };
        let order = written
            .iter()
            .map(|(field, _)| places.get(*field as usize).map(order));
        if !order.is_sorted() {
            // Fields are stored in another order than they are evaluated in.
            for (value, (_, expr)) in values.iter_mut().zip(written) {
                let shape = self.shape(&expr.ty);
                *value = self.spilled(std::mem::replace(value, Pure::Word(0)), shape);
            }
        }
        let mut given: Vec<Option<Pure>> = vec![None; fields.len()];
        for ((field, _), value) in written.iter().zip(values) {
            if let Some(place) = given.get_mut(*field as usize) {
                *place = Some(value);
            }
        }
        let mut cost = self.context.script.record_cost(id);
        let mut all = Vec::with_capacity(fields.len());
        for (field, value) in fields.iter().zip(given) {
            all.push(value.unwrap_or_else(|| {
                let data = self.context.script.left_out(field);
                cost += data.cost();
                self.context.data(&data, &field.ty)
            }));
        }
        Pure::Paid(Box::new(self.context.assembled(id, all)), cost, span)
    }
}

/// The number, with a check that it is above its saturation bound if it has one.
fn above(value: Pure, floor: Option<Floor>) -> Pure {
    match floor {
        Some(floor) => Pure::Above(Box::new(value), floor),
        None => value,
    }
}

/// The operands of a comparison. One that has the same result for all numbers at or below a
/// saturation bound needs no check.
fn compared(op: CompareOp, left: Pure, right: Pure) -> [Pure; 2] {
    match (left, right) {
        (Pure::Above(value, floor), Pure::Word(word)) if floor.decides(op, word) => {
            [*value, Pure::Word(word)]
        }
        (Pure::Word(word), Pure::Above(value, floor)) if floor.decides(mirrored(op), word) => {
            [Pure::Word(word), *value]
        }
        (left, right) => [left, right],
    }
}

fn piece(script: &Module, ty: &Type) -> Piece {
    match ty {
        Type::Bool => Piece::Truth,
        Type::Degree(ladder) => Piece::Degree(*ladder),
        Type::Enum(id) => Piece::Constant(Arc::clone(&script.choice(*id).constants)),
        Type::Flags(id) => Piece::Set(Arc::clone(&script.choice(*id).constants)),
        Type::Int | Type::Float => Piece::Number,
        _ => Piece::Text,
    }
}

/// Whether an expression has effects: it rolls, asks, calls, appends or has statements.
pub(super) fn acts(expr: &Expr) -> bool {
    let mut any = false;
    expr.each(&mut |part| {
        any |= matches!(
            part.kind,
            ExprKind::Roll(_)
                | ExprKind::Option(_)
                | ExprKind::Call(..)
                | ExprKind::Append(..)
                | ExprKind::Pop(_)
                | ExprKind::Block(_)
        );
    });
    any
}
