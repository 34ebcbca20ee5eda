//! Observes each rewrite as it happens, and keeps the first one that violates its contract.

use super::samples::samples_differ;
use super::{Difference, Distribution, Effort, trials_differ};
use dicec_native::ir::Module;
use dicec_native::pass::{Contract, Pass, VectorForm, Watch};
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;

/// How the rewrites of one pass were checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Rewrites whose trials were compared one by one.
    pub trials: u64,
    /// Rewrites whose joint distributions were compared as fractions.
    pub fractions: u64,
    /// Rewrites of which samples were compared.
    pub samples: u64,
    /// Rewrites that take more work than allowed.
    pub skipped: u64,
}

impl Checked {
    /// The number of rewrites that were checked in one of the ways.
    #[must_use]
    pub fn checked(&self) -> u64 {
        self.trials + self.fractions + self.samples
    }

    /// Both together.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            trials: self.trials + other.trials,
            fractions: self.fractions + other.fractions,
            samples: self.samples + other.samples,
            skipped: self.skipped + other.skipped,
        }
    }
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            trials,
            fractions,
            samples,
            skipped,
        } = self;
        let all = trials + fractions + samples + skipped;
        write!(f, "{all} rewrites: {trials} trial by trial")?;
        for (number, how) in [
            (fractions, "as fractions"),
            (samples, "by samples"),
            (skipped, "too large to check"),
        ] {
            if *number > 0 {
                write!(f, ", {number} {how}")?;
            }
        }
        Ok(())
    }
}

/// A rewrite that changed the meaning.
#[derive(Clone, Debug)]
pub struct Guilty {
    /// The name of the pass.
    pub pass: &'static str,
    /// The number of rewrites before it, of all passes: `DICEC_FUEL=n` stops before it.
    pub after: u64,
    /// The change.
    pub difference: Difference,
    /// The module before it.
    pub module: Arc<Module>,
}

/// Checks each rewrite of a module on these inputs.
#[derive(Debug)]
pub struct Checker<'i> {
    inputs: &'i [i64],
    effort: Effort,
    rewrites: u64,
    /// By the name of the pass.
    pub checked: FxHashMap<&'static str, Checked>,
    /// The first rewrite that changed the meaning.
    pub guilty: Option<Guilty>,
    /// The distribution after the last rewrite, which is that before the next one.
    known: Option<(Arc<Module>, Option<Distribution>)>,
}

impl<'i> Checker<'i> {
    /// A checker of rewrites of modules whose kernels are given these inputs.
    pub fn new(inputs: &'i [i64], effort: Effort) -> Self {
        Self {
            inputs,
            effort,
            rewrites: 0,
            checked: FxHashMap::default(),
            guilty: None,
            known: None,
        }
    }

    fn distribution(&mut self, module: &Arc<Module>) -> Option<Distribution> {
        match self.known.take() {
            Some((known, distribution)) if known == *module => distribution,
            _ => Distribution::of(module, self.inputs, &self.effort),
        }
    }

    fn redrawn(
        &mut self,
        before: &Arc<Module>,
        after: &Arc<Module>,
    ) -> Result<Checked, Difference> {
        if self.effort.draws > 0
            && let Some(expected) = self.distribution(before)
            && let Some(found) = Distribution::of(after, self.inputs, &self.effort)
        {
            let difference = expected.difference(&found);
            self.known = Some((after.clone(), Some(found)));
            return match difference {
                Some(difference) => Err(difference),
                None => Ok(Checked {
                    fractions: 1,
                    ..Checked::default()
                }),
            };
        }
        let compared = samples_differ(before, after, self.inputs, &self.effort)?;
        Ok(Checked {
            samples: u64::from(compared > 0),
            skipped: u64::from(compared == 0),
            ..Checked::default()
        })
    }

    fn check(
        &mut self,
        pass: Pass,
        before: &Arc<Module>,
        after: &Arc<Module>,
    ) -> Result<Checked, Difference> {
        let is_script = before.is_script();
        if pass.assumes_usual && !is_script && !VectorForm::takes(self.inputs) {
            return Ok(Checked {
                skipped: 1,
                ..Checked::default()
            });
        }
        if pass.contract == Contract::Redraw {
            return self.redrawn(before, after);
        }
        // It removes what cannot run out, so more may be left.
        let fuel = pass.name != Pass::FUEL.name;
        let compared = trials_differ([before, after], self.inputs, fuel, &self.effort)?;
        Ok(Checked {
            trials: u64::from(compared > 0),
            skipped: u64::from(compared == 0),
            ..Checked::default()
        })
    }
}

impl Watch for Checker<'_> {
    fn rewritten(&mut self, pass: Pass, before: &Module, after: &Module) {
        let rewrites = self.rewrites;
        self.rewrites += 1;
        if self.guilty.is_some() {
            return;
        }
        let [before, after] = [before, after].map(|module| Arc::new(module.clone()));
        match self.check(pass, &before, &after) {
            Ok(checked) => {
                let all = self.checked.entry(pass.name).or_default();
                *all = all.and(&checked);
            }
            Err(difference) => {
                self.guilty = Some(Guilty {
                    pass: pass.name,
                    after: rewrites,
                    difference,
                    module: before,
                });
            }
        }
    }
}
