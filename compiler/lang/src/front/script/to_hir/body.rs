//! The body of a function: its variables and the blocks that they live in.

use super::Lowering;
use super::builtin::Builtin;
use super::constant::{degree, degrees};
use crate::front::script::ast::{self, Param};
use crate::hir::{Block, Expr, ExprKind, FunctionId, Local, LocalId, Type};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::bug;
use dicec_runtime::span::Span;
use rustc_hash::FxHashMap;

/// How deep statements may nest; each `else if` is one deeper than the `if` before it.
pub(super) const MAX_DEPTH: usize = 256;

/// The maximum number of remembered variables that differ in capitals only.
const MAX_TWINS: usize = 8;

/// The state inside a function.
pub(super) struct Body<'l, 't> {
    pub(super) lowering: &'l mut Lowering<'t>,
    pub(super) function: FunctionId,
    locals: Vec<Local>,
    /// The variables of the enclosing blocks, the innermost last.
    scopes: Vec<FxHashMap<String, LocalId>>,
    /// The variables of blocks that ended, where they were first named.
    gone: FxHashMap<String, Span>,
    /// The number of enclosing loops.
    pub(super) loops: u32,
    /// The nesting depth of the statement.
    pub(super) depth: usize,
    /// The placeholder variable for unresolved names.
    unresolved: Option<LocalId>,
    /// The variables by their names in small letters, the first few of each; those that stand for
    /// unknown names are not among them.
    twins: FxHashMap<String, Vec<LocalId>>,
}

impl<'t> Lowering<'t> {
    /// Fills in what a function does.
    pub(super) fn body(&mut self, id: FunctionId, params: &[Param], block: &ast::Block) {
        let mut body = self.empty_body(id);
        for (param, place) in params.iter().zip(0..) {
            let name = &param.name;
            body.name_is_free(&name.kind, name.span);
            body.spelt(&name.kind, LocalId(place));
            let first = body.scopes[0].insert(name.kind.clone(), LocalId(place));
            if let Some(first) = first {
                let first = body.locals[first.index()].span;
                body.lowering.defined_twice("parameter", name, first);
            }
        }
        let statements = body.block(block);
        body.finish(statements);
    }

    /// The beginning of a function: no variables but its parameters, which have no names yet.
    pub(super) fn empty_body(&mut self, id: FunctionId) -> Body<'_, 't> {
        // What calls it, such as itself, looks at its parameters.
        let locals = self.out.module.functions[id.index()].locals.clone();
        Body {
            lowering: self,
            function: id,
            locals,
            scopes: vec![FxHashMap::default()],
            gone: FxHashMap::default(),
            loops: 0,
            depth: 0,
            unresolved: None,
            twins: FxHashMap::default(),
        }
    }
}

impl Body<'_, '_> {
    /// Fills in what the function does.
    pub(super) fn finish(self, statements: Block) {
        let function = &mut self.lowering.out.module.functions[self.function.index()];
        function.locals = self.locals;
        function.body = statements;
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.lowering.report(diagnostic);
    }

    /// Runs `inner` in a block of its own.
    pub(super) fn scope<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(FxHashMap::default());
        let result = inner(self);
        let ended = self.scopes.pop();
        for (name, id) in ended.unwrap_or_else(|| bug!("a block's scope is gone").raise()) {
            let span = self.locals[id.index()].span;
            self.gone.entry(name).or_insert(span);
        }
        result
    }

    /// The variable of this name.
    pub(super) fn find(&self, name: &str) -> Option<LocalId> {
        let mut scopes = self.scopes.iter().rev();
        scopes.find_map(|scope| scope.get(name).copied())
    }

    /// The type of a variable, as far as it is known: that of parameters is.
    pub(super) fn type_of(&self, local: LocalId) -> &Type {
        &self.locals[local.index()].ty
    }

    /// Gives a variable its type.
    pub(super) fn set_type(&mut self, local: LocalId, ty: Type) {
        self.locals[local.index()].ty = ty;
    }

    /// A new variable of the innermost block.
    pub(super) fn declare(&mut self, name: &str, span: Span) -> LocalId {
        self.name_is_free(name, span);
        let id = self.add(name, span);
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), id);
        }
        self.spelt(name, id);
        id
    }

    /// Remembers how a variable is spelt.
    fn spelt(&mut self, name: &str, id: LocalId) {
        let twins = self.twins.entry(name.to_lowercase()).or_default();
        if twins.len() < MAX_TWINS {
            twins.push(id);
        }
    }

    fn add(&mut self, name: &str, span: Span) -> LocalId {
        // A text below 4 GiB names fewer variables than that.
        let id = LocalId(self.locals.len() as u32);
        self.locals.push(Local {
            name: name.to_owned(),
            ty: Type::Unknown,
            span,
        });
        id
    }

    /// A new local that a roll reads, named as it is written.
    pub(super) fn hole(&mut self, span: Span) -> LocalId {
        let name = self.lowering.slice(span).to_owned();
        self.add(&name, span)
    }

    /// A new local that no script can name.
    pub(super) fn unnamed(&mut self, span: Span) -> LocalId {
        self.add("", span)
    }

    /// Refuses a variable with the name of a constant.
    fn name_is_free(&mut self, name: &str, span: Span) {
        let constant = self.lowering.constants.get(name).map(|known| known.span);
        if constant.is_none() && degree(name).is_none() {
            return;
        }
        let message = format!("`{name}` is a constant and cannot be a variable");
        let mut found = Diagnostic::error(Code::DefinedTwice, span, message)
            .help("give the variable another name");
        if let Some(constant) = constant {
            found = found.label(constant, "the constant");
        }
        self.report(found);
    }

    /// A new variable whose name differs from a visible one's in capitals only is likely a typo.
    pub(super) fn note_capitals(&mut self, name: &str, span: Span) {
        let Some(twins) = self.twins.get(&name.to_lowercase()) else {
            return;
        };
        let mut visible = twins.iter().filter(|id| {
            let other = &self.locals[id.index()].name;
            self.find(other) == Some(**id)
        });
        let Some(id) = visible.next() else { return };
        let other = &self.locals[id.index()].name;
        let message =
            format!("`{name}` is a new variable: capitals matter, and `{other}` is another");
        let found = Diagnostic::note(Code::CapitalsOnly, span, message)
            .label(self.locals[id.index()].span, "the other one")
            .help(format!("write `{other}` if you mean that one"));
        self.report(found);
    }

    /// A variable's name in braces is likely meant to be its value.
    pub(super) fn note_braces(&mut self, text: &str, span: Span) {
        let mut parts = text.split('{').skip(1).filter_map(|part| {
            let (name, _) = part.split_once('}')?;
            self.find(name).map(|_| name)
        });
        let Some(name) = parts.next() else { return };
        let message = format!("`{{{name}}}` stays as it is: texts have no places for values");
        let found = Diagnostic::note(Code::NameInText, span, message).help(format!(
            "join the value to the text: `\"...\" + {name} + \"...\"`"
        ));
        self.report(found);
    }

    /// The placeholder for something that could not be resolved.
    pub(super) fn unresolved(&mut self, span: Span) -> Expr {
        let id = match self.unresolved {
            Some(id) => id,
            None => self.add("", span),
        };
        self.unresolved = Some(id);
        expr(ExprKind::Local(id), span)
    }

    /// An unknown name. It is defined from here on, so that it is reported once.
    pub(super) fn unknown_name(&mut self, name: &str, span: Span) -> Expr {
        let found = match self.gone.get(name) {
            Some(&place) => {
                let message = format!("`{name}` belongs to a block that has ended");
                Diagnostic::error(Code::OutOfScope, span, message)
                    .label(place, "it is first named here, inside that block")
                    .help(format!(
                        "give it a first value before the block, such as `{name} = 0;`"
                    ))
            }
            None => {
                let message = format!("there is no variable `{name}` here");
                Diagnostic::error(Code::UnknownName, span, message).help(self.likely(name))
            }
        };
        self.report(found);
        let id = self.add(name, span);
        self.scopes[0].insert(name.to_owned(), id);
        expr(ExprKind::Local(id), span)
    }

    /// The likely intended name.
    fn likely(&self, name: &str) -> String {
        if Builtin::named(name).is_some() || self.lowering.callables.contains_key(name) {
            return format!("`{name}` is a function; a call of it has parentheses: `{name}(...)`");
        }
        let first_value = format!("give it a value first: `{name} = 0;`");
        if !self.lowering.searches() {
            return first_value;
        }
        let resolved = |(name, id): (&'_ String, &LocalId)| {
            let local = &self.locals[id.index()];
            (local.span, name.clone())
        };
        let mut visible: Vec<_> = self.scopes.iter().flatten().map(resolved).collect();
        visible.sort();
        let lowering = &self.lowering;
        let constants = lowering.constants.keys().chain(lowering.choices.keys());
        let known = visible.iter().map(|(_, name)| name).chain(constants);
        let known = known.map(String::as_str).chain(degrees());
        if let Some(near) = self.lowering.nearest(name, known) {
            return format!("did you mean `{near}`?");
        }
        let held = self.held(name);
        match held.is_empty() {
            false => format!("did you mean {}?", held.join(" or ")),
            true => first_value,
        }
    }

    /// The fields of this name that the variables have, as they are written.
    fn held(&self, field: &str) -> Vec<String> {
        let script = &self.lowering.out.module;
        let holders = self.locals.iter().filter(|local| {
            let Type::Record(id) = local.ty else {
                return false;
            };
            let mut fields = script.record(id).fields.iter();
            fields.any(|known| known.name == field)
        });
        holders
            .map(|local| format!("`{}.{field}`", local.name))
            .collect()
    }
}

/// An expression whose type is not known yet.
pub(super) fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr {
        kind,
        ty: Type::Unknown,
        span,
    }
}
