//! What a compiled dice rule needs while it runs, and what its results become.
//!
//! This crate is the end of the flow and depends on no other crate of the project. It defines what
//! each operation means ([`ops`], [`float`], [`compare`], [`pool`], [`degree`], [`against`]), how
//! dice are drawn ([`rng`]), where resources come from ([`resource`]), the struct that compiled
//! code receives ([`abi`]), the trait that every back end's executable implements ([`kernel`], and
//! the cells of its sink of [`moments`]), the chunked parallel driver that runs it ([`driver`])
//! under the caller's [`control`] by a [`clock`], and the shapes of the answer: exact distributions
//! ([`pmf`]) and sampled ones ([`stats`]), with how their outcomes are read ([`scale`]), and what
//! the trials of a script work on and note ([`script`], [`events`], [`text`]).

pub mod abi;
pub mod against;
pub mod bug;
pub mod clock;
pub mod compare;
pub mod control;
pub mod degree;
pub mod driver;
pub mod events;
pub mod float;
pub mod kernel;
pub mod limits;
pub mod moments;
pub mod ops;
pub mod pmf;
pub mod pool;
pub mod resource;
pub mod rng;
pub mod scale;
pub mod script;
pub mod span;
pub mod stats;
pub mod text;
pub mod trap;
