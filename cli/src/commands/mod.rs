//! The commands, one a file. Each has its arguments, a `run`, and the report that is its own.

pub(crate) mod best;
pub(crate) mod bestiary;
pub(crate) mod character;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod describe;
pub(crate) mod emit;
pub(crate) mod explain;
pub(crate) mod fmt;
pub(crate) mod licenses;
pub(crate) mod man;
pub(crate) mod odds;
mod present;
mod questions;
pub(crate) mod roll;
mod rolled;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod sim;
pub(crate) mod sql;
mod trials;
mod verify;
