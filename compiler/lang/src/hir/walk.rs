//! The parts of expressions and statements, for stages that look at all of them.

use super::{
    Counting, Die, Expr, ExprKind, Group, Marks, Members, Place, Pool, Select, Stage, StatName,
    Stmt, StmtKind,
};
use dicec_runtime::text::HOLE;

impl Expr {
    /// The operands, in the order of their evaluation; of a block, those of its statements.
    pub fn parts(&self) -> Vec<&Expr> {
        let mut parts = Vec::new();
        self.each_part(&mut |part| parts.push(part));
        parts
    }

    /// Calls `look` with each of the [`parts`](Self::parts). Nothing is allocated: every stage
    /// walks all expressions.
    pub fn each_part<'e>(&'e self, look: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Degree(..)
            | ExprKind::Named(_)
            | ExprKind::Text(_)
            | ExprKind::Constant(_)
            | ExprKind::Local(_)
            | ExprKind::Resource(_) => {}
            ExprKind::Negate(value)
            | ExprKind::Not(value)
            | ExprKind::Degrees(value)
            | ExprKind::ToFloat(value)
            | ExprKind::AtLeast(_, value)
            | ExprKind::NotNegative(value)
            | ExprKind::Len(value)
            | ExprKind::Pop(value)
            | ExprKind::Field(value, _) => look(value),
            ExprKind::Arith(_, left, right)
            | ExprKind::Compare(_, left, right)
            | ExprKind::Same(_, left, right)
            | ExprKind::Has(left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::Versus(_, left, right)
            | ExprKind::Append(left, right)
            | ExprKind::Element(left, right) => {
                look(left);
                look(right);
            }
            ExprKind::Choose(parts) => parts.iter().for_each(look),
            ExprKind::Math(_, parts)
            | ExprKind::List(parts)
            | ExprKind::Join(parts)
            | ExprKind::Call(_, parts) => parts.iter().for_each(look),
            ExprKind::Record(_, fields) => fields.iter().for_each(|(_, value)| look(value)),
            ExprKind::Roll(roll) => {
                roll.holes.iter().for_each(|hole| look(&hole.value));
                look(&roll.body);
            }
            ExprKind::Pool(pool) => pool.each_part(look),
            ExprKind::Group(group) => group.each_part(look),
            ExprKind::Option(option) => {
                option.question().for_each(&mut *look);
                if let Some(answers) = &option.answers {
                    let numbers = answers.bounds.iter().chain(&answers.list);
                    numbers.chain([&answers.random]).for_each(&mut *look);
                }
            }
            ExprKind::Block(block) => {
                each_own_stmt(&block.statements, &mut |stmt| stmt.each_expr(look));
                block.value.iter().for_each(look);
            }
        }
    }

    /// A text with a hole for each part of it that is not written.
    pub fn template(&self) -> String {
        match &self.kind {
            ExprKind::Text(text) => text.clone(),
            ExprKind::Join(parts) => parts.iter().map(Expr::template).collect(),
            _ => HOLE.to_owned(),
        }
    }

    /// Calls `look` with this expression and all below it, this one first.
    pub fn each<'e>(&'e self, look: &mut dyn FnMut(&'e Expr)) {
        look(self);
        self.each_part(&mut |part| part.each(look));
    }
}

impl Pool {
    /// Calls `look` with each expression in it, in the order of their evaluation.
    pub fn each_part<'e>(&'e self, look: &mut dyn FnMut(&'e Expr)) {
        look(&self.count);
        if let Die::Sides(sides) = &self.die {
            look(sides);
        }
        self.all_selects().for_each(|select| look(&select.count));
        for stage in &self.stages {
            match stage {
                Stage::Explode(_, condition) => {
                    let threshold = condition.iter().map(|condition| &condition.threshold);
                    threshold.for_each(&mut *look);
                }
                Stage::Reroll { conditions, .. } => {
                    let thresholds = conditions.iter().map(|condition| &condition.threshold);
                    thresholds.for_each(&mut *look);
                }
                Stage::Bound(_, bound) => look(bound),
                // Evaluated before.
                Stage::Select(_) => {}
            }
        }
        marked(&self.marks).for_each(&mut *look);
        thresholds(self.counting.as_ref()).for_each(look);
    }
}

impl Group {
    /// Calls `look` with each expression in it, in the order of their evaluation.
    pub fn each_part<'e>(&'e self, look: &mut dyn FnMut(&'e Expr)) {
        let selects = self.selects.iter().map(|Select { count, .. }| count);
        selects.for_each(&mut *look);
        match &self.members {
            Members::Totals(totals) => totals.iter().for_each(&mut *look),
            Members::Dice(terms) => terms.iter().for_each(|term| look(&term.expr)),
        }
        marked(&self.marks).for_each(&mut *look);
        thresholds(self.counting.as_ref()).for_each(look);
    }
}

fn marked(marks: &Marks) -> impl Iterator<Item = &Expr> {
    marks.conditions().map(|condition| &condition.threshold)
}

fn thresholds(counting: Option<&Counting>) -> impl Iterator<Item = &Expr> {
    let conditions = counting.into_iter().flat_map(Counting::conditions);
    conditions.map(|condition| &condition.threshold)
}

impl Place {
    /// Calls `look` with each expression that it evaluates, in their order.
    pub fn each_part<'e>(&'e self, look: &mut dyn FnMut(&'e Expr)) {
        match self {
            Place::Local(_) => {}
            Place::Field(record, _) => look(record),
            Place::Element(list, index) => {
                look(list);
                look(index);
            }
        }
    }
}

impl Stmt {
    /// The expressions of this statement itself, not those of the statements in it.
    pub fn exprs(&self) -> Vec<&Expr> {
        let mut exprs = Vec::new();
        self.each_expr(&mut |expr| exprs.push(expr));
        exprs
    }

    /// Calls `look` with each expression of this statement itself, not those of the statements in
    /// it.
    pub fn each_expr<'e>(&'e self, look: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            StmtKind::Assign(place, value) | StmtKind::Update(place, _, value) => {
                place.each_part(look);
                look(value);
            }
            StmtKind::Eval(value)
            | StmtKind::If(value, ..)
            | StmtKind::While(value, _)
            | StmtKind::For(_, value, _)
            | StmtKind::Return(Some(value))
            | StmtKind::Output(value)
            | StmtKind::Require(value)
            | StmtKind::Stat(StatName::Known(_), value) => look(value),
            StmtKind::Stat(StatName::Text(name), value) => {
                look(name);
                look(value);
            }
            StmtKind::Count(_, bounds, _) => bounds.iter().for_each(look),
            StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::StartGroup
            | StmtKind::EndGroup => {}
        }
    }

    /// The blocks in it.
    pub fn blocks(&self) -> impl Iterator<Item = &[Stmt]> {
        let (first, second): (&[Stmt], &[Stmt]) = match &self.kind {
            StmtKind::If(_, yes, no) => (yes, no),
            StmtKind::While(_, body) | StmtKind::For(_, _, body) | StmtKind::Count(_, _, body) => {
                (body, &[])
            }
            _ => (&[], &[]),
        };
        [first, second].into_iter()
    }
}

/// Calls `look` with each statement of a block, of the blocks in it and of those in expressions.
pub fn each_stmt<'s>(block: &'s [Stmt], look: &mut dyn FnMut(&'s Stmt)) {
    each_own_stmt(block, &mut |stmt| {
        look(stmt);
        // The parts of a block are those of all its statements.
        stmt.each_expr(&mut |expr| {
            expr.each(&mut |part| {
                if let ExprKind::Block(block) = &part.kind {
                    each_own_stmt(&block.statements, look);
                }
            });
        });
    });
}

/// Calls `look` with each statement of a block and of the blocks in it, not of those in
/// expressions.
pub fn each_own_stmt<'s>(block: &'s [Stmt], look: &mut dyn FnMut(&'s Stmt)) {
    for stmt in block {
        look(stmt);
        for inner in stmt.blocks() {
            each_own_stmt(inner, look);
        }
    }
}

/// Calls `change` with each statement of a block and of the blocks in it, not of those in
/// expressions.
pub fn each_stmt_mut(block: &mut [Stmt], change: &mut dyn FnMut(&mut Stmt)) {
    for stmt in block {
        change(stmt);
        match &mut stmt.kind {
            StmtKind::If(_, yes, no) => {
                each_stmt_mut(yes, change);
                each_stmt_mut(no, change);
            }
            StmtKind::While(_, body) | StmtKind::For(_, _, body) | StmtKind::Count(_, _, body) => {
                each_stmt_mut(body, change);
            }
            _ => {}
        }
    }
}

/// Calls `look` with each expression of a block and of the blocks in it.
pub fn each_expr<'s>(block: &'s [Stmt], look: &mut dyn FnMut(&'s Expr)) {
    each_own_stmt(block, &mut |stmt| {
        stmt.each_expr(&mut |expr| expr.each(look));
    });
}
