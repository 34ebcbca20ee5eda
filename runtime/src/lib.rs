//! The runtime of compiled dice rules, and the representation of their results.
//!
//! This crate depends on no other crate of the project. It defines the meaning of operations
//! ([`ops`], [`float`], [`compare`], [`pool`], [`degree`], [`against`]), the drawing of dice
//! ([`rng`]), the source of resources ([`resource`]), the struct for compiled code ([`abi`]), the
//! trait of every back end's executable ([`kernel`], and the cells of its sink of [`moments`]), the
//! chunked parallel driver that runs it ([`driver`]) under the caller's [`control`] by a [`clock`],
//! exact distributions ([`pmf`]) and sampled ones ([`stats`]) with the scale of their outcomes
//! ([`scale`]), and the memory and notes of a script's trials ([`script`], [`events`], [`text`]).

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
