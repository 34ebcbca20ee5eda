//! Texts that would be code if somebody forgot to quote them, at every place of a document: the
//! scripts have to be those for a harmless text, but for that text.

use dicec_compiler::Compiler;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What somebody may call something.
pub(crate) const HOSTILE: [&str; 26] = [
    "Bite\" + \"\"); foe.hp = 0; output(\"",
    "The \"Big\" Bite",
    "\\",
    "a\\\"; x",
    "two\nlines",
    "two\r\nlines",
    "*/",
    "// x",
    "/* x",
    "${x}",
    "{foe}",
    "a\u{2028}b\u{85}c",
    "a\0b",
    "a\tb",
    "\u{202e}שלום",
    "Дракон",
    "",
    "1d6 + 2); foe.hp = 0; x(",
    "1) { foe.hp = 0; } repeat(1",
    "if",
    "d6",
    "total",
    "self",
    "[Strength]",
    "“quoted”",
    "a; } deffun b() { } deffun c() {",
];

/// A word that means nothing, in place of which others are compared.
const HARMLESS: &str = "Qwxzqy";

/// A text that is very long.
fn long() -> String {
    format!("{}\"", "long ".repeat(2_000))
}

/// A script as a list of tokens, in which each name is the number of names before it, so that
/// scripts with other names are the same; and its texts.
#[derive(Debug, PartialEq)]
struct Shape {
    lines: Vec<String>,
    texts: Vec<String>,
}

/// The shape of a script. If `apart`, its lines are compared each by itself, in any order: what is
/// sorted by names may be in another one.
fn shape(script: &str, apart: bool) -> Shape {
    let mut names = BTreeMap::new();
    let mut texts = Vec::new();
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut rest = script.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\n' => {
                if apart {
                    names.clear();
                }
                lines.extend((!line.is_empty()).then(|| std::mem::take(&mut line)));
            }
            '/' if rest.peek() == Some(&'/') => while rest.next_if(|c| *c != '\n').is_some() {},
            '"' => {
                texts.push(read_text(&mut rest));
                line += " \"\"";
            }
            c if c.is_alphabetic() || c == '_' => {
                let mut name = String::from(c);
                while let Some(c) = rest.next_if(|c| c.is_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                let count = names.len();
                line += &format!(" n{}", names.entry(name).or_insert(count));
            }
            c if c.is_whitespace() => {}
            c => line.push(c),
        }
    }
    lines.push(line);
    if apart {
        lines.sort();
        texts.sort();
    }
    Shape { lines, texts }
}

/// The characters of a text after its quote.
fn read_text(rest: &mut impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    while let Some(c) = rest.next() {
        match c {
            '"' => return text,
            '\\' => match rest.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                other => text.extend(other),
            },
            c => text.push(c),
        }
    }
    panic!("a text does not end: {text}");
}

/// A document, and the scripts that it becomes, or what is wrong with it.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) document: Value,
    pub(crate) scripts: fn(&Value) -> Result<Vec<String>, String>,
    /// Whether the order of some lines depends on names.
    pub(crate) apart: bool,
    /// Texts that mean something in such documents.
    pub(crate) words: &'static [&'static str],
}

/// The places of texts in a document: of values, and of the names of members.
fn places(value: &Value, path: &str, all: &mut Vec<(String, bool)>) {
    match value {
        // Policies are code: the encounter brings them along.
        Value::String(_) if path != "/functions" => all.push((path.to_owned(), false)),
        Value::Array(parts) => {
            for (index, part) in parts.iter().enumerate() {
                places(part, &format!("{path}/{index}"), all);
            }
        }
        Value::Object(members) => {
            for (name, part) in members {
                let path = format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
                all.push((path.clone(), true));
                places(part, &path, all);
            }
        }
        _ => {}
    }
}

/// The document with another text at a place.
fn replaced(document: &Value, (path, is_name): &(String, bool), text: &str) -> Value {
    let mut changed = document.clone();
    if *is_name {
        let (parent, name) = path.rsplit_once('/').expect("a member");
        let name = name.replace("~1", "/").replace("~0", "~");
        let parent = changed.pointer_mut(parent).and_then(Value::as_object_mut);
        let members = std::mem::take(parent.expect("an object"));
        let members = members.into_iter();
        let members = members.map(|(own, value)| match own == name {
            true => (text.to_owned(), value),
            false => (own, value),
        });
        let whole = changed.pointer_mut(path.rsplit_once('/').expect("a member").0);
        *whole.expect("an object") = Value::Object(members.collect());
    } else {
        *changed.pointer_mut(path).expect("a value") = json!(text);
    }
    changed
}

/// A line without the numbers that members are given.
fn without_values(line: &str) -> String {
    let parts = line.split(':');
    let parts = parts.map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()));
    parts.collect::<Vec<_>>().join(":")
}

/// What is wrong with the script of a document in which a text is hostile, if anything is.
fn fault(case: &Case, place: &(String, bool), text: &str) -> Option<String> {
    let said = |what: String| {
        let name = case.name;
        Some(format!("{name}, {}, {text:?}: {what}", place.0))
    };
    if case.words.contains(&text) {
        return None;
    }
    let hostile = match (case.scripts)(&replaced(&case.document, place, text)) {
        Ok(scripts) => scripts,
        Err(wrong) => {
            let is_about_document =
                wrong.contains('$') || wrong.contains('`') || wrong.contains("D0");
            return match is_about_document && !wrong.contains("internal") {
                true => None,
                false => said(format!("it is refused with {wrong:?}")),
            };
        }
    };
    let harmless = (case.scripts)(&replaced(&case.document, place, HARMLESS)).ok()?;
    let wrong = |script: &String| Compiler::new().script(script).err();
    for (hostile, harmless) in hostile.iter().zip(&harmless) {
        match wrong(hostile).map(|found| found.to_string()) {
            // It needs more than this document, whatever stands here.
            Some(_) if wrong(harmless).is_some() => continue,
            // A very long text may make a script that is too long.
            Some(found) if text.len() > 1_000 && found.starts_with("D0401") => return None,
            Some(found) => return said(format!("its script is wrong: {found}\n{hostile}")),
            None => {}
        }
        let (found, mut wanted) = (shape(hostile, case.apart), shape(harmless, case.apart));
        let is_same = |(one, other): (&String, &String)| match place.0.ends_with("/actor/name") {
            // Kinds of fighters are numbered in the order of their names.
            true => without_values(one) == without_values(other),
            false => one == other,
        };
        if found.lines.len() != wanted.lines.len()
            || !found.lines.iter().zip(&wanted.lines).all(is_same)
        {
            let differ = found
                .lines
                .iter()
                .zip(&wanted.lines)
                .find(|pair| pair.0 != pair.1);
            return said(format!("the script is another one: {differ:?}\n{hostile}"));
        }
        for wanted in &mut wanted.texts {
            *wanted = wanted.replace(HARMLESS, text);
        }
        if case.apart {
            wanted.texts.sort();
        }
        let differ = found
            .texts
            .iter()
            .zip(&wanted.texts)
            .find(|pair| pair.0 != pair.1);
        if let Some(differ) = differ {
            return said(format!("a text is not the text that was given: {differ:?}"));
        }
    }
    None
}

/// How many of the texts are tried at each place.
const TEXTS: usize = 4;

/// Tries texts at all places of documents, other ones at each.
pub(crate) fn check(cases: &[Case]) {
    let long = long();
    let texts: Vec<&str> = HOSTILE.into_iter().chain([long.as_str()]).collect();
    let count = match std::env::var("DICEC_CASES") {
        Ok(count) => count.parse().unwrap_or(TEXTS),
        Err(_) => TEXTS,
    };
    let mut all = Vec::new();
    for case in cases {
        let scripts = (case.scripts)(&case.document);
        scripts.unwrap_or_else(|wrong| panic!("{}: {wrong}", case.name));
        let mut found = Vec::new();
        places(&case.document, "", &mut found);
        all.extend(found.into_iter().map(|place| (case, place)));
    }
    let all = all.into_par_iter().enumerate();
    let faults = all.flat_map_iter(|(index, (case, place))| {
        let mut texts: Vec<&str> = texts.clone();
        let first = index * 7 % texts.len();
        texts.rotate_left(first);
        let texts = texts.into_iter().take(count);
        let faults: Vec<String> = texts.filter_map(|text| fault(case, &place, text)).collect();
        faults
    });
    let faults: Vec<String> = faults.collect();
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults[..faults.len().min(12)].join("\n")
    );
}
