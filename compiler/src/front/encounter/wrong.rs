//! What is wrong with an encounter, and what it holds that changes nothing.

pub(super) use crate::front::document::read;
pub use crate::front::wrong::Wrong;
