//! The corpus as an expert would write it without intrinsics: a draw from a table for each step of
//! a trial (an attack, a roll of dice, a row of a table), several draws from a word, and state
//! packed into keys.
//!
//! A table stands for one step of a trial, or a few, never for a whole trial of several steps: that
//! would be its exact odds.

mod alias;
pub(super) mod dice;
pub(super) mod skirmish;
pub(super) mod strikes;
pub(super) mod walks;
