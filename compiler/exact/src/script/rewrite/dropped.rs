//! Pools of which dice are dropped, `dice(9d6kh3)`, are made in the order of their faces, so that
//! each die knows whether it is kept when it is made. So their records never change, and states
//! with equal dice are merged.
//!
//! Premise: nothing observes the order of the list, in which the dice were rolled. That is found
//! out of the rewritten script; if the order of one list is observed, none is rewritten.

use super::super::shape::Shapes;
use super::super::unordered::{Unordered, pure_functions};
use super::edit::{Make, each_operand_mut, each_operand_of_mut};
use super::pool::{Dice, Element, Known};
use dicec_lang::hir::{
    ArithOp, Block, CompareOp, Dropping, Expr, ExprKind, FunctionId, Local, LocalId, Module, Place,
    StmtKind, Type, ValueBlock,
};
use dicec_runtime::pool::Selector;

/// Makes all such pools in the order of their faces; the fuel that a roll of them may burn less.
pub(super) fn in_order(script: &mut Module) -> Option<u64> {
    let mut new = script.clone();
    let (mut made, mut fuel) = (Vec::new(), 0);
    for (id, function) in (0..).map(FunctionId).zip(&mut new.functions) {
        let (body, locals) = (&mut function.body, &mut function.locals);
        each_operand_of_mut(body, &mut |expr| {
            pools(expr, locals, &mut |list, cost| {
                made.push((id, list));
                fuel += cost;
            });
        });
    }
    if made.is_empty() {
        return None;
    }
    let pure = pure_functions(&new);
    let unordered = Unordered::of(&new, &Shapes::of(&new), &pure);
    if !made.iter().all(|(id, list)| unordered.has(*id, *list)) {
        return None;
    }
    *script = new;
    Some(fuel)
}

fn pools(expr: &mut Expr, locals: &mut Vec<Local>, found: &mut dyn FnMut(LocalId, u64)) {
    let pool = match &expr.kind {
        ExprKind::Block(block) => Pool::of(block),
        _ => None,
    };
    let Some(pool) = pool else {
        return each_operand_mut(expr, &mut |part| pools(part, locals, found));
    };
    let make = &mut Make {
        locals,
        span: expr.span,
    };
    let list = make.fresh(expr.ty.clone());
    let statements = pool.made(list, &expr.ty, make);
    let block = ValueBlock {
        initials: Vec::new(),
        statements,
        value: Some(make.expr(ExprKind::Local(list), expr.ty.clone())),
        aggregate: None,
    };
    let count = pool.dice.count.unsigned_abs() + 1;
    found(
        list,
        pool.dice.cost() + count * count * pool.selects.len() as u64,
    );
    expr.kind = ExprKind::Block(Box::new(block));
}

/// A pool of which dice are dropped.
struct Pool {
    dice: Dice,
    record: Expr,
    selects: Vec<(Selector, i64)>,
    /// The field that says whether a die is kept.
    kept: u32,
}

impl Pool {
    /// The pool that a block makes.
    fn of(block: &ValueBlock) -> Option<Self> {
        let ExprKind::Local(list) = block.value.as_ref()?.kind else {
            return None;
        };
        let mut numbers: Vec<(LocalId, i64)> = Vec::new();
        let mut made: Option<(Dice, Expr)> = None;
        let mut drops: Vec<Dropping<'_>> = Vec::new();
        for stmt in &block.statements {
            match &stmt.kind {
                StmtKind::Assign(Place::Local(to), value) if *to == list && made.is_none() => {
                    let ExprKind::List(values) = &value.kind else {
                        return None;
                    };
                    made = Some((Dice::of(value, &Known::default())?, values.first()?.clone()));
                }
                StmtKind::Assign(Place::Local(to), value) if made.is_none() => {
                    let ExprKind::Int(number) = value.kind else {
                        return None;
                    };
                    numbers.push((*to, number));
                }
                StmtKind::Eval(value) => {
                    let ExprKind::Block(inner) = &value.kind else {
                        return None;
                    };
                    drops.push(inner.dropping().filter(|drops| drops.list == list)?);
                }
                _ => return None,
            }
        }
        let (dice, first) = made?;
        let ExprKind::Block(first) = first.kind else {
            return None;
        };
        let (record, kept) = (first.value?, drops.first()?.kept);
        let Element::Record(fields) = &dice.element else {
            return None;
        };
        // The dice are compared by their faces.
        let by_face = drops
            .iter()
            .all(|drop| fields.contains(&(drop.value, None)));
        if !by_face || !drops.iter().all(|drop| drop.kept == kept) {
            return None;
        }
        let number = |most: &Expr| match most.kind {
            ExprKind::Local(local) => {
                let known = numbers.iter().find(|(known, _)| *known == local);
                known.map(|(_, number)| *number)
            }
            _ => None,
        };
        let selects = drops
            .iter()
            .map(|drop| Some((drop.selector, number(drop.most)?)));
        let selects = selects.collect::<Option<_>>()?;
        Some(Self {
            dice,
            record,
            selects,
            kept,
        })
    }

    /// The statements that make its list.
    fn made(&self, list: LocalId, ty: &Type, make: &mut Make<'_>) -> Block {
        let [left, here, face, turn] = [(); 4].map(|()| make.fresh(Type::Int));
        let faces = make.minus(make.int(self.dice.sides + 1), make.number(face));
        let rolled = make.roll(make.number(left), faces, CompareOp::Equal, 1);
        let taken = StmtKind::Update(Place::Local(left), ArithOp::Sub, make.number(here));
        let die = self.die(face, [left, here, turn], make);
        let to = make.expr(ExprKind::Local(list), ty.clone());
        let append = make.expr(ExprKind::Append(Box::new(to), Box::new(die)), Type::Unit);
        let all = make.count(
            turn,
            [make.int(1), make.number(here)],
            vec![make.stmt(StmtKind::Eval(append))],
        );
        let body = vec![make.set(here, rolled), make.stmt(taken), all];
        let none = make.expr(ExprKind::List(Vec::new()), ty.clone());
        vec![
            make.set(left, make.int(self.dice.count)),
            make.set(list, none),
            make.count(face, [make.int(1), make.int(self.dice.sides)], body),
        ]
    }

    /// A die with a face, the one after `turn` - 1 others of those `here`; `left` have higher
    /// faces.
    fn die(&self, face: LocalId, [left, here, turn]: [LocalId; 3], make: &Make<'_>) -> Expr {
        let higher = |make: &Make<'_>| {
            let others = make.plus(make.number(left), make.number(here));
            make.minus(others, make.number(turn))
        };
        let kept = self.selects.iter().map(|(selector, most)| {
            let rank = match selector.is_high() {
                true => higher(make),
                false => make.minus(make.int(self.dice.count - 1), higher(make)),
            };
            let op = match selector.drops() {
                true => CompareOp::GreaterEqual,
                false => CompareOp::Less,
            };
            make.compare(op, rank, make.int(*most))
        });
        let kept = kept.reduce(|left, right| make.and(left, right));
        let mut record = self.record.clone();
        if let (ExprKind::Record(_, values), Element::Record(fields)) =
            (&mut record.kind, &self.dice.element)
        {
            for ((field, value), (_, known)) in values.iter_mut().zip(fields) {
                match (known, &kept) {
                    (None, _) => *value = make.number(face),
                    (Some(_), Some(kept)) if *field == self.kept => *value = kept.clone(),
                    _ => {}
                }
            }
        }
        record
    }
}
