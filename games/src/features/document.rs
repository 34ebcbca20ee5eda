//! JSON as written: every value with its path and its location, so that findings about a feature
//! can be located.

use super::findings::{At, Findings};
use dicec_lang::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;
use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use std::collections::HashSet;
use std::fmt::Write;
use std::ops::Range;

/// A value of a document.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) json: Json,
    span: Span,
    path: String,
}

/// The kind of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    /// `null`, `true` or `false`.
    Word,
    /// A number, as it is written.
    Number(String),
    /// A text, and whether it is written without escapes, so that its parts have locations.
    Text { text: String, is_plain: bool },
    /// A list.
    List(Vec<Node>),
    /// An object: names and values, in written order.
    Object(Vec<(String, Node)>),
}

impl At for Node {
    fn span(&self) -> Span {
        self.span
    }

    fn path(&self) -> &str {
        &self.path
    }
}

/// Plain JSON: nothing that the parser could allow beyond it.
const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Reads a text as JSON. A member that an object has twice is a finding; the first one counts.
///
/// # Errors
/// The text is not JSON.
pub(super) fn parse(text: &str, findings: &mut Findings) -> Result<Node, Diagnostic> {
    // A byte order mark, which some editors write, keeps its bytes: locations count them.
    let shown = text.replacen('\u{feff}', "   ", usize::from(text.starts_with('\u{feff}')));
    let parsed = parse_to_ast(&shown, &CollectOptions::default(), &STRICT).map_err(|error| {
        let range = error.range();
        let what = error.kind().to_string();
        not_json(span_of(range.start..range.end), &lower(&what))
    })?;
    let Some(value) = &parsed.value else {
        return Err(not_json(Span::default(), "the file is empty"));
    };
    Ok(node(value, "$".to_owned(), &shown, findings))
}

fn not_json(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(Code::NotJson, span, format!("this is not JSON: {what}"))
        .help("JSON has names and texts in double quotes, and a comma between two members")
}

fn lower(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}

fn span_of(range: Range<usize>) -> Span {
    // A file is below 4 GiB: whoever reads it sees to that.
    Span::new(range.start as u32, range.end as u32)
}

fn node(value: &Value<'_>, path: String, source: &str, findings: &mut Findings) -> Node {
    let range = value.range();
    let json = match value {
        Value::NullKeyword(_) | Value::BooleanLit(_) => Json::Word,
        Value::NumberLit(number) => Json::Number(number.value.to_owned()),
        Value::StringLit(text) => Json::Text {
            is_plain: source.get(range.start + 1..range.end - 1) == Some(&*text.value),
            text: text.value.clone().into_owned(),
        },
        Value::Array(list) => {
            let elements = list.elements.iter().enumerate();
            let elements = elements
                .map(|(index, value)| node(value, format!("{path}[{index}]"), source, findings));
            Json::List(elements.collect())
        }
        Value::Object(object) => {
            let mut members: Vec<(String, Node)> = Vec::new();
            let mut names = HashSet::new();
            for member in &object.properties {
                let name = member.name.as_str();
                let node = node(&member.value, named(&path, name), source, findings);
                if !names.insert(name) {
                    let help = "remove one of the two";
                    findings.error(Code::BadFeature, &node, "is there twice", help);
                } else {
                    members.push((name.to_owned(), node));
                }
            }
            Json::Object(members)
        }
    };
    Node {
        json,
        span: span_of(range.start..range.end),
        path,
    }
}

/// The path of a member: `$.name`, or `$["effect conditions"]`.
fn named(path: &str, name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || c == '_';
    let mut path = path.to_owned();
    // Writing to a String cannot fail.
    let _ = match !name.is_empty() && name.chars().all(is_plain) {
        true => write!(path, ".{name}"),
        false => write!(path, "[{name:?}]"),
    };
    path
}

impl Node {
    /// A member of an object.
    pub(super) fn member(&self, name: &str) -> Option<&Node> {
        let mut members = self.members();
        members.find_map(|(other, node)| (other == name).then_some(node))
    }

    /// The members of an object; none of anything else.
    pub(super) fn members(&self) -> impl Iterator<Item = (&str, &Node)> {
        let members = match &self.json {
            Json::Object(members) => members.as_slice(),
            _ => &[],
        };
        members.iter().map(|(name, node)| (name.as_str(), node))
    }

    /// The elements of a list.
    pub(super) fn elements(&self) -> Option<&[Node]> {
        match &self.json {
            Json::List(elements) => Some(elements),
            _ => None,
        }
    }

    /// A text or a number as a text with a location.
    pub(super) fn piece(&self) -> Option<Piece<'_>> {
        let (text, start) = match &self.json {
            Json::Text { text, is_plain } => {
                (text.as_str(), is_plain.then_some(self.span.start + 1))
            }
            Json::Number(text) => (text.as_str(), Some(self.span.start)),
            Json::Word | Json::List(_) | Json::Object(_) => return None,
        };
        Some(Piece {
            text,
            start,
            span: self.span,
            path: &self.path,
        })
    }

    /// The smallest value within it that a span is in; itself if there is none.
    pub(super) fn around(&self, span: Span) -> &Node {
        let (members, elements) = match &self.json {
            Json::Object(members) => (members.as_slice(), &[][..]),
            Json::List(elements) => (&[][..], elements.as_slice()),
            _ => (&[][..], &[][..]),
        };
        let inner = members.iter().map(|(_, node)| node).chain(elements);
        let mut inner =
            inner.filter(|node| node.span.start <= span.start && span.end <= node.span.end);
        inner.next().map_or(self, |node| node.around(span))
    }

    /// Its kind, in words.
    pub(super) fn kind(&self) -> &'static str {
        match &self.json {
            Json::Word => "`true`, `false` or `null`",
            Json::Number(_) => "a number",
            Json::Text { .. } => "a text",
            Json::List(_) => "a list",
            Json::Object(_) => "an object",
        }
    }
}

/// A part of a text in a document, or of one that was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece<'t> {
    /// The text.
    pub(super) text: &'t str,
    /// Its start, if its characters are those of the document.
    start: Option<u32>,
    /// The whole text's location otherwise.
    span: Span,
    path: &'t str,
}

impl At for Piece<'_> {
    fn span(&self) -> Span {
        match self.start {
            // An empty text has no character to show: its value has.
            Some(start) if !self.text.is_empty() => {
                Span::new(start, start + self.text.len() as u32)
            }
            _ => self.span,
        }
    }

    fn path(&self) -> &str {
        self.path
    }
}

impl<'t> Piece<'t> {
    /// A text of its own, outside of any document.
    pub(super) fn typed(text: &'t str) -> Self {
        Self {
            text,
            start: Some(0),
            span: Span::new(0, text.len() as u32),
            path: "",
        }
    }

    /// A part of it. The range must be at character boundaries.
    pub(super) fn part(self, range: Range<usize>) -> Self {
        let text = self.text.get(range.clone()).unwrap_or_default();
        Self {
            text,
            start: self.start.map(|start| start + range.start as u32),
            ..self
        }
    }

    /// Without spaces around it.
    pub(super) fn trimmed(self) -> Self {
        let before = self.text.len() - self.text.trim_start().len();
        let kept = self.text.trim().len();
        self.part(before..before + kept)
    }

    /// Without one pair of enclosing characters, if it has them.
    pub(super) fn without(self, open: char, close: char) -> Self {
        let piece = self.trimmed();
        match piece.text.starts_with(open) && piece.text.ends_with(close) && piece.text.len() > 1 {
            true => piece.part(1..piece.text.len() - 1).trimmed(),
            false => piece,
        }
    }

    /// The parts between separators, each without spaces around it.
    pub(super) fn split(self, separator: char) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut start = 0;
        for (at, _) in self.text.match_indices(separator) {
            parts.push(self.part(start..at).trimmed());
            start = at + separator.len_utf8();
        }
        parts.push(self.part(start..self.text.len()).trimmed());
        parts
    }

    /// The words of it.
    pub(super) fn words(self) -> Vec<Self> {
        let parts = self.split(' ').into_iter();
        parts.filter(|part| !part.text.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_where_they_are() {
        let text = "{\"a\": [1, \"b c\"],\n \"effect conditions\": \"x\\ty\"}";
        let mut findings = Findings::default();
        let root = parse(text, &mut findings).expect("JSON");
        let list = root.member("a").expect("it is there");
        let second = &list.elements().expect("a list")[1];
        assert_eq!(second.path(), "$.a[1]");
        let words = second.piece().expect("a text").words();
        assert_eq!(words[1].text, "c");
        assert_eq!(&text[words[1].span().range()], "c");
        // A text with escapes is shown as a whole.
        let escaped = root.member("effect conditions").expect("it is there");
        assert_eq!(escaped.path(), "$[\"effect conditions\"]");
        let part = escaped.piece().expect("a text").part(0..1);
        assert_eq!(&text[part.span().range()], "\"x\\ty\"");
        assert!(findings.all().is_empty());
    }

    #[test]
    fn only_plain_json_is_read() {
        for text in [
            "", "{a: 1}", "[1,]", "[1 2]", "// x\n1", "['a']", "[.5]", "[0x1]", "{} {}",
        ] {
            let wrong = parse(text, &mut Findings::default()).expect_err(text);
            assert_eq!(wrong.code, Code::NotJson, "{text}");
        }
        let deep = "[".repeat(100_000);
        assert!(parse(&deep, &mut Findings::default()).is_err());
        let marked = "\u{feff}{\"a\": 1}";
        let root = parse(marked, &mut Findings::default()).expect("JSON");
        assert_eq!(
            &marked[root.member("a").expect("it is there").span().range()],
            "1"
        );
    }

    #[test]
    fn a_member_that_is_there_twice_is_found() {
        let mut findings = Findings::default();
        parse(r#"{"a": 1, "a": 2}"#, &mut findings).expect("JSON");
        let found = findings.all().iter().next().expect("a finding");
        assert_eq!(found.message, "`$.a` is there twice");
    }
}
