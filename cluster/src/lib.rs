//! Tables of odds on many machines: a scheduler and executors of Ballista that know the functions
//! of `dicec-sql`.
//!
//! ```text
//!  dicec sql --cluster --plan--> dicec-scheduler --tasks, by rows--> dicec-executor (several)
//!        ^                                                                |
//!        +---------------------- rows, over Arrow Flight -----------------+
//! ```
//!
//! A plan names the functions, and each machine has its own copy of them: what a function remembers
//! stays where it is. A row's answer depends on its values and on the seed of its call only, so it
//! is the same on any machine, and a task whose machine is lost is done again elsewhere. `guard`
//! says which plans and files a member refuses.

mod executor;
mod guard;
mod scheduler;

pub use executor::{Executor, run_executor};
pub use guard::engine::GuardedEngine;
pub use scheduler::{Scheduler, run_scheduler};

use thiserror::Error;

/// Why a member of a cluster stopped.
#[derive(Debug, Error)]
pub enum ClusterError {
    /// Ballista gave up.
    #[error(transparent)]
    Ballista(#[from] ballista_core::error::BallistaError),
    /// DataFusion could not be set up.
    #[error(transparent)]
    DataFusion(#[from] datafusion::error::DataFusionError),
    /// A file or a socket.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The folder for results in between has a name that is not text.
    #[error("the folder {0} has a name that is not text")]
    NotText(String),
}
