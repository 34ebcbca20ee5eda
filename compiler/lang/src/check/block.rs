//! Blocks in expressions, which go through lists, and operations that are such blocks if their
//! operands are lists.

use super::scope::Scope;
use super::types::unify;
use crate::hir::{
    Aggregate, ArithOp, Block, Expr, ExprKind, Float, Initial, InitialValue, Local, LocalId, Place,
    Stmt, StmtKind, Type, ValueBlock,
};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;

impl Scope<'_> {
    /// A block in an expression; returns the type of its value.
    pub(super) fn value_block(&mut self, block: &mut ValueBlock) -> Type {
        let around = self.initials.len();
        self.initials.append(&mut block.initials);
        self.block(&mut block.statements);
        let ty = match &mut block.value {
            Some(value) => {
                self.value(value);
                value.ty.clone()
            }
            None => Type::Unit,
        };
        for initial in self.initials.split_off(around) {
            let begins = self.begin(&initial);
            block.statements.insert(0, begins);
        }
        ty
    }

    /// `max(list)` or `min(list)`; of a single number, that number.
    pub(super) fn extreme(&mut self, expr: &mut Expr) {
        let make = Typed(expr.span);
        let ExprKind::Math(function, args) = &mut expr.kind else {
            return;
        };
        let (function, Some(mut list)) = (*function, args.pop()) else {
            return;
        };
        self.value(&mut list);
        let element = match &list.ty {
            Type::List(element) => (**element).clone(),
            _ => {
                self.require_number(&mut list, &format!("`{function}` takes"));
                *expr = list;
                return;
            }
        };
        if !matches!(element, Type::Int | Type::Float | Type::Unknown) {
            let words = self.words(&list);
            let message = format!("`{function}` takes numbers, but this is {words}");
            let found = Diagnostic::error(Code::WrongType, list.span, message);
            let example = format!("write what is compared: `{function}(x.hp for x : list)`");
            self.report(found.help(example));
            expr.ty = Type::Unknown;
            return;
        }
        let ty = list.ty.clone();
        let [all, best, each] = [&ty, &element, &element].map(|ty| self.local(ty, make.0));
        let number = |local| make.local(local, &element);
        let first = make.of(
            ExprKind::Element(
                Box::new(make.local(all, &ty)),
                Box::new(make.of(ExprKind::Int(0), &Type::Int)),
            ),
            &element,
        );
        let better = ExprKind::Math(function, vec![number(best), number(each)]);
        let body = vec![make.set(best, make.of(better, &element))];
        let statements = vec![
            make.set(all, list),
            make.set(best, first),
            make.stmt(StmtKind::For(each, make.local(all, &ty), body)),
        ];
        let extreme = Aggregate::ExtremeOf { list: all, best };
        *expr = make.aggregate(extreme, statements, number(best));
    }

    /// `left + right` of two lists: a new one.
    pub(super) fn concatenated(&mut self, expr: &mut Expr) {
        let make = Typed(expr.span);
        let ExprKind::Arith(_, left, right) = &mut expr.kind else {
            return;
        };
        let Some(ty) = unify(&left.ty, &right.ty) else {
            self.other_lists(left, right, make.0);
            expr.ty = Type::Unknown;
            return;
        };
        self.complete(left, &ty);
        self.complete(right, &ty);
        let element = self.element_of(left);
        let taken = |side: &mut Expr| std::mem::replace(side, make.of(ExprKind::Int(0), &ty));
        let sides = [taken(left), taken(right)];
        let all = self.local(&ty, make.0);
        let empty = make.of(ExprKind::List(Vec::new()), &ty);
        // Both are evaluated before any element is copied.
        let locals = sides.map(|side| (self.local(&ty, side.span), side));
        let sides = locals.each_ref().map(|(local, _)| *local);
        let mut statements: Vec<Stmt> = Vec::new();
        for (local, side) in locals {
            statements.push(make.set(local, side));
        }
        statements.push(make.set(all, empty));
        for side in sides {
            let each = self.local(&element, make.0);
            let append = ExprKind::Append(
                Box::new(make.local(all, &ty)),
                Box::new(make.local(each, &element)),
            );
            let append = make.stmt(StmtKind::Eval(make.of(append, &Type::Unit)));
            let list = make.local(side, &ty);
            statements.push(make.stmt(StmtKind::For(each, list, vec![append])));
        }
        *expr = make.aggregate(Aggregate::Collected(all), statements, make.local(all, &ty));
    }

    /// A variable of its own.
    pub(super) fn local(&mut self, ty: &Type, span: Span) -> LocalId {
        let local = LocalId(self.locals.len() as u32);
        self.locals.push(Local {
            name: String::new(),
            ty: ty.clone(),
            span,
        });
        local
    }

    /// The statement that gives a variable its initial value.
    fn begin(&self, initial: &Initial) -> Stmt {
        let local = &self.locals[initial.local.index()];
        let at = |lowest, zero, highest| match initial.value {
            InitialValue::Lowest => lowest,
            InitialValue::Zero => zero,
            InitialValue::Highest => highest,
        };
        let kind = match &local.ty {
            Type::Float => match initial.value {
                InitialValue::Lowest => ExprKind::Float(Float::MIN),
                InitialValue::Zero => ExprKind::Float(Float::ZERO),
                InitialValue::Highest => ExprKind::Float(Float::MAX),
            },
            Type::Degree(ladder) => {
                let highest = ladder.rungs().len() as i64 - 1;
                ExprKind::Degree(*ladder, at(0, 0, highest))
            }
            Type::Enum(id) => {
                let highest = self.script.choice(*id).constants.len() as i64 - 1;
                ExprKind::Named(at(0, 0, highest))
            }
            // Other types were reported.
            _ => ExprKind::Int(at(i64::MIN, 0, i64::MAX)),
        };
        let value = Expr {
            kind,
            ty: local.ty.clone(),
            span: local.span,
        };
        Stmt {
            kind: StmtKind::Assign(Place::Local(initial.local), value),
            span: local.span,
        }
    }

    /// Gives the variables that are like another one the type of its value, which has to be
    /// ordered.
    pub(super) fn likens(&mut self, like: LocalId, value: &mut Expr) {
        let alike = self.initials.iter().filter(|initial| initial.like == like);
        let alike: Vec<(LocalId, &str)> = alike
            .map(|initial| (initial.local, initial.purpose))
            .collect();
        let Some(&(_, purpose)) = alike.first() else {
            return;
        };
        if !matches!(
            value.ty,
            Type::Int | Type::Float | Type::Degree(_) | Type::Test | Type::Enum(_) | Type::Unknown
        ) {
            let message = format!("{purpose} numbers, but this is {}", self.words(value));
            let found = Diagnostic::error(Code::WrongType, value.span, message);
            self.report(found.help("write what number of it is meant, such as a field: `x.hp`"));
            value.ty = Type::Unknown;
        }
        for (local, _) in alike {
            self.locals[local.index()].ty = value.ty.clone();
        }
    }
}

/// Makes typed expressions and statements that come from one place in the script.
#[derive(Clone, Copy)]
pub(super) struct Typed(pub(super) Span);

impl Typed {
    pub(super) fn of(self, kind: ExprKind, ty: &Type) -> Expr {
        Expr {
            kind,
            ty: ty.clone(),
            span: self.0,
        }
    }

    pub(super) fn local(self, local: LocalId, ty: &Type) -> Expr {
        self.of(ExprKind::Local(local), ty)
    }

    pub(super) fn stmt(self, kind: StmtKind) -> Stmt {
        Stmt { kind, span: self.0 }
    }

    pub(super) fn set(self, local: LocalId, value: Expr) -> Stmt {
        self.stmt(StmtKind::Assign(Place::Local(local), value))
    }

    pub(super) fn int(self, value: i64) -> Expr {
        self.of(ExprKind::Int(value), &Type::Int)
    }

    /// `left op right` of two values of one type.
    pub(super) fn arith(self, op: ArithOp, left: Expr, right: Expr) -> Expr {
        let ty = left.ty.clone();
        self.of(ExprKind::Arith(op, Box::new(left), Box::new(right)), &ty)
    }

    pub(super) fn block(self, statements: Block, value: Expr) -> Expr {
        self.value_block(None, statements, value)
    }

    /// Statements that compute a value of the elements of a list.
    fn aggregate(self, aggregate: Aggregate, statements: Block, value: Expr) -> Expr {
        self.value_block(Some(aggregate), statements, value)
    }

    fn value_block(self, aggregate: Option<Aggregate>, statements: Block, value: Expr) -> Expr {
        let ty = value.ty.clone();
        let block = ValueBlock {
            initials: Vec::new(),
            statements,
            value: Some(value),
            aggregate,
        };
        self.of(ExprKind::Block(Box::new(block)), &ty)
    }
}
