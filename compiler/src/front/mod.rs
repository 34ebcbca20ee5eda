//! The front ends: one folder each, from a source text to the HIR that all of them share.

pub mod dh2e;
pub mod dice_resources;
mod document;
pub mod encounter;
pub mod features;
pub mod frame;
pub mod notation;
mod purpose;
pub mod script;
mod script_text;
mod wrong;

pub use script_text::GENERATED;
