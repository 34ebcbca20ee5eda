//! A tally of draws. Where a trial is one die, its result is known by the die: so the dice of
//! several trials are drawn as one number, the cell of that number is raised, and nobody computes
//! results until the call ends.
//!
//! ```text
//! (1d8+4)*2-3:  word --first 12 bits--> number of four dice --> its cell      32 trials: 8 cells
//! 1d20+7 vs 15: word --die of 400 sides--> number of two dice --> its cell    32 trials: 16 cells
//! ```

use crate::engine::eval::results_by_face;
use crate::ir::{Function, Op};
use crate::pass::VectorForm;
use dicec_runtime::kernel::Sink;
use dicec_runtime::rng::lanes::{Joint, Word};

/// Most cells of a word's table: it stays in the first-level cache, and clearing and folding it
/// costs little beside a call's trials.
const MAX_CELLS: u32 = 1 << 12;

/// How the draws of a form's words are counted.
#[derive(Clone, Debug)]
pub(super) struct Draws {
    /// The layout's words, with the place of each of their dice's first cell.
    pub(super) words: Vec<(Word, Vec<usize>)>,
    /// The different dice of these words, one table behind the other.
    pub(super) tables: Vec<Joint>,
    /// The sink's cell for each face.
    pub(super) cells: Vec<usize>,
}

impl Draws {
    /// The way to count a form whose only die decides its result, if that raises fewer cells than
    /// there are trials.
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
            let places = dice.into_iter().map(|joint| {
                if let Some(&(_, place)) = tables.iter().find(|(known, _)| *known == joint) {
                    return place;
                }
                let place = size;
                size += joint.numbers() as usize;
                tables.push((joint, place));
                place
            });
            let places = places.collect();
            words.push((word, places));
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

    /// How many cells the call's own table has.
    pub(super) fn size(&self) -> usize {
        self.tables
            .iter()
            .map(|joint| joint.numbers() as usize)
            .sum()
    }

    /// Raises the sink's cells by what `table` counted.
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
