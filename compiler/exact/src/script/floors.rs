//! Saturation bounds, here called *floors*. Some numbers matter only above a bound: a script
//! subtracts from hit points, and asks only whether they are above 0. States store every number at
//! or below the floor as the floor, so it does not matter how far below 0 a hit went.
//!
//! The bound is an assumption, and every use of such a number checks it: a comparison with a
//! constant must have the same result for all numbers at or below the floor, only numbers that are
//! not negative may be subtracted, and any other use must find the number above the floor. If a
//! check fails, the odds are computed again without this floor.
//!
//! So each read of a variable or a field is lowered together with its floor.
//!
//! The floor of a variable or field is the greatest number for which all of its comparisons with
//! literals have the same result as for all lower numbers.

use super::compare::{mirrored, resolved};
use super::shape::{FieldPlace, ShapeId, Shapes};
use dicec_lang::hir::{
    ArithOp, CompareOp, Expr, ExprKind, FunctionId, LocalId, Module, Place, StmtKind, Type, TypeId,
    each_expr, each_stmt,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// After this many failed checks, all floors are dropped.
const MAX_RETRIES: usize = 3;

/// The owner of a floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Holder {
    Local(FunctionId, LocalId),
    Field(TypeId, u32),
}

/// A floor and its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Floor {
    pub(super) holder: Holder,
    pub(super) least: i32,
}

impl Floor {
    /// Whether a comparison with a number has one result for all numbers at or below the floor.
    pub(super) fn decides(self, op: CompareOp, number: i64) -> bool {
        resolved(op, &(i64::MIN..=self.least.into()), number).is_some()
    }
}

/// The floors of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Floors {
    all: FxHashMap<Holder, i32>,
    /// The floors of fields, by the words of objects.
    slots: FxHashMap<(ShapeId, usize), i32>,
}

impl Floors {
    pub(super) fn get(&self, holder: Holder) -> Option<Floor> {
        let least = *self.all.get(&holder)?;
        Some(Floor { holder, least })
    }

    pub(super) fn of_field(&self, record: &Expr, field: u32) -> Option<Floor> {
        self.get(field_of(record, field)?)
    }

    /// The floor of a word of an object.
    pub(super) fn slot(&self, shape: ShapeId, slot: usize) -> Option<i32> {
        self.slots.get(&(shape, slot)).copied()
    }

    /// Finds the words of the fields.
    pub(super) fn place(&mut self, shapes: &Shapes) {
        let slots = self.all.iter().filter_map(|(holder, least)| {
            let Holder::Field(id, field) = *holder else {
                return None;
            };
            let layout = shapes.layout(id)?;
            match layout.fields.get(field as usize)? {
                FieldPlace::Slot(slot) => Some(((layout.shape, *slot), *least)),
                FieldPlace::Fixed(_) => None,
            }
        });
        self.slots = slots.collect();
    }

    /// Drops a floor whose check failed.
    pub(super) fn without(&mut self, holder: Holder, retries: usize) {
        if retries < MAX_RETRIES {
            self.all.remove(&holder);
        } else {
            self.all.clear();
        }
    }

    pub(super) fn of(script: &Module) -> Self {
        let mut floors = FxHashMap::default();
        let mut lowered = FxHashSet::default();
        for (function, body) in (0..).map(FunctionId).zip(&script.functions) {
            let holder = |expr: &Expr| match &expr.kind {
                _ if expr.ty != Type::Int => None,
                ExprKind::Local(local) => Some(Holder::Local(function, *local)),
                ExprKind::Field(record, field) => field_of(record, *field),
                _ => None,
            };
            each_expr(&body.body, &mut |expr| {
                let ExprKind::Compare(op, left, right) = &expr.kind else {
                    return;
                };
                let cut = match (&left.kind, &right.kind) {
                    (_, ExprKind::Int(number)) => holder(left).zip(cut(*op, *number)),
                    (ExprKind::Int(number), _) => holder(right).zip(cut(mirrored(*op), *number)),
                    _ => None,
                };
                if let Some((holder, cut)) = cut {
                    let floor = floors.entry(holder).or_insert(cut);
                    *floor = cut.min(*floor);
                }
            });
            each_stmt(&body.body, &mut |stmt| {
                let StmtKind::Update(place, ArithOp::Sub, _) = &stmt.kind else {
                    return;
                };
                lowered.extend(match place {
                    Place::Local(local) => Some(Holder::Local(function, *local)),
                    Place::Field(record, field) => field_of(record, *field),
                    Place::Element(..) => None,
                });
            });
        }
        floors.retain(|holder, _| lowered.contains(holder));
        Self {
            all: floors,
            slots: FxHashMap::default(),
        }
    }
}

fn field_of(record: &Expr, field: u32) -> Option<Holder> {
    match record.ty {
        Type::Record(id) => Some(Holder::Field(id, field)),
        _ => None,
    }
}

/// The greatest number up to which a comparison with `number` has one result.
fn cut(op: CompareOp, number: i64) -> Option<i32> {
    let cut = match op {
        CompareOp::Greater | CompareOp::LessEqual => number,
        _ => number.checked_sub(1)?,
    };
    i32::try_from(cut).ok().filter(|cut| *cut > i32::MIN)
}
