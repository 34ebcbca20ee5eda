//! Locates values in a JSON text: errors in a document are found in its values, which no longer
//! have locations, and identified by paths such as `$.items[0].rules[1].value`.

use dicec_runtime::span::Span;
use jsonc_parser::ast::{ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

/// The part of a text that shows the value of a path: the value itself, or of a list or an object
/// its name. If the path leads further than the document, the innermost value on it counts. `None`
/// for a text that is not JSON.
pub fn locate_json(text: &str, path: &str) -> Option<Span> {
    // A byte order mark, which some editors write, keeps its bytes: locations count them.
    let shown = text.replacen('\u{feff}', "   ", usize::from(text.starts_with('\u{feff}')));
    let parsed = parse_to_ast(&shown, &CollectOptions::default(), &ParseOptions::default());
    let parsed = parsed.ok()?;
    let mut value = parsed.value.as_ref()?;
    let mut named = None;
    for step in steps(path) {
        let next = match (value, &step) {
            (Value::Object(object), Step::Member(name)) => {
                let mut members = object.properties.iter();
                let found = members.find(|member| member.name.as_str() == name);
                found.map(|member| (&member.value, Some(member)))
            }
            (Value::Array(list), Step::Element(index)) => {
                list.elements.get(*index).map(|element| (element, None))
            }
            _ => None,
        };
        match next {
            Some(found) => (value, named) = found,
            None => break,
        }
    }
    Some(shown_part(value, named))
}

fn shown_part(value: &Value<'_>, named: Option<&ObjectProp<'_>>) -> Span {
    let range = match (value, named) {
        (Value::Object(_) | Value::Array(_), Some(member)) => member.name.range(),
        (Value::Object(_) | Value::Array(_), None) => {
            // All of it would be too much to show.
            let start = value.range().start;
            return Span::new(start as u32, start as u32 + 1);
        }
        _ => value.range(),
    };
    // A document is below 4 GiB: whoever reads it sees to that.
    Span::new(range.start as u32, range.end as u32)
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Member(String),
    Element(usize),
}

/// The steps of a path; what is not one ends it.
fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut rest = path.strip_prefix('$').unwrap_or(path);
    while !rest.is_empty() {
        let Some((step, after)) = step(rest) else {
            break;
        };
        steps.push(step);
        rest = after;
    }
    steps
}

/// The first step of a path, and the path after it.
fn step(path: &str) -> Option<(Step, &str)> {
    if let Some(named) = path.strip_prefix('.') {
        let end = named.find(['.', '[']).unwrap_or(named.len());
        let (name, after) = named.split_at(end);
        return Some((Step::Member(name.to_owned()), after));
    }
    let inner = path.strip_prefix('[')?;
    if inner.starts_with('"') {
        let mut names = serde_json::Deserializer::from_str(inner).into_iter::<String>();
        let name = names.next()?.ok()?;
        let after = inner.get(names.byte_offset()..)?.strip_prefix(']')?;
        return Some((Step::Member(name), after));
    }
    let (index, after) = inner.split_once(']')?;
    Some((Step::Element(index.parse().ok()?), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn located(path: &str, expected: &str) {
        let text = "{\"a\": [1, \"b c\", {\"d\": {}}],\n \"x.y\": {\"z\": true}, \"e\": [[]]}";
        let span = locate_json(text, path).expect("JSON");
        assert_eq!(&text[span.range()], expected, "{path}");
    }

    #[test]
    fn paths_lead_to_values() {
        located("$", "{");
        located("$.a", "\"a\"");
        located("$.a[1]", "\"b c\"");
        located("$.a[2]", "{");
        located("$.a[2].d", "\"d\"");
        located("$[\"x.y\"].z", "true");
        located("$.e[0]", "[");
        // What is missing is shown where it would be.
        located("$.a[2].f", "{");
        located("$.a[7]", "\"a\"");
        located("$.f.g", "{");
    }

    #[test]
    fn bytes_of_a_mark_are_counted() {
        let text = "\u{feff}{\"a\": 12}";
        let span = locate_json(text, "$.a").expect("JSON");
        assert_eq!(&text[span.range()], "12");
        assert_eq!(locate_json("{", "$.a"), None);
    }
}
