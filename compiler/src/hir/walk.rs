//! The parts of expressions and statements, for stages that look at all of them.

use super::{
    Counting, Die, Expr, ExprKind, Group, Marks, Members, Place, Pool, Select, Stage, StatName,
    Stmt, StmtKind,
};
use dicec_runtime::text::HOLE;

impl Expr {
    /// The operands, in the order of their evaluation; of a block, those of its statements.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Degree(..)
            | ExprKind::Named(_)
            | ExprKind::Text(_)
            | ExprKind::Constant(_)
            | ExprKind::Local(_)
            | ExprKind::Resource(_) => Vec::new(),
            ExprKind::Negate(value)
            | ExprKind::Not(value)
            | ExprKind::Degrees(value)
            | ExprKind::ToFloat(value)
            | ExprKind::AtLeast(_, value)
            | ExprKind::NotNegative(value)
            | ExprKind::Len(value)
            | ExprKind::Pop(value)
            | ExprKind::Field(value, _) => vec![value],
            ExprKind::Arith(_, left, right)
            | ExprKind::Compare(_, left, right)
            | ExprKind::Same(_, left, right)
            | ExprKind::Has(left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::Versus(_, left, right)
            | ExprKind::Append(left, right)
            | ExprKind::Element(left, right) => vec![left, right],
            ExprKind::Choose(parts) => parts.iter().collect(),
            ExprKind::Math(_, parts)
            | ExprKind::List(parts)
            | ExprKind::Join(parts)
            | ExprKind::Call(_, parts) => parts.iter().collect(),
            ExprKind::Record(_, fields) => fields.iter().map(|(_, value)| value).collect(),
            ExprKind::Roll(roll) => {
                let holes = roll.holes.iter().map(|hole| &hole.value);
                holes.chain([&roll.body]).collect()
            }
            ExprKind::Pool(pool) => pool.parts(),
            ExprKind::Group(group) => group.parts(),
            ExprKind::Option(option) => {
                let answers = option.answers.iter();
                let answers = answers.flat_map(|answers| {
                    let numbers = answers.bounds.iter().chain(&answers.list);
                    numbers.chain([&answers.random])
                });
                option.question().chain(answers).collect()
            }
            ExprKind::Block(block) => {
                let mut parts = Vec::new();
                own_stmts(&block.statements, &mut |stmt| parts.extend(stmt.exprs()));
                parts.extend(&block.value);
                parts
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
        for part in self.parts() {
            part.each(look);
        }
    }
}

impl Pool {
    /// The expressions in it, in the order of their evaluation.
    pub fn parts(&self) -> Vec<&Expr> {
        let sides = match &self.die {
            Die::Sides(sides) => Some(sides),
            Die::Faces(_) => None,
        };
        let mut parts: Vec<&Expr> = [&self.count].into_iter().chain(sides).collect();
        parts.extend(self.all_selects().map(|select| &select.count));
        for stage in &self.stages {
            match stage {
                Stage::Explode(_, condition) => {
                    parts.extend(condition.as_ref().map(|condition| &condition.threshold));
                }
                Stage::Reroll { conditions, .. } => {
                    parts.extend(conditions.iter().map(|condition| &condition.threshold));
                }
                Stage::AtLeast(bound) | Stage::AtMost(bound) => parts.push(bound),
                // Evaluated before.
                Stage::Select(_) => {}
            }
        }
        parts.extend(marked(&self.marks));
        parts.extend(thresholds(self.counting.as_ref()));
        parts
    }
}

impl Group {
    /// The expressions in it, in the order of their evaluation.
    pub fn parts(&self) -> Vec<&Expr> {
        let selects = self.selects.iter().map(|Select { count, .. }| count);
        let mut parts: Vec<&Expr> = selects.collect();
        match &self.members {
            Members::Totals(totals) => parts.extend(totals),
            Members::Dice(terms) => parts.extend(terms.iter().map(|term| &term.expr)),
        }
        parts.extend(marked(&self.marks));
        parts.extend(thresholds(self.counting.as_ref()));
        parts
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
    /// The expressions that it evaluates, in their order.
    pub fn parts(&self) -> Vec<&Expr> {
        match self {
            Place::Local(_) => Vec::new(),
            Place::Field(record, _) => vec![record],
            Place::Element(list, index) => vec![list, index],
        }
    }
}

impl Stmt {
    /// The expressions of this statement itself, not those of the statements in it.
    pub fn exprs(&self) -> Vec<&Expr> {
        match &self.kind {
            StmtKind::Assign(place, value) | StmtKind::Update(place, _, value) => {
                let mut parts = place.parts();
                parts.push(value);
                parts
            }
            StmtKind::Eval(value)
            | StmtKind::If(value, ..)
            | StmtKind::While(value, _)
            | StmtKind::For(_, value, _)
            | StmtKind::Return(Some(value))
            | StmtKind::Output(value)
            | StmtKind::Require(value)
            | StmtKind::Stat(StatName::Known(_), value) => vec![value],
            StmtKind::Stat(StatName::Text(name), value) => vec![name, value],
            StmtKind::Count(_, bounds, _) => bounds.iter().collect(),
            StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::StartGroup
            | StmtKind::EndGroup => Vec::new(),
        }
    }

    /// The blocks in it.
    pub fn blocks(&self) -> Vec<&[Stmt]> {
        match &self.kind {
            StmtKind::If(_, yes, no) => vec![yes, no],
            StmtKind::While(_, body) | StmtKind::For(_, _, body) | StmtKind::Count(_, _, body) => {
                vec![body]
            }
            _ => Vec::new(),
        }
    }
}

/// Calls `look` with each statement of a block, of the blocks in it and of those in expressions.
pub fn each_stmt<'s>(block: &'s [Stmt], look: &mut dyn FnMut(&'s Stmt)) {
    own_stmts(block, &mut |stmt| {
        look(stmt);
        for expr in stmt.exprs() {
            // The parts of a block are those of all its statements.
            expr.each(&mut |part| {
                if let ExprKind::Block(block) = &part.kind {
                    own_stmts(&block.statements, look);
                }
            });
        }
    });
}

/// Calls `look` with each statement of a block and of the blocks in it, not of those in
/// expressions.
fn own_stmts<'s>(block: &'s [Stmt], look: &mut dyn FnMut(&'s Stmt)) {
    for stmt in block {
        look(stmt);
        for inner in stmt.blocks() {
            own_stmts(inner, look);
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
    own_stmts(block, &mut |stmt| {
        for expr in stmt.exprs() {
            expr.each(look);
        }
    });
}
