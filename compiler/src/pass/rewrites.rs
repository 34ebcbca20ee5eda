//! The pass manager: whatever changes a module is a [`Pass`], and only [`Rewrites`] runs passes.
//!
//! It knows which are switched on ([`Switches`]), shows each rewrite to whoever wants to compare
//! the modules before and after it ([`Watch`]), and has the verifier look at the result in debug
//! builds.

use super::contract::{Known, Pass};
use super::switches::Switches;
use crate::ir::{Module, verify};

/// Looks at each rewrite that changed a module.
pub trait Watch {
    /// A pass made one module of another.
    fn rewritten(&mut self, pass: Pass, before: &Module, after: &Module);
}

impl<W: Watch + ?Sized> Watch for &mut W {
    fn rewritten(&mut self, pass: Pass, before: &Module, after: &Module) {
        (**self).rewritten(pass, before, after);
    }
}

/// Runs rewrites on the modules that are made of one, one after the other.
pub struct Rewrites<'w> {
    switches: Switches,
    watch: Option<Box<dyn Watch + 'w>>,
    /// What passes find out for each other.
    pub(super) known: Known,
}

impl Rewrites<'static> {
    /// Those that the environment has not switched off.
    pub fn from_environment() -> Self {
        Self::new(Switches::default())
    }

    /// Those that are switched on.
    pub fn new(switches: Switches) -> Self {
        Self {
            switches,
            watch: None,
            known: Known::default(),
        }
    }
}

impl Rewrites<'_> {
    /// The same, looked at.
    pub fn watched<'w>(self, watch: impl Watch + 'w) -> Rewrites<'w> {
        Rewrites {
            watch: Some(Box::new(watch)),
            switches: self.switches,
            known: self.known,
        }
    }

    /// Rewrites of modules that only serve to decide something: nobody looks at them, and none of
    /// them is the last.
    pub(super) fn aside(&self) -> Rewrites<'static> {
        let mut switches = self.switches;
        switches.fuel = None;
        Rewrites::new(switches)
    }

    /// What is switched on now: without the rewrites that have changed a module so far.
    pub fn left(&self) -> Switches {
        self.switches
    }

    /// Runs a pass, if it is switched on; returns whether it may have changed anything.
    pub fn run(&mut self, pass: Pass, module: &mut Module) -> bool {
        if !self.switches.has(pass) || self.switches.fuel == Some(0) {
            return false;
        }
        // Nobody has to know for certain.
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
        // Not whether they differ: what runs next must not depend on who looks.
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
    /// Runs it alone, whatever is switched off: for tests.
    pub fn run(self, module: &mut Module) {
        Rewrites::new(Switches::ALL_ON).run(self, module);
    }
}
