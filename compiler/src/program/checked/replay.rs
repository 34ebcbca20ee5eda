//! Native code against the evaluator of the same code: the first trials of a simulation, bit for
//! bit. That the code means the same as the rule is for the interpreter's trials to say.

use super::compare::Disagreement;
use crate::program::kernels::Compiled;
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::rng::Streams;
use dicec_runtime::stats::Tally;

/// What a kernel did in some trials.
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
    /// The first trials of a seed. What a call that trapped added to `events` means nothing.
    fn by(kernel: &dyn Kernel, inputs: &[i64], seed: u64, trials: usize) -> Option<Self> {
        let mut stream = Streams::new(seed).next()?;
        let mut cells = vec![0; kernel.sink().cells(trials)];
        let mut events = kernel.events();
        let ended = kernel.run(&mut stream, inputs, trials, &mut cells, &mut events);
        let has_ended = ended.is_ok();
        Some(Self {
            ended,
            cells,
            events: match has_ended {
                true => Noted::of(&events),
                false => Noted::of(&kernel.events()),
            },
            state: stream.state(),
        })
    }
}

/// Plays the first trials of a seed again, at least a group and at most `most`; how many those
/// were, 0 if a group is more or there is nothing to compare with.
///
/// # Errors
/// The two differ.
pub(super) fn replay(
    compiled: &Compiled,
    inputs: &[i64],
    seed: u64,
    most: u64,
) -> Result<u64, Disagreement> {
    let group = compiled.group() as u64;
    if group == 0 || most < group {
        return Ok(0);
    }
    let trials = (most / group * group) as usize;
    let Some(reference) = compiled.reference() else {
        return Ok(0);
    };
    let played = |kernel: &dyn Kernel| Played::by(kernel, inputs, seed, trials);
    let (native, again) = (played(&*compiled.kernel), played(&*reference));
    if native == again {
        return Ok(trials as u64);
    }
    Err(told(native, again, compiled.kernel.sink(), trials))
}

/// What two kernels differ in.
fn told(native: Option<Played>, again: Option<Played>, sink: Sink, trials: usize) -> Disagreement {
    let (Some(native), Some(again)) = (native, again) else {
        return Disagreement::certain("that there is a stream", "true", "false");
    };
    let trapped = |ended: &Result<(), Stopped>| match ended {
        Ok(()) => "no error".to_owned(),
        Err(stopped) => format!("{} in trial {}", stopped.trap, stopped.trial),
    };
    let first = format!("the first {trials} trials");
    if native.ended != again.ended {
        let part = format!("what ends {first}");
        return Disagreement::certain(&part, &trapped(&native.ended), &trapped(&again.ended));
    }
    if native.state != again.state {
        let part = format!("the number of words that {first} draw");
        return Disagreement::certain(&part, "another", "another");
    }
    let cells = native.cells.iter().zip(&again.cells);
    if let Some(place) = cells.clone().position(|(one, other)| one != other) {
        let part = match sink {
            Sink::Values => format!("the result of trial {place}"),
            Sink::Histogram { low, .. } => {
                format!("the number of {} in {first}", low + place as i64)
            }
            Sink::Count => format!("the number of successes in {first}"),
            Sink::Moments(_) => format!("the sum of results of {first}"),
        };
        let (one, other) = (native.cells[place], again.cells[place]);
        return Disagreement::certain(&part, &one.to_string(), &other.to_string());
    }
    let part = format!("what {first} output and note");
    let shown = |noted: &Noted| format!("{noted:?}");
    Disagreement::certain(&part, &shown(&native.events), &shown(&again.events))
}
