//! Where scripts come from: examples, benchmarks, libraries, documents, and the texts of tests,
//! among which is every script of a past fault.

use super::argument::defaults;
use super::edit::{Edit, apply, replace};
use crate::answers::{bound, compiled};
use dicec_compiler::Session;
use dicec_lang::front::script::{ItemKind, parse};
use dicec_lang::interp::Value as Rolled;
use dicec_lang::syntax::SourceLimits;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A script of one roll whose parameters have defaults.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file that it is from.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// Texts longer than this are fights of many creatures, whose mutants take long.
const MAX_TEXT: usize = 6_000;

/// All scripts that compile without other files, and whose trials are short.
pub fn sources() -> &'static [Source] {
    static SOURCES: OnceLock<Vec<Source>> = OnceLock::new();
    SOURCES.get_or_init(|| {
        let mut all = Vec::new();
        for file in files() {
            // Pictures are not texts.
            let Ok(text) = fs::read_to_string(&file) else {
                continue;
            };
            let name = file.display().to_string();
            for (text, sheet) in texts(&file, &text) {
                let rolls = of_rolls(&text, &sheet);
                all.extend(rolls.into_iter().map(|text| Source {
                    file: name.clone(),
                    text,
                }));
            }
        }
        all.sort_by(|a, b| a.text.cmp(&b.text));
        all.dedup_by(|a, b| a.text == b.text);
        all
    })
}

/// The files with scripts.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = [
        "README.md",
        "docs",
        "examples",
        "benches/src/corpus/scripts",
        "compiler/lang/src/std",
        "tests/suites",
        "tests/faults",
    ];
    let mut files = Vec::new();
    let mut pending: Vec<PathBuf> = folders.iter().map(|folder| root.join(folder)).collect();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a folder of the repository");
            pending.extend(entries.map(|entry| entry.expect("an entry of it").path()));
        } else if path.is_file() {
            files.push(path);
        }
    }
    // The order of a folder's entries differs between systems.
    files.sort();
    files
}

/// The scripts in a file, with the sheet of the same name.
fn texts(file: &Path, text: &str) -> Vec<(String, Value)> {
    let kind = file.extension().and_then(|kind| kind.to_str());
    let texts = match kind {
        Some("dice") => {
            let sheet = fs::read_to_string(file.with_extension("json")).ok();
            let sheet = sheet.and_then(|sheet| serde_json::from_str(&sheet).ok());
            return vec![(text.to_owned(), sheet.unwrap_or(Value::Null))];
        }
        Some("md") => of_document(text),
        Some("rs") => of_tests(text),
        _ => Vec::new(),
    };
    texts.into_iter().map(|text| (text, Value::Null)).collect()
}

/// Blocks of scripts, and the rules of tables and commands as scripts.
fn of_document(text: &str) -> Vec<String> {
    let blocks = text.split("```").skip(1).step_by(2);
    let scripts = blocks.filter(|block| block.contains("defroll"));
    let scripts = scripts.filter_map(|block| block.split_once('\n'));
    let scripts = scripts.map(|(_, script)| script.to_owned());
    let lines = text.lines();
    let quoted = lines.flat_map(|line| {
        let mark = if line.starts_with("$ dicec") {
            '\''
        } else {
            '`'
        };
        line.split(mark).skip(1).step_by(2)
    });
    let rules = quoted.filter(|rule| rule.contains('d') && rule.len() > 3);
    scripts.chain(rules.map(as_script)).collect()
}

/// A rule as a script; most texts are not rules, and the script does not compile.
fn as_script(rule: &str) -> String {
    let (names, value) = match rule.rsplit_once(';') {
        Some((names, value)) => (format!("{names};"), value),
        None => (String::new(), rule),
    };
    let value = value.replace(" = ", " == ");
    format!(
        "import std.dnd;\nimport std.pathfinder;\nimport std.pools;\ndefroll \"Rule\" rule() {{ {names} return {value}; }}\n"
    )
}

/// The literals of Rust that hold scripts.
fn of_tests(text: &str) -> Vec<String> {
    let mut literals = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('"') {
        let hashes = rest[..start].len() - rest[..start].trim_end_matches('#').len();
        let is_raw = rest[..start - hashes].ends_with('r');
        rest = &rest[start + 1..];
        let literal = if is_raw {
            let end = format!("\"{}", "#".repeat(hashes));
            let Some(length) = rest.find(&end) else { break };
            let literal = rest[..length].to_owned();
            rest = &rest[length + end.len()..];
            literal
        } else {
            let Some((literal, length)) = unescaped(rest) else {
                break;
            };
            rest = &rest[length..];
            literal
        };
        if literal.contains("defroll") {
            literals.push(literal);
        }
    }
    literals
}

/// A literal up to its quote, and how long it is with it.
fn unescaped(text: &str) -> Option<(String, usize)> {
    let mut out = String::new();
    let mut letters = text.char_indices();
    while let Some((index, letter)) = letters.next() {
        match letter {
            '"' => return Some((out, index + 1)),
            '\\' => match letters.next()?.1 {
                'n' => out.push('\n'),
                '\n' => out.push(' '),
                other => out.push(other),
            },
            _ => out.push(letter),
        }
    }
    None
}

/// A text for each roll of a script.
fn of_rolls(text: &str, sheet: &Value) -> Vec<String> {
    let parsed = parse(text, SourceLimits::default());
    if text.len() > MAX_TEXT || parsed.diagnostics.has_errors() {
        return Vec::new();
    }
    let script = parsed.script;
    let rolls = script.items.iter().enumerate();
    let rolls = rolls.filter_map(|(index, item)| match &item.kind {
        ItemKind::Roll(roll) => Some((index, roll)),
        _ => None,
    });
    let texts = rolls.map(|(own, roll)| {
        let others = script.items.iter().enumerate();
        let others =
            others.filter(|(index, item)| *index != own && matches!(item.kind, ItemKind::Roll(_)));
        let gone = others.map(|(_, item)| replace(item.span, ""));
        let edits: Vec<Edit> = gone.chain(defaults(&script, roll, sheet)).collect();
        apply(text, edits)
    });
    texts
        .filter(|text| compiled(text) && is_short(text))
        .collect()
}

/// Whether trials end soon.
fn is_short(text: &str) -> bool {
    let Some(roll) = bound(text) else {
        return false;
    };
    let mut session = Session::seeded(1);
    let mut trial = || -> Option<Option<Rolled>> { roll.total(&mut session).ok() };
    (0..30).all(|_| trial().is_some())
}
