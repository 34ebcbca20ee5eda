//! Exact answers: decides between fractions and floats, and finds the ends at which results have no
//! bound.
//!
//! Most odds are fractions of short numbers, so fractions are tried first, within a small budget
//! ([`SOON_WORK`]). Otherwise odds are computed in floats. That is many times cheaper than
//! fractions of long numbers, quickly shows if there is no answer, and shows whether rolls are left
//! out: such odds are not fractions. If none are left out, fractions are tried again within a
//! larger budget ([`FRACTION_WORK`]), unless the floats have used most of it.
//!
//! Rolls that can go on forever are cut when the probability that is left is too small to matter,
//! so their greatest result depends on the cut. Such odds are computed again with a coarser cut: an
//! end of the results that moves is not a real bound.

use super::distribution::{Distribution, Unbounded};
use super::joint::Joint;
use super::script::{Answer, Statistic};
use dashu_int::UBig;
use dicec_exact::{ExactError, Noted, Odds, Question, solve};
use dicec_lang::hir::{Kind, StatId};
use dicec_runtime::control::Control;
use dicec_runtime::pmf::{Budget, Exhausted, Limits, Pmf, Resource, Weight};

/// The maximum cost of exact fractions; a more expensive answer stays in floats.
pub const FRACTION_WORK: u64 = 20_000_000;

/// The budget of fractions before the cost of an answer is known: well below a millisecond.
const SOON_WORK: u64 = 100_000;

/// The share of [`FRACTION_WORK`] that floats may take if fractions are to be tried: an operation
/// on fractions costs more than one on floats, so those that would follow have no chance.
const FLOATS_SHARE: (u64, u64) = (3, 4);

/// The coarser cut. It is so far from [`SERIES_CUT`](dicec_runtime::pmf::SERIES_CUT) that the end
/// of anything that goes on for ever moves.
const COARSE_CUT: f64 = 1e-6;

/// The kind of numbers of an exact answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weights {
    /// Fractions if they are cheap and nothing is left out, otherwise floats.
    #[default]
    Cheapest,
    /// Fractions, whatever they cost within the limits, each shown in full. If rolls are left out,
    /// there are no fractions.
    Fractions,
    /// Floats.
    Floats,
}

/// How exactly a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exactness {
    /// The kind of numbers.
    pub weights: Weights,
    /// Whether the least and the greatest result matter: it takes some work to find out whether
    /// they exist. If they do not matter, odds that leave rolls out are reported as unbounded.
    pub extremes: bool,
}

impl Default for Exactness {
    fn default() -> Self {
        Self {
            weights: Weights::default(),
            extremes: true,
        }
    }
}

/// The exact answer to a question about a roll that gives results of this kind, if it gives any.
///
/// # Errors
/// A trap that can happen, a budget that is too small, or that it was cancelled.
pub fn exact(
    question: &Question<'_>,
    kind: Option<Kind>,
    limits: &Limits,
    exactness: Exactness,
    control: &Control,
) -> Result<Answer, ExactError> {
    let solver = Solver {
        question,
        kind,
        extremes: exactness.extremes,
        control,
    };
    let weights = exactness.weights;
    if weights == Weights::Fractions {
        let (odds, _) = solver.solve(limits, None)?;
        return Ok(solver.fractions(odds, true));
    }
    if weights == Weights::Cheapest
        && let Some(fractions) = solver.soon(limits)?
    {
        return Ok(solver.fractions(fractions, false));
    }
    let (odds, spent) = solver.solve::<f64>(limits, None)?;
    if odds.residual > 0.0 {
        return solver.cut(odds, limits);
    }
    let cheap = Limits {
        work: limits.work.min(FRACTION_WORK),
        ..*limits
    };
    let (share, of) = FLOATS_SHARE;
    if weights == Weights::Cheapest && spent <= cheap.work / of * share {
        match solver.solve::<UBig>(&cheap, None) {
            Ok((fractions, _)) => return Ok(solver.fractions(fractions, false)),
            Err(error) if is_cancelled(&error) => return Err(error),
            Err(_) => {}
        }
    }
    Ok(solver.answer(odds, Distribution::floats))
}

fn is_cancelled(error: &ExactError) -> bool {
    let cancelled = |exhausted: &Exhausted| exhausted.resource == Resource::Cancelled;
    match error {
        ExactError::Exhausted(exhausted) => cancelled(exhausted),
        ExactError::StateExplosion(states) => cancelled(&states.exhausted),
        ExactError::Trap(_) | ExactError::Wrong(_) => false,
    }
}

struct Solver<'q> {
    question: &'q Question<'q>,
    kind: Option<Kind>,
    extremes: bool,
    control: &'q Control,
}

impl Solver<'_> {
    /// The odds, and the work that they took.
    fn solve<W: Weight>(
        &self,
        limits: &Limits,
        cut: Option<f64>,
    ) -> Result<(Odds<W>, u64), ExactError> {
        let budget = Budget::new(*limits).under(self.control);
        let mut budget = match cut {
            Some(cut) => budget.cutting(cut),
            None => budget,
        };
        let odds = solve(self.question, &mut budget)?;
        Ok((odds, budget.spent()))
    }

    /// Odds in fractions, if they are cheap and leave nothing out.
    fn soon(&self, limits: &Limits) -> Result<Option<Odds<UBig>>, ExactError> {
        let soon = Limits {
            work: limits.work.min(SOON_WORK),
            ..*limits
        };
        match self.solve(&soon, None) {
            Ok((odds, _)) => Ok(Some(odds).filter(|odds| odds.residual == 0.0)),
            Err(error) if is_cancelled(&error) => Err(error),
            // Whether there is an answer is asked again, with the whole budget.
            Err(_) => Ok(None),
        }
    }

    fn fractions(&self, odds: Odds<UBig>, in_full: bool) -> Answer {
        let mut answer = self.answer(odds, Distribution::fractions);
        if in_full {
            answer.result = answer.result.map(Distribution::in_full);
            if let Some(joint) = &mut answer.joint {
                joint.odds = joint.odds.clone().in_full();
            }
        }
        answer
    }

    /// The answer for odds that leave rolls out, with the ends at which it has no bound.
    fn cut(&self, odds: Odds<f64>, limits: &Limits) -> Result<Answer, ExactError> {
        let is_number = self.kind.is_some_and(Kind::is_number);
        let ends_matter = is_number || noted(&odds).any(|noted| noted.pmf.is_some());
        if !ends_matter {
            return Ok(self.answer(odds, Distribution::floats));
        }
        let solved = self
            .extremes
            .then(|| self.solve::<f64>(limits, Some(COARSE_CUT)));
        let coarse = match solved {
            Some(Err(error)) if is_cancelled(&error) => return Err(error),
            solved => solved.and_then(Result::ok).map(|(odds, _)| odds),
        };
        let moved = |fine: Option<&Pmf>, coarse: Option<&Pmf>| match (fine, coarse) {
            (Some(fine), Some(coarse)) => Unbounded {
                below: fine.min() < coarse.min(),
                above: fine.max() > coarse.max(),
            },
            // A statistic that never occurred with the coarser cut may have no bound at either end.
            _ => Unbounded::BOTH,
        };
        let result = moved(
            odds.result.as_ref(),
            coarse.as_ref().and_then(|coarse| coarse.result.as_ref()),
        );
        let known = odds.stats.iter().enumerate().map(|(index, noted)| {
            let coarse = coarse.as_ref().and_then(|coarse| coarse.stats.get(index));
            (noted, coarse)
        });
        let named = odds.named.iter().map(|(name, noted)| {
            let named = coarse.iter().flat_map(|coarse| &coarse.named);
            let coarse = named.filter(|(other, _)| other == name);
            (noted, coarse.map(|(_, noted)| noted).next())
        });
        let stats = known.chain(named);
        let stats = stats.map(|(noted, coarse)| {
            moved(
                noted.pmf.as_ref(),
                coarse.and_then(|noted| noted.pmf.as_ref()),
            )
        });
        let stats: Vec<Unbounded> = stats.collect();
        let mut answer = self.answer(odds, Distribution::floats);
        if is_number {
            answer.result = answer.result.map(|odds| odds.unbounded_at(result));
        }
        for (stat, ends) in answer.stats.iter_mut().zip(stats) {
            stat.odds = stat.odds.take().map(|odds| odds.unbounded_at(ends));
        }
        Ok(answer)
    }

    fn answer<W>(&self, odds: Odds<W>, distribution: fn(Kind, Pmf<W>) -> Distribution) -> Answer {
        let module = self.question.module;
        let labels = module.labels(self.question.function);
        let result = self.kind.zip(odds.result).map(|(kind, pmf)| {
            let odds = distribution(kind, pmf).leaving_out(odds.residual);
            odds.labelled(labels)
        });
        let known = module.stats.iter().cloned().zip(odds.stats);
        let known = known.zip((0..).map(|stat| module.stat_kind(StatId(stat))));
        let named = odds.named.into_iter();
        let named = named.map(|named| (named, module.named_stat_kind()));
        let stat = |((name, noted), kind): ((String, Noted), Kind)| Statistic {
            name,
            per_trial: noted.times,
            odds: noted.pmf.map(|pmf| Distribution::floats(kind, pmf)),
            error: None,
        };
        Answer {
            left_out: odds.residual,
            may_clamp: odds.may_clamp,
            result,
            lines: odds.lines,
            other_lines: 0.0,
            stats: known.chain(named).map(stat).collect(),
            other_stats: 0.0,
            parts: Vec::new(),
            joint: odds.joint.map(|joint| Joint {
                rows: joint.rows,
                texts: joint.texts,
                odds: distribution(Kind::Number, joint.odds).leaving_out(odds.residual),
            }),
            given: None,
            checked: None,
        }
    }
}

/// All statistics of some odds.
fn noted<W>(odds: &Odds<W>) -> impl Iterator<Item = &Noted> {
    let named = odds.named.iter().map(|(_, noted)| noted);
    odds.stats.iter().chain(named)
}
