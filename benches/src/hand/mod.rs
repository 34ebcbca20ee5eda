//! The workloads by hand, for speed, with the product's own generator: [`faithful`] takes a word a
//! die, [`scalar`] shares words between dice, [`simd`] rolls in vector lanes.

pub(crate) mod cells;
pub mod faithful;
mod generator;
pub mod scalar;
pub mod simd;
mod words;

pub(crate) use generator::Generator;
