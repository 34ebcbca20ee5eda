//! The rolling language: text, types, mistakes, libraries, sessions and native code.

mod answers;
mod arguments;
mod choices;
mod constants;
mod enums;
mod examples;
mod files;
mod generated;
mod identity;
mod lanes;
mod list_operations;
mod lists;
mod loops;
mod mistakes;
mod names;
mod native;
mod patterns;
mod pool_dice;
mod room;
mod samples;
mod sessions;
mod syntax;
mod tables;
mod through_lists;
mod types;
mod words;
