//! Evaluates expressions with known values. Other attributes have their defaults.

use super::given::Values;
use super::operator::{NoNumber, truth};
use super::parse::parse;
use super::query::Query;
use super::value::Value;
use super::{Area, Binary, Expr, ExprKind, Place};
use crate::features::attribute::Default;
use crate::features::document::Piece;
use crate::features::findings::Findings;
use crate::features::noun::Noun;
use dicec_lang::syntax::{Advice, Code, Diagnostic};
use dicec_runtime::bug;
use dicec_runtime::span::Span;
use std::collections::BTreeMap;
use thiserror::Error;

/// The result of an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Its value.
    pub value: Value,
    /// The values that it stored, by place.
    pub stored: BTreeMap<String, Value>,
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what}")]
pub struct Wrong {
    /// Its stable code.
    pub code: Code,
    /// The error.
    pub what: String,
    /// Where.
    pub span: Span,
    /// The name of a value that has to be given, if that is the reason: `creature.STR`.
    pub missing: Option<String>,
}

impl Wrong {
    /// As a finding about the text of the expression.
    pub fn diagnostic(&self) -> Diagnostic {
        let found = Diagnostic::error(self.code, self.span, &self.what);
        match &self.missing {
            Some(name) => found.advise(Advice::GiveValue(name.clone())),
            None => found.help("give it other values"),
        }
    }
}

/// Evaluates an expression.
///
/// # Errors
/// A value that is missing or of the wrong kind, a division by 0, or a number that is too large or
/// not real.
pub fn evaluate(expr: &Expr, values: &Values) -> Result<Evaluation, Wrong> {
    let mut machine = Machine {
        values,
        stored: BTreeMap::new(),
        kept: BTreeMap::new(),
        depth: 0,
    };
    let value = machine.value(expr)?;
    let stored = machine.stored;
    Ok(Evaluation { value, stored })
}

struct Machine<'v> {
    values: &'v Values,
    stored: BTreeMap<String, Value>,
    kept: BTreeMap<u32, Value>,
    /// The depth of nested formulas of attributes.
    depth: u32,
}

impl Machine<'_> {
    fn value(&mut self, expr: &Expr) -> Result<Value, Wrong> {
        Ok(match &expr.kind {
            ExprKind::Number(number) => Value::Number(*number),
            ExprKind::Word(word) => Value::Word(word.clone()),
            ExprKind::Noun(noun) => self.noun(noun),
            ExprKind::Attribute(place) => self.attribute(place, expr.span)?,
            ExprKind::Variable(number) => self.given(&format!("V{number}"), expr.span)?,
            ExprKind::Result => self.given("V0", expr.span)?,
            ExprKind::Not(value) => {
                let value = self.value(value)?;
                Value::Number(truth(!is_true(&value)))
            }
            ExprKind::Binary(operator, left, right) => {
                let (one, other) = (self.value(left)?, self.value(right)?);
                binary(*operator, one, other, expr.span)?
            }
            ExprKind::IfElse(condition, then, otherwise) => {
                let condition = self.value(condition)?;
                let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
                if is_true(&condition) { then } else { otherwise }
            }
            ExprKind::Query(query, operands) => self.query(*query, operands, expr.span)?,
            ExprKind::InArea(who, area) => {
                let who = match &who.kind {
                    ExprKind::Noun(noun) => noun.to_string(),
                    _ => self.value(who)?.to_string(),
                };
                let area = self.area(area)?;
                self.given(&format!("in({who},{area})"), expr.span)?
            }
            ExprKind::Store(value, place) => {
                let value = self.value(value)?;
                self.stored.insert(place.to_string(), value.clone());
                value
            }
            ExprKind::Before(first, then) => {
                let value = self.value(first)?;
                self.value(then)?;
                value
            }
            ExprKind::After(first, then) => {
                self.value(first)?;
                self.value(then)?
            }
            ExprKind::Kept(number, value) => {
                let value = self.value(value)?;
                self.kept.insert(*number, value.clone());
                value
            }
            ExprKind::Again(number) => {
                let kept = self.kept.get(number).cloned();
                kept.unwrap_or_else(|| bug!("a value that was not kept").raise())
            }
            ExprKind::Event(kind, _) => {
                let what = format!("`{}` is a trigger and has no value", kind.name());
                return Err(wrong(Code::PostfixType, what, expr.span));
            }
        })
    }

    /// A noun's value: the one that is given, or the noun itself.
    fn noun(&self, noun: &Noun) -> Value {
        let name = noun.to_string();
        let given = self.values.get(&name).cloned();
        given.unwrap_or(Value::Word(name))
    }

    fn given(&self, name: &str, span: Span) -> Result<Value, Wrong> {
        let value = self.stored.get(name).or_else(|| self.values.get(name));
        value.cloned().ok_or_else(|| missing(name, span))
    }

    /// An attribute: the value stored to it, the given one, or its default.
    fn attribute(&mut self, place: &Place, span: Span) -> Result<Value, Wrong> {
        let name = place.to_string();
        match (self.given(&name, span), place.attribute.default()) {
            (Ok(value), _) => Ok(value),
            (Err(_), Default::Number(number)) => Ok(Value::Number(number)),
            (Err(_), Default::Formula(text)) => self.formula(text, place, span),
            (Err(missing), Default::None) => Err(missing),
        }
    }

    /// The default of an attribute that is a formula, of attributes of the same creature.
    fn formula(&mut self, text: &str, place: &Place, span: Span) -> Result<Value, Wrong> {
        let formula = parse(Piece::typed(text), &mut Findings::default());
        let mut formula = formula.unwrap_or_else(|| bug!("a default is wrong: {text}").raise());
        owned(&mut formula, &place.owner, span);
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            bug!("defaults that need each other").raise();
        }
        let value = self.value(&formula);
        self.depth -= 1;
        value
    }

    fn query(&mut self, query: Query, operands: &[Expr], span: Span) -> Result<Value, Wrong> {
        let mut values = Vec::new();
        for operand in operands {
            // A question is about somebody, whatever id is given for whom.
            values.push(match &operand.kind {
                ExprKind::Noun(noun) => noun.to_string(),
                _ => self.value(operand)?.to_string(),
            });
        }
        let key = |values: &[String]| format!("{}({})", query.name(), values.join(","));
        let name = key(&values);
        let found = self.given(&name, span);
        if query.is_symmetric() && found.is_err() {
            values.reverse();
            return self.given(&key(&values), span).or(found);
        }
        found
    }

    fn area(&mut self, area: &Area) -> Result<String, Wrong> {
        Ok(match area {
            Area::Line(length, width) => {
                format!("line {} {}", self.value(length)?, self.value(width)?)
            }
            Area::Cone(length) => format!("cone {}", self.value(length)?),
        })
    }
}

/// Formulas of defaults use attributes that have no formula of their own.
const MAX_DEPTH: u32 = 4;

/// Makes the attributes of a formula those of a creature, all at one location.
fn owned(expr: &mut Expr, owner: &Noun, span: Span) {
    expr.each(&mut |part| {
        part.span = span;
        if let ExprKind::Attribute(place) = &mut part.kind {
            place.owner = owner.clone();
        }
    });
}

fn binary(operator: Binary, left: Value, right: Value, span: Span) -> Result<Value, Wrong> {
    if let (Value::Number(left), Value::Number(right)) = (&left, &right) {
        let value = operator.of_numbers(*left, *right);
        return value.map(Value::Number).map_err(|why| {
            let (code, why) = match why {
                NoNumber::DivisionByZero => (Code::DivisionByZero, "is a division by zero"),
                NoNumber::NotReal => (Code::NoRealResult, "is not a real number"),
                NoNumber::TooLarge => (Code::Overflow, "is too large a number"),
            };
            let what = format!("({left},{right},{}) {why}", operator.symbol());
            wrong(code, what, span)
        });
    }
    // Words and creatures are not numbers: they are true, and can be equal.
    match operator {
        Binary::And if !is_true(&right) => Ok(Value::Number(0.0)),
        Binary::And => Ok(left),
        Binary::Or if !is_true(&left) => Ok(right),
        Binary::Or => Ok(left),
        Binary::Eq => Ok(Value::Number(truth(same(&left, &right)))),
        _ => {
            let word = if matches!(left, Value::Word(_)) {
                left
            } else {
                right
            };
            let what = format!(
                "`{word}` is a word, and `{}` needs numbers",
                operator.symbol()
            );
            Err(wrong(Code::PostfixType, what, span))
        }
    }
}

/// Whether two values are equal. Capitals of words do not matter.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Word(one), Value::Word(other)) => one.eq_ignore_ascii_case(other),
        (one, other) => one == other,
    }
}

fn is_true(value: &Value) -> bool {
    *value != Value::Number(0.0)
}

fn wrong(code: Code, what: String, span: Span) -> Wrong {
    Wrong {
        code,
        what,
        span,
        missing: None,
    }
}

fn missing(name: &str, span: Span) -> Wrong {
    let name = name.to_owned();
    Wrong {
        code: Code::MissingValue,
        what: format!("`{name}` has no value"),
        span,
        missing: Some(name),
    }
}
