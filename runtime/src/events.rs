//! What the trials of a script produce besides their results: output lines, counted by template,
//! and named statistics. Both are sums, so runs merge in any order.

use crate::stats::Tally;
use std::collections::BTreeMap;

/// Counts of output lines and statistics. A rule has none.
#[derive(Clone, Debug, Default)]
pub struct Events {
    lines: BTreeMap<String, u64>,
    stats: Vec<Tally>,
}

impl Events {
    /// No events, with room for this many statistics.
    pub fn new(stats: usize) -> Self {
        Self {
            lines: BTreeMap::new(),
            stats: vec![Tally::sparse(); stats],
        }
    }

    /// Counts the lines of a template.
    pub fn line(&mut self, template: &str, times: u64) {
        if times == 0 {
            return;
        }
        match self.lines.get_mut(template) {
            Some(count) => *count += times,
            None => {
                self.lines.insert(template.to_owned(), times);
            }
        }
    }

    /// Records a number under a statistic; a statistic without room is ignored.
    pub fn stat(&mut self, stat: usize, value: i64) {
        if let Some(tally) = self.stats.get_mut(stat) {
            tally.record(value);
        }
    }

    /// The tally of a statistic, to add many numbers at once.
    pub fn stat_mut(&mut self, stat: usize) -> Option<&mut Tally> {
        self.stats.get_mut(stat)
    }

    /// Adds everything that `other` has counted.
    pub fn merge(&mut self, other: &Self) {
        for (template, &times) in &other.lines {
            self.line(template, times);
        }
        for (mine, theirs) in self.stats.iter_mut().zip(&other.stats) {
            mine.merge(theirs);
        }
    }

    /// The templates and their numbers of lines, ordered by text.
    pub fn lines(&self) -> impl Iterator<Item = (&str, u64)> {
        self.lines
            .iter()
            .map(|(template, &times)| (template.as_str(), times))
    }

    /// The statistics, by index.
    pub fn stats(&self) -> &[Tally] {
        &self.stats
    }
}
