//! Groups with joined dice: the dice of their pools, and of groups among their terms, form one
//! pool.

use super::die_distribution::{DieDistribution, Refusal};
use super::enumerate::{Script, enumerate};
use super::label::{Label, PairTable};
use super::natural::all_labelled;
use super::params::Params;
use super::pool::{Answer, Resolved, exact, selected, sum};
use super::roll::{Count, Numbers, Roll};
use super::shortcuts::Shortcuts;
use super::{Engine, ExactError};
use dicec_lang::hir::{Expr, ExprKind, Group, Members, Pool, Term, TermPart};
use dicec_runtime::bug;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::ops;
use dicec_runtime::pmf::{Budget, Pmf, Weight};
use dicec_runtime::pool::{self, Selector};
use dicec_runtime::trap::TrapCode;

impl Engine<'_> {
    /// The numbers of a group with joined dice, and its other terms, each with whether it is
    /// subtracted.
    #[expect(
        clippy::type_complexity,
        reason = "two parts that are taken apart at once"
    )]
    pub(super) fn joined<'g, W: Weight>(
        &mut self,
        group: &'g Group,
        terms: &'g [Term],
    ) -> Result<(Joined<'g, W>, Vec<(Pmf<W>, bool)>), ExactError> {
        let mut params = Params::new();
        self.select_numbers(&mut params, &group.selects)?;
        let (mut dice, mut rest) = (Vec::new(), Vec::new());
        for Term { part, expr } in terms {
            match part {
                TermPart::Joined => {
                    self.dice_numbers(&mut params, expr)?;
                    dice.push(expr);
                }
                TermPart::Added => rest.push((self.expr::<W>(expr)?, false)),
                TermPart::Subtracted => rest.push((self.expr::<W>(expr)?, true)),
            }
        }
        self.marks::<W>(&group.marks)?;
        self.count_numbers(&mut params, group.counting.as_ref())?;
        let joined = Joined {
            params,
            dice,
            shortcuts: self.inputs.shortcuts,
        };
        Ok((joined, rest))
    }

    /// Adds the numbers of a joined term.
    fn dice_numbers<W: Weight>(
        &mut self,
        params: &mut Params<W>,
        expr: &Expr,
    ) -> Result<(), ExactError> {
        match joinable(expr) {
            Joinable::Pool(pool) => self.pool_numbers(params, pool),
            Joinable::Group(group, terms) => {
                self.select_numbers(params, &group.selects)?;
                for term in terms {
                    self.dice_numbers(params, &term.expr)?;
                }
                self.marks::<W>(&group.marks)?;
                self.count_numbers(params, group.counting.as_ref())
            }
        }
    }
}

/// A term whose dice can be joined.
enum Joinable<'g> {
    Pool(&'g Pool),
    Group(&'g Group, &'g [Term]),
}

fn joinable(expr: &Expr) -> Joinable<'_> {
    match &expr.kind {
        ExprKind::Pool(pool) => Joinable::Pool(pool),
        ExprKind::Group(group) => match &group.members {
            Members::Dice(terms) => Joinable::Group(group, terms),
            Members::Totals(_) => bug!("totals have no dice to join").raise(),
        },
        _ => bug!("this has no dice to join").raise(),
    }
}

/// A group with joined dice.
pub(super) struct Joined<'g, W> {
    pub(super) params: Params<W>,
    dice: Vec<&'g Expr>,
    /// The shortcuts that are allowed.
    shortcuts: Shortcuts,
}

impl<W> Joined<'_, W> {
    pub(super) fn read(&self, group: &Group, numbers: &[i64]) -> JoinedRoll {
        JoinedRoll::new(
            group,
            &self.dice,
            &mut Numbers::new(numbers),
            self.shortcuts,
        )
    }
}

/// A group with joined dice whose numbers are all known.
pub(super) struct JoinedRoll {
    selects: Vec<(Selector, i64)>,
    parts: Vec<JoinedPart>,
    count: Option<Count>,
    closed: bool,
}

enum JoinedPart {
    Pool(Roll),
    Group(JoinedRoll),
}

impl JoinedRoll {
    fn new(group: &Group, dice: &[&Expr], numbers: &mut Numbers<'_>, shortcuts: Shortcuts) -> Self {
        let selects = numbers.selects(&group.selects);
        let parts = dice.iter().map(|expr| match joinable(expr) {
            Joinable::Pool(pool) => JoinedPart::Pool(Roll::new(pool, numbers, shortcuts)),
            Joinable::Group(group, terms) => {
                let dice: Vec<&Expr> = terms.iter().map(|term| &term.expr).collect();
                JoinedPart::Group(Self::new(group, &dice, numbers, shortcuts))
            }
        });
        Self {
            selects,
            parts: parts.collect(),
            count: numbers.count(group.counting.as_ref()),
            closed: shortcuts.contains(Shortcuts::CLOSED_FORMS),
        }
    }

    /// Its pools, if it has no other terms and closed forms are allowed.
    fn pools(&self) -> Result<Vec<&Roll>, Refusal> {
        let pools = self.parts.iter().map(|part| match part {
            JoinedPart::Pool(pool) if self.closed => Ok(pool),
            _ => Err(Refusal::NoClosedForm),
        });
        pools.collect()
    }

    /// Whether its dice may be natural.
    fn may_be_natural(&self, sides: u32) -> bool {
        self.parts.iter().any(|part| match part {
            JoinedPart::Pool(pool) => pool.may_be_natural(sides),
            JoinedPart::Group(group) => group.may_be_natural(sides),
        })
    }

    pub(super) fn total<W: Weight>(&self, limits: RollLimits, budget: &mut Budget) -> Resolved<W> {
        match self.closed_total(limits, budget) {
            Ok(answer) => Ok(answer),
            Err(Refusal::Error(error)) => Err(error),
            Err(Refusal::NoClosedForm) => enumerate(budget, &mut |script| {
                let mut table = self.throw(script, limits)?;
                Count::outcome(self.count.as_ref(), &mut table)
            }),
        }
    }

    fn closed_total<W: Weight>(&self, limits: RollLimits, budget: &mut Budget) -> Answer<W> {
        let pools = self.pools()?;
        if self.selects.is_empty() {
            let mut all = exact(Pmf::point(0));
            for pool in pools {
                let total = pool.total(limits, self.count.as_ref(), budget)?;
                all = sum(all, &total, budget)?;
            }
            return Ok(all);
        }
        if pools.iter().any(|pool| !pool.selects.is_empty()) {
            // The kept dice of a pool are not independent.
            return Err(Refusal::NoClosedForm);
        }
        let mut distributions: Vec<DieDistribution<W>> = Vec::with_capacity(pools.len());
        for pool in pools {
            distributions.extend(pool.die_distribution(limits, budget)?);
        }
        selected(
            &distributions,
            &self.selects,
            self.count.as_ref(),
            limits,
            budget,
        )
    }

    /// [`total`](Self::total) with labels, over indices of pairs.
    pub(super) fn labelled<W: Weight>(
        &self,
        limits: RollLimits,
        known: &mut PairTable,
        budget: &mut Budget,
    ) -> Resolved<W> {
        if let (true, Ok(pools)) = (self.selects.is_empty(), self.pools()) {
            return self.labelled_sum(&pools, limits, known, budget);
        }
        if !self.may_be_natural(known.against.natural_sides()) {
            return all_labelled(self.total(limits, budget)?, Label::None, known, budget);
        }
        enumerate(budget, &mut |script| {
            let mut table = self.throw(script, limits)?;
            let label = known.label_of(&table);
            let total = Count::outcome(self.count.as_ref(), &mut table)?;
            Ok(known.of(total, label))
        })
    }

    /// The sum of the pools, each taken independently.
    fn labelled_sum<W: Weight>(
        &self,
        pools: &[&Roll],
        limits: RollLimits,
        known: &mut PairTable,
        budget: &mut Budget,
    ) -> Resolved<W> {
        let mut all = exact(Pmf::point(known.of(0, Label::None)));
        for pool in pools {
            let mut own = PairTable::new(known.against);
            let part = pool.labelled::<W>(limits, self.count.as_ref(), &mut own, budget)?;
            let joint = all.pmf.combine(&part.pmf, budget, |a, b| {
                let ((a, label), (b, other)) = (known.at(a), own.at(b));
                Ok(known.of(ops::iadd(a, b)?, label.and(other)))
            });
            all.pmf = joint?;
            all.residual += part.residual;
        }
        Ok(all)
    }

    fn throw(&self, script: &mut Script, limits: RollLimits) -> Result<pool::Pool, TrapCode> {
        let mut table = pool::Pool::new(&[]);
        for part in &self.parts {
            let dice = match part {
                JoinedPart::Pool(pool) => pool.throw(script, limits)?,
                JoinedPart::Group(group) => group.throw(script, limits)?,
            };
            table.join(&dice);
        }
        for &(selector, count) in &self.selects {
            table.select(selector, count);
        }
        Ok(table)
    }
}
