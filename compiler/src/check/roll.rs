//! Rolls: where dice and a `vs` may occur, and what a roll yields. Pools and groups are in
//! [`super::pool`].

use super::function::Scope;
use super::numbers::agree;
use crate::hir::{Expr, Roll, Type};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::degree::Ladder;
use dicec_runtime::span::Span;

/// What is known inside a roll.
pub(super) struct Inside {
    /// Its `vs`, once it was found.
    versus: Option<Versus>,
    /// Whether this expression may yield a degree.
    versus_allowed: bool,
    /// Whether this expression may be dropped from its group.
    selected: bool,
}

/// A `vs` that was found.
struct Versus {
    span: Span,
    ladder: Ladder,
}

impl Scope<'_> {
    /// A roll; returns its type.
    pub(super) fn roll(&mut self, roll: &mut Roll, span: Span) -> Type {
        let reported = self.reported;
        let mut whole = true;
        for hole in &mut roll.holes {
            self.value(&mut hole.value);
            self.count_check(&mut hole.value);
            whole &= self.require_hole(&hole.value);
            self.locals[hole.local.index()].ty = hole.value.ty.clone();
        }
        let outer = self.inside.replace(Inside {
            versus: None,
            versus_allowed: true,
            selected: false,
        });
        self.infer(&mut roll.body);
        roll.cost = roll.dice_cost();
        let inside = std::mem::replace(&mut self.inside, outer);
        if self.reported == reported {
            self.total_dice(&roll.body, span);
        }
        if self.reported > reported || !whole {
            return Type::Unknown;
        }
        let versus = inside.and_then(|inside| inside.versus);
        let ty = match (versus, &roll.body.ty) {
            (Some(versus), _) => Type::Degree(versus.ladder),
            (None, _) if !roll.labels.is_empty() => Type::Text,
            (None, ty) => ty.clone(),
        };
        // A rule may be a check, and its `vs` may be dropped: that is its whole result.
        let refused = match ty {
            Type::Bool => true,
            Type::Degree(ladder) => ladder.has_none(),
            _ => false,
        };
        if refused && !self.is_rule {
            self.no_roll(&ty, span);
            return Type::Unknown;
        }
        ty
    }

    /// A `vs` and its sides, neither of which may contain another. Its value is the total of its
    /// left side.
    pub(super) fn versus(
        &mut self,
        ladder: &mut Ladder,
        roll: &mut Expr,
        class: &mut Expr,
        span: Span,
    ) -> Type {
        let Some(inside) = &mut self.inside else {
            return Type::Unknown;
        };
        let problem = match &inside.versus {
            Some(first) => Some(
                Diagnostic::error(Code::NestedVersus, span, "a rule can have only one `vs`")
                    .label(first.span, "the first one")
                    .help("roll once against each class"),
            ),
            None if !inside.versus_allowed => Some(
                Diagnostic::error(
                    Code::MisplacedVersus,
                    span,
                    "a `vs` gives a degree, which cannot be used here",
                )
                .help("make it the whole rule: `1d20 + 5 vs 15`"),
            ),
            None => None,
        };
        if inside.selected {
            *ladder = ladder.or_none();
        }
        let ladder = *ladder;
        inside.versus.get_or_insert(Versus { span, ladder });
        if let Some(problem) = problem {
            self.report(problem);
        }
        self.whole(roll);
        self.whole(class);
        Type::Int
    }

    /// The two sides of a comparison inside a roll.
    pub(super) fn compared_in_roll(&mut self, left: &mut Expr, right: &mut Expr) {
        self.without_versus(|scope| {
            scope.number_in_roll(left);
            scope.number_in_roll(right);
        });
        agree(&mut [left, right]);
    }

    /// Runs `inner`, in which no `vs` may occur.
    pub(super) fn without_versus(&mut self, inner: impl FnOnce(&mut Self)) {
        let outer = self.inside.as_mut();
        let outer = outer.map(|inside| std::mem::replace(&mut inside.versus_allowed, false));
        inner(self);
        if let (Some(inside), Some(outer)) = (&mut self.inside, outer) {
            inside.versus_allowed = outer;
        }
    }

    /// Runs `inner`, which may be dropped if `selected`.
    pub(super) fn within_group(&mut self, selected: bool, inner: impl FnOnce(&mut Self)) {
        let outer = self.inside.as_mut().map(|inside| {
            let outer = inside.selected;
            inside.selected |= selected;
            outer
        });
        inner(self);
        if let (Some(inside), Some(outer)) = (&mut self.inside, outer) {
            inside.selected = outer;
        }
    }

    /// Infers a part of a roll that has to be a number.
    pub(super) fn number_in_roll(&mut self, expr: &mut Expr) {
        self.infer(expr);
        // A clamp or sign around a check is reported at the check.
        if expr.ty == Type::Bool {
            self.report(
                Diagnostic::error(
                    Code::CheckAsNumber,
                    expr.span,
                    "a check is true or false; a number is wanted here",
                )
                .help("compare outside of the dice: `(1d20 >= 10) + 3` counts a check as 1 or 0"),
            );
            expr.ty = Type::Int;
        }
    }

    /// Infers a part of a roll that has to be a whole number.
    pub(super) fn whole(&mut self, expr: &mut Expr) {
        self.number_in_roll(expr);
        if expr.ty == Type::Float {
            self.report(
                Diagnostic::error(
                    Code::NotWhole,
                    expr.span,
                    "this may have decimals; a whole number is wanted here",
                )
                .help("round it: `floor(...)`, `ceil(...)` or `round(...)`"),
            );
        }
    }
}
