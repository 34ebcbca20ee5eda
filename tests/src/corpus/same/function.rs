//! Names, definitions and functions in other words.

use super::{Same, name_of};
use crate::corpus::edit::{Edit, apply, before, replace};
use crate::corpus::site::parts;
use arbitrary::Result;
use dicec_lang::front::script::{Expr, ExprKind, Function, ItemKind, StmtKind};

impl<'c> Same<'c, '_> {
    /// A variable by another name.
    pub(super) fn renamed(&mut self) -> Result<Option<Vec<Edit>>> {
        let assigned = self.assigned();
        let Some(old) = self.one(assigned)? else {
            return Ok(None);
        };
        // A parameter may be named by callers.
        if self.params().contains(&old) || self.bound().contains(&old) {
            return Ok(None);
        }
        let new = self.new_name();
        let uses = self
            .place
            .exprs
            .iter()
            .filter(|expr| name_of(expr) == Some(old));
        Ok(Some(
            uses.map(|expr| replace(expr.span, new.clone())).collect(),
        ))
    }

    /// Two definitions the other way round.
    pub(super) fn reordered(&mut self) -> Result<Option<Vec<Edit>>> {
        let items = self.script.items.iter();
        let items = items.filter(|item| !matches!(item.kind, ItemKind::Import(_)));
        let items: Vec<_> = items.collect();
        if items.len() < 2 {
            return Ok(None);
        }
        let (one, other) = (self.bytes.choose(&items)?, self.bytes.choose(&items)?);
        Ok(Some(vec![
            replace(one.span, self.of(other.span)),
            replace(other.span, self.of(one.span)),
        ]))
    }

    /// An expression as a call of a new function with the variables that it reads.
    pub(super) fn outlined(&mut self) -> Result<Option<Vec<Edit>>> {
        let Some(expr) = self.found(|expr| (expr.height() > 1).then_some(expr))? else {
            return Ok(None);
        };
        let known: Vec<&str> = [self.assigned(), self.params(), self.bound()].concat();
        let mut free = Vec::new();
        read(expr, &mut Vec::new(), &mut free);
        free.retain(|(name, _)| known.contains(name));
        free.sort_unstable();
        // Once as a list is a list.
        free.reverse();
        free.dedup_by(|a, b| a.0 == b.0);
        let params = free
            .iter()
            .map(|(name, is_list)| format!("{name}: int{}", if *is_list { " list" } else { "" }));
        let params: Vec<String> = params.collect();
        let names: Vec<&str> = free.iter().map(|(name, _)| *name).collect();
        let function = self.new_name();
        let definition = format!(
            "deffun {function}({}) {{ return {}; }}\n",
            params.join(", "),
            self.of(expr.span)
        );
        Ok(Some(vec![
            before(self.place.item.span, definition),
            replace(expr.span, format!("{function}({})", names.join(", "))),
        ]))
    }

    /// A call as the expression that the function returns.
    pub(super) fn inlined(&mut self) -> Result<Option<Vec<Edit>>> {
        let found = self.found(|expr| match &expr.kind {
            ExprKind::Call(name, arguments) => {
                Some((expr, name.kind.as_str(), arguments.unnamed()?))
            }
            _ => None,
        })?;
        let Some((call, name, arguments)) = found else {
            return Ok(None);
        };
        // What is read twice must give the same twice, and must not be captured.
        let simple = |expr: &&Expr| matches!(expr.kind, ExprKind::Int(_) | ExprKind::Name(_));
        let function = self.function(name);
        let Some((function, value)) = function.and_then(|f| Some((f, returned(f)?))) else {
            return Ok(None);
        };
        if function.params.len() != arguments.len() || !arguments.iter().all(|a| simple(&a)) {
            return Ok(None);
        }
        let mut free = Vec::new();
        read(value, &mut Vec::new(), &mut free);
        let names = arguments.iter().filter_map(name_of);
        let mut bound = Vec::new();
        each(value, &mut |expr| bound.extend(bound_by(expr)));
        if names.into_iter().any(|name| bound.contains(&name)) {
            return Ok(None);
        }
        let start = value.span.range().start;
        let mut inner = Vec::new();
        each(value, &mut |expr| {
            let position = function
                .params
                .iter()
                .position(|param| name_of(expr) == Some(&param.name.kind));
            if let Some(position) = position {
                let range = expr.span.range();
                let range = range.start - start..range.end - start;
                inner.push((range, self.of(arguments[position].span).to_owned()));
            }
        });
        let inlined = apply(self.of(value.span), inner);
        Ok(Some(vec![replace(call.span, format!("({inlined})"))]))
    }

    fn function(&self, name: &str) -> Option<&'c Function> {
        self.script.items.iter().find_map(|item| match &item.kind {
            ItemKind::Function(function) if function.name.kind == name => Some(function),
            _ => None,
        })
    }

    /// The variables of loops and comprehensions in the place.
    fn bound(&self) -> Vec<&'c str> {
        let stmts = self.place.stmts.iter();
        let loops = stmts.filter_map(|stmt| match &stmt.kind {
            StmtKind::For(name, ..) | StmtKind::Count(name, ..) => Some(name.kind.as_str()),
            _ => None,
        });
        let exprs = self.place.exprs.iter();
        loops
            .chain(exprs.filter_map(|expr| bound_by(expr)))
            .collect()
    }
}

/// The expression that a function of one statement returns.
fn returned(function: &Function) -> Option<&Expr> {
    match &function.body.kind[..] {
        [only] => match &only.kind {
            StmtKind::Return(value) => value.as_ref(),
            _ => None,
        },
        _ => None,
    }
}

/// The variable of a comprehension.
fn bound_by(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Gather(_, each) | ExprKind::ListOf(each) => Some(&each.name.kind),
        _ => None,
    }
}

fn each<'e>(expr: &'e Expr, look: &mut dyn FnMut(&'e Expr)) {
    look(expr);
    for part in parts(expr) {
        each(part, look);
    }
}

/// The names that an expression reads and does not bind, and whether they are lists there.
fn read<'e>(expr: &'e Expr, bound: &mut Vec<&'e str>, free: &mut Vec<(&'e str, bool)>) {
    let mut lists: Vec<&Expr> = Vec::new();
    match &expr.kind {
        ExprKind::Name(name) if !bound.contains(&name.as_str()) => free.push((name, false)),
        ExprKind::Index(list, _) => lists.push(list),
        ExprKind::Slice(parts) => lists.push(&parts[0]),
        ExprKind::Gather(_, each) | ExprKind::ListOf(each) if each.last.is_none() => {
            lists.push(&each.list);
        }
        ExprKind::Call(name, arguments)
            if matches!(
                name.kind.as_str(),
                "len" | "sum" | "contains" | "sorted" | "indexOf" | "count"
            ) =>
        {
            lists.extend(arguments.values.first());
        }
        _ => {}
    }
    for list in lists {
        free.extend(
            name_of(list)
                .filter(|name| !bound.contains(name))
                .map(|name| (name, true)),
        );
    }
    let own = bound_by(expr);
    bound.extend(own);
    for part in parts(expr) {
        read(part, bound, free);
    }
    if own.is_some() {
        bound.pop();
    }
}
