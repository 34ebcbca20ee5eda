//! The columns of a script's output lines and statistics. A line is known by its template, the line
//! with `{}` for each number; but text from the arguments, such as a name, is part of the template
//! of a run, and only a hole of the template in the script. So both are columns: `Ayla wins` if
//! Ayla is in most rows of the first block, and `{} wins` for the others. The same is true of the
//! names of statistics.

use crate::answer::{Events, Stat, Summary};
use dicec_runtime::text::HOLE;
use rustc_hash::FxHashMap;

/// Where each line or statistic is counted. Every column is decided by the first block of rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Templates {
    /// The templates that have a column.
    columns: Vec<String>,
    places: FxHashMap<String, usize>,
    /// The script's own templates, and the places of those that have a column.
    described: Vec<(String, Option<usize>)>,
}

impl Templates {
    /// The columns for the lines of a script, when these answers are those of the first rows.
    pub(super) fn of_lines(described: &[String], first: &[&Events]) -> Self {
        let lines = |events: &&Events| -> Vec<String> {
            events.lines.iter().map(|(line, _)| line.clone()).collect()
        };
        Self::new(described, &first.iter().map(lines).collect::<Vec<_>>())
    }

    /// The same for its statistics.
    pub(super) fn of_stats(described: &[String], first: &[&Events]) -> Self {
        let names = |events: &&Events| -> Vec<String> {
            let noted = events.stats.iter().filter(|stat| stat.summary.is_some());
            noted.map(|stat| stat.name.clone()).collect()
        };
        Self::new(described, &first.iter().map(names).collect::<Vec<_>>())
    }

    /// The columns for these templates of a script, when these are in the first rows.
    fn new(described: &[String], first: &[Vec<String>]) -> Self {
        let mut rows: FxHashMap<&str, usize> = FxHashMap::default();
        for line in first.iter().flatten() {
            *rows.entry(line).or_default() += 1;
        }
        let mut found: Vec<(&str, usize)> = rows.into_iter().collect();
        found.sort_unstable();
        let mut lines = Self::default();
        for (place, template) in described.iter().enumerate() {
            let of_it = found
                .iter()
                .filter(|(line, _)| line != template && source(described, line) == Some(place));
            let (own, shared): (Vec<_>, Vec<_>) =
                of_it.partition(|(_, rows)| rows * 2 > first.len());
            let is_met = found.iter().any(|(line, _)| line == template);
            // A column that only waits for later rows is worth having if nothing else tells of its
            // lines.
            let has_column = is_met || !shared.is_empty() || own.is_empty();
            let column = has_column.then(|| lines.add(template));
            lines.described.push((template.clone(), column));
            for (line, _) in own {
                lines.add(line);
            }
        }
        lines
    }

    fn add(&mut self, template: &str) -> usize {
        let place = self.columns.len();
        self.columns.push(template.to_owned());
        self.places.insert(template.to_owned(), place);
        place
    }

    /// The templates that have a column.
    pub(super) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The mean number of lines of a row in a trial that belong to a column.
    pub(super) fn times(&self, events: &Events, column: usize) -> f64 {
        let here = |line: &&(String, f64)| self.place(&line.0) == Some(column);
        let times = events.lines.iter().filter(here).map(|(_, times)| times);
        // A sum of nothing would be the negative zero.
        times.fold(0.0, |sum, times| sum + times)
    }

    /// The mean and the standard deviation of the numbers of a column. It may combine several
    /// statistics, weighted by their counts.
    pub(super) fn moments(&self, events: &Events, column: usize) -> Option<(f64, Option<f64>)> {
        let here = |stat: &&Stat| self.place(&stat.name) == Some(column);
        let stats = events.stats.iter().filter(here);
        let known = stats.filter_map(|stat| Some((stat.per_trial, stat.summary.as_ref()?)));
        let known: Vec<(f64, &Summary)> = known.collect();
        if let [(_, only)] = known[..] {
            return Some((only.mean, only.sd));
        }
        let total: f64 = known.iter().map(|(times, _)| times).sum();
        let mean_of = |of: &dyn Fn(&Summary) -> f64| {
            let sum: f64 = known.iter().map(|(times, stat)| times * of(stat)).sum();
            sum / total
        };
        let mean = mean_of(&|stat| stat.mean);
        let spread = mean_of(&|stat| {
            let (sd, away) = (stat.sd.unwrap_or(0.0), stat.mean - mean);
            sd * sd + away * away
        });
        (!known.is_empty()).then(|| (mean, Some(spread.sqrt())))
    }

    /// What is known of the numbers of a column, if they are of a single statistic.
    pub(super) fn only<'e>(&self, events: &'e Events, column: usize) -> Option<&'e Summary> {
        let here = |stat: &&Stat| self.place(&stat.name) == Some(column);
        let stats = events.stats.iter().filter(here);
        let mut known = stats.filter_map(|stat| stat.summary.as_ref());
        known.next().filter(|_| known.next().is_none())
    }

    /// A line or a statistic that no column counts.
    pub(super) fn uncounted<'e>(
        &self,
        mut names: impl Iterator<Item = &'e str>,
    ) -> Option<&'e str> {
        names.find(|name| self.place(name).is_none())
    }

    fn place(&self, line: &str) -> Option<usize> {
        if let Some(place) = self.places.get(line) {
            return Some(*place);
        }
        let templates: Vec<&String> = self
            .described
            .iter()
            .map(|(template, _)| template)
            .collect();
        let (_, column) = self.described.get(source(&templates, line)?)?;
        *column
    }
}

/// Whether a line comes of one of these templates.
pub(super) fn is_of(described: &[String], line: &str) -> bool {
    source(described, line).is_some()
}

/// Which of a script's templates a line is of: itself, or the one with the most words that it fits.
fn source<T: AsRef<str>>(described: &[T], line: &str) -> Option<usize> {
    let words = |template: &str| template.split(HOLE).map(str::len).sum::<usize>();
    let templates = described.iter().map(AsRef::as_ref).enumerate();
    let fitting = templates.filter(|(_, template)| fits(template, line));
    let best = fitting.max_by_key(|(place, template)| {
        (
            *template == line,
            words(template),
            std::cmp::Reverse(*place),
        )
    });
    best.map(|(place, _)| place)
}

/// Whether a line comes of a template by filling its holes.
fn fits(template: &str, line: &str) -> bool {
    let pieces: Vec<&str> = template.split(HOLE).collect();
    let [first, middle @ .., last] = pieces.as_slice() else {
        return line == template;
    };
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    for piece in middle {
        match rest.split_once(piece) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(lines: &[&str]) -> Events {
        let lines = lines.iter().map(|line| ((*line).to_owned(), 0.5));
        Events {
            stats: Vec::new(),
            lines: lines.collect(),
            left_out: 0.0,
        }
    }

    fn lines(described: &[&str], first: &[&[&str]]) -> Templates {
        let described: Vec<String> = described.iter().map(|line| (*line).to_owned()).collect();
        let first: Vec<Events> = first.iter().map(|row| events(row)).collect();
        Templates::of_lines(&described, &first.iter().collect::<Vec<_>>())
    }

    #[test]
    fn templates_are_filled() {
        for (template, line, expected) in [
            ("Hit {}", "Hit {}", true),
            ("Hit {}", "Hit hard", true),
            ("Hit {}", "hit", false),
            ("{} {}", "Critical Hit {}", true),
            ("{}", "", true),
            ("", "", true),
            ("", "x", false),
            ("Miss", "Miss", true),
            ("Miss", "Missed", false),
            ("{}: a, {}: b", "x: a, y: b", true),
            ("{}: a, {}: b", "x: a", false),
            // The pieces may not share a character.
            ("ab{}ba", "aba", false),
        ] {
            assert_eq!(fits(template, line), expected, "{template} {line}");
        }
    }

    #[test]
    fn a_name_in_most_rows_has_a_column() {
        let rows: [&[&str]; 3] = [
            &["Ayla wins", "Orc wins"],
            &["Ayla wins", "Owl wins"],
            &["Ayla wins"],
        ];
        let lines = lines(&["{} wins", "{} wins twice", "Nobody wins"], &rows);
        let columns = ["{} wins", "Ayla wins", "{} wins twice", "Nobody wins"];
        assert_eq!(lines.columns(), columns);
        let row = events(&["Ayla wins", "Bear wins", "Wolf wins", "Owl wins twice"]);
        let times: Vec<f64> = (0..4).map(|column| lines.times(&row, column)).collect();
        assert_eq!(times, [1.0, 0.5, 0.5, 0.0]);
        let names = row.lines.iter().map(|(line, _)| line.as_str());
        assert_eq!(lines.uncounted(names), None);
    }

    #[test]
    fn a_template_whose_lines_all_have_columns_has_none() {
        let rows: [&[&str]; 1] = [&["Hit {}", "Critical Hit {}", "Miss"]];
        let lines = lines(&["Miss", "{} {}"], &rows);
        assert_eq!(lines.columns(), ["Miss", "Critical Hit {}", "Hit {}"]);
        assert_eq!(lines.uncounted(["Hit {}", "Miss"].into_iter()), None);
        let other = lines.uncounted(["Miss", "Sneak {}"].into_iter());
        assert_eq!(other, Some("Sneak {}"));
    }
}
