//! Helpers that recognise parts of expressions and effects of features.

use crate::encounter::plan::Condition;
use crate::features::{Binary, Change, Duration, EventKind, Expr, ExprKind, Noun, Place};

/// The attribute of held creatures.
pub(super) const GRAPPLED: &str = "GRAPPLED";

/// Whether it is an attribute of the creature with the feature.
pub(super) fn is_own(expr: &Expr, attribute: &str) -> bool {
    is_attribute(expr, &Noun::Myself, attribute)
}

/// Whether it is an attribute of somebody.
pub(super) fn is_attribute(expr: &Expr, owner: &Noun, attribute: &str) -> bool {
    matches!(&expr.kind, ExprKind::Attribute(place)
        if place.owner == *owner && place.attribute.to_string() == attribute)
}

/// The condition that an attribute of a creature is.
pub(super) fn condition_named(place: &Place) -> Option<Condition> {
    let name = place.attribute.to_string().to_lowercase();
    let mut all = Condition::ALL.into_iter();
    all.find(|condition| condition.name() == name)
}

/// The parts that an operator joins.
pub(super) fn split<'e>(expr: &'e Expr, operator: Binary, parts: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary(own, left, right) if *own == operator => {
            split(left, operator, parts);
            split(right, operator, parts);
        }
        _ => parts.push(expr),
    }
}

/// Whether the operands of a query are two nouns, in any order.
pub(super) fn operands_are(operands: &[Expr], one: &Noun, other: &Noun) -> bool {
    match operands {
        [left, right] => nouns_are([left, right], one, other),
        _ => false,
    }
}

/// Whether two expressions are two nouns, in any order.
pub(super) fn nouns_are(exprs: [&Expr; 2], one: &Noun, other: &Noun) -> bool {
    let nouns = exprs.map(|expr| match &expr.kind {
        ExprKind::Noun(noun) => Some(noun),
        _ => None,
    });
    nouns == [Some(one), Some(other)] || nouns == [Some(other), Some(one)]
}

/// The attribute that a change sets, and to which value.
pub(super) fn assigned(change: &Change) -> Option<(&Place, &Expr)> {
    match change {
        Change::Set { place, value } => Some((place, value)),
        Change::Store(Expr {
            kind: ExprKind::Store(value, place),
            ..
        }) => Some((place, value)),
        _ => None,
    }
}

/// Whether something lasts until one event.
pub(super) fn is_until(duration: &Duration, kind: EventKind, nouns: &[Noun]) -> bool {
    let Duration::Until(trigger) = duration else {
        return false;
    };
    match &trigger.alternatives[..] {
        [alternative] => alternative.event.as_ref().is_some_and(|event| {
            event.kind == kind && event.nouns == nouns && alternative.condition.is_none()
        }),
        _ => false,
    }
}
