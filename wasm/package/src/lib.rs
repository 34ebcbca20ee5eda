//! Rules and scripts for JavaScript: compiled once, then rolled, solved and simulated.
//!
//! `js/index.js` is the interface that people see; it calls these handles. Documents are the JSON
//! of the command (docs/json.md), and errors are lists of findings as JSON.

mod bound;
mod host;
mod program;
mod session;
mod wrong;

pub use bound::Bound;
pub use program::{Program, compile_rule, compile_script};
pub use session::Session;
