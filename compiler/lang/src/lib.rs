//! The languages of dicec, and the meaning of their programs.
//!
//! [`front`] reads rules and scripts, [`check`] gives each expression of the typed tree ([`hir`])
//! its type, and [`interp`] runs the tree: it defines the meaning, which every other engine is held
//! to. [`syntax`] has spans of the text and findings about it.

pub mod check;
pub mod front;
pub mod hir;
pub mod interp;
pub mod syntax;
