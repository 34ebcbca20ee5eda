//! Dice that are looked at face by face are not rolled one by one: `max(count(x.face = y.face for x
//! : d) for y : d)` needs, for each face, the number of dice that show it. These numbers are rolled
//! in turn, each out of the dice that are left. So a state holds two numbers instead of a multiset,
//! and several lists, which a loop walks together, are as many pairs.
//!
//! Premise: one loop has all uses of the lists. It walks the faces, or one of the lists in an order
//! that is sorted or makes no difference, and asks the others only how many of their elements
//! compare with this face. This is the way in which [icepool](https://pypi.org/project/icepool/)
//! computes with multisets.

use super::super::compare::mirrored;
use super::super::unordered::{Pure, Reads, can_be_in_any_order};
use super::edit::{Make, assigned, assignments, each_inner_stmt, reads, reads_of, replace_in};
use super::pool::{Dice, Element, Order};
use super::quiet::is_quiet;
use dicec_lang::hir::{
    Aggregate, ArithOp, Block, CompareOp, Elements, Expr, ExprKind, Local, LocalId, Place, Stmt,
    StmtKind, Type, ValueBlock, each_own_stmt,
};

/// A list that is rolled face by face.
pub(super) struct Walked {
    pub(super) list: LocalId,
    pub(super) dice: Dice,
    /// The dice with higher faces, and with the current one.
    left: LocalId,
    here: LocalId,
}

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
            let [left, here] = [(); 2].map(|()| make.fresh(Type::Int));
            Walked { list, dice, left, here }
        });
        let lists = walked.collect();
        Self { locals, pure, all_reads, lists, fuel: 0 }
    }

    /// The statements in place of one that has all uses of the lists, in one loop.
    pub(super) fn stmt(&mut self, stmt: &Stmt, of: Option<&ValueBlock>) -> Option<Block> {
        let mut block = vec![stmt.clone()];
        let walks = self.block(&mut block, of) && !self.is_read(&block);
        walks.then_some(block)
    }

    fn is_read(&self, block: &[Stmt]) -> bool {
        self.lists.iter().any(|walked| reads(block, walked.list) > 0)
    }

    fn reads(&self, expr: &Expr) -> bool {
        self.lists.iter().any(|walked| reads_of(expr, walked.list) > 0)
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
        if matches!(expr.kind, ExprKind::Roll(_) | ExprKind::Call(..) | ExprKind::Option(_)) {
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
            StmtKind::Count(face, bounds, body) => self.through_faces(*face, bounds, body, &mut setup),
            StmtKind::For(element, list, body) => self.through_list(*element, list, body, of, &mut setup),
            _ => None,
        };
        let Some(new) = new else {
            return false;
        };
        block[at] = new;
        block.splice(at..at, setup);
        true
    }

    fn make(&mut self, span: dicec_runtime::span::Span) -> Make<'_> {
        Make { locals: self.locals, span }
    }

    /// `for (face : first..last) { body }`
    fn through_faces(
        &mut self,
        face: LocalId,
        bounds: &[Expr; 2],
        body: &Block,
        setup: &mut Block,
    ) -> Option<Stmt> {
        let (ExprKind::Int(first), ExprKind::Int(last)) = (&bounds[0].kind, &bounds[1].kind) else {
            return None;
        };
        let (first, last) = (*first, *last);
        if assignments(body, face) > 0 || last < first {
            return None;
        }
        let span = bounds[0].span;
        let mut new = Block::new();
        for at in 0..self.lists.len() {
            let (left, count, sides) = self.begin(at, setup, span);
            let mut make = self.make(span);
            if first > 1 {
                let below = make.roll(make.number(left), make.int(sides), CompareOp::LessEqual, first - 1);
                let value = make.minus(make.number(left), below);
                setup.push(make.set(left, value));
            }
            debug_assert!(count > 0);
            let within = (first < 1 || last > sides).then_some(sides);
            self.step(at, face, within, &mut new, span);
        }
        let mut body = body.clone();
        self.answer(&mut body, face);
        new.append(&mut body);
        Some(self.make(span).count(face, bounds.clone(), new))
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
        let driver = self.lists.iter().position(|walked| list.kind == ExprKind::Local(walked.list))?;
        let dice = self.lists[driver].dice.clone();
        if !self.fits(element, body, &dice, of) {
            return None;
        }
        let span = list.span;
        let sides = self.lists.iter().map(|walked| walked.dice.sides).max()?;
        let [face, step, turn] = [(); 3].map(|()| self.make(span).fresh(Type::Int));
        let (mut new, mut alike) = (Block::new(), true);
        for at in 0..self.lists.len() {
            self.begin(at, setup, span);
            alike &= self.lists[at].dice.sides == sides;
        }
        let descending = dice.order == Order::Descending;
        if descending && (!alike || self.lists.len() > 1) {
            // The dice that are left would be those with lower faces.
            return None;
        }
        for at in 0..self.lists.len() {
            let within = (self.lists[at].dice.sides < sides).then_some(self.lists[at].dice.sides);
            self.step(at, step, within, &mut new, span);
        }
        let here = self.lists[driver].here;
        let make = self.make(span);
        let shown = match descending {
            // By symmetry, the numbers of the highest faces have the odds of those of the lowest.
            true => make.minus(make.int(sides + 1), make.number(step)),
            false => make.number(step),
        };
        new.push(make.set(face, shown));
        let mut body = body.clone();
        show(&mut body, element, face, &dice);
        if reads(&body, element) > 0 || assignments(&body, element) > 0 {
            return None;
        }
        if !descending {
            self.answer(&mut body, face);
        }
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
            let walks = reduction.element == element && matches!(reduction.elements, Elements::List(_));
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
    fn begin(&mut self, at: usize, setup: &mut Block, span: dicec_runtime::span::Span) -> (LocalId, i64, i64) {
        let Walked { left, ref dice, .. } = self.lists[at];
        let (count, sides) = (dice.count, dice.sides);
        let make = self.make(span);
        setup.push(make.set(left, make.int(count)));
        self.fuel += cost(count);
        (left, count, sides)
    }

    /// Rolls the number of dice with a face; it is 0 outside of the faces that they have.
    fn step(
        &mut self,
        at: usize,
        face: LocalId,
        within: Option<i64>,
        into: &mut Block,
        span: dicec_runtime::span::Span,
    ) {
        let Walked { left, here, ref dice, .. } = self.lists[at];
        let sides = dice.sides;
        let mut make = self.make(span);
        let faces = make.minus(make.int(sides + 1), make.number(face));
        let rolled = make.roll(make.number(left), faces, CompareOp::Equal, 1);
        let shown = match within {
            None => rolled,
            Some(sides) => {
                let low = make.compare(CompareOp::GreaterEqual, make.number(face), make.int(1));
                let high = make.compare(CompareOp::LessEqual, make.number(face), make.int(sides));
                make.choose(make.and(low, high), rolled, make.int(0))
            }
        };
        into.push(make.set(here, shown));
        into.push(make.stmt(StmtKind::Update(
            Place::Local(left),
            ArithOp::Sub,
            make.number(here),
        )));
    }

    /// Replaces questions about the lists by numbers that are known at a face.
    fn answer(&mut self, body: &mut Block, face: LocalId) {
        let (locals, lists, fuel) = (&mut *self.locals, &self.lists, &mut self.fuel);
        replace_in(body, &mut |expr| {
            let mut make = Make { locals, span: expr.span };
            if let ExprKind::Len(list) = &expr.kind {
                let walked = lists.iter().find(|walked| list.kind == ExprKind::Local(walked.list))?;
                return Some(make.int(walked.dice.count));
            }
            let ExprKind::Block(block) = &expr.kind else {
                return None;
            };
            let (walked, answer) = answered(block, face, lists, &mut make)?;
            *fuel += walked.dice.count.unsigned_abs() + 2;
            Some(answer)
        });
    }
}

/// A bound on the fuel for making a list of this number of dice, and sorting it.
pub(super) fn cost(dice: i64) -> u64 {
    let dice = dice.unsigned_abs();
    16 + 12 * dice + 2 * dice * dice
}

/// The value of a reduction of a list that compares its elements with a face.
fn answered<'l>(
    block: &ValueBlock,
    face: LocalId,
    lists: &'l [Walked],
    make: &mut Make<'_>,
) -> Option<(&'l Walked, Expr)> {
    let (aggregate, reduction) = (block.aggregate?, block.reduction()?);
    let Elements::List(list) = reduction.elements else {
        return None;
    };
    let walked = lists.iter().find(|walked| list.kind == ExprKind::Local(walked.list))?;
    let compared = |expr: &Expr| compared(expr, reduction.element, face, &walked.dice);
    let answer = match (aggregate, &reduction.exprs[..]) {
        (Aggregate::Count(_), [passes]) => walked.number(compared(passes)?, make),
        (Aggregate::Decided { by, .. }, [decides]) => {
            let number = walked.number(compared(decides)?, make);
            let op = if by { CompareOp::Greater } else { CompareOp::LessEqual };
            make.compare(op, number, make.int(0))
        }
        (Aggregate::Sum { .. }, [passes, value]) => {
            let is_face = walked.dice.is_face(value, reduction.element);
            let is_it = compared(passes)? == CompareOp::Equal;
            if !is_face || !is_it {
                return None;
            }
            make.arith(ArithOp::Mul, make.number(walked.here), make.number(face))
        }
        _ => return None,
    };
    Some((walked, answer))
}

/// How an element is compared with a face.
fn compared(expr: &Expr, element: LocalId, face: LocalId, dice: &Dice) -> Option<CompareOp> {
    match &expr.kind {
        ExprKind::Compare(op, left, right) => {
            let is_face = |expr: &Expr| expr.kind == ExprKind::Local(face);
            if dice.is_face(left, element) && is_face(right) {
                Some(*op)
            } else if dice.is_face(right, element) && is_face(left) {
                Some(mirrored(*op))
            } else {
                None
            }
        }
        ExprKind::Not(inner) => Some(match compared(inner, element, face, dice)? {
            CompareOp::Equal => CompareOp::NotEqual,
            CompareOp::NotEqual => CompareOp::Equal,
            CompareOp::Less => CompareOp::GreaterEqual,
            CompareOp::LessEqual => CompareOp::Greater,
            CompareOp::Greater => CompareOp::LessEqual,
            CompareOp::GreaterEqual => CompareOp::Less,
        }),
        _ => None,
    }
}

impl Walked {
    /// The number of dice that compare with the current face like this.
    fn number(&self, op: CompareOp, make: &mut Make<'_>) -> Expr {
        let [left, here] = [self.left, self.here].map(|local| make.number(local));
        let all = make.int(self.dice.count);
        match op {
            CompareOp::Equal => here,
            CompareOp::NotEqual => make.minus(all, here),
            CompareOp::Greater => left,
            CompareOp::LessEqual => make.minus(all, left),
            CompareOp::GreaterEqual => make.plus(left, here),
            CompareOp::Less => make.minus(make.minus(all, left), here),
        }
    }
}

/// Replaces the element of a list by its face.
fn show(body: &mut Block, element: LocalId, face: LocalId, dice: &Dice) {
    replace_in(body, &mut |expr| {
        let shown = ExprKind::Local(face);
        let with = |kind| {
            Some(Expr {
                kind,
                ty: expr.ty.clone(),
                span: expr.span,
            })
        };
        match (&expr.kind, &dice.element) {
            (ExprKind::Local(local), Element::Face) if *local == element => with(shown),
            (ExprKind::Field(record, field), Element::Record(fields))
                if record.kind == ExprKind::Local(element) =>
            {
                let value = &fields.iter().find(|(known, _)| known == field)?.1;
                with(value.as_ref().map_or(shown, |value| value.kind.clone()))
            }
            _ => None,
        }
    });
}

/// Replaces the uses of a sorted list, if these are elements with known indices, by the numbers of
/// `ranks`; whether it has no other uses.
pub(super) fn pick_ranks(
    block: &mut [Stmt],
    (list, dice): (LocalId, &Dice),
    locals: &mut Vec<Local>,
    ranks: &mut Vec<(i64, LocalId)>,
) -> bool {
    replace_in(block, &mut |expr| match &expr.kind {
        ExprKind::Len(of) if of.kind == ExprKind::Local(list) => {
            let make = Make { locals, span: expr.span };
            Some(make.int(dice.count))
        }
        ExprKind::Element(of, index) if of.kind == ExprKind::Local(list) => {
            let ExprKind::Int(index) = index.kind else {
                return None;
            };
            let rank = match dice.order {
                Order::Ascending => index,
                Order::Descending => dice.count - 1 - index,
                Order::Rolled => return None,
            };
            if !(0..dice.count).contains(&rank) {
                return None;
            }
            let mut make = Make { locals, span: expr.span };
            let known = ranks.iter().find(|(known, _)| *known == rank).copied();
            let (_, local) = known.unwrap_or_else(|| {
                let new = (rank, make.fresh(Type::Int));
                ranks.push(new);
                new
            });
            Some(make.number(local))
        }
        _ => None,
    });
    let mut other = reads(block, list) > 0;
    for stmt in &*block {
        stmt.each_expr(&mut |expr| {
            each_inner_stmt(expr, &mut |stmt| other |= assigned(stmt) == Some(list));
        });
        other |= assigned(stmt) == Some(list);
    }
    !other
}

/// The statements that roll the elements with these ranks of a sorted list.
pub(super) fn roll_ranks(dice: &Dice, ranks: &[(Expr, LocalId)], make: &mut Make<'_>) -> Block {
    let [left, here, face] = [(); 3].map(|()| make.fresh(Type::Int));
    let mut block = vec![make.set(left, make.int(dice.count))];
    block.extend(ranks.iter().map(|(_, local)| make.set(*local, make.int(0))));
    let faces = make.minus(make.int(dice.sides + 1), make.number(face));
    let rolled = make.roll(make.number(left), faces, CompareOp::Equal, 1);
    let taken = StmtKind::Update(Place::Local(left), ArithOp::Sub, make.number(here));
    let mut body = vec![make.set(here, rolled), make.stmt(taken)];
    for (rank, local) in ranks {
        let above = make.minus(make.int(dice.count), rank.clone());
        let before = make.plus(make.number(left), make.number(here));
        let is_after = make.compare(CompareOp::Less, make.number(left), above.clone());
        let is_before = make.compare(CompareOp::GreaterEqual, before, above);
        let shows = vec![make.set(*local, make.number(face))];
        body.push(make.when(make.and(is_after, is_before), shows));
    }
    block.push(make.count(face, [make.int(1), make.int(dice.sides)], body));
    block
}
