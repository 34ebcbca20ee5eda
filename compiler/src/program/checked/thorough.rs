//! The second solution in a thorough check of exact odds: without shortcuts, then with one more at
//! a time, compared with each other.

use super::compare::Disagreement;
use crate::program::bind::Bound;
use dicec_exact::{first_wrong_shortcut, plain_limits};
use dicec_runtime::control::Control;
use dicec_runtime::pmf::{Budget, Limits};

impl Bound {
    /// Solves exact odds with each shortcut on and off. A solution that exceeds the budget is
    /// ignored.
    pub(super) fn solved_again(
        &self,
        limits: &Limits,
        control: &Control,
    ) -> Result<(), Disagreement> {
        let budget = Budget::new(plain_limits(limits)).under(control);
        match first_wrong_shortcut::<f64>(&self.question(), &budget) {
            Some((name, found)) => {
                let part = format!("{} (with the shortcut `{name}`)", found.what);
                Err(Disagreement::certain(&part, &found.with, &found.without))
            }
            None => Ok(()),
        }
    }
}
