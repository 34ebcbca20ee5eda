//! Finds the parts of blocks that take a random element out of a list.

use super::parts::{assigned, is_local, is_place};
use super::{Aggregate, ArithOp, ExprKind, LocalId, Place, Stmt, StmtKind, ValueBlock};

/// The parts of a block that draws an element.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'b> {
    /// The statements that find the list and the index.
    pub before: &'b [Stmt],
    /// The list, if it is not a variable of the script.
    pub kept: Option<&'b Stmt>,
    /// The list and the index.
    pub from: [LocalId; 2],
    /// The variable with the element.
    pub taken: LocalId,
}

impl ValueBlock {
    /// The parts of a block that [draws](Aggregate::Drawn); `None` for other blocks, and for those
    /// that have not the shape of one.
    pub fn drawing(&self) -> Option<Drawing<'_>> {
        let Some(Aggregate::Drawn { list, index }) = self.aggregate else {
            return None;
        };
        let [before @ .., takes, shifts, pops] = &self.statements[..] else {
            return None;
        };
        let (kept, found) = match before {
            [kept, found @ ..] if assigned(kept).is_some_and(|(to, _)| to == list) => {
                (Some(kept), found)
            }
            found => (None, found),
        };
        let [requires, rolls] = found else {
            return None;
        };
        let (taken, element) = assigned(takes)?;
        let is_found = matches!(requires.kind, StmtKind::Require(_))
            && assigned(rolls).is_some_and(|(to, _)| to == index)
            && matches!(&element.kind, ExprKind::Element(of, at)
                if is_local(of, list) && is_local(at, index))
            && is_local(self.value.as_ref()?, taken);
        let is_popped = matches!(&pops.kind, StmtKind::Eval(pop)
            if matches!(&pop.kind, ExprKind::Pop(of) if is_local(of, list)));
        let fits = is_found && is_popped && shifts_elements(shifts, list, index);
        fits.then_some(Drawing {
            before,
            kept,
            from: [list, index],
            taken,
        })
    }
}

/// Whether a statement moves all elements after an index one to the front.
fn shifts_elements(stmt: &Stmt, list: LocalId, index: LocalId) -> bool {
    let StmtKind::Count(place, bounds, body) = &stmt.kind else {
        return false;
    };
    let [first, last] = &**bounds;
    let is_last = matches!(&last.kind, ExprKind::Arith(ArithOp::Add, length, less)
        if less.kind == ExprKind::Int(-2)
            && matches!(&length.kind, ExprKind::Len(of) if is_local(of, list)));
    let moves = matches!(&body[..], [put] if matches!(&put.kind,
        StmtKind::Assign(Place::Element(to, at), value)
            if is_local(to, list)
                && is_local(at, *place)
                && matches!(&value.kind, ExprKind::Element(of, next)
                    if is_local(of, list) && is_place(next, *place, true))));
    is_local(first, index) && is_last && moves
}
