//! Side effects and dependences of functions on their arguments: the fields that a function, or one
//! that it calls, reads or assigns. A call depends on nothing else, so an attack has the same
//! outcomes whatever the attacker's hit points are.
//!
//! A word that is only added to or subtracted from is *moved*: the call does not depend on it, and
//! changes it by an amount that does not depend on it either.
//!
//! An access through a parameter that is never assigned touches the argument's object; any other
//! access may touch every object of its type.

use super::floors::Floors;
use super::shape::{FieldPlace, Shapes};
use dicec_lang::hir::{
    ArithOp, Expr, ExprKind, Function, LocalId, Module, Place, StmtKind, Type, TypeId, each_expr,
    each_stmt,
};
use rustc_hash::FxHashSet;

/// A set of words of a record, one bit each; words without a bit always belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keep(u64);

impl Keep {
    pub(super) const ALL: Self = Self(u64::MAX);

    /// The set with only the word of the constant fields, which costs no more than a gap would.
    const LEAST: Self = Self(1);

    pub(super) fn holds(self, slot: usize) -> bool {
        slot >= 64 || self.0 >> slot & 1 == 1
    }

    pub(super) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    pub(super) fn insert(&mut self, slot: usize) {
        if slot < 64 {
            self.0 |= 1 << slot;
        }
    }

    /// The difference of two sets.
    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The indices of the words with bits in the set.
    pub(super) fn slots(self) -> impl Iterator<Item = usize> {
        (0..64).filter(move |slot| self.0 >> slot & 1 == 1)
    }
}

/// The words that a function touches.
pub(super) struct Touched {
    /// In every object, by its shape.
    pub(super) any: Vec<Keep>,
    /// In the object of each parameter, in addition.
    pub(super) params: Vec<Keep>,
    /// The words of the parameters' objects that are read, not only moved.
    pub(super) reads: Vec<Keep>,
}

/// The words that each function of a script touches.
pub(super) fn touched(script: &Module, shapes: &Shapes, floors: &Floors) -> Vec<Touched> {
    let mut search = Search::new(script, floors);
    let mut work: Vec<usize> = (0..script.functions.len()).collect();
    while let Some(callee) = work.pop() {
        for caller in search.callers[callee].clone() {
            if search.pass(callee, &caller) {
                work.push(caller.function);
            }
        }
    }
    let functions = search.found.iter();
    functions.map(|found| found.words(shapes)).collect()
}

/// The result without the analysis: each function touches all words of its arguments.
pub(super) fn untouched(script: &Module, shapes: &Shapes) -> Vec<Touched> {
    let functions = script.functions.iter();
    let all = functions.map(|function| Touched {
        any: vec![Keep::ALL; shapes.len()],
        params: vec![Keep::ALL; function.params],
        reads: vec![Keep::ALL; function.params],
    });
    all.collect()
}

/// The object that an expression refers to.
#[derive(Clone, Copy)]
enum Origin {
    /// The object of a parameter.
    Param(usize),
    /// Any object of this type.
    Any(TypeId),
}

/// The fields that a function touches.
#[derive(Default)]
struct Found {
    any: FxHashSet<(TypeId, u32)>,
    /// By parameter and field.
    params: FxHashSet<(usize, u32)>,
    /// The fields that are read, not only moved.
    reads: FxHashSet<(usize, u32)>,
    /// The record types among the parameters.
    types: Vec<Option<TypeId>>,
}

/// A call, from the point of view of the callee.
#[derive(Clone)]
struct Caller {
    function: usize,
    /// The origin of each argument that is a record.
    args: Vec<Option<Origin>>,
}

struct Search {
    found: Vec<Found>,
    callers: Vec<Vec<Caller>>,
}

impl Search {
    fn new(script: &Module, floors: &Floors) -> Self {
        let mut search = Self {
            found: Vec::new(),
            callers: vec![Vec::new(); script.functions.len()],
        };
        for (place, function) in script.functions.iter().enumerate() {
            let origins = Origins::of(function);
            let mut found = Found {
                types: function.locals[..function.params]
                    .iter()
                    .map(|param| record(&param.ty))
                    .collect(),
                ..Found::default()
            };
            each_stmt(&function.body, &mut |stmt| match &stmt.kind {
                StmtKind::Update(
                    Place::Field(record, field),
                    op @ (ArithOp::Add | ArithOp::Sub),
                    value,
                ) if value.ty == Type::Int
                    && (*op == ArithOp::Sub || floors.of_field(record, *field).is_none()) =>
                {
                    found.touch(origins.origin(record), *field);
                }
                StmtKind::Assign(Place::Field(record, field), _)
                | StmtKind::Update(Place::Field(record, field), ..) => {
                    found.read(origins.origin(record), *field);
                }
                _ => {}
            });
            each_expr(&function.body, &mut |expr| match &expr.kind {
                ExprKind::Field(record, field) => found.read(origins.origin(record), *field),
                ExprKind::Call(callee, args) => search.callers[callee.index()].push(Caller {
                    function: place,
                    args: args.iter().map(|arg| origins.origin(arg)).collect(),
                }),
                _ => {}
            });
            search.found.push(found);
        }
        search
    }

    /// Propagates what a function touches to a caller; returns whether that added anything.
    fn pass(&mut self, callee: usize, caller: &Caller) -> bool {
        let from = &self.found[callee];
        let any: Vec<_> = from.any.iter().copied().collect();
        let params: Vec<_> = from.params.iter().copied().collect();
        let reads: Vec<_> = from.reads.iter().copied().collect();
        let to = &mut self.found[caller.function];
        let before = to.len();
        to.any.extend(any);
        let origin = |param: usize| caller.args.get(param).copied().flatten();
        for (param, field) in params {
            to.touch(origin(param), field);
        }
        for (param, field) in reads {
            to.read(origin(param), field);
        }
        to.len() > before
    }
}

impl Found {
    fn len(&self) -> usize {
        self.any.len() + self.params.len() + self.reads.len()
    }

    fn read(&mut self, origin: Option<Origin>, field: u32) {
        self.touch(origin, field);
        if let Some(Origin::Param(param)) = origin {
            self.reads.insert((param, field));
        }
    }

    fn touch(&mut self, origin: Option<Origin>, field: u32) {
        match origin {
            Some(Origin::Param(param)) => {
                self.params.insert((param, field));
            }
            Some(Origin::Any(ty)) => {
                self.any.insert((ty, field));
            }
            // Not a record.
            None => {}
        }
    }

    fn words(&self, shapes: &Shapes) -> Touched {
        let mut any = vec![Keep::LEAST; shapes.len()];
        let slot = |ty: TypeId, field: u32| {
            let layout = shapes.layout(ty)?;
            match layout.fields.get(field as usize)? {
                FieldPlace::Slot(slot) => Some((layout.shape, *slot)),
                FieldPlace::Fixed(_) => None,
            }
        };
        for (ty, field) in &self.any {
            if let Some((shape, slot)) = slot(*ty, *field) {
                any[shape.index()].insert(slot);
            }
        }
        let of_params = |fields: &FxHashSet<(usize, u32)>| {
            let mut params = vec![Keep::LEAST; self.types.len()];
            for (param, field) in fields {
                let ty = self.types.get(*param).copied().flatten();
                if let Some((_, slot)) = ty.and_then(|ty| slot(ty, *field)) {
                    params[*param].insert(slot);
                }
            }
            params
        };
        Touched {
            any,
            params: of_params(&self.params),
            reads: of_params(&self.reads),
        }
    }
}

/// The parameters of a function that are never assigned.
struct Origins {
    params: usize,
    assigned: FxHashSet<LocalId>,
}

impl Origins {
    fn of(function: &Function) -> Self {
        let mut assigned = FxHashSet::default();
        each_stmt(&function.body, &mut |stmt| match &stmt.kind {
            StmtKind::Assign(Place::Local(local), _)
            | StmtKind::Update(Place::Local(local), ..)
            | StmtKind::For(local, ..)
            | StmtKind::Count(local, ..) => {
                assigned.insert(*local);
            }
            _ => {}
        });
        Self {
            params: function.params,
            assigned,
        }
    }

    /// The object that an expression refers to, if it is a record.
    fn origin(&self, expr: &Expr) -> Option<Origin> {
        let ty = record(&expr.ty)?;
        Some(match expr.kind {
            ExprKind::Local(local)
                if local.index() < self.params && !self.assigned.contains(&local) =>
            {
                Origin::Param(local.index())
            }
            _ => Origin::Any(ty),
        })
    }
}

fn record(ty: &Type) -> Option<TypeId> {
    match ty {
        Type::Record(id) => Some(*id),
        _ => None,
    }
}

/// Whether each function reads resources, itself or in a function that it calls.
pub(super) fn readers(script: &Module) -> Vec<bool> {
    let mut readers = vec![false; script.functions.len()];
    loop {
        let mut grown = false;
        for (id, function) in script.functions.iter().enumerate() {
            let mut reads = readers[id];
            each_expr(&function.body, &mut |expr| match &expr.kind {
                ExprKind::Resource(_) => reads = true,
                ExprKind::Call(callee, _) => reads |= readers[callee.index()],
                _ => {}
            });
            grown |= reads != readers[id];
            readers[id] = reads;
        }
        if !grown {
            return readers;
        }
    }
}
