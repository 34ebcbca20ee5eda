//! dicec for Python. This crate turns values of Python into questions to the libraries, and answers
//! into objects; it computes nothing itself.
//!
//! ```text
//! rule, resources --asked--> Bound --odds, simulate, sample, roll--> Odds, Roll, arrays of NumPy
//! AnyDice program --anydice--> Outputs
//! script, arguments --script--> Bound --> ScriptOdds, Roll
//! an encounter --encounter--> Fought --> Encounter
//! a table of Arrow --table--> dicec_tables::Batch --> columns of Arrow
//! ```
//!
//! `watch` runs long work without the interpreter's lock, tells of progress, and ends it at Ctrl-C.
//! `error` makes what is wrong a `dicec.DiceError`, whose advice `wording` puts in terms of Python.
//! The package around this module is in `dicec/`.

mod anydice;
mod asked;
mod bounds;
mod command;
mod day;
mod encounter;
mod error;
mod faults;
mod html;
mod joint;
mod kept;
mod limits;
mod odds;
mod parts;
mod resources;
mod roll;
mod rows;
mod sample;
mod script;
mod script_odds;
mod simulate;
mod table;
mod value;
mod watch;
mod wording;

/// The native half of the package `dicec`.
#[pyo3::pymodule]
mod _dicec {
    #[pymodule_export]
    use super::anydice::{Outputs, anydice, anydice_sweep};
    #[pymodule_export]
    use super::command::command;
    #[pymodule_export]
    use super::day::{Day, day};
    #[pymodule_export]
    use super::encounter::{Encounter, creatures, encounter};
    #[pymodule_export]
    use super::joint::Joint;
    #[pymodule_export]
    use super::odds::{Odds, odds};
    #[pymodule_export]
    use super::parts::{of_parts, parts, summed};
    #[pymodule_export]
    use super::roll::{Roll, roll};
    #[pymodule_export]
    use super::sample::{Ready, fill, sampler};
    #[pymodule_export]
    use super::script::Script;
    #[pymodule_export]
    use super::script_odds::ScriptOdds;
    #[pymodule_export]
    use super::simulate::sim;
    #[pymodule_export]
    use super::table::batch;
}
