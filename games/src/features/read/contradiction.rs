//! Finds contradictions between the data of a feature and its own text. The data count; a note
//! reports the difference.

use crate::features::document::Node;
use crate::features::event::EventKind;
use crate::features::expr::{Binary, Expr, ExprKind, Query};
use crate::features::findings::Findings;
use crate::features::model::{Change, Feature, Subfeature};

/// Notes the differences between the data of a feature and its text.
pub(super) fn contradictions(feature: &Feature, node: &Node, findings: &mut Findings) {
    let text = feature.text.written().to_lowercase();
    let Some(at) = node.member("text") else {
        return;
    };
    let help = "the data are what acts; change one of the two";
    if text.contains("must succeed on") && feature.subfeatures.iter().any(needs_success) {
        let what = "says that a successful roll spares the creature, but the data apply the effect to those who succeed";
        findings.odd(at, what, help);
    }
    let says_die = text.contains("roll a d") || text.contains("rolls a d");
    if says_die && !feature.subfeatures.iter().any(rolls) {
        findings.odd(
            at,
            "says that a die is rolled, but the data roll none",
            help,
        );
    }
}

/// Whether a part affects targets whose roll reaches a number.
fn needs_success(part: &Subfeature) -> bool {
    let of_effects = part.effects.iter().flat_map(|effect| &effect.conditions);
    let mut conditions = part.conditions.iter().chain(of_effects);
    conditions.any(succeeds)
}

/// Whether it holds only if a roll is at least something.
fn succeeds(expr: &Expr) -> bool {
    let rolls = |expr: &Expr| matches!(expr.kind, ExprKind::Query(Query::Roll, _));
    match &expr.kind {
        ExprKind::Binary(Binary::And, left, right) => succeeds(left) || succeeds(right),
        ExprKind::Binary(Binary::Ge | Binary::Gt, left, _) => left.any(&rolls),
        ExprKind::Binary(Binary::Le | Binary::Lt, _, right) => right.any(&rolls),
        _ => false,
    }
}

/// Whether a part rolls dice.
fn rolls(part: &Subfeature) -> bool {
    let is_roll = |expr: &Expr| {
        matches!(
            expr.kind,
            ExprKind::Query(Query::Roll | Query::FailsSave, _)
                | ExprKind::Event(EventKind::Rolls, _)
        )
    };
    let events = part.trigger.alternatives.iter();
    let mut events = events.filter_map(|one| one.event.as_ref());
    let of_effects = part.effects.iter().flat_map(|effect| &effect.conditions);
    let mut conditions = part.conditions.iter().chain(of_effects);
    events.any(|event| event.kind == EventKind::Rolls)
        || conditions.any(|condition| condition.any(&is_roll))
        || part
            .effects
            .iter()
            .any(|effect| matches!(effect.change, Change::Damage(_)))
}
