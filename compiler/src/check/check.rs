//! Types: what each expression yields, and what a program's result is.

use crate::hir::{ArithOp, Decimal, Expr, ExprKind, Function, Kind, Program, Type};
use crate::syntax::{Code, Diagnostic, Diagnostics};
use dicec_runtime::degree::Ladder;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::span::Span;

/// Sets the type of each expression and the kind of the program, inserts conversions, and reports what is wrong.
pub fn check(program: &mut Program, limits: RollLimits) -> Diagnostics {
    let mut checker = Checker {
        limits,
        diagnostics: Diagnostics::new(),
        versus: None,
        versus_allowed: true,
        selected: false,
    };
    checker.infer(&mut program.body);
    program.kind = match (&checker.versus, program.body.ty) {
        (Some(versus), _) => Kind::Degree(versus.ladder),
        (None, Type::Bool) => Kind::Check,
        (None, Type::Real) => Kind::Real,
        (None, Type::Int | Type::Unknown) if !program.labels.is_empty() => Kind::Label,
        (None, Type::Int | Type::Unknown) => Kind::Number,
    };
    checker.diagnostics.sort();
    checker.diagnostics
}

pub(super) struct Checker {
    pub(super) limits: RollLimits,
    pub(super) diagnostics: Diagnostics,
    /// The rule's `vs`, once it was met.
    versus: Option<Versus>,
    /// Whether a degree may come from here.
    versus_allowed: bool,
    /// Whether what stands here may be dropped from its group.
    selected: bool,
}

/// A `vs` that was met.
struct Versus {
    span: Span,
    ladder: Ladder,
}

impl Checker {
    fn infer(&mut self, expr: &mut Expr) {
        self.infer_type(expr);
        // Whole numbers need no rounding.
        if let ExprKind::Call(Function::Floor | Function::Ceil | Function::Round, args) =
            &mut expr.kind
            && args.iter().all(|arg| arg.ty == Type::Int)
            && let Some(arg) = args.pop()
        {
            *expr = arg;
        }
    }

    fn infer_type(&mut self, expr: &mut Expr) {
        expr.ty = match &mut expr.kind {
            ExprKind::Int(_) | ExprKind::Resource(_) => Type::Int,
            ExprKind::Real(_) | ExprKind::ToReal(_) => Type::Real,
            ExprKind::Negate(value) => self.number(value),
            ExprKind::AtLeast(_, value) => {
                self.whole(value);
                Type::Int
            }
            ExprKind::Arith(op, left, right) => self.arith(*op, left, right),
            ExprKind::Compare(_, left, right) => {
                self.without_versus(|checker| {
                    checker.number(left);
                    checker.number(right);
                });
                agree(&mut [left, right]);
                Type::Bool
            }
            ExprKind::Call(function, args) => self.call(*function, args),
            ExprKind::Versus(roll, class) => {
                self.versus(roll, class, expr.span);
                Type::Int
            }
            ExprKind::Pool(pool) => {
                self.pool(pool, expr.span);
                Type::Int
            }
            ExprKind::Group(group) => {
                self.group(group);
                Type::Int
            }
        };
    }

    /// Infers an expression that has to be a number; gives its type.
    pub(super) fn number(&mut self, expr: &mut Expr) -> Type {
        self.infer(expr);
        // A clamp or sign around a check has been reported where the check stands.
        if expr.ty == Type::Bool {
            self.diagnostics.push(
                Diagnostic::error(
                    Code::CheckAsNumber,
                    expr.span,
                    "a check is true or false; a number is wanted here",
                )
                .help("make the comparison the whole rule: one expression on each side"),
            );
            expr.ty = Type::Int;
        }
        expr.ty
    }

    /// Infers an expression that has to be a whole number.
    pub(super) fn whole(&mut self, expr: &mut Expr) {
        if self.number(expr) == Type::Real {
            self.diagnostics.push(
                Diagnostic::error(
                    Code::NotWhole,
                    expr.span,
                    "this may have decimals; a whole number is wanted here",
                )
                .help("round it: `floor(...)`, `ceil(...)` or `round(...)`"),
            );
        }
    }

    fn arith(&mut self, op: ArithOp, left: &mut Expr, right: &mut Expr) -> Type {
        self.number(left);
        self.number(right);
        if op.is_real() {
            to_real(left);
            to_real(right);
            return Type::Real;
        }
        agree(&mut [left, right])
    }

    fn call(&mut self, function: Function, args: &mut [Expr]) -> Type {
        for arg in args.iter_mut() {
            self.number(arg);
        }
        match function {
            Function::Floor | Function::Ceil | Function::Round => Type::Int,
            Function::Sqrt => {
                args.iter_mut().for_each(to_real);
                Type::Real
            }
            Function::Abs | Function::Max | Function::Min => {
                agree(&mut args.iter_mut().collect::<Vec<_>>())
            }
        }
    }

    /// A `vs` and its sides, in neither of which a second one may stand.
    fn versus(&mut self, roll: &mut Expr, class: &mut Expr, span: Span) {
        let problem = match &self.versus {
            Some(first) => Some(
                Diagnostic::error(Code::NestedVersus, span, "a rule has one `vs` only")
                    .label(first.span, "the first one")
                    .help("roll once against each class"),
            ),
            None if !self.versus_allowed => Some(
                Diagnostic::error(
                    Code::MisplacedVersus,
                    span,
                    "a `vs` gives a degree, which cannot stand here",
                )
                .help("make it the whole rule: `1d20 + 5 vs 15`"),
            ),
            None => None,
        };
        self.diagnostics.extend(problem);
        let ladder = match self.selected {
            false => Ladder::Pathfinder,
            true => Ladder::PathfinderOrNone,
        };
        self.versus.get_or_insert(Versus { span, ladder });
        self.whole(roll);
        self.whole(class);
    }

    /// Runs `inner`, in which no `vs` may stand.
    pub(super) fn without_versus(&mut self, inner: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.versus_allowed, false);
        inner(self);
        self.versus_allowed = outer;
    }

    /// Runs `inner`, which may be dropped if `selected`.
    pub(super) fn within_group(&mut self, selected: bool, inner: impl FnOnce(&mut Self)) {
        let outer = self.selected;
        self.selected |= selected;
        inner(self);
        self.selected = outer;
    }
}

/// Makes all operands decimals if one of them is; gives their type.
fn agree(operands: &mut [&mut Expr]) -> Type {
    if operands.iter().all(|operand| operand.ty != Type::Real) {
        return Type::Int;
    }
    for operand in operands {
        to_real(operand);
    }
    Type::Real
}

/// Makes an operand a decimal.
fn to_real(expr: &mut Expr) {
    if expr.ty == Type::Real {
        return;
    }
    let span = expr.span;
    let zero = Expr {
        kind: ExprKind::Int(0),
        ty: Type::Int,
        span,
    };
    let whole = std::mem::replace(expr, zero);
    let kind = match whole.kind {
        // At most 2^63 and never the negative zero.
        ExprKind::Int(value) => Decimal::new(value as f64).map(ExprKind::Real),
        _ => None,
    };
    *expr = Expr {
        kind: kind.unwrap_or_else(|| ExprKind::ToReal(Box::new(whole))),
        ty: Type::Real,
        span,
    };
}
