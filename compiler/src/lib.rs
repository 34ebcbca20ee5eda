//! The compiler for tabletop dice. Start at [`Compiler`]; [`program`] has an example.
//!
//! ```text
//! text --front--> hir --check--> hir (typed) --lower--> ir --pass--> ir
//!                                  |                               |
//!                         interp, exact                       eval, jit
//! ```
//!
//! Data goes one way: nothing below [`lower`] knows a front end, nothing above it knows a back end.

pub mod analysis;
pub mod check;
pub mod engine;
pub mod front;
pub mod hir;
pub mod ir;
pub mod ir_text;
pub mod lower;
pub mod pass;
pub mod program;
pub mod syntax;

pub use program::{
    ArgumentError, ArgumentErrors, Asked, Backend, BindError, Bound, BugReport, Compiler, Failure,
    Identity, KNOWN_FROM, Keep, Limits, Misuse, Played, Program, Refusal, Report, Results, Roll,
    Rolled, Sampler, Sampling, SavedSession, ScriptErrors, ScriptSession, Session, SessionError,
    Simulation, Step, Throw, Thrown,
};
