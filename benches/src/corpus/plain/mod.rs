//! The corpus in plain Rust: what each script says, written as a programmer would.

pub(super) mod boards;
pub(super) mod calls;
pub(super) mod cards;
pub(super) mod dh2e;
pub(super) mod dh2e_fight;
pub(super) mod encounters;
pub(super) mod lists;
pub(super) mod loops;
pub(super) mod skirmish;
pub(super) mod units;
