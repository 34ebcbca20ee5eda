//! Dice that are looked at face by face are not rolled one by one: `max(count(x.face = y.face for x
//! : d) for y : d)` needs, for each face, the number of dice that show it. These numbers are rolled
//! in turn, each out of the dice that are left. So a state holds two numbers instead of a multiset,
//! and several lists, which a loop walks together, are as many pairs.
//!
//! Premise: one loop has all uses of the lists. It walks the faces, or one of the lists in an order
//! that is sorted or makes no difference, and asks the others only how many of their elements
//! compare with this face. This is the way in which [icepool](https://pypi.org/project/icepool/)
//! computes with multisets.

use super::super::unordered::{Pure, Reads, can_be_in_any_order};
use super::deck::draw;
use super::edit::{Make, assignments, reads, reads_of, replace_in};
use super::key::{Key, MAX_LAST, affine, compared};
use super::pool::{Dice, Order};
use super::quiet::is_quiet;
use super::walked::{Walked, answered, show};
use dicec_lang::hir::{
    Aggregate, ArithOp, Block, CompareOp, Elements, Expr, ExprKind, Local, LocalId, Place, Stmt,
    StmtKind, Type, ValueBlock, each_expr, each_own_stmt,
};
use dicec_runtime::span::Span;

/// Lists whose uses are all in one loop.
pub(super) struct Faces<'f> {
    pub(super) locals: &'f mut Vec<Local>,
    pub(super) pure: &'f Pure,
    /// The reads in the function.
    pub(super) all_reads: &'f Reads,
    lists: Vec<Walked>,
    /// The fuel that an iteration of the loop may burn less than before.
    pub(super) fuel: u64,
}

impl<'f> Faces<'f> {
    pub(super) fn new(
        locals: &'f mut Vec<Local>,
        pure: &'f Pure,
        all_reads: &'f Reads,
        lists: Vec<(LocalId, Dice)>,
    ) -> Self {
        let walked = lists.into_iter().map(|(list, dice)| {
            let span = locals[list.index()].span;
            let mut make = Make { locals, span };
            let [left, here, cards] = [(); 3].map(|()| make.fresh(Type::Int));
            Walked {
                list,
                dice,
                left,
                here,
                cards,
            }
        });
        let lists = walked.collect();
        Self {
            locals,
            pure,
            all_reads,
            lists,
            fuel: 0,
        }
    }

    /// The statements in place of one that has all uses of the lists, in one loop.
    pub(super) fn stmt(&mut self, stmt: &Stmt, of: Option<&ValueBlock>) -> Option<Block> {
        let mut block = vec![stmt.clone()];
        let walks = self.block(&mut block, of) && !self.is_read(&block);
        walks.then_some(block)
    }

    fn is_read(&self, block: &[Stmt]) -> bool {
        self.lists
            .iter()
            .any(|walked| reads(block, walked.list) > 0)
    }

    fn reads(&self, expr: &Expr) -> bool {
        self.lists
            .iter()
            .any(|walked| reads_of(expr, walked.list) > 0)
    }

    /// Finds the loop in a block.
    fn block(&mut self, block: &mut Block, of: Option<&ValueBlock>) -> bool {
        let uses: Vec<usize> = (0..block.len())
            .filter(|at| self.is_read(&block[*at..=*at]))
            .collect();
        let [at] = uses[..] else {
            return false;
        };
        match &mut block[at].kind {
            StmtKind::For(..) | StmtKind::Count(..) => self.drive(block, at, of),
            StmtKind::If(condition, yes, no) => {
                match (self.reads(condition), self.is_read(yes), self.is_read(no)) {
                    (true, false, false) => self.expr(condition),
                    (false, true, false) => self.block(yes, None),
                    (false, false, true) => self.block(no, None),
                    _ => false,
                }
            }
            StmtKind::Assign(Place::Local(_), value)
            | StmtKind::Update(Place::Local(_), _, value)
            | StmtKind::Return(Some(value))
            | StmtKind::Eval(value)
            | StmtKind::Output(value) => self.expr(value),
            _ => false,
        }
    }

    /// Finds the loop in an expression that is evaluated at most once.
    fn expr(&mut self, expr: &mut Expr) -> bool {
        if let ExprKind::Block(block) = &mut expr.kind {
            let of = ValueBlock::clone(block);
            let in_value = block.value.as_ref().is_some_and(|value| self.reads(value));
            let found = match (self.is_read(&block.statements), in_value) {
                (true, false) => self.block(&mut block.statements, Some(&of)),
                (false, true) => block.value.as_mut().is_some_and(|value| self.expr(value)),
                _ => false,
            };
            if found {
                block.aggregate = None;
            }
            return found;
        }
        if matches!(
            expr.kind,
            ExprKind::Roll(_) | ExprKind::Call(..) | ExprKind::Option(_)
        ) {
            return false;
        }
        let (mut found, mut uses) = (false, 0);
        expr.each_part(&mut |part| uses += usize::from(self.reads(part)));
        if uses != 1 {
            return false;
        }
        super::edit::each_operand_mut(expr, &mut |part| {
            if self.reads(part) {
                found = self.expr(part);
            }
        });
        found
    }

    /// Makes the loop at an index walk the faces.
    fn drive(&mut self, block: &mut Block, at: usize, of: Option<&ValueBlock>) -> bool {
        let mut setup = Block::new();
        let new = match &block[at].kind {
            StmtKind::Count(face, bounds, body) => {
                self.through_faces(*face, bounds, body, &mut setup)
            }
            StmtKind::For(element, list, body) => {
                self.through_list(*element, list, body, of, &mut setup)
            }
            _ => None,
        };
        let Some(new) = new else {
            return false;
        };
        block[at] = new;
        block.splice(at..at, setup);
        true
    }

    fn make(&mut self, span: Span) -> Make<'_> {
        Make {
            locals: self.locals,
            span,
        }
    }

    /// `for (number : first..last) { body }`
    fn through_faces(
        &mut self,
        number: LocalId,
        bounds: &[Expr; 2],
        body: &Block,
        setup: &mut Block,
    ) -> Option<Stmt> {
        let (ExprKind::Int(first), ExprKind::Int(last)) = (&bounds[0].kind, &bounds[1].kind) else {
            return None;
        };
        let (first, last) = (*first, *last);
        if assignments(body, number) > 0 || last < first || last > MAX_LAST || first < -MAX_LAST {
            return None;
        }
        let key = self.key(number, body)?;
        let ends = [key.of(first), key.of(last)];
        let span = bounds[0].span;
        let make = &mut self.make(span);
        let face = make.fresh(Type::Int);
        let shown = key.expr(number, make);
        let mut new = vec![make.set(face, shown)];
        for at in 0..self.lists.len() {
            let (left, sides) = self.begin(at, setup, span);
            let skipped = match key.descends {
                true => (ends[0] < sides).then_some((CompareOp::Greater, ends[0])),
                false => (ends[0] > 1).then_some((CompareOp::Less, ends[0])),
            };
            if let Some((op, end)) = skipped {
                let Walked {
                    here,
                    cards,
                    ref dice,
                    ..
                } = self.lists[at];
                let deck = dice.deck.clone();
                let mut make = Make {
                    locals: self.locals,
                    span,
                };
                match deck {
                    None => {
                        let skipped = make.roll(make.number(left), make.int(sides), op, end);
                        let value = make.minus(make.number(left), skipped);
                        setup.push(make.set(left, value));
                    }
                    Some(deck) => {
                        let number = make.int(deck.cards_with(op, end));
                        setup.append(&mut draw([here, left, cards], number, &mut make));
                    }
                }
            }
            let within = ends.iter().all(|end| (1..=sides).contains(end));
            self.step(at, (face, key.descends), !within, &mut new, span);
        }
        let mut body = body.clone();
        self.answer(&mut body, face, &key, Some(number));
        new.append(&mut body);
        Some(self.make(span).count(number, bounds.clone(), new))
    }

    /// The face that all reductions of the lists compare with, in terms of the number of a loop.
    fn key(&self, number: LocalId, body: &Block) -> Option<Key> {
        let mut key = Key {
            descends: false,
            plus: 0,
            names: vec![number],
        };
        let mut found: Option<(bool, i64)> = None;
        let mut one = true;
        let mut names = Vec::new();
        for (at, stmt) in body.iter().enumerate() {
            if let StmtKind::Assign(Place::Local(name), value) = &stmt.kind
                && let Some(of) = affine(value, number)
                && assignments(body, *name) == 1
                && reads(&body[..at], *name) == 0
            {
                names.push((*name, of));
            }
        }
        each_expr(body, &mut |expr| {
            let ExprKind::Block(block) = &expr.kind else {
                return;
            };
            let Some(reduction) = block.reduction() else {
                return;
            };
            let Elements::List(list) = reduction.elements else {
                return;
            };
            let Some(walked) = self
                .lists
                .iter()
                .find(|walked| list.kind == ExprKind::Local(walked.list))
            else {
                return;
            };
            let Some((_, other)) = reduction
                .exprs
                .first()
                .and_then(|expr| compared(expr, reduction.element, &walked.dice))
            else {
                return;
            };
            let this = match &other.kind {
                ExprKind::Local(name) if *name != number => names
                    .iter()
                    .find(|(known, _)| known == name)
                    .map(|(_, of)| *of),
                _ => affine(other, number),
            };
            one &= this.is_some() && found.is_none_or(|found| Some(found) == this);
            found = found.or(this);
        });
        let found = found.filter(|_| one)?;
        (key.descends, key.plus) = found;
        key.names.retain(|_| found == (false, 0));
        let same = names.iter().filter(|(_, of)| *of == found);
        key.names.extend(same.map(|(name, _)| *name));
        Some(key)
    }

    /// `for (element : list) { body }`
    fn through_list(
        &mut self,
        element: LocalId,
        list: &Expr,
        body: &Block,
        of: Option<&ValueBlock>,
        setup: &mut Block,
    ) -> Option<Stmt> {
        let driver = self
            .lists
            .iter()
            .position(|walked| list.kind == ExprKind::Local(walked.list))?;
        let dice = self.lists[driver].dice.clone();
        if !self.fits(element, body, &dice, of) {
            return None;
        }
        let span = list.span;
        let sides = self.lists.iter().map(|walked| walked.dice.sides).max()?;
        let key = Key {
            descends: dice.order == Order::Descending,
            plus: 0,
            names: Vec::new(),
        };
        let make = &mut self.make(span);
        let [face, step, turn] = [(); 3].map(|()| make.fresh(Type::Int));
        let shown = match key.descends {
            true => make.minus(make.int(sides + 1), make.number(step)),
            false => make.number(step),
        };
        let mut new = vec![make.set(face, shown)];
        for at in 0..self.lists.len() {
            let (_, own) = self.begin(at, setup, span);
            self.step(at, (face, key.descends), own < sides, &mut new, span);
        }
        let mut body = body.clone();
        show(&mut body, element, face, &dice);
        if reads(&body, element) > 0 || assignments(&body, element) > 0 {
            return None;
        }
        self.answer(&mut body, face, &key, None);
        let here = self.lists[driver].here;
        let make = self.make(span);
        new.push(make.count(turn, [make.int(1), make.number(here)], body));
        Some(make.count(step, [make.int(1), make.int(sides)], new))
    }

    /// Whether the iterations of a loop over dice may run in the order of faces.
    fn fits(&self, element: LocalId, body: &Block, dice: &Dice, of: Option<&ValueBlock>) -> bool {
        if self.all_reads.get(element) != Reads::of(body).get(element) {
            return false;
        }
        let reduction = of.and_then(|block| Some((block.aggregate?, block.reduction()?)));
        if let Some((aggregate, reduction)) = reduction {
            let is_number = of.and_then(|block| block.value.as_ref());
            let is_float = is_number.is_some_and(|value| value.ty == Type::Float);
            let walks =
                reduction.element == element && matches!(reduction.elements, Elements::List(_));
            let quiet = reduction.exprs.iter().all(|expr| is_quiet(expr, self.pure));
            return walks
                && quiet
                && !is_float
                && !matches!(aggregate, Aggregate::ExtremeOf { .. });
        }
        let mut leaves = false;
        each_own_stmt(body, &mut |stmt| leaves |= stmt.kind == StmtKind::Break);
        !leaves
            && match dice.order {
                Order::Rolled => can_be_in_any_order(element, body, self.all_reads),
                Order::Ascending | Order::Descending => true,
            }
    }

    /// All dice of a list are left.
    fn begin(&mut self, at: usize, setup: &mut Block, span: Span) -> (LocalId, i64) {
        let Walked { left, ref dice, .. } = self.lists[at];
        let (count, sides, cost) = (dice.count, dice.sides, dice.cost());
        let make = self.make(span);
        setup.push(make.set(left, make.int(count)));
        if let Some(deck) = &self.lists[at].dice.deck {
            let (cards, number) = (self.lists[at].cards, deck.cards());
            let make = self.make(span);
            setup.push(make.set(cards, make.int(number)));
        }
        self.fuel += cost;
        (left, sides)
    }

    /// Rolls the number of dice with a face, out of those that are left; it is 0 for a face
    /// `outside` of those that they have.
    fn step(
        &mut self,
        at: usize,
        (face, descends): (LocalId, bool),
        outside: bool,
        into: &mut Block,
        span: Span,
    ) {
        let Walked {
            left,
            here,
            cards,
            ref dice,
            ..
        } = self.lists[at];
        let (sides, deck) = (dice.sides, dice.deck.clone());
        let mut make = self.make(span);
        let inside = |make: &Make<'_>| {
            let low = make.compare(CompareOp::GreaterEqual, make.number(face), make.int(1));
            let high = make.compare(CompareOp::LessEqual, make.number(face), make.int(sides));
            make.and(low, high)
        };
        if let Some(deck) = deck {
            let number = deck.number(face, &make);
            let number = match outside {
                false => number,
                true => make.choose(inside(&make), number, make.int(0)),
            };
            into.append(&mut draw([here, left, cards], number, &mut make));
            return;
        }
        let faces = match descends {
            true => make.number(face),
            false => make.minus(make.int(sides + 1), make.number(face)),
        };
        let rolled = make.roll(make.number(left), faces, CompareOp::Equal, 1);
        let shown = match outside {
            false => rolled,
            true => make.choose(inside(&make), rolled, make.int(0)),
        };
        into.push(make.set(here, shown));
        into.push(make.stmt(StmtKind::Update(
            Place::Local(left),
            ArithOp::Sub,
            make.number(here),
        )));
    }

    /// Replaces questions about the lists by numbers that are known at a face.
    fn answer(&mut self, body: &mut Block, face: LocalId, key: &Key, number: Option<LocalId>) {
        let (locals, lists, fuel) = (&mut *self.locals, &self.lists, &mut self.fuel);
        let is_face = |expr: &Expr| match &expr.kind {
            ExprKind::Local(local) => *local == face || key.names.contains(local),
            _ => {
                number.is_some_and(|number| affine(expr, number) == Some((key.descends, key.plus)))
            }
        };
        replace_in(body, &mut |expr| {
            let mut make = Make {
                locals,
                span: expr.span,
            };
            if let ExprKind::Len(list) = &expr.kind {
                let walked = lists
                    .iter()
                    .find(|walked| list.kind == ExprKind::Local(walked.list))?;
                return Some(make.int(walked.dice.count));
            }
            let ExprKind::Block(block) = &expr.kind else {
                return None;
            };
            let at = (face, key.descends);
            let (walked, answer) = answered(block, at, &is_face, lists, &mut make)?;
            *fuel += walked.dice.count.unsigned_abs() + 2;
            Some(answer)
        });
    }
}
