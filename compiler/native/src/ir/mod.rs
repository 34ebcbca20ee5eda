//! The SSA IR: HIR is lowered to it, passes rewrite it, and the IR evaluator and the JIT run it.
//!
//! ```text
//! lower --builder--> Module --pass--> Module --verify--> eval | jit
//!                     |  ^
//!               print |  | parse        (ir_text; examples are in tests/filetests)
//! ```
//!
//! A [`Module`] has one [`Function`] that computes one trial: it draws, reads resources and returns
//! a value, or traps. A script's module has more functions, and the tables that they refer to; they
//! work on an [`ArgumentBlock`] of the arguments. A function is made of [`Block`]s with parameters;
//! each instruction has one [`Op`] of the table in [`op`], exactly one result, and the span of the
//! source that it came from. The trial loop is not part of it: back ends add it.

pub mod argument_block;
mod builder;
pub mod cfg;
mod compact;
mod entity;
mod function;
mod meaning;
mod module;
pub mod op;
mod open;
mod verify;

pub use argument_block::ArgumentBlock;
pub use builder::FunctionBuilder;
pub use entity::{Block, Draw, Field, Func, Inst, ListKind, Pool, Value};
pub use function::{BlockData, Function, FusedDraw, Imm, InstData, Target, Terminator, ValueDef};
pub use meaning::{Const, evaluate};
pub use module::{FieldData, ListData, Module, Placed, RecordData, Shape, Tables};
pub use op::{Op, Type};
pub use open::{OpenRange, OpenWords};
pub use verify::{VerifyError, verify, verify_function};
