//! The joint distribution of everything observable about a trial, as fractions.

use super::draws::Draws;
use super::reference::Reference;
use super::{Difference, Effort};
use dashu_int::UBig;
use dicec_exact::Question;
use dicec_native::eval::{Observed, Trials};
use dicec_native::ir::Module;
use dicec_runtime::trap::Trap;
use num_integer::Integer;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The probability of each trial, by everything observable about it.
#[derive(Clone, Debug, Default)]
pub struct Distribution {
    /// Weights by their totals: the chance of a trial is the sum of their quotients.
    shares: FxHashMap<Observed, FxHashMap<UBig, UBig>>,
}

/// The mean notes of trials.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Means {
    /// The mean number of each line, by template.
    pub lines: BTreeMap<String, f64>,
    /// The mean number of times that each statistic notes each number.
    pub stats: BTreeMap<String, BTreeMap<i64, f64>>,
}

impl Distribution {
    /// That of a module: every joint outcome of its draws, through the evaluator; `None` if there
    /// are more than `effort` allows, or if they take more work.
    pub fn of(module: &Arc<Module>, inputs: &[i64], effort: &Effort) -> Option<Self> {
        let trials = Trials::new(module, inputs).ok()?;
        let mut blocks = effort.blocks;
        Self::collect(effort, |draws| {
            Some(trials.run(draws, &mut blocks)?.observed)
        })
    }

    /// That of a rule or a script, through the interpreter; `None` if its dice have more rolls than
    /// `effort` allows.
    pub fn of_interpreter(question: &Question<'_>, effort: &Effort) -> Option<Self> {
        let reference = Reference::new(question);
        Self::collect(effort, |draws| Some(reference.run(draws)))
    }

    fn collect(
        effort: &Effort,
        mut trial: impl FnMut(&mut Draws) -> Option<Observed>,
    ) -> Option<Self> {
        let mut draws = Draws::default();
        let mut all = Self::default();
        for _ in 0..effort.draws {
            let observed = trial(&mut draws)?;
            if draws.is_lost {
                return None;
            }
            let (weight, total) = draws.weight();
            let shares = all.shares.entry(observed).or_default();
            *shares.entry(total).or_default() += weight;
            if !draws.advance() {
                return Some(all);
            }
        }
        None
    }

    /// The traps in which trials end.
    pub fn traps(&self) -> impl Iterator<Item = &Trap> {
        let observed = self.shares.keys();
        observed.filter_map(|observed| observed.ended.as_ref().err())
    }

    /// The weight of each result of trials that do not trap, and the total of all weights.
    pub fn results(&self) -> (FxHashMap<i64, UBig>, UBig) {
        let common = self.common(UBig::from(1_u32));
        let mut results: FxHashMap<i64, UBig> = FxHashMap::default();
        for observed in self.shares.keys() {
            if let Ok(result) = observed.ended {
                *results.entry(result).or_default() += self.weight(observed, &common);
            }
        }
        (results, common)
    }

    /// The mean numbers of lines and notes in a trial.
    pub fn means(&self) -> Means {
        let common = self.common(UBig::from(1_u32));
        let total = common.to_f64().value();
        let mut means = Means::default();
        for observed in self.shares.keys() {
            let chance = self.weight(observed, &common).to_f64().value() / total;
            for (line, times) in &observed.lines {
                *means.lines.entry(line.clone()).or_default() += chance * *times as f64;
            }
            for (name, numbers) in &observed.stats {
                let stat = means.stats.entry(name.clone()).or_default();
                for &(number, times) in numbers {
                    *stat.entry(number).or_default() += chance * times as f64;
                }
            }
        }
        means
    }

    /// The first observation, in the order of results, whose chance differs in the other
    /// distribution.
    pub fn difference(&self, after: &Self) -> Option<Difference> {
        let common = after.common(self.common(UBig::from(1_u32)));
        let observed: FxHashSet<&Observed> =
            self.shares.keys().chain(after.shares.keys()).collect();
        let both = |observed: &Observed| [self, after].map(|all| all.weight(observed, &common));
        let differs = observed.into_iter().filter(|observed| {
            let [before, after] = both(observed);
            before != after
        });
        let first =
            differs.min_by_key(|observed| (observed.ended.is_err(), observed.ended.ok()))?;
        let [before, after] = both(first).map(|weight| chance(&weight, &common));
        Some(Difference {
            of: format!("the chance of {first}"),
            before,
            after,
        })
    }

    /// The least multiple of `common` and of all totals.
    fn common(&self, common: UBig) -> UBig {
        let totals: FxHashSet<&UBig> = self.shares.values().flat_map(FxHashMap::keys).collect();
        totals
            .into_iter()
            .fold(common, |common, total| common.lcm(total))
    }

    fn weight(&self, observed: &Observed, common: &UBig) -> UBig {
        let shares = self.shares.get(observed).into_iter().flatten();
        shares
            .map(|(total, weight)| weight * (common / total))
            .sum()
    }
}

/// A fraction as people read it.
fn chance(weight: &UBig, total: &UBig) -> String {
    let divisor = weight.gcd(total);
    let (weight, total) = (weight / &divisor, total / &divisor);
    match (u64::try_from(&weight), u64::try_from(&total)) {
        (Ok(0), _) => "0".to_owned(),
        (Ok(weight), Ok(total)) => format!("{weight}/{total}"),
        _ => {
            let [weight, total] = [weight, total].map(|part| part.to_f64().value());
            format!("{:.6e}", weight / total)
        }
    }
}
