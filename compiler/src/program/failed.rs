//! Failures of a bound roll: they name it, and a panic becomes one.

use super::bind::Bound;
use super::failure::{BugReport, Failure};
use super::guard::guarded;
use dicec_runtime::bug::Bug;
use dicec_runtime::driver::RunError;
use dicec_runtime::trap::{Trap, TrapCode};

impl Bound {
    /// An internal error as a failure of this roll.
    pub(super) fn bug(&self, bug: Bug) -> Failure {
        self.report(bug.to_string(), None)
    }

    fn report(&self, what: String, seed: Option<u64>) -> Failure {
        Failure::Bug(Box::new(BugReport {
            what,
            program: self.program().text().to_owned(),
            seed,
        }))
    }

    /// A failure of this roll; an internal error then names the roll.
    pub(super) fn failed(&self, mut failure: Failure) -> Failure {
        if let Failure::Trap(trap) | Failure::Run(RunError::Trapped { trap, .. }) = &mut failure {
            self.name_table(trap);
        }
        match failure {
            Failure::Trap(Trap {
                code: TrapCode::Cancelled,
                ..
            }) => Failure::Cancelled {
                done: 0,
                units: "rolls",
            },
            Failure::Trap(Trap {
                code: code @ TrapCode::Bug,
                ..
            }) => self.report(code.to_string(), None),
            Failure::Run(RunError::Trapped {
                trap:
                    Trap {
                        code: code @ TrapCode::Bug,
                        ..
                    },
                seed,
                ..
            }) => self.report(code.to_string(), Some(seed)),
            Failure::Bug(report) if report.program.is_empty() => {
                self.report(report.what, report.seed)
            }
            failure => failure,
        }
    }

    /// Marks a list without the wanted element as a table, if it is one.
    fn name_table(&self, trap: &mut Trap) {
        let mut functions = self.program().hir().functions.iter();
        let is_table = functions.any(|known| known.is_table && known.span == trap.span);
        if trap.code == TrapCode::NoElement && is_table {
            trap.code = TrapCode::NoRow;
        }
    }

    /// The result of `answer`; a panic becomes an internal error of the run with this seed.
    pub(super) fn answered<T>(
        &self,
        seed: Option<u64>,
        answer: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        guarded(answer).unwrap_or_else(|what| Err(self.report(what, seed)))
    }

    /// The result of a run of this roll.
    pub(super) fn ran<T>(&self, run: Result<T, RunError>) -> Result<T, Failure> {
        run.map_err(|error| self.failed(error.into()))
    }
}
