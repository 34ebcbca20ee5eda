//! The dice notation: which rules parse, what they mean and how a roll is shown, checked against
//! the seeds and rows of faces.

mod compound;
mod conformance;
mod foreign;
mod front_end;
mod hints;
mod labels;
mod possible_numbers;
mod seed_000;
mod seed_002;
mod spelling;
mod total_dice;
