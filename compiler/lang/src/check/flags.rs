//! Sets of flags: lists that are written where one is wanted, `+` and `-`, and `contains`, which
//! also searches lists.

use super::block::Typed;
use super::scope::Scope;
use crate::hir::{
    ArithOp, Block, CompareOp, EnumType, Expr, ExprKind, MAX_COUNTED_FLAGS, RollDef, StmtKind, Type,
};
use crate::syntax::{Code, Diagnostic};

/// The operation on sets of flags that an operator means.
pub(super) fn set_op(op: ArithOp) -> Option<ArithOp> {
    match op {
        ArithOp::Add => Some(ArithOp::With),
        ArithOp::Sub => Some(ArithOp::Without),
        _ => None,
    }
}

/// A roll returns sets of flags of which there are too many to count.
pub(super) fn too_many_to_count(flags: &EnumType, roll: &RollDef) -> Option<Diagnostic> {
    if flags.constants.len() <= MAX_COUNTED_FLAGS {
        return None;
    }
    let message = format!(
        "the roll `{}` returns `{}`, which has more than {MAX_COUNTED_FLAGS} constants: its sets \
         are too many to count",
        roll.name, flags.name
    );
    let found = Diagnostic::error(Code::WrongType, roll.span, message);
    Some(found.help("return what matters of them, such as `contains(conditions, prone)`"))
}

impl Scope<'_> {
    /// Makes a list that is written where a set is wanted the set of its elements.
    pub(super) fn make_set(&mut self, expr: &mut Expr, wanted: &Type) {
        let span = expr.span;
        match &mut expr.kind {
            ExprKind::List(items) => {
                let is_flag = |item: &Expr| item.ty == *wanted || is_unresolved(item);
                if !items.iter().all(is_flag) {
                    return;
                }
                let mut set = Expr::new(ExprKind::Named(0), span);
                set.ty = wanted.clone();
                for (place, mut item) in std::mem::take(items).into_iter().enumerate() {
                    self.complete(&mut item, wanted);
                    set = match place {
                        0 => item,
                        _ => Typed(span).arith(ArithOp::With, set, item),
                    };
                }
                *expr = set;
            }
            ExprKind::Choose(parts) => {
                let [_, yes, no] = &mut **parts;
                self.make_set(yes, wanted);
                self.make_set(no, wanted);
                if yes.ty == *wanted && no.ty == *wanted {
                    expr.ty = wanted.clone();
                }
            }
            ExprKind::Block(block) => {
                if let Some(value) = &mut block.value {
                    self.make_set(value, wanted);
                    expr.ty = value.ty.clone();
                }
            }
            _ => {}
        }
    }

    /// If one of two operands is a set of flags, its type, which lists that are written become.
    pub(super) fn sets(&mut self, left: &mut Expr, right: &mut Expr) -> Option<Type> {
        let is_set = |side: &Expr| matches!(side.ty, Type::Flags(_));
        let set = [&*left, &*right].into_iter().find(|side| is_set(side))?;
        let ty = set.ty.clone();
        if left.ty == Type::Text || right.ty == Type::Text {
            return None;
        }
        for side in [left, right] {
            self.fit(side, &ty);
        }
        Some(ty)
    }

    /// `left op right` of two sets of flags of this type.
    pub(super) fn set_arith(&mut self, op: &mut ArithOp, sides: [&mut Expr; 2], ty: &Type) {
        let Some(of_sets) = set_op(*op) else {
            for side in sides {
                self.require_operand(*op, side);
            }
            return;
        };
        let wants = format!("`{op}` of a set of flags takes");
        for side in sides {
            self.require(side, ty, &wants);
        }
        *op = of_sets;
    }

    /// `contains(set, flags)`, or `contains(list, value)`, which becomes a loop.
    pub(super) fn has(&mut self, expr: &mut Expr) {
        let make = Typed(expr.span);
        expr.ty = Type::Bool;
        let ExprKind::Has(whole, part) = &mut expr.kind else {
            return;
        };
        self.value(whole);
        self.value(part);
        let element = match &whole.ty {
            Type::Flags(_) => {
                let ty = whole.ty.clone();
                self.require(part, &ty, "flags are asked for by");
                return;
            }
            _ => self.element_of(whole),
        };
        let mut statements = Block::new();
        let taken = |part: &mut Expr| std::mem::replace(part, make.int(0));
        let all = self.kept(taken(whole), &mut statements);
        let wanted = match part.kind {
            // Only where it is compared says what it is.
            ExprKind::Named(_) => taken(part),
            _ => self.kept(taken(part), &mut statements),
        };
        let found = self.local(&Type::Bool, make.0);
        let each = self.local(&element, make.0);
        let compared = ExprKind::Compare(
            CompareOp::Equal,
            Box::new(make.local(each, &element)),
            Box::new(wanted),
        );
        let mut same = make.of(compared, &Type::Bool);
        self.compare_values(&mut same);
        let ends = vec![
            make.set(found, make.of(ExprKind::Bool(true), &Type::Bool)),
            make.stmt(StmtKind::Break),
        ];
        let body = vec![make.stmt(StmtKind::If(same, ends, Block::new()))];
        statements.extend([
            make.set(found, make.of(ExprKind::Bool(false), &Type::Bool)),
            make.stmt(StmtKind::For(each, all, body)),
        ]);
        *expr = make.block(statements, make.local(found, &Type::Bool));
    }

    /// A value that is read after others were evaluated: itself if it is a variable.
    fn kept(&mut self, value: Expr, statements: &mut Block) -> Expr {
        if let ExprKind::Local(_) = value.kind {
            return value;
        }
        let make = Typed(value.span);
        let (local, ty) = (self.local(&value.ty, value.span), value.ty.clone());
        statements.push(make.set(local, value));
        make.local(local, &ty)
    }
}

/// Whether it is a constant of which nothing has determined the type, or a sum of such constants.
pub(super) fn is_unresolved(expr: &Expr) -> bool {
    expr.ty == Type::Unknown
        && match &expr.kind {
            ExprKind::Named(_) => true,
            ExprKind::Arith(ArithOp::Add | ArithOp::Sub, left, right) => {
                is_unresolved(left) && is_unresolved(right)
            }
            _ => false,
        }
}
