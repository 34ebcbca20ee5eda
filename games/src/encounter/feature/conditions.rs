//! Conditions of features, as far as fights model them.

use super::attached::Attached;
use super::handler::Shape;
use super::parts::{GRAPPLED, condition_named, is_attribute, is_own, split};
use crate::encounter::bestiary::Size;
use crate::encounter::plan::{Condition, Roll};
use crate::features::{Binary, Expr, ExprKind, Noun, Place, Query};

/// The part of conditions that is only known in the fight.
#[derive(Clone, Default)]
pub(super) struct Asked<'e> {
    /// The saving throw that has to fail: its difficulty and its ability.
    pub(super) save: Option<(&'e Expr, &'e Expr)>,
    /// The check that has to come out below its number, or not below it, and its ability.
    pub(super) check: Option<(Roll, &'e Expr, &'e Expr)>,
    /// The area in which somebody has to be.
    pub(super) area: Option<Shape>,
    /// The condition that no creature may have.
    pub(super) without: Option<Condition>,
    /// The condition that somebody has to have.
    pub(super) having: Option<Condition>,
    /// How close the two have to be, in feet.
    pub(super) within: Option<u32>,
    /// How close a point has to be to the creature with the feature, and somebody to the point.
    pub(super) point: [Option<u32>; 2],
    /// The minimum distance, in feet, that the creature must have moved straight toward the other
    /// this turn.
    pub(super) run: Option<u32>,
    /// The name of the attack that it has to be.
    pub(super) with: Option<String>,
    /// The greatest size of the other one.
    pub(super) max_size: Option<Size>,
    /// Whether the creature must not be held.
    pub(super) unheld: bool,
}

/// Evaluates conditions as far as possible; `None` if one of them never holds, or is not modelled.
pub(super) fn asked<'e>(
    conditions: impl IntoIterator<Item = &'e Expr>,
    attached: &Attached,
) -> Option<Asked<'e>> {
    let mut asked = Asked::default();
    for condition in conditions {
        match (&condition.kind, attached.number(condition)) {
            (ExprKind::InArea(_, area), _) => put(&mut asked.area, attached.shape(area)?)?,
            (ExprKind::Query(Query::FailsSave, operands), _) => match &operands[..] {
                [_, dc, ability, margin] if attached.number(margin) == Some(0.0) => {
                    put(&mut asked.save, (dc, ability))?;
                }
                _ => return None,
            },
            (_, Some(0.0)) => return None,
            (_, Some(_)) => {}
            (ExprKind::Not(inner), None) => match &inner.kind {
                ExprKind::Attribute(place) if is_own_grapple(place) => asked.unheld = true,
                ExprKind::Attribute(place) => put(&mut asked.without, condition_named(place)?)?,
                _ => return None,
            },
            (ExprKind::Attribute(place), None) => put(&mut asked.having, condition_named(place)?)?,
            (ExprKind::Query(Query::MadeAttack, operands), None) => match &operands[..] {
                [_, attack] => put(&mut asked.with, attached.word(attack)?)?,
                _ => return None,
            },
            (ExprKind::Binary(Binary::Le, left, right), None) if is_size(left) => {
                let size = Size::of_feet(attached.number(right)?);
                put(&mut asked.max_size, size)?;
            }
            (ExprKind::Binary(operator, left, right), None) if checked(left).is_some() => {
                let roll = match operator {
                    Binary::Lt => Roll::Check,
                    Binary::Ge => Roll::LowCheck,
                    _ => return None,
                };
                put(&mut asked.check, (roll, &**right, checked(left)?))?;
            }
            (ExprKind::Binary(operator, left, right), None) => {
                asked.in_space(*operator, left, attached.number(right)?)?;
            }
            (_, None) => return None,
        }
    }
    Some(asked)
}

/// The ability of somebody else's check.
fn checked(expr: &Expr) -> Option<&Expr> {
    let ExprKind::Query(Query::Roll, operands) = &expr.kind else {
        return None;
    };
    let [who, ability] = &operands[..] else {
        return None;
    };
    let is_other = matches!(&who.kind, ExprKind::Noun(Noun::Creature | Noun::Any));
    is_other.then_some(ability)
}

/// Sets a field that conditions may set only once.
fn put<T>(kept: &mut Option<T>, asked: T) -> Option<()> {
    kept.replace(asked).is_none().then_some(())
}

impl Asked<'_> {
    /// A comparison of a distance or of a movement: positions are whole feet.
    fn in_space(&mut self, operator: Binary, left: &Expr, number: f64) -> Option<()> {
        let ExprKind::Query(query, operands) = &left.kind else {
            return None;
        };
        let is = |at: usize, noun: Noun| {
            operands.get(at).map(|one| &one.kind) == Some(&ExprKind::Noun(noun))
        };
        let feet = match operator {
            Binary::Ge => number.ceil(),
            _ => number.floor(),
        };
        let feet = (0.0..=1e6).contains(&feet).then_some(feet as u32)?;
        match (operator, query) {
            (Binary::Le, Query::Distance) => {
                let is_of_point = is(0, Noun::Point) || is(1, Noun::Point);
                let is_own = is(0, Noun::Myself) || is(1, Noun::Myself);
                match (is_of_point, is_own) {
                    (true, true) => put(&mut self.point[0], feet),
                    (true, false) => put(&mut self.point[1], feet),
                    (false, true) => put(&mut self.within, feet),
                    (false, false) => None,
                }
            }
            (Binary::Ge, Query::MovedTo) if is(0, Noun::Myself) => put(&mut self.run, feet),
            _ => None,
        }
    }
}

/// Whether it is the creature by which the feature's owner is held.
fn is_own_grapple(place: &Place) -> bool {
    place.owner == Noun::Myself && place.attribute.to_string() == GRAPPLED
}

/// Whether it is the size of somebody else.
fn is_size(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Attribute(place)
        if matches!(place.owner, Noun::Creature | Noun::Any)
            && place.attribute.to_string() == "SIZE")
}

/// Whether it is `HP,0,<=` of the creature with the feature.
pub(super) fn is_fallen(condition: &Expr) -> bool {
    compares_hp(condition, Binary::Le, &Noun::Myself)
}

/// Whether it is `HP,0,>` of the creature with the feature.
pub(super) fn is_standing(condition: &Expr) -> bool {
    compares_hp(condition, Binary::Gt, &Noun::Myself)
}

fn compares_hp(condition: &Expr, comparison: Binary, owner: &Noun) -> bool {
    let ExprKind::Binary(operator, left, right) = &condition.kind else {
        return false;
    };
    let is_hp = is_attribute(left, owner, "HP");
    *operator == comparison && is_hp && right.kind == ExprKind::Number(0.0)
}

/// Whether it is `HP,0,<=` of somebody else.
pub(super) fn is_fallen_foe(condition: &Expr, other: &Noun) -> bool {
    compares_hp(condition, Binary::Le, other)
}

/// The types of damage that a condition about the last damage of the creature with the feature
/// names: `DAMAGE.TYPE,fire,==`, several joined by `|`.
pub(super) fn damage_types(condition: &Expr, attached: &Attached) -> Option<Vec<String>> {
    let mut leaves = Vec::new();
    split(condition, Binary::Or, &mut leaves);
    leaves
        .into_iter()
        .map(|leaf| damage_type(leaf, attached))
        .collect()
}

fn damage_type(condition: &Expr, attached: &Attached) -> Option<String> {
    let ExprKind::Binary(Binary::Eq, left, right) = &condition.kind else {
        return None;
    };
    let is_type = |expr: &Expr| is_own(expr, "DAMAGE.TYPE");
    let word = match (is_type(left), is_type(right)) {
        (true, false) => attached.word(right),
        (false, true) => attached.word(left),
        _ => None,
    };
    word.map(|word| word.to_lowercase())
}
