//! Reads effects: change, target and duration.

use super::change::change;
use super::condition::conditions;
use super::duration::duration;
use super::members::unknown_members;
use crate::features::document::Node;
use crate::features::findings::{At, Findings};
use crate::features::model::{Duration, Effect, Recharge};
use crate::features::noun::Noun;
use dicec_lang::syntax::{Code, nearest};

/// The names under which conditions of an effect are written.
const CONDITIONS: [&str; 4] = [
    "condition",
    "conditions",
    "effect conditions",
    "effect condition",
];

/// Reads an effect. The second value is a recharge that is written in it, although it belongs to
/// the whole subfeature.
pub(super) fn effect(node: &Node, findings: &mut Findings) -> (Option<Effect>, Option<Recharge>) {
    if node.members().next().is_none() {
        let what = format!("is {}, not an effect", node.kind());
        let help = "an effect is an object with the members `target` and `effect`";
        findings.error(Code::BadFeature, node, what, help);
        return (None, None);
    }
    let known = ["target", "effect", "duration", "recharge"];
    unknown_members(node, &[&known[..], &CONDITIONS].concat(), findings);
    let mut all = Vec::new();
    for name in CONDITIONS {
        if let Some(member) = node.member(name) {
            all.extend(conditions(member, findings));
        }
    }
    let recharge = node.member("recharge").and_then(|member| {
        let help = "it belongs to the subfeature, next to `trigger`";
        findings.odd(
            member,
            "stands in an effect, and is read as that of the subfeature",
            help,
        );
        super::recharge::recharge(member, findings)
    });
    let target = target(node, findings);
    let change = match node.member("effect") {
        Some(member) => change(member, findings),
        None => {
            let help = "write what happens: \"effect\": [\"Impose disadvantage\"]";
            findings.error(Code::BadFeature, node, "needs a member `effect`", help);
            None
        }
    };
    let lasts = match node.member("duration") {
        Some(member) => duration(member, findings),
        None => Some(Duration::Instant),
    };
    let effect = match (target, change, lasts) {
        (Some(target), Some(change), Some(duration)) => Some(Effect {
            target,
            conditions: all,
            change,
            duration,
            span: node.span(),
        }),
        _ => None,
    };
    (effect, recharge)
}

fn target(node: &Node, findings: &mut Findings) -> Option<Noun> {
    let Some(member) = node.member("target") else {
        let help = "say whom it happens to: \"target\": \"creature\"";
        findings.error(Code::BadFeature, node, "needs a member `target`", help);
        return None;
    };
    let Some(piece) = member.piece().filter(|piece| !piece.text.trim().is_empty()) else {
        let what = format!("is {}, not a noun", member.kind());
        let nouns: Vec<&str> = Noun::words().collect();
        let help = format!("nouns are {}, and names", nouns.join(", "));
        findings.error(Code::BadFeature, member, what, help);
        return None;
    };
    let word = piece.text.trim();
    let noun = Noun::of_word(word);
    if noun.is_none()
        && let Some(near) = nearest(word, Noun::words())
    {
        let what = format!("is `{word}`, which is read as a name");
        findings.odd(member, what, format!("did you mean `{near}`?"));
    }
    Some(noun.unwrap_or_else(|| Noun::Named(word.to_owned())))
}
