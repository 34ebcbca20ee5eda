//! Errors of an encounter, and its members without effect.

pub(super) use crate::front::document::read;
pub use crate::front::wrong::Wrong;
