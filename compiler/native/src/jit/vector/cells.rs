//! The cells of a script's lines and statistics, which are known at compile time.
//!
//! If a note has few possible numbers, each lane has its own counters: lanes that note the same
//! number need not wait for each other, and lanes outside of the mask count in an unused cell.
//! After a call, these counts are added to the cells that all kernels have.

use crate::analysis::{Interval, Ranges};
use crate::ir::{ArgumentBlock, Imm, InstData, Op};
use crate::pass::VectorForm;
use crate::vector_stat_windows;
use cranelift::codegen::ir as clif;
use cranelift::codegen::ir::{StackSlotData, StackSlotKind};
use cranelift::frontend::FunctionBuilder;
use dicec_runtime::abi::{call, offset};
use dicec_runtime::rng::lanes::LaneWidth;
use dicec_runtime::script::{Notes, Windows};
use std::sync::Arc;

/// The maximum number of cells per lane for one line's texts or one statistic, and of all lanes
/// together: they should stay in the second-level cache, and their numbers must fit 16 bits.
const MAX_RUN: u64 = 1 << 11;
const MAX_COUNTERS: usize = (1 << 16) - 8;

/// The cells for the notes of a form.
#[derive(Debug)]
pub(super) struct NoteCells {
    /// The number of texts with a cell at each site.
    width: u32,
    pub(super) windows: Arc<Windows>,
    counted: Vec<(Noted, LaneRun)>,
    /// The number of counters of each lane.
    counters: usize,
    lane_width: LaneWidth,
}

/// The kind of a note: a line of a site, a statistic, or the statistics of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Noted {
    Line(u32),
    Stat(u32),
    Named(u32),
}

/// A run of cells.
#[derive(Clone, Copy)]
pub(super) struct Run {
    /// The offset of the cells' address in the context.
    pub(super) base: usize,
    /// The number of cells before it.
    pub(super) first: u64,
    /// The lowest number that has a cell, and the number of cells.
    pub(super) low: i64,
    pub(super) numbers: u32,
    /// The lowest text of the names of statistics, if these are joined at run time.
    pub(super) text: Option<i64>,
    pub(super) cells: u32,
    /// The runtime function for numbers without a cell, and the site or statistic that it takes.
    pub(super) call: call::Call,
    pub(super) number: u32,
    /// The kind of note that it counts.
    pub(super) noted: Noted,
}

/// A run of counters in each lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LaneRun {
    /// The counter for lanes outside of the mask. The counters of the cells follow it.
    pub(super) first: usize,
    /// The first cell of the run that has a counter, and how many have one.
    pub(super) low: u32,
    pub(super) cells: u32,
}

impl Run {
    /// Whether names with these texts have cells.
    pub(super) fn has_row(&self, texts: Interval) -> bool {
        self.text.is_none_or(|first| {
            let rows = i64::from(self.cells / self.numbers.max(1));
            first <= texts.low && texts.high < first + rows
        })
    }
}

impl NoteCells {
    /// `None` for a rule, which notes nothing.
    pub(super) fn new(form: &VectorForm) -> Option<Self> {
        let tables = form.module.script_tables()?;
        let ranges = form.ranges();
        let windows = Arc::new(vector_stat_windows(form, &ranges));
        let known = tables.known.as_deref().unwrap_or_default();
        // Without a valid argument block, no trial will run.
        let arguments = ArgumentBlock::read(tables, form.module.slots(), known);
        let width = arguments.map_or(0, |arguments| {
            tables.workspace(&arguments, &windows).notes.width()
        });
        let mut cells = Self {
            // At most 2^16.
            width: width as u32,
            windows,
            counted: Vec::new(),
            counters: 0,
            lane_width: form.width,
        };
        let function = form.function();
        for inst in function.live_insts() {
            cells.count(&function.insts[inst], &ranges);
        }
        Some(cells)
    }

    /// Gives lanes counters for the notes of an instruction, if it notes few numbers.
    fn count(&mut self, data: &InstData, ranges: &Ranges) {
        let (Some(noted), Some(run)) = (Noted::by(data), self.run(data)) else {
            return;
        };
        let (low, cells) = match noted {
            Noted::Line(_) => {
                let range = ranges.of(data.args[0]);
                let (low, high) = (range.low.max(0), range.high.min(i64::from(run.cells) - 1));
                // Both are below the number of cells.
                (low as u32, (high - low + 1).max(0) as u32)
            }
            Noted::Stat(_) | Noted::Named(_) => (0, run.cells),
        };
        let counters = self.counters + 1 + cells as usize;
        let all = counters * self.lane_width.lanes();
        let fits = u64::from(cells) <= MAX_RUN && all <= MAX_COUNTERS;
        let ends = [0, i64::from(cells) - 1].map(|cell| i64::from(low) + cell);
        if cells > 0 && fits && self.lanes(noted, ends).is_none() {
            let first = self.counters;
            self.counted.push((noted, LaneRun { first, low, cells }));
            self.counters = counters;
        }
    }

    /// The counters of a kind of note, for a range of cells.
    pub(super) fn lanes(&self, noted: Noted, [low, high]: [i64; 2]) -> Option<LaneRun> {
        let runs = self.counted.iter().filter(|(other, _)| *other == noted);
        let mut runs = runs.map(|&(_, run)| run);
        runs.find(|run| {
            let first = i64::from(run.low);
            first <= low && high < first + i64::from(run.cells)
        })
    }

    /// The cells for the notes of an instruction.
    pub(super) fn run(&self, data: &InstData) -> Option<Run> {
        let noted = Noted::by(data)?;
        let run = Run {
            base: offset::STATS,
            first: 0,
            low: 0,
            numbers: self.width,
            text: None,
            cells: self.width,
            call: call::line,
            number: 0,
            noted,
        };
        Some(match noted {
            Noted::Line(site) => Run {
                base: offset::LINES,
                first: u64::from(site) * u64::from(self.width),
                number: site,
                ..run
            },
            Noted::Stat(stat) => {
                let window = self.windows.stats.get(stat as usize)?;
                Run {
                    first: self.windows.before(stat as usize) as u64,
                    low: window.low,
                    numbers: window.cells,
                    cells: window.cells,
                    call: call::stat,
                    number: stat,
                    ..run
                }
            }
            Noted::Named(site) => {
                let window = self.windows.named.get(site as usize);
                let window = window.copied().unwrap_or_default();
                Run {
                    first: self.windows.before_site(site as usize) as u64,
                    low: window.numbers.low,
                    numbers: window.numbers.cells,
                    text: Some(window.first),
                    // At most as many as a site may have.
                    cells: window.cells() as u32,
                    call: call::named_stat,
                    number: site,
                    ..run
                }
            }
        })
    }

    /// The number of counters of all lanes together.
    pub(super) fn counters(&self) -> usize {
        self.counters * self.lane_width.lanes()
    }

    /// Adds the counters of a call to the cells.
    pub(super) fn fold(&self, counters: &[u32], notes: &mut Notes) {
        let lanes = self.lane_width.lanes();
        for &(noted, run) in &self.counted {
            let (cells, first) = match noted {
                Noted::Line(site) => (notes.lines_mut(), site as usize * self.width as usize),
                Noted::Stat(stat) => (notes.stats_mut(), self.windows.before(stat as usize)),
                Noted::Named(site) => (notes.stats_mut(), self.windows.before_site(site as usize)),
            };
            let cells = &mut cells[first + run.low as usize..][..run.cells as usize];
            let counters = counters[(run.first + 1) * lanes..].chunks_exact(lanes);
            for (cell, counts) in cells.iter_mut().zip(counters) {
                *cell += counts.iter().map(|&count| u64::from(count)).sum::<u64>();
            }
        }
    }
}

impl Noted {
    fn by(data: &InstData) -> Option<Self> {
        match (data.op, data.imm) {
            (Op::Output, Imm::Site(site)) => Some(Self::Line(site)),
            (Op::Stat, Imm::Stat(stat)) => Some(Self::Stat(stat)),
            (Op::NamedStat, Imm::Site(site)) => Some(Self::Named(site)),
            _ => None,
        }
    }
}

/// The cells of a script's lines and statistics, and the state for noting in them.
pub(super) struct Cells<'f> {
    pub(super) notes: &'f NoteCells,
    /// The stack slots through which lanes are extracted from vectors: numbers, masks and texts.
    pub(super) slots: [clif::StackSlot; 3],
}

impl<'f> Cells<'f> {
    pub(super) fn new(builder: &mut FunctionBuilder<'_>, notes: &'f NoteCells) -> Self {
        let slots = [(); 3].map(|()| {
            let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 16, 4);
            builder.create_sized_stack_slot(slot)
        });
        Self { notes, slots }
    }
}
