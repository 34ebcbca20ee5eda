//! The check of debug builds: runs some trials before and after each `Exact` rewrite of every
//! compiled module, with the roll's own arguments.

use super::bind::Bound;
use crate::verify::{Checker, Effort};
use dicec_native::ir::Module;
use dicec_native::pass::{Contract, Pass, Watch};

/// Observes the rewrites of a roll's modules.
pub(super) struct EachRewrite(Bound);

impl EachRewrite {
    pub(super) fn of(bound: &Bound) -> Self {
        Self(bound.clone())
    }
}

impl Watch for EachRewrite {
    /// # Panics
    /// If the rewrite changes a trial.
    fn rewritten(&mut self, pass: Pass, before: &Module, after: &Module) {
        if pass.contract != Contract::Exact {
            return;
        }
        // A module for a pattern has other inputs for unread words; the test suites check those.
        let Ok(inputs) = self.0.inputs(before) else {
            return;
        };
        let mut checker = Checker::new(&inputs, Effort::DEBUG);
        checker.rewritten(pass, before, after);
        if let Some(guilty) = checker.guilty {
            let text = self.0.program().text();
            panic!(
                "`{}` changes the meaning: {}\n{text}\n{before}\n{after}",
                pass.name, guilty.difference
            );
        }
    }
}
