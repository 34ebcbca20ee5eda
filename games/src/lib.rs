//! Front ends of games: documents in, scripts of the rolling language out.
//!
//! [`encounter`] reads stat blocks and writes fights by the rules of the fifth edition, [`dh2e`]
//! does so for items and actors of the d100 rules (seed 003), and [`features`] reads features of
//! stat blocks (seed 001). [`statblock`] reads stat blocks as pages and other tools have them,
//! [`character`] writes those of characters by class and level.

pub mod character;
pub mod dh2e;
mod document;
mod edition;
pub mod encounter;
pub mod features;
mod purpose;
mod script_text;
pub mod statblock;
mod wrong;

pub use edition::Edition;
pub use script_text::GENERATED;
