//! Exact odds.

use super::bind::Bound;
use super::failure::{Failure, Misuse};
use dashu_int::UBig;
use dicec_exact::{Odds, Question, Shortcuts};
use dicec_runtime::control::Control;
use dicec_runtime::pmf::{Budget, Limits, Pmf, Weight};

impl Bound {
    /// The complete question.
    #[doc(hidden)]
    pub fn question(&self) -> Question<'_> {
        let program = self.program();
        Question {
            module: program.hir(),
            function: self.definition().function_id(),
            args: self.arguments(),
            resources: self.resources(),
            policies: self.policies(),
            rolls: program.limits().roll,
            limits: program.trial_limits(),
            kept: program.is_script().then(|| program.kept_plans()),
            shortcuts: Shortcuts::from_environment().unwrap_or_default(),
        }
    }

    /// The exact distribution of the result, in `f64` weights with the error bound that
    /// [`Pmf::error_bound`] states; a check's is over 0 (false) and 1 (true).
    ///
    /// # Errors
    /// A trap that can happen, a budget that is too small, a roll that returns nothing, or odds
    /// that their check refutes.
    pub fn distribution(&self, limits: &Limits) -> Result<Pmf<f64>, Failure> {
        let odds = self.solve(limits)?;
        odds.result.ok_or_else(|| Misuse::NoResult.into())
    }

    /// The exact distribution of the result in integer weights: the number of equally likely rolls
    /// that give each outcome.
    ///
    /// # Errors
    /// As for [`Bound::distribution`].
    pub fn fractions(&self, limits: &Limits) -> Result<Pmf<UBig>, Failure> {
        let odds = self.solve(limits)?;
        odds.result.ok_or_else(|| Misuse::NoResult.into())
    }

    /// All exact odds, in `f64` weights or integers: of the result and of a script's lines and
    /// statistics, with the probability that is left out. Dice and loops can go on forever, and
    /// rolls that are too unlikely to matter are cut.
    ///
    /// # Errors
    /// A trap that can happen, a budget that is too small, or odds that their check refutes.
    pub fn solve<W: Weight>(&self, limits: &Limits) -> Result<Odds<W>, Failure> {
        self.solve_with(limits, &Control::default())
    }

    /// [`Bound::solve`] under a caller's control, which hears of progress in the budget's units of
    /// work.
    ///
    /// # Errors
    /// As for [`Bound::solve`], or that it was cancelled.
    pub fn solve_with<W: Weight>(
        &self,
        limits: &Limits,
        control: &Control,
    ) -> Result<Odds<W>, Failure> {
        if Shortcuts::from_environment().is_err() {
            return Err(Misuse::UnknownShortcut.into());
        }
        let mut budget = Budget::new(*limits).under(control);
        self.answered(None, || {
            let odds = dicec_exact::solve(&self.question(), &mut budget);
            let odds = odds.map_err(|error| self.failed(error.into()))?;
            self.check_odds(&odds, limits, control)?;
            Ok(odds)
        })
    }
}
