//! The messages in the source of the notation's front end: its texts with something in backticks,
//! and all texts of the spellings of other tools, of which suggestions are made.

use proc_macro2::{TokenStream, TokenTree};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, LitStr, Macro};

/// The sources of messages, below `compiler/lang/src`.
const SOURCES: [&str; 10] = [
    "check/bounds.rs",
    "front/notation/faces.rs",
    "front/notation/lexer.rs",
    "front/notation/notes",
    "front/notation/parse",
    "front/notation/foreign/anydice.rs",
    "front/notation/foreign/english.rs",
    "front/notation/foreign/mod.rs",
    "front/notation/foreign/repeated.rs",
    "front/notation/foreign/words.rs",
];

/// A text in the source, between what is inserted at run time.
pub(super) struct Message {
    file: String,
    parts: Vec<String>,
}

impl Message {
    /// Whether its parts are in a text, in their order.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let mut rest = text;
        self.parts.iter().all(|part| {
            let found = rest.split_once(part.as_str());
            rest = found.map_or(rest, |(_, after)| after);
            found.is_some()
        })
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.parts.join("{}"))
    }
}

/// All messages.
pub(super) fn messages() -> Vec<Message> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../compiler/lang/src");
    let mut found = Vec::new();
    for source in SOURCES {
        for file in files(&root.join(source)) {
            let text = fs::read_to_string(&file).expect("a readable file");
            let parsed = syn::parse_file(&text).expect("Rust");
            let mut texts = Texts::default();
            texts.visit_file(&parsed);
            for parts in texts.0 {
                if parts.iter().any(|part| part.contains('`')) {
                    found.push(Message {
                        file: source.to_owned(),
                        parts,
                    });
                }
            }
        }
    }
    assert!(found.len() > 80, "few messages were found: {}", found.len());
    found
}

fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).expect("the folder is part of the project");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    paths.flat_map(|path| files(&path)).collect()
}

/// The texts of a file, without comments and unit tests.
#[derive(Default)]
struct Texts(Vec<Vec<String>>);

impl Texts {
    /// The texts in the tokens of a macro, of which the first of `format!` has insertions.
    fn tokens(&mut self, tokens: TokenStream, formats: bool) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream(), formats),
                TokenTree::Literal(literal) => {
                    if let Ok(text) = syn::parse_str::<LitStr>(&literal.to_string()) {
                        self.0.push(parts(&text.value(), formats));
                    }
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
        }
    }
}

/// A text between its insertions.
fn parts(text: &str, formats: bool) -> Vec<String> {
    if !formats {
        return vec![text.to_owned()];
    }
    let mut parts = vec![String::new()];
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '{' | '}' if rest.peek() == Some(&c) => {
                rest.next();
                parts.last_mut().expect("one part").push(c);
            }
            '{' => {
                while rest.next().is_some_and(|c| c != '}') {}
                parts.push(String::new());
            }
            c => parts.last_mut().expect("one part").push(c),
        }
    }
    parts
}

impl<'a> Visit<'a> for Texts {
    fn visit_lit_str(&mut self, text: &'a LitStr) {
        self.0.push(parts(&text.value(), false));
    }

    fn visit_macro(&mut self, call: &'a Macro) {
        let name = call.path.segments.last().map(|last| last.ident.to_string());
        match name.as_deref() {
            // A fault of the compiler is not said to users.
            Some("bug") => {}
            Some("format") => self.tokens(call.tokens.clone(), true),
            _ => self.tokens(call.tokens.clone(), false),
        }
    }

    fn visit_attribute(&mut self, _: &'a Attribute) {}

    fn visit_item_mod(&mut self, module: &'a ItemMod) {
        let is_test = |attribute: &Attribute| attribute.path().is_ident("cfg");
        if !module.attrs.iter().any(is_test) {
            visit::visit_item_mod(self, module);
        }
    }
}
