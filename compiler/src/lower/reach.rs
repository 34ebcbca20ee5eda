//! Facts about a script before it is lowered: which functions a roll reaches, which of them are
//! recursive, and what the program changes after it was made.

use crate::hir::{
    ConstantId, Expr, ExprKind, FunctionId, LocalId, Module, Place, Stmt, StmtKind, Type, TypeId,
    each_expr, each_stmt,
};
use indexmap::IndexSet;
use rustc_hash::FxHashSet;

/// What a roll reaches.
#[derive(Debug, Default)]
pub(super) struct Reach<'s> {
    /// The fields that are assigned.
    pub(super) fields: FxHashSet<(TypeId, u32)>,
    /// The types of elements that are assigned.
    pub(super) elements: FxHashSet<&'s Type>,
    /// The types of elements whose lists grow or shrink.
    pub(super) grows: FxHashSet<&'s Type>,
    /// The constants that are mentioned, with the types that they have there.
    pub(super) constants: IndexSet<(ConstantId, &'s Type)>,
    /// The functions that each function calls, by its index.
    calls: Vec<Vec<FunctionId>>,
}

impl<'s> Reach<'s> {
    pub(super) fn new(script: &'s Module, roll: FunctionId) -> Self {
        let mut reach = Self {
            calls: vec![Vec::new(); script.functions.len()],
            ..Self::default()
        };
        let mut seen = FxHashSet::from_iter([roll]);
        let mut pending = vec![roll];
        while let Some(function) = pending.pop() {
            let mut calls = Vec::new();
            let body = &script.function(function).body;
            each_stmt(body, &mut |stmt| {
                if let StmtKind::Assign(place, _) | StmtKind::Update(place, ..) = &stmt.kind {
                    reach.write(place);
                }
            });
            each_expr(body, &mut |expr| reach.note(expr, &mut calls));
            pending.extend(calls.iter().filter(|&&callee| seen.insert(callee)));
            calls.sort_unstable();
            calls.dedup();
            reach.calls[function.index()] = calls;
        }
        reach
    }

    fn note(&mut self, expr: &'s Expr, calls: &mut Vec<FunctionId>) {
        match &expr.kind {
            ExprKind::Append(list, _) => {
                if let Type::List(element) = &list.ty {
                    self.grows.insert(element);
                }
            }
            ExprKind::Pop(list) => {
                if let Type::List(element) = &list.ty {
                    self.grows.insert(element);
                    // What is appended next replaces the element.
                    self.elements.insert(element);
                }
            }
            ExprKind::Constant(id) => {
                self.constants.insert((*id, &expr.ty));
            }
            ExprKind::Call(function, _) => calls.push(*function),
            _ => {}
        }
    }

    fn write(&mut self, place: &'s Place) {
        match place {
            Place::Local(_) => {}
            Place::Field(record, field) => {
                if let Type::Record(id) = record.ty {
                    self.fields.insert((id, *field));
                }
            }
            Place::Element(list, _) => {
                if let Type::List(element) = &list.ty {
                    self.elements.insert(element);
                }
            }
        }
    }

    /// Whether a function is recursive.
    pub(super) fn is_recursive(&self, function: FunctionId) -> bool {
        let mut seen = FxHashSet::default();
        let mut pending = self.calls[function.index()].clone();
        while let Some(callee) = pending.pop() {
            if callee == function {
                return true;
            }
            if seen.insert(callee) {
                pending.extend(&self.calls[callee.index()]);
            }
        }
        false
    }
}

/// The variables that statements assign, each once, in the order of their indices.
pub(super) fn assigned(blocks: &[&[Stmt]]) -> Vec<LocalId> {
    let mut locals = Vec::new();
    for block in blocks {
        each_stmt(block, &mut |stmt| match &stmt.kind {
            StmtKind::Assign(Place::Local(local), _)
            | StmtKind::Update(Place::Local(local), ..)
            | StmtKind::For(local, ..)
            | StmtKind::Count(local, ..) => locals.push(*local),
            _ => {}
        });
    }
    locals.sort_unstable();
    locals.dedup();
    locals
}
