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
    ArgumentError, Asked, Backend, Bound, BoundScript, Compiler, Failure, Identity, KNOWN_FROM,
    Played, Program, Refusal, Roll, Sampler, Sampling, Script, ScriptErrors, ScriptRoll,
    ScriptSampler, ScriptSession, ScriptSimulated, ScriptSummarised, Session, SessionError,
    SharedKernel, Simulated, Simulation, Step, Summarised, Summariser, Throw, Thrown,
};
