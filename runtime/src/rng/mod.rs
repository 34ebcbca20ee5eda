//! Randomness: the generator's streams and the drawing of dice.
//!
//! [`Streams`] cuts one seed into a stream a chunk; [`draw`] turns 64-bit words of a stream into faces without
//! bias. [`lanes`] does so for many trials at once. The JIT inlines both the generator and the draws and reaches the same state.

mod dice;
pub mod draw;
pub mod lanes;
mod stream;

pub use dice::{Dice, Scripted};
pub use stream::{Stream, Streams};
