//! The pass manager: every change of a module is a [`Pass`], and only [`Rewrites`] runs passes.
//!
//! It applies the switches ([`Switches`]), shows each rewrite to an observer that compares modules
//! before and after it ([`Watch`]), and runs the verifier on the result in debug builds.

use super::contract::{Known, Pass};
use super::switches::Switches;
use crate::ir::{Module, verify};

/// An observer of the rewrites that change a module.
pub trait Watch {
    /// Called after a pass changed a module.
    fn rewritten(&mut self, pass: Pass, before: &Module, after: &Module);
}

impl<W: Watch + ?Sized> Watch for &mut W {
    fn rewritten(&mut self, pass: Pass, before: &Module, after: &Module) {
        (**self).rewritten(pass, before, after);
    }
}

/// Runs passes on the modules that are derived from one.
pub struct Rewrites<'w> {
    switches: Switches,
    watch: Option<Box<dyn Watch + 'w>>,
    /// The state that passes share.
    pub(super) known: Known,
}

impl Rewrites<'static> {
    /// Runs the passes that the environment has not switched off.
    pub fn from_environment() -> Self {
        Self::new(Switches::default())
    }

    /// Runs the passes that are switched on.
    pub fn new(switches: Switches) -> Self {
        Self {
            switches,
            watch: None,
            known: Known::default(),
        }
    }
}

impl Rewrites<'_> {
    /// The same, with an observer.
    pub fn watched<'w>(self, watch: impl Watch + 'w) -> Rewrites<'w> {
        Rewrites {
            watch: Some(Box::new(watch)),
            switches: self.switches,
            known: self.known,
        }
    }

    /// For modules that are only made to decide something: without an observer, and none of their
    /// rewrites counts as the last one.
    pub(super) fn aside(&self) -> Rewrites<'static> {
        let mut switches = self.switches;
        switches.fuel = None;
        Rewrites::new(switches)
    }

    /// The passes that are switched on now: without those that have changed a module so far.
    pub fn left(&self) -> Switches {
        self.switches
    }

    /// Runs a pass, if it is switched on; returns whether it may have changed anything.
    pub fn run(&mut self, pass: Pass, module: &mut Module) -> bool {
        if !self.switches.has(pass) || self.switches.fuel == Some(0) {
            return false;
        }
        // Comparing modules is only needed to count or observe rewrites.
        if self.switches.fuel.is_none() && self.watch.is_none() {
            self.apply(pass, module);
            return self.known.changed;
        }
        let before = module.clone();
        self.apply(pass, module);
        if *module != before {
            if let Some(fuel) = &mut self.switches.fuel {
                *fuel -= 1;
            }
            if let Some(watch) = &mut self.watch {
                watch.rewritten(pass, &before, module);
            }
        }
        // Not whether the modules differ: the following passes must not depend on an observer.
        self.known.changed
    }

    /// Runs passes, one after the other.
    pub fn run_all(&mut self, passes: &[Pass], module: &mut Module) {
        for &pass in passes {
            self.run(pass, module);
        }
    }

    fn apply(&mut self, pass: Pass, module: &mut Module) {
        self.known.changed = true;
        pass.apply(module, &mut self.known);
        debug_assert_eq!(verify(module), Ok(()), "after {}:\n{module}", pass.name);
    }
}

impl Pass {
    /// Runs it alone, whatever is switched off; for tests.
    pub fn run(self, module: &mut Module) {
        Rewrites::new(Switches::ALL_ON).run(self, module);
    }
}
