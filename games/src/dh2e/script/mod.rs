//! Scripts of the rolling language for a test, an attack and a fight. Known facts are constants in
//! them, with their sources as comments; options that change are conditions.

mod assault;
mod attack;
mod condition;
mod damage;
mod fight;
mod injuries;
mod said;
mod test;
mod write;

pub(super) use attack::attack_script;
pub use attack::{HITS, KILLED, OUT_OF_THE_FIGHT, WOUNDS_TO};
pub(super) use fight::fight;
pub use fight::{FightPlan, FightSide, FighterFigures, ROUNDS};
pub use said::{Happening, happening};
pub use test::{Circumstances, OUTCOMES, Plan, Tested, test_script};
