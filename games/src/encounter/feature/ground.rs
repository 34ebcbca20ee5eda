//! Features that make the ground around their owner difficult, in fights with distances.

use super::attached::Attached;
use super::parts::{assigned, is_until, operands_are};
use crate::encounter::plan::Ground;
use crate::features::{Binary, EventKind, Expr, ExprKind, Noun, Query, Subfeature};

/// The ground of a part that makes it difficult from the end of each turn of its creature to the
/// start of its next one.
pub(super) fn ground(part: &Subfeature, attached: &Attached) -> Option<Ground> {
    let ([alternative], [effect]) = (&part.trigger.alternatives[..], &part.effects[..]) else {
        return None;
    };
    let event = alternative.event.as_ref()?;
    let is_at_end = event.kind == EventKind::TurnEnd && event.nouns == [Noun::Myself];
    let (place, value) = assigned(&effect.change)?;
    let is_it = place.owner == Noun::Terrain
        && place.attribute.to_string() == "TERRAIN_IS_DIFFICULT"
        && attached.number(value).is_some_and(|value| value != 0.0);
    let is_over = is_until(&effect.duration, EventKind::TurnStart, &[Noun::Myself]);
    let is_plain = alternative.condition.is_none()
        && part.conditions.is_empty()
        && part.recharge.is_none()
        && effect.target == Noun::Terrain;
    let [condition] = &effect.conditions[..] else {
        return None;
    };
    let feet = within(condition, attached)?;
    (is_at_end && is_it && is_over && is_plain && attached.has_positions).then_some(Ground { feet })
}

/// The maximum distance of a condition that only limits the distance to the creature.
fn within(condition: &Expr, attached: &Attached) -> Option<u32> {
    let ExprKind::Binary(Binary::Le, left, right) = &condition.kind else {
        return None;
    };
    match &left.kind {
        ExprKind::Query(Query::Distance, operands)
            if operands_are(operands, &Noun::Terrain, &Noun::Myself) =>
        {
            attached.feet(right).filter(|feet| *feet > 0)
        }
        _ => None,
    }
}
