//! Scripts of the rolling language: of a test, an attack and a fight. What is known is in them as
//! numbers, with where it comes from as comments; options that change are conditions.

mod assault;
mod attack;
mod condition;
mod damage;
mod fight;
mod injuries;
mod test;
mod write;

pub(super) use attack::attack_script;
pub(super) use fight::fight_script;
pub use test::{Plan, Tested, test_script};
