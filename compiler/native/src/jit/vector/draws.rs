//! Counts draws instead of results. If a trial is a single die, the die determines its result. So
//! the dice of several trials are drawn as one number, the cell of that number is incremented, and
//! the results are computed only at the end of the call.
//!
//! ```text
//! (1d8+4)*2-3:  word --first 12 bits--> number of four dice --> its cell      32 trials: 8 cells
//! 1d20+7 vs 15: word --die of 400 sides--> number of two dice --> its cell    32 trials: 16 cells
//! ```

use crate::eval::results_by_face;
use crate::ir::{Function, Op};
use crate::pass::VectorForm;
use dicec_runtime::kernel::Sink;
use dicec_runtime::rng::lanes::{Joint, Word};

/// The maximum number of cells of a word's table: it stays in the first-level cache, and clearing
/// and folding it costs little compared with a call's trials.
const MAX_CELLS: u32 = 1 << 12;

/// The counting scheme for the draws of a form's words.
#[derive(Clone, Debug)]
pub(super) struct Draws {
    /// The layout's words, with the index of the first cell of each of their dice.
    pub(super) words: Vec<(Word, Vec<usize>)>,
    /// The different dice of these words, with one table after the other.
    pub(super) tables: Vec<Joint>,
    /// The sink's cell for each face.
    pub(super) cells: Vec<usize>,
}

impl Draws {
    /// The counting scheme of a form whose only die determines its result, if it increments fewer
    /// cells than there are trials.
    pub(super) fn new(form: &VectorForm, sink: Sink) -> Option<Self> {
        let Sink::Histogram { low, cells } = sink else {
            return None;
        };
        // A script notes more than its result.
        let loop_free = !form.module.is_script() && form.region.is_loop_free();
        let layout = form.region.layout.as_ref().filter(|_| loop_free)?;
        let [die, ..] = layout.words().first()?.dice() else {
            return None;
        };
        if layout.dice() != 1 || reads_resources(form.function()) {
            return None;
        }
        let (mut words, mut tables, mut size) = (Vec::new(), Vec::<(Joint, usize)>::new(), 0);
        for word in layout.words() {
            let (word, dice) = word.joined(MAX_CELLS)?;
            let firsts = dice.into_iter().map(|joint| {
                if let Some(&(_, first)) = tables.iter().find(|(known, _)| *known == joint) {
                    return first;
                }
                let first = size;
                size += joint.numbers() as usize;
                tables.push((joint, first));
                first
            });
            let firsts = firsts.collect();
            words.push((word, firsts));
        }
        if tables.iter().all(|(joint, _)| joint.dice() == 1) {
            return None;
        }
        let last = cells.saturating_sub(1) as usize;
        let results = results_by_face(form, die.sides())?;
        let cell = |result: i64| {
            usize::try_from(result.wrapping_sub(low)).map_or(last, |cell| cell.min(last))
        };
        Some(Self {
            words,
            tables: tables.into_iter().map(|(joint, _)| joint).collect(),
            cells: results.into_iter().map(cell).collect(),
        })
    }

    /// The number of cells in the call's own table.
    pub(super) fn size(&self) -> usize {
        self.tables
            .iter()
            .map(|joint| joint.numbers() as usize)
            .sum()
    }

    /// Adds what `table` counted to the sink's cells.
    pub(super) fn fold(&self, mut table: &[u32], cells: &mut [i64]) {
        for joint in &self.tables {
            let (counts, rest) = table.split_at(joint.numbers() as usize);
            joint.faces(counts, |face, count| {
                // Each face has a cell of the sink's.
                if let Some(cell) = cells.get_mut(self.cells[face]) {
                    *cell += i64::from(count);
                }
            });
            table = rest;
        }
    }
}

fn reads_resources(function: &Function) -> bool {
    let mut insts = function.live_insts();
    insts.any(|inst| function.insts[inst].op == Op::Resource)
}
