//! `dice(4d6kh3)`: the dice of a roll as a list of records. It desugars to loops: each die is a
//! roll of its own, in the order of the pool, followed by its changes in order.

use super::body::{Body, expr};
use super::make::{Make, Var};
use super::{Lowering, TypeNamed};
use crate::front::script::ast;
use crate::hir::{
    ArithOp, Block, CompareOp, Condition, Data, Die, Expr, ExprKind, Field, Hole, Place, Pool,
    RecordType, Roll, Select, Stage, Stmt, StmtKind, Type, TypeId,
};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::pool::{Explosion, Selector};
use dicec_runtime::span::Span;
use std::sync::Arc;

/// The name of the records' type.
pub(super) const DIE: &str = "die";

/// Up to this number of dice, the list is made of separate values, so that engines know its length.
const MAX_WRITTEN_OUT: i64 = 16;

impl Lowering<'_> {
    /// The type of a die on the table, unless the script has another type of this name.
    pub(super) fn die_type(&mut self) -> TypeId {
        if let Some(id) = self.die {
            return id;
        }
        let id = TypeId(self.out.module.types.len() as u32);
        let field = |(name, ty): (&str, Type)| Field {
            name: name.to_owned(),
            ty,
            default: None,
            span: Span::default(),
        };
        let numbers = ["sides", "face", "value"].map(|name| (name, Type::Int));
        let mut fields: Vec<Field> = numbers.map(field).into();
        fields.push(Field {
            default: Some(Data::Bool(true)),
            ..field(("kept", Type::Bool))
        });
        self.out.module.types.push(RecordType {
            name: DIE.to_owned(),
            fields,
            span: Span::default(),
        });
        let named = TypeNamed::Record(id);
        self.types.entry(DIE.to_owned()).or_insert(named);
        self.die = Some(id);
        id
    }
}

/// A pool whose dice are put into a list.
struct Listed {
    make: Make,
    /// The dice, as one of them is rolled.
    die: Die,
    sides: Expr,
    list: Var,
}

impl Body<'_, '_> {
    /// `dice(4d6kh3)`, `dice(2d6 + d8)`
    pub(super) fn pool_dice(&mut self, ast: &ast::Expr, span: Span) -> Expr {
        let make = Make(span);
        let Some((holes, body)) = self.rolled_parts(ast) else {
            return self.unresolved(span);
        };
        let mut pools = Vec::new();
        if let Err(other) = flatten(body, &mut pools) {
            self.not_pools(other);
            return self.unresolved(span);
        }
        let mut statements: Block = Vec::new();
        for Hole { local, value } in holes {
            let span = value.span;
            statements.push(make.set(Var { id: local, span }, value));
        }
        let mut lists = Vec::new();
        for pool in pools {
            lists.extend(self.listed(pool, &mut statements, make));
        }
        let mut lists = lists.into_iter();
        let Some(all) = lists.next() else {
            return self.unresolved(span);
        };
        for list in lists {
            let [each] = self.fresh(span);
            let append = make.append(all, make.local(each));
            statements.push(make.each(each, make.local(list), vec![append]));
        }
        make.block(statements, make.local(all))
    }

    /// The list of the dice of a pool.
    fn listed(&mut self, pool: Pool, statements: &mut Block, make: Make) -> Option<Var> {
        if pool.counting.is_some() {
            self.counted_dice(make.0);
            return None;
        }
        if pool.all_selects().count() > pool.selects.len() {
            self.kept_before(make.0);
            return None;
        }
        let [count, list] = self.fresh(make.0);
        let written = match pool.count.kind {
            ExprKind::Int(count @ 1..=MAX_WRITTEN_OUT) => Some(count),
            _ => None,
        };
        if written.is_none() {
            statements.push(make.set(count, number(pool.count)));
        }
        let (die, sides) = self.kind_of_die(pool.die, statements, make);
        let mut selects = Vec::new();
        for Select { selector, count } in pool.selects {
            let [most] = self.fresh(make.0);
            statements.push(make.set(most, number(count)));
            selects.push((selector, most));
        }
        let mut listed = Listed {
            make,
            die,
            sides,
            list,
        };
        match written {
            Some(count) => self.written_out(count, &listed, statements),
            None => self.counted_out(count, &listed, statements),
        }
        for stage in pool.stages {
            self.stage(stage, &mut listed, statements);
        }
        for (selector, most) in selects {
            let selected = self.selected(&listed, selector, most);
            statements.push(selected);
        }
        Some(listed.list)
    }

    /// A die, as it is rolled, and its number of sides; one that is computed is kept.
    fn kind_of_die(&mut self, die: Die, statements: &mut Block, make: Make) -> (Die, Expr) {
        match die {
            Die::Sides(sides) if matches!(sides.kind, ExprKind::Int(_)) => {
                (Die::Sides(sides.clone()), sides)
            }
            Die::Sides(value) => {
                let [sides] = self.fresh(make.0);
                statements.push(make.set(sides, number(value)));
                (Die::Sides(make.local(sides)), make.local(sides))
            }
            Die::Faces(faces) => {
                let sides = make.int(faces.len() as i64);
                (Die::Faces(faces), sides)
            }
        }
    }

    /// A list of this number of separate dice, whose length engines know.
    fn written_out(&mut self, count: i64, listed: &Listed, statements: &mut Block) {
        let make = listed.make;
        let dice = (0..count).map(|_| {
            let mut roll = Block::new();
            let die = self.new_die(listed, 0, &mut roll);
            make.block(roll, die)
        });
        let dice = expr(ExprKind::List(dice.collect()), make.0);
        statements.push(make.set(listed.list, dice));
    }

    fn counted_out(&mut self, count: Var, listed: &Listed, statements: &mut Block) {
        let make = listed.make;
        let [index] = self.fresh(make.0);
        let mut body = Block::new();
        let die = self.new_die(listed, 0, &mut body);
        body.push(make.append(listed.list, die));
        let bounds = [make.int(1), make.local(count)];
        statements.extend([
            make.set(listed.list, make.empty_list()),
            make.count(index, bounds, body),
        ]);
    }

    /// A die that was just rolled, at the end of `statements`. Its value is its face plus a number.
    fn new_die(&mut self, listed: &Listed, plus: i64, statements: &mut Block) -> Expr {
        let make = listed.make;
        let [face] = self.fresh(make.0);
        let rolled = self.roll_of(listed);
        statements.push(make.set(face, rolled));
        let value = match plus {
            0 => make.local(face),
            plus => make.plus(make.local(face), make.int(plus)),
        };
        let fields = [
            listed.sides.clone(),
            make.local(face),
            value,
            make.truth(true),
        ];
        let fields = (0..).zip(fields).collect();
        expr(ExprKind::Record(self.lowering.die_type(), fields), make.0)
    }

    /// A roll of one such die.
    fn roll_of(&mut self, listed: &Listed) -> Expr {
        let make = listed.make;
        let mut holes = Vec::new();
        let die = match &listed.die {
            Die::Sides(sides) if !matches!(sides.kind, ExprKind::Int(_)) => {
                let [hole] = self.fresh(make.0);
                holes.push(Hole {
                    local: hole.id,
                    value: sides.clone(),
                });
                Die::Sides(make.local(hole))
            }
            die => die.clone(),
        };
        let pool = Pool {
            die,
            ..Pool::plain(make.int(1), make.int(1))
        };
        let roll = Roll {
            holes,
            body: expr(ExprKind::Pool(Box::new(pool)), make.0),
            labels: Arc::default(),
            cost: 0,
        };
        expr(ExprKind::Roll(Box::new(roll)), make.0)
    }

    /// A change of the dice.
    fn stage(&mut self, stage: Stage, listed: &mut Listed, statements: &mut Block) {
        let make = listed.make;
        let [die] = self.fresh(make.0);
        let body = match stage {
            Stage::Bound(how, bound) => {
                self.bounded(die, (how.replaces(), bound), statements, make)
            }
            Stage::Reroll { once, conditions } => {
                let face = self.part_of(die, "face", make);
                let meets = self.meets(&face, conditions, statements, make);
                let rolled = self.roll_of(listed);
                let again = vec![
                    self.put_part(die, "face", rolled, make),
                    self.put_part(die, "value", face, make),
                ];
                match once {
                    true => vec![make.when(meets, again)],
                    false => vec![make.stmt(StmtKind::While(meets, again))],
                }
            }
            Stage::Explode(how, condition) => {
                let condition = condition.unwrap_or_else(|| highest(listed));
                return self.explode((how, condition), die, listed, statements);
            }
            // Reported before.
            Stage::Select(_) => return,
        };
        statements.push(make.each(die, make.local(listed.list), body));
    }

    /// `min` and `max`: a value that compares like this with the bound becomes the bound.
    fn bounded(
        &mut self,
        die: Var,
        (op, bound): (CompareOp, Expr),
        statements: &mut Block,
        make: Make,
    ) -> Block {
        let [limit] = self.fresh(make.0);
        statements.push(make.set(limit, number(bound)));
        let value = self.part_of(die, "value", make);
        let beyond = make.compare(op, value, make.local(limit));
        let put = self.put_part(die, "value", make.local(limit), make);
        vec![make.when(beyond, vec![put])]
    }

    /// Whether a face meets any of the conditions, whose thresholds were computed before.
    fn meets(
        &mut self,
        face: &Expr,
        conditions: Vec<Condition>,
        statements: &mut Block,
        make: Make,
    ) -> Expr {
        let mut meets = None;
        for Condition { op, threshold } in conditions {
            let [limit] = self.fresh(make.0);
            statements.push(make.set(limit, number(threshold)));
            let this = make.compare(op, face.clone(), make.local(limit));
            meets = Some(match meets {
                Some(before) => make.or(before, this),
                None => this,
            });
        }
        meets.unwrap_or(make.truth(false))
    }

    /// The dice with those that explosions add, each after the die that added it.
    fn explode(
        &mut self,
        (how, condition): (Explosion, Condition),
        die: Var,
        listed: &mut Listed,
        statements: &mut Block,
    ) {
        let make = listed.make;
        let [after, last] = self.fresh(make.0);
        let body = if how == Explosion::Compound {
            let meets = self.meets(&make.local(last), vec![condition], statements, make);
            let rolled = self.roll_of(listed);
            let value = self.part_of(die, "value", make);
            let more = make.plus(value, make.local(last));
            let again = vec![
                make.set(last, rolled),
                self.put_part(die, "value", more, make),
            ];
            vec![
                make.set(last, self.part_of(die, "face", make)),
                make.stmt(StmtKind::While(meets, again)),
                make.append(after, make.local(die)),
            ]
        } else {
            let face = self.part_of(last, "face", make);
            let meets = self.meets(&face, vec![condition], statements, make);
            let mut again = Block::new();
            let plus = if how == Explosion::Penetrate { -1 } else { 0 };
            let added = self.new_die(listed, plus, &mut again);
            again.extend([make.set(last, added), make.append(after, make.local(last))]);
            vec![
                make.append(after, make.local(die)),
                make.set(last, make.local(die)),
                make.stmt(StmtKind::While(meets, again)),
            ]
        };
        statements.push(make.set(after, make.empty_list()));
        statements.push(make.each(die, make.local(listed.list), body));
        listed.list = after;
    }

    /// Drops dice: those with too many, or too few, dice that are higher, or lower. Of equal dice,
    /// the earlier one counts as higher.
    fn selected(&mut self, listed: &Listed, selector: Selector, most: Var) -> Stmt {
        let make = listed.make;
        let [place, other, before, die, than] = self.fresh(make.0);
        let end = || make.plus(make.len(listed.list), make.int(-1));
        let high = matches!(selector, Selector::KeepHigh | Selector::DropHigh);
        let (op, earlier) = match high {
            true => (CompareOp::Greater, CompareOp::Less),
            false => (CompareOp::Less, CompareOp::Greater),
        };
        let [value, others] = [die, than].map(|var| self.part_of(var, "value", make));
        let beyond = make.compare(op, others.clone(), value.clone());
        let equal = make.compare(CompareOp::Equal, others, value);
        let earlier = make.compare(earlier, make.local(other), make.local(place));
        let beyond = make.or(beyond, make.and(equal, earlier));
        let count = vec![
            make.set(than, make.element(listed.list, make.local(other))),
            make.when(beyond, vec![make.add(before, make.int(1))]),
        ];
        let drops = match selector {
            Selector::KeepHigh | Selector::KeepLow => CompareOp::GreaterEqual,
            Selector::DropHigh | Selector::DropLow => CompareOp::Less,
        };
        let dropped = make.compare(drops, make.local(before), make.local(most));
        let drop = self.put_part(die, "kept", make.truth(false), make);
        let body = vec![
            make.set(die, make.element(listed.list, make.local(place))),
            make.set(before, make.int(0)),
            make.count(other, [make.int(0), end()], count),
            make.when(dropped, vec![drop]),
        ];
        let each = make.count(place, [make.int(0), end()], body);
        make.stmt(StmtKind::Eval(make.drops(listed.list, selector, each)))
    }

    /// A field of a die.
    fn part_of(&mut self, die: Var, name: &str, make: Make) -> Expr {
        let field = self.lowering.out.field_name(name);
        expr(ExprKind::Field(Box::new(make.local(die)), field), make.0)
    }

    fn put_part(&mut self, die: Var, name: &str, value: Expr, make: Make) -> Stmt {
        let field = self.lowering.out.field_name(name);
        make.stmt(StmtKind::Assign(
            Place::Field(make.local(die), field),
            value,
        ))
    }

    fn not_pools(&mut self, span: Span) {
        let message = "`dice` takes dice, and sums of dice";
        let found = Diagnostic::error(Code::NothingRolled, span, message);
        self.report(
            found.help("write `dice(4d6kh3)` or `dice(2d6 + d8)`, and add numbers outside"),
        );
    }

    fn kept_before(&mut self, span: Span) {
        let message = "in `dice(...)`, keep and drop must come last";
        let found = Diagnostic::error(Code::NothingRolled, span, message);
        self.report(found.help("write what changes the dice first: `dice(4d6!kh3)`"));
    }

    fn counted_dice(&mut self, span: Span) {
        let message = "`dice(...)` returns dice; it cannot count successes";
        let found = Diagnostic::error(Code::NothingRolled, span, message);
        self.report(found.help("count them: `count(d.value >= 8 for d : dice(5d10))`"));
    }
}

/// A number of a pool: a roll of its own if it has dice.
fn number(value: Expr) -> Expr {
    let (mut rolls, mut holes) = (false, Vec::<Hole>::new());
    value.each(&mut |part| match part.kind {
        ExprKind::Pool(_) | ExprKind::Group(_) => rolls = true,
        ExprKind::Local(local) if holes.iter().all(|hole| hole.local != local) => {
            // The variable itself holds what the dice read.
            holes.push(Hole {
                local,
                value: part.clone(),
            });
        }
        _ => {}
    });
    if !rolls {
        return value;
    }
    let span = value.span;
    let roll = Roll {
        holes,
        body: value,
        labels: Arc::default(),
        cost: 0,
    };
    expr(ExprKind::Roll(Box::new(roll)), span)
}

/// The pools of a sum; the span of what is none.
fn flatten(body: Expr, pools: &mut Vec<Pool>) -> Result<(), Span> {
    match body.kind {
        ExprKind::Pool(pool) => {
            pools.push(*pool);
            Ok(())
        }
        ExprKind::Arith(ArithOp::Add, left, right) => {
            flatten(*left, pools)?;
            flatten(*right, pools)
        }
        _ => Err(body.span),
    }
}

/// The condition that a die shows its highest face.
fn highest(listed: &Listed) -> Condition {
    let highest = match &listed.die {
        Die::Sides(sides) => sides.clone(),
        Die::Faces(faces) => {
            let highest = faces.iter().map(|face| face.value()).max();
            listed.make.int(highest.unwrap_or(0))
        }
    };
    Condition {
        op: CompareOp::Equal,
        threshold: highest,
    }
}
