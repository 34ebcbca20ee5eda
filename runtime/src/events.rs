//! Further output of a script's trials: lines, counted by template, and named statistics. Both are
//! sums, so runs merge in any order.

use crate::stats::Tally;
use std::collections::BTreeMap;

/// The bytes of the different templates that are kept, each with [`LINE_BYTES`] for its count.
const KEPT_BYTES: usize = 16 << 20;

/// The memory of a template besides its text.
const LINE_BYTES: usize = 64;

/// Counts of output lines by template.
///
/// Memory is bounded: of very many different templates, the first ones in the order of their texts
/// are kept, as many as have room, and the lines of all others are counted together. Which
/// templates have room depends on all lines only, not on the order in which they are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    counts: BTreeMap<String, u64>,
    /// The bytes of the templates that are kept.
    bytes: usize,
    /// The first template that did not fit; neither it nor any after it is kept.
    end: Option<String>,
    /// The lines of the templates that are not kept.
    others: u64,
}

impl Lines {
    /// Counts the lines of a template.
    pub fn add(&mut self, template: &str, times: u64) {
        if times == 0 {
            return;
        }
        if let Some(count) = self.counts.get_mut(template) {
            *count += times;
        } else if self.end.as_deref().is_some_and(|end| end <= template) {
            self.others += times;
        } else {
            self.bytes += template.len() + LINE_BYTES;
            self.counts.insert(template.to_owned(), times);
            self.make_room();
        }
    }

    /// Adds everything that `other` has counted.
    pub fn merge(&mut self, other: &Self) {
        self.others += other.others;
        if let Some(end) = &other.end {
            self.end_at(end);
        }
        for (template, &times) in &other.counts {
            self.add(template, times);
        }
    }

    /// The templates that are kept and their numbers of lines, ordered by text.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        let counts = self.counts.iter();
        counts.map(|(template, &times)| (template.as_str(), times))
    }

    /// The number of lines whose template is not kept.
    pub fn others(&self) -> u64 {
        self.others
    }

    /// Drops the last templates until the others have room.
    fn make_room(&mut self) {
        while self.bytes > KEPT_BYTES
            && let Some((last, times)) = self.counts.pop_last()
        {
            self.bytes -= last.len() + LINE_BYTES;
            self.others += times;
            self.end = Some(last);
        }
    }

    /// Keeps only templates before `end`.
    fn end_at(&mut self, end: &str) {
        if self.end.as_deref().is_some_and(|known| known <= end) {
            return;
        }
        for (template, times) in self.counts.split_off(end) {
            self.bytes -= template.len() + LINE_BYTES;
            self.others += times;
        }
        self.end = Some(end.to_owned());
    }
}

/// The maximum number of statistics with names that trials join.
const MAX_NAMED: usize = 1 << 10;

/// Statistics with names that trials join, by the templates of the names.
///
/// Memory is bounded as that of [`Lines`] is: the first 1,024 in the order of their names are kept.
#[derive(Clone, Debug, Default)]
pub struct NamedStats {
    tallies: BTreeMap<String, Tally>,
    /// The first name that did not fit; neither it nor any after it is kept.
    end: Option<String>,
    /// The numbers of the statistics that are not kept.
    others: u64,
}

impl NamedStats {
    /// Adds the numbers of a statistic.
    fn add(&mut self, name: &str, numbers: &Tally) {
        if numbers.count() == 0 {
            return;
        }
        if let Some(tally) = self.tallies.get_mut(name) {
            tally.merge(numbers);
        } else if self.end.as_deref().is_some_and(|end| end <= name) {
            self.others += numbers.count();
        } else {
            self.tallies.insert(name.to_owned(), numbers.clone());
            if self.tallies.len() > MAX_NAMED
                && let Some((last, numbers)) = self.tallies.pop_last()
            {
                self.others += numbers.count();
                self.end = Some(last);
            }
        }
    }

    fn merge(&mut self, other: &Self) {
        self.others += other.others;
        if let Some(end) = &other.end
            && self.end.as_deref().is_none_or(|known| end.as_str() < known)
        {
            let dropped = self.tallies.split_off(end);
            self.others += dropped.values().map(Tally::count).sum::<u64>();
            self.end = Some(end.clone());
        }
        for (name, numbers) in &other.tallies {
            self.add(name, numbers);
        }
    }

    /// Those that are kept, ordered by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Tally)> {
        let tallies = self.tallies.iter();
        tallies.map(|(name, numbers)| (name.as_str(), numbers))
    }

    /// The number of notes in statistics that are not kept.
    pub fn others(&self) -> u64 {
        self.others
    }
}

/// Counts of output lines and statistics. A rule has none.
#[derive(Clone, Debug, Default)]
pub struct Events {
    /// The output lines.
    pub lines: Lines,
    /// The names that are known before the first trial.
    names: Vec<String>,
    stats: Vec<Tally>,
    named: NamedStats,
}

impl Events {
    /// No events, with room for statistics of these names.
    pub fn new(names: &[String]) -> Self {
        Self {
            lines: Lines::default(),
            names: names.to_vec(),
            stats: vec![Tally::sparse(); names.len()],
            named: NamedStats::default(),
        }
    }

    /// Records a number under a statistic; a statistic without room is ignored.
    pub fn stat(&mut self, stat: usize, value: i64) {
        if let Some(tally) = self.stats.get_mut(stat) {
            tally.record(value);
        }
    }

    /// Records a number under a statistic with a joined name.
    pub fn named_stat(&mut self, name: &str, value: i64) {
        let mut numbers = Tally::sparse();
        numbers.record(value);
        self.add_named(name, &numbers);
    }

    /// Adds numbers to a statistic with a joined name, which may be a known one.
    pub fn add_named(&mut self, name: &str, numbers: &Tally) {
        let known = self.names.iter().position(|known| known == name);
        match known.and_then(|known| self.stats.get_mut(known)) {
            Some(tally) => tally.merge(numbers),
            None => self.named.add(name, numbers),
        }
    }

    /// The tally of a statistic, to add many numbers at once.
    pub fn stat_mut(&mut self, stat: usize) -> Option<&mut Tally> {
        self.stats.get_mut(stat)
    }

    /// Adds everything that `other` has counted.
    pub fn merge(&mut self, other: &Self) {
        self.lines.merge(&other.lines);
        for (mine, theirs) in self.stats.iter_mut().zip(&other.stats) {
            mine.merge(theirs);
        }
        self.named.merge(&other.named);
    }

    /// The statistics whose names are known, by index.
    pub fn stats(&self) -> &[Tally] {
        &self.stats
    }

    /// The others.
    pub fn named(&self) -> &NamedStats {
        &self.named
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_statistics_are_counted_together_in_any_order() {
        let all: Vec<u64> = (0..3_000).map(|number| number * 1_237 % 3_000).collect();
        let count = |numbers: &[u64]| {
            let mut events = Events::new(&["0001".to_owned()]);
            for &number in numbers {
                events.named_stat(&format!("{number:04}"), 5);
            }
            events
        };
        let at_once = count(&all);
        let (first, second) = all.split_at(1_100);
        let mut forwards = count(first);
        forwards.merge(&count(second));
        let mut backwards = count(second);
        backwards.merge(&count(first));
        for events in [forwards, backwards, at_once] {
            assert_eq!(events.stats()[0].count(), 1);
            assert_eq!(events.named().iter().count(), MAX_NAMED);
            assert!(
                events
                    .named()
                    .iter()
                    .all(|(_, numbers)| numbers.count() == 1)
            );
            assert_eq!(events.named().others(), 3_000 - 1 - MAX_NAMED as u64);
        }
    }

    #[test]
    fn too_many_templates_are_counted_together_in_any_order() {
        // Long templates, of which 4,106 fit.
        let template = |number: u64| format!("{number:04}{}", "x".repeat(4_018));
        let all: Vec<u64> = (0..5_000).map(|number| number * 1_237 % 5_000).collect();
        let count = |numbers: &[u64]| {
            let mut lines = Lines::default();
            for &number in numbers {
                lines.add(&template(number), number + 1);
            }
            lines
        };
        let at_once = count(&all);
        let (first, second) = all.split_at(2_000);
        let mut forwards = count(first);
        forwards.merge(&count(second));
        let mut backwards = count(second);
        backwards.merge(&count(first));
        assert_eq!((&forwards, &backwards), (&at_once, &at_once));
        let kept = at_once.iter().count() as u64;
        assert_eq!(kept, (KEPT_BYTES / (4_022 + LINE_BYTES)) as u64);
        let times: Vec<u64> = at_once.iter().map(|(_, times)| times).collect();
        assert_eq!(times, (1..=kept).collect::<Vec<_>>());
        assert_eq!(at_once.others(), (kept + 1..=5_000).sum::<u64>());
    }
}
