//! What a rewrite is: a [`Pass`] with a name and a [`Contract`], and what passes know besides a
//! module. [`super::manager`] and [`super::lane_passes`] are the table of them.

use super::seen::Seen;
use crate::analysis::{KnownRanges, Region};
use crate::ir::{Block, Function, Module, Tables};

/// What a rewrite keeps, for the inputs that a module is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contract {
    /// Everything, trial by trial: the words that are drawn and their order, results, lines,
    /// statistics, traps and fuel. (`fuel` removes what cannot run out.)
    Exact,
    /// The joint distribution of results, lines, statistics and traps. The words that are drawn,
    /// and so the rolls of a seed, are others.
    Redraw,
}

/// A rewrite of modules.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name in `dicec emit`, in filetests and in `DICEC_PASSES`.
    pub name: &'static str,
    /// What it keeps.
    pub contract: Contract,
    /// Whether it keeps that only for resources and open words in [`RESOURCES`](super::RESOURCES).
    pub assumes_usual: bool,
    run: Run,
}

/// How a pass runs.
#[derive(Clone, Copy, Debug)]
enum Run {
    /// On each function, which needs nothing but the tables.
    Each(fn(&mut Function, &Tables, &mut Known)),
    /// On the function of a trial.
    Trial(fn(&mut Function, &Tables, &mut Known)),
    /// On the module.
    Whole(fn(&mut Module, &mut Known)),
}

/// What passes need besides a module, and what they find out about it.
#[derive(Default)]
pub(super) struct Known {
    /// The ranges of functions.
    pub(super) ranges: KnownRanges,
    /// Whether the last pass may have changed anything.
    pub(super) changed: bool,
    /// What resources are in [`Pass::SPECIALISE`].
    pub(super) resources: Vec<i64>,
    /// What [`Pass::RARE_DICE`] goes by.
    pub(super) profile: Option<Profile>,
    /// The blocks that begin rare parts, which it found.
    pub(super) rare: Vec<Block>,
}

/// What a few trials did in a loop.
pub(super) struct Profile {
    pub(super) region: Region,
    pub(super) seen: Seen,
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

    /// The same, which only keeps distributions.
    pub(super) const fn redraws(self) -> Self {
        Self {
            contract: Contract::Redraw,
            ..self
        }
    }

    /// The same, which assumes usual resources.
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

    /// Its place in [`Pass::ALL`].
    pub(super) fn number(self) -> usize {
        let number = Self::ALL.iter().position(|pass| pass.name == self.name);
        number.unwrap_or_else(|| panic!("`{}` is not in the table", self.name))
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
                // Tables and functions are borrowed apart.
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
