//! Texts with variables in braces (seed 001, "TEXT"): `{NAME}`, `{V0}`, `{8,PROF,STR,+,+}`.

use super::attribute::numbered;
use super::document::Piece;
use super::expr::{Evaluation, Expr, Value, Values, Wrong, evaluate, parse};
use super::findings::Findings;
use dicec_lang::syntax::Code;

/// A text with variables.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Template {
    parts: Vec<Part>,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    /// As it is.
    Text(String),
    /// The name of the creature with the feature.
    Name,
    /// The value of an expression, which is written like this.
    Value(Expr, String),
}

/// A text filled in for a creature.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filled {
    /// The text. Unknown parts stay in braces, as written.
    pub text: String,
    /// The unknown names, in the order in which they are needed, each once.
    pub missing: Vec<String>,
}

impl Template {
    /// Reads a text.
    pub(super) fn read(piece: Piece<'_>, findings: &mut Findings) -> Self {
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(open) = piece.text.get(at..).and_then(|rest| rest.find('{')) {
            let open = at + open;
            if open > at {
                parts.push(Part::Text(piece.part(at..open).text.to_owned()));
            }
            let Some(length) = piece.text.get(open..).and_then(|rest| rest.find('}')) else {
                let brace = piece.part(open..open + 1);
                let help = "a variable stands in braces: {NAME}, {V0}, {8,PROF,STR,+,+}";
                findings.error(
                    Code::BadFeature,
                    &brace,
                    "has `{` without `}` after it",
                    help,
                );
                at = piece.text.len();
                break;
            };
            at = open + length + 1;
            let inner = piece.part(open + 1..open + length).trimmed();
            parts.extend(part(inner, piece.part(open..at), findings));
        }
        if at < piece.text.len() {
            parts.push(Part::Text(piece.part(at..piece.text.len()).text.to_owned()));
        }
        Self { parts }
    }

    /// The text for a creature of this name, and with these values.
    ///
    /// # Errors
    /// An expression without a value, for another reason than a value that is not given.
    pub fn fill(&self, name: Option<&str>, values: &Values) -> Result<Filled, Wrong> {
        let mut filled = Filled::default();
        for part in &self.parts {
            let (written, missing) = match (part, name) {
                (Part::Text(text), _) => (text.clone(), None),
                (Part::Name, Some(name)) => (name.to_owned(), None),
                (Part::Name, None) => ("{NAME}".to_owned(), Some("NAME".to_owned())),
                (Part::Value(expr, text), _) => match evaluate(expr, values) {
                    Ok(Evaluation { value, .. }) => (value.to_string(), None),
                    Err(Wrong {
                        missing: Some(missing),
                        ..
                    }) => (text.clone(), Some(missing)),
                    Err(wrong) => return Err(wrong),
                },
            };
            filled.text += &written;
            let known = |missing: &String| filled.missing.contains(missing);
            if let Some(missing) = missing.filter(|missing| !known(missing)) {
                filled.missing.push(missing);
            }
        }
        Ok(filled)
    }

    /// The text with its variables in braces, as it is written.
    pub fn written(&self) -> String {
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(text) | Part::Value(_, text) => text.as_str(),
            Part::Name => "{NAME}",
        });
        parts.collect()
    }

    /// Whether it holds this variable: `V0`.
    pub(super) fn uses(&self, variable: u32) -> bool {
        let is = |expr: &Expr| expr.kind == super::expr::ExprKind::Variable(variable);
        let mut parts = self.parts.iter();
        parts.any(|part| matches!(part, Part::Value(expr, _) if expr.any(&is)))
    }
}

/// The content of braces.
fn part(inner: Piece<'_>, whole: Piece<'_>, findings: &mut Findings) -> Option<Part> {
    if inner.text.eq_ignore_ascii_case("NAME") {
        return Some(Part::Name);
    }
    let expr = parse(inner, findings)?;
    if let super::expr::ExprKind::Word(word) = &expr.kind {
        let what = format!("has {{{word}}}, which is not a variable");
        let help = "write {NAME}, {V0}, an attribute or a postfix expression";
        findings.error(Code::UnknownAttribute, &inner, what, help);
        return None;
    }
    Some(Part::Value(expr, whole.text.to_owned()))
}

/// The number of a variable: `V3` is 3.
pub fn variable(name: &str) -> Option<u32> {
    name.strip_prefix('V').and_then(numbered)
}

/// The values of `V0`, `V1` and so on.
pub fn variables(values: impl IntoIterator<Item = Value>) -> Values {
    let mut all = Values::default();
    for (index, value) in values.into_iter().enumerate() {
        all.set(format!("V{index}"), value);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Template, Findings) {
        let mut findings = Findings::default();
        (Template::read(Piece::typed(text), &mut findings), findings)
    }

    /// Seed 001, "TEXT": the example of a deva.
    #[test]
    fn the_text_of_the_seed() {
        let (template, findings) = read(
            "The {NAME}'s weapon attacks are magical. When the {NAME} hits with any weapon, the \
             weapon deals an extra {V0}d{V1} radiant damage.",
        );
        assert!(findings.all().is_empty());
        let values = variables([Value::Number(4.0), Value::Number(8.0)]);
        let filled = template.fill(Some("deva"), &values).expect("a text");
        assert_eq!(
            filled.text,
            "The deva's weapon attacks are magical. When the deva hits with any weapon, the \
             weapon deals an extra 4d8 radiant damage."
        );
        assert!(filled.missing.is_empty());
    }

    /// Issue 16, 1: embedded postfix with or without parentheses.
    #[test]
    fn embedded_expressions_are_computed() {
        let (template, _) = read("DC {8,PROF,STR,+,+} or {(8,PROF,STR,+,+)}, {V0}.");
        let mut values = variables([Value::Word("horn".to_owned())]);
        values.set("PROF", Value::Number(3.0));
        let filled = template.fill(None, &values).expect("a text");
        assert_eq!(
            filled.text,
            "DC {8,PROF,STR,+,+} or {(8,PROF,STR,+,+)}, horn."
        );
        assert_eq!(filled.missing, ["STR"]);
        values.set("STR", Value::Number(-1.0));
        let filled = template.fill(None, &values).expect("a text");
        assert_eq!(filled.text, "DC 10 or 10, horn.");
        assert!(template.uses(0) && !template.uses(1));
    }

    #[test]
    fn what_is_wrong_in_braces_is_told() {
        for (text, code) in [
            ("a {NAME", Code::BadFeature),
            ("a {name of it}", Code::UnknownAttribute),
            ("a {8,STR}", Code::BadPostfix),
            ("a {STRR}", Code::UnknownAttribute),
        ] {
            let (_, findings) = read(text);
            let codes: Vec<Code> = findings.all().iter().map(|found| found.code).collect();
            assert_eq!(codes, [code], "{text}");
        }
    }
}
