//! The threads that a range of chunks runs on. Without the `parallel` feature that is the caller's
//! thread only.

use super::error::RunError;
use super::plan::Workers;
#[cfg(feature = "parallel")]
use {
    super::CHUNK,
    rayon::ThreadPool,
    rayon::iter::{IntoParallelIterator, ParallelIterator},
    std::sync::Arc,
};

#[cfg(feature = "parallel")]
/// Below this many trials a pool of threads costs more than it saves (spawning one takes about 80
/// us).
const PARALLEL_FROM: u64 = 500_000;

/// The threads to run on.
pub(super) enum Team {
    /// The caller's thread only.
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

    /// The number of threads.
    pub(super) fn threads(&self) -> usize {
        match self {
            Team::Caller => 1,
            #[cfg(feature = "parallel")]
            Team::Own(pool) => pool.current_num_threads(),
            #[cfg(feature = "parallel")]
            Team::Lent(pool) => pool.current_num_threads(),
        }
    }

    /// Does some work on each thread; returns the results.
    pub(super) fn each<T: Send>(&self, work: impl Fn() -> T + Sync) -> Vec<T> {
        match self {
            Team::Caller => vec![work()],
            #[cfg(feature = "parallel")]
            Team::Own(pool) => pool.broadcast(|_| work()),
            // Not all of a lent pool's threads need to be free: those that are take the chunks.
            #[cfg(feature = "parallel")]
            Team::Lent(pool) => pool.install(|| {
                let workers = 0..pool.current_num_threads();
                workers.into_par_iter().map(|_| work()).collect()
            }),
        }
    }
}
