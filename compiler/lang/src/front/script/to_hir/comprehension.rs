//! Desugars aggregates over a list or a range, `sum(f.hp for f : foes if f.hp > 0)`, to the loop
//! that one would write by hand:
//!
//! ```text
//! total = 0;
//! for (f : foes) { if (f.hp > 0) { v = f.hp; total += v; } }
//! ```

use super::body::Body;
use super::builtin::Builtin;
use super::make::Make;
use super::search::Search;
use crate::front::script::ast::{self, Comprehension, Key, Name};
use crate::hir::{Aggregate, Block, Expr, InitialValue, Stmt, StmtKind};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;

/// The sequence of an aggregate.
#[derive(Clone, Copy)]
pub(super) enum Elements<'a> {
    /// The elements of a list.
    Of(&'a ast::Expr),
    /// A value for each element.
    Each(&'a Comprehension),
}

impl Body<'_, '_> {
    /// `name(value for x : list)`
    pub(super) fn gathered(&mut self, name: &Name, parts: &Comprehension, span: Span) -> Expr {
        use Builtin::{All, Any, Count, Least, Max, Min, Most, Pick, Sort, Sorted, Sum};
        // A function of the script takes no such thing, so the built-in is meant.
        match Builtin::named(&name.kind) {
            Some(which @ (Least | Most)) => match &parts.key {
                Some(key) => return self.best(which, parts, key, span),
                None => self.key_missing(which, span),
            },
            Some(Sort) => return self.sort_by(parts, span),
            Some(Sorted) => {
                return self.sorted(Elements::Each(parts), span);
            }
            Some(which @ Pick) => match &parts.key {
                Some(key) => self.needless_key(which.name(), key),
                None => return self.pick_of(parts, span),
            },
            Some(which @ (Sum | Count | Any | All | Min | Max)) => match &parts.key {
                Some(key) => self.needless_key(&name.kind, key),
                None => return self.reduce(which, Elements::Each(parts), span),
            },
            _ => self.takes_no_elements(name, parts),
        }
        self.list_of(parts, span);
        self.unresolved(span)
    }

    /// `[value for x : list]`
    pub(super) fn list_of(&mut self, parts: &Comprehension, span: Span) -> Expr {
        let make = Make(span);
        if let Some(key) = &parts.key {
            self.needless_key("[...]", key);
        }
        let [list] = self.fresh(span);
        let each = self.each(Elements::Each(parts), span, |_, value| {
            vec![make.append(list, value)]
        });
        let begins = make.set(list, make.empty_list());
        let collected = Aggregate::Collected(list.id);
        let statements = vec![begins, each];
        make.aggregate(collected, Vec::new(), statements, make.local(list))
    }

    /// A number or truth value of all elements.
    pub(super) fn reduce(&mut self, which: Builtin, of: Elements<'_>, span: Span) -> Expr {
        match which {
            Builtin::Sum => self.sum(of, span),
            Builtin::Count => self.count(of, span),
            Builtin::Any => self.decided(true, of, span),
            Builtin::All => self.decided(false, of, span),
            _ => self.extreme(which, of, span),
        }
    }

    fn sum(&mut self, of: Elements<'_>, span: Span) -> Expr {
        let make = Make(span);
        let [total, value] = self.fresh(span);
        let each = self.each(of, span, |_, element| {
            vec![make.set(value, element), make.add(total, make.local(value))]
        });
        let zero = make.initial(total, InitialValue::Zero, value, "`sum` adds");
        let sum = Aggregate::Sum {
            total: total.id,
            value: value.id,
        };
        make.aggregate(sum, vec![zero], vec![each], make.local(total))
    }

    fn count(&mut self, of: Elements<'_>, span: Span) -> Expr {
        let make = Make(span);
        let [count] = self.fresh(span);
        let each = self.each(of, span, |_, element| {
            vec![make.when(element, vec![make.add(count, make.int(1))])]
        });
        let statements = vec![make.set(count, make.int(0)), each];
        let counted = Aggregate::Count(count.id);
        make.aggregate(counted, Vec::new(), statements, make.local(count))
    }

    /// Whether one of the truth values is true (`any`), or none is false (`all`). It ends with the
    /// first element that decides it.
    fn decided(&mut self, any: bool, of: Elements<'_>, span: Span) -> Expr {
        let make = Make(span);
        let [answer] = self.fresh(span);
        let each = self.each(of, span, |_, element| {
            let decides = if any { element } else { make.not(element) };
            let decided = vec![
                make.set(answer, make.truth(any)),
                make.stmt(StmtKind::Break),
            ];
            vec![make.when(decides, decided)]
        });
        let statements = vec![make.set(answer, make.truth(!any)), each];
        let decided = Aggregate::Decided {
            answer: answer.id,
            by: any,
        };
        make.aggregate(decided, Vec::new(), statements, make.local(answer))
    }

    /// The least or greatest of the values.
    fn extreme(&mut self, which: Builtin, of: Elements<'_>, span: Span) -> Expr {
        let make = Make(span);
        let search = Search::new(self, which, span);
        let each = self.each(of, span, |_, element| {
            search.looks_at(element, Vec::new(), make)
        });
        let statements = vec![search.begins(make), each, search.ends(make)];
        let found = make.local(search.best);
        let extreme = Aggregate::Extreme(search.variables());
        make.aggregate(extreme, search.initials(make), statements, found)
    }

    /// `least(value by key for x : list)`: the value for the first element with the least key.
    fn best(&mut self, which: Builtin, parts: &Comprehension, key: &Key, span: Span) -> Expr {
        let make = Make(span);
        if key.descending {
            self.needless_descending(which, key);
        }
        let search = Search::new(self, which, span);
        let [place] = self.fresh(span);
        let first = self.expr(&parts.list);
        let last = parts.last.as_ref().map(|last| self.expr(last));
        self.scope(|body| {
            let local = body.variable(&parts.name);
            let key = body.expr(&key.value);
            let [position] = body.fresh(span);
            let here = match last {
                Some(_) => local,
                None => position,
            };
            let looks = search.looks_at(key, vec![make.set(place, make.local(here))], make);
            let mut inside = body.filtered(parts, looks, make);
            let mut statements = vec![make.set(place, make.int(0)), search.begins(make)];
            let element = match last {
                Some(last) => {
                    statements.push(make.count(local, [first, last], inside));
                    make.local(place)
                }
                None => {
                    // The element is read again at the end: an index is cheaper to keep.
                    inside.push(make.add(position, make.int(1)));
                    statements.push(make.set(position, make.int(0)));
                    let list = body.kept(first, &mut statements);
                    statements.push(make.each(local, make.local(list), inside));
                    make.element(list, make.local(place))
                }
            };
            statements.push(search.ends(make));
            statements.push(make.set(local, element));
            let value = body.expr(&parts.value);
            let aggregate = Aggregate::Best {
                search: search.variables(),
                index: place.id,
            };
            make.aggregate(aggregate, search.initials(make), statements, value)
        })
    }

    /// The loop through some elements; `inside` gets the value for an element.
    pub(super) fn each(
        &mut self,
        of: Elements<'_>,
        span: Span,
        inside: impl FnOnce(&mut Self, Expr) -> Block,
    ) -> Stmt {
        let make = Make(span);
        let parts = match of {
            Elements::Of(list) => {
                let [local] = self.fresh(list.span);
                let list = self.expr(list);
                let inside = inside(self, make.local(local));
                return make.each(local, list, inside);
            }
            Elements::Each(parts) => parts,
        };
        let first = self.expr(&parts.list);
        let last = parts.last.as_ref().map(|last| self.expr(last));
        self.scope(|body| {
            let local = body.variable(&parts.name);
            let value = body.expr(&parts.value);
            let inside = inside(body, value);
            let inside = body.filtered(parts, inside, make);
            match last {
                Some(last) => make.count(local, [first, last], inside),
                None => make.each(local, first, inside),
            }
        })
    }

    /// Statements for the elements that pass.
    fn filtered(&mut self, parts: &Comprehension, inside: Block, make: Make) -> Block {
        match &parts.filter {
            Some(filter) => {
                let filter = self.expr(filter);
                vec![make.when(filter, inside)]
            }
            None => inside,
        }
    }
}

/// Mistakes.
impl Body<'_, '_> {
    pub(super) fn key_missing(&mut self, which: Builtin, span: Span) {
        let name = which.name();
        let message = format!("`{name}` needs to know by what elements are compared");
        let found = Diagnostic::error(Code::Expected, span, message);
        let other = if which == Builtin::Least {
            "min"
        } else {
            "max"
        };
        self.report(found.help(format!(
            "write `{}`; of numbers, `{other}(list)`",
            which.signature()
        )));
    }

    fn needless_key(&mut self, name: &str, key: &Key) {
        let message = format!("`{name}` does not order anything, so `by` means nothing in it");
        let found = Diagnostic::error(Code::Misplaced, key.value.span, message);
        self.report(found.help("remove `by` and what follows it up to `for`"));
    }

    fn needless_descending(&mut self, which: Builtin, key: &Key) {
        let (name, other) = match which {
            Builtin::Least => ("least", "most"),
            _ => ("most", "least"),
        };
        let message = format!("`{name}` has no order to reverse");
        let found = Diagnostic::error(Code::Misplaced, key.value.span, message);
        self.report(found.help(format!("write `{other}`, without `descending`")));
    }

    fn takes_no_elements(&mut self, name: &Name, parts: &Comprehension) {
        let written = self.lowering.slice(parts.value.span).to_owned();
        let message = format!("`{}` does not go through a list", name.kind);
        let found = Diagnostic::error(Code::NoSuchFunction, name.span, message);
        let is_of_numbers = Builtin::named(&name.kind).is_some_and(|which| which.math().is_some());
        self.report(found.help(match is_of_numbers {
            true => "`sum`, `count`, `any`, `all`, `min` and `max` go through a list".to_owned(),
            false => format!(
                "make a list of the values first: `{}([{written} for {} : ...])`",
                name.kind, parts.name.kind
            ),
        }));
    }
}
