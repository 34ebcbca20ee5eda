//! A progress bar for long work. It is there only when standard error is a terminal, and only after
//! a moment, so that short work leaves no trace.

use dicec_compiler::Simulation;
use dicec_compiler::answer::grouped;
use dicec_runtime::driver::Control;
use dicec_runtime::driver::Extent;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

/// Work shorter than this shows no bar.
const DELAY: Duration = Duration::from_millis(400);

/// Runs a simulation with a progress bar.
pub(crate) fn watched<T>(asked: &Simulation, run: impl FnOnce(&Control) -> T) -> T {
    let total = match asked.extent {
        Extent::Trials(trials) => Some(trials),
        Extent::Precision { .. } => None,
    };
    let progress = Progress::new(total, "trials");
    run(&progress.control())
}

/// A bar that appears when the work turns out to be long, and goes away when it is dropped. It may
/// be told of progress from any thread.
pub(crate) struct Progress(Arc<Bar>);

struct Bar {
    bar: ProgressBar,
    start: Instant,
    shown: Once,
    interactive: bool,
}

impl Progress {
    /// Progress through `total` units (`trials`, `rows`), or through an unknown number of them.
    pub(crate) fn new(total: Option<u64>, unit: &str) -> Self {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let template = match total {
            Some(_) => "{bar:30} {percent:>3} %  {human_pos} of {human_len} {msg}, {eta} left",
            None => "{spinner} {human_pos} {msg}, {elapsed}",
        };
        // The templates are constants; should one not parse, the default style is good enough.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(unit.to_owned());
        Self(Arc::new(Bar {
            bar,
            start: Instant::now(),
            shown: Once::new(),
            interactive: io::stderr().is_terminal(),
        }))
    }

    /// This many units are done.
    pub(crate) fn set(&self, done: u64) {
        self.0.set(done);
    }

    /// What tells of rows that are done, beside this bar of a table's bytes.
    pub(crate) fn rows(&self) -> impl Fn(u64, Option<u64>) + Send + Sync + 'static {
        let bar = Arc::clone(&self.0);
        move |done, _| {
            if bar.is_due() {
                bar.bar
                    .set_message(format!("bytes, {} rows", grouped(done)));
            }
        }
    }

    /// A control for work that moves this bar.
    pub(crate) fn control(&self) -> Control {
        let bar = Arc::clone(&self.0);
        Control::with_progress(move |done, _| bar.set(done))
    }
}

impl Bar {
    /// Whether there is something to show it on, and the work is long; it is shown from then on.
    fn is_due(&self) -> bool {
        let due = self.interactive && self.start.elapsed() >= DELAY;
        if due {
            self.shown
                .call_once(|| self.bar.set_draw_target(ProgressDrawTarget::stderr()));
        }
        due
    }

    fn set(&self, done: u64) {
        if self.is_due() {
            self.bar.set_position(done);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.bar.finish_and_clear();
    }
}
