//! A part of a feature while it is lowered, for all files that lower one.

use super::attached::Attached;
use super::flags::Flags;
use crate::features::{Expr, Subfeature};

/// A part of a feature while it is lowered.
pub(super) struct Lowering<'a> {
    pub(super) attached: &'a Attached,
    pub(super) part: &'a Subfeature,
    pub(super) flags: &'a Flags,
    pub(super) path: &'a str,
}

impl Lowering<'_> {
    /// Whether a condition holds before the fight begins.
    pub(super) fn holds(&self, condition: &Expr) -> bool {
        let known = self.attached.number(condition);
        known.is_some_and(|known| known != 0.0)
    }
}
