//! The interface of a rewrite: a [`Pass`] with a name and a [`Contract`], and the analyses that
//! passes share. [`super::manager`] and [`super::lane_passes`] have the table of passes.

use crate::analysis::KnownRanges;
use crate::ir::{Function, Module, Tables};
use dicec_runtime::bug;

/// The properties that a rewrite preserves, for the inputs that a module is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contract {
    /// Everything, trial by trial: the words that are drawn and their order, results, lines,
    /// statistics, traps and fuel. (`fuel` removes what cannot run out.)
    Exact,
    /// The joint distribution of results, lines, statistics and traps. The drawn words change, and
    /// so do the rolls of a seed.
    Redraw,
}

/// A rewrite of modules.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name in `dicec emit`, in filetests and in `DICEC_PASSES`.
    pub name: &'static str,
    /// The properties that it preserves.
    pub contract: Contract,
    /// Whether it preserves them only for resources and open words in
    /// [`RESOURCES`](super::RESOURCES).
    pub assumes_usual: bool,
    run: Run,
}

/// The unit that a pass works on.
#[derive(Clone, Copy, Debug)]
enum Run {
    /// Each function, given only the tables.
    Each(fn(&mut Function, &Tables, &mut Known)),
    /// The function of a trial.
    Trial(fn(&mut Function, &Tables, &mut Known)),
    /// The module.
    Whole(fn(&mut Module, &mut Known)),
}

/// The state that passes share: cached analyses, and inputs besides the module.
#[derive(Default)]
pub(super) struct Known {
    /// The ranges of functions.
    pub(super) ranges: KnownRanges,
    /// Whether the last pass may have changed anything.
    pub(super) changed: bool,
    /// The values of resources for [`Pass::SPECIALISE`].
    pub(super) resources: Vec<i64>,
}

impl Pass {
    const fn new(name: &'static str, run: Run) -> Self {
        Self {
            name,
            contract: Contract::Exact,
            assumes_usual: false,
            run,
        }
    }

    /// An exact pass over each function.
    pub(super) const fn each(
        name: &'static str,
        run: fn(&mut Function, &Tables, &mut Known),
    ) -> Self {
        Self::new(name, Run::Each(run))
    }

    /// An exact pass over the function of a trial.
    pub(super) const fn trial(
        name: &'static str,
        run: fn(&mut Function, &Tables, &mut Known),
    ) -> Self {
        Self::new(name, Run::Trial(run))
    }

    /// An exact pass over the module.
    pub(super) const fn whole(name: &'static str, run: fn(&mut Module, &mut Known)) -> Self {
        Self::new(name, Run::Whole(run))
    }

    /// The same pass with the contract [`Contract::Redraw`].
    pub(super) const fn redraws(self) -> Self {
        Self {
            contract: Contract::Redraw,
            ..self
        }
    }

    /// The same pass, assuming usual resources.
    pub(super) const fn assuming_usual(self) -> Self {
        Self {
            assumes_usual: true,
            ..self
        }
    }

    /// The pass of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pass| pass.name == name)
    }

    /// Its index in [`Pass::ALL`]. Passes are made by constants only, and a test holds that all of
    /// them are there.
    pub(super) fn number(self) -> usize {
        let number = Self::ALL.iter().position(|pass| pass.name == self.name);
        number.unwrap_or_else(|| bug!("`{}` is not in the table", self.name).raise())
    }

    /// Rewrites the module and renumbers its functions.
    pub(super) fn apply(self, module: &mut Module, known: &mut Known) {
        match self.run {
            Run::Each(run) => {
                for function in module.functions.values_mut() {
                    run(function, &module.tables, known);
                }
            }
            Run::Trial(run) => {
                // Tables and functions are borrowed separately.
                if let Some(trial) = module.functions.values_mut().next() {
                    run(trial, &module.tables, known);
                }
            }
            Run::Whole(run) => run(module, known),
        }
        for function in module.functions.values_mut() {
            function.compact();
        }
    }
}

impl PartialEq for Pass {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Pass {}
