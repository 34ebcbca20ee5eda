//! The dice notation: what parses, what it means and how a roll is shown, held to the seeds and to
//! rows of faces.

mod conformance;
mod front_end;
mod seed_000;
mod seed_002;
mod spelling;
