//! Joins rows: each row of a table with each row of another, whose columns are the target's
//! resources, and with each combination of swept values.
//!
//! Only the other table is kept in memory, and a joined row is a few references: a run over many
//! pairs needs no more memory than one over the first table.

use crate::ArrayRef;
use crate::Row;
use crate::source::{Record, RowFault};
use crate::sweep::{Grid, RULES};
use dicec_runtime::resource::{Owner, ResourceName};
use serde_json::{Number, Value};
use std::ops::Range;

/// The tables and sweeps that each row of a table is joined with.
#[derive(Clone, Debug, Default)]
pub struct Joins {
    targets: Option<Targets>,
    grid: Grid,
}

/// The second table.
#[derive(Clone, Debug)]
struct Targets {
    header: Vec<String>,
    rows: Vec<Record>,
}

/// A row with its joined parts.
#[derive(Clone, Copy, Debug)]
pub struct Joined<'r> {
    /// The row of the first table.
    pub record: &'r Record,
    /// How many columns that table has.
    width: usize,
    /// The row of the second table, and how many columns that has.
    target: Option<(&'r Record, usize)>,
    point: Point<'r>,
}

/// A combination of swept values.
#[derive(Clone, Copy, Debug)]
pub struct Point<'r> {
    grid: &'r Grid,
    index: usize,
}

/// Where a column of joined rows comes from.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'r> {
    /// A column of the first table, from 0.
    First(&'r Record, usize),
    /// A column of the second table, from 0.
    Target(&'r Record, usize),
    /// A sweep, from 0.
    Swept(Point<'r>, usize),
}

/// A row that is wrong as a whole.
#[derive(Clone, Debug)]
pub struct BadRow<'r> {
    /// The row.
    pub record: &'r Record,
    /// The error.
    pub fault: &'r RowFault,
    /// Whether it is of the second table.
    pub is_target: bool,
    /// Where the columns of its table are among all.
    pub columns: Range<usize>,
}

/// A column of a second table or a sweep, whose name another one has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SameName {
    /// The other column, from 0, counted over all tables.
    pub first: usize,
    /// The column, from 0, counted over all tables and sweeps.
    pub second: usize,
    /// Their name.
    pub name: String,
}

impl Joins {
    /// Joins every row with each of these. Their columns are the target's: `Defense` becomes
    /// `Target Defense`, unless `is_plain` says that a name should not change.
    #[must_use]
    pub fn targets(
        self,
        header: &[String],
        rows: Vec<Record>,
        is_plain: impl Fn(&str) -> bool,
    ) -> Self {
        let name = |name: &String| match is_plain(name) {
            true => name.clone(),
            false => of_target(name),
        };
        let header = header.iter().map(name).collect();
        let targets = Some(Targets { header, rows });
        Self { targets, ..self }
    }

    /// Every row is joined with each of these combinations, too.
    #[must_use]
    pub fn sweep(self, grid: Grid) -> Self {
        Self { grid, ..self }
    }

    /// The grid of the swept values.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The number of rows that each row becomes; 1 without joins.
    pub fn count(&self) -> usize {
        let targets = self.targets.as_ref().map_or(1, |table| table.rows.len());
        targets.saturating_mul(self.grid.count())
    }

    /// The names of all columns: those of the first table, of the second, of the sweeps.
    ///
    /// # Errors
    /// Two columns of different tables or sweeps have one name.
    pub fn header(&self, own: &[String]) -> Result<Vec<String>, SameName> {
        let mut header = own.to_vec();
        let targets = self.targets.iter().flat_map(|table| &table.header);
        let swept = self.grid.sweeps().iter().map(|sweep| sweep.name());
        for name in targets.map(String::as_str).chain(swept) {
            let resource = ResourceName::parse(name);
            let mut names = header.iter();
            if let Some(first) = names.position(|other| ResourceName::parse(other) == resource) {
                return Err(SameName {
                    first,
                    second: header.len(),
                    name: name.trim().to_owned(),
                });
            }
            header.push(name.to_owned());
        }
        Ok(header)
    }

    /// A row of a table of `width` columns with the `index`-th of its joined parts.
    ///
    /// # Panics
    /// If there are not that many.
    pub fn join<'r>(&'r self, record: &'r Record, width: usize, index: usize) -> Joined<'r> {
        let targets = self.targets.as_ref();
        let (target, point) = (index / self.grid.count(), index % self.grid.count());
        Joined {
            record,
            width,
            target: targets.map(|table| (&table.rows[target], table.header.len())),
            point: Point {
                grid: &self.grid,
                index: point,
            },
        }
    }
}

/// The name of a target's column.
fn of_target(name: &str) -> String {
    match ResourceName::parse(name).owner() {
        Owner::Target => name.to_owned(),
        Owner::Actor => format!("Target {}", name.trim()),
    }
}

impl<'r> Joined<'r> {
    /// Where a column comes from.
    pub fn origin(&self, column: usize) -> Origin<'r> {
        let Some(other) = column.checked_sub(self.width) else {
            return Origin::First(self.record, column);
        };
        match self.target {
            Some((target, width)) if other < width => Origin::Target(target, other),
            Some((_, width)) => Origin::Swept(self.point, other - width),
            None => Origin::Swept(self.point, other),
        }
    }

    /// The swept values.
    pub fn point(&self) -> Point<'r> {
        self.point
    }

    /// An identification of the row for people: the first cell of each table, and the values of all
    /// sweeps except the axis.
    pub fn labels(&self) -> Vec<String> {
        let records = [Some(self.record), self.target()];
        let cells = records
            .into_iter()
            .flatten()
            .map(|record| record.cell(0).trim());
        let cells = cells.filter(|cell| !cell.is_empty()).map(str::to_owned);
        cells.chain(self.point.labels()).collect()
    }

    /// The row of the second table.
    pub fn target(&self) -> Option<&'r Record> {
        self.target.map(|(target, _)| target)
    }

    /// The bytes of a cell, counted from 0; none if its row ends before it.
    pub fn get(&self, column: usize) -> Option<&'r [u8]> {
        match self.origin(column) {
            Origin::First(record, column) | Origin::Target(record, column) => record.get(column),
            Origin::Swept(point, sweep) => point.value(sweep).map(str::as_bytes),
        }
    }

    /// The column of Arrow that a cell was read from, and its place there, if it was.
    pub fn array(&self, column: usize) -> Option<(&'r ArrayRef, usize)> {
        match self.origin(column) {
            Origin::First(record, column) | Origin::Target(record, column) => record.array(column),
            Origin::Swept(..) => None,
        }
    }

    /// The value in a cell that is not a text, if its table tells texts from other values.
    pub fn value(&self, column: usize) -> Option<Value> {
        match self.origin(column) {
            Origin::First(record, column) | Origin::Target(record, column) => record.value(column),
            Origin::Swept(point, sweep) => {
                let number: Number = point.value(sweep)?.parse().ok()?;
                Some(Value::Number(number))
            }
        }
    }

    /// Whether a cell is a value of its own, as in JSON, rather than text that may be anything.
    pub fn is_of_values(&self, column: usize) -> bool {
        match self.origin(column) {
            Origin::First(record, _) | Origin::Target(record, _) => record.is_of_values(),
            Origin::Swept(..) => true,
        }
    }

    /// The first of the rows that is wrong as a whole.
    pub fn fault(&self) -> Option<BadRow<'r>> {
        let (record, columns) = (self.record, self.width);
        let own = record.fault().map(|fault| BadRow {
            record,
            fault,
            is_target: false,
            columns: 0..columns,
        });
        own.or_else(|| {
            let (record, more) = self.target?;
            Some(BadRow {
                record,
                fault: record.fault()?,
                is_target: true,
                columns: columns..columns + more,
            })
        })
    }

    /// Whether each row has a place for all of its cells.
    pub fn fits(&self) -> bool {
        let target = self
            .target
            .is_none_or(|(target, width)| target.len() <= width);
        self.record.len() <= self.width && target
    }
}

impl<'r> Point<'r> {
    /// The value of a sweep.
    pub fn value(self, sweep: usize) -> Option<&'r str> {
        self.grid.value(self.index, sweep)
    }

    /// Which of the values of a sweep it is.
    pub fn place(self, sweep: usize) -> usize {
        self.grid.place(self.index, sweep)
    }

    /// Where it is on the axis.
    pub fn on_axis(self) -> usize {
        self.place(self.grid.axis())
    }

    /// The combination at the axis' beginning with the same values of the other sweeps.
    pub(crate) fn rest(self) -> usize {
        let axis = self.grid.axis();
        let later = self.grid.sweeps().get(axis + 1..).unwrap_or_default();
        let each: usize = later.iter().map(|sweep| sweep.values().len()).product();
        self.index - self.place(axis) * each
    }

    /// The values of all sweeps but the axis, with their names.
    fn labels(self) -> impl Iterator<Item = String> {
        let axis = self.grid.axis();
        let sweeps = self.grid.sweeps().iter().enumerate();
        let others = sweeps.filter(move |(index, _)| *index != axis);
        others.filter_map(move |(index, sweep)| {
            let value = self.value(index)?;
            Some(match sweep.name() {
                RULES => value.to_owned(),
                name => format!("{name} {value}"),
            })
        })
    }
}

impl Row for Joined<'_> {
    fn cell(&self, column: usize) -> &str {
        match self.origin(column) {
            Origin::First(record, column) | Origin::Target(record, column) => record.cell(column),
            Origin::Swept(point, sweep) => point.value(sweep).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Source, Sweep};

    fn table(text: &str) -> (Vec<String>, Vec<Record>) {
        let bytes = Box::new(std::io::Cursor::new(text.as_bytes().to_vec()));
        let source = Source::csv(bytes, b',').expect("a good header");
        source.rest().expect("good rows")
    }

    #[test]
    fn columns_of_the_second_table_are_the_targets() {
        let (header, rows) = table("Name, Defense ,Target HP\nOrc,13,15\nOwl,11,1\n");
        let joins = Joins::default().targets(&header, rows, |name| name == "Name");
        let (own, first) = table("Attack\n5\n");
        assert_eq!(joins.count(), 2);
        let names = ["Attack", "Name", "Target Defense", "Target HP"].map(str::to_owned);
        assert_eq!(joins.header(&own), Ok(names.to_vec()));
        let pair = joins.join(&first[0], own.len(), 1);
        let cells = (0..5).map(|column| pair.cell(column));
        assert_eq!(cells.collect::<Vec<_>>(), ["5", "Owl", "11", "1", ""]);
        let same = joins.header(&["Target  HP".to_owned()]).expect_err("twice");
        assert_eq!((same.first, same.second), (0, 3));
    }

    #[test]
    fn swept_values_come_last() {
        let (header, rows) = table("Defense\n13\n14\n");
        let sweep = |text| Sweep::parse(text).expect("a good sweep");
        let grid = Grid::new(vec![sweep("Bless=0,4"), sweep("x=a,b")]).expect("a grid");
        let joins = Joins::default()
            .targets(&header, rows, |_| false)
            .sweep(grid);
        let (own, first) = table("Name\nOrc\n");
        assert_eq!(joins.count(), 8);
        let names = ["Name", "Target Defense", "Bless", "x"].map(str::to_owned);
        assert_eq!(joins.header(&own), Ok(names.to_vec()));
        let row = joins.join(&first[0], 1, 6);
        let cells = (0..5).map(|column| row.cell(column));
        assert_eq!(cells.collect::<Vec<_>>(), ["Orc", "14", "4", "a", ""]);
        assert_eq!(row.labels(), ["Orc", "14", "x a"]);
        assert_eq!((row.point().on_axis(), row.point().rest()), (1, 0));
        let same = joins.header(&["x".to_owned()]).expect_err("twice");
        assert_eq!((same.first, same.second), (0, 3));
    }

    #[test]
    fn without_a_second_table_a_row_stands_alone() {
        let (own, rows) = table("A,B\n1,2\n");
        let joins = Joins::default();
        assert_eq!((joins.count(), joins.header(&own)), (1, Ok(own)));
        let row = joins.join(&rows[0], 2, 0);
        assert_eq!((row.cell(1), row.get(2), row.fits()), ("2", None, true));
    }

    #[test]
    fn rows_that_are_wrong_are_wrong_in_each_pair() {
        let (header, rows) = table("Defense\n13\n14,15\n");
        let joins = Joins::default().targets(&header, rows, |_| false);
        let (_, first) = table("A,B\n1,2\n1\n");
        let fault = |row: usize, index| {
            let joined = joins.join(&first[row], 2, index);
            let fault = joined.fault().map(|bad| (bad.record.line(), bad.is_target));
            (fault, joined.fits())
        };
        assert_eq!(fault(0, 0), (None, true));
        assert_eq!(fault(0, 1), (Some((3, true)), false));
        assert_eq!(fault(1, 1), (Some((3, false)), false));
    }
}
