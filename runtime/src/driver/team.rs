//! The threads that a round of chunks runs on. Without the `parallel` feature that is the caller's alone.

use super::gather::Gather;
use super::plan::Workers;
use super::round::Shared;
use super::run::RunError;
use crate::events::Events;
use crate::kernel::Kernel;
#[cfg(feature = "parallel")]
use {
    super::CHUNK,
    rayon::ThreadPool,
    rayon::iter::{IntoParallelIterator, ParallelIterator},
    std::sync::Arc,
};

#[cfg(feature = "parallel")]
/// Below this many trials a pool of threads costs more than it saves (spawning one takes about 80 us).
const PARALLEL_FROM: u64 = 500_000;

/// The threads to run on.
pub(super) enum Team {
    /// The caller's alone.
    Caller,
    /// Threads of the run's own.
    #[cfg(feature = "parallel")]
    Own(ThreadPool),
    /// The caller's pool.
    #[cfg(feature = "parallel")]
    Lent(Arc<ThreadPool>),
}

impl Team {
    #[cfg(not(feature = "parallel"))]
    pub(super) fn new(_: &Workers, _: u64) -> Result<Self, RunError> {
        Ok(Team::Caller)
    }

    #[cfg(feature = "parallel")]
    pub(super) fn new(workers: &Workers, trials: u64) -> Result<Self, RunError> {
        let threads = match workers {
            Workers::Auto => std::thread::available_parallelism().map_or(1, usize::from),
            Workers::Threads(threads) => *threads,
            Workers::Pool(_) if trials <= CHUNK => 1,
            Workers::Pool(pool) => return Ok(Team::Lent(Arc::clone(pool))),
        };
        if threads <= 1 || trials < PARALLEL_FROM {
            return Ok(Team::Caller);
        }
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map(Team::Own)
            .map_err(|error| RunError::Threads(error.to_string()))
    }

    /// Runs the chunks up to `end`, one worker a thread; gives what each worker counted.
    pub(super) fn run_round<K: Kernel + ?Sized, G: Gather>(
        &self,
        shared: &Shared<'_, K>,
        end: u64,
    ) -> Vec<(G, Events)> {
        match self {
            Team::Caller => vec![shared.work(end)],
            #[cfg(feature = "parallel")]
            Team::Own(pool) => pool.broadcast(|_| shared.work(end)),
            #[cfg(feature = "parallel")]
            // Not all of a lent pool's threads need to be free: whoever is takes the chunks.
            Team::Lent(pool) => pool.install(|| {
                let workers = 0..pool.current_num_threads();
                workers.into_par_iter().map(|_| shared.work(end)).collect()
            }),
        }
    }
}
