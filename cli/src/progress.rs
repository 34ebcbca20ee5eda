//! The progress of long work: one line, from its beginning to its end, and only when standard error
//! is a terminal.

use crate::interrupt::on_interrupt;
use dicec_compiler::Simulation;
use dicec_compiler::answer::grouped;
use dicec_runtime::driver::{Control, Extent};
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How often the line changes at least, so that slow work is seen to be alive.
const TICK: Duration = Duration::from_millis(100);

/// Columns for the spinner, and one that stays empty, since some terminals wrap a full line.
const MARGIN: usize = 3;

/// Runs a simulation with a line of progress; Ctrl-C ends it with the trials done so far.
pub(crate) fn watched<T>(asked: &Simulation, run: impl FnOnce(&Control) -> T) -> T {
    let progress = match asked.extent {
        Extent::Trials(trials) => Progress::new(Some(trials), "trials"),
        Extent::Precision { most, .. } | Extent::OfRange { most, .. } => {
            Progress::new(None, &format!("trials of at most {}", grouped(most)))
        }
    };
    let control = progress.control();
    let stopped = control.clone();
    on_interrupt(move || stopped.finish());
    run(&control)
}

/// [`watched`], with the trials done so far after this time.
pub(crate) fn watched_for<T>(
    asked: &Simulation,
    longest: Option<Duration>,
    run: impl FnOnce(&Control) -> T,
) -> T {
    watched(asked, |control| {
        if let Some(longest) = longest {
            let control = control.clone();
            thread::spawn(move || {
                thread::sleep(longest);
                control.finish();
            });
        }
        run(control)
    })
}

/// A line that goes away when this is dropped. It may be told of progress from any thread.
pub(crate) struct Progress(Arc<Line>);

struct Line {
    bar: ProgressBar,
    unit: Arc<Mutex<Unit>>,
}

/// What the line counts.
enum Unit {
    /// What the bar counts, by this name.
    Named(String),
    /// Rows of a table, of which this many are done; the bar counts them too, or the table's bytes.
    Rows(u64),
}

impl Progress {
    /// Progress through `total` units (`trials`), or through an unknown number of them.
    pub(crate) fn new(total: Option<u64>, unit: &str) -> Self {
        Self::of(total, Unit::Named(unit.to_owned()))
    }

    /// Progress through the rows of a table, of which `total` is the number, or the bytes.
    pub(crate) fn of_rows(total: Option<u64>) -> Self {
        Self::of(total, Unit::Rows(0))
    }

    fn of(total: Option<u64>, unit: Unit) -> Self {
        let unit = Arc::new(Mutex::new(unit));
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        // The template is a constant; should it not parse, the default style is good enough.
        if let Ok(style) = ProgressStyle::with_template("{spinner} {line}") {
            let unit = Arc::clone(&unit);
            let line = move |state: &ProgressState, line: &mut dyn Write| {
                let unit = unit.lock().unwrap_or_else(PoisonError::into_inner);
                let width = terminal_size::terminal_size_of(io::stderr());
                let width = width.map_or(80, |(columns, _)| usize::from(columns.0));
                // A line that cannot be written is not shown.
                let _ = line.write_str(&fitted(&parts(state, &unit), width));
            };
            bar.set_style(style.with_key("line", line));
        }
        if io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.tick();
            bar.enable_steady_tick(TICK);
        }
        Self(Arc::new(Line { bar, unit }))
    }

    /// This many units are done.
    pub(crate) fn set(&self, done: u64) {
        self.0.bar.set_position(done);
    }

    /// What tells of rows that are done. The bar is set to them with `is_total`, if it counts rows.
    pub(crate) fn rows(&self, is_total: bool) -> impl Fn(u64, Option<u64>) + Send + Sync + 'static {
        let line = Arc::clone(&self.0);
        move |done, _| {
            let mut unit = line.unit.lock().unwrap_or_else(PoisonError::into_inner);
            *unit = Unit::Rows(done);
            if is_total {
                line.bar.set_position(done);
            }
        }
    }

    /// A control for work that moves this line, if anyone sees it.
    pub(crate) fn control(&self) -> Control {
        if self.0.bar.is_hidden() {
            return Control::default();
        }
        let line = Arc::clone(&self.0);
        Control::with_progress(move |done, _| line.bar.set_position(done))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.bar.finish_and_clear();
    }
}

/// What the line says, the most important first.
fn parts(state: &ProgressState, unit: &Unit) -> Vec<String> {
    let done = grouped(state.pos());
    let Some(total) = state.len() else {
        let elapsed = HumanDuration(state.elapsed()).to_string();
        return vec![counted(&done, unit), elapsed];
    };
    let share = format!("{:.0} %", state.fraction() * 100.0);
    let counts = match unit {
        Unit::Named(_) => counted(&format!("{done} of {}", grouped(total)), unit),
        Unit::Rows(_) => counted(&done, unit),
    };
    // Nothing is known before the first of them.
    let left = (state.pos() > 0).then(|| format!("{} left", HumanDuration(state.eta())));
    [share, counts].into_iter().chain(left).collect()
}

/// The count of a unit; rows have their own.
fn counted(done: &str, unit: &Unit) -> String {
    match unit {
        Unit::Named(name) => format!("{done} {name}"),
        Unit::Rows(rows) => format!("{} rows", grouped(*rows)),
    }
}

/// As many parts as the terminal has room for; the last may be cut.
fn fitted(parts: &[String], width: usize) -> String {
    let room = width.saturating_sub(MARGIN);
    parts.join(", ").chars().take(room).collect()
}

#[cfg(test)]
mod tests {
    use super::fitted;

    #[test]
    fn a_line_fits_any_terminal() {
        let parts = ["12 %", "1,200 of 10,000 trials", "3 seconds left"].map(str::to_owned);
        let whole = "12 %, 1,200 of 10,000 trials, 3 seconds left";
        assert_eq!(fitted(&parts, 80), whole);
        assert_eq!(fitted(&parts, 20), &whole[..17]);
        assert_eq!(fitted(&parts, 0), "");
    }
}
