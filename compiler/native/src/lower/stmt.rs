//! Statements.
//!
//! ```text
//!     jump block1(v1)               ; while (v > 0) v = v - 1;
//! block1(v2: i64):                  ; what the iteration changes
//!     branch v2 > 0, block2, block3
//! block2:
//!     fuel 1
//!     jump block1(v2 - 1)
//! block3:
//!     jump block4(v2)               ; a `break` goes there, too
//! ```

use super::body::{Body, Loop};
use super::expr::Part;
use super::float::is_float;
use super::reach::assigned;
use crate::ir::{self, Imm, Op, Type as IrType, Value};
use dicec_lang::hir::{ArithOp, Block, Expr, ExprKind, LocalId, Place, StatName, Stmt, StmtKind};
use dicec_runtime::bug;
use dicec_runtime::script::Site;
use dicec_runtime::span::Span;
use std::ops::Range;

/// A loop over a known list of at most this many elements is unrolled.
const MAX_UNROLLED: i64 = 8;

/// In a function with at least this many instructions, no loop is unrolled.
const UNROLL_UNTIL: usize = 4_000;

/// The sequence that a loop iterates over.
#[derive(Clone, Copy)]
enum Course<'s> {
    /// The elements of a list: its expression and its address.
    List(&'s Expr, Value),
    /// The whole numbers from the first value to the one before the second.
    Numbers(Value, Value),
}

impl<'s> Body<'_, 's> {
    pub(super) fn block(&mut self, block: &'s Block) {
        for stmt in block {
            if !self.open {
                return;
            }
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'s Stmt) {
        match &stmt.kind {
            StmtKind::Assign(place, value) => self.assign(place, value, stmt.span),
            StmtKind::Update(place, op, value) => self.update(place, *op, value, stmt.span),
            StmtKind::Eval(value) => {
                self.expr(value);
            }
            StmtKind::If(condition, then, otherwise) => self.choice(condition, then, otherwise),
            StmtKind::While(condition, body) => self.while_loop(condition, body, stmt.span),
            StmtKind::For(local, list, body) => {
                let course = Course::List(list, self.expr(list));
                self.counted(*local, course, body, stmt.span);
            }
            StmtKind::Count(local, bounds, body) => {
                let course = self.numbers(bounds, stmt.span);
                self.counted(*local, course, body, stmt.span);
            }
            StmtKind::Require(condition) => {
                // The only element of a list that has one if the condition holds.
                let count = self.int(condition);
                self.builder.set_span(stmt.span);
                let first = self.builder.iconst(0);
                self.builder.inst(Op::Index, &[first, count], Imm::None);
            }
            StmtKind::Break => self.leave_iteration(|inner| (inner.exit, None)),
            StmtKind::Continue => self.leave_iteration(|inner| (inner.next, inner.with)),
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|value| self.expr(value));
                self.end(value);
            }
            StmtKind::Output(line) => self.output(line),
            StmtKind::StartGroup | StmtKind::EndGroup => {}
            StmtKind::Stat(name, value) => self.stat(name, value, stmt.span),
        }
    }

    fn assign(&mut self, place: &'s Place, value: &'s Expr, span: Span) {
        match place {
            Place::Local(local) => {
                let value = self.expr(value);
                self.set(*local, value);
            }
            Place::Field(record, field) => {
                let address = self.expr(record);
                let word = self.word(value);
                self.put_field(record, address, *field, word, span);
            }
            Place::Element(list, index) => {
                let address = self.expr(list);
                let index = self.int(index);
                let word = self.word(value);
                let index = self.index(list, address, index, span);
                self.put_element(list, address, index, word, span);
            }
        }
    }

    fn update(&mut self, place: &'s Place, op: ArithOp, value: &'s Expr, span: Span) {
        match place {
            Place::Local(local) => {
                let old = self.local(*local);
                let new = self.updated(old, op, value, span);
                self.set(*local, new);
            }
            Place::Field(record, field) => {
                let address = self.expr(record);
                let old = self.field(record, address, *field, span);
                let old = self.value_of(old, &value.ty);
                let new = self.updated(old, op, value, span);
                let word = self.word_of(new, &value.ty);
                self.put_field(record, address, *field, word, span);
            }
            Place::Element(list, index) => {
                let address = self.expr(list);
                let index = self.int(index);
                let index = self.index(list, address, index, span);
                let old = self.element(list, address, index, span);
                let new = self.updated(old, op, value, span);
                let word = self.word_of(new, &value.ty);
                // The elements may have moved since.
                self.put_element(list, address, index, word, span);
            }
        }
    }

    fn updated(&mut self, old: Value, op: ArithOp, value: &'s Expr, span: Span) -> Value {
        let of_floats = is_float(value);
        let value = self.expr(value);
        self.arith(op, (old, value), of_floats, span)
    }

    fn choice(&mut self, condition: &'s Expr, then: &'s Block, otherwise: &'s Block) {
        let carried = self.known(assigned(&[then, otherwise]));
        let [yes, no] = [(); 2].map(|()| self.builder.block(&[]));
        let join = self.block_of(None, &carried);
        self.branch_on(condition, yes, no);
        let before = self.snapshot();
        let mut joins = false;
        for (block, body) in [(yes, then), (no, otherwise)] {
            self.restore(&before);
            self.enter(block, 0, &[]);
            self.block(body);
            if self.open {
                self.jump(join, None, &carried);
                joins = true;
            }
        }
        self.restore(&before);
        self.enter(join, 0, &carried);
        self.open = joins;
    }

    fn while_loop(&mut self, condition: &'s Expr, body: &'s Block, span: Span) {
        let carried = self.known(assigned(&[body]));
        let head = self.block_of(None, &carried);
        let exit = self.block_of(None, &carried);
        let [iteration, done] = [(); 2].map(|()| self.builder.block(&[]));
        self.jump(head, None, &carried);
        self.enter(head, 0, &carried);
        self.branch_on(condition, iteration, done);
        let before = self.snapshot();
        self.enter(done, 0, &[]);
        self.jump(exit, None, &carried);

        self.enter(iteration, 0, &[]);
        self.fuel(1, span);
        self.iteration(body, (head, None), exit, &carried);
        self.restore(&before);
        self.enter(exit, 0, &carried);
    }

    /// The numbers from one bound to another, both included.
    fn numbers(&mut self, [first, last]: &'s [Expr; 2], span: Span) -> Course<'s> {
        let (first, last) = (self.int(first), self.int(last));
        self.builder.set_span(span);
        let end = match self
            .builder
            .as_iconst(last)
            .and_then(|last| last.checked_add(1))
        {
            Some(end) => self.builder.iconst(end),
            None => {
                let one = self.builder.iconst(1);
                self.builder.inst(Op::Iadd, &[last, one], Imm::None)
            }
        };
        Course::Numbers(first, end)
    }

    /// A loop over the elements of a list or over whole numbers.
    fn counted(&mut self, local: LocalId, course: Course<'s>, body: &'s Block, span: Span) {
        self.builder.set_span(span);
        let (first, one) = (self.first(course), self.builder.iconst(1));
        if let Some(iterations) = self.known_iterations(course) {
            return self.unrolled(local, course, iterations, body, span);
        }
        let carried = self.known(assigned(&[body]));
        let head = self.block_of(Some(IrType::I64), &carried);
        let exit = self.block_of(None, &carried);
        let [iteration, done] = [(); 2].map(|()| self.builder.block(&[]));
        self.jump(head, Some(first), &carried);
        self.enter(head, 1, &carried);
        let place = self.builder.param(head, 0);
        self.builder.set_span(span);
        let end = self.course_end(course);
        let more = self.builder.inst(Op::Ilt, &[place, end], Imm::None);
        self.builder.branch(more, (iteration, &[]), (done, &[]));
        let before = self.snapshot();
        self.enter(done, 0, &[]);
        self.jump(exit, None, &carried);

        self.enter(iteration, 0, &[]);
        self.fuel(self.iteration_cost(course), span);
        let value = self.at_place(course, place, span);
        self.set(local, value);
        // It is less than the end.
        let next = self.builder.inst(Op::IaddWrap, &[place, one], Imm::None);
        self.iteration(body, (head, Some(next)), exit, &carried);
        self.restore(&before);
        self.enter(exit, 0, &carried);
    }

    fn first(&mut self, course: Course<'s>) -> Value {
        match course {
            Course::List(..) => self.builder.iconst(0),
            Course::Numbers(first, _) => first,
        }
    }

    fn iteration_cost(&self, course: Course<'s>) -> u64 {
        match course {
            Course::List(list, _) => self.shared.script.iteration_cost(&list.ty),
            Course::Numbers(..) => 1,
        }
    }

    /// The end of the sequence; a list may have grown.
    fn course_end(&mut self, course: Course<'s>) -> Value {
        match course {
            Course::List(list, address) => self.length(list, address),
            Course::Numbers(_, end) => end,
        }
    }

    /// The value of the loop variable at an index of the sequence.
    fn at_place(&mut self, course: Course<'s>, place: Value, span: Span) -> Value {
        match course {
            Course::List(list, address) => self.element(list, address, place, span),
            Course::Numbers(..) => place,
        }
    }

    /// The indices that a loop visits, if they are known and few.
    fn known_iterations(&mut self, course: Course<'s>) -> Option<Range<i64>> {
        let (first, end) = (self.first(course), self.course_end(course));
        let first = self.builder.as_iconst(first)?;
        let end = self.builder.as_iconst(end)?;
        let few = end <= first.saturating_add(MAX_UNROLLED);
        let fits = self.builder.len() < UNROLL_UNTIL;
        (few && fits).then_some(first..end)
    }

    /// An unrolled loop.
    fn unrolled(
        &mut self,
        local: LocalId,
        course: Course<'s>,
        places: Range<i64>,
        body: &'s Block,
        span: Span,
    ) {
        let units = self.iteration_cost(course);
        let carried = self.known(assigned(&[body]));
        let exit = self.block_of(None, &carried);
        let before = self.snapshot();
        for place in places {
            let next = self.block_of(None, &carried);
            self.fuel(units, span);
            let place = self.builder.iconst(place);
            let value = self.at_place(course, place, span);
            self.set(local, value);
            self.iteration(body, (next, None), exit, &carried);
            self.restore(&before);
            self.enter(next, 0, &carried);
        }
        self.jump(exit, None, &carried);
        self.restore(&before);
        self.enter(exit, 0, &carried);
    }

    /// The body of a loop, and the edge from its end to the next iteration.
    fn iteration(
        &mut self,
        body: &'s Block,
        (next, with): (ir::Block, Option<Value>),
        exit: ir::Block,
        carried: &[LocalId],
    ) {
        self.frame.loops.push(Loop {
            next,
            with,
            exit,
            carried: carried.to_vec(),
        });
        self.block(body);
        self.frame.loops.pop();
        if self.open {
            self.jump(next, with, carried);
        }
    }

    fn leave_iteration(&mut self, to: impl FnOnce(&Loop) -> (ir::Block, Option<Value>)) {
        let Some(inner) = self.frame.loops.last() else {
            bug!("a `break` or `continue` outside of a loop").raise()
        };
        let (block, with) = to(inner);
        let carried = inner.carried.clone();
        self.jump(block, with, &carried);
    }

    /// A line: its fixed words are separated from the one text in it, so that no text is joined for
    /// it.
    fn output(&mut self, line: &'s Expr) {
        let (value, site) = self.line(line);
        let site = self.shared.texts.site(site);
        self.builder.set_span(line.span);
        self.builder.inst(Op::Output, &[value], Imm::Site(site));
    }

    /// A number of a statistic. A name of known texts makes it one of the module's own statistics.
    fn stat(&mut self, name: &'s StatName, value: &'s Expr, span: Span) {
        let name = match name {
            StatName::Known(stat) => Ok(stat.0),
            StatName::Text(name) => Err((self.line(name), name.span)),
        };
        let value = self.word(value);
        let known = name.or_else(|((text, site), at)| {
            let known = self.builder.as_iconst(text);
            let known = known.and_then(|id| self.shared.texts.text(id));
            match known.filter(|text| site.fits(text.len())) {
                Some(text) => Ok(self.shared.stats.insert_full(site.line(text)).0 as u32),
                None => Err((text, site, at)),
            }
        });
        match known {
            Ok(stat) => {
                self.inst(span, Op::Stat, &[value], Imm::Stat(stat));
            }
            Err((text, site, at)) => {
                let site = Imm::Site(self.shared.texts.site(site));
                self.inst(at, Op::NamedStat, &[text, value], site);
            }
        }
    }

    /// The text in a line, or in a name, and the words around it.
    fn line(&mut self, line: &'s Expr) -> (Value, Site) {
        let ExprKind::Join(parts) = &line.kind else {
            return (self.expr(line), Site::default());
        };
        let parts = self.join_parts(parts);
        let texts = parts.iter().filter(|part| part.is_value()).count();
        if texts != 1 {
            return (self.joined(parts, line.span), Site::default());
        }
        let (mut before, mut after, mut text) = (String::new(), String::new(), None);
        for part in parts {
            match part {
                Part::Value(value) => text = Some(value),
                Part::Words(words) if text.is_none() => before.push_str(&words),
                Part::Words(words) => after.push_str(&words),
            }
        }
        let value = text.unwrap_or_else(|| self.builder.iconst(0));
        let site = Site {
            before,
            after,
            joined: true,
        };
        (value, site)
    }

    /// The value of an expression as a word of memory.
    pub(super) fn word(&mut self, expr: &'s Expr) -> Value {
        let value = self.expr(expr);
        self.word_of(value, &expr.ty)
    }

    /// The value of an expression as a whole number; a truth value counts as 0 or 1.
    pub(super) fn int(&mut self, expr: &'s Expr) -> Value {
        self.word(expr)
    }
}
