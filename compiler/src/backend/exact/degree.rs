//! The distribution of a degree: of the rung that `a vs b` reaches.
//!
//! The total of `a` and the natural face that shifts the degree depend on the same dice, so the left side's distribution is over
//! both: a **tagged** value carries, beside the total, which of the few cases of the natural holds.

use super::{Engine, ExactError, at, links};
use crate::hir::{Die, Expr, ExprKind};
use dicec_runtime::degree::{NATURAL_SIDES, SHIFTING_FACES, pathfinder};
use dicec_runtime::ops::{self, OpResult};
use dicec_runtime::pmf::{Pmf, Weight};
use dicec_runtime::span::Span;
use rustc_hash::FxHashMap;

/// What is known of the dice that may shift a degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Tag {
    /// There is none.
    None,
    /// There is one, on the face that lowers.
    Lowers,
    /// There is one, on the face that raises.
    Raises,
    /// There is one, on another face.
    Other,
    /// There are several.
    Several,
}

impl Tag {
    /// The tag of a pool.
    fn of_pool(count: i64, sides: i64, sum: i64) -> Self {
        let (lowers, raises) = SHIFTING_FACES;
        match count {
            _ if sides != NATURAL_SIDES => Tag::None,
            ..=0 => Tag::None,
            1 if sum == lowers => Tag::Lowers,
            1 if sum == raises => Tag::Raises,
            1 => Tag::Other,
            _ => Tag::Several,
        }
    }

    /// The tag of two values together.
    fn and(self, other: Tag) -> Tag {
        match (self, other) {
            (Tag::None, tag) | (tag, Tag::None) => tag,
            _ => Tag::Several,
        }
    }

    /// A face that shifts the degree as this tag does.
    fn natural(self) -> Option<i64> {
        match self {
            Tag::Lowers => Some(SHIFTING_FACES.0),
            Tag::Raises => Some(SHIFTING_FACES.1),
            Tag::None | Tag::Other | Tag::Several => None,
        }
    }
}

/// A distribution over totals with their tags. The [`Pmf`] is over places in `values`, so that any pair can be an outcome.
struct Tagged<W> {
    places: Pmf<W>,
    values: Vec<(i64, Tag)>,
}

/// Gives each pair that comes up a place of its own.
#[derive(Default)]
struct Places {
    known: FxHashMap<(i64, Tag), i64>,
    values: Vec<(i64, Tag)>,
}

impl Places {
    fn of(&mut self, total: i64, tag: Tag) -> i64 {
        *self.known.entry((total, tag)).or_insert_with(|| {
            self.values.push((total, tag));
            // The budget on outcomes bounds how many there are.
            self.values.len() as i64 - 1
        })
    }
}

impl<W> Tagged<W> {
    fn new(places: Pmf<W>, known: Places) -> Self {
        Self {
            places,
            values: known.values,
        }
    }

    /// The pair at a place of this distribution.
    fn at(&self, place: i64) -> (i64, Tag) {
        let index = usize::try_from(place).unwrap_or_default();
        // Outcomes are places that `Places` gave out.
        self.values.get(index).copied().unwrap_or((0, Tag::None))
    }
}

/// The rule's `vs`, if it has one: its sides, and where it stands.
pub(super) fn versus(expr: &Expr) -> Option<(&Expr, &Expr, Span)> {
    match &expr.kind {
        ExprKind::Versus(roll, class) => Some((roll, class, expr.span)),
        ExprKind::Negate(value) | ExprKind::AtLeast(_, value) | ExprKind::ToReal(value) => {
            versus(value)
        }
        ExprKind::Call(_, args) => args.iter().find_map(versus),
        ExprKind::Arith(_, left, right) => versus(left).or_else(|| versus(right)),
        // The type checker keeps it out of everything else.
        ExprKind::Real(_)
        | ExprKind::Group(_)
        | ExprKind::Int(_)
        | ExprKind::Resource(_)
        | ExprKind::Compare(..)
        | ExprKind::Pool(_) => None,
    }
}

impl Engine<'_> {
    /// The distribution of the rung.
    pub(super) fn degree<W: Weight>(
        &mut self,
        roll: &Expr,
        class: &Expr,
        span: Span,
    ) -> Result<Pmf<W>, ExactError> {
        let totals = self.tagged::<W>(roll)?;
        let classes = self.expr::<W>(class)?;
        let rungs = totals
            .places
            .combine(&classes, self.budget, |place, class| {
                let (total, tag) = totals.at(place);
                pathfinder(total, class, tag.natural())
            });
        rungs.map_err(at(span))
    }

    fn tagged<W: Weight>(&mut self, expr: &Expr) -> Result<Tagged<W>, ExactError> {
        let span = expr.span;
        if !has_naturals(expr) {
            return self.untagged(expr);
        }
        match &expr.kind {
            ExprKind::Negate(value) => self.tagged_map(value, ops::ineg, span),
            ExprKind::AtLeast(floor, value) => {
                self.tagged_map(value, |total| Ok(total.max(*floor)), span)
            }
            ExprKind::Arith(..) => self.tagged_chain(expr),
            ExprKind::Pool(pool) => {
                let mut known = Places::default();
                let places = self.pool_with(pool, |count, sides, sums, budget| {
                    sums.map(budget, |sum| {
                        Ok(known.of(sum, Tag::of_pool(count, sides, sum)))
                    })
                });
                Ok(Tagged::new(places?, known))
            }
            // Constants have no dice, and the type checker keeps checks and a second `vs` away.
            ExprKind::Int(_)
            | ExprKind::Real(_)
            | ExprKind::ToReal(_)
            | ExprKind::Call(..)
            | ExprKind::Group(_)
            | ExprKind::Resource(_)
            | ExprKind::Compare(..)
            | ExprKind::Versus(..) => self.untagged(expr),
        }
    }

    /// As [`Engine::chain`].
    fn tagged_chain<W: Weight>(&mut self, expr: &Expr) -> Result<Tagged<W>, ExactError> {
        let (first, links) = links(expr);
        let mut left = self.tagged::<W>(first)?;
        for link in links.into_iter().rev() {
            let right = self.tagged::<W>(link.right)?;
            let mut known = Places::default();
            let joint = left.places.combine(&right.places, self.budget, |a, b| {
                let ((a, tag), (b, other)) = (left.at(a), right.at(b));
                Ok(known.of(link.op.apply(a, b)?, tag.and(other)))
            });
            left = Tagged::new(joint.map_err(at(link.span))?, known);
        }
        Ok(left)
    }

    /// An expression none of whose dice can shift a degree.
    fn untagged<W: Weight>(&mut self, expr: &Expr) -> Result<Tagged<W>, ExactError> {
        let totals = self.expr::<W>(expr)?;
        let mut known = Places::default();
        let places = totals.map(self.budget, |total| Ok(known.of(total, Tag::None)));
        Ok(Tagged::new(places.map_err(at(expr.span))?, known))
    }

    fn tagged_map<W: Weight>(
        &mut self,
        value: &Expr,
        f: impl Fn(i64) -> OpResult,
        span: Span,
    ) -> Result<Tagged<W>, ExactError> {
        let value = self.tagged::<W>(value)?;
        let mut known = Places::default();
        let mapped = value.places.map(self.budget, |place| {
            let (total, tag) = value.at(place);
            Ok(known.of(f(total)?, tag))
        });
        Ok(Tagged::new(mapped.map_err(at(span))?, known))
    }
}

/// Whether a pool of this expression's own total may be of the dice that shift degrees.
fn has_naturals(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Resource(_) => false,
        ExprKind::Negate(value) | ExprKind::AtLeast(_, value) => has_naturals(value),
        ExprKind::Arith(_, left, right)
        | ExprKind::Compare(_, left, right)
        | ExprKind::Versus(left, right) => has_naturals(left) || has_naturals(right),
        ExprKind::Pool(pool) => match &pool.die {
            Die::Sides(sides) => {
                !matches!(sides.kind, ExprKind::Int(sides) if sides != NATURAL_SIDES)
            }
            Die::Faces(_) => false,
        },
        ExprKind::Real(_) | ExprKind::ToReal(_) | ExprKind::Call(..) | ExprKind::Group(_) => false,
    }
}
