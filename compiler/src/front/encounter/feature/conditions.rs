//! Conditions of features, as far as a fight knows them.

use super::attached::Attached;
use crate::front::encounter::plan::Condition;
use crate::front::features::{Binary, Expr, ExprKind, Noun, Place, Query};

/// What the conditions of an effect come to.
#[derive(Default)]
pub(super) struct Asked<'e> {
    /// The saving throw that has to fail: its difficulty and its ability.
    pub(super) save: Option<(&'e Expr, &'e Expr)>,
    /// Whether only those in an area are meant.
    pub(super) is_in_area: bool,
    /// The condition that nobody may have.
    pub(super) without: Option<Condition>,
}

/// What conditions come to; `None` if one of them never holds, or is not known.
pub(super) fn asked<'e>(conditions: &'e [Expr], attached: &Attached) -> Option<Asked<'e>> {
    let mut asked = Asked::default();
    for condition in conditions {
        match (&condition.kind, attached.number(condition)) {
            (ExprKind::InArea(..), _) => asked.is_in_area = true,
            (ExprKind::Query(Query::FailsSave, operands), _) => match &operands[..] {
                [_, dc, ability, margin] if attached.number(margin) == Some(0.0) => {
                    asked.save = Some((dc, ability));
                }
                _ => return None,
            },
            (_, Some(0.0)) => return None,
            (_, Some(_)) => {}
            (ExprKind::Not(inner), None) => match &inner.kind {
                ExprKind::Attribute(place) => asked.without = Some(condition_named(place)?),
                _ => return None,
            },
            (_, None) => return None,
        }
    }
    Some(asked)
}

/// The condition that an attribute of a creature is.
pub(super) fn condition_named(place: &Place) -> Option<Condition> {
    let name = place.attribute.to_string().to_lowercase();
    let mut all = Condition::ALL.into_iter();
    all.find(|condition| condition.name() == name)
}

/// Whether it is `HP,0,<=` of the creature with the feature.
pub(super) fn is_fallen(condition: &Expr) -> bool {
    let ExprKind::Binary(Binary::Le, left, right) = &condition.kind else {
        return false;
    };
    let is_own_hp = matches!(&left.kind, ExprKind::Attribute(place)
        if place.owner == Noun::Myself && place.attribute.to_string() == "HP");
    is_own_hp && right.kind == ExprKind::Number(0.0)
}
