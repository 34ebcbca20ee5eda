//! The flags for the checks of answers.

use clap::Args;
use dicec_compiler::unstable::Check;
use dicec_compiler::{AnyDice, Bound};

/// How answers are checked.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Checks")]
pub(crate) struct CheckArgs {
    /// Give answers unchecked; otherwise each is compared with some trials of the interpreter first
    #[arg(long)]
    no_check: bool,
    /// Check answers thoroughly: with 131,072 trials, and exact odds are computed twice
    #[arg(long, conflicts_with = "no_check")]
    verify: bool,
}

impl CheckArgs {
    /// What they say, if anything.
    pub(crate) fn given(self) -> Option<Check> {
        match (self.no_check, self.verify) {
            (true, _) => Some(Check::Off),
            (_, true) => Some(Check::Thorough),
            (false, false) => None,
        }
    }

    /// An AnyDice program whose outputs are checked like this.
    pub(crate) fn on_program(self, program: AnyDice) -> AnyDice {
        match self.given() {
            Some(check) => program.checked_by(check.limits()),
            None => program,
        }
    }

    /// A roll whose answers are checked like this.
    pub(crate) fn on(self, bound: Bound) -> Bound {
        match self.given() {
            Some(check) => bound.checked_by(check.limits()),
            None => bound,
        }
    }
}
