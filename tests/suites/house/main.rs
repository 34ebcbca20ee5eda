//! What a machine can hold of the project's own rules: layers, the length of files, and
//! documentation that is made from code.

mod docs;
mod layers;
