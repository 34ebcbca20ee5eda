//! Operations on lists: slices and copies, and those that change a list.

use super::body::{Body, expr};
use super::make::{Make, Var};
use crate::front::script::ast::{self, Comprehension};
use crate::hir::{Aggregate, Block, CompareOp, Expr, ExprKind, Hole, Pool, Roll, StmtKind};
use dicec_runtime::span::Span;
use std::sync::Arc;

/// `[value; n]` with at most this number is a list of written values.
const MAX_WRITTEN_OUT: i64 = 16;

impl Body<'_, '_> {
    /// `list[first..last]`
    pub(super) fn slice(&mut self, parts: &[ast::Expr; 3], span: Span) -> Expr {
        let make = Make(span);
        let [list, first, last] = parts.each_ref().map(|part| self.expr(part));
        let mut statements = Block::new();
        let all = self.kept(list, &mut statements);
        let [part, index] = self.fresh(span);
        let each = make.append(part, make.element(all, make.local(index)));
        statements.extend([
            make.set(part, make.empty_list()),
            make.count(index, [first, last], vec![each]),
        ]);
        make.block(statements, make.local(part))
    }

    /// `[value; count]`: the value is computed for each element, so records are different ones.
    pub(super) fn copies(&mut self, parts: &[ast::Expr; 2], span: Span) -> Expr {
        let make = Make(span);
        let [value, count] = parts.each_ref().map(|part| self.expr(part));
        if let ExprKind::Int(count @ 1..=MAX_WRITTEN_OUT) = count.kind
            && !has_block(&value)
        {
            // The same list, written out: engines know its length.
            let copies = (0..count).map(|_| value.clone()).collect();
            return expr(ExprKind::List(copies), span);
        }
        let [list, index] = self.fresh(span);
        let each = make.append(list, value);
        let statements = vec![
            make.set(list, make.empty_list()),
            make.count(index, [make.int(1), count], vec![each]),
        ];
        make.block(statements, make.local(list))
    }

    /// `indexOf(list, value)`: the index of the first element that equals it; -1 if none does.
    pub(super) fn index_of(&mut self, list: &ast::Expr, value: &ast::Expr, span: Span) -> Expr {
        let make = Make(span);
        let [place, element, result] = self.fresh(span);
        let [list, value] = [list, value].map(|part| self.expr(part));
        let mut statements = Block::new();
        let all = self.kept(list, &mut statements);
        let wanted = self.reused(value, &mut statements);
        let same = make.compare(CompareOp::Equal, make.local(element), wanted);
        let found = vec![
            make.set(result, make.local(place)),
            make.stmt(StmtKind::Break),
        ];
        let body = vec![make.when(same, found), make.add(place, make.int(1))];
        statements.extend([
            make.set(result, make.int(-1)),
            make.set(place, make.int(0)),
            make.each(element, make.local(all), body),
        ]);
        make.block(statements, make.local(result))
    }

    /// `insert(list, index, value)`
    pub(super) fn insert(
        &mut self,
        list: &ast::Expr,
        [index, value]: [&ast::Expr; 2],
        span: Span,
    ) -> Expr {
        let make = Make(span);
        let [list, index, value] = [list, index, value].map(|part| self.expr(part));
        let mut statements = Block::new();
        let all = self.kept(list, &mut statements);
        let [at, place] = self.fresh(span);
        // What is added has to be a whole number, and is blamed if it is not.
        statements.extend([make.set(at, make.int(0)), make.add(at, index)]);
        let value = self.reused(value, &mut statements);
        let from = make.compare(CompareOp::LessEqual, make.int(0), make.local(at));
        let to = make.compare(CompareOp::LessEqual, make.local(at), make.len(all));
        let more = make.compare(CompareOp::Greater, make.local(place), make.local(at));
        let before = make.plus(make.local(place), make.int(-1));
        let shift = vec![
            make.put(all, make.local(place), make.element(all, before.clone())),
            make.set(place, before),
        ];
        statements.extend([
            make.require(make.and(from, to)),
            make.set(place, make.len(all)),
            make.append(all, value.clone()),
            make.stmt(StmtKind::While(more, shift)),
            make.put(all, make.local(at), value),
        ]);
        make.unit(statements)
    }

    /// `remove(list, index)`
    pub(super) fn remove(&mut self, list: &ast::Expr, index: &ast::Expr, span: Span) -> Expr {
        let (list, index) = (self.expr(list), self.expr(index));
        let mut statements = Block::new();
        let all = self.kept(list, &mut statements);
        let index = self.kept(index, &mut statements);
        let make = Make(span);
        let (statements, taken) = self.taken_out((all, index), statements, make);
        make.block(statements, taken)
    }

    /// `draw(list)`: removes a random element.
    pub(super) fn draw(&mut self, list: &ast::Expr, span: Span) -> Expr {
        let make = Make(span);
        let list = self.expr(list);
        let mut statements = Block::new();
        let all = self.kept(list, &mut statements);
        let index = self.random_index(all, &mut statements, make);
        let drawn = Aggregate::Drawn {
            list: all.id,
            index: index.id,
        };
        let (statements, taken) = self.taken_out((all, index), statements, make);
        make.aggregate(drawn, Vec::new(), statements, taken)
    }

    /// The statements that remove the element at an index, and the element.
    fn taken_out(
        &mut self,
        (all, index): (Var, Var),
        mut before: Block,
        make: Make,
    ) -> (Block, Expr) {
        let [taken, place] = self.fresh(make.0);
        let next = make.plus(make.local(place), make.int(1));
        let shift = make.put(all, make.local(place), make.element(all, next));
        let last_but_one = make.plus(make.len(all), make.int(-2));
        let pop = expr(ExprKind::Pop(Box::new(make.local(all))), make.0);
        before.extend([
            make.set(taken, make.element(all, make.local(index))),
            make.count(place, [make.local(index), last_but_one], vec![shift]),
            make.stmt(StmtKind::Eval(pop)),
        ]);
        (before, make.local(taken))
    }

    /// `pick(list)`: a random element.
    pub(super) fn pick(&mut self, list: Expr, span: Span) -> Expr {
        let make = Make(span);
        let mut statements = Block::new();
        let all = self.kept(list, &mut statements);
        let index = self.random_index(all, &mut statements, make);
        let element = make.element(all, make.local(index));
        make.aggregate(picked(index, None), Vec::new(), statements, element)
    }

    /// `pick(value for x : list if c)`: the value for a random element. No list is made, but the
    /// passing elements are counted first; they are collected if evaluating the condition twice
    /// could differ.
    pub(super) fn pick_of(&mut self, parts: &Comprehension, span: Span) -> Expr {
        let make = Make(span);
        let first = self.expr(&parts.list);
        let last = parts.last.as_ref().map(|last| self.expr(last));
        self.scope(|body| {
            let local = body.variable(&parts.name);
            let filter = parts.filter.as_ref().map(|filter| body.expr(filter));
            let mut statements = Block::new();
            let (index, passing, element) = match (filter, last) {
                (None, None) => {
                    let all = body.kept(first, &mut statements);
                    let index = body.random_index(all, &mut statements, make);
                    (index, None, make.element(all, make.local(index)))
                }
                (filter, last) => {
                    let filter = filter.unwrap_or(make.truth(true));
                    body.random_passing((local, filter), (first, last), &mut statements, make)
                }
            };
            statements.push(make.set(local, element));
            let value = body.expr(&parts.value);
            make.aggregate(picked(index, passing), Vec::new(), statements, value)
        })
    }

    /// A random one of the elements, or numbers of a range, that pass a filter: the variable with
    /// its index, the list of those that pass if they are collected, and the element.
    fn random_passing(
        &mut self,
        (local, filter): (Var, Expr),
        (first, last): (Expr, Option<Expr>),
        statements: &mut Block,
        make: Make,
    ) -> (Var, Option<Var>, Expr) {
        let first = self.kept(first, statements);
        let last = last.map(|last| self.kept(last, statements));
        let through = |body| match last {
            Some(last) => make.count(local, [make.local(first), make.local(last)], body),
            None => make.each(local, make.local(first), body),
        };
        let [count, left, place, position] = self.fresh(make.0);
        if !is_repeatable(&filter) {
            let passing = count;
            let collect = make.append(passing, make.local(local));
            statements.push(make.set(passing, make.empty_list()));
            statements.push(through(vec![make.when(filter, vec![collect])]));
            let index = self.random_index(passing, statements, make);
            return (
                index,
                Some(passing),
                make.element(passing, make.local(index)),
            );
        }
        let counted = make.when(filter.clone(), vec![make.add(count, make.int(1))]);
        let some = make.compare(CompareOp::Greater, make.local(count), make.int(0));
        let random = self.random(make.local(count), make);
        let here = if last.is_some() { local } else { position };
        let is_it = make.compare(CompareOp::Equal, make.local(left), make.int(0));
        let taken = vec![
            make.set(place, make.local(here)),
            make.stmt(StmtKind::Break),
        ];
        let look = vec![make.when(is_it, taken), make.add(left, make.int(-1))];
        let look = vec![make.when(filter, look), make.add(position, make.int(1))];
        statements.extend([
            make.set(count, make.int(0)),
            through(vec![counted]),
            make.require(some),
            make.set(left, random),
            make.set(place, make.int(0)),
            make.set(position, make.int(0)),
            through(look),
        ]);
        let element = match last {
            Some(_) => make.local(place),
            None => make.element(first, make.local(place)),
        };
        (place, None, element)
    }

    /// `shuffle(list)`: from the last element to the second one, each changes places with a random
    /// one up to itself (Fisher and Yates), so that all orders are equally likely.
    pub(super) fn shuffle(&mut self, list: &ast::Expr, span: Span) -> Expr {
        let make = Make(span);
        let list = self.expr(list);
        let mut statements = Block::new();
        let all = self.kept(list, &mut statements);
        let [left, last, other, kept] = self.fresh(span);
        let random = self.random(make.plus(make.local(last), make.int(1)), make);
        let back = expr(ExprKind::Negate(Box::new(make.local(left))), span);
        let swap = vec![
            make.set(last, make.plus(make.len(all), back)),
            make.set(other, random),
            make.set(kept, make.element(all, make.local(last))),
            make.put(all, make.local(last), make.element(all, make.local(other))),
            make.put(all, make.local(other), make.local(kept)),
        ];
        let most = make.plus(make.len(all), make.int(-1));
        statements.push(make.count(left, [make.int(1), most], swap));
        make.unit(statements)
    }

    /// The index of a random element of a list, which has to have one.
    fn random_index(&mut self, list: Var, statements: &mut Block, make: Make) -> Var {
        let [index] = self.fresh(make.0);
        let random = self.random(make.len(list), make);
        let some = make.compare(CompareOp::Greater, make.len(list), make.int(0));
        statements.extend([make.require(some), make.set(index, random)]);
        index
    }

    /// A random whole number from 0 up to one less than `count`, by a die of that many sides.
    pub(super) fn random(&mut self, count: Expr, make: Make) -> Expr {
        let [sides] = self.fresh(make.0);
        let pool = Pool::plain(make.int(1), make.local(sides));
        let roll = Roll {
            holes: vec![Hole {
                local: sides.id,
                value: count,
            }],
            body: expr(ExprKind::Pool(Box::new(pool)), make.0),
            labels: Arc::default(),
            cost: 0,
        };
        let die = expr(ExprKind::Roll(Box::new(roll)), make.0);
        make.plus(die, make.int(-1))
    }
}

/// The aggregate of `pick`, by the variable with the index and the list of passing elements.
fn picked(index: Var, passing: Option<Var>) -> Aggregate {
    Aggregate::Pick {
        index: index.id,
        passing: passing.map(|passing| passing.id),
    }
}

/// Whether an expression has variables of its own, so that it cannot be written twice.
fn has_block(expr: &Expr) -> bool {
    let mut has = false;
    expr.each(&mut |part| has |= matches!(part.kind, ExprKind::Block(_)));
    has
}

/// Whether evaluating an expression again gives the same and does nothing.
fn is_repeatable(expr: &Expr) -> bool {
    let mut repeatable = true;
    expr.each(&mut |part| {
        repeatable &= !matches!(
            part.kind,
            ExprKind::Call(..)
                | ExprKind::Roll(_)
                | ExprKind::Option(_)
                | ExprKind::Append(..)
                | ExprKind::Pop(_)
                // Its variables are its own.
                | ExprKind::Block(_)
        );
    });
    repeatable
}
