//! Single elements of sorted lists: `sorted(d6 for i : 1..9)[4]` is the first face up to which five
//! dice are counted. So a state holds the dice that are left and these elements.
//!
//! Premise: the list is sorted, and only elements with known indices, and its length, are read.

use super::edit::{Make, assigned, each_inner_stmt, reads, replace_in};
use super::pool::{Dice, Order};
use dicec_lang::hir::{
    ArithOp, Block, CompareOp, Expr, ExprKind, Local, LocalId, Place, Stmt, StmtKind, Type,
};

/// Replaces the uses of a sorted list, if these are elements with known indices, by the numbers of
/// `ranks`; whether it has no other uses.
pub(super) fn pick_ranks(
    block: &mut [Stmt],
    (list, dice): (LocalId, &Dice),
    locals: &mut Vec<Local>,
    ranks: &mut Vec<(i64, LocalId)>,
) -> bool {
    replace_in(block, &mut |expr| match &expr.kind {
        ExprKind::Len(of) if of.kind == ExprKind::Local(list) => {
            let make = Make {
                locals,
                span: expr.span,
            };
            Some(make.int(dice.count))
        }
        ExprKind::Element(of, index) if of.kind == ExprKind::Local(list) => {
            let index = constant(index, list, dice)?;
            let rank = match dice.order {
                Order::Ascending => index,
                Order::Descending => dice.count - 1 - index,
                Order::Rolled => return None,
            };
            if !(0..dice.count).contains(&rank) {
                return None;
            }
            let mut make = Make {
                locals,
                span: expr.span,
            };
            let known = ranks.iter().find(|(known, _)| *known == rank).copied();
            let (_, local) = known.unwrap_or_else(|| {
                let new = (rank, make.fresh(Type::Int));
                ranks.push(new);
                new
            });
            Some(make.number(local))
        }
        _ => None,
    });
    let mut other = reads(block, list) > 0;
    for stmt in &*block {
        stmt.each_expr(&mut |expr| {
            each_inner_stmt(expr, &mut |stmt| other |= assigned(stmt) == Some(list));
        });
        other |= assigned(stmt) == Some(list);
    }
    !other
}

/// The value of an index that is known: `s[3]`, `s[len(s) - 1]`.
fn constant(index: &Expr, list: LocalId, dice: &Dice) -> Option<i64> {
    match &index.kind {
        ExprKind::Int(number) => Some(*number),
        ExprKind::Len(of) if of.kind == ExprKind::Local(list) => Some(dice.count),
        ExprKind::Arith(op @ (ArithOp::Add | ArithOp::Sub), left, right) => {
            let [left, right] = [left, right].map(|part| constant(part, list, dice));
            op.apply(left?, right?).ok()
        }
        _ => None,
    }
}

/// The statements that roll the elements with these ranks of a sorted list.
pub(super) fn roll_ranks(dice: &Dice, ranks: &[(Expr, LocalId)], make: &mut Make<'_>) -> Block {
    let [left, here, face] = [(); 3].map(|()| make.fresh(Type::Int));
    let mut block = vec![make.set(left, make.int(dice.count))];
    block.extend(ranks.iter().map(|(_, local)| make.set(*local, make.int(0))));
    let faces = make.minus(make.int(dice.sides + 1), make.number(face));
    let rolled = make.roll(make.number(left), faces, CompareOp::Equal, 1);
    let taken = StmtKind::Update(Place::Local(left), ArithOp::Sub, make.number(here));
    let mut body = vec![make.set(here, rolled), make.stmt(taken)];
    for (rank, local) in ranks {
        let above = make.minus(make.int(dice.count), rank.clone());
        let before = make.plus(make.number(left), make.number(here));
        let is_after = make.compare(CompareOp::Less, make.number(left), above.clone());
        let is_before = make.compare(CompareOp::GreaterEqual, before, above);
        let shows = vec![make.set(*local, make.number(face))];
        body.push(make.when(make.and(is_after, is_before), shows));
    }
    block.push(make.count(face, [make.int(1), make.int(dice.sides)], body));
    block
}
