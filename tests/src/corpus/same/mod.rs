//! Changes of a script that keep all of its odds: two scripts that say the same in other words.

mod function;
mod list;
mod shape;

use super::edit::{Edit, apply};
use super::site::{Place, parts, places};
use crate::answers::compiled;
use arbitrary::{Result, Unstructured};
use dicec_lang::front::script::{Expr, ExprKind, ItemKind, Script, StmtKind, parse};
use dicec_lang::syntax::SourceLimits;
use dicec_runtime::span::Span;

/// The statistic that is added to observe an order, and is left out of the comparison.
pub const ADDED: &str = "zz added";

/// The kinds of changes, by name.
pub const KINDS: [&str; 18] = [
    "renamed",
    "reordered",
    "copied list",
    "comprehension as loop",
    "loop as comprehension",
    "loop over indices",
    "outlined",
    "inlined",
    "match for choice",
    "match for if",
    "if the other way round",
    "assignment in full",
    "for as repeat",
    "added statistic",
    "sum of each",
    "times one",
    "named value",
    "block of its own",
];

/// One change of a random kind; nothing if it does not fit the script.
///
/// # Errors
/// Never for lack of bytes.
pub(super) fn random(
    text: &str,
    script: &Script,
    bytes: &mut Unstructured<'_>,
) -> Result<Vec<Edit>> {
    let kind = bytes.choose_index(KINDS.len())?;
    Ok(edits(KINDS[kind], text, script, bytes)?.unwrap_or_default())
}

/// The script after a change of this kind; `None` if there is no place for it that compiles.
///
/// # Errors
/// Never for lack of bytes.
pub fn changed(kind: &str, text: &str, bytes: &mut Unstructured<'_>) -> Result<Option<String>> {
    let script = parse(text, SourceLimits::default()).script;
    for _ in 0..6 {
        let Some(edits) = edits(kind, text, &script, bytes)? else {
            continue;
        };
        let changed = apply(text, edits);
        if changed != text && compiled(&changed) {
            return Ok(Some(changed));
        }
    }
    Ok(None)
}

fn edits(
    kind: &str,
    text: &str,
    script: &Script,
    bytes: &mut Unstructured<'_>,
) -> Result<Option<Vec<Edit>>> {
    let places = places(script);
    if places.is_empty() {
        return Ok(None);
    }
    let place = bytes.choose(&places)?;
    let mut same = Same {
        text,
        script,
        place,
        bytes,
    };
    match kind {
        "renamed" => same.renamed(),
        "reordered" => same.reordered(),
        "copied list" => same.copied_list(),
        "comprehension as loop" => same.comprehension_as_loop(),
        "loop as comprehension" => same.loop_as_comprehension(),
        "loop over indices" => same.loop_over_indices(),
        "outlined" => same.outlined(),
        "inlined" => same.inlined(),
        "match for choice" => same.match_for_choice(),
        "match for if" => same.match_for_if(),
        "if the other way round" => same.turned_if(),
        "assignment in full" => same.full_assignment(),
        "for as repeat" => same.for_as_repeat(),
        "added statistic" => same.added_statistic(),
        "sum of each" => same.sum_of_each(),
        "times one" => same.times_one(),
        "named value" => same.named_value(),
        "block of its own" => same.block(),
        _ => Ok(None),
    }
}

/// A script and the place of a change.
struct Same<'c, 'u> {
    text: &'c str,
    script: &'c Script,
    place: &'c Place<'c>,
    bytes: &'c mut Unstructured<'u>,
}

impl<'c> Same<'c, '_> {
    fn of(&self, span: Span) -> &'c str {
        &self.text[span.range()]
    }

    /// One of the values that `of` finds in the place's expressions.
    fn found<T>(&mut self, of: impl Fn(&'c Expr) -> Option<T>) -> Result<Option<T>> {
        let found: Vec<T> = self
            .place
            .exprs
            .iter()
            .filter_map(|expr| of(expr))
            .collect();
        self.one(found)
    }

    /// One of the values that `of` finds in the place's statements.
    fn found_stmt<T>(&mut self, of: impl Fn(Span, &'c StmtKind) -> Option<T>) -> Result<Option<T>> {
        let stmts = self.place.stmts.iter();
        let found: Vec<T> = stmts.filter_map(|stmt| of(stmt.span, &stmt.kind)).collect();
        self.one(found)
    }

    fn one<T>(&mut self, mut found: Vec<T>) -> Result<Option<T>> {
        if found.is_empty() {
            return Ok(None);
        }
        let index = self.bytes.choose_index(found.len())?;
        Ok(Some(found.swap_remove(index)))
    }

    /// A new name that is nowhere in the text.
    fn new_name(&self) -> String {
        let names = (0..).map(|number| format!("zn{number}"));
        let mut names = names.filter(|name| !self.text.contains(name.as_str()));
        names.next().unwrap_or_default()
    }

    /// The variables that are assigned to in the place.
    fn assigned(&self) -> Vec<&'c str> {
        let stmts = self.place.stmts.iter();
        let targets = stmts.filter_map(|stmt| match &stmt.kind {
            StmtKind::Assign(target, ..) | StmtKind::Step(target, _) => Some(target),
            _ => None,
        });
        targets.filter_map(name_of).collect()
    }

    /// The parameters of the place.
    fn params(&self) -> Vec<&'c str> {
        let params = match &self.place.item.kind {
            ItemKind::Function(function) => &function.params[..],
            ItemKind::Roll(roll) => &roll.params[..],
            _ => &[],
        };
        params
            .iter()
            .map(|param| param.name.kind.as_str())
            .collect()
    }
}

/// The name that an expression is.
fn name_of(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        _ => None,
    }
}

/// Whether an expression contains this name.
fn mentions(expr: &Expr, name: &str) -> bool {
    name_of(expr) == Some(name) || parts(expr).into_iter().any(|part| mentions(part, name))
}

/// Functions that neither change anything nor read what they are not given.
const PURE: [&str; 16] = [
    "roll", "len", "min", "max", "abs", "sum", "count", "any", "all", "contains", "indexOf", "d",
    "floor", "pow", "sorted", "list",
];

/// Whether nothing in an expression changes a variable, a list or a record.
fn is_pure(expr: &Expr) -> bool {
    let here = match &expr.kind {
        ExprKind::Call(name, _) => PURE.contains(&name.kind.as_str()),
        _ => true,
    };
    here && parts(expr).into_iter().all(is_pure)
}
