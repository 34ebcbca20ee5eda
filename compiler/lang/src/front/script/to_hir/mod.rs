//! Tree to HIR: names become indices, dice become rules with holes. Types stay unknown until
//! [`crate::check`] infers them.
//!
//! ```text
//! Script --define--> types, constants, signatures --body--> hir::Module (types unknown)
//!                        |                          |
//!                     constant                  expression --roll, template--> hir::Roll
//! ```
//!
//! An unresolved name is reported and becomes a variable of unknown type, about which nothing else
//! is reported: one error for each mistake. Recursion follows the syntax tree, whose height is
//! bounded, and the nesting of blocks, which [`body::MAX_DEPTH`] bounds.

mod arguments;
mod body;
mod builtin;
mod call;
mod choice;
mod comprehension;
mod constant;
mod define;
mod dice_value;
mod evaluate;
mod expression;
mod list;
mod make;
mod matching;
mod naming;
mod option;
mod pool_dice;
mod result;
mod roll;
mod search;
mod sort;
mod statement;
mod table;
mod template;

use super::ast::{self, ItemKind, Name};
use crate::front::notation::Dialect;
use crate::hir::{Builder, EnumId, FunctionId, Module, TypeId};
use crate::syntax::{Diagnostic, Diagnostics, nearest};
use builtin::Builtin;
use constant::Constant;
use define::Source;
use dicec_runtime::bug;
use dicec_runtime::span::Span;
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// The module of a tree, and the errors in its names. `text` is the source of the tree, parsed as a
/// compound rule in a dialect, or as a script. Without `clamps`, a compound rule's results keep
/// their sign in either dialect.
///
/// The tree may hold errors that were reported already. The result is complete only if there are no
/// errors at all.
pub fn to_hir<'t>(
    script: &'t ast::Script,
    text: &'t str,
    rule: Option<Dialect>,
    clamps: bool,
) -> (Module, Diagnostics) {
    let mut lowering = Lowering {
        text,
        dialect: rule.unwrap_or_default(),
        clamps,
        out: Builder::default(),
        types: FxHashMap::default(),
        choices: FxHashMap::default(),
        files: &script.files,
        callables: FxHashMap::default(),
        constants: FxHashMap::default(),
        evaluated: Cell::new(0),
        die: None,
        results: FxHashMap::default(),
        found: Diagnostics::new(),
    };
    lowering.out.module.counts_checks = rule.is_some();
    lowering.script(script);
    (lowering.out.module, lowering.found)
}

/// Whether every script has a function of this name.
pub(super) fn is_builtin(name: &str) -> bool {
    Builtin::named(name).is_some()
}

/// The maximum number of findings for which suggestions are searched.
const MAX_SEARCHES: usize = 100;

/// The callee of a name before parentheses.
#[derive(Clone, Copy)]
enum Callable {
    Function(crate::hir::FunctionId),
    /// A roll, which cannot be called.
    Roll,
}

/// The type that a name refers to.
#[derive(Clone, Copy)]
enum TypeNamed {
    Record(TypeId),
    /// An enum or flags.
    Enum(EnumId),
}

/// The state of one run: the script so far, and the names that hold everywhere.
struct Lowering<'t> {
    text: &'t str,
    /// That of its dice.
    dialect: Dialect,
    /// Whether the clamps in the tree act.
    clamps: bool,
    out: Builder,
    types: FxHashMap<String, TypeNamed>,
    /// The enums and flags that have a constant of this name, in written order.
    choices: FxHashMap<String, Vec<EnumId>>,
    /// The files, by the prefix of their names.
    files: &'t [Name],
    /// The functions with each name, and their definitions: at most one per file.
    callables: FxHashMap<String, Vec<(Callable, Span)>>,
    constants: FxHashMap<String, Constant>,
    /// The number of values that evaluating constants has made so far.
    evaluated: Cell<usize>,
    /// The type of dice on the table, if any are.
    die: Option<TypeId>,
    /// The types of the results of rolls that return several parts.
    results: FxHashMap<FunctionId, TypeId>,
    found: Diagnostics,
}

impl Lowering<'_> {
    fn script(&mut self, script: &ast::Script) {
        self.define_types(script);
        self.define_constants(script);
        let tables = self.define_tables(script);
        let sources = self.define_functions(script);
        for (id, Source { params, body, .. }) in sources {
            self.body(id, params, body);
        }
        for (id, table) in tables {
            self.rows(id, table);
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// The built-in function with this name, unless the script defines one.
    fn builtin_named(&self, name: &Name) -> Option<Builtin> {
        let builtin = Builtin::named(&name.kind)?;
        let own = !self.named(name).is_empty();
        (!(own && builtin.yields())).then_some(builtin)
    }

    /// The likely intended name. If a script has too many typos to report, not all of them are
    /// searched for.
    fn nearest<'n>(&self, word: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
        self.searches().then(|| nearest(word, known))?
    }

    /// Whether suggestions are still searched for.
    fn searches(&self) -> bool {
        self.found.len() < MAX_SEARCHES
    }

    /// The text at `span`.
    fn slice(&self, span: Span) -> &str {
        let slice = self.text.get(span.range());
        slice.unwrap_or_else(|| bug!("{span:?} is not in the source").raise())
    }
}

/// The definitions of one kind in a script.
fn items<'s, T>(
    script: &'s ast::Script,
    pick: impl Fn(&'s ItemKind) -> Option<T>,
) -> impl Iterator<Item = T> {
    script.items.iter().filter_map(move |item| pick(&item.kind))
}
