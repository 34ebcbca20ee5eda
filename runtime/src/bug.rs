//! States that cannot happen: a panic in debug builds, an internal error in release builds, never a
//! default value.
//!
//! [`bug!`](crate::bug!) gives a [`Bug`], which turns into the error of whatever found it. Nothing
//!   that compiled code calls may use it: `abi` cannot panic.

use crate::trap::TrapCode;
use thiserror::Error;

/// An internal error: a state of the program that its author took to be impossible.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("internal error: {what} ({file}:{line})")]
pub struct Bug {
    what: String,
    file: &'static str,
    line: u32,
}

impl Bug {
    /// What [`bug!`](crate::bug!) expands to. Debug builds stop here.
    ///
    /// # Panics
    /// In debug builds.
    #[track_caller]
    pub fn found(what: String, file: &'static str, line: u32) -> Self {
        let bug = Self { what, file, line };
        debug_assert!(false, "{bug}");
        bug
    }

    /// Ends what found it where there is no error to return. The library's entry points hand it on
    /// as an internal error.
    ///
    /// # Panics
    /// Always.
    #[cold]
    #[track_caller]
    pub fn raise(self) -> ! {
        panic!("{self}")
    }
}

/// The trap that an internal error ends a trial with.
impl From<Bug> for TrapCode {
    fn from(_: Bug) -> Self {
        TrapCode::Bug
    }
}

/// The error of a state that cannot happen, described as for `format!`: a panic in debug builds, a
/// [`Bug`](crate::bug::Bug) in release builds.
#[macro_export]
macro_rules! bug {
    ($($what:tt)+) => {
        $crate::bug::Bug::found(format!($($what)+), file!(), line!())
    };
}
