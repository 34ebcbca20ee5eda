//! Randomness: the generator's streams and the drawing of dice.
//!
//! [`Streams`] gives each chunk of a seed its own stream; [`draw`] turns 64-bit words of a stream
//! into faces without bias, an [`AliasTable`] one word into an outcome of many dice, and [`lanes`]
//! two words into the dice of many trials. The JIT inlines the generator and the draws and reaches
//! the same state. Sessions draw from the streams of a [`PathKey`].

mod dice;
pub mod draw;
pub mod lanes;
mod path;
mod stream;
mod table;

pub use dice::{Dice, FATE_FACES, Given, Scripted, given_face};
pub use path::PathKey;
pub use stream::{Stream, Streams};
pub use table::AliasTable;
