//! Settings of a program (section 8).

/// The depth of calls that the interpreter can be asked for.
pub(crate) const MAX_DEPTH: i64 = 10_000;
/// The number of extra rolls of `explode` that it can be asked for.
pub(crate) const MAX_EXPLOSIONS: i64 = 1_000;

/// The settings at a point of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Settings {
    /// Whether the lowest die is the first.
    pub(crate) lowest_first: bool,
    /// The maximum number of extra rolls of `explode`.
    pub(crate) explode_depth: u32,
    /// The maximum depth of calls of functions.
    pub(crate) function_depth: u32,
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
