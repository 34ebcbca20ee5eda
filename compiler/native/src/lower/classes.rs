//! Alias classes of lists: a class for each set of list expressions between which a list can
//! travel. Lists of different classes share no memory, so a change to one does not affect the
//! others.
//!
//! The analysis unifies: an assignment, an argument, a `return` or an element that passes a list on
//! merges the classes of both sides (Steensgaard, "Points-to analysis in almost linear time",
//! 1996). A field has one class for all records of its type.

use dicec_lang::hir::{
    ConstantId, Expr, ExprKind, FunctionId, LocalId, Place, Stmt, StmtKind, Type, TypeId,
};
use dicec_runtime::bug;
use dicec_runtime::span::Span;
use rustc_hash::FxHashMap;

/// A class. Two may turn out to be the same until all functions are noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Class(usize);

/// Where lists come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Origin {
    Local(FunctionId, LocalId),
    Result(FunctionId),
    Field(TypeId, u32),
    Constant(ConstantId),
    /// A list that is written there.
    Written(Span),
}

/// The classes of a script's lists.
#[derive(Debug, Default)]
pub(super) struct Classes {
    origins: FxHashMap<Origin, Class>,
    /// The class that each was merged into, or itself.
    parents: Vec<usize>,
    /// The class of the lists that are its elements.
    inner: Vec<Option<Class>>,
}

impl Classes {
    /// Unifies for a statement, without its expressions.
    pub(super) fn note_stmt(&mut self, function: FunctionId, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign(place, value) if is_list(value) => {
                let to = match place {
                    Place::Local(local) => self.local(function, *local),
                    Place::Field(record, field) => self.field(record_of(record), *field),
                    Place::Element(list, _) => self.element_of(function, list),
                };
                let from = self.of(function, value);
                self.merge(to, from);
            }
            StmtKind::For(local, list, _) if holds_lists(list) => {
                let element = self.element_of(function, list);
                let local = self.local(function, *local);
                self.merge(local, element);
            }
            StmtKind::Return(Some(value)) if is_list(value) => {
                let from = self.of(function, value);
                let result = self.origin(Origin::Result(function));
                self.merge(result, from);
            }
            _ => {}
        }
    }

    /// Unifies for an expression, without its parts.
    pub(super) fn note_expr(&mut self, function: FunctionId, expr: &Expr) {
        match &expr.kind {
            ExprKind::List(items) => {
                for item in items.iter().filter(|item| is_list(item)) {
                    let (inner, item) = (self.element_of(function, expr), self.of(function, item));
                    self.merge(inner, item);
                }
            }
            ExprKind::Append(list, value) if is_list(value) => {
                let (inner, value) = (self.element_of(function, list), self.of(function, value));
                self.merge(inner, value);
            }
            ExprKind::Record(id, fields) => {
                for (field, value) in fields.iter().filter(|(_, value)| is_list(value)) {
                    let (field, value) = (self.field(*id, *field), self.of(function, value));
                    self.merge(field, value);
                }
            }
            ExprKind::Call(callee, args) => {
                let params = (0..).map(LocalId);
                for (param, arg) in params.zip(args).filter(|(_, arg)| is_list(arg)) {
                    let (param, arg) = (self.local(*callee, param), self.of(function, arg));
                    self.merge(param, arg);
                }
            }
            ExprKind::Choose(parts) if is_list(expr) => {
                let [_, yes, no] = &**parts;
                let (yes, no) = (self.of(function, yes), self.of(function, no));
                self.merge(yes, no);
            }
            _ => {}
        }
    }

    /// The class of an expression that is a list, in a function.
    pub(super) fn of(&mut self, function: FunctionId, list: &Expr) -> Class {
        match &list.kind {
            ExprKind::Local(local) => self.local(function, *local),
            ExprKind::Field(record, field) => self.field(record_of(record), *field),
            ExprKind::Element(outer, _) | ExprKind::Pop(outer) => self.element_of(function, outer),
            ExprKind::Call(callee, _) => self.origin(Origin::Result(*callee)),
            ExprKind::Choose(parts) => self.of(function, &parts[1]),
            ExprKind::Constant(id) => self.origin(Origin::Constant(*id)),
            ExprKind::List(_) => self.origin(Origin::Written(list.span)),
            ExprKind::Block(block) => match &block.value {
                Some(value) => self.of(function, value),
                None => bug!("a block without a value is not a list").raise(),
            },
            other => bug!("{other:?} is not a list").raise(),
        }
    }

    /// The class of the lists in a list.
    fn element_of(&mut self, function: FunctionId, list: &Expr) -> Class {
        let list = self.of(function, list);
        self.inner(list)
    }

    /// The class of the lists that a class has as elements.
    pub(super) fn inner(&mut self, class: Class) -> Class {
        let root = self.root(class);
        match self.inner[root.0] {
            Some(inner) => self.root(inner),
            None => {
                let inner = self.new_class();
                self.inner[root.0] = Some(inner);
                inner
            }
        }
    }

    /// The class of a variable.
    pub(super) fn local(&mut self, function: FunctionId, local: LocalId) -> Class {
        self.origin(Origin::Local(function, local))
    }

    /// The class of a field.
    pub(super) fn field(&mut self, ty: TypeId, field: u32) -> Class {
        self.origin(Origin::Field(ty, field))
    }

    /// The class of a constant.
    pub(super) fn constant(&mut self, id: ConstantId) -> Class {
        self.origin(Origin::Constant(id))
    }

    fn origin(&mut self, origin: Origin) -> Class {
        match self.origins.get(&origin) {
            Some(&class) => self.root(class),
            None => {
                let class = self.new_class();
                self.origins.insert(origin, class);
                class
            }
        }
    }

    fn new_class(&mut self) -> Class {
        let class = Class(self.parents.len());
        self.parents.push(class.0);
        self.inner.push(None);
        class
    }

    /// The representative of all merged classes.
    pub(super) fn root(&mut self, class: Class) -> Class {
        let mut at = class.0;
        while self.parents[at] != at {
            let above = self.parents[self.parents[at]];
            self.parents[at] = above;
            at = above;
        }
        Class(at)
    }

    fn merge(&mut self, a: Class, b: Class) {
        let mut pending = vec![(a, b)];
        while let Some((a, b)) = pending.pop() {
            let (a, b) = (self.root(a), self.root(b));
            if a == b {
                continue;
            }
            self.parents[b.0] = a.0;
            match (self.inner[a.0], self.inner[b.0]) {
                (Some(inner), Some(other)) => pending.push((inner, other)),
                (None, other) => self.inner[a.0] = other,
                (Some(_), None) => {}
            }
        }
    }
}

fn is_list(expr: &Expr) -> bool {
    matches!(expr.ty, Type::List(_))
}

fn holds_lists(list: &Expr) -> bool {
    matches!(&list.ty, Type::List(element) if matches!(**element, Type::List(_)))
}

fn record_of(expr: &Expr) -> TypeId {
    match expr.ty {
        Type::Record(id) => id,
        _ => bug!("{:?} is not a record", expr.ty).raise(),
    }
}
