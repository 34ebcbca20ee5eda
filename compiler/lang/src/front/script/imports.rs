//! Imports: merges the files of a script into one tree, each file once, after the files that it
//! imports.
//!
//! Nothing here reads files: the caller provides a [`Load`]. Each file is parsed on its own, so
//! that a brace that is missing in one does not swallow the next.

use super::ast::{Import, Item, ItemKind, Name, Script, prefix};
use super::library::{libraries, library};
use super::outcomes::name_outcomes;
use super::parse::{Parsed, parse_part, parse_rule};
use crate::front::frame::Frame;
use crate::front::notation::Dialect;
use crate::syntax::{Code, Diagnostic, Diagnostics, SourceLimits, Sources, nearest};
use dicec_runtime::span::Span;

/// The maximum number of files of a script.
pub const MAX_FILES: usize = 64;

/// A file that was loaded.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Its name; files of the same name are the same.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Loads a file: takes the name of the importing file, and the file's name as written there. The
/// error is the reason for a failure.
pub type Load<'l> = dyn FnMut(&str, &str) -> Result<Loaded, String> + 'l;

/// A script with all that it imports.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// The definitions of all files; its spans are those in [`Gathered::sources`].
    pub script: Script,
    /// The files; the main one is the first.
    pub sources: Sources,
    /// The findings.
    pub diagnostics: Diagnostics,
}

/// Parses the file `name` with the text `text`, and all that it imports.
pub fn gather(name: &str, text: &str, limits: SourceLimits, load: &mut Load<'_>) -> Gathered {
    gathered(name, text, limits, load, parse_part)
}

/// Parses the compound rule `text`, and the libraries that it calls functions of.
pub fn gather_rule(text: &str, dialect: Dialect, limits: SourceLimits) -> Gathered {
    let mut load = |_: &str, _: &str| Err("rules have no files".to_owned());
    // A rule is the first file, so its offsets are those of the whole text.
    let rule = Frame::of(text).rule;
    let parse = |text: &str, _, limits| {
        let mut parsed = parse_rule(text, rule, dialect, limits);
        name_outcomes(&mut parsed.script);
        parsed
    };
    gathered("", text, limits, &mut load, parse)
}

pub(super) fn gathered(
    name: &str,
    text: &str,
    limits: SourceLimits,
    load: &mut Load<'_>,
    parse: impl FnOnce(&str, Span, SourceLimits) -> Parsed,
) -> Gathered {
    let mut gatherer = Gatherer {
        limits,
        load,
        files: Vec::new(),
        out: Gathered::default(),
    };
    gatherer.file(name, text, parse);
    gatherer.out.diagnostics.sort();
    gatherer.out
}

struct Gatherer<'g, 'l> {
    limits: SourceLimits,
    load: &'g mut Load<'l>,
    /// The names of the files that were met, and whether all of their imports were.
    files: Vec<(String, bool)>,
    out: Gathered,
}

impl Gatherer<'_, '_> {
    /// A file with its imports. There are at most [`MAX_FILES`], so the recursion is shallow.
    fn file(
        &mut self,
        name: &str,
        text: &str,
        parse: impl FnOnce(&str, Span, SourceLimits) -> Parsed,
    ) {
        let place = self.files.len();
        self.files.push((name.to_owned(), false));
        let part = self.out.sources.add(name, text);
        let prefix = name.strip_prefix("std.").unwrap_or(prefix(name));
        self.out
            .script
            .files
            .push(Name::new(prefix.to_owned(), part));
        let parsed = parse(self.out.sources.text(), part, self.limits);
        self.out.diagnostics.append(parsed.diagnostics);
        for Item { kind, .. } in &parsed.script.items {
            if let ItemKind::Import(import) = kind {
                self.import(name, import);
            }
        }
        self.out.script.items.extend(parsed.script.items);
        self.files[place].1 = true;
    }

    fn import(&mut self, importer: &str, import: &Import) {
        let (span, loaded) = match import {
            Import::Std(name) => (name.span, self.embedded(&name.kind, name.span)),
            Import::File(path) => (path.span, self.load(importer, &path.kind, path.span)),
        };
        let Some(Loaded { name, text }) = loaded else {
            return;
        };
        match self.files.iter().find(|(known, _)| *known == name) {
            Some((_, true)) => {}
            Some((_, false)) => self.cycle(&name, span),
            None if self.files.len() == MAX_FILES => self.too_many(span),
            None => self.file(&name, &text, parse_part),
        }
    }

    fn embedded(&mut self, name: &str, span: Span) -> Option<Loaded> {
        if let Some(text) = library(name) {
            return Some(Loaded {
                name: format!("std.{name}"),
                text: text.to_owned(),
            });
        }
        let known: Vec<String> = libraries().map(|name| format!("`std.{name}`")).collect();
        let help = match nearest(name, libraries()) {
            Some(near) => format!("did you mean `std.{near}`?"),
            None => format!("there are {}", known.join(", ")),
        };
        let message = format!("there is no library `std.{name}`");
        self.report(Diagnostic::error(Code::UnknownLibrary, span, message).help(help));
        None
    }

    fn load(&mut self, importer: &str, path: &str, span: Span) -> Option<Loaded> {
        let wrong = if path.ends_with(".dice") {
            match (self.load)(importer, path) {
                Ok(loaded) => return Some(loaded),
                Err(why) => Diagnostic::error(
                    Code::BadImport,
                    span,
                    format!("`{path}` cannot be imported: {why}"),
                )
                .help("a file's name is relative to the file that imports it"),
            }
        } else {
            let message = "only files whose names end in `.dice` can be imported";
            Diagnostic::error(Code::BadImport, span, message)
                .help("libraries that come with the compiler are imported without quotes: `import std.dnd;`")
        };
        self.report(wrong);
        None
    }

    fn cycle(&mut self, name: &str, span: Span) {
        let message = format!("`{name}` is imported by what it imports itself");
        self.report(
            Diagnostic::error(Code::ImportCycle, span, message)
                .help("put what both need into a file of its own, and import that in both"),
        );
    }

    fn too_many(&mut self, span: Span) {
        let message = format!("a script is made of at most {MAX_FILES} files");
        self.report(
            Diagnostic::error(Code::BadImport, span, message).help("join some of the files"),
        );
    }

    fn report(&mut self, found: Diagnostic) {
        self.out.diagnostics.push(found);
    }
}
