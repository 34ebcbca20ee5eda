//! Rolls: where dice and a `vs` may occur, and the type of a roll. Pools and groups are in
//! [`super::pool`].

use super::expr::name_at_end;
use super::numbers::agree;
use super::scope::{Inside, Scope, Versus};
use crate::hir::{CompareOp, Expr, ExprKind, Roll, Type};
use crate::syntax::{Code, Diagnostic, misplaced_versus, unknown_field};
use dicec_runtime::against::Against;
use dicec_runtime::span::Span;

/// The fields of a test.
pub(super) const SUCCESS: &str = "success";
const DEGREES: &str = "degrees";

/// Likely names for the inputs of a test, which are not fields of it.
const KEPT_APART: [&str; 4] = ["roll", "face", "total", "target"];

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
        let may_be_dropped = versus
            .as_ref()
            .is_some_and(|versus| versus.against.has_none());
        let ty = match (versus, &roll.body.ty) {
            (Some(versus), _) => match versus.against {
                Against::Class(ladder) => Type::Degree(ladder),
                Against::Target(_) => Type::Test,
            },
            (None, _) if !roll.labels.is_empty() => Type::Text,
            (None, ty) => ty.clone(),
        };
        // A rule may be a check, and its `vs` may be dropped: that is its whole result.
        if (ty == Type::Bool || may_be_dropped) && !self.is_rule {
            self.no_roll(&ty, span);
            return Type::Unknown;
        }
        ty
    }

    /// A `vs` or `under` and its sides, neither of which may contain another. Its value is the
    /// total of its left side.
    pub(super) fn versus(
        &mut self,
        against: &mut Against,
        roll: &mut Expr,
        number: &mut Expr,
        span: Span,
    ) -> Type {
        let Some(inside) = &mut self.inside else {
            return Type::Unknown;
        };
        let problem = match &inside.versus {
            Some(first) => {
                let message = format!("a rule can have only one `{}`", first.against.word());
                let found = Diagnostic::error(Code::NestedVersus, span, message);
                let help = format!("roll once against each {}", first.against.noun());
                Some(found.label(first.span, "the first one").help(help))
            }
            None if !inside.versus_allowed => {
                let help = match against {
                    Against::Class(_) => "make it the whole rule: `1d20 + 5 vs 15`",
                    Against::Target(_) => {
                        "make it the whole rule, `under 45`, or ask it: `let t = under 45; t.degrees >= 3`"
                    }
                };
                Some(misplaced_versus(
                    span,
                    *against,
                    "cannot be used here",
                    help,
                ))
            }
            None => None,
        };
        if inside.selected {
            *against = against.or_none();
        }
        if let Against::Target(tens) = against {
            tens.is_face = !rolls_dice(roll);
        }
        let against = *against;
        inside.versus.get_or_insert(Versus { span, against });
        if let Some(problem) = problem {
            self.report(problem);
        }
        self.whole(roll);
        self.whole(number);
        Type::Int
    }

    /// `.success` and `.degrees` of a test.
    pub(super) fn field_of_test(&mut self, expr: &mut Expr) {
        let span = expr.span;
        let whole = |kind| Expr {
            kind,
            ty: Type::Int,
            span,
        };
        let ExprKind::Field(test, field) = &mut expr.kind else {
            return;
        };
        let zero = whole(ExprKind::Int(0));
        let test = std::mem::replace(test, Box::new(zero.clone()));
        let name = &self.script.field_names[*field as usize];
        let degrees = whole(ExprKind::Degrees(test));
        if name == DEGREES {
            *expr = degrees;
        } else if name == SUCCESS {
            let sides = [degrees, zero].map(Box::new);
            let [degrees, zero] = sides;
            expr.kind = ExprKind::Compare(CompareOp::Greater, degrees, zero);
            expr.ty = Type::Bool;
        } else {
            let fields = [SUCCESS, DEGREES].into_iter();
            let found = unknown_field(name, name_at_end(name, span), "test", fields);
            self.report(match KEPT_APART.contains(&name.as_str()) {
                true => found.help(
                    "keep what it was rolled with in variables: \
                     `face = roll(d100); t = face under goal;`",
                ),
                false => found,
            });
            expr.ty = Type::Unknown;
        }
    }

    /// The lowest rung of the ladder of `rung` that is a success, if `.success` is asked of it.
    pub(super) fn asked_success(&self, rung: &Expr, field: u32) -> Option<Expr> {
        if self.script.field_names[field as usize] != SUCCESS {
            return None;
        }
        let kind = match rung.ty {
            Type::Degree(ladder) => ExprKind::Degree(ladder, ladder.success()),
            Type::Enum(id) => ExprKind::Named(self.script.choice(id).success?),
            _ => return None,
        };
        Some(Expr {
            kind,
            ty: rung.ty.clone(),
            span: rung.span,
        })
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

/// Whether dice are in a part of a roll.
fn rolls_dice(part: &Expr) -> bool {
    let mut rolls = false;
    part.each(&mut |part| rolls |= matches!(part.kind, ExprKind::Pool(_)));
    rolls
}
