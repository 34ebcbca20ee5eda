//! Scripts of the rolling language: compile one, ask it.

mod front;

pub use front::compile_script;
