//! Bounds on a source text. They keep every later stage's recursion and memory bounded.

/// Bounds on what the front end reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLimits {
    /// The maximum number of bytes of one source.
    pub bytes: u32,
    /// Deepest nesting of parentheses and signs; at most [`SourceLimits::NESTING_CEILING`].
    pub nesting: u32,
}

impl SourceLimits {
    /// The highest value `nesting` can be raised to: the parser's recursion then fits a 2 MiB
    /// stack.
    pub const NESTING_CEILING: u32 = 256;

    /// The value of `nesting` unless it is changed.
    pub const DEFAULT_NESTING: u32 = 128;

    /// The greatest height of a syntax tree. A chain such as `1+1+1+...` is a tree as high as it is
    /// long, and later stages walk it by recursion, so this bound is fixed.
    pub const HEIGHT: u32 = 1_000;

    /// These limits with `nesting` brought into `1..=NESTING_CEILING`.
    pub fn with_nesting(self, nesting: u32) -> Self {
        Self {
            nesting: nesting.clamp(1, Self::NESTING_CEILING),
            ..self
        }
    }
}

impl Default for SourceLimits {
    fn default() -> Self {
        Self {
            bytes: 64 * 1024,
            nesting: Self::DEFAULT_NESTING,
        }
    }
}
