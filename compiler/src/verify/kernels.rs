//! Two kernels of the same code on the same words, everything bit for bit: native code and the
//! evaluator.

use super::Difference;
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::rng::Stream;
use dicec_runtime::stats::Tally;

/// The record of a kernel in some trials.
#[derive(Debug, PartialEq)]
struct Played {
    ended: Result<(), Stopped>,
    cells: Vec<i64>,
    events: Noted,
    state: [u64; 4],
}

/// Events in a form that can be compared.
#[derive(Debug, PartialEq)]
struct Noted {
    lines: Vec<(String, u64)>,
    stats: Vec<Vec<(i64, u64)>>,
    named: Vec<(String, Vec<(i64, u64)>)>,
}

impl Noted {
    fn of(events: &Events) -> Self {
        let counts = |tally: &Tally| tally.outcomes().collect::<Vec<_>>();
        let lines = events.lines.iter();
        let named = events.named().iter();
        Self {
            lines: lines.map(|(line, n)| (line.to_owned(), n)).collect(),
            stats: events.stats().iter().map(counts).collect(),
            named: named
                .map(|(name, tally)| (name.to_owned(), counts(tally)))
                .collect(),
        }
    }
}

impl Played {
    /// The first trials of a stream. If a call traps, its `events` do not count, nor the cells from
    /// the trapping trial on.
    fn by(kernel: &dyn Kernel, inputs: &[i64], mut stream: Stream, trials: usize) -> Self {
        let sink = kernel.sink();
        let mut cells = vec![0; sink.cells(trials)];
        let mut events = kernel.events();
        let ended = kernel.run(&mut stream, inputs, trials, &mut cells, &mut events);
        if let (Sink::Values, Err(stopped)) = (sink, &ended) {
            cells.truncate(stopped.trial as usize);
        }
        Self {
            events: match ended.is_ok() {
                true => Noted::of(&events),
                false => Noted::of(&kernel.events()),
            },
            ended,
            cells,
            state: stream.state(),
        }
    }
}

/// Runs both kernels, whose sinks are the same, on the same words; the difference, if there is one:
/// before is `evaluated`, after is `native`.
pub fn kernels_differ(
    evaluated: &dyn Kernel,
    native: &dyn Kernel,
    inputs: &[i64],
    (stream, trials): (&Stream, usize),
) -> Option<Difference> {
    let played = |kernel| Played::by(kernel, inputs, stream.clone(), trials);
    let [before, after] = [evaluated, native].map(played);
    (before != after).then(|| told(&before, &after, native.sink(), trials))
}

/// The first thing in which two kernels differ.
fn told(before: &Played, after: &Played, sink: Sink, trials: usize) -> Difference {
    let differ = |of: String, show: &dyn Fn(&Played) -> String| Difference {
        of,
        before: show(before),
        after: show(after),
    };
    let first = format!("the first {trials} trials");
    if before.ended != after.ended {
        return differ(
            format!("the end of {first}"),
            &|played| match &played.ended {
                Ok(()) => "no error".to_owned(),
                Err(stopped) => format!("{} in trial {}", stopped.trap, stopped.trial),
            },
        );
    }
    if before.state != after.state {
        let of = format!("the generator after the words of {first}");
        return differ(of, &|played| format!("{:x?}", played.state));
    }
    let cells = before.cells.iter().zip(&after.cells);
    if let Some(place) = cells.clone().position(|(one, other)| one != other) {
        let of = match sink {
            Sink::Values => format!("the result of trial {place}"),
            Sink::Histogram { low, .. } => {
                format!("the number of {} in {first}", low + place as i64)
            }
            Sink::Count => format!("the number of successes in {first}"),
            Sink::Moments(_) => format!("the sum of results of {first}"),
        };
        return differ(of, &|played| played.cells[place].to_string());
    }
    let of = format!("the lines and statistics of {first}");
    differ(of, &|played| format!("{:?}", played.events))
}
