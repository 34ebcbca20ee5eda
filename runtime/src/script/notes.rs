//! Notes of trials: output lines and statistics, counted in cells that compiled code increments
//! itself, and elsewhere if they have no cell.

use super::{Site, Texts};
use crate::events::{Events, Lines};
use crate::stats::Tally;
use crate::trap::TrapCode;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The maximum number of statistics that are kept by the ids of their names.
const MAX_NAMED: usize = 1 << 10;

/// Most cells for lines: more would leave the caches.
const MAX_CELLS: usize = 1 << 16;

/// The numbers of a statistic that have a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// The lowest.
    pub low: i64,
    /// The number of cells.
    pub cells: u32,
}

/// The statistics of a site whose names and numbers have a cell: those of a range of texts that
/// were known before the first trial and fit the site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NamedWindow {
    /// The lowest id of a text.
    pub first: i64,
    /// The number of texts.
    pub texts: u32,
    /// The numbers of each text.
    pub numbers: Window,
}

impl NamedWindow {
    /// The number of cells of the window: by text, then by number.
    pub fn cells(&self) -> usize {
        self.texts as usize * self.numbers.cells as usize
    }

    /// The cell of a number under a text, if it has one.
    fn cell(&self, text: i64, number: i64) -> Option<usize> {
        let text = text.wrapping_sub(self.first).cast_unsigned();
        let number = number.wrapping_sub(self.numbers.low).cast_unsigned();
        let cells = self.numbers.cells;
        let has_cell = text < self.texts.into() && number < cells.into();
        // Both are below a u32 then; otherwise the sum may overflow.
        has_cell.then(|| text as usize * cells as usize + number as usize)
    }
}

/// The cells of a module's statistics, in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Windows {
    /// By statistic.
    pub stats: Vec<Window>,
    /// The windows of statistics with joined names, by site; none after the last site that has a
    /// cell.
    pub named: Vec<NamedWindow>,
}

impl Windows {
    /// The number of cells before those of a statistic.
    pub fn before(&self, stat: usize) -> usize {
        let before = self.stats.iter().take(stat);
        before.map(|window| window.cells as usize).sum()
    }

    /// The number of cells before those of a site.
    pub fn before_site(&self, site: usize) -> usize {
        let before = self.named.iter().take(site);
        self.before(self.stats.len()) + before.map(NamedWindow::cells).sum::<usize>()
    }
}

/// Counts of lines and of noted numbers.
#[derive(Clone, Debug)]
pub struct Notes {
    sites: Arc<[Site]>,
    windows: Arc<Windows>,
    /// The names of the last statistics that have windows, which only this program knows.
    own: Arc<[String]>,
    /// The number of text ids with a cell at each site: those of all texts known before the first
    /// trial, or 0.
    width: usize,
    /// By site and id.
    lines: Vec<u64>,
    /// Lines without a cell.
    other_lines: FxHashMap<(u32, i64), u64>,
    /// Lines whose texts may be dropped by now.
    told: Lines,
    /// By statistic and number, then by site, text and number.
    stats: Vec<u64>,
    /// Numbers without a cell.
    other_stats: Vec<Tally>,
    /// Numbers of statistics with names joined in each trial, by site and id.
    named: FxHashMap<(u32, i64), Tally>,
    /// Such numbers whose names may be dropped by now.
    told_named: Events,
}

impl Notes {
    /// Empty notes. The windows are those of the statistics `known`, then `own`.
    pub fn new(
        sites: Arc<[Site]>,
        windows: Arc<Windows>,
        (known, own): (&[String], Arc<[String]>),
        texts: &Texts,
    ) -> Self {
        let longest = texts.longest_known();
        let fits = texts.known().saturating_mul(sites.len()) <= MAX_CELLS
            && sites.iter().all(|site| site.fits(longest));
        let width = if fits { texts.known() } else { 0 };
        let cells = windows.before_site(windows.named.len());
        Self {
            lines: vec![0; width * sites.len()],
            width,
            other_lines: FxHashMap::default(),
            told: Lines::default(),
            stats: vec![0; cells],
            other_stats: vec![Tally::sparse(); windows.stats.len()],
            named: FxHashMap::default(),
            told_named: Events::new(known),
            own,
            sites,
            windows,
        }
    }

    /// Counts a line.
    ///
    /// # Errors
    /// A line that is put together of more than [`MAX_TEXT`](crate::limits::MAX_TEXT) bytes.
    pub fn line(&mut self, site: u32, id: i64, texts: &Texts) -> Result<(), TrapCode> {
        let place = usize::try_from(id).ok().filter(|&id| id < self.width);
        let cell = place.and_then(|id| self.lines.get_mut(site as usize * self.width + id));
        if let Some(cell) = cell {
            *cell += 1;
            return Ok(());
        }
        self.check_length(site, id, texts)?;
        *self.other_lines.entry((site, id)).or_default() += 1;
        if self.other_lines.len() > MAX_CELLS {
            self.tell(texts);
        }
        Ok(())
    }

    fn check_length(&self, site: u32, id: i64, texts: &Texts) -> Result<(), TrapCode> {
        let around = self.sites.get(site as usize);
        match around.is_some_and(|site| !site.fits(texts.text(id).len())) {
            true => Err(TrapCode::TextTooLong),
            false => Ok(()),
        }
    }

    /// Counts a number of the statistic with this name.
    ///
    /// # Errors
    /// As for [`Notes::line`].
    pub fn named_stat(
        &mut self,
        site: u32,
        id: i64,
        value: i64,
        texts: &Texts,
    ) -> Result<(), TrapCode> {
        let window = self.windows.named.get(site as usize);
        if let Some(cell) = window.and_then(|window| window.cell(id, value)) {
            self.stats[self.windows.before_site(site as usize) + cell] += 1;
            return Ok(());
        }
        if let Some(numbers) = self.named.get_mut(&(site, id)) {
            numbers.record(value);
            return Ok(());
        }
        self.check_length(site, id, texts)?;
        let mut numbers = Tally::sparse();
        numbers.record(value);
        self.named.insert((site, id), numbers);
        if self.named.len() > MAX_NAMED {
            self.tell(texts);
        }
        Ok(())
    }

    /// Counts the lines and numbers without a cell by their text, so that no id of a joined text is
    /// needed any more.
    pub fn tell(&mut self, texts: &Texts) {
        for ((site, id), numbers) in std::mem::take(&mut self.named) {
            if let Some(around) = self.sites.get(site as usize) {
                let name = around.line(texts.text(id));
                self.told_named.add_named(&name, &numbers);
            }
        }
        for ((site, id), times) in std::mem::take(&mut self.other_lines) {
            if let Some(around) = self.sites.get(site as usize) {
                self.told.add(&around.line(texts.text(id)), times);
            }
        }
    }

    /// Counts a number of a statistic.
    pub fn stat(&mut self, stat: u32, value: i64) {
        let first = self.windows.before(stat as usize);
        let Some(window) = self.windows.stats.get(stat as usize) else {
            return;
        };
        let place = value.wrapping_sub(window.low).cast_unsigned();
        if place < window.cells.into() {
            // Below a u32.
            self.stats[first + place as usize] += 1;
        } else {
            self.other_stats[stat as usize].record(value);
        }
    }

    /// Adds everything to `events`.
    pub fn report(&self, texts: &Texts, events: &mut Events) {
        for (site, around) in self.sites.iter().enumerate() {
            let cells = &self.lines[site * self.width..(site + 1) * self.width];
            for (id, &times) in (0..).zip(cells) {
                if times > 0 {
                    events.lines.add(&around.line(texts.text(id)), times);
                }
            }
        }
        events.lines.merge(&self.told);
        for (&(site, id), &times) in &self.other_lines {
            if let Some(around) = self.sites.get(site as usize) {
                events.lines.add(&around.line(texts.text(id)), times);
            }
        }
        self.report_stats(events);
        self.report_named(texts, events);
        events.merge(&self.told_named);
        for (&(site, id), numbers) in &self.named {
            if let Some(around) = self.sites.get(site as usize) {
                events.add_named(&around.line(texts.text(id)), numbers);
            }
        }
    }

    /// Adds the numbers of the statistics that have windows.
    fn report_stats(&self, events: &mut Events) {
        let mut cells = self.stats.as_slice();
        let windows = &self.windows.stats;
        let first_own = windows.len() - self.own.len();
        for (stat, (window, other)) in windows.iter().zip(&self.other_stats).enumerate() {
            let (mine, rest) = cells.split_at(window.cells as usize);
            cells = rest;
            let own = stat.checked_sub(first_own).map(|own| &self.own[own]);
            if let Some(name) = own {
                let mut numbers = other.clone();
                numbers.add_counts(window.low, mine);
                events.add_named(name, &numbers);
            } else if let Some(tally) = events.stat_mut(stat) {
                tally.add_counts(window.low, mine);
                tally.merge(other);
            }
        }
    }

    /// Adds the numbers of the statistics with joined names that have cells.
    fn report_named(&self, texts: &Texts, events: &mut Events) {
        for (number, (window, site)) in self.windows.named.iter().zip(&*self.sites).enumerate() {
            let cells = &self.stats[self.windows.before_site(number)..][..window.cells()];
            let by_text = cells.chunks_exact(window.numbers.cells.max(1) as usize);
            for (text, counts) in (window.first..).zip(by_text) {
                let mut numbers = Tally::sparse();
                numbers.add_counts(window.numbers.low, counts);
                events.add_named(&site.line(texts.text(text)), &numbers);
            }
        }
    }

    /// The number of text ids with a cell at each site.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The cells of lines, by site and id, for compiled code.
    pub fn lines_mut(&mut self) -> &mut [u64] {
        &mut self.lines
    }

    /// The cells of statistics, one window after the other, for compiled code.
    pub fn stats_mut(&mut self) -> &mut [u64] {
        &mut self.stats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_reported() {
        let mut texts = Texts::new(["7".to_owned(), "x".to_owned()].into(), Vec::new());
        let site = Site {
            before: "Hit ".to_owned(),
            after: "!".to_owned(),
            joined: true,
        };
        let windows = Windows {
            stats: vec![
                Window { low: -1, cells: 2 },
                Window::default(),
                Window { low: 4, cells: 2 },
            ],
            named: vec![
                NamedWindow::default(),
                NamedWindow {
                    first: 0,
                    texts: 2,
                    numbers: Window { low: 4, cells: 2 },
                },
            ],
        };
        let names = ["x", "b"].map(str::to_owned);
        let stats = (names.as_slice(), ["own".to_owned()].into());
        let sites = [Site::default(), site];
        let mut notes = Notes::new(sites.into(), windows.into(), stats, &texts);
        let new = texts.join(0, 1).expect("short");
        for (site, id) in [(1, 0), (1, 0), (0, 1), (1, new)] {
            notes.line(site, id, &texts).expect("short");
        }
        for (stat, value) in [
            (0, -1),
            (0, 0),
            (0, 0),
            (0, 1),
            (1, 5),
            (2, 5),
            (2, 9),
            (9, 5),
        ] {
            notes.stat(stat, value);
        }
        for (site, id, value) in [(1, 0, 3), (1, 0, 4), (1, new, 5), (0, 1, 6)] {
            let noted = notes.named_stat(site, id, value, &texts);
            noted.expect("short");
        }
        let mut events = Events::new(&names);
        notes.report(&texts, &mut events);
        let lines: Vec<_> = events.lines.iter().collect();
        assert_eq!(lines, [("Hit 7!", 2), ("Hit 7x!", 1), ("x", 1)]);
        let outcomes: Vec<_> = events.stats()[0].outcomes().collect();
        assert_eq!(outcomes, [(-1, 1), (0, 2), (1, 1), (6, 1)]);
        let named: Vec<_> = events.named().iter().collect();
        let named: Vec<_> = named
            .iter()
            .map(|(name, numbers)| (*name, numbers.count()))
            .collect();
        assert_eq!(named, [("Hit 7!", 2), ("Hit 7x!", 1), ("own", 2)]);
        assert_eq!(events.stats()[1].count(), 1);
    }
}
