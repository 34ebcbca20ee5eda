//! Rows as a table for people: aligned, rounded, fitted to a width. The first block of rows decides
//! the widths of the columns, so that a long table is streamed too; later cells that are wider lose
//! their middle.

use dicec_compiler::answer::{short_percent, significant};
use dicec_lang::syntax::shorten;
use dicec_tables::{
    Answer, Field, Figure, Group, Joined, Layout, LongColumns, Odds, ResultRow, Sink,
};
use std::io::{self, Write};

/// A text that is cut to this width can still be read.
const READABLE: usize = 12;

/// A column of text is not made narrower than this to fit.
const LEAST_WIDTH: usize = 6;

/// A template over a column of lines is cut to this width.
const MAX_TITLE: usize = 24;

/// Columns stand this far apart.
const GAP: usize = 2;

/// Writes an aligned table.
pub(super) struct TableSink<'b, W: Write> {
    output: W,
    layout: Layout<'b>,
    width: usize,
    /// The rows of the first block, until the columns are known.
    waiting: Vec<Vec<String>>,
    columns: Option<Vec<Column>>,
}

/// A column of the printed table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Column {
    index: usize,
    /// Over the title: the expression's name, over its first column; or the first words of a long
    /// title.
    over: String,
    title: String,
    /// Whether it is one of the table's own.
    is_own: bool,
    /// Whether it tells rows apart.
    is_key: bool,
    /// Whether what is over the title stands over the next columns, too.
    runs_on: bool,
    /// Whether it holds numbers, which stand to the right.
    is_number: bool,
    width: usize,
    is_shown: bool,
}

impl<'b, W: Write> TableSink<'b, W> {
    pub(super) fn new(output: W, layout: Layout<'b>, width: usize) -> Self {
        Self {
            output,
            layout,
            width,
            waiting: Vec::new(),
            columns: None,
        }
    }

    /// The lines that a row becomes: one, or one for each result.
    fn lines(&self, cells: &Joined<'_>, answers: &[Option<Answer>]) -> Vec<Vec<String>> {
        let own = (0..self.layout.header.len()).map(|column| {
            let cell = cells.get(column).unwrap_or_default();
            String::from_utf8_lossy(cell).trim().to_owned()
        });
        if let Some(long) = self.layout.long {
            let own: Vec<String> = own.collect();
            let rows = LongColumns::rows(self.layout.groups, answers);
            let lines = rows.map(|row| own.iter().cloned().chain(result_cells(long, row)));
            return lines.map(Iterator::collect).collect();
        }
        let added = self
            .layout
            .groups
            .iter()
            .zip(answers)
            .flat_map(|(group, answer)| {
                let answer = answer.as_ref();
                let text = move |field: &Field| rounded(group, answer?, *field);
                group
                    .fields
                    .iter()
                    .map(move |field| text(field).unwrap_or_default())
            });
        vec![own.chain(added).collect()]
    }

    fn begin(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.waiting);
        let mut columns = columns(self.layout, &rows);
        fit(&mut columns, self.width);
        let shown = || columns.iter().filter(|column| column.is_shown);
        let hidden: Vec<&str> = columns
            .iter()
            .filter(|column| !column.is_shown)
            .map(|column| self.layout.header[column.index].trim())
            .collect();
        if !hidden.is_empty() {
            writeln!(self.output, "(no space for {})", hidden.join(", "))?;
        }
        let over = shown().map(|column| (column, column.over.as_str()));
        write_line(&mut self.output, over, true)?;
        let titles = shown().map(|column| (column, column.title.as_str()));
        write_line(&mut self.output, titles, false)?;
        for row in &rows {
            self.write_row(&columns, row)?;
        }
        self.columns = Some(columns);
        Ok(())
    }

    fn write_row(&mut self, columns: &[Column], cells: &[String]) -> io::Result<()> {
        let cells = columns.iter().zip(cells.iter().map(String::as_str));
        write_line(
            &mut self.output,
            cells.filter(|(column, _)| column.is_shown),
            false,
        )
    }
}

impl<W: Write> Sink for TableSink<'_, W> {
    fn row(&mut self, cells: &Joined<'_>, answers: &[Option<Answer>]) -> io::Result<()> {
        let mut lines = self.lines(cells, answers);
        match self.columns.take() {
            Some(columns) => {
                let mut lines = lines.iter();
                let written = lines.try_for_each(|line| self.write_row(&columns, line));
                self.columns = Some(columns);
                written
            }
            None => {
                self.waiting.append(&mut lines);
                Ok(())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.columns.is_none() {
            self.begin()?;
        }
        self.output.flush()
    }
}

/// The cells of a result for people.
fn result_cells(long: LongColumns, row: ResultRow<'_>) -> impl Iterator<Item = String> {
    let rule = long.has_rule.then(|| row.rule.to_owned());
    let part = long
        .has_part
        .then(|| row.part.unwrap_or_default().to_owned());
    let result = row.found.map(|(result, _)| result.to_string());
    let p = row.found.map(|(_, p)| short_percent(p));
    let last = [result, p].map(Option::unwrap_or_default);
    rule.into_iter().chain(part).chain(last)
}

/// Whether a column has probabilities.
fn is_chance(field: Field) -> bool {
    matches!(
        field,
        Field::P | Field::Rung(..) | Field::Label(_) | Field::Range(_) | Field::StatRange(..)
    )
}

/// A number of an answer for people.
fn rounded(group: &Group, answer: &Answer, field: Field) -> Option<String> {
    let is_check = matches!(answer.odds, Odds::Check(_));
    Some(match group.figure(answer, field)? {
        Figure::Float(times) if matches!(field, Field::Line(_)) => significant(times, 4),
        Figure::Whole(value) => value.to_string(),
        Figure::Float(p) if is_chance(field) => short_percent(p),
        Figure::Float(se) if field == Field::Se && is_check => {
            format!("{} %", significant(se * 100.0, 2))
        }
        Figure::Float(se) if field == Field::Se => significant(se, 2),
        Figure::Float(value)
            if matches!(
                field,
                Field::P5
                    | Field::P50
                    | Field::P95
                    | Field::Min
                    | Field::Max
                    | Field::Quantile(_)
                    | Field::StatQuantile(..)
            ) =>
        {
            significant(value, 6)
        }
        Figure::Float(value) if value.abs() < 1e9 => format!("{value:.2}"),
        Figure::Float(value) => significant(value, 6),
    })
}

/// The columns as wide as their titles and these rows.
fn columns(layout: Layout<'_>, rows: &[Vec<String>]) -> Vec<Column> {
    let own = layout
        .header
        .iter()
        .map(|name| (String::new(), name.trim(), true));
    let long = layout.long.iter().flat_map(|long| long.names());
    let long = long.map(|name| (String::new(), name, false));
    let groups = match layout.long {
        Some(_) => &[],
        None => layout.groups,
    };
    let added = groups.iter().flat_map(|group| {
        let headings = group.headings().into_iter().flat_map(|(name, columns)| {
            (0..columns).map(move |index| if index == 0 { name } else { "" })
        });
        let titles = group.fields.iter().map(|field| group.suffix(*field));
        headings
            .zip(titles)
            .map(|(over, title)| (over.to_owned(), title, false))
    });
    let column = |(index, (over, title, is_own)): (usize, (String, &str, bool))| {
        let short;
        let title = if is_own {
            title
        } else {
            short = shorten(title, MAX_TITLE);
            &short
        };
        let cells = || rows.iter().filter_map(|row| row.get(index));
        let widest = cells().map(|cell| cell.chars().count()).max().unwrap_or(0);
        let is_number = |cell: &String| cell.is_empty() || cell.parse::<f64>().is_ok();
        // A name over a group may run on over its other columns, a title may not.
        let (over, title, runs_on) = match title.rsplit_once(' ') {
            Some((first, last)) if title.chars().count() > widest => {
                (first.trim().to_owned(), last, false)
            }
            _ => (over, title, !is_own),
        };
        let over_width = if runs_on { 0 } else { over.chars().count() };
        let titles = title.chars().count().max(over_width);
        Column {
            index,
            width: widest.max(titles),
            is_number: match layout.long {
                Some(_) => title == "p" || cells().all(is_number),
                None => !is_own || cells().all(is_number),
            },
            over,
            title: title.to_owned(),
            is_own,
            is_key: is_own && layout.keys.contains(&index),
            runs_on,
            is_shown: true,
        }
    };
    let mut columns: Vec<Column> = own
        .chain(added)
        .chain(long)
        .enumerate()
        .map(column)
        .collect();
    widen_groups(&mut columns, layout);
    columns
}

/// Makes room for the expressions' names over their columns.
fn widen_groups(columns: &mut [Column], layout: Layout<'_>) {
    let mut first = layout.header.len();
    let groups = match layout.long {
        Some(_) => &[],
        None => layout.groups,
    };
    let headings = groups.iter().flat_map(Group::headings);
    for (name, count) in headings {
        let end = first + count;
        let members = &mut columns[first..end];
        let total: usize = members.iter().map(|column| column.width).sum();
        let total = total + GAP * members.len().saturating_sub(1);
        if let Some(column) = members.first_mut() {
            column.width += name.chars().count().saturating_sub(total);
        }
        first = end;
    }
}

/// Makes the table fit: long texts give way first, then numbers that the odds come from, then more
/// of the texts; at last, texts are left out too. The columns that tell the rows apart and the odds
/// always stay.
fn fit(columns: &mut [Column], width: usize) {
    let total = |columns: &[Column]| -> usize {
        let shown = columns.iter().filter(|column| column.is_shown);
        let total: usize = shown.map(|column| column.width + GAP).sum();
        total.saturating_sub(GAP)
    };
    while total(columns) > width {
        let gave_way = narrow(columns, READABLE)
            || hide(columns, true)
            || narrow(columns, LEAST_WIDTH)
            || hide(columns, false);
        if !gave_way {
            return;
        }
    }
}

/// Takes a character from the widest text that is wider than `least`.
fn narrow(columns: &mut [Column], least: usize) -> bool {
    let own = columns
        .iter_mut()
        .filter(|column| column.is_own && column.is_shown);
    let wide = own.filter(|column| !column.is_number && column.width > least);
    let widest = wide.max_by_key(|column| column.width);
    widest.map(|column| column.width -= 1).is_some()
}

/// Leaves out the last column of the table's own, or the last of its numbers.
fn hide(columns: &mut [Column], numbers_only: bool) -> bool {
    let mut own = columns.iter_mut().rev();
    let last = own.find(|column| {
        let may_go = column.is_own && !column.is_key && column.is_shown;
        may_go && (column.is_number || !numbers_only)
    });
    last.map(|column| column.is_shown = false).is_some()
}

/// Writes a line of cells. In the line over the titles, an expression's name may run on over its
/// other columns, for their cells are empty.
fn write_line<'c>(
    output: &mut impl Write,
    cells: impl Iterator<Item = (&'c Column, &'c str)>,
    is_over: bool,
) -> io::Result<()> {
    let mut line = String::new();
    let mut length = 0;
    // Where the next column begins.
    let mut start = 0;
    for (column, text) in cells {
        if !text.is_empty() {
            let runs_on = is_over && column.runs_on;
            let room = if runs_on { usize::MAX } else { column.width };
            let text = shorten(text, room);
            let free = column.width.saturating_sub(text.chars().count());
            let is_right = column.is_number && !runs_on;
            let blanks = start + if is_right { free } else { 0 } - length;
            line.extend(std::iter::repeat_n(' ', blanks));
            line.push_str(&text);
            length += blanks + text.chars().count();
        }
        start += column.width + GAP;
    }
    if is_over && line.is_empty() {
        return Ok(());
    }
    writeln!(output, "{line}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use dicec_lang::hir::Kind;
    use dicec_tables::{Joins, Numbers, Record};

    /// A table without odds, of two rows, in `width` columns.
    fn shown(width: usize) -> Vec<String> {
        let header = ["Name", "Kind", "Target Defense"].map(str::to_owned);
        let groups = [Group::new(
            "damage",
            Some(Kind::Number),
            &[],
            &Numbers::Quantiles,
            false,
        )];
        let layout = Layout {
            long: None,
            header: &header,
            keys: &[0],
            groups: &groups,
        };
        let mut output = Vec::new();
        let mut sink = TableSink::new(&mut output, layout, width);
        for cells in [
            ["Ancient Red Dragon", "a\tdragon", "22"],
            ["Owl", "beast", "8"],
        ] {
            let record: Record = cells.into_iter().collect();
            let joins = Joins::default();
            sink.row(&joins.join(&record, 3, 0), &[None])
                .expect("memory");
        }
        sink.flush().expect("memory");
        let text = String::from_utf8(output).expect("text");
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_wide_table_is_whole() {
        let lines = [
            "                               Target  damage",
            "Name                Kind      Defense  mean  sd  p5  p50  p95",
            "Ancient Red Dragon  a dragon       22",
            "Owl                 beast           8",
        ];
        assert_eq!(shown(80), lines);
    }

    #[test]
    fn a_narrow_table_loses_texts_then_columns() {
        assert!(shown(56)[2].starts_with("Ancient …agon  a dragon       22"));
        assert_eq!(shown(45)[0], "(no space for Target Defense)");
        assert_eq!(shown(20)[0], "(no space for Kind, Target Defense)");
    }
}
