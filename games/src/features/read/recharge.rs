//! Reads recharges: the limit on the uses of a part, and the time at which they come back.

use super::condition::number;
use crate::features::document::{Node, Piece};
use crate::features::expr::Expr;
use crate::features::findings::{At, Findings};
use crate::features::model::{Recharge, Restore};
use dicec_lang::syntax::Code;

const HELP: &str = "write a number of uses and when they come back: [1, \"5-6\"]; also \"turn\", \"short rest\" or \"long rest\"";

/// Reads a recharge.
pub(super) fn recharge(node: &Node, findings: &mut Findings) -> Option<Recharge> {
    if let Some(piece) = node.piece() {
        let back = restore(piece, findings)?;
        let what = "has no number of uses, which is read as 1";
        findings.odd(node, what, "write [1, \"5-6\"]");
        let uses = number(Piece::typed("1"), findings)?.at(node.span());
        return Some(Recharge { uses, back });
    }
    match node.elements() {
        Some([uses, back]) => {
            let uses = uses_of(uses, findings);
            let back = match back.piece() {
                Some(piece) => restore(piece, findings),
                None => wrong(back, findings),
            };
            Some(Recharge {
                uses: uses?,
                back: back?,
            })
        }
        _ => wrong(node, findings),
    }
}

fn wrong<T>(node: &Node, findings: &mut Findings) -> Option<T> {
    findings.error(Code::BadFeature, node, "is not a recharge", HELP);
    None
}

fn uses_of(node: &Node, findings: &mut Findings) -> Option<Expr> {
    let Some(piece) = node.piece() else {
        return wrong(node, findings);
    };
    let uses = number(piece, findings)?;
    if let super::super::expr::ExprKind::Number(count) = uses.kind
        && (count < 1.0 || count.fract() != 0.0)
    {
        let what = format!("is {count}, not a number of uses");
        findings.error(Code::BadFeature, node, what, HELP);
        return None;
    }
    Some(uses)
}

fn restore(piece: Piece<'_>, findings: &mut Findings) -> Option<Restore> {
    let text = piece.text.trim().to_lowercase();
    match text.as_str() {
        "turn" => return Some(Restore::Turn),
        "short rest" => return Some(Restore::ShortRest),
        "long rest" => return Some(Restore::LongRest),
        _ => {}
    }
    let range = text
        .split_once('-')
        .or(Some((text.as_str(), text.as_str())));
    let range = range.and_then(|(from, to)| {
        let number = |text: &str| text.trim().parse::<u8>().ok();
        Some((number(from)?, number(to)?))
    });
    match range {
        Some((from, to)) if 1 <= from && from <= to && to <= 6 => Some(Restore::OnD6 { from, to }),
        Some((from, to)) => {
            let what = format!("has `{from}-{to}`, which is not a range on a d6");
            let help = "write numbers from 1 to 6, the smaller one first: \"5-6\"";
            findings.error(Code::BadFeature, &piece, what, help);
            None
        }
        None => {
            let what = format!(
                "has `{}`, which does not say when uses come back",
                piece.text
            );
            findings.error(Code::BadFeature, &piece, what, HELP);
            None
        }
    }
}
