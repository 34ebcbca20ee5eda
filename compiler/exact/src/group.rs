//! Groups: selections among the totals of several rolls, or among the dice of several pools.

use super::degree::Seek;
use super::keep::Selection;
use super::label::{Joint, Label, PairTable};
use super::natural::all_labelled;
use super::params::Params;
use super::pool::exact;
use super::roll::{Count, Numbers};
use super::{Engine, ExactError, Mixed, at, overflow};
use dicec_lang::hir::{Expr, Group, Members, Term, TermPart};
use dicec_runtime::bug;
use dicec_runtime::ops::{self, OpResult};
use dicec_runtime::pmf::{Budget, CombineError, Pmf, Weight};
use dicec_runtime::pool::{self, Selector};
use dicec_runtime::span::Span;
use dicec_runtime::trap::TrapCode;

impl Engine<'_> {
    pub(super) fn group<W: Weight>(
        &mut self,
        group: &Group,
        span: Span,
    ) -> Result<Pmf<W>, ExactError> {
        match &group.members {
            Members::Totals(members) => self.totals(group, members, span),
            Members::Dice(terms) => {
                let (joined, rest) = self.joined::<W>(group, terms)?;
                let limits = self.limits;
                let total = self.mixture(&joined.params, span, &mut |numbers, budget| {
                    joined.read(group, numbers).total(limits, budget)
                })?;
                let mut all = total;
                for (value, negative) in rest {
                    let with = all.combine(&value, self.budget, added(negative));
                    all = with.map_err(at(span))?;
                }
                Ok(all)
            }
        }
    }

    /// [`group`](Self::group) for labelled values.
    pub(super) fn labelled_group<W: Weight>(
        &mut self,
        group: &Group,
        span: Span,
        seek: Seek,
    ) -> Result<Joint<W>, ExactError> {
        match &group.members {
            Members::Totals(members) => self.labelled_totals(group, members, span, seek),
            Members::Dice(terms) => self.labelled_dice(group, terms, span, seek),
        }
    }

    /// A group of sub-rolls.
    fn totals<W: Weight>(
        &mut self,
        group: &Group,
        members: &[Expr],
        span: Span,
    ) -> Result<Pmf<W>, ExactError> {
        let mut params = Params::new();
        self.select_numbers(&mut params, &group.selects)?;
        let mut totals = Vec::with_capacity(members.len());
        for member in members {
            totals.push(self.expr::<W>(member)?);
        }
        self.count_numbers(&mut params, group.counting.as_ref())?;
        let closed = self.has_closed_forms();
        self.mixture(&params, span, &mut |numbers, budget| {
            let mut numbers = Numbers::new(numbers);
            let selects = numbers.selects(&group.selects);
            let count = numbers.count(group.counting.as_ref());
            let count = count.as_ref();
            let total = match closed {
                true => of_totals(&totals, &selects, count, budget)?,
                false => of_each_total(&totals, &selects, count, budget)?,
            };
            Ok(exact(total))
        })
    }

    fn labelled_totals<W: Weight>(
        &mut self,
        group: &Group,
        members: &[Expr],
        span: Span,
        seek: Seek,
    ) -> Result<Joint<W>, ExactError> {
        let mut params = Params::new();
        self.select_numbers::<W>(&mut params, &group.selects)?;
        let mut totals = Vec::with_capacity(members.len());
        for member in members {
            totals.push(self.labelled::<W>(member, seek)?);
        }
        self.count_numbers(&mut params, group.counting.as_ref())?;
        let mut known = PairTable::new(self.against);
        let indices = self.mixture(&params, span, &mut |numbers, budget| {
            let mut numbers = Numbers::new(numbers);
            let selects = numbers.selects(&group.selects);
            let count = numbers.count(group.counting.as_ref());
            let count = count.as_ref();
            let indices = match *selects {
                [(selector, 1)] if !selector.drops() => {
                    extreme(&totals, selector.is_high(), count, &mut known, budget)?
                }
                _ => of_labelled(&totals, &selects, count, &mut known, budget)?,
            };
            Ok(exact(indices))
        })?;
        Ok(Joint::new(indices, known))
    }

    fn labelled_dice<W: Weight>(
        &mut self,
        group: &Group,
        terms: &[Term],
        span: Span,
        seek: Seek,
    ) -> Result<Joint<W>, ExactError> {
        let (joined, _) = self.joined::<W>(group, terms)?;
        let limits = self.limits;
        let mut known = PairTable::new(self.against);
        let indices = self.mixture(&joined.params, span, &mut |numbers, budget| {
            let roll = joined.read(group, numbers);
            match seek {
                Seek::Naturals => roll.labelled(limits, &mut known, budget),
                Seek::Grades => {
                    all_labelled(roll.total(limits, budget)?, Label::None, &mut known, budget)
                }
            }
        })?;
        let mut all = Joint::new(indices, known);
        for Term { part, expr } in terms {
            let negative = match part {
                TermPart::Joined => continue,
                TermPart::Added => false,
                TermPart::Subtracted => true,
            };
            let value = self.labelled::<W>(expr, seek)?;
            all = self.together(&all, &value, added(negative), span)?;
        }
        Ok(all)
    }
}

fn added(negative: bool) -> impl Fn(i64, i64) -> OpResult {
    move |total, value| match negative {
        true => ops::isub(total, value),
        false => ops::iadd(total, value),
    }
}

/// The result of a group, for known totals.
fn resolve(
    table: &mut pool::Pool,
    selects: &[(Selector, i64)],
    count: Option<&Count>,
    totals: impl Iterator<Item = i64>,
) -> OpResult {
    table.clear();
    totals.for_each(|total| table.push(total));
    for &(selector, number) in selects {
        table.select(selector, number);
    }
    Count::outcome(count, table)
}

/// A selection among independent totals.
fn of_totals<W: Weight>(
    totals: &[Pmf<W>],
    selects: &[(Selector, i64)],
    count: Option<&Count>,
    budget: &mut Budget,
) -> Mixed<W> {
    let selection = Selection::new(selects);
    let kinds: Vec<(&Pmf<W>, u64)> = totals.iter().map(|total| (total, 1)).collect();
    let keep = |index, dice| selection.keeps(index, dice);
    Pmf::select_mixed(&kinds, budget, &keep, Count::value(count)).map_err(overflow)
}

/// The same by enumerating the combinations of totals.
fn of_each_total<W: Weight>(
    totals: &[Pmf<W>],
    selects: &[(Selector, i64)],
    count: Option<&Count>,
    budget: &mut Budget,
) -> Mixed<W> {
    let mut table = pool::Pool::new(&[]);
    let totals: Vec<&Pmf<W>> = totals.iter().collect();
    product(&totals, budget, &mut |totals| {
        resolve(&mut table, selects, count, totals.iter().copied())
    })
}

/// The distribution of a function of independent values, by enumerating all combinations.
fn product<W: Weight>(
    tables: &[&Pmf<W>],
    budget: &mut Budget,
    f: &mut dyn FnMut(&[i64]) -> OpResult,
) -> Mixed<W> {
    let Some((last, before)) = tables.split_last() else {
        return Ok(Pmf::point(f(&[]).map_err(CombineError::Value)?));
    };
    // `all` holds the values of all factors but the last, one row per combination; a combination is
    // the index of its row.
    let mut rows: Vec<Vec<i64>> = vec![Vec::new()];
    let mut all = Pmf::point(0);
    for table in before {
        let combinations = (rows.len() as u64).saturating_mul(table.len() as u64);
        budget.spend(
            combinations.saturating_mul(before.len() as u64),
            combinations,
        )?;
        let mut longer = Vec::with_capacity(combinations as usize);
        let joint: Mixed<W> = all.combine(table, budget, |row, value| {
            let row = usize::try_from(row).ok().and_then(|row| rows.get(row));
            let row = row.unwrap_or_else(|| bug!("a combination without a row").raise());
            let mut row = row.clone();
            row.push(value);
            longer.push(row);
            Ok(longer.len() as i64 - 1)
        });
        all = joint?;
        rows = longer;
    }
    budget.spend(
        (rows.len() as u64)
            .saturating_mul(last.len() as u64)
            .saturating_mul(20),
        1,
    )?;
    let mut values = Vec::with_capacity(tables.len());
    all.combine(last, budget, |row, value| {
        values.clear();
        let row = usize::try_from(row).ok().and_then(|row| rows.get(row));
        values.extend(row.into_iter().flatten());
        values.push(value);
        f(&values)
    })
}

/// The highest or lowest of labelled totals; of equal totals, the earlier counts as higher.
fn extreme<W: Weight>(
    totals: &[Joint<W>],
    high: bool,
    count: Option<&Count>,
    known: &mut PairTable,
    budget: &mut Budget,
) -> Mixed<W> {
    let Some((first, others)) = totals.split_first() else {
        return Ok(Pmf::point(known.of(0, Label::None)));
    };
    let mut best = PairTable::new(known.against);
    let mut indices: Pmf<W> = first.indices.map(budget, |index| {
        let (total, label) = first.at(index);
        Ok::<_, TrapCode>(best.of(total, label))
    })?;
    for other in others {
        let mut next = PairTable::new(known.against);
        let joint: Mixed<W> = indices.combine(&other.indices, budget, |a, b| {
            let (a, b) = (best.at(a), other.at(b));
            let better = if high { b.0 > a.0 } else { b.0 <= a.0 };
            let (total, label) = if better { b } else { a };
            Ok(next.of(total, label))
        });
        indices = joint?;
        best = next;
    }
    let counted = Count::value(count);
    indices.map(budget, |index| {
        let (total, label) = best.at(index);
        Ok(known.of(counted(total), label))
    })
}

/// Any selection among labelled totals.
fn of_labelled<W: Weight>(
    totals: &[Joint<W>],
    selects: &[(Selector, i64)],
    count: Option<&Count>,
    known: &mut PairTable,
    budget: &mut Budget,
) -> Mixed<W> {
    let mut table = pool::Pool::new(&[]);
    let tables: Vec<&Pmf<W>> = totals.iter().map(|total| &total.indices).collect();
    product(&tables, budget, &mut |indices| {
        let values = || {
            totals
                .iter()
                .zip(indices)
                .map(|(total, index)| total.at(*index))
        };
        let total = resolve(&mut table, selects, count, values().map(|(total, _)| total))?;
        let kept = table
            .dice()
            .iter()
            .zip(values())
            .filter(|(die, _)| die.is_kept());
        let label = kept.fold(Label::None, |all, (_, (_, label))| all.and(label));
        Ok(known.of(total, label))
    })
}
