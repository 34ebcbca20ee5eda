//! The variables of calls. A variable has the values that running calls gave it, the latest last,
//! so that one is read in one step however deep the calls are.

use super::observing::Observed;
use crate::ast::Variable;
use crate::value::Value;
use dicec_runtime::pmf::Weight;

/// The global variables, and those of the calls that are running.
pub(super) struct Frames<W> {
    /// For each variable its values, with the numbers of the frames that gave them.
    values: Vec<Vec<(usize, Value<W>)>>,
    frames: Vec<Frame>,
}

/// A call, or the program itself.
#[derive(Default)]
struct Frame {
    /// The variables that it gave a value.
    assigned: Vec<Variable>,
    /// Expressions whose values are known before the body runs.
    observed: Option<Observed>,
}

impl<W: Weight> Frames<W> {
    /// The program itself, with this number of variables.
    pub(super) fn new(variables: usize) -> Self {
        Self {
            values: vec![Vec::new(); variables],
            frames: vec![Frame::default()],
        }
    }

    /// The number of frames: 1 outside of calls.
    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }

    /// A call begins.
    pub(super) fn push(&mut self) {
        self.frames.push(Frame::default());
    }

    /// A call ends: its variables have their values from before.
    pub(super) fn pop(&mut self) {
        let ended = self.frames.pop();
        for variable in ended.into_iter().flat_map(|frame| frame.assigned) {
            self.values[variable.0 as usize].pop();
        }
    }

    /// The value of a variable: of this call, of its caller, and so on.
    pub(super) fn read(&self, variable: Variable) -> Option<&Value<W>> {
        let (_, value) = self.values[variable.0 as usize].last()?;
        Some(value)
    }

    /// Gives a variable of this call a value.
    pub(super) fn assign(&mut self, variable: Variable, value: Value<W>) {
        let here = self.frames.len();
        let values = &mut self.values[variable.0 as usize];
        match values.last_mut() {
            Some((frame, known)) if *frame == here => *known = value,
            _ => {
                values.push((here, value));
                if let Some(frame) = self.frames.last_mut() {
                    frame.assigned.push(variable);
                }
            }
        }
    }

    /// Expressions of this call whose values are known.
    pub(super) fn observed(&self) -> Option<&Observed> {
        self.frames.last()?.observed.as_ref()
    }

    /// Sets them.
    pub(super) fn observe(&mut self, observed: Option<Observed>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.observed = observed;
        }
    }
}
