//! The exact distribution of one die of a pool after all its changes, applied in order.
//!
//! The dice of a pool change independently of each other, so one die, with the dice that it adds,
//! describes them all. Explosions and rerolls read its face, the other changes read its value;
//! while both matter, outcomes are **names**: indices of pairs.

use super::face_value::{Names, Packed};
use super::overflow;
use super::roll::{Change, Roll, Test};
use dicec_runtime::limits::RollLimits;
use dicec_runtime::pmf::{
    Budget, Chain, CombineError, DieError, Ends, Exhausted, Overflow, Pmf, SERIES_CUT, Split,
    Truncated, Weight,
};
use dicec_runtime::pool::Explosion;
use dicec_runtime::trap::TrapCode;

/// Why a pool has no distribution in closed form.
pub(super) enum Refusal {
    /// The pool traps, or the budget is exhausted.
    Error(CombineError<TrapCode>),
    /// It has to be enumerated.
    NoClosedForm,
}

impl From<CombineError<TrapCode>> for Refusal {
    fn from(error: CombineError<TrapCode>) -> Self {
        Self::Error(error)
    }
}

impl From<CombineError<Overflow>> for Refusal {
    fn from(error: CombineError<Overflow>) -> Self {
        Self::Error(overflow(error))
    }
}

impl From<Exhausted> for Refusal {
    fn from(exhausted: Exhausted) -> Self {
        Self::Error(exhausted.into())
    }
}

impl From<TrapCode> for Refusal {
    fn from(code: TrapCode) -> Self {
        Self::Error(CombineError::Value(code))
    }
}

impl From<DieError> for Refusal {
    fn from(error: DieError) -> Self {
        match error {
            // Endless rerolls are reported earlier.
            DieError::Endless => TrapCode::TooManyExplosions.into(),
            DieError::Overflow(overflow) => CombineError::Value(overflow).into(),
            DieError::Exhausted(exhausted) => exhausted.into(),
        }
    }
}

/// The distribution of one die; see the module.
pub(super) struct DieDistribution<W> {
    /// The number of dice with this distribution, before explosions.
    pub(super) dice: u64,
    /// Outcomes are values, unless there are names.
    pub(super) chain: Chain<W>,
    /// If the values of one die are a truncated series, the ends at which it would go on.
    pub(super) series: Option<Ends>,
    /// An upper bound on the probability that some die explodes or is rerolled for too long.
    pub(super) residual: f64,
    /// The distribution of the die before its changes.
    die: Pmf<W>,
    names: Option<Names>,
    /// How much less than its face an added die counts, for penetrating dice.
    penalty: i64,
}

impl<W: Weight> DieDistribution<W> {
    /// The distribution of one die of `roll`, which has at least one. `with_faces` if faces still
    /// matter after all changes.
    pub(super) fn of(
        roll: &Roll,
        limits: RollLimits,
        with_faces: bool,
        budget: &mut Budget,
    ) -> Result<Self, Refusal> {
        Self::of_changes(roll, &roll.changes, limits, with_faces, budget)
    }

    /// The same after the first changes of the roll.
    pub(super) fn of_changes(
        roll: &Roll,
        changes: &[Change],
        limits: RollLimits,
        with_faces: bool,
        budget: &mut Budget,
    ) -> Result<Self, Refusal> {
        let die = roll.die::<W>(budget)?;
        let mut distribution = Self::unchanged(roll.dice, die.clone(), die, None);
        distribution.change(roll, changes, limits, (true, with_faces), budget)?;
        Ok(distribution)
    }

    /// The distribution of one of this number of dice of `roll` that all show a value and a face,
    /// after these changes.
    pub(super) fn of_shown(
        (roll, dice, (value, face)): (&Roll, u64, (i64, i64)),
        changes: &[Change],
        limits: RollLimits,
        with_faces: bool,
        budget: &mut Budget,
    ) -> Result<Self, Refusal> {
        let mut names = (value != face).then(Names::default);
        let first = names.as_mut().map_or(face, |names| names.of(face, value));
        let die = roll.die::<W>(budget)?;
        let mut distribution = Self::unchanged(dice, Pmf::point(first), die, names);
        distribution.change(roll, changes, limits, (false, with_faces), budget)?;
        distribution.forget_faces(with_faces, budget)?;
        Ok(distribution)
    }

    fn unchanged(dice: u64, first: Pmf<W>, die: Pmf<W>, names: Option<Names>) -> Self {
        Self {
            dice,
            chain: Chain {
                first: Split::whole(first),
                extra: Split::whole(Pmf::point(0)),
            },
            series: None,
            residual: 0.0,
            die,
            names,
            penalty: 0,
        }
    }

    /// Applies changes. `is_new` if the dice were just rolled.
    fn change(
        &mut self,
        roll: &Roll,
        changes: &[Change],
        limits: RollLimits,
        (is_new, with_faces): (bool, bool),
        budget: &mut Budget,
    ) -> Result<(), Refusal> {
        for (index, change) in changes.iter().enumerate() {
            let later = &changes[index + 1..];
            let faces = with_faces || later.iter().any(Change::reads_faces);
            match change {
                Change::Explode(how, test) => {
                    let highest = roll.highest();
                    let test = *test;
                    let explodes =
                        move |face| test.map_or(face == highest, |test: Test| test.holds(face));
                    self.explode(*how, explodes, limits, faces, budget)?;
                }
                Change::Reroll { once, tests } => {
                    let again = |face| tests.iter().any(|test| test.holds(face));
                    let most = u64::from(limits.rerolls);
                    let is_first = is_new && index == 0;
                    self.reroll(*once, again, most, is_first, faces, budget)?;
                }
                Change::Bound(how, bound) => {
                    self.clamp(|value| how.apply(value, *bound), faces, budget)?
                }
                // The dropped dice depend on all dice.
                Change::Select(_) => return Err(Refusal::NoClosedForm),
            }
        }
        Ok(())
    }

    /// The face of an outcome.
    pub(super) fn face(&self, outcome: i64) -> i64 {
        self.pair(outcome).0
    }

    /// The value of an outcome.
    pub(super) fn value(&self, outcome: i64) -> i64 {
        self.pair(outcome).1
    }

    fn pair(&self, outcome: i64) -> (i64, i64) {
        let Some(names) = &self.names else {
            return (outcome, outcome);
        };
        names.pair(outcome)
    }

    /// The distribution of the die, if it never adds others.
    pub(super) fn whole(&self) -> Option<&Pmf<W>> {
        self.chain.first.die()
    }

    /// The chain over values only.
    pub(super) fn values(&self, budget: &mut Budget) -> Result<Chain<W>, Exhausted> {
        if self.names.is_none() {
            return Ok(self.chain.clone());
        }
        let chain = &self.chain;
        let mut values = |split: &Split<W>| {
            split
                .map(budget, |v| Ok::<_, NoError>(self.value(v)))
                .map_err(no_error)
        };
        Ok(Chain {
            first: values(&chain.first)?,
            extra: values(&chain.extra)?,
        })
    }

    /// Renames outcomes to their new values. `first` computes the values of the pool's own dice
    /// from face and value.
    fn rename(
        &mut self,
        first: impl Fn(i64, i64) -> i64,
        faces: bool,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let mut names = faces.then(Names::default);
        let mut rename = |split: &Split<W>, budget: &mut Budget| {
            let renamed = split.map(budget, |outcome| {
                let (face, value) = self.pair(outcome);
                let value = first(face, value);
                Ok(match &mut names {
                    Some(names) => names.of(face, value),
                    None => value,
                })
            });
            renamed.map_err(no_error)
        };
        let first = rename(&self.chain.first, budget)?;
        let extra = rename(&self.chain.extra, budget)?;
        self.chain = Chain { first, extra };
        self.names = names;
        Ok(())
    }

    /// Replaces names by values, unless `faces` still matter.
    fn forget_faces(&mut self, faces: bool, budget: &mut Budget) -> Result<(), Refusal> {
        if !faces && self.names.is_some() {
            self.rename(|_, value| value, false, budget)?;
        }
        Ok(())
    }

    fn clamp(
        &mut self,
        clamp: impl Fn(i64) -> i64,
        faces: bool,
        budget: &mut Budget,
    ) -> Result<(), Refusal> {
        Ok(self.rename(|_, value| clamp(value), faces, budget)?)
    }

    /// Applies the limit on one die: a trap if it can be reached, otherwise part of the probability
    /// that is left out.
    fn limit(&mut self, beyond: f64, code: TrapCode) -> Result<(), Refusal> {
        if beyond > SERIES_CUT {
            return Err(code.into());
        }
        self.residual += beyond;
        Ok(())
    }

    fn reroll(
        &mut self,
        once: bool,
        again: impl Fn(i64) -> bool,
        most: u64,
        is_first: bool,
        faces: bool,
        budget: &mut Budget,
    ) -> Result<(), Refusal> {
        let chance = |distribution: &Self, split: &Split<W>, budget: &mut Budget| {
            let outcomes = split.outcomes(budget)?;
            let meets = outcomes
                .probabilities()
                .filter(|(v, _)| again(distribution.face(*v)));
            Ok::<f64, Exhausted>(meets.map(|(_, p)| p).sum())
        };
        let mut rolls = self.dice as f64 * chance(self, &self.chain.first, budget)?;
        if self.whole().is_none() {
            rolls += self.expected_extras() * chance(self, &self.chain.extra, budget)?;
        }
        let mut fresh = self.die.clone();
        if !once {
            let meets = self.die.probabilities().filter(|(face, _)| again(*face));
            let meets = meets.map(|(_, p)| p).sum::<f64>().min(1.0);
            self.limit(
                rolls * libm::pow(meets, most as f64),
                TrapCode::TooManyRerolls,
            )?;
            match self.die.rerolled(budget, most, &again) {
                Ok(stands) => fresh = stands.pmf,
                // No die is rerolled.
                Err(DieError::Endless) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
        if is_first {
            let first = match once {
                true => self.die.rerolled_once(budget, &again)?,
                false => fresh,
            };
            self.chain.first = Split::whole(first);
            return Ok(());
        }
        let (first, extra) = (
            self.named(&fresh, 0, budget)?,
            self.named(&fresh, self.penalty, budget)?,
        );
        let when = |outcome| again(self.face(outcome));
        let first = self.chain.first.replaced(budget, when, &first)?;
        let extra = self.chain.extra.replaced(budget, when, &extra)?;
        self.chain = Chain { first, extra };
        self.forget_faces(faces, budget)
    }

    /// The outcomes of dice that were just rolled and count `less` lower than their faces.
    fn named(&mut self, die: &Pmf<W>, less: i64, budget: &mut Budget) -> Result<Pmf<W>, Exhausted> {
        let names = &mut self.names;
        let named = die.map(budget, |face| {
            // Faces are within ±10^9.
            let value = face.wrapping_sub(less);
            Ok(match names {
                Some(names) => names.of(face, value),
                None => value,
            })
        });
        named.map_err(no_error)
    }

    /// The mean number of dice that explosions add.
    fn expected_extras(&self) -> f64 {
        let (first, later) = (self.chain.longer_than(0), self.chain.longer_than(1));
        let again = if first > 0.0 { later / first } else { 0.0 };
        self.dice as f64 * first / (1.0 - again).max(f64::EPSILON)
    }

    fn explode(
        &mut self,
        how: Explosion,
        explodes: impl Fn(i64) -> bool,
        limits: RollLimits,
        faces: bool,
        budget: &mut Budget,
    ) -> Result<(), Refusal> {
        let Some(first) = self.whole() else {
            // The dice that an explosion adds explode as well.
            return Err(Refusal::NoClosedForm);
        };
        let chain = Chain {
            first: Split::new(first, budget, |outcome| explodes(self.face(outcome)))?,
            extra: Split::new(&self.die, budget, &explodes)?,
        };
        let limit = u64::from(limits.explosions);
        let beyond = self.dice as f64 * chain.longer_than(limit);
        self.limit(beyond, TrapCode::TooManyExplosions)?;
        if chain.first.die().is_some() {
            // No face explodes.
            return self.forget_faces(faces, budget);
        }
        if how == Explosion::Compound {
            return self.compound(&chain, limit, faces, budget);
        }
        self.fits(&chain, limits, budget)?;
        self.penalty = i64::from(how == Explosion::Penetrate);
        let penalty = self.penalty;
        if self.names.is_none() && penalty != 0 && faces {
            self.rename(|_, value| value, true, budget)?;
            // The weights stay the same under the new names.
            let first = self.whole().ok_or(Refusal::NoClosedForm)?;
            self.chain.first = Split::new(first, budget, |outcome| explodes(self.face(outcome)))?;
        } else {
            self.chain.first = chain.first;
        }
        let names = &mut self.names;
        let extra = chain.extra.map(budget, |face| {
            let value = face.wrapping_sub(penalty);
            Ok(match names {
                Some(names) => names.of(face, value),
                None => value,
            })
        });
        self.chain.extra = extra.map_err(no_error)?;
        self.forget_faces(faces, budget)
    }

    /// Applies the limit on the dice of the pool.
    fn fits(
        &mut self,
        chain: &Chain<W>,
        limits: RollLimits,
        budget: &mut Budget,
    ) -> Result<(), Refusal> {
        let room = u64::from(limits.dice).saturating_sub(self.dice);
        // A pool exceeds the limit only if some explosion chain exceeds its share of it.
        let share = room / self.dice.max(1);
        if self.dice as f64 * chain.longer_than(share) <= budget.cut() {
            return Ok(());
        }
        let number = chain.number(self.dice, budget, u64::from(limits.explosions))?;
        let beyond = room.saturating_add(1).cast_signed();
        self.limit(number.pmf.at_least(beyond), TrapCode::TooManyDice)
    }

    /// Adds the extra faces to the die that exploded (compounding).
    fn compound(
        &mut self,
        chain: &Chain<W>,
        limit: u64,
        faces: bool,
        budget: &mut Budget,
    ) -> Result<(), Refusal> {
        let Truncated { pmf, residual } = if faces {
            let (low, span) = (
                self.die.min(),
                self.die.max().abs_diff(self.die.min()).saturating_add(1),
            );
            let packed =
                Packed::new(low, span, self.highest(), limit).ok_or(Refusal::NoClosedForm)?;
            let first = |outcome| packed.pack(self.face(outcome), self.value(outcome));
            let sum = chain.one(budget, limit, first, |face| packed.pack(low, face))?;
            let mut names = Names::default();
            let pmf = sum.pmf.map(budget, |sum| {
                let (face, value) = packed.unpack(sum);
                Ok::<_, NoError>(names.of(face, value))
            });
            self.names = Some(names);
            Truncated {
                pmf: pmf.map_err(no_error)?,
                residual: sum.residual,
            }
        } else {
            let sum = chain.one(budget, limit, |outcome| self.value(outcome), |face| face)?;
            self.names = None;
            sum
        };
        self.residual += residual * self.dice as f64;
        self.series = Some(Ends::of(&chain.extra, |face| face));
        self.chain.first = Split::whole(pmf);
        Ok(())
    }

    /// The greatest absolute value.
    fn highest(&self) -> i64 {
        let outcomes = self.whole().map(Pmf::iter).into_iter().flatten();
        let values = outcomes.map(|(outcome, _)| self.value(outcome));
        let faces = [self.die.min(), self.die.max()];
        let sizes = values.chain(faces).map(i64::saturating_abs);
        sizes.fold(0, i64::max)
    }
}

/// The error of a function that cannot fail.
enum NoError {}

fn no_error(error: CombineError<NoError>) -> Exhausted {
    match error {
        CombineError::Value(never) => match never {},
        CombineError::Exhausted(exhausted) => exhausted,
    }
}
