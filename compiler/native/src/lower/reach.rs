//! Facts about a script before it is lowered: the functions that a roll reaches, the recursive
//! ones, and the data that the program changes.

use super::classes::{Class, Classes};
use dicec_lang::hir::{
    ConstantId, ExprKind, FunctionId, LocalId, Module, Place, Stmt, StmtKind, Type, TypeId,
    each_expr, each_stmt,
};
use indexmap::IndexSet;
use rustc_hash::FxHashSet;

/// The code and data that a roll reaches.
#[derive(Debug, Default)]
pub(super) struct Reach<'s> {
    /// The fields that are assigned.
    pub(super) fields: FxHashSet<(TypeId, u32)>,
    /// The lists whose elements are assigned.
    pub(super) elements: FxHashSet<Class>,
    /// The lists that grow or shrink.
    pub(super) grows: FxHashSet<Class>,
    /// The constants that are mentioned, with the types that they have there.
    pub(super) constants: IndexSet<(ConstantId, &'s Type)>,
    /// The functions that each function calls, by its index.
    calls: Vec<Vec<FunctionId>>,
}

impl<'s> Reach<'s> {
    /// The analysis of `roll`, and the alias classes of its lists.
    pub(super) fn new(script: &'s Module, roll: FunctionId) -> (Self, Classes) {
        let mut classes = Classes::default();
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
                classes.note_stmt(function, stmt);
                if let StmtKind::Assign(place, _) | StmtKind::Update(place, ..) = &stmt.kind {
                    reach.write(place, function, &mut classes);
                }
            });
            each_expr(body, &mut |expr| {
                classes.note_expr(function, expr);
                match &expr.kind {
                    ExprKind::Append(list, _) => {
                        reach.grows.insert(classes.of(function, list));
                    }
                    ExprKind::Pop(list) => {
                        let list = classes.of(function, list);
                        reach.grows.insert(list);
                        // What is appended next replaces the element.
                        reach.elements.insert(list);
                    }
                    ExprKind::Constant(id) => {
                        reach.constants.insert((*id, &expr.ty));
                    }
                    ExprKind::Call(callee, _) => calls.push(*callee),
                    _ => {}
                }
            });
            pending.extend(calls.iter().filter(|&&callee| seen.insert(callee)));
            calls.sort_unstable();
            calls.dedup();
            reach.calls[function.index()] = calls;
        }
        for set in [&mut reach.elements, &mut reach.grows] {
            *set = set.iter().map(|&class| classes.root(class)).collect();
        }
        (reach, classes)
    }

    fn write(&mut self, place: &Place, function: FunctionId, classes: &mut Classes) {
        match place {
            Place::Local(_) => {}
            Place::Field(record, field) => {
                if let Type::Record(id) = record.ty {
                    self.fields.insert((id, *field));
                }
            }
            Place::Element(list, _) => {
                self.elements.insert(classes.of(function, list));
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
