//! Features of stat blocks (seed 001) in a fight.
//!
//! ```text
//! trait --library--> a feature and its variables --of--> Attached: with the creature's numbers
//!     Attached --lower--> Handlers: when they act, and what saves and damage they ask for;
//!                         Passive: what changes about the creature, Traits: what it does
//!                         better than others while something happens
//! ```
//!
//! Damage and conditions of features use the same type as attacks and actions of the stat block
//! ([`Hit`](super::plan::Hit)), so that saves, resistances and durations have one meaning.

mod attached;
mod conditions;
mod facts;
mod flags;
mod grants;
mod ground;
mod handler;
mod hits;
mod holding;
mod library;
mod lower;
mod lowering;
mod own;
mod parts;
mod passive;
mod remembered;
mod rolled;
mod suffered;
mod targeted;

pub(super) use attached::Attached;
pub(super) use handler::{Does, Handler, Only, Reach, Shape, Uses, Way, When};
pub(super) use lower::{Lowered, lower};
pub(super) use passive::Passive;
pub(super) use targeted::Spelled;
