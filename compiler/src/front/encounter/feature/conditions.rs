//! Conditions of features, as far as a fight knows them.

use super::attached::Attached;
use super::handler::Shape;
use crate::front::encounter::plan::Condition;
use crate::front::features::{Binary, Expr, ExprKind, Noun, Place, Query};

/// What conditions come to that are not known before the fight.
#[derive(Clone, Default)]
pub(super) struct Asked<'e> {
    /// The saving throw that has to fail: its difficulty and its ability.
    pub(super) save: Option<(&'e Expr, &'e Expr)>,
    /// The area in which somebody has to be.
    pub(super) area: Option<Shape>,
    /// The condition that nobody may have.
    pub(super) without: Option<Condition>,
    /// The condition that somebody has to have.
    pub(super) having: Option<Condition>,
    /// How close the two have to be, in feet.
    pub(super) within: Option<u32>,
    /// How close a point has to be to the creature with the feature, and somebody to the point.
    pub(super) point: [Option<u32>; 2],
    /// How far the creature has to have moved straight toward the other on this turn, in feet.
    pub(super) run: Option<u32>,
    /// The name of the attack that it has to be.
    pub(super) with: Option<String>,
}

/// What conditions come to; `None` if one of them never holds, or is not known.
pub(super) fn asked<'e>(
    conditions: impl IntoIterator<Item = &'e Expr>,
    attached: &Attached,
) -> Option<Asked<'e>> {
    let mut asked = Asked::default();
    for condition in conditions {
        match (&condition.kind, attached.number(condition)) {
            (ExprKind::InArea(_, area), _) => asked.area = Some(attached.shape(area)?),
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
            (ExprKind::Attribute(place), None) => asked.having = Some(condition_named(place)?),
            (ExprKind::Query(Query::MadeAttack, operands), None) => match &operands[..] {
                [_, attack] => asked.with = Some(attached.word(attack)?),
                _ => return None,
            },
            (ExprKind::Binary(operator, left, right), None) => {
                let feet = attached.number(right)?.clamp(0.0, 1e6) as u32;
                asked.in_space(*operator, left, feet)?;
            }
            (_, None) => return None,
        }
    }
    Some(asked)
}

impl Asked<'_> {
    /// A comparison of a distance, or of how far somebody has moved.
    fn in_space(&mut self, operator: Binary, left: &Expr, feet: u32) -> Option<()> {
        let ExprKind::Query(query, operands) = &left.kind else {
            return None;
        };
        let is = |at: usize, noun: Noun| {
            operands.get(at).map(|one| &one.kind) == Some(&ExprKind::Noun(noun))
        };
        match (operator, query) {
            (Binary::Le, Query::Distance) => {
                let is_of_point = is(0, Noun::Point) || is(1, Noun::Point);
                let is_own = is(0, Noun::Myself) || is(1, Noun::Myself);
                match (is_of_point, is_own) {
                    (true, true) => self.point[0] = Some(feet),
                    (true, false) => self.point[1] = Some(feet),
                    (false, true) => self.within = Some(feet),
                    (false, false) => return None,
                }
            }
            (Binary::Ge, Query::MovedTo) if is(0, Noun::Myself) => self.run = Some(feet),
            _ => return None,
        }
        Some(())
    }
}

/// The condition that an attribute of a creature is.
pub(super) fn condition_named(place: &Place) -> Option<Condition> {
    let name = place.attribute.to_string().to_lowercase();
    let mut all = Condition::ALL.into_iter();
    all.find(|condition| condition.name() == name)
}

/// Whether it is `HP,0,<=` of the creature with the feature.
pub(super) fn is_fallen(condition: &Expr) -> bool {
    is_about_hp(condition, Binary::Le)
}

/// Whether it is `HP,0,>` of the creature with the feature.
pub(super) fn is_standing(condition: &Expr) -> bool {
    is_about_hp(condition, Binary::Gt)
}

fn is_about_hp(condition: &Expr, comparison: Binary) -> bool {
    let ExprKind::Binary(operator, left, right) = &condition.kind else {
        return false;
    };
    let is_own_hp = matches!(&left.kind, ExprKind::Attribute(place)
        if place.owner == Noun::Myself && place.attribute.to_string() == "HP");
    *operator == comparison && is_own_hp && right.kind == ExprKind::Number(0.0)
}
