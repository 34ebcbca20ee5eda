//! Errors of an encounter, and its members without effect.

pub(super) use crate::document::read;
pub use crate::wrong::Wrong;
