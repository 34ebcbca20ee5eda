//! Lowers statements of the HIR to segments; [`super::operand`] lowers expressions.

use super::consumed::Consumed;
use super::floors::Floor;
use super::flow::Flow;
use super::live::Live;
use super::liveness::{Marked, mark};
use super::lowering::{Context, Lowering, Open};
use super::operand::acts;
use super::order::{self, Unobserved};
use super::plan::{Loop, Plan, Plans, Pure, Step, Tail};
use super::shape::{FieldPlace, Shape, ShapeId};
use super::touch::{readers, touched, untouched};
use super::unordered::{Pure as PureCalls, Unordered, pure_functions};
use crate::Shortcuts;
use crate::float::is_float;
use dicec_lang::hir::{
    ArithOp, Block as Statements, CompareOp, Expr, ExprKind, Function, FunctionId, LocalId, Place,
    StatName, Stmt, StmtKind, Type,
};
use dicec_runtime::pmf::{Budget, Exhausted};
use dicec_runtime::span::Span;
use std::sync::Arc;

/// Lowers a script to segments.
///
/// # Errors
/// The script is too large.
pub(super) fn lower(mut context: Context<'_, '_>, budget: &mut Budget) -> Result<Plans, Exhausted> {
    let (mut functions, mut all_told) = (Vec::new(), Vec::new());
    let pure = pure_functions(context.script);
    let unordered = Unordered::of(context.script, context.shapes, &pure);
    context.floors.place(context.shapes);
    for (id, function) in (0..).map(FunctionId).zip(&context.script.functions) {
        let (plan, told) = lower_function(&mut context, (&unordered, &pure), id, function);
        budget.spend(told, told)?;
        all_told.push(told);
        functions.push(plan);
    }
    Ok(Plans {
        touched: match context.shortcuts.contains(Shortcuts::TOUCHED) {
            true => touched(context.script, context.shapes, &context.floors),
            false => untouched(context.script, context.shapes),
        },
        functions,
        constants: context.constants.heap,
        rolls: context.rolls,
        floors: context.floors,
        segments: context.segments,
        calls: context.calls,
        readers: readers(context.script),
        unordered,
        told: all_told,
    })
}

fn lower_function<'s>(
    context: &mut Context<'_, 's>,
    (unordered, pure): (&Unordered, &PureCalls),
    id: FunctionId,
    function: &'s Function,
) -> (Plan, u64) {
    let locals = function.locals.iter();
    let script = context.script;
    let locals = locals
        .map(|local| context.shapes.shape(script, &local.ty))
        .collect();
    let mut lowering = Lowering {
        context,
        function: id,
        locals,
        unordered,
        pure,
        consumed: Consumed::of(function),
        open: Open::default(),
        span: function.span,
    };
    let mut body = lowering.block(|lowering| lowering.statements(&function.body));
    let mut locals = lowering.locals;
    let result = context.shapes.shape(script, &function.result);
    locals.push(result);
    let Marked {
        begin,
        all: mut lives,
        told,
    } = mark(&locals, &mut body);
    let returns = function.result != Type::Unit;
    let names = function.locals.iter();
    let end = Live::new(&locals, returns.then_some(locals.len() - 1).into_iter());
    let end = Arc::new(end);
    lives.push(end.clone());
    let is_roll = script.rolls.iter().any(|roll| roll.function == id);
    let unobserved = match is_roll {
        true => order::unobserved(script, context.shapes, id),
        false => Unobserved::default(),
    };
    let plan = Plan {
        params: Live::new(&locals, 0..function.params),
        unobserved,
        names: names.map(|local| local.name.clone()).collect(),
        locals,
        body,
        begin,
        end,
        lives,
    };
    (plan, told)
}

impl<'s> Lowering<'_, '_, 's> {
    pub(super) fn statements(&mut self, block: &'s Statements) {
        for stmt in block {
            self.statement(stmt);
        }
    }

    pub(super) fn statement(&mut self, stmt: &'s Stmt) {
        self.span = stmt.span;
        match &stmt.kind {
            StmtKind::Assign(place, value) => self.assign(place, value, stmt.span),
            StmtKind::Update(place, op, value) => self.update(place, *op, value, stmt.span),
            StmtKind::Eval(expr) => self.eval(expr),
            StmtKind::If(condition, then, otherwise) => {
                let condition = self.expr(condition);
                let then = self.block(|inner| inner.statements(then));
                let otherwise = self.block(|inner| inner.statements(otherwise));
                self.branch(condition, then, otherwise);
            }
            StmtKind::While(condition, body) => self.iterations(false, |inner| {
                let condition = inner.expr(condition);
                inner.iteration(condition, 1, stmt.span, |inner| inner.statements(body));
            }),
            StmtKind::For(local, list, body) => self.for_each(*local, list, body, stmt.span),
            StmtKind::Count(local, bounds, body) => self.count(*local, bounds, body, stmt.span),
            StmtKind::Require(condition) => {
                let condition = self.expr(condition);
                self.step(Step::Require(condition, stmt.span));
            }
            StmtKind::Break => self.tail(Tail::Break),
            StmtKind::Continue => self.tail(Tail::Continue),
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|value| self.expr(value));
                self.tail(Tail::Return(value));
            }
            StmtKind::Output(line) => {
                let line = self.line(line);
                self.step(Step::Output(line));
            }
            // Groups only affect what players see.
            StmtKind::StartGroup | StmtKind::EndGroup => {}
            StmtKind::Stat(StatName::Known(stat), value) => {
                let value = self.expr(value);
                self.step(Step::Stat(*stat, value));
            }
            StmtKind::Stat(StatName::Text(name), value) => {
                let mut name = self.line(name);
                if acts(value) {
                    name = self.spilled(name, ShapeId::VALUE);
                }
                let value = self.expr(value);
                self.step(Step::NamedStat(name, value));
            }
        }
    }

    /// Evaluates an expression for its effects and its traps.
    pub(super) fn eval(&mut self, expr: &'s Expr) {
        let value = self.expr(expr);
        if !matches!(value, Pure::Word(_) | Pure::Resource(_) | Pure::Local(_)) {
            self.step(Step::Eval(value));
        }
    }

    fn iterations(&mut self, ends: bool, body: impl FnOnce(&mut Self)) {
        let body = self.block(body);
        self.tail(Tail::Loop(Loop {
            body,
            live: Arc::default(),
            ends,
            flow: Flow::default(),
        }));
    }

    /// The body of a loop: an iteration while the condition holds.
    fn iteration(&mut self, condition: Pure, units: u64, span: Span, body: impl FnOnce(&mut Self)) {
        let then = self.block(|inner| {
            if units > 0 {
                inner.step(Step::Pay(units, span));
            }
            body(inner);
        });
        let otherwise = self.block(|inner| inner.tail(Tail::Break));
        self.tail(Tail::If(condition, then, otherwise));
    }

    fn count(&mut self, local: LocalId, bounds: &'s [Expr; 2], body: &'s Statements, span: Span) {
        let [first, last] = self.operands(bounds.each_ref());
        let [next, end] = [(); 2].map(|()| self.temporary(ShapeId::VALUE));
        self.set(next, first);
        self.set(end, successor(last, span));
        self.iterations(true, |inner| {
            let pair = Box::new([Pure::Local(next), Pure::Local(end)]);
            inner.iteration(Pure::Compare(CompareOp::Less, pair), 1, span, |inner| {
                inner.set(local.index(), Pure::Local(next));
                inner.set(next, successor(Pure::Local(next), span));
                inner.statements(body);
            });
        });
    }

    fn for_each(&mut self, local: LocalId, list: &'s Expr, body: &'s Statements, span: Span) {
        let shape = self.shape(&list.ty);
        let units = self.context.script.iteration_cost(&list.ty);
        let value = self.expr(list);
        if self.consumes(list, body, shape) {
            return self.consume((local, value, shape), (units, span), body);
        }
        let (list, next) = (self.temporary(shape), self.temporary(ShapeId::VALUE));
        self.set(list, value);
        self.set(next, Pure::Word(0));
        self.iterations(true, |inner| {
            let length = Pure::Len(Box::new(Pure::Local(list)), shape.is_object());
            let condition = Pure::Compare(CompareOp::Less, Box::new([Pure::Local(next), length]));
            inner.iteration(condition, units, span, |inner| {
                let pair = Box::new([Pure::Local(list), Pure::Local(next)]);
                inner.set(local.index(), Pure::Element(pair, shape.is_object(), span));
                inner.set(next, successor(Pure::Local(next), span));
                inner.statements(body);
            });
        });
    }

    /// Whether a loop may consume its list.
    fn consumes(&self, list: &Expr, body: &[Stmt], shape: ShapeId) -> bool {
        let holds_words = match self.context.shapes.get(shape) {
            Shape::List(element) => !element.is_object(),
            Shape::Value | Shape::Record(..) => false,
        };
        let is_on = self.context.shortcuts.contains(Shortcuts::CONSUMED);
        is_on && holds_words && self.consumed.has(list, body, self.pure)
    }

    /// A loop over a copy of a list, whose first element is removed when it is read.
    fn consume(
        &mut self,
        (local, value, shape): (LocalId, Pure, ShapeId),
        (units, span): (u64, Span),
        body: &'s Statements,
    ) {
        let list = self.temporary(shape);
        self.set(list, Pure::Copied(Box::new(value)));
        self.iterations(true, |inner| {
            let length = Pure::Len(Box::new(Pure::Local(list)), true);
            let condition = Pure::Compare(CompareOp::Less, Box::new([Pure::Word(0), length]));
            inner.iteration(condition, units, span, |inner| {
                let pair = Box::new([Pure::Local(list), Pure::Word(0)]);
                inner.set(local.index(), Pure::Element(pair, true, span));
                inner.step(Step::Consume(Pure::Local(list)));
                inner.statements(body);
            });
        });
    }

    fn assign(&mut self, place: &'s Place, value: &'s Expr, span: Span) {
        match place {
            Place::Local(local) => {
                let object = self.shape(&value.ty).is_object();
                // Collected elements are sorted already.
                let is_new = !matches!(value.kind, ExprKind::Local(_) | ExprKind::Block(_));
                let value = match self.keeps_sorted(*local) {
                    Some(order) if is_new => {
                        let list = match &value.kind {
                            ExprKind::List(parts) => self.list(parts, Some(order), value),
                            _ => self.expr(value),
                        };
                        Pure::Sorted(Box::new(list), object, order)
                    }
                    _ => self.expr(value),
                };
                self.set(local.index(), value);
            }
            Place::Field(record, field) => {
                let slot = self.slot(&record.ty, *field);
                let object = self.shape(&value.ty).is_object();
                let [record, value] = self.operands([record, value]);
                self.step(Step::Slot(record, slot, value, object));
            }
            Place::Element(list, index) => {
                let [list, index, value] = self.operands([list, index, value]);
                self.step(Step::Element(list, index, value, span));
            }
        }
    }

    fn update(&mut self, place: &'s Place, op: ArithOp, value: &'s Expr, span: Span) {
        let of_floats = is_float(value);
        let updated =
            |old: Pure, value: Pure| Pure::Arith(op, of_floats, Box::new([old, value]), span);
        let kept = |floor: Option<Floor>, old: Pure, value: Pure| match floor {
            None => updated(old, value),
            Some(floor) => {
                let updated = match op {
                    ArithOp::Sub => updated(old, Pure::Down(Box::new(value), floor)),
                    _ => updated(Pure::Above(Box::new(old), floor), value),
                };
                Pure::Floored(Box::new(updated), floor)
            }
        };
        match place {
            Place::Local(local) => {
                let floor = self.floor_of(*local);
                let value = self.expr(value);
                let old = Pure::Local(local.index());
                self.set(local.index(), kept(floor, old, value));
            }
            Place::Field(record, field) => {
                let slot = self.slot(&record.ty, *field);
                let floor = self.context.floors.of_field(record, *field);
                let record = self.kept(record);
                let old = Pure::Slot(Box::new(record.clone()), slot);
                let (old, value) = self.old_and(old, value);
                self.step(Step::Slot(record, slot, kept(floor, old, value), false));
            }
            Place::Element(list, index) => {
                let shape = self.shape(&list.ty);
                let [list, index] = self.operands([list, index]);
                let list = self.spilled(list, shape);
                let index = self.spilled(index, ShapeId::VALUE);
                let pair = Box::new([list.clone(), index.clone()]);
                let old = Pure::Element(pair, shape.is_object(), span);
                let (old, value) = self.old_and(old, value);
                self.step(Step::Element(list, index, updated(old, value), span));
            }
        }
    }

    /// The value of a place, read before the expression that changes it is evaluated.
    fn old_and(&mut self, old: Pure, value: &'s Expr) -> (Pure, Pure) {
        let old = if acts(value) {
            self.spilled(old, ShapeId::VALUE)
        } else {
            old
        };
        (old, self.expr(value))
    }

    /// The word of a field that is assigned somewhere.
    fn slot(&mut self, ty: &Type, field: u32) -> usize {
        match self.field(ty, field) {
            Some((FieldPlace::Slot(slot), _)) => slot,
            // Every assigned field has a word.
            Some((FieldPlace::Fixed(_), _)) | None => 0,
        }
    }
}

/// The value plus 1.
fn successor(value: Pure, span: Span) -> Pure {
    Pure::Arith(ArithOp::Add, false, Box::new([value, Pure::Word(1)]), span)
}
