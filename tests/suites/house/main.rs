//! Project rules that a test can check: layers, the length of files, and documentation that is
//! generated from code.

mod book;
mod docs;
mod imports;
mod interface;
mod layers;
