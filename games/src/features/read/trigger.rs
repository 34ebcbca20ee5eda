//! Triggers: `["N hits N", "self", "any"]`, `["hits", "self", "any"]`, `"self,any,hits"`.

use super::condition::{number, operator_text, reparse};
use super::phrase::{Found, Said};
use crate::features::document::{Node, Piece};
use crate::features::event::{EVENTS, EventKind};
use crate::features::expr::{Binary, Context, Expr, ExprKind, Type, fitted, parse, parse_kind};
use crate::features::findings::Findings;
use crate::features::noun::Noun;
use crate::features::operand::Operand;
use crate::features::trigger::{Alternative, Event, Trigger};
use dicec_lang::syntax::Code;

/// The phrases that are triggers.
pub(super) fn phrases() -> Vec<(EventKind, &'static str)> {
    let mut all = Vec::new();
    for event in EVENTS {
        let phrases = event.phrases.iter();
        all.extend(phrases.map(|phrase| (event.kind, *phrase)));
    }
    all
}

/// Reads a trigger.
pub(super) fn trigger(node: &Node, findings: &mut Findings) -> Option<Trigger> {
    let said = Said::read(node, "a trigger", findings)?;
    trigger_said(&said, findings)
}

/// Reads a trigger of these words.
pub(super) fn trigger_said(said: &Said<'_>, findings: &mut Findings) -> Option<Trigger> {
    let table = phrases();
    if let Some(found) = said.find(&table, findings).ok()? {
        let event = phrase(found, said, findings)?;
        return Some(Trigger {
            alternatives: vec![Alternative {
                event: Some(event),
                condition: None,
            }],
        });
    }
    let text = said.words.text;
    let is_named = EventKind::named(text).is_some();
    let expr = match (said.values.is_empty(), operator_text(said)) {
        (true, _) if text.contains(',') || is_named => {
            parse_kind(said.words, Context::Trigger, findings)?
        }
        (false, Some(postfix)) if is_named => reparse(said, &postfix, Context::Trigger, findings)?,
        _ => {
            said.unknown("a trigger", &table, findings);
            return None;
        }
    };
    let alternatives = alternatives(expr, &said.words, findings)?;
    Some(Trigger { alternatives })
}

fn phrase(found: Found<'_, EventKind>, said: &Said<'_>, findings: &mut Findings) -> Option<Event> {
    let wanted = found.meaning.info().operands;
    let mut operands = Vec::new();
    for (value, wanted) in found.values.iter().zip(wanted) {
        let value = value.without('{', '}');
        operands.push(match wanted {
            Operand::Number => number(value, findings)?,
            wanted => {
                let expr = parse(value, findings)?;
                fitted(expr, *wanted, &value, said.words.text, findings)?
            }
        });
    }
    event(found.meaning, operands, &said.words, findings)
}

/// An event of these operands.
fn event(
    kind: EventKind,
    operands: Vec<Expr>,
    at: &Piece<'_>,
    findings: &mut Findings,
) -> Option<Event> {
    let mut nouns = Vec::new();
    let mut number = None;
    for operand in operands {
        match operand.kind {
            ExprKind::Noun(noun) => nouns.push(noun),
            _ if operand.ty.is_number() && kind.info().operands.contains(&Operand::Number) => {
                number = Some(operand);
            }
            _ => {
                let what = format!("has `{operand}` where `{}` wants a noun", kind.name());
                let nouns: Vec<&str> = Noun::words().collect();
                let help = format!("nouns are {}, and names", nouns.join(", "));
                findings.error(Code::PostfixType, at, what, help);
                return None;
            }
        }
    }
    Some(Event {
        kind,
        nouns,
        number,
    })
}

/// The alternatives of a trigger: events joined by `|`, each with the conditions that `&` joins to
/// it.
fn alternatives(expr: Expr, at: &Piece<'_>, findings: &mut Findings) -> Option<Vec<Alternative>> {
    if expr.ty.is_truth() {
        return Some(vec![Alternative {
            event: None,
            condition: Some(expr),
        }]);
    }
    match expr.kind {
        ExprKind::Event(kind, operands) => {
            let event = Some(event(kind, operands, at, findings)?);
            let condition = None;
            Some(vec![Alternative { event, condition }])
        }
        ExprKind::Binary(Binary::Or, left, right) => {
            let mut all = alternatives(*left, at, findings)?;
            all.extend(alternatives(*right, at, findings)?);
            Some(all)
        }
        ExprKind::Binary(Binary::And, left, right) => {
            let (events, condition) = match (left.ty, right.ty) {
                (Type::Event, ty) if ty.is_truth() => (left, right),
                (ty, Type::Event) if ty.is_truth() => (right, left),
                _ => {
                    let help = "two triggers cannot happen at once: join them with `|`";
                    findings.error(Code::BadPostfix, at, "joins two triggers with `&`", help);
                    return None;
                }
            };
            let all = alternatives(*events, at, findings)?.into_iter();
            Some(all.map(|one| with(one, &condition)).collect())
        }
        _ => {
            let help = "a trigger can be joined with `&` to a condition, and with `|` to a trigger";
            findings.error(Code::BadPostfix, at, "calculates with a trigger", help);
            None
        }
    }
}

/// An alternative with one more condition.
fn with(mut alternative: Alternative, condition: &Expr) -> Alternative {
    alternative.condition = Some(match alternative.condition.take() {
        None => condition.clone(),
        Some(other) => {
            let span = other.span.to(condition.span);
            let both = (Box::new(other), Box::new(condition.clone()));
            Expr::new(
                ExprKind::Binary(Binary::And, both.0, both.1),
                Type::Truth,
                span,
            )
        }
    });
    alternative
}

/// Whether a value is probably meant as a trigger, where other values are possible.
pub(super) fn is_like_a_trigger(said: &Said<'_>) -> bool {
    let text = said.words.text;
    let mut quiet = Findings::default();
    EventKind::named(text).is_some()
        || text.contains(',')
        || matches!(said.find(&phrases(), &mut quiet), Ok(Some(_)) | Err(()))
}
