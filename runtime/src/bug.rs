//! States that cannot happen: a panic in debug builds, an internal error in release builds, never a
//! default value.
//!
//! [`bug!`](crate::bug!) makes a [`Bug`], which converts to the error of the function that found
//! it. Functions that compiled code calls must not use it: `abi` cannot panic.

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

    /// For functions that return no error. The library's entry points report the panic as an
    /// internal error.
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
