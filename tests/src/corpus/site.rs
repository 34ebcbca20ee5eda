//! The expressions and statements of a script, where changes can be made.

use dicec_lang::front::script::{Block, Expr, ExprKind, Item, ItemKind, Script, Stmt, StmtKind};

/// A function, roll or table, with everything in it.
pub(super) struct Place<'s> {
    /// Its definition.
    pub(super) item: &'s Item,
    /// All of its expressions, outer ones first.
    pub(super) exprs: Vec<&'s Expr>,
    /// All of its statements, outer ones first.
    pub(super) stmts: Vec<&'s Stmt>,
    /// All of its blocks, outer ones first.
    pub(super) blocks: Vec<&'s Block>,
}

/// The places of a script.
pub(super) fn places(script: &Script) -> Vec<Place<'_>> {
    script.items.iter().filter_map(place).collect()
}

fn place(item: &Item) -> Option<Place<'_>> {
    let mut place = Place {
        item,
        exprs: Vec::new(),
        stmts: Vec::new(),
        blocks: Vec::new(),
    };
    match &item.kind {
        ItemKind::Function(function) => place.block(&function.body),
        ItemKind::Roll(roll) => place.block(&roll.body),
        ItemKind::Table(table) => {
            for row in &table.rows.kind {
                place.expr(&row.kind.value);
            }
        }
        ItemKind::Import(_) | ItemKind::Const(_) | ItemKind::Type(_) | ItemKind::Enum(_) => {
            return None;
        }
    }
    Some(place)
}

impl<'s> Place<'s> {
    /// The names of its variables and parameters, in the order of their first uses.
    pub(super) fn names(&self) -> Vec<&'s str> {
        let mut names: Vec<&str> = Vec::new();
        let params = match &self.item.kind {
            ItemKind::Function(function) => &function.params[..],
            ItemKind::Roll(roll) => &roll.params[..],
            _ => &[],
        };
        names.extend(params.iter().map(|param| param.name.kind.as_str()));
        names.extend(self.exprs.iter().filter_map(|expr| match &expr.kind {
            ExprKind::Name(name) => Some(name.as_str()),
            _ => None,
        }));
        let mut seen = Vec::new();
        names.retain(|name| {
            let is_new = !seen.contains(name);
            seen.push(*name);
            is_new
        });
        names
    }

    fn block(&mut self, block: &'s Block) {
        self.blocks.push(block);
        for stmt in &block.kind {
            self.stmts.push(stmt);
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'s Stmt) {
        match &stmt.kind {
            StmtKind::Assign(target, _, value) => {
                self.expr(target);
                self.expr(value);
            }
            StmtKind::Step(value, _) | StmtKind::Expr(value) | StmtKind::Return(Some(value)) => {
                self.expr(value);
            }
            StmtKind::If(arms, last) => {
                for (condition, block) in arms {
                    self.expr(condition);
                    self.block(block);
                }
                last.iter().for_each(|block| self.block(block));
            }
            StmtKind::Match(arms) => {
                self.expr(&arms.subject);
                for arm in &arms.arms.kind {
                    self.block(&arm.kind.value);
                }
            }
            StmtKind::While(value, block)
            | StmtKind::For(_, value, block)
            | StmtKind::Repeat(value, block) => {
                self.expr(value);
                self.block(block);
            }
            StmtKind::Count(_, bounds, block) => {
                bounds.iter().for_each(|bound| self.expr(bound));
                self.block(block);
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(None) => {}
        }
    }

    fn expr(&mut self, expr: &'s Expr) {
        self.exprs.push(expr);
        for part in parts(expr) {
            self.expr(part);
        }
    }
}

/// The expressions inside an expression, in written order.
pub(super) fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Bool(_)
        | ExprKind::Text(_)
        | ExprKind::Name(_)
        | ExprKind::Resource(_)
        | ExprKind::Dice(_)
        | ExprKind::Error => Vec::new(),
        ExprKind::List(parts) => parts.iter().collect(),
        ExprKind::DiceCall(parts, _) => parts.iter().collect(),
        ExprKind::Paren(value) | ExprKind::Unary(_, value) | ExprKind::Field(value, _) => {
            vec![value]
        }
        ExprKind::Binary(_, left, right) | ExprKind::Index(left, right) => vec![left, right],
        ExprKind::Choose(parts) | ExprKind::Slice(parts) => parts.iter().collect(),
        ExprKind::Copies(parts) | ExprKind::Range(parts) => parts.iter().collect(),
        ExprKind::Match(arms) => [&arms.subject].into_iter().chain(arms.values()).collect(),
        ExprKind::Call(_, arguments) => arguments.all().collect(),
        ExprKind::Gather(_, each) | ExprKind::ListOf(each) => each.parts().collect(),
        ExprKind::Parts(parts) => parts.iter().map(|(_, value)| value).collect(),
        ExprKind::Record(_, fields) => fields.iter().map(|(_, value)| value).collect(),
    }
}
