//! The rows of `tests/conformance`: rules with the faces of their dice, and the expected results.
//!
//! ```text
//! # A comment.
//! resource: Strength = 4
//! dialect: notation
//!
//! 4d6kh3 + [Strength] | 3 5 2 6 | 18         | 4d6[3, 5, ~~2~~, 6] + [Strength: 4] = 18
//! 4d6d1               | -       | error D0010 | dl1
//! ```
//!
//! A row has the rule, the faces in the order in which they are rolled (`-` for none), the result,
//! and the roll as it is shown. For an error it has the code, and words from its message or help.
//! The rows of `reference.txt` have no fourth column, and `refused` for any error; where the
//! reference implementation gives something else, `reference: ` and that follow.
//! `dialect: both` runs the following rows in both dialects. Expected results follow from the
//! meaning of the language, never from the output of the product.

use dicec_lang::front::notation::Dialect;
use dicec_runtime::resource::{ResourceName, ResourceTable};
use std::fmt;
use std::fs;
use std::path::Path;

/// One row.
#[derive(Clone, Debug)]
pub struct Row {
    /// The file's name.
    pub file: String,
    /// The line in it, counted from 1.
    pub line: usize,
    /// The dialects in which it holds.
    pub dialects: &'static [Dialect],
    /// The resources of its file.
    pub resources: ResourceTable,
    /// The rule.
    pub text: String,
    /// The faces, in draw order.
    pub faces: Vec<i64>,
    /// The result as the row writes it.
    pub result: String,
    /// The roll as it is shown, or words of an error; absent if neither matters.
    pub shown: Option<String>,
    /// What the reference implementation gives instead of the result.
    pub reference: Option<String>,
}

impl Row {
    /// The code of the expected error, if any; empty for any error.
    pub fn error(&self) -> Option<&str> {
        match &self.result[..] {
            "refused" => Some(""),
            result => result.strip_prefix("error "),
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row {
            file,
            line,
            text,
            faces,
            ..
        } = self;
        write!(f, "tests/conformance/{file}:{line}: `{text}` on {faces:?}")
    }
}

/// All rows of all files.
///
/// # Panics
/// If a file cannot be read, or a line is not a row.
pub fn rows() -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    let entries = fs::read_dir(folder).expect("the folder of the rows");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    let mut rows = Vec::new();
    for path in paths {
        let name = path.file_name().expect("a file has a name");
        let text = fs::read_to_string(&path).expect("a readable file");
        rows.extend(read(&name.to_string_lossy(), &text));
    }
    rows
}

fn read(file: &str, text: &str) -> Vec<Row> {
    let mut resources = ResourceTable::new();
    let mut dialects: &[Dialect] = &[];
    let mut rows = Vec::new();
    for (line, written) in (1..).zip(text.lines()) {
        if written.trim().is_empty() || written.starts_with('#') {
            continue;
        }
        if let Some(resource) = written.strip_prefix("resource:") {
            let (name, value) = resource.rsplit_once('=').expect("name = value");
            let value = value.trim().parse().expect("a whole number");
            resources.set(ResourceName::parse(name), value);
        } else if let Some(name) = written.strip_prefix("dialect:") {
            dialects = match name.trim() {
                "rulebook" => &[Dialect::Rulebook],
                "notation" => &[Dialect::Notation],
                "both" => &[Dialect::Rulebook, Dialect::Notation],
                other => panic!("{file}:{line}: there is no dialect `{other}`"),
            };
        } else {
            let columns: Vec<&str> = written.split(" | ").map(str::trim).collect();
            let (text, faces, result, last) = match columns[..] {
                [text, faces, result] => (text, faces, result, None),
                [text, faces, result, last] => (text, faces, result, Some(last)),
                _ => panic!("{file}:{line}: a row has three or four columns: {written}"),
            };
            let reference = last.and_then(|last| last.strip_prefix("reference: "));
            let shown = last.filter(|_| reference.is_none());
            rows.push(Row {
                file: file.to_owned(),
                line,
                dialects,
                resources: resources.clone(),
                text: text.to_owned(),
                faces: faces_of(faces),
                result: result.to_owned(),
                shown: shown.map(str::to_owned),
                reference: reference.map(str::to_owned),
            });
        }
    }
    rows
}

fn faces_of(written: &str) -> Vec<i64> {
    let faces = written.split_whitespace().filter(|face| *face != "-");
    faces
        .map(|face| face.parse().expect("faces are whole numbers"))
        .collect()
}
