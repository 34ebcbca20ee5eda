//! Features and their parts.

use super::condition::conditions;
use super::contradiction::contradictions;
use super::effect::effect;
use super::members::unknown_members;
use super::recharge::recharge;
use super::trigger::trigger;
use crate::features::document::{Json, Node, Piece, parse};
use crate::features::event::Outcome;
use crate::features::expr::{self, Binary, Expr, ExprKind, Type};
use crate::features::findings::{At, Findings};
use crate::features::model::{Effect, Feature, Recharge, Subfeature};
use crate::features::template::Template;
use crate::features::trigger::Trigger;
use dicec_lang::syntax::{Code, Diagnostics};

/// Reads the features of a file: one, or a list of them. All findings are reported in reading
/// order; if there are errors, the erroneous parts are missing from the features.
pub fn read_features(text: &str) -> (Vec<Feature>, Diagnostics) {
    let mut findings = Findings::default();
    let root = match parse(text, &mut findings) {
        Ok(root) => root,
        Err(wrong) => return (Vec::new(), wrong.into()),
    };
    let features = match root.elements() {
        Some(elements) => {
            let read = elements
                .iter()
                .filter_map(|node| feature(node, &mut findings));
            read.collect()
        }
        None => feature(&root, &mut findings).into_iter().collect(),
    };
    (features, findings.into_sorted())
}

/// Reads a postfix expression. `None` if it is wrong, which the findings say.
pub fn read_expression(text: &str) -> (Option<Expr>, Diagnostics) {
    let mut findings = Findings::default();
    let expr = expr::parse(Piece::typed(text).trimmed(), &mut findings);
    (expr, findings.into_sorted())
}

fn feature(node: &Node, findings: &mut Findings) -> Option<Feature> {
    if node.members().next().is_none() {
        let what = format!("is {}, not a feature", node.kind());
        let help = "a feature is an object with the members `name`, `text` and `subfeatures`";
        findings.error(Code::BadFeature, node, what, help);
        return None;
    }
    unknown_members(node, &["name", "text", "subfeatures"], findings);
    let name = template(node, "name", findings);
    let text = template(node, "text", findings);
    let subfeatures = match node.member("subfeatures") {
        None => {
            let help = "write its parts: \"subfeatures\": [{\"trigger\": ..., \"effects\": [...]}]";
            findings.error(Code::BadFeature, node, "needs a member `subfeatures`", help);
            Vec::new()
        }
        Some(member) => match member.elements() {
            Some(elements) => {
                let read = elements
                    .iter()
                    .filter_map(|part| subfeature(part, findings));
                read.collect()
            }
            None => {
                let what = format!("is {}, not a list", member.kind());
                let help = "put the parts of the feature into a list: [{...}]";
                findings.error(Code::BadFeature, member, what, help);
                Vec::new()
            }
        },
    };
    let (name, text) = (name?, text?);
    let mut feature = Feature {
        name,
        text,
        subfeatures,
    };
    results(&mut feature, node, findings);
    contradictions(&feature, node, findings);
    Some(feature)
}

fn template(node: &Node, name: &str, findings: &mut Findings) -> Option<Template> {
    let is_text = |member: &Node| matches!(member.json, Json::Text { .. });
    let member = node.member(name);
    match member.map(|member| (member, member.piece().filter(|_| is_text(member)))) {
        Some((_, Some(piece))) => Some(Template::read(piece, findings)),
        Some((member, None)) => {
            let what = format!("is {}, not a text", member.kind());
            findings.error(Code::BadFeature, member, what, "write it in double quotes");
            None
        }
        None => {
            let what = format!("needs a member `{name}`");
            let help = "a feature has the members `name`, `text` and `subfeatures`";
            findings.error(Code::BadFeature, node, what, help);
            None
        }
    }
}

fn subfeature(node: &Node, findings: &mut Findings) -> Option<Subfeature> {
    if node.members().next().is_none() {
        let what = format!("is {}, not a part of a feature", node.kind());
        let help = "a part is an object with the members `trigger`, `conditions` and `effects`";
        findings.error(Code::BadFeature, node, what, help);
        return None;
    }
    let known = ["trigger", "condition", "conditions", "effects", "recharge"];
    unknown_members(node, &known, findings);
    let trigger = match node.member("trigger") {
        Some(member) => trigger(member, findings),
        None => {
            let help = "say when it acts: \"trigger\": [\"action\"]";
            findings.error(Code::BadFeature, node, "needs a member `trigger`", help);
            None
        }
    };
    let mut all = Vec::new();
    for name in ["condition", "conditions"] {
        if let Some(member) = node.member(name) {
            all.extend(conditions(member, findings));
        }
    }
    let own = node
        .member("recharge")
        .and_then(|member| recharge(member, findings));
    let (effects, misplaced) = effects(node, findings);
    Some(Subfeature {
        trigger: trigger?,
        conditions: all,
        effects,
        recharge: own.or(misplaced),
        span: node.span(),
    })
}

fn effects(node: &Node, findings: &mut Findings) -> (Vec<Effect>, Option<Recharge>) {
    let Some(member) = node.member("effects") else {
        let help = "say what happens: \"effects\": [{\"target\": ..., \"effect\": ...}]";
        findings.error(Code::BadFeature, node, "needs a member `effects`", help);
        return (Vec::new(), None);
    };
    let Some(elements) = member.elements() else {
        let what = format!("is {}, not a list", member.kind());
        let help = "put the effects into a list: [{\"target\": ..., \"effect\": ...}]";
        findings.error(Code::BadFeature, member, what, help);
        return (Vec::new(), None);
    };
    if elements.is_empty() {
        findings.odd(
            member,
            "is empty: nothing happens",
            "add an effect, or remove the part",
        );
    }
    let mut all = Vec::new();
    let mut misplaced = None;
    for element in elements {
        let (read, recharge) = effect(element, findings);
        all.extend(read);
        misplaced = misplaced.or(recharge);
    }
    (all, misplaced)
}

/// Where `V0` is the result of the trigger and not a variable: it is compared with a word, the
/// trigger has a result, and no text of the feature uses `V0`.
fn results(feature: &mut Feature, node: &Node, findings: &mut Findings) {
    if feature.text.uses(0) || feature.name.uses(0) {
        return;
    }
    for part in &mut feature.subfeatures {
        if !has_result(&part.trigger) {
            continue;
        }
        let mut found = None;
        let mut replace = |expr: &mut Expr| {
            let ExprKind::Binary(Binary::Eq, left, right) = &mut expr.kind else {
                return;
            };
            let (one, other) = (left.ty, right.ty);
            for (variable, other) in [(left, other), (right, one)] {
                if variable.kind == ExprKind::Variable(0) && other == Type::Word {
                    variable.kind = ExprKind::Result;
                    found = Some(expr.span);
                }
            }
        };
        let of_effects = part.effects.iter_mut();
        let of_effects = of_effects.flat_map(|effect| effect.conditions.iter_mut());
        for condition in part.conditions.iter_mut().chain(of_effects) {
            condition.each(&mut replace);
        }
        if let Some(span) = found {
            let what = "has `V0` for what the trigger results in";
            let help = "no text uses V0, so it is not read as a variable";
            findings.odd(node.around(span), what, help);
        }
    }
}

fn has_result(trigger: &Trigger) -> bool {
    let mut events = trigger
        .alternatives
        .iter()
        .filter_map(|one| one.event.as_ref());
    events.any(|event| {
        matches!(
            event.kind.outcome(),
            Outcome::RollClass | Outcome::Spell | Outcome::Attack
        )
    })
}
