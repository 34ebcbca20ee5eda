//! The distribution of a grade: of the rung that `a vs b` reaches, or the degrees of `a under b`.
//!
//! The total of `a` and the natural face that shifts the degree depend on the same dice, so the
//! left side is a joint distribution: a **labelled** value is a total together with the effect of
//! the natural die. The same walk, with grades as labels, shows whether a group dropped the `vs`.

use super::float::{Unary, binary, choose, is_float};
use super::label::{Joint, Label, PairTable};
use super::{Engine, ExactError, Mixed, at, links};
use dicec_lang::hir::{Die, Expr, ExprKind, Group, Members};
use dicec_runtime::against::Against;
use dicec_runtime::ops::OpResult;
use dicec_runtime::pmf::{Budget, Pmf, Weight};
use dicec_runtime::span::Span;

/// The kind of labels that a walk looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seek {
    /// The natural die.
    Naturals,
    /// The grade.
    Grades,
}

/// A rule's `vs` or `under`.
pub(super) struct Versus<'e> {
    pub(super) against: Against,
    roll: &'e Expr,
    number: &'e Expr,
    span: Span,
    /// The outermost group around it that may drop it.
    group: Option<&'e Expr>,
}

/// The rule's `vs` or `under`, if it has one.
pub(super) fn versus(expr: &Expr) -> Option<Versus<'_>> {
    match &expr.kind {
        ExprKind::Versus(against, roll, number) => Some(Versus {
            against: *against,
            roll,
            number,
            span: expr.span,
            group: None,
        }),
        ExprKind::Negate(value)
        | ExprKind::AtLeast(_, value)
        | ExprKind::NotNegative(value)
        | ExprKind::ToFloat(value) => versus(value),
        ExprKind::Arith(_, left, right) => versus(left).or_else(|| versus(right)),
        ExprKind::Math(_, args) => args.iter().find_map(versus),
        ExprKind::Group(group) => {
            let found = members(group).find_map(versus)?;
            let drops = !group.selects.is_empty();
            Some(Versus {
                group: if drops { Some(expr) } else { found.group },
                ..found
            })
        }
        // The type checker rejects it everywhere else.
        _ => None,
    }
}

/// The expressions in a group.
fn members(group: &Group) -> impl Iterator<Item = &Expr> {
    let (totals, terms) = match &group.members {
        Members::Totals(members) => (members.as_slice(), [].as_slice()),
        Members::Dice(terms) => ([].as_slice(), terms.as_slice()),
    };
    totals.iter().chain(terms.iter().map(|term| &term.expr))
}

/// Whether values of this expression may have labels.
pub(super) fn has_labels(expr: &Expr, seek: Seek, sides: u32) -> bool {
    match &expr.kind {
        ExprKind::Negate(value)
        | ExprKind::AtLeast(_, value)
        | ExprKind::NotNegative(value)
        | ExprKind::ToFloat(value) => has_labels(value, seek, sides),
        ExprKind::Arith(_, left, right) => {
            has_labels(left, seek, sides) || has_labels(right, seek, sides)
        }
        ExprKind::Math(_, args) => args.iter().any(|arg| has_labels(arg, seek, sides)),
        ExprKind::Group(group) => members(group).any(|member| has_labels(member, seek, sides)),
        ExprKind::Pool(pool) => match &pool.die {
            Die::Sides(of) => {
                let others = matches!(of.kind, ExprKind::Int(of) if of != i64::from(sides));
                seek == Seek::Naturals && !others
            }
            Die::Faces(_) => false,
        },
        ExprKind::Versus(..) => true,
        _ => false,
    }
}

impl Engine<'_> {
    /// The distribution of the grade.
    pub(super) fn grades<W: Weight>(&mut self, versus: &Versus<'_>) -> Result<Pmf<W>, ExactError> {
        let grades: Joint<W> = match versus.group {
            Some(group) => self.labelled(group, Seek::Grades)?,
            None => self.grade(versus.roll, versus.number, versus.span)?,
        };
        let indices = grades.indices.map(self.budget, |index| {
            Ok(match grades.at(index).1 {
                Label::Grade(grade) => grade,
                // The `vs` was dropped.
                _ => 0,
            })
        });
        indices.map_err(at(versus.span))
    }

    /// The total of `roll` with its grade against `number`.
    fn grade<W: Weight>(
        &mut self,
        roll: &Expr,
        number: &Expr,
        span: Span,
    ) -> Result<Joint<W>, ExactError> {
        let against = self.against;
        let totals = self.labelled::<W>(roll, Seek::Naturals)?;
        let numbers = self.expr::<W>(number)?;
        let mut known = PairTable::new(self.against);
        let indices = totals
            .indices
            .combine(&numbers, self.budget, |index, number| {
                let (total, label) = totals.at(index);
                let shift = match against.is_face() {
                    true => against.shift(Some(total)),
                    false => label.shift(),
                };
                let grade = against.grade(total, number, shift)?;
                Ok(known.of(total, Label::Grade(grade)))
            });
        Ok(Joint::new(indices.map_err(at(span))?, known))
    }

    // One method per kind of expression, like `Engine::expr`.
    pub(super) fn labelled<W: Weight>(
        &mut self,
        expr: &Expr,
        seek: Seek,
    ) -> Result<Joint<W>, ExactError> {
        if !has_labels(expr, seek, self.against.natural_sides()) {
            return self.unlabelled(expr);
        }
        match &expr.kind {
            ExprKind::Arith(..) => self.labelled_chain(expr, seek),
            ExprKind::Pool(pool) => self.natural_pool(pool, expr.span),
            ExprKind::Group(group) => self.labelled_group(group, expr.span, seek),
            ExprKind::Versus(_, roll, number) => self.grade(roll, number, expr.span),
            ExprKind::Math(function, args) if Unary::of(expr).is_none() => {
                let mut args = args.iter();
                let Some(first) = args.next() else {
                    return self.unlabelled(expr);
                };
                let mut value = self.labelled::<W>(first, seek)?;
                for arg in args {
                    let arg = self.labelled::<W>(arg, seek)?;
                    value = self.together(&value, &arg, choose(*function), expr.span)?;
                }
                Ok(value)
            }
            _ => self.labelled_map(expr, seek),
        }
    }

    /// [`Engine::chain`] with labels.
    fn labelled_chain<W: Weight>(
        &mut self,
        expr: &Expr,
        seek: Seek,
    ) -> Result<Joint<W>, ExactError> {
        let (first, links) = links(expr);
        let mut left = self.labelled::<W>(first, seek)?;
        for link in links.into_iter().rev() {
            let right = self.labelled::<W>(link.right, seek)?;
            let apply = binary(link.op, is_float(link.right));
            left = self.together(&left, &right, apply, link.span)?;
        }
        Ok(left)
    }

    /// An operation on two independent values.
    pub(super) fn together<W: Weight>(
        &mut self,
        left: &Joint<W>,
        right: &Joint<W>,
        apply: impl Fn(i64, i64) -> OpResult,
        span: Span,
    ) -> Result<Joint<W>, ExactError> {
        if left.has_several() {
            let total = |joint: &Joint<W>, budget: &mut Budget| {
                let totals: Mixed<W> = joint.indices.map(budget, |index| Ok(joint.at(index).0));
                totals.map_err(at(span))
            };
            let (left, right) = (total(left, self.budget)?, total(right, self.budget)?);
            let totals = left.combine(&right, self.budget, apply);
            return self.alike(&totals.map_err(at(span))?, Label::Several, span);
        }
        let mut known = PairTable::new(self.against);
        let indices = left.indices.combine(&right.indices, self.budget, |a, b| {
            let ((a, label), (b, other)) = (left.at(a), right.at(b));
            Ok(known.of(apply(a, b)?, label.and(other)))
        });
        Ok(Joint::new(indices.map_err(at(span))?, known))
    }

    /// An expression whose values have no labels.
    fn unlabelled<W: Weight>(&mut self, expr: &Expr) -> Result<Joint<W>, ExactError> {
        let totals = self.expr::<W>(expr)?;
        self.alike(&totals, Label::None, expr.span)
    }

    /// Totals that share one label.
    fn alike<W: Weight>(
        &mut self,
        totals: &Pmf<W>,
        label: Label,
        span: Span,
    ) -> Result<Joint<W>, ExactError> {
        let mut known = PairTable::new(self.against);
        let indices = totals.map(self.budget, |total| Ok(known.of(total, label)));
        Ok(Joint::new(indices.map_err(at(span))?, known))
    }

    /// [`Engine::map`] with labels.
    fn labelled_map<W: Weight>(&mut self, expr: &Expr, seek: Seek) -> Result<Joint<W>, ExactError> {
        let Some((value, unary)) = Unary::of(expr) else {
            return self.unlabelled(expr);
        };
        let value = self.labelled::<W>(value, seek)?;
        let mut known = PairTable::new(self.against);
        let mapped = value.indices.map(self.budget, |index| {
            let (total, label) = value.at(index);
            Ok(known.of(unary.apply(total)?, label))
        });
        Ok(Joint::new(mapped.map_err(at(expr.span))?, known))
    }
}
