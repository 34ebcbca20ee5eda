//! Changes of expressions and statements, and new ones.

use dicec_lang::hir::{
    ArithOp, Block, CompareOp, Condition, Counting, Die, Expr, ExprKind, Hole, Local, LocalId,
    Place, Pool, Roll, StatName, Stmt, StmtKind, Type, each_expr, each_own_stmt, each_stmt,
    each_stmt_mut,
};
use dicec_runtime::span::Span;
use std::sync::Arc;

/// Calls `change` with each operand of an expression that is not inside dice; of a block, those of
/// its statements.
pub(super) fn each_operand_mut(expr: &mut Expr, change: &mut dyn FnMut(&mut Expr)) {
    match &mut expr.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Bool(_)
        | ExprKind::Degree(..)
        | ExprKind::Named(_)
        | ExprKind::Text(_)
        | ExprKind::Constant(_)
        | ExprKind::Local(_)
        | ExprKind::Resource(_)
        | ExprKind::Pool(_)
        | ExprKind::Group(_)
        | ExprKind::Option(_) => {}
        ExprKind::Negate(value)
        | ExprKind::Not(value)
        | ExprKind::Degrees(value)
        | ExprKind::ToFloat(value)
        | ExprKind::AtLeast(_, value)
        | ExprKind::NotNegative(value)
        | ExprKind::Len(value)
        | ExprKind::Pop(value)
        | ExprKind::Field(value, _) => change(value),
        ExprKind::Arith(_, left, right)
        | ExprKind::Compare(_, left, right)
        | ExprKind::Same(_, left, right)
        | ExprKind::Has(left, right)
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::Versus(_, left, right)
        | ExprKind::Append(left, right)
        | ExprKind::Element(left, right) => {
            change(left);
            change(right);
        }
        ExprKind::Choose(parts) => parts.iter_mut().for_each(change),
        ExprKind::Math(_, parts)
        | ExprKind::List(parts)
        | ExprKind::Join(parts)
        | ExprKind::Call(_, parts) => parts.iter_mut().for_each(change),
        ExprKind::Record(_, fields) => fields.iter_mut().for_each(|(_, value)| change(value)),
        ExprKind::Roll(roll) => roll
            .holes
            .iter_mut()
            .for_each(|hole| change(&mut hole.value)),
        ExprKind::Block(block) => {
            each_operand_of_mut(&mut block.statements, change);
            block.value.iter_mut().for_each(change);
        }
    }
}

/// Calls `change` with each expression of the statements of a block, and of the blocks in it.
pub(super) fn each_operand_of_mut(block: &mut [Stmt], change: &mut dyn FnMut(&mut Expr)) {
    each_stmt_mut(block, &mut |stmt| own_operands_mut(stmt, change));
}

/// Calls `change` with each expression of a statement itself.
pub(super) fn own_operands_mut(stmt: &mut Stmt, change: &mut dyn FnMut(&mut Expr)) {
    match &mut stmt.kind {
        StmtKind::Assign(place, value) | StmtKind::Update(place, _, value) => {
            match place {
                Place::Local(_) => {}
                Place::Field(record, _) => change(record),
                Place::Element(list, index) => {
                    change(list);
                    change(index);
                }
            }
            change(value);
        }
        StmtKind::Eval(value)
        | StmtKind::If(value, ..)
        | StmtKind::While(value, _)
        | StmtKind::For(_, value, _)
        | StmtKind::Return(Some(value))
        | StmtKind::Output(value)
        | StmtKind::Require(value)
        | StmtKind::Stat(StatName::Known(_), value) => change(value),
        StmtKind::Stat(StatName::Text(name), value) => {
            change(name);
            change(value);
        }
        StmtKind::Count(_, bounds, _) => bounds.iter_mut().for_each(change),
        StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(None)
        | StmtKind::StartGroup
        | StmtKind::EndGroup => {}
    }
}

/// Replaces parts of an expression, the outermost first; a new part is not looked at again.
pub(super) fn replace(expr: &mut Expr, with: &mut dyn FnMut(&Expr) -> Option<Expr>) {
    match with(expr) {
        Some(new) => *expr = new,
        None => each_operand_mut(expr, &mut |part| replace(part, with)),
    }
}

/// The same in statements.
pub(super) fn replace_in(block: &mut [Stmt], with: &mut dyn FnMut(&Expr) -> Option<Expr>) {
    each_operand_of_mut(block, &mut |expr| replace(expr, with));
}

/// How many times a block reads a variable.
pub(super) fn reads(block: &[Stmt], local: LocalId) -> usize {
    let mut times = 0;
    each_expr(block, &mut |expr| {
        times += usize::from(expr.kind == ExprKind::Local(local))
    });
    times
}

/// How many times an expression reads a variable.
pub(super) fn reads_of(expr: &Expr, local: LocalId) -> usize {
    let mut times = 0;
    expr.each(&mut |part| times += usize::from(part.kind == ExprKind::Local(local)));
    times
}

/// The variable that a statement itself assigns.
pub(super) fn assigned(stmt: &Stmt) -> Option<LocalId> {
    match &stmt.kind {
        StmtKind::Assign(Place::Local(local), _)
        | StmtKind::Update(Place::Local(local), ..)
        | StmtKind::For(local, ..)
        | StmtKind::Count(local, ..) => Some(*local),
        _ => None,
    }
}

/// The statements that assign a variable, in a block, the blocks in it and those in expressions.
pub(super) fn assignments(block: &[Stmt], local: LocalId) -> usize {
    let mut times = 0;
    each_stmt(block, &mut |stmt| {
        times += usize::from(assigned(stmt) == Some(local))
    });
    times
}

/// Calls `look` with each statement of the blocks in an expression.
pub(super) fn each_inner_stmt<'e>(expr: &'e Expr, look: &mut dyn FnMut(&'e Stmt)) {
    expr.each(&mut |part| {
        if let ExprKind::Block(block) = &part.kind {
            each_own_stmt(&block.statements, look);
        }
    });
}

/// Makes expressions and statements for one place.
pub(super) struct Make<'f> {
    pub(super) locals: &'f mut Vec<Local>,
    pub(super) span: Span,
}

impl Make<'_> {
    /// A new variable without a name.
    pub(super) fn fresh(&mut self, ty: Type) -> LocalId {
        let id = LocalId(self.locals.len() as u32);
        let (name, span) = (String::new(), self.span);
        self.locals.push(Local { name, ty, span });
        id
    }

    pub(super) fn expr(&self, kind: ExprKind, ty: Type) -> Expr {
        let span = self.span;
        Expr { kind, ty, span }
    }

    pub(super) fn int(&self, value: i64) -> Expr {
        self.expr(ExprKind::Int(value), Type::Int)
    }

    /// The number in a variable.
    pub(super) fn number(&self, local: LocalId) -> Expr {
        self.expr(ExprKind::Local(local), Type::Int)
    }

    pub(super) fn arith(&self, op: ArithOp, left: Expr, right: Expr) -> Expr {
        let parts = (Box::new(left), Box::new(right));
        self.expr(ExprKind::Arith(op, parts.0, parts.1), Type::Int)
    }

    pub(super) fn minus(&self, left: Expr, right: Expr) -> Expr {
        self.arith(ArithOp::Sub, left, right)
    }

    pub(super) fn plus(&self, left: Expr, right: Expr) -> Expr {
        self.arith(ArithOp::Add, left, right)
    }

    pub(super) fn compare(&self, op: CompareOp, left: Expr, right: Expr) -> Expr {
        let parts = (Box::new(left), Box::new(right));
        self.expr(ExprKind::Compare(op, parts.0, parts.1), Type::Bool)
    }

    pub(super) fn and(&self, left: Expr, right: Expr) -> Expr {
        let parts = (Box::new(left), Box::new(right));
        self.expr(ExprKind::And(parts.0, parts.1), Type::Bool)
    }

    pub(super) fn choose(&self, condition: Expr, yes: Expr, no: Expr) -> Expr {
        let ty = yes.ty.clone();
        self.expr(ExprKind::Choose(Box::new([condition, yes, no])), ty)
    }

    pub(super) fn stmt(&self, kind: StmtKind) -> Stmt {
        let span = self.span;
        Stmt { kind, span }
    }

    pub(super) fn set(&self, local: LocalId, value: Expr) -> Stmt {
        self.stmt(StmtKind::Assign(Place::Local(local), value))
    }

    /// `for (local : first..last) { body }`
    pub(super) fn count(&self, local: LocalId, bounds: [Expr; 2], body: Block) -> Stmt {
        self.stmt(StmtKind::Count(local, Box::new(bounds), body))
    }

    pub(super) fn when(&self, condition: Expr, yes: Block) -> Stmt {
        self.stmt(StmtKind::If(condition, yes, Block::new()))
    }

    /// The number of dice that meet a condition.
    pub(super) fn roll(&mut self, dice: Expr, sides: Expr, op: CompareOp, number: i64) -> Expr {
        let number = self.int(number);
        self.counted([dice, sides], op, number, Vec::new())
    }

    /// 1 if one of a number of cards is among those that are drawn, and 0 if not.
    pub(super) fn draw(&mut self, cards: Expr, drawn: Expr) -> Expr {
        let local = self.fresh(Type::Int);
        let most = self.number(local);
        let hole = Hole {
            local,
            value: drawn,
        };
        let one = self.int(1);
        self.counted([one, cards], CompareOp::LessEqual, most, vec![hole])
    }

    fn counted(
        &mut self,
        [dice, sides]: [Expr; 2],
        op: CompareOp,
        threshold: Expr,
        mut holes: Vec<Hole>,
    ) -> Expr {
        let mut hole = |value: Expr| {
            let local = self.fresh(Type::Int);
            holes.push(Hole { local, value });
            self.number(local)
        };
        let (dice, sides) = (hole(dice), hole(sides));
        let pool = Pool {
            die: Die::Sides(sides),
            counting: Some(Counting {
                double: Vec::new(),
                success: vec![Condition { op, threshold }],
                failure: Vec::new(),
            }),
            ..Pool::plain(dice, self.int(1))
        };
        let roll = Roll {
            holes,
            body: self.expr(ExprKind::Pool(Box::new(pool)), Type::Int),
            labels: Arc::default(),
            cost: 0,
        };
        self.expr(ExprKind::Roll(Box::new(roll)), Type::Int)
    }
}
