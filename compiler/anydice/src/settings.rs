//! Settings of a program (section 8).

/// The depth of calls that the interpreter can reach, whatever the setting.
pub(crate) const MAX_DEPTH: u64 = 10_000;

/// The settings at a point of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Settings {
    /// Whether the lowest die is the first.
    pub(crate) lowest_first: bool,
    /// The maximum number of extra rolls of `explode`.
    pub(crate) explode_depth: u64,
    /// The maximum depth of calls of functions.
    pub(crate) function_depth: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            lowest_first: false,
            explode_depth: 2,
            function_depth: 10,
        }
    }
}
