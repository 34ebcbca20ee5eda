//! Sorted lists whose elements are read one after another, as `b[i]` in `for (i : 0..7)`, or `b[j]`
//! while `j++` steps on, are rolled face by face as they are read. So a state holds the face that
//! is read, and the numbers of dice that show it and that are left.
//!
//! Premise: the list is sorted; only its length and its element at this one index are read, and the
//! index begins with a known number and only ever goes to the next one.

use super::edit::{Make, assignments, each_operand_mut, reads, replace_in};
use super::pool::{Dice, Order};
use dicec_lang::hir::{
    ArithOp, Block, CompareOp, Expr, ExprKind, Local, LocalId, Place, Stmt, StmtKind, Type,
    ValueBlock, each_expr, each_own_stmt,
};
use dicec_runtime::span::Span;

/// More elements than this are not skipped before the first that is read.
const MAX_FIRST: i64 = 100;

/// A list that is rolled as it is read.
pub(super) struct Cursor<'l> {
    list: LocalId,
    dice: &'l Dice,
    locals: &'l mut Vec<Local>,
    span: Span,
    /// The face at the index, the dice that show it from the index on, and those that are left.
    face: LocalId,
    here: LocalId,
    left: LocalId,
}

impl<'l> Cursor<'l> {
    pub(super) fn new((list, dice): (LocalId, &'l Dice), locals: &'l mut Vec<Local>) -> Self {
        let span = locals[list.index()].span;
        let make = &mut Make { locals, span };
        let [face, here, left] = [(); 3].map(|()| make.fresh(Type::Int));
        Self {
            list,
            dice,
            locals,
            span,
            face,
            here,
            left,
        }
    }

    /// Rewrites the statements after the list was made; `None` if it is read in another form.
    pub(super) fn rewrite(mut self, block: &Block) -> Option<Block> {
        if self.dice.order == Order::Rolled {
            return None;
        }
        let index = self.index(block)?;
        let mut new = block.clone();
        let mut stepped = self.by_loop(&mut new, index);
        if !stepped {
            new.clone_from(block);
            stepped = self.by_steps(&mut new, index);
        }
        // The length may be read elsewhere.
        self.read(&mut new, index);
        (stepped && reads(&new, self.list) == 0).then(|| {
            let mut first = self.begin();
            first.append(&mut new);
            first
        })
    }

    fn make(&mut self) -> Make<'_> {
        Make {
            locals: self.locals,
            span: self.span,
        }
    }

    /// The variable that is the index of all elements that are read.
    fn index(&self, block: &Block) -> Option<LocalId> {
        let (mut index, mut one) = (None, true);
        each_expr(block, &mut |expr| {
            if let ExprKind::Element(of, at) = &expr.kind
                && of.kind == ExprKind::Local(self.list)
            {
                match at.kind {
                    ExprKind::Local(at) => one &= *index.get_or_insert(at) == at,
                    _ => one = false,
                }
            }
        });
        index.filter(|_| one)
    }

    /// No die is known yet.
    fn begin(&mut self) -> Block {
        let (face, here, left) = (self.face, self.here, self.left);
        let first = match self.dice.order {
            Order::Descending => self.dice.sides + 1,
            _ => 0,
        };
        let count = self.dice.count;
        let make = self.make();
        vec![
            make.set(face, make.int(first)),
            make.set(here, make.int(0)),
            make.set(left, make.int(count)),
        ]
    }

    /// Rolls dice face by face until one is known, if one is left.
    fn find(&mut self) -> Stmt {
        let (face, here, left) = (self.face, self.here, self.left);
        let (descends, sides) = (self.dice.order == Order::Descending, self.dice.sides);
        let mut make = self.make();
        let faces = match descends {
            true => make.number(face),
            false => make.minus(make.int(sides + 1), make.number(face)),
        };
        let step = if descends { ArithOp::Sub } else { ArithOp::Add };
        let update = |local, op, value| StmtKind::Update(Place::Local(local), op, value);
        let rolled = make.roll(make.number(left), faces, CompareOp::Equal, 1);
        let body = vec![
            make.stmt(update(face, step, make.int(1))),
            make.set(here, rolled),
            make.stmt(update(left, ArithOp::Sub, make.number(here))),
        ];
        let none = make.compare(CompareOp::LessEqual, make.number(here), make.int(0));
        let more = make.compare(CompareOp::Greater, make.number(left), make.int(0));
        make.stmt(StmtKind::While(make.and(none, more), body))
    }

    /// Goes past a die, if there is one.
    fn pass(&mut self) -> Stmt {
        let here = self.here;
        let make = self.make();
        let passed = StmtKind::Update(Place::Local(here), ArithOp::Sub, make.int(1));
        let is_known = make.compare(CompareOp::Greater, make.number(here), make.int(0));
        make.when(is_known, vec![make.stmt(passed)])
    }

    /// Replaces the reads of the list in statements; an index that is out of range is an error.
    fn read(&mut self, block: &mut [Stmt], index: LocalId) {
        let (list, face, count) = (self.list, self.face, self.dice.count);
        let make = self.make();
        replace_in(block, &mut |expr| match &expr.kind {
            ExprKind::Len(of) if of.kind == ExprKind::Local(list) => Some(make.int(count)),
            ExprKind::Element(of, _) if of.kind == ExprKind::Local(list) => {
                let low = make.compare(CompareOp::GreaterEqual, make.number(index), make.int(0));
                let high = make.compare(CompareOp::Less, make.number(index), make.int(count));
                let in_range = make.stmt(StmtKind::Require(make.and(low, high)));
                let block = ValueBlock {
                    initials: Vec::new(),
                    statements: vec![in_range],
                    value: Some(make.number(face)),
                    aggregate: None,
                };
                Some(make.expr(ExprKind::Block(Box::new(block)), Type::Int))
            }
            _ => None,
        });
    }

    /// Rewrites the only loop that counts the index, if the list is read there only.
    fn by_loop(&mut self, block: &mut Block, index: LocalId) -> bool {
        let uses: Vec<usize> = (0..block.len())
            .filter(|at| reads_element(&block[*at..=*at], self.list))
            .collect();
        let [at] = uses[..] else {
            return false;
        };
        if let StmtKind::Count(local, bounds, body) = &mut block[at].kind
            && *local == index
        {
            let ExprKind::Int(first @ 0..=MAX_FIRST) = bounds[0].kind else {
                return false;
            };
            let is_inside = bounds
                .iter()
                .all(|bound| !reads_element_of(bound, self.list));
            if !is_inside || assignments(body, index) > 0 {
                return false;
            }
            // The element is passed when it is read, so that `continue` passes it, too.
            let mut new = vec![self.find()];
            self.read(body, index);
            new.push(self.pass());
            new.append(body);
            *body = new;
            let skipped: Block = (0..first)
                .flat_map(|_| [self.find(), self.pass()])
                .collect();
            block.splice(at..at, skipped);
            return true;
        }
        match &mut block[at].kind {
            StmtKind::If(condition, yes, no) => {
                !reads_element_of(condition, self.list)
                    && match (reads_element(yes, self.list), reads_element(no, self.list)) {
                        (true, false) => self.by_loop(yes, index),
                        (false, true) => self.by_loop(no, index),
                        _ => false,
                    }
            }
            StmtKind::Assign(Place::Local(_), value)
            | StmtKind::Return(Some(value))
            | StmtKind::Eval(value) => self.in_expr(value, index),
            _ => false,
        }
    }

    fn in_expr(&mut self, expr: &mut Expr, index: LocalId) -> bool {
        if let ExprKind::Block(block) = &mut expr.kind {
            let in_value = block
                .value
                .as_ref()
                .is_some_and(|value| reads_element_of(value, self.list));
            let found = !in_value && self.by_loop(&mut block.statements, index);
            block.aggregate = block.aggregate.filter(|_| !found);
            return found;
        }
        if matches!(
            expr.kind,
            ExprKind::Roll(_) | ExprKind::Call(..) | ExprKind::Option(_)
        ) {
            return false;
        }
        let (list, mut uses, mut found) = (self.list, 0, false);
        expr.each_part(&mut |part| uses += usize::from(reads_element_of(part, list)));
        each_operand_mut(expr, &mut |part| {
            if uses == 1 && reads_element_of(part, list) {
                found = self.in_expr(part, index);
            }
        });
        found
    }

    /// Rewrites `j = 0; ... b[j] ... j++;`.
    fn by_steps(&mut self, block: &mut Block, index: LocalId) -> bool {
        let begins = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Assign(Place::Local(local), value) => {
                *local == index && value.kind == ExprKind::Int(0)
            }
            _ => false,
        };
        let Some(first) = block.iter().position(begins) else {
            return false;
        };
        let mut steps = 0;
        each_own_stmt(&block[first + 1..], &mut |stmt| {
            steps += usize::from(is_step(stmt, index))
        });
        let only_steps = assignments(block, index) == steps + 1;
        let begins_first = !reads_element(&block[..first], self.list);
        if !only_steps || !begins_first {
            return false;
        }
        self.read(block, index);
        let (find, pass) = (self.find(), self.pass());
        let mut rest = block.split_off(first + 1);
        after_steps(&mut rest, index, &[pass, find.clone()]);
        block.push(find);
        block.append(&mut rest);
        true
    }
}

fn reads_element_of(expr: &Expr, list: LocalId) -> bool {
    let mut found = false;
    expr.each(&mut |part| {
        found |= matches!(&part.kind, ExprKind::Element(of, _) if of.kind == ExprKind::Local(list));
    });
    found
}

fn reads_element(block: &[Stmt], list: LocalId) -> bool {
    let mut found = false;
    each_expr(block, &mut |part| {
        found |= matches!(&part.kind, ExprKind::Element(of, _) if of.kind == ExprKind::Local(list));
    });
    found
}

/// `index++`
fn is_step(stmt: &Stmt, index: LocalId) -> bool {
    matches!(&stmt.kind, StmtKind::Update(Place::Local(local), ArithOp::Add, value)
        if *local == index && value.kind == ExprKind::Int(1))
}

/// Inserts statements after each step of the index.
fn after_steps(block: &mut Block, index: LocalId, new: &[Stmt]) {
    let mut at = 0;
    while at < block.len() {
        match &mut block[at].kind {
            StmtKind::If(_, yes, no) => {
                after_steps(yes, index, new);
                after_steps(no, index, new);
            }
            StmtKind::While(_, body) | StmtKind::For(_, _, body) | StmtKind::Count(_, _, body) => {
                after_steps(body, index, new);
            }
            _ => {}
        }
        if is_step(&block[at], index) {
            block.splice(at + 1..=at, new.iter().cloned());
            at += new.len();
        }
        at += 1;
    }
}
