//! Long work: without the interpreter's lock, with progress for a callback, and with an end at
//! Ctrl-C.
//!
//! Ctrl-C ends the work with a `KeyboardInterrupt`, and so does any exception of the callback with
//! that. A callback that returns `False` ends a simulation with the trials done so far.

use dicec_compiler::Control;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often the interpreter is asked for signals, and a callback is called.
const TICK: Duration = Duration::from_millis(50);

/// How much of some work is done, of how much; of 0 if that is not known.
#[derive(Default)]
pub(crate) struct Progress {
    done: AtomicU64,
    most: AtomicU64,
}

impl Progress {
    /// This much is done.
    pub(crate) fn set(&self, done: u64, most: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.most.store(most, Ordering::Relaxed);
    }
}

/// Runs work on a thread of its own, while this one looks after signals and the callback.
///
/// # Errors
/// Ctrl-C, or an exception of the callback.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    callback: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Control, &Arc<Progress>) -> T + Send,
) -> PyResult<T> {
    let progress = Arc::new(Progress::default());
    let told = Arc::clone(&progress);
    let control = Control::with_progress(move |done, most| told.set(done, most));
    let callback = callback.map(|callback| callback.clone().unbind());
    let (result, ended) = py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = channel::<()>();
            let worker = scope.spawn(|| {
                // Dropped at the end of the work, also at that of a panic.
                let _sender = sender;
                work(&control, &progress)
            });
            let mut ended = Ok(());
            while receiver.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if ended.is_ok() {
                    ended = look(callback.as_ref(), &control, &progress);
                }
            }
            let result = worker.join();
            (
                result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                ended,
            )
        })
    });
    ended?;
    if let Some(callback) = &callback {
        call(py, callback, &progress)?;
    }
    Ok(result)
}

/// Looks for signals, and calls the callback once something is done: before that there is nothing
/// to tell, and no result to end with. Any exception cancels the work.
fn look(callback: Option<&Py<PyAny>>, control: &Control, progress: &Progress) -> PyResult<()> {
    let looked = Python::attach(|py| {
        py.check_signals()?;
        match callback {
            Some(callback) if progress.done.load(Ordering::Relaxed) > 0 => {
                call(py, callback, progress)
            }
            _ => Ok(true),
        }
    });
    match looked {
        Ok(true) => {}
        Ok(false) => control.finish(),
        Err(_) => control.cancel(),
    }
    looked.map(drop)
}

/// Calls `callback(done, most)`; whether the work is to go on.
fn call(py: Python<'_>, callback: &Py<PyAny>, progress: &Progress) -> PyResult<bool> {
    let done = progress.done.load(Ordering::Relaxed);
    let most = progress.most.load(Ordering::Relaxed);
    let most = (most > 0).then_some(most);
    let answer = callback.bind(py).call1((done, most))?;
    Ok(!answer.is(pyo3::types::PyBool::new(py, false)))
}

/// Runs work that mostly takes microseconds, on this thread; Ctrl-C ends it.
///
/// # Errors
/// Ctrl-C.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Control) -> T + Send,
) -> PyResult<T> {
    let state = Arc::new(Mutex::new(Interruptible {
        control: None,
        looked: Instant::now(),
        signal: None,
    }));
    let seen = Arc::clone(&state);
    let control = Control::with_progress(move |_, _| lock(&seen).look());
    lock(&state).control = Some(control.clone());
    let result = py.detach(|| work(&control));
    let mut state = lock(&state);
    // The control holds the state, which is not to hold the control.
    state.control = None;
    state.signal.take().map_or(Ok(result), Err)
}

/// What `interruptible` work looks at from time to time.
struct Interruptible {
    control: Option<Control>,
    looked: Instant,
    signal: Option<PyErr>,
}

impl Interruptible {
    fn look(&mut self) {
        if self.signal.is_some() || self.looked.elapsed() < TICK {
            return;
        }
        self.looked = Instant::now();
        self.signal = Python::attach(|py| py.check_signals()).err();
        if let (Some(_), Some(control)) = (&self.signal, &self.control) {
            control.cancel();
        }
    }
}

fn lock(state: &Mutex<Interruptible>) -> std::sync::MutexGuard<'_, Interruptible> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
