//! AnyDice programs against the naive evaluator of the test kit.

mod cases;
mod generated;
mod programs;
mod sampled;
mod translated;
