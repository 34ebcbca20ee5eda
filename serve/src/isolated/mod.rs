//! Answers questions in separate processes, on which the system enforces limits.
//!
//! ```text
//! worker --body--> child's standard input --dicec_api--> lines of its standard output --> worker
//!                         process::answer                             parent::answer
//! ```
//!
//! A fault of this program, or of a library, ends one question and not the server, and no data of a
//! question remains in the process that answers the next one. A line is a word with its data:
//! `progress DONE OF`, `partial DOCUMENT`, `note DOCUMENT`, and finally `result DOCUMENT` or `wrong
//! STATUS DOCUMENT`.

mod parent;
mod process;

pub(crate) use parent::{Hears, answer};
pub use process::answer as answer_question;

use std::ffi::OsString;
use std::path::PathBuf;

/// How processes for questions are started.
#[derive(Clone, Debug)]
pub struct Isolation {
    /// The program. It calls [`answer_question`], with the bounds that the server has.
    pub program: PathBuf,
    /// Its arguments; the name of the endpoint follows them.
    pub arguments: Vec<OsString>,
    /// All of its environment.
    pub environment: Vec<(OsString, OsString)>,
}

/// The bytes of memory that a process for a question may write to.
const MEMORY: u64 = 1 << 30;
