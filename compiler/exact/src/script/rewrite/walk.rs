//! Finds the lists of dice of a function that can be rolled face by face.

use super::super::unordered::{Pure, Reads};
use super::cursor::Cursor;
use super::deck::Deck;
use super::edit::{Make, assignments, each_operand_mut, own_operands_mut, reads};
use super::faces::Faces;
use super::pool::{Dice, Known, Order, made, made_of};
use super::ranks::{pick_ranks, roll_ranks};
use dicec_lang::hir::{
    Aggregate, Block, CompareOp, Expr, ExprKind, Function, Local, LocalId, Place, Stmt, StmtKind,
    Type, ValueBlock, each_stmt,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Below this number of multisets, a list is rolled as it is.
const MIN_MULTISETS: u64 = 100;

/// More elements of a sorted list are as many states as its multisets.
const MAX_RANKS: usize = 8;

/// The walk through a function.
pub(super) struct Walk<'f> {
    pure: &'f Pure,
    all_reads: Reads,
    /// The variables that are assigned once, with the number of their reads.
    once: FxHashMap<LocalId, usize>,
    /// The fuel that the rewritten statements may burn less than before; 0 if there are none.
    pub(super) fuel: u64,
}

/// A list of dice in a block.
struct List {
    local: LocalId,
    dice: Dice,
    /// The statements that make it.
    made: Vec<usize>,
}

impl<'f> Walk<'f> {
    pub(super) fn of(function: &Function, pure: &'f Pure) -> Self {
        let mut once = FxHashMap::default();
        each_stmt(&function.body, &mut |stmt| {
            if let Some(local) = super::edit::assigned(stmt)
                && local.index() >= function.params
                && assignments(&function.body, local) == 1
            {
                once.insert(local, reads(&function.body, local));
            }
        });
        Self {
            pure,
            all_reads: Reads::of(&function.body),
            once,
            fuel: 0,
        }
    }

    /// Rewrites a block, of the value block `of` if it is the statements of one.
    pub(super) fn block(
        &mut self,
        block: &mut Block,
        locals: &mut Vec<Local>,
        of: Option<&ValueBlock>,
    ) -> bool {
        let before = self.fuel;
        if of.is_none() {
            self.name(block, locals);
        }
        self.lists(block, locals);
        while self.cursor(block, locals) {}
        let mut at = 0;
        while at < block.len() {
            let new = self.nameless(&block[at], locals, of);
            if let Some(new) = new {
                let made = new.len();
                block.splice(at..=at, new);
                at += made;
                continue;
            }
            own_operands_mut(&mut block[at], &mut |expr| self.expr(expr, locals));
            match &mut block[at].kind {
                StmtKind::If(_, yes, no) => {
                    self.block(yes, locals, None);
                    self.block(no, locals, None);
                }
                StmtKind::While(_, body)
                | StmtKind::For(_, _, body)
                | StmtKind::Count(_, _, body) => {
                    self.block(body, locals, None);
                }
                _ => {}
            }
            at += 1;
        }
        self.fuel > before
    }

    fn expr(&mut self, expr: &mut Expr, locals: &mut Vec<Local>) {
        if let Some(new) = self.nameless_rank(expr, locals) {
            *expr = new;
            return;
        }
        let ExprKind::Block(block) = &mut expr.kind else {
            return each_operand_mut(expr, &mut |part| self.expr(part, locals));
        };
        let of = ValueBlock::clone(block);
        let before = block.statements.clone();
        if self.block(&mut block.statements, locals, Some(&of)) && before != block.statements {
            block.aggregate = None;
        }
        block
            .value
            .iter_mut()
            .for_each(|value| self.expr(value, locals));
    }

    /// Gives lists a variable that are made for a loop of a block.
    fn name(&mut self, block: &mut Block, locals: &mut Vec<Local>) {
        let mut at = 0;
        while at < block.len() {
            if let StmtKind::For(_, list, _) = &mut block[at].kind
                && let ExprKind::Block(made) = &list.kind
                && matches!(
                    made.aggregate,
                    Some(Aggregate::Sorted(_) | Aggregate::Collected(_))
                )
            {
                let make = &mut Make {
                    locals,
                    span: list.span,
                };
                let local = make.fresh(list.ty.clone());
                let read = make.expr(ExprKind::Local(local), list.ty.clone());
                let set = make.set(local, std::mem::replace(list, read));
                self.once.insert(local, 1);
                block.insert(at, set);
                at += 1;
            }
            at += 1;
        }
    }

    /// Rewrites the lists in variables of a block.
    fn lists(&mut self, block: &mut Block, locals: &mut Vec<Local>) {
        let mut lists = self.made(block);
        let mut new: BTreeMap<usize, Block> = BTreeMap::new();
        let mut gone = Vec::new();
        lists.retain(|list| {
            let ranked = self.ranked(block, list, locals);
            let Some(ranked) = ranked else { return true };
            gone.extend(&list.made);
            new.insert(list.made.iter().copied().max().unwrap_or(0), ranked);
            false
        });
        for (user, stmt) in block.iter().enumerate() {
            let all_reads = |list: &&List| {
                let stmt = std::slice::from_ref(stmt);
                let here = reads(stmt, list.local);
                here > 0 && self.once.get(&list.local) == Some(&here)
            };
            let group: Vec<&List> = lists.iter().filter(all_reads).collect();
            let single = group.iter().map(|list| vec![*list]);
            let tries = std::iter::once(group.clone()).chain(single.filter(|_| group.len() > 1));
            let found = tries.filter(|group| !group.is_empty()).find_map(|group| {
                let new = self.together(&group, stmt, locals)?;
                Some((group, new))
            });
            if let Some((group, stmt)) = found {
                group.iter().for_each(|list| gone.extend(&list.made));
                new.insert(user, stmt);
            }
        }
        if new.is_empty() {
            return;
        }
        let old = std::mem::take(block);
        for (at, stmt) in old.into_iter().enumerate() {
            match new.remove(&at) {
                Some(new) => block.extend(new),
                None if gone.contains(&at) => {}
                None => block.push(stmt),
            }
        }
    }

    /// The lists of dice that a block makes.
    fn made(&self, block: &Block) -> Vec<List> {
        let (mut known, mut lists) = (Known::default(), Vec::<List>::new());
        let mut decks: FxHashMap<LocalId, usize> = FxHashMap::default();
        for (at, stmt) in block.iter().enumerate() {
            if let StmtKind::Assign(Place::Local(local), value) = &stmt.kind
                && self.once.contains_key(local)
                && let Some(deck) = Deck::of(value)
            {
                known.decks.insert(*local, deck);
                decks.insert(*local, at);
                continue;
            }
            let Some((local, dice)) = made(stmt, &known) else {
                continue;
            };
            let of = made_of(stmt, &known);
            let is_only_use = of.iter().all(|local| {
                self.once.get(local) == Some(&reads(std::slice::from_ref(stmt), *local))
            });
            if !self.once.contains_key(&local) || !is_only_use {
                continue;
            }
            let mut steps = vec![at];
            lists.retain(|list| {
                let is_part = of.contains(&list.local);
                if is_part {
                    steps.extend(&list.made);
                }
                !is_part
            });
            steps.extend(of.iter().filter_map(|local| decks.get(local)));
            known.dice.insert(local, dice.clone());
            lists.push(List {
                local,
                dice,
                made: steps,
            });
        }
        lists
    }

    /// The statements that roll single elements of a sorted list.
    fn ranked(&mut self, block: &mut Block, list: &List, locals: &mut Vec<Local>) -> Option<Block> {
        let is_large = list.dice.multisets() >= MIN_MULTISETS;
        if !is_large || list.dice.order == Order::Rolled || list.dice.deck.is_some() {
            return None;
        }
        let begin = list.made.iter().copied().max()? + 1;
        let mut rest = block[begin..].to_vec();
        if self.once.get(&list.local) != Some(&reads(&rest, list.local)) {
            return None;
        }
        let mut ranks = Vec::new();
        let only = pick_ranks(&mut rest, (list.local, &list.dice), locals, &mut ranks);
        if !only || ranks.is_empty() || ranks.len() > MAX_RANKS {
            return None;
        }
        block.splice(begin.., rest);
        self.fuel += list.dice.cost();
        let span = block[begin - 1].span;
        let make = &mut Make { locals, span };
        let ranks: Vec<_> = ranks
            .into_iter()
            .map(|(rank, local)| (make.int(rank), local))
            .collect();
        Some(roll_ranks(&list.dice, &ranks, make))
    }

    /// Rewrites a sorted list of a block that is rolled as it is read; whether there was one.
    fn cursor(&mut self, block: &mut Block, locals: &mut Vec<Local>) -> bool {
        for list in self.made(block) {
            let Some(begin) = list.made.iter().copied().min() else {
                continue;
            };
            let rest = block[begin..].iter().enumerate();
            let rest = rest.filter(|(at, _)| !list.made.contains(&(at + begin)));
            let rest: Block = rest.map(|(_, stmt)| stmt.clone()).collect();
            let is_large = list.dice.multisets() >= MIN_MULTISETS;
            let is_rolled = is_large && list.dice.deck.is_none();
            if !is_rolled || self.once.get(&list.local) != Some(&reads(&rest, list.local)) {
                continue;
            }
            let cursor = Cursor::new((list.local, &list.dice), locals);
            if let Some(rest) = cursor.rewrite(&rest) {
                self.fuel += list.dice.cost();
                block.truncate(begin);
                block.extend(rest);
                return true;
            }
        }
        false
    }

    /// The statement with all uses of some lists, if one loop of it can roll them.
    fn together(&mut self, group: &[&List], stmt: &Stmt, locals: &mut Vec<Local>) -> Option<Block> {
        let sizes = group.iter().map(|list| list.dice.multisets());
        if sizes.fold(1, u64::saturating_mul) < MIN_MULTISETS {
            return None;
        }
        let lists = group.iter().map(|list| (list.local, list.dice.clone()));
        let mut faces = Faces::new(locals, self.pure, &self.all_reads, lists.collect());
        let new = faces.stmt(stmt, None)?;
        self.fuel += faces.fuel;
        Some(new)
    }

    /// The same for a loop over dice that no variable has.
    fn nameless(
        &mut self,
        stmt: &Stmt,
        locals: &mut Vec<Local>,
        of: Option<&ValueBlock>,
    ) -> Option<Block> {
        let StmtKind::For(element, list, body) = &stmt.kind else {
            return None;
        };
        if matches!(list.kind, ExprKind::Local(_)) {
            return None;
        }
        let dice = Dice::of(list, &Known::default())?;
        if dice.multisets() < MIN_MULTISETS {
            return None;
        }
        let make = &mut Make {
            locals,
            span: list.span,
        };
        let local = make.fresh(list.ty.clone());
        let list = make.expr(ExprKind::Local(local), list.ty.clone());
        let stmt = make.stmt(StmtKind::For(*element, list, body.clone()));
        let mut faces = Faces::new(locals, self.pure, &self.all_reads, vec![(local, dice)]);
        let new = faces.stmt(&stmt, of)?;
        self.fuel += faces.fuel;
        Some(new)
    }

    /// `sorted(d6 for i : 1..9)[index]`
    fn nameless_rank(&mut self, expr: &Expr, locals: &mut Vec<Local>) -> Option<Expr> {
        let ExprKind::Element(list, index) = &expr.kind else {
            return None;
        };
        let is_value = matches!(index.kind, ExprKind::Int(_) | ExprKind::Local(_));
        if !is_value || matches!(list.kind, ExprKind::Local(_)) {
            return None;
        }
        let dice = Dice::of(list, &Known::default())?;
        if dice.order == Order::Rolled || dice.deck.is_some() || dice.multisets() < MIN_MULTISETS {
            return None;
        }
        let make = &mut Make {
            locals,
            span: expr.span,
        };
        let shown = make.fresh(Type::Int);
        let (low, high) = (make.int(0), make.int(dice.count - 1));
        let low = make.compare(CompareOp::GreaterEqual, (**index).clone(), low);
        let high = make.compare(CompareOp::LessEqual, (**index).clone(), high);
        let mut statements = vec![make.stmt(StmtKind::Require(make.and(low, high)))];
        let rank = match dice.order {
            Order::Descending => make.minus(make.int(dice.count - 1), (**index).clone()),
            _ => (**index).clone(),
        };
        statements.extend(roll_ranks(&dice, &[(rank, shown)], make));
        self.fuel += dice.cost();
        let value = ValueBlock {
            initials: Vec::new(),
            statements,
            value: Some(make.number(shown)),
            aggregate: None,
        };
        Some(make.expr(ExprKind::Block(Box::new(value)), Type::Int))
    }
}
