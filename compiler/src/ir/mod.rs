//! The SSA IR: what the HIR is lowered to, what passes rewrite, and what the IR evaluator and the JIT run.
//!
//! ```text
//! lower --builder--> Function --pass--> Function --verify--> eval | jit
//!                      |  ^
//!                print |  | parse        (the text is in tests/filetests)
//! ```
//!
//! A [`Function`] computes one trial: it draws, reads resources and returns a value, or traps. A script's [`Unit`] has more of them, with the
//! tables that they refer to; what they work on is an [`Image`] of the arguments. It is made of
//! [`Block`]s with parameters; each instruction has one [`Op`] of the table in [`op`], exactly one result, and the
//! span of the source that it came from. The trial loop is not in here: a back end wraps it around.

mod builder;
pub mod cfg;
mod compact;
mod entity;
mod function;
pub mod image;
mod law;
mod meaning;
pub mod op;
mod order;
mod parse;
mod print;
mod quote;
mod recipe;
mod step;
mod unit;
mod unit_text;
mod verify;

pub use builder::FunctionBuilder;
pub use entity::{Block, Field, Func, Inst, ListKind, Pool, Recipe, Value};
pub use function::{BlockData, Function, Imm, InstData, Target, Terminator, ValueDef};
pub use image::Image;
pub(crate) use law::is_pure;
pub use meaning::{Const, evaluate};
pub use op::{Op, Type};
pub use parse::{ParseError, parse};
pub use recipe::RecipeData;
pub use unit::{FieldData, ListData, RecordData, Shape, Tables, Unit};
pub use unit_text::parse_unit;
pub use verify::{VerifyError, verify, verify_in, verify_unit};
