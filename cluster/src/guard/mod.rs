//! What members refuse, whoever asks: plans that do more than read tables and compute, and files
//! that are not in the folders of the command line.
//!
//! ```text
//!  a statement's plan --`logical`--> the scheduler plans it --+
//!  a finished plan ------`codec`---> the scheduler cuts it ---+
//!  a task that is sent straight to the port for tasks --------+--`engine`, `physical`--> it runs
//!
//!  whatever opens a file: dicec_sql::Store, on the scheduler and on executors
//!  whoever fetches rows: `flight`
//! ```
//!
//! Plans are made of kinds of nodes. Those that are known to do no harm are listed; all others are
//! refused, so that a new kind of node is not a hole.

pub(crate) mod codec;
pub(crate) mod engine;
pub(crate) mod flight;
pub(crate) mod logical;
mod physical;

use dicec_lang::syntax::{FileCode, Finding};
use dicec_sql::SqlError;

/// A refusal of what a plan asks for.
fn refused(what: &str) -> SqlError {
    let message = format!("the machines of a cluster do not run {what}");
    let help = "a cluster answers queries of tables: do the rest on this machine, and write the \
                rows with -o";
    let finding = Finding::general(FileCode::Refused.as_str(), message);
    finding.help(help).into()
}
