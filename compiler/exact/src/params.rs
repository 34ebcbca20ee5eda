//! The numeric parameters of dice: counts, sides, thresholds. Each may be computed, even from other
//! dice, so a pool is a mixture over their values.

use super::{Engine, ExactError, Mixed, at};
use dicec_lang::hir::{Counting, Die, Expr, Marks, Pool, Select, Stage};
use dicec_runtime::ops;
use dicec_runtime::pmf::{Budget, Pmf, Weight};

/// The maximum number of computed parameters: each has at least two values, so more cannot be
/// enumerated.
const MAX_COMPUTED: usize = 60;

/// The independent distributions of the parameters of a pool or group, in the order of evaluation.
/// `roll` reads them in the same order.
pub(super) struct Params<W> {
    tables: Vec<Pmf<W>>,
}

impl<W: Weight> Params<W> {
    pub(super) fn new() -> Self {
        Self { tables: Vec::new() }
    }

    /// The mixture of `f` over all values of the parameters.
    pub(super) fn mix(
        &self,
        budget: &mut Budget,
        f: &mut dyn FnMut(&[i64], &mut Budget) -> Mixed<W>,
    ) -> Mixed<W> {
        let mut numbers: Vec<i64> = self.tables.iter().map(Pmf::min).collect();
        let tables = self.tables.iter().enumerate();
        let computed: Vec<usize> = tables
            .filter(|(_, table)| table.len() > 1)
            .map(|(index, _)| index)
            .collect();
        if computed.len() > MAX_COMPUTED {
            budget.spend(u64::MAX, 1)?;
        }
        self.from(&computed, &mut numbers, budget, f)
    }

    fn from(
        &self,
        computed: &[usize],
        numbers: &mut Vec<i64>,
        budget: &mut Budget,
        f: &mut dyn FnMut(&[i64], &mut Budget) -> Mixed<W>,
    ) -> Mixed<W> {
        let Some((&index, rest)) = computed.split_first() else {
            return f(numbers, budget);
        };
        self.tables[index].bind(budget, |value, budget| {
            numbers[index] = value;
            self.from(rest, numbers, budget, f)
        })
    }
}

impl Engine<'_> {
    /// Adds the value of an expression.
    pub(super) fn number<W: Weight>(
        &mut self,
        params: &mut Params<W>,
        expr: &Expr,
    ) -> Result<(), ExactError> {
        let table = self.expr::<W>(expr)?;
        params.tables.push(table);
        Ok(())
    }

    /// Adds the numbers of a pool.
    pub(super) fn pool_numbers<W: Weight>(
        &mut self,
        params: &mut Params<W>,
        pool: &Pool,
    ) -> Result<(), ExactError> {
        let limit = self.limits.dice;
        let count = self.expr::<W>(&pool.count)?;
        let sides = match &pool.die {
            Die::Sides(sides) => Some((self.expr::<W>(sides)?, sides.span)),
            Die::Faces(_) => None,
        };
        // In the order of the interpreter, all counts are checked before any sides.
        let count = count.map(self.budget, |n| ops::dice_count(n, limit));
        params.tables.push(count.map_err(at(pool.count.span))?);
        if let Some((sides, span)) = sides {
            let sides = sides.map(self.budget, ops::die_sides);
            params.tables.push(sides.map_err(at(span))?);
        }
        self.select_numbers(params, pool.all_selects())?;
        for stage in &pool.stages {
            match stage {
                Stage::Explode(_, condition) => {
                    if let Some(condition) = condition {
                        self.number(params, &condition.threshold)?;
                    }
                }
                Stage::Reroll { conditions, .. } => {
                    for condition in conditions {
                        self.number(params, &condition.threshold)?;
                    }
                }
                Stage::Bound(_, bound) => self.number(params, bound)?,
                Stage::Select(_) => {}
            }
        }
        self.marks::<W>(&pool.marks)?;
        self.count_numbers(params, pool.counting.as_ref())
    }

    /// Adds how many dice each selection keeps or drops.
    pub(super) fn select_numbers<'e, W: Weight>(
        &mut self,
        params: &mut Params<W>,
        selects: impl IntoIterator<Item = &'e Select>,
    ) -> Result<(), ExactError> {
        let mut selects = selects.into_iter();
        selects.try_for_each(|select| self.number(params, &select.count))
    }

    /// Marks change no result, but their thresholds may trap.
    pub(super) fn marks<W: Weight>(&mut self, marks: &Marks) -> Result<(), ExactError> {
        for condition in marks.conditions() {
            self.expr::<W>(&condition.threshold)?;
        }
        Ok(())
    }

    /// Adds the thresholds of a count.
    pub(super) fn count_numbers<W: Weight>(
        &mut self,
        params: &mut Params<W>,
        counting: Option<&Counting>,
    ) -> Result<(), ExactError> {
        let Some(counting) = counting else {
            return Ok(());
        };
        let mut conditions = counting.conditions();
        conditions.try_for_each(|condition| self.number(params, &condition.threshold))
    }
}
