//! Values that are given to an expression by name: `INT`, `creature.STR`, `V0`,
//! `distance(creature,self)`.

use super::build::Context;
use super::parse::parse_kind;
use super::value::Value;
use super::{Expr, ExprKind, Query};
use crate::features::attribute::Kind;
use crate::features::document::Piece;
use crate::features::findings::Findings;
use std::collections::BTreeMap;
use thiserror::Error;

/// Values by their names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values(BTreeMap<String, Value>);

/// Why a value cannot be given.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what}")]
pub struct Refused {
    /// The error in its name or in the value.
    pub what: String,
    /// A suggestion.
    pub help: String,
}

impl Values {
    /// Sets the value of a name, as an expression writes it.
    pub fn set(&mut self, name: impl Into<String>, value: Value) {
        self.0.insert(name.into(), value);
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// Sets a value as typed: `creature.STR` and `3`, `V0` and `horn`, `distance(creature, self)`
    /// and `10`, `FLYING` and `true`.
    ///
    /// # Errors
    /// The name does not exist, or does not take this value.
    pub fn give(&mut self, name: &str, value: &str) -> Result<(), Refused> {
        let (name, holds) = named(name.trim())?;
        let number = value.trim().parse::<f64>().ok();
        let number = number.filter(|number| number.is_finite() && number.abs() <= MAX_GIVEN);
        let value = match (value.trim(), number, holds) {
            (_, Some(number), Holds::Number | Holds::Any) => Value::Number(number + 0.0),
            ("true", _, Holds::Number) => Value::Number(1.0),
            ("false", _, Holds::Number) => Value::Number(0.0),
            (word, _, Holds::Word | Holds::Any) if !word.is_empty() => Value::Word(word.to_owned()),
            (other, ..) => {
                return Err(Refused {
                    what: format!("`{name}` cannot be `{other}`"),
                    help: match holds {
                        Holds::Number => "it is a number, or `true` or `false`".to_owned(),
                        _ => "it is a word".to_owned(),
                    },
                });
            }
        };
        self.set(name, value);
        Ok(())
    }
}

/// The greatest number that can be given.
const MAX_GIVEN: f64 = 1e12;

/// The kind of value that a name takes.
#[derive(Clone, Copy, Debug)]
enum Holds {
    Number,
    Word,
    Any,
}

/// A name as expressions write it, and the kind of value that it takes.
fn named(name: &str) -> Result<(String, Holds), Refused> {
    let refused = |help: String| Refused {
        what: format!("nothing is called `{name}`"),
        help,
    };
    let general = "names are attributes (INT, creature.STR), variables (V0), nouns, and \
                   conditions such as distance(creature,self)";
    // `distance(creature,self)` is asked as `(creature,self,distance)`.
    let (text, is_call) = match name.strip_suffix(')').and_then(|name| name.split_once('(')) {
        Some((operator, operands)) => (format!("{operands},{}", operator.trim()), true),
        None => (name.to_owned(), false),
    };
    let mut findings = Findings::default();
    let expr = parse_kind(Piece::typed(&text), Context::Value, &mut findings);
    let Some(expr) = expr else {
        let found = findings.all().errors().next();
        let help = found.and_then(|found| found.help.clone());
        return Err(refused(help.unwrap_or_else(|| general.to_owned())));
    };
    match (&expr.kind, is_call) {
        (ExprKind::Query(query, operands), true) => Ok((call(*query, operands), Holds::Any)),
        (ExprKind::InArea(who, _), true) => {
            // The area is one of the expression, as it is written there.
            let area = text.split(',').nth(1).unwrap_or_default().trim();
            Ok((format!("in({who},{area})"), Holds::Number))
        }
        (ExprKind::Attribute(place), false) => Ok((
            place.to_string(),
            match place.attribute.kind() {
                Kind::Number | Kind::Truth => Holds::Number,
                Kind::Source => Holds::Any,
                Kind::Word => Holds::Word,
            },
        )),
        (ExprKind::Variable(number), false) => Ok((format!("V{number}"), Holds::Any)),
        (ExprKind::Noun(noun), false) => Ok((noun.to_string(), Holds::Any)),
        _ => Err(refused(general.to_owned())),
    }
}

/// The name of a condition with its operands.
fn call(query: Query, operands: &[Expr]) -> String {
    let operands: Vec<String> = operands.iter().map(Expr::to_string).collect();
    format!("{}({})", query.name(), operands.join(","))
}
