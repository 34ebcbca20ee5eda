//! Prints expressions in infix form, for people: `8 + PROF + STR`.

use super::query::QUERIES;
use super::{Area, Binary, Expr, ExprKind};
use std::fmt;

/// An expression as people write it.
impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(self, 0))
    }
}

/// The precedence of an operator; operands of lower precedence get parentheses.
fn strength(operator: Binary) -> u8 {
    match operator {
        Binary::Or => 1,
        Binary::And => 2,
        operator if operator.compares() => 4,
        Binary::Add | Binary::Sub => 5,
        Binary::Mul | Binary::Div => 6,
        _ => 8,
    }
}

/// The text of an expression; in parentheses if it binds less than its surroundings.
fn text(expr: &Expr, around: u8) -> String {
    let (text, own) = match &expr.kind {
        ExprKind::Number(number) => (number.to_string(), 9),
        ExprKind::Word(word) => (word.clone(), 9),
        ExprKind::Noun(noun) => (noun.to_string(), 9),
        ExprKind::Attribute(place) => (place.to_string(), 9),
        ExprKind::Variable(number) => (format!("V{number}"), 9),
        ExprKind::Result => ("the result".to_owned(), 9),
        ExprKind::Not(value) => (format!("not {}", self::text(value, 4)), 3),
        ExprKind::Binary(operator, left, right) => binary(*operator, left, right),
        ExprKind::IfElse(condition, then, otherwise) => {
            let parts = [condition, then, otherwise].map(|part| self::text(part, 0));
            let [condition, then, otherwise] = parts;
            (format!("{then} if {condition}, else {otherwise}"), 0)
        }
        ExprKind::Query(query, operands) => {
            let info = QUERIES.iter().find(|info| info.query == *query);
            let words = info.map_or("", |info| info.words);
            (filled(words, operands), 4)
        }
        ExprKind::InArea(who, area) => (format!("{} is in {area}", self::text(who, 9)), 4),
        ExprKind::Store(value, place) => (format!("{place} := {}", self::text(value, 0)), 0),
        ExprKind::Before(first, then) => (
            format!("{}, then {}", self::text(first, 1), self::text(then, 1)),
            0,
        ),
        ExprKind::After(first, then) => (
            format!("{}, then {}", self::text(first, 1), self::text(then, 1)),
            0,
        ),
        ExprKind::Kept(_, value) => return self::text(value, around),
        ExprKind::Again(_) => ("the same".to_owned(), 9),
        ExprKind::Event(kind, operands) => (filled(kind.info().words, operands), 4),
    };
    match own < around {
        true => format!("({text})"),
        false => text,
    }
}

fn binary(operator: Binary, left: &Expr, right: &Expr) -> (String, u8) {
    let own = strength(operator);
    let symbol = match operator {
        Binary::Min | Binary::Max => {
            let (name, left, right) = (operator.symbol(), text(left, 0), text(right, 0));
            return (format!("{name}({left}, {right})"), 9);
        }
        Binary::And => "and",
        Binary::Or => "or",
        Binary::Eq => "is",
        Binary::Le => "≤",
        Binary::Ge => "≥",
        operator => operator.symbol(),
    };
    // The right side of a difference or a quotient has to bind more.
    let is_free = matches!(
        operator,
        Binary::Add | Binary::Mul | Binary::And | Binary::Or
    );
    let (left, right) = (text(left, own), text(right, own + u8::from(!is_free)));
    (format!("{left} {symbol} {right}"), own)
}

/// A text with operands in place of `{0}` and so on.
pub(in crate::features) fn filled(words: &str, operands: &[Expr]) -> String {
    let numbered = operands.iter().enumerate();
    numbered.fold(words.to_owned(), |words, (index, operand)| {
        words.replace(&format!("{{{index}}}"), &text(operand, 5))
    })
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(length, width) => write!(f, "a line {length} ft long and {width} ft wide"),
            Self::Cone(length) => write!(f, "a cone of {length} ft"),
        }
    }
}
