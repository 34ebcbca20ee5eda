//! Finds the parts of blocks that drop dice of a list of records.

use super::parts::{assigned, is_local};
use super::{
    Aggregate, ArithOp, CompareOp, Expr, ExprKind, LocalId, Place, Stmt, StmtKind, ValueBlock,
};
use dicec_runtime::pool::Selector;

/// The parts of a block that drops dice: with this selector, each has its field `kept` set to
/// false.
#[derive(Clone, Copy, Debug)]
pub struct Dropping<'b> {
    /// The list of the dice.
    pub list: LocalId,
    /// Which end is kept or dropped.
    pub selector: Selector,
    /// How many.
    pub most: &'b Expr,
    /// The field by which the dice are compared. Of equal dice, the earlier counts as higher, or as
    /// lower if the lowest are kept or dropped.
    pub value: u32,
    /// The field that is set.
    pub kept: u32,
}

impl ValueBlock {
    /// The parts of a block that [drops dice](Aggregate::Selected); `None` for other blocks, and
    /// for those that have not the shape of one.
    pub fn dropping(&self) -> Option<Dropping<'_>> {
        let Some(Aggregate::Selected { list, selector }) = self.aggregate else {
            return None;
        };
        let ([each], None) = (&self.statements[..], &self.value) else {
            return None;
        };
        let (place, body) = through(each, list)?;
        let [takes, begins, others, drops] = body else {
            return None;
        };
        let die = taken(takes, list, place)?;
        let (before, zero) = assigned(begins)?;
        let (other, [takes, counts]) = through(others, list)? else {
            return None;
        };
        let than = taken(takes, list, other)?;
        let value = counted(counts, selector, [die, than], [place, other], before)?;
        let StmtKind::If(dropped, set, no) = &drops.kind else {
            return None;
        };
        let ExprKind::Compare(op, left, most) = &dropped.kind else {
            return None;
        };
        let wanted = match selector.drops() {
            true => CompareOp::Less,
            false => CompareOp::GreaterEqual,
        };
        let [
            Stmt {
                kind: StmtKind::Assign(Place::Field(record, kept), new),
                ..
            },
        ] = &set[..]
        else {
            return None;
        };
        let fits = zero.kind == ExprKind::Int(0)
            && *op == wanted
            && is_local(left, before)
            && matches!(most.kind, ExprKind::Local(_))
            && no.is_empty()
            && is_local(record, die)
            && new.kind == ExprKind::Bool(false);
        fits.then_some(Dropping {
            list,
            selector,
            most,
            value,
            kept: *kept,
        })
    }
}

/// The index and the body of a loop through the indices of a list.
fn through(stmt: &Stmt, list: LocalId) -> Option<(LocalId, &[Stmt])> {
    let StmtKind::Count(place, bounds, body) = &stmt.kind else {
        return None;
    };
    let [first, last] = &**bounds;
    let is_last = matches!(&last.kind, ExprKind::Arith(ArithOp::Add, length, less)
        if less.kind == ExprKind::Int(-1)
            && matches!(&length.kind, ExprKind::Len(of) if is_local(of, list)));
    (first.kind == ExprKind::Int(0) && is_last).then_some((*place, body))
}

/// The variable that gets the element of a list at an index.
fn taken(stmt: &Stmt, list: LocalId, place: LocalId) -> Option<LocalId> {
    let (to, element) = assigned(stmt)?;
    let is_it = matches!(&element.kind, ExprKind::Element(of, at)
        if is_local(of, list) && is_local(at, place));
    is_it.then_some(to)
}

/// The field by which dice are compared, if a statement counts those before a die.
fn counted(
    stmt: &Stmt,
    selector: Selector,
    [die, than]: [LocalId; 2],
    [place, other]: [LocalId; 2],
    before: LocalId,
) -> Option<u32> {
    let StmtKind::If(condition, yes, no) = &stmt.kind else {
        return None;
    };
    let ExprKind::Or(beyond, equal) = &condition.kind else {
        return None;
    };
    let ExprKind::And(equal, earlier) = &equal.kind else {
        return None;
    };
    let (op, order) = match selector.is_high() {
        true => (CompareOp::Greater, CompareOp::Less),
        false => (CompareOp::Less, CompareOp::Greater),
    };
    let value = compared(beyond, op, [die, than])?;
    let is_earlier = matches!(&earlier.kind, ExprKind::Compare(op, left, right)
        if *op == order && is_local(left, other) && is_local(right, place));
    let adds = matches!(&yes[..], [stmt] if matches!(&stmt.kind,
        StmtKind::Update(Place::Local(to), ArithOp::Add, one)
            if *to == before && one.kind == ExprKind::Int(1)));
    let fits = compared(equal, CompareOp::Equal, [die, than]) == Some(value)
        && is_earlier
        && adds
        && no.is_empty();
    fits.then_some(value)
}

/// The field by which another die is compared with a die.
fn compared(expr: &Expr, wanted: CompareOp, [die, than]: [LocalId; 2]) -> Option<u32> {
    let ExprKind::Compare(op, left, right) = &expr.kind else {
        return None;
    };
    let (ExprKind::Field(left, field), ExprKind::Field(right, other)) = (&left.kind, &right.kind)
    else {
        return None;
    };
    let fits = *op == wanted && field == other && is_local(left, than) && is_local(right, die);
    fits.then_some(*field)
}
