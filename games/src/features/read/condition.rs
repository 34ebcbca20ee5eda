//! Conditions: postfix expressions and phrases, in all dialects of the format.

use super::phrase::{Found, Said};
use crate::features::document::{Node, Piece};
use crate::features::expr::{
    Area, Binary, Context, Expr, ExprKind, QUERIES, Query, Type, area, area_words, binary_type,
    fitted, number_of, parse, parse_kind,
};
use crate::features::findings::{At, Findings};
use crate::features::operand::Operand;
use dicec_lang::syntax::Code;

/// The meaning of a phrase as a condition.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    Query(Query),
    /// In an area.
    In,
    /// `N is within radius X of N`: at most so far away.
    Within,
    /// `N moved X distance straight toward N`: at least so far.
    Moved,
    /// Two values compared.
    Compared(Binary),
}

/// The phrases that are conditions. More special ones come first.
fn phrases() -> Vec<(Meaning, &'static str)> {
    let mut all = vec![
        (Meaning::In, "N is in AOE"),
        (Meaning::Within, "N is within radius X of N"),
        (Meaning::Moved, "N moved X distance straight toward N"),
    ];
    for query in QUERIES {
        let phrases = query.phrases.iter();
        all.extend(phrases.map(|phrase| (Meaning::Query(query.query), *phrase)));
    }
    all.extend([
        (Meaning::Compared(Binary::Eq), "N == N"),
        (Meaning::Compared(Binary::Le), "N <= N"),
        (Meaning::Compared(Binary::Ge), "N >= N"),
        (Meaning::Compared(Binary::Lt), "N < N"),
        (Meaning::Compared(Binary::Gt), "N > N"),
    ]);
    all
}

/// Reads the conditions of a member: one of them, or a list.
pub(super) fn conditions(node: &Node, findings: &mut Findings) -> Vec<Expr> {
    let Some(elements) = node.elements() else {
        return condition(node, findings).into_iter().collect();
    };
    // A phrase and its values in place of a list of conditions.
    if elements
        .first()
        .is_some_and(|first| first.piece().is_some())
        && elements.len() > 1
    {
        let said = Said::read(node, "a condition", &mut Findings::default());
        if said.is_some_and(|said| said.is_open(&phrases())) {
            let help = "put each condition into a list of its own: [[\"N can see N\", ...]]";
            findings.odd(node, "is one condition in place of a list of them", help);
            return condition(node, findings).into_iter().collect();
        }
    }
    let read = elements
        .iter()
        .filter_map(|element| condition(element, findings));
    read.collect()
}

/// Reads a condition.
fn condition(node: &Node, findings: &mut Findings) -> Option<Expr> {
    let said = Said::read(node, "a condition", findings)?;
    let table = phrases();
    let expr = match said.find(&table, findings).ok()? {
        Some(found) => phrase(found, &said, findings)?,
        None => operator(&said, &table, findings)?,
    };
    if expr.ty.is_truth() {
        return Some(expr);
    }
    let what = format!("gives {}, which is neither true nor false", expr.ty.words());
    let help = "compare it: (DAMAGE.TYPE,fire,==)";
    findings.error(Code::PostfixType, node, what, help);
    None
}

/// A condition that is a postfix expression, or the name of an operator and its values.
fn operator(said: &Said<'_>, table: &[(Meaning, &str)], findings: &mut Findings) -> Option<Expr> {
    if said.values.is_empty() {
        let has_operators = said.words.text.contains(',') || !said.words.text.contains(' ');
        if !has_operators {
            said.unknown("a condition", table, findings);
            return None;
        }
        return parse(said.words, findings);
    }
    match operator_text(said) {
        Some(text) if is_operator(said.words.text) => {
            reparse(said, &text, Context::Value, findings)
        }
        _ => {
            said.unknown("a condition", table, findings);
            None
        }
    }
}

fn is_operator(word: &str) -> bool {
    word == "in" || Query::named(word).is_some()
}

/// The postfix text of an operator before its values: `["hits", "self", "any"]`.
pub(super) fn operator_text(said: &Said<'_>) -> Option<String> {
    let mut text = String::new();
    for value in &said.values {
        if value.text.is_empty() {
            return None;
        }
        text += value.without('(', ')').text;
        text.push(',');
    }
    Some(text + said.words.text)
}

/// Reads a composed postfix text. Errors in it are reported at the whole value.
pub(super) fn reparse(
    said: &Said<'_>,
    text: &str,
    context: Context,
    findings: &mut Findings,
) -> Option<Expr> {
    let mut inner = Findings::default();
    let expr = parse_kind(Piece::typed(text), context, &mut inner);
    findings.moved(&inner, &said.words);
    expr.map(|expr| expr.at(said.words.span()))
}

/// A condition that is a phrase.
fn phrase(found: Found<'_, Meaning>, said: &Said<'_>, findings: &mut Findings) -> Option<Expr> {
    let values = &found.values;
    let at = &said.words;
    let span = at.span();
    let mut who = |index: usize| operand(values, index, Operand::Who, at, findings);
    let (kind, ty) = match found.meaning {
        Meaning::Query(query) => return query_of(query, values, at, findings),
        Meaning::In => {
            let who = who(0)?;
            let area = area_of(*values.get(1)?, findings)?;
            (ExprKind::InArea(Box::new(who), area), Type::Truth)
        }
        Meaning::Within => {
            let (one, other) = (who(0)?, who(2)?);
            let radius = operand(values, 1, Operand::Number, at, findings)?;
            let distance = query(Query::Distance, vec![one, other], span);
            (binary(Binary::Le, distance, radius), Type::Truth)
        }
        Meaning::Moved => {
            let (one, other) = (who(0)?, who(2)?);
            let least = operand(values, 1, Operand::Number, at, findings)?;
            let moved = query(Query::MovedTo, vec![one, other], span);
            (binary(Binary::Ge, moved, least), Type::Truth)
        }
        Meaning::Compared(operator) => {
            let left = parse(values.first()?.without('{', '}'), findings)?;
            let right = parse(values.get(1)?.without('{', '}'), findings)?;
            if binary_type(operator, &left, &right).is_none() {
                let (one, other) = (left.ty.words(), right.ty.words());
                let what = format!("compares {one} with {other}");
                findings.error(Code::PostfixType, at, what, "compare values of one kind");
                return None;
            }
            (binary(operator, left, right), Type::Truth)
        }
    };
    Some(Expr::new(kind, ty, span))
}

fn query(query: Query, operands: Vec<Expr>, span: dicec_runtime::span::Span) -> Expr {
    Expr::new(ExprKind::Query(query, operands), query.info().ty, span)
}

fn binary(operator: Binary, left: Expr, right: Expr) -> ExprKind {
    ExprKind::Binary(operator, Box::new(left), Box::new(right))
}

fn query_of(
    query: Query,
    values: &[Piece<'_>],
    at: &Piece<'_>,
    findings: &mut Findings,
) -> Option<Expr> {
    let info = query.info();
    let wanted = info.operands.iter().enumerate();
    let operands = wanted.map(|(index, wanted)| operand(values, index, *wanted, at, findings));
    let operands: Vec<Option<Expr>> = operands.collect();
    let operands = operands.into_iter().collect::<Option<_>>()?;
    Some(self::query(query, operands, at.span()))
}

/// A value of a phrase.
fn operand(
    values: &[Piece<'_>],
    index: usize,
    wanted: Operand,
    at: &Piece<'_>,
    findings: &mut Findings,
) -> Option<Expr> {
    let value = values.get(index)?.without('{', '}');
    let expr = parse(value, findings)?;
    fitted(expr, wanted, &value, at.text, findings)
}

/// An area: `line 60 5`.
fn area_of(value: Piece<'_>, findings: &mut Findings) -> Option<Area> {
    match area_words(value) {
        Some(words) => area(value, &words, findings),
        None => {
            let what = format!("has `{}`, which is not an area", value.text);
            let help = "an area is `line LENGTH WIDTH` or `cone LENGTH`, in feet";
            findings.error(Code::BadFeature, &value, what, help);
            None
        }
    }
}

/// A value that has to be a number.
pub(super) fn number(value: Piece<'_>, findings: &mut Findings) -> Option<Expr> {
    number_of(value.without('{', '}'), findings)
}
