//! Desugars sorting to an insertion sort: each element is compared with all before it, from the
//! last one on, and swapped with those that belong after it. The comparisons depend only on the
//! length, so short lists are sorted without branches; it is stable. Sort keys are computed once
//! per element.

use super::body::Body;
use super::comprehension::Elements;
use super::make::{Make, Var};
use crate::front::script::ast::{self, Comprehension, ExprKind as Ast};
use crate::hir::{Block, CompareOp, Expr, Stmt};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;

/// The elements to sort, and their order.
#[derive(Clone, Copy)]
struct Order {
    list: Var,
    /// The keys of the elements, if the elements themselves are not compared.
    keys: Option<Var>,
    descending: bool,
}

impl Body<'_, '_> {
    /// `sort(list)`
    pub(super) fn sort(&mut self, list: Expr, descending: bool, span: Span) -> Expr {
        let make = Make(span);
        let mut statements = Block::new();
        let order = Order {
            list: self.kept(list, &mut statements),
            keys: None,
            descending,
        };
        statements.push(self.exchanges(order, make));
        make.sorts(order.list, statements, None)
    }

    /// `sort(x by key for x : list)`: the list itself is sorted.
    pub(super) fn sort_by(&mut self, parts: &Comprehension, span: Span) -> Expr {
        let make = Make(span);
        let is_element = matches!(&parts.value.kind, Ast::Name(name) if *name == parts.name.kind);
        if !is_element || parts.last.is_some() || parts.filter.is_some() {
            self.sorts_something_else(parts, span);
            self.sorted(Elements::Each(parts), span);
            return self.unresolved(span);
        }
        let list = self.expr(&parts.list);
        let descending = parts.key.as_ref().is_some_and(|key| key.descending);
        let Some(key) = separate_key(parts) else {
            return self.sort(list, descending, span);
        };
        let [keys] = self.fresh(span);
        let mut statements = Block::new();
        let all = self.kept(list, &mut statements);
        statements.push(make.set(keys, make.empty_list()));
        statements.push(self.scope(|body| {
            let local = body.variable(&parts.name);
            let append = make.append(keys, body.expr(key));
            make.each(local, make.local(all), vec![append])
        }));
        let order = Order {
            list: all,
            keys: Some(keys),
            descending,
        };
        statements.push(self.exchanges(order, make));
        make.unit(statements)
    }

    /// `sorted(list)`, `sorted(value by key for x : list)`: a new list.
    pub(super) fn sorted(&mut self, of: Elements<'_>, span: Span) -> Expr {
        let make = Make(span);
        let (key, descending) = match of {
            Elements::Of(_) => (None, false),
            Elements::Each(parts) => {
                let descending = parts.key.as_ref().is_some_and(|key| key.descending);
                (separate_key(parts), descending)
            }
        };
        let [all, keys] = self.fresh(span);
        let each = self.each(of, span, |body, value| {
            let key = key.map(|key| make.append(keys, body.expr(key)));
            [make.append(all, value)].into_iter().chain(key).collect()
        });
        let mut statements = vec![make.set(all, make.empty_list())];
        if key.is_some() {
            statements.push(make.set(keys, make.empty_list()));
        }
        let order = Order {
            list: all,
            keys: key.is_some().then_some(keys),
            descending,
        };
        statements.extend([each, self.exchanges(order, make)]);
        match order.keys {
            Some(_) => make.block(statements, make.local(all)),
            None => make.sorts(all, statements, Some(make.local(all))),
        }
    }

    /// The loops that exchange elements.
    fn exchanges(&mut self, order: Order, make: Make) -> Stmt {
        let Order {
            list,
            keys,
            descending,
        } = order;
        let [index, step, place, follows] = self.fresh(make.0);
        let after = make.plus(make.local(place), make.int(1));
        let op = match descending {
            true => CompareOp::Less,
            false => CompareOp::Greater,
        };
        let of_list = (list, self.fresh(make.0));
        let of_keys = keys.map(|keys| (keys, self.fresh(make.0)));
        let (_, [first, second]) = of_keys.unwrap_or(of_list);
        let distance = make.minus(make.local(index), make.local(step));
        let mut body = vec![make.set(place, distance)];
        for (list, [first, second]) in of_keys.into_iter().chain([of_list]) {
            body.push(make.set(first, make.element(list, make.local(place))));
            body.push(make.set(second, make.element(list, after.clone())));
        }
        let is_after = make.compare(op, make.local(first), make.local(second));
        body.push(make.set(follows, is_after));
        let chosen =
            |yes: Var, no: Var| make.choose(make.local(follows), make.local(yes), make.local(no));
        for (list, [first, second]) in of_keys.into_iter().chain([of_list]) {
            body.push(make.put(list, make.local(place), chosen(second, first)));
            body.push(make.put(list, after.clone(), chosen(first, second)));
        }
        let inner = make.count(step, [make.int(1), make.local(index)], body);
        let last = make.plus(make.len(list), make.int(-1));
        make.count(index, [make.int(1), last], vec![inner])
    }

    fn sorts_something_else(&mut self, parts: &Comprehension, span: Span) {
        let name = &parts.name.kind;
        let message = "`sort` changes a list, so it takes its elements as they are";
        let found = Diagnostic::error(Code::Misplaced, span, message);
        self.report(found.help(format!(
            "write `sort({name} by ... for {name} : list);`, or make a new list: `sorted(...)`"
        )));
    }
}

/// The key of the elements, unless it is the elements themselves.
fn separate_key(parts: &Comprehension) -> Option<&ast::Expr> {
    let key = &parts.key.as_ref()?.value;
    let is_value = is_path(key) && *key == parts.value;
    (!is_value).then_some(key)
}

/// A name, or a field of one: whoever evaluates it twice cannot tell.
fn is_path(expr: &ast::Expr) -> bool {
    match &expr.kind {
        Ast::Name(_) => true,
        Ast::Field(record, _) => is_path(record),
        _ => false,
    }
}
