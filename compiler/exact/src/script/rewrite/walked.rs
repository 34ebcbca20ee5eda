//! The answers to questions about lists that are rolled face by face: numbers that are known when
//! the loop is at a face.

use super::super::compare::mirrored;
use super::edit::{Make, replace_in};
use super::key::compared;
use super::pool::{Dice, Element};
use dicec_lang::hir::{
    Aggregate, ArithOp, Block, CompareOp, Elements, Expr, ExprKind, LocalId, ValueBlock,
};

/// A list that is rolled face by face.
pub(super) struct Walked {
    pub(super) list: LocalId,
    pub(super) dice: Dice,
    /// The dice with higher faces, and with the current one.
    pub(super) left: LocalId,
    pub(super) here: LocalId,
    /// Of cards that are drawn, those of the deck that are left.
    pub(super) cards: LocalId,
}

/// The value of a reduction of a list that compares its elements with a face.
pub(super) fn answered<'l>(
    block: &ValueBlock,
    (face, descends): (LocalId, bool),
    is_face: &dyn Fn(&Expr) -> bool,
    lists: &'l [Walked],
    make: &mut Make<'_>,
) -> Option<(&'l Walked, Expr)> {
    let (aggregate, reduction) = (block.aggregate?, block.reduction()?);
    let Elements::List(list) = reduction.elements else {
        return None;
    };
    let walked = lists
        .iter()
        .find(|walked| list.kind == ExprKind::Local(walked.list))?;
    let compared = |expr: &Expr| {
        let (op, other) = compared(expr, reduction.element, &walked.dice)?;
        is_face(other).then_some(op)
    };
    let answer = match (aggregate, &reduction.exprs[..]) {
        (Aggregate::Count(_), [passes]) => walked.number(compared(passes)?, descends, make),
        (Aggregate::Decided { by, .. }, [decides]) => {
            let number = walked.number(compared(decides)?, descends, make);
            let op = if by {
                CompareOp::Greater
            } else {
                CompareOp::LessEqual
            };
            make.compare(op, number, make.int(0))
        }
        (Aggregate::Sum { .. }, [passes, value]) => {
            let is_element = walked.dice.is_face(value, reduction.element);
            let is_it = compared(passes)? == CompareOp::Equal;
            if !is_element || !is_it {
                return None;
            }
            make.arith(ArithOp::Mul, make.number(walked.here), make.number(face))
        }
        _ => return None,
    };
    Some((walked, answer))
}

impl Walked {
    /// The number of dice that compare with the current face like this.
    fn number(&self, op: CompareOp, descends: bool, make: &mut Make<'_>) -> Expr {
        let [left, here] = [self.left, self.here].map(|local| make.number(local));
        let all = make.int(self.dice.count);
        // The dice that are left are beyond the face, in the order of the walk.
        match if descends { mirrored(op) } else { op } {
            CompareOp::Equal => here,
            CompareOp::NotEqual => make.minus(all, here),
            CompareOp::Greater => left,
            CompareOp::LessEqual => make.minus(all, left),
            CompareOp::GreaterEqual => make.plus(left, here),
            CompareOp::Less => make.minus(make.minus(all, left), here),
        }
    }
}

/// Replaces the element of a list by its face.
pub(super) fn show(body: &mut Block, element: LocalId, face: LocalId, dice: &Dice) {
    replace_in(body, &mut |expr| {
        let shown = ExprKind::Local(face);
        let with = |kind| {
            Some(Expr {
                kind,
                ty: expr.ty.clone(),
                span: expr.span,
            })
        };
        match (&expr.kind, &dice.element) {
            (ExprKind::Local(local), Element::Face) if *local == element => with(shown),
            (ExprKind::Field(record, field), Element::Record(fields))
                if record.kind == ExprKind::Local(element) =>
            {
                let value = &fields.iter().find(|(known, _)| known == field)?.1;
                with(value.as_ref().map_or(shown, |value| value.kind.clone()))
            }
            _ => None,
        }
    });
}
