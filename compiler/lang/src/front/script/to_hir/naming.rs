//! Names of functions in scripts of several files. A file's own functions win over those of other
//! files; a prefix says which file is meant.

use super::body::Body;
use super::builtin::Builtin;
use super::{Callable, Lowering};
use crate::front::script::ast::Name;
use crate::hir::FunctionId;
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;

impl Lowering<'_> {
    /// The functions that a name before parentheses may mean: none, one, or one of each of several
    /// files.
    pub(super) fn named(&self, name: &Name) -> Vec<FunctionId> {
        let (prefix, plain) = self.parts(name);
        let known = self.callables.get(plain).map_or(&[][..], Vec::as_slice);
        let here = self.file(name.span);
        let mut named = Vec::new();
        for (callable, span) in known {
            let Callable::Function(id) = callable else {
                continue;
            };
            let file = self.file(*span);
            match prefix {
                Some(prefix) if self.prefix(*span) != Some(prefix) => {}
                None if file == here => return vec![*id],
                _ => named.push(*id),
            }
        }
        named
    }

    /// A name's prefix and the rest of it.
    fn parts<'n>(&self, name: &'n Name) -> (Option<&'n str>, &'n str) {
        match name.kind.split_once('.') {
            Some((prefix, plain)) => (Some(prefix), plain),
            None => (None, &name.kind),
        }
    }

    /// The file that something is written in.
    pub(super) fn file(&self, span: Span) -> Option<usize> {
        let mut files = self.files.iter();
        files.position(|file| file.span.start <= span.start && span.start <= file.span.end)
    }

    /// The prefix of what is defined there.
    fn prefix(&self, span: Span) -> Option<&str> {
        Some(&self.files.get(self.file(span)?)?.kind)
    }
}

/// Mistakes.
impl Body<'_, '_> {
    /// Several files define a function that is called without a prefix.
    pub(super) fn ambiguous_function(&mut self, name: &Name, named: &[FunctionId]) {
        let lowering = &self.lowering;
        let functions = named.iter().map(|id| lowering.out.module.function(*id));
        let places = functions.map(|function| function.span);
        let places: Vec<Span> = places.collect();
        let owners = places.iter().filter_map(|span| lowering.prefix(*span));
        let owners: Vec<&str> = owners.collect();
        let quoted: Vec<String> = owners.iter().map(|owner| format!("`{owner}`")).collect();
        let full = owners
            .iter()
            .map(|owner| format!("`{owner}.{}(...)`", name.kind));
        let full: Vec<String> = full.collect();
        let message = format!(
            "`{}` is a function of {}",
            name.kind,
            quoted.join(" and of ")
        );
        let mut found = Diagnostic::error(Code::AmbiguousName, name.span, message)
            .help(format!("write {}", full.join(" or ")));
        for (owner, span) in owners.iter().zip(&places) {
            found = found.label(*span, format!("the one of `{owner}`"));
        }
        self.report(found);
    }

    pub(super) fn no_such_function(&mut self, name: &Name) {
        let lowering = &self.lowering;
        let (prefix, plain) = lowering.parts(name);
        let is_there = |prefix| lowering.files.iter().any(|file| file.kind == prefix);
        if prefix.is_some_and(|prefix| !is_there(prefix)) {
            // The import failed, which was reported.
            return;
        }
        let functions = lowering.callables.iter().filter(|(_, all)| {
            let mut all = all.iter();
            all.any(|(what, span)| {
                let is_there = prefix.is_none() || lowering.prefix(*span) == prefix;
                matches!(what, Callable::Function(_)) && is_there
            })
        });
        let known = functions.map(|(name, _)| name.as_str());
        let builtins = Builtin::ALL.map(Builtin::name).into_iter();
        let builtins = builtins.filter(|_| prefix.is_none());
        let near = lowering.nearest(plain, known.chain(builtins));
        let help = match (prefix, lowering.callables.contains_key(&name.kind), near) {
            (Some(prefix), _, Some(near)) => format!("did you mean `{prefix}.{near}`?"),
            (Some(_), _, None) => "look at what it defines".to_owned(),
            (None, true, _) => "a roll is chosen by players and cannot be called; make a function of what both need".to_owned(),
            (None, false, Some(near)) => format!("did you mean `{near}`?"),
            (None, false, None) if self.find(&name.kind).is_some() => {
                "to multiply, write `*` before the parenthesis".to_owned()
            }
            (None, false, None) => format!("define it: `deffun {}(...) {{ ... }}`", name.kind),
        };
        let message = match prefix {
            Some(prefix) => format!("there is no function `{plain}` in `{prefix}`"),
            None => format!("there is no function `{plain}`"),
        };
        self.report(Diagnostic::error(Code::NoSuchFunction, name.span, message).help(help));
    }
}
