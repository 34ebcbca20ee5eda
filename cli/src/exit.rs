//! Exit codes.

use std::process::Termination;

/// The exit code of a command: 0, 1 for an error, 2 for a command line that makes no sense, 3 for
/// an answer that its check refutes, and 130 after Ctrl-C. Unlike the standard library's, it can be
/// read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExitCode(u8);

impl ExitCode {
    /// Nothing went wrong.
    pub(crate) const SUCCESS: Self = Self(0);

    /// Something did.
    pub(crate) const FAILURE: Self = Self(1);

    /// An answer is wrong, which is a fault of ours.
    pub(crate) const WRONG_ANSWER: Self = Self(3);
}

impl From<u8> for ExitCode {
    fn from(code: u8) -> Self {
        Self(code)
    }
}

impl From<ExitCode> for u8 {
    fn from(code: ExitCode) -> Self {
        code.0
    }
}

impl Termination for ExitCode {
    fn report(self) -> std::process::ExitCode {
        self.0.into()
    }
}
