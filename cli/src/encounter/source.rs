//! Where an encounter was written, and what is wrong with it there: each mistake is shown in its
//! text.

use crate::error::{CliError, FileCode, Finding, Location};
use dicec_compiler::front::encounter::Wrong;
use dicec_compiler::syntax::locate_json;
use dicec_runtime::span::Span;
use serde_json::Value;

/// A text with an encounter or stat blocks: a line, or JSON.
pub(crate) struct Source {
    /// What errors call it.
    pub(crate) origin: String,
    text: String,
    /// The document that the text is; none of a line.
    json: Option<Value>,
}

impl Source {
    /// A line such as `4 Veteran vs 1 Troll`.
    pub(super) fn line(text: &str) -> Self {
        Self {
            origin: "encounter".to_owned(),
            text: text.to_owned(),
            json: None,
        }
    }

    /// A document of JSON.
    pub(crate) fn document(origin: &str, text: String, json: Value) -> Self {
        Self {
            origin: origin.to_owned(),
            text,
            json: Some(json),
        }
    }

    /// What is wrong with it as an error.
    pub(crate) fn wrong(&self, wrong: &Wrong) -> CliError {
        self.finding(FileCode::BadEncounter, wrong).into()
    }

    /// Something about a part of it, which is shown.
    pub(super) fn finding(&self, code: FileCode, wrong: &Wrong) -> Finding {
        let message = wrong.to_string();
        let finding = match self.locate(&wrong.path) {
            None => Finding::in_file(code.as_str(), &self.origin, None, message),
            Some(span) => Finding {
                location: Location::Text {
                    origin: self.origin.clone(),
                    span,
                    text: self.text.clone(),
                    labels: Vec::new(),
                },
                ..Finding::general(code.as_str(), message)
            },
        };
        match &wrong.help {
            Some(help) => finding.help(help),
            None => finding,
        }
    }

    /// The part of the text that a path is about: a path of the document, one of the stat block of
    /// a creature (`Ogre: $.hp`), or a part of the line.
    fn locate(&self, path: &str) -> Option<Span> {
        let Some(json) = &self.json else {
            let start = self.text.find(path).filter(|_| !path.is_empty())?;
            let [start, end] = [start, start + path.len()].map(u32::try_from);
            return Some(Span {
                start: start.ok()?,
                end: end.ok()?,
            });
        };
        if path.starts_with('$') {
            return locate_json(&self.text, path);
        }
        let (name, rest) = path.split_once(": ")?;
        let block = path_of_creature(json, name, "$")?;
        let rest = rest.strip_prefix('$').unwrap_or_default();
        locate_json(&self.text, &format!("{block}{rest}"))
    }
}

/// The path of the stat block of a creature, or of the group that names it.
fn path_of_creature(json: &Value, name: &str, path: &str) -> Option<String> {
    match json {
        Value::Object(members) => {
            let is_it = |member: &str| members.get(member).and_then(Value::as_str) == Some(name);
            let is_block = is_it("name") && members.contains_key("ac");
            if is_block || is_it("creature") {
                return Some(path.to_owned());
            }
            let mut all = members.iter();
            all.find_map(|(member, value)| {
                path_of_creature(value, name, &format!("{path}.{member}"))
            })
        }
        Value::Array(elements) => {
            let mut all = elements.iter().enumerate();
            all.find_map(|(index, value)| {
                path_of_creature(value, name, &format!("{path}[{index}]"))
            })
        }
        _ => None,
    }
}
