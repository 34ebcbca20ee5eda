//! Statements.

use super::flags::{is_unresolved, set_op};
use super::scope::Scope;
use super::types::{list_of, unify};
use crate::hir::{ArithOp, Block, Expr, ExprKind, LocalId, Place, StatName, Stmt, StmtKind, Type};
use crate::syntax::{Code, Diagnostic, nothing_rolled};
use dicec_runtime::span::Span;

impl Scope<'_> {
    pub(super) fn block(&mut self, block: &mut Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        let span = stmt.span;
        match &mut stmt.kind {
            StmtKind::Assign(place, value) => self.assign(place, value),
            StmtKind::Update(place, op, value) => {
                if let Some(joined) = self.update(place, op, value, span) {
                    stmt.kind = joined;
                }
            }
            StmtKind::Eval(value) => self.infer(value),
            StmtKind::Require(condition) => self.condition(condition),
            StmtKind::If(condition, yes, no) => {
                self.condition(condition);
                self.block(yes);
                self.block(no);
            }
            StmtKind::While(condition, body) => {
                self.condition(condition);
                self.block(body);
            }
            StmtKind::For(local, list, body) => {
                self.value(list);
                let element = self.element_of(list);
                self.locals[local.index()].ty = element;
                self.block(body);
            }
            StmtKind::Count(local, bounds, body) => {
                for bound in bounds.iter_mut() {
                    self.value(bound);
                    self.require(bound, &Type::Int, "a loop counts by");
                }
                self.locals[local.index()].ty = Type::Int;
                self.block(body);
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::StartGroup | StmtKind::EndGroup => {}
            StmtKind::Return(value) => self.return_(value.as_mut(), span),
            StmtKind::Output(value) => self.output(value),
            StmtKind::Stat(name, value) => self.stat(name, value),
        }
    }

    /// The condition of an `if` or `while`.
    fn condition(&mut self, condition: &mut Expr) {
        self.value(condition);
        self.require_truth(condition);
    }

    fn assign(&mut self, place: &mut Place, value: &mut Expr) {
        let wanted = self.place(place);
        self.value(value);
        let Place::Local(local) = place else {
            self.require(value, &wanted, "this place holds");
            return;
        };
        self.likens(*local, value);
        let ty = self.locals[local.index()].ty.clone();
        self.fit(value, &ty);
        match unify(&ty, &value.ty) {
            Some(ty) => {
                self.complete(value, &ty);
                self.locals[local.index()].ty = ty;
            }
            None if self.is_to_be_rolled(*local) => self.report(nothing_rolled(value.span)),
            None => self.changed_type(*local, value),
        }
    }

    /// The type of the place that is assigned to; names of fields become indices.
    fn place(&mut self, place: &mut Place) -> Type {
        match place {
            Place::Local(local) => self.locals[local.index()].ty.clone(),
            Place::Field(record, field) => {
                self.value(record);
                self.field(record, field, None)
            }
            Place::Element(list, index) => {
                self.value(list);
                self.value(index);
                self.require(index, &Type::Int, "an index is");
                self.element_of(list)
            }
        }
    }

    /// `place op= value`. On a text, `+=` joins: the statement becomes an assignment.
    fn update(
        &mut self,
        place: &mut Place,
        op: &mut ArithOp,
        value: &mut Expr,
        span: Span,
    ) -> Option<StmtKind> {
        let ty = self.place(place);
        self.value(value);
        match ty {
            Type::Text if *op == ArithOp::Add => return self.join_to(place, value, span),
            Type::Int | Type::Float if *op == ArithOp::Add && value.ty == Type::Text => {
                self.text_to_number(value);
            }
            Type::Int | Type::Unknown => {
                self.require(value, &Type::Int, "arithmetic takes");
            }
            Type::Float => {
                if self.require(value, &Type::Float, "arithmetic takes") && *op == ArithOp::Div {
                    *op = ArithOp::Quotient;
                }
            }
            Type::Flags(_) if let Some(of_sets) = set_op(*op) => {
                self.require(value, &ty, "a set is changed by");
                *op = of_sets;
            }
            _ => self.not_a_number(*op, &ty, span),
        }
        None
    }

    fn join_to(&mut self, place: &Place, value: &mut Expr, span: Span) -> Option<StmtKind> {
        self.require_joinable(value);
        let mut acts = false;
        place.each_part(&mut |part| acts |= does_something(part));
        if acts {
            let found = Diagnostic::error(
                Code::WrongType,
                span,
                "text cannot be joined here: the record or list would be computed twice",
            );
            self.report(
                found.help("give the record or list a name first: `x = ...; x.text += ...;`"),
            );
            return None;
        }
        let current = match place.clone() {
            Place::Local(local) => ExprKind::Local(local),
            Place::Field(record, field) => ExprKind::Field(Box::new(record), field),
            Place::Element(list, index) => ExprKind::Element(Box::new(list), Box::new(index)),
        };
        let typed = |kind| Expr {
            kind,
            ty: Type::Text,
            span,
        };
        let parts = vec![typed(current), value.clone()];
        let joined = typed(ExprKind::Join(parts));
        Some(StmtKind::Assign(place.clone(), joined))
    }

    fn return_(&mut self, value: Option<&mut Expr>, span: Span) {
        let Some(value) = value else {
            self.bare.get_or_insert(span);
            if let Some(valued) = self.valued {
                self.returns_nothing(span, valued);
            } else if self.declared {
                self.return_without_value(span);
            }
            return;
        };
        self.value(value);
        if let (Some(bare), None) = (self.bare, self.valued) {
            self.returns_nothing(bare, span);
        }
        self.valued.get_or_insert(span);
        let result = self.result.clone();
        self.fit(value, &result);
        if self.returns(&value.ty) {
            let result = self.result.clone();
            self.complete(value, &result);
        } else {
            self.other_result(value);
        }
    }

    /// A line for players: numbers, truth values and degrees become texts.
    fn output(&mut self, value: &mut Expr) {
        self.value(value);
        match value.ty {
            Type::Text | Type::Unknown => {}
            Type::Int
            | Type::Float
            | Type::Bool
            | Type::Degree(_)
            | Type::Test
            | Type::Enum(_)
            | Type::Flags(_) => {
                let span = value.span;
                let part = std::mem::replace(value, empty(span));
                value.kind = ExprKind::Join(vec![part]);
                value.ty = Type::Text;
            }
            _ => self.no_text(value),
        }
    }

    /// A number to collect: a truth value counts as 0 or 1.
    fn stat(&mut self, name: &mut StatName, value: &mut Expr) {
        if let StatName::Text(name) = name {
            self.value(name);
            self.require(name, &Type::Text, "a statistic is named by");
        }
        self.value(value);
        if value.ty != Type::Bool {
            self.require_number(value, "a statistic takes");
            return;
        }
        let span = value.span;
        let number = |number| Expr {
            kind: ExprKind::Int(number),
            ty: Type::Int,
            span,
        };
        let condition = std::mem::replace(value, empty(span));
        value.kind = ExprKind::Choose(Box::new([condition, number(1), number(0)]));
    }

    /// The element type of a list.
    pub(super) fn element_of(&mut self, list: &Expr) -> Type {
        match &list.ty {
            Type::List(element) => (**element).clone(),
            Type::Unknown => Type::Unknown,
            _ => {
                self.no_list(list);
                Type::Unknown
            }
        }
    }

    /// Gives an expression a more precise type than its own, such as the element type of an empty
    /// list.
    pub(super) fn complete(&mut self, expr: &mut Expr, ty: &Type) {
        if expr.ty == *ty {
            return;
        }
        if let ExprKind::Named(_) = expr.kind {
            return self.resolve(expr, ty);
        }
        expr.ty = ty.clone();
        match (&mut expr.kind, ty) {
            (ExprKind::Arith(op, left, right), Type::Flags(_))
                if is_unresolved(left) && is_unresolved(right) =>
            {
                self.set_arith(op, [left, right], ty);
            }
            (ExprKind::Local(local), ty) => self.pin(*local, ty),
            (ExprKind::List(items), Type::List(element)) => {
                for item in items {
                    self.complete(item, element);
                }
            }
            (ExprKind::Choose(parts), ty) => {
                let [_, yes, no] = &mut **parts;
                self.complete(yes, ty);
                self.complete(no, ty);
            }
            (ExprKind::Element(list, _) | ExprKind::Pop(list), ty) => {
                self.complete(list, &list_of(ty.clone()))
            }
            (ExprKind::Block(block), ty) => {
                if let Some(value) = &mut block.value {
                    self.complete(value, ty);
                }
            }
            _ => {}
        }
    }

    /// Sets the type of a variable whose type was not fully known.
    fn pin(&mut self, local: LocalId, ty: &Type) {
        let known = &mut self.locals[local.index()].ty;
        if let Some(ty) = unify(known, ty)
            && *known != Type::Unknown
        {
            *known = ty;
        }
    }
}

/// Whether evaluating an expression twice differs from evaluating it once.
fn does_something(expr: &Expr) -> bool {
    let mut does = false;
    expr.each(&mut |part| {
        does |= matches!(
            part.kind,
            ExprKind::Call(..)
                | ExprKind::Roll(_)
                | ExprKind::Option(_)
                | ExprKind::Append(..)
                | ExprKind::Pop(_)
                | ExprKind::List(_)
                | ExprKind::Record(..)
                | ExprKind::Block(_)
        );
    });
    does
}

fn empty(span: Span) -> Expr {
    Expr {
        kind: ExprKind::Int(0),
        ty: Type::Int,
        span,
    }
}
