//! The job queue: workers, waiting requests, and time limits.
//!
//! A request enters a queue of bounded length, works on a thread that may block, and is cancelled
//! when no client waits for its answer any more. Its slot is free only when its work is really
//! over, or while it waits for its client ([`Place::aside`]).

use crate::response::Refused;
use crate::settings::Settings;
use dicec_compiler::Control;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

/// The time that work may take to end after it was told to.
pub(crate) const GRACE: Duration = Duration::from_secs(2);

/// The way in which work is told to end.
type End = fn(&Control);

/// The places for work.
pub(crate) struct Workers {
    working: Arc<Semaphore>,
    /// The slots for requests that work or wait.
    inside: Arc<Semaphore>,
    time: Duration,
}

/// The slot of one request.
pub(crate) struct Place {
    _inside: OwnedSemaphorePermit,
    working: Arc<Semaphore>,
    /// `None` while the request waits for its client.
    held: Mutex<Option<OwnedSemaphorePermit>>,
}

impl Place {
    /// Waits for the client, while others use this slot. For a thread that may block.
    pub(crate) fn aside<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.set(None);
        let waited = wait();
        let again = Arc::clone(&self.working).acquire_owned();
        self.set(Handle::current().block_on(again).ok());
        waited
    }

    fn set(&self, permit: Option<OwnedSemaphorePermit>) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = permit;
    }
}

/// Cancels work when it is dropped: no client waits for the answer any more.
pub(crate) struct Cancel(pub(crate) Control);

impl Drop for Cancel {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Workers {
    pub(crate) fn new(settings: &Settings) -> Self {
        let workers = settings.workers.max(1);
        Self {
            working: Arc::new(Semaphore::new(workers)),
            inside: Arc::new(Semaphore::new(workers + settings.queue)),
            time: settings.time,
        }
    }

    /// Waits for a slot.
    ///
    /// # Errors
    /// Too many requests wait already.
    pub(crate) async fn enter(&self) -> Result<Arc<Place>, Refused> {
        let inside = Arc::clone(&self.inside).try_acquire_owned();
        let inside = inside.map_err(|_| Refused::busy())?;
        let held = Arc::clone(&self.working).acquire_owned().await;
        Ok(Arc::new(Place {
            _inside: inside,
            working: Arc::clone(&self.working),
            held: Mutex::new(Some(held.map_err(|_| Refused::internal())?)),
        }))
    }

    /// Does work in a slot. When its time is up, a simulation ends with its results so far; other
    /// work is cancelled.
    ///
    /// # Errors
    /// Those of the work, or that its time was up.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        place: Arc<Place>,
        control: &Control,
        work: impl FnOnce() -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Refused> {
        let mut task = spawn_blocking(move || {
            let done = work();
            drop(place);
            done
        });
        let steps: [(Duration, End); 2] = [(self.time, Control::finish), (GRACE, Control::cancel)];
        let mut is_over = false;
        for (time, end) in steps {
            tokio::select! {
                done = &mut task => return self.result(done, is_over),
                () = sleep(time) => end(control),
            }
            is_over = true;
        }
        self.result(task.await, is_over)
    }

    fn result<T>(
        &self,
        done: Result<Result<T, Refused>, tokio::task::JoinError>,
        is_over: bool,
    ) -> Result<T, Refused> {
        match done {
            Ok(Err(refused)) if is_over && refused.is_cancelled => {
                Err(Refused::out_of_time(self.time.as_secs()))
            }
            Ok(done) => done,
            Err(_) => Err(Refused::internal()),
        }
    }
}
