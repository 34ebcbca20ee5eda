//! The front ends of rules and scripts: one folder each, from a source text to the HIR.

mod decisions;
pub mod dice_resources;
pub mod frame;
pub mod notation;
pub mod script;
