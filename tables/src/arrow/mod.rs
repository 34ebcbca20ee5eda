//! Rows with their answers as record batches of Arrow, for Parquet files and other libraries.
//!
//! ```text
//! cells of a row --own-----> columns of Arrow as they were read
//!               --inferred-> those of CSV and JSON as their first rows look
//! its answers ----added----> numbers, lists of quantiles, structures of degrees, maps of lines
//! ```

mod added;
mod inferred;
mod long;
mod own;
mod writer;

pub use writer::BatchWriter;

use crate::answer::Answer;
use crate::group::Group;
use crate::joined::Joined;
use crate::long::LongColumns;
use added::Added;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, FieldRef, Schema, SchemaRef};
use long::Long;
use own::Own;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use thiserror::Error;

/// Why rows cannot be a record batch.
#[derive(Debug, Error)]
pub enum BadBatch {
    /// A cell does not have the type of the earlier cells of its column.
    #[error(
        "the first rows of the column \"{column}\" hold {expected}, but row {row} holds `{cell}`"
    )]
    Cell {
        /// The column's name.
        column: String,
        /// The type of the column.
        expected: &'static str,
        /// The row, from 1, counted over all batches.
        row: u64,
        /// The cell.
        cell: String,
    },
    /// A cell does not come from a column of the type that the table said.
    #[error("row {row} of the column \"{column}\" is not of the type {expected}")]
    Type {
        /// The column's name.
        column: String,
        /// The type.
        expected: DataType,
        /// The row, from 1, counted over all batches.
        row: u64,
    },
    /// Two columns have one name.
    #[error("two columns would be called \"{0}\"")]
    Twice(String),
    /// Arrow does not make it.
    #[error(transparent)]
    Arrow(#[from] ArrowError),
}

/// Collects rows into record batches.
pub struct RecordBatches {
    own: Vec<Own>,
    groups: Vec<Group>,
    /// The columns that each group adds.
    added: Vec<Vec<Added>>,
    /// The columns of results, which each have a row, instead of these.
    long: Option<Long>,
    /// Known after the first batch.
    schema: Option<SchemaRef>,
    rows: u64,
}

impl RecordBatches {
    /// A collector for a table with these columns, and those that the groups add. One of the
    /// table's own columns keeps its type if the table states it; otherwise it gets the type of its
    /// cells in the first batch: whole numbers, numbers, truth values or texts.
    pub fn new(header: &[String], types: &[Option<DataType>], groups: &[Group]) -> Self {
        let types = types.iter().cloned().chain(std::iter::repeat(None));
        let own = header.iter().zip(types);
        Self {
            own: own.map(|(name, ty)| Own::new(name, ty)).collect(),
            added: groups.iter().map(Added::of_group).collect(),
            groups: groups.to_vec(),
            long: None,
            schema: None,
            rows: 0,
        }
    }

    /// A collector for the columns that the groups add, alone, with one for each quantile.
    pub fn apart(groups: &[Group]) -> Self {
        Self {
            added: groups.iter().map(Added::apart).collect(),
            ..Self::new(&[], &[], groups)
        }
    }

    /// A collector with a row for each result of each group, instead of the columns of groups.
    pub fn of_results(
        header: &[String],
        types: &[Option<DataType>],
        groups: &[Group],
        columns: LongColumns,
    ) -> Self {
        Self {
            added: Vec::new(),
            long: Some(Long::new(columns)),
            ..Self::new(header, types, groups)
        }
    }

    /// Adds a row: its cells, and an answer a group, if there is one.
    ///
    /// # Errors
    /// A cell that does not have the type of its column.
    pub fn push(&mut self, cells: &Joined<'_>, answers: &[Option<Answer>]) -> Result<(), BadBatch> {
        if let Some(mut long) = self.long.take() {
            let mut rows = LongColumns::rows(&self.groups, answers);
            let pushed = rows.try_for_each(|row| {
                self.rows += 1;
                push_own(&mut self.own, cells, self.rows)?;
                long.push(row, self.rows)
            });
            self.long = Some(long);
            return pushed;
        }
        self.rows += 1;
        push_own(&mut self.own, cells, self.rows)?;
        for ((group, added), answer) in self.groups.iter().zip(&mut self.added).zip(answers) {
            for column in added {
                column.push(group, answer.as_ref())?;
            }
        }
        Ok(())
    }

    /// The rows since the last batch. The first one decides the types.
    ///
    /// # Errors
    /// Two columns of one name.
    pub fn batch(&mut self) -> Result<RecordBatch, BadBatch> {
        let schema = match &self.schema {
            Some(schema) => Arc::clone(schema),
            None => self.decide()?,
        };
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(schema.fields().len());
        for own in &mut self.own {
            columns.push(own.finish()?);
        }
        for column in self.added.iter_mut().flatten() {
            columns.push(column.finish()?);
        }
        if let Some(long) = &mut self.long {
            columns.extend(long.finish()?);
        }
        Ok(RecordBatch::try_new(schema, columns)?)
    }

    /// Decides the types of the columns.
    fn decide(&mut self) -> Result<SchemaRef, BadBatch> {
        let own = self.own.iter_mut().map(Own::decide);
        let own = own.map(FieldRef::new);
        let mut fields: Vec<FieldRef> = own.collect();
        fields.extend(
            self.added
                .iter()
                .flatten()
                .map(|added| added.field().clone()),
        );
        let long = self.long.iter_mut().flat_map(Long::decide);
        fields.extend(long.map(FieldRef::new));
        let mut taken = FxHashSet::default();
        let twice = fields
            .iter()
            .find(|field| !taken.insert(field.name().clone()));
        if let Some(field) = twice {
            return Err(BadBatch::Twice(field.name().clone()));
        }
        let schema = Arc::new(Schema::new(fields));
        self.schema = Some(Arc::clone(&schema));
        Ok(schema)
    }
}

/// Adds the table's own cells of a row, which has this number.
fn push_own(columns: &mut [Own], cells: &Joined<'_>, row: u64) -> Result<(), BadBatch> {
    let mut columns = columns.iter_mut().enumerate();
    columns.try_for_each(|(column, own)| own.push(cells, column, row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Batch, Columns, Joins, Method, Numbers, Record, Source};
    use arrow_array::builder::{Int64Builder, ListBuilder};
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float64Type, Int64Type};
    use arrow_array::{Array, BinaryArray, RecordBatchIterator, TimestampNanosecondArray};
    use dicec_compiler::Compiler;
    use dicec_runtime::pmf::Limits;
    use dicec_runtime::resource::ResourceTable;

    /// A table's batches of one row each, with the answers to these rules.
    fn batches(text: &str, rules: &[(&str, &str)]) -> Result<Vec<RecordBatch>, BadBatch> {
        let bytes = Box::new(std::io::Cursor::new(text.as_bytes().to_vec()));
        let source = Source::csv(bytes, b',').expect("a good header");
        let types = source.types().to_vec();
        let (header, rows): (_, Vec<Record>) = source.rest().expect("good rows");
        let columns = Columns::new(&header, ResourceTable::new());
        let method = Method::Exact(Limits::default(), None);
        let mut batch = Batch::new(columns, method, Numbers::Quantiles).expect("threads");
        for (name, rule) in rules {
            let rule = Compiler::new().rule(rule).expect("a rule");
            batch.ask_rule(name, &rule).expect("the columns are there");
        }
        rows.iter().for_each(|row| {
            batch.push(row);
        });
        batch.solve().expect("nobody cancels");
        let mut made = RecordBatches::new(&header, &types, &batch.groups());
        let joins = Joins::default();
        let rows = rows.iter().enumerate().map(|(number, row)| {
            let answers = (0..rules.len()).map(|question| batch.answer(number, question).ok());
            let answers: Vec<_> = answers.collect();
            made.push(&joins.join(row, header.len(), 0), &answers)?;
            made.batch()
        });
        rows.collect()
    }

    #[test]
    fn answers_have_types() {
        let rules = [
            ("hit", "1d20 + [Attack] >= 15"),
            ("wound", "1d6 + [Attack]"),
            ("save", "1d20 + [Attack] vs 15"),
        ];
        let found = batches("Name,Attack\nOrc,5\nElf,\n", &rules).expect("good cells");
        let shown = found[0].schema();
        let shown = shown.fields().iter();
        let shown = shown.map(|field| format!("{} {}", field.name(), field.data_type()));
        assert_eq!(
            shown.collect::<Vec<_>>(),
            [
                "Name Utf8",
                "Attack Int64",
                "hit_p Float64",
                "wound_mean Float64",
                "wound_sd Float64",
                "wound_quantiles List(Float64)",
                "save Struct(\"critical_failure\": Float64, \"failure\": Float64, \
                 \"success\": Float64, \"critical_success\": Float64)",
            ]
        );
        let [first, second] = [0, 1].map(|row| &found[row]);
        assert_eq!(first["Attack"].as_primitive::<Int64Type>().value(0), 5);
        assert_eq!(first["hit_p"].as_primitive::<Float64Type>().value(0), 0.55);
        let list = first["wound_quantiles"].as_list::<i32>().value(0);
        assert_eq!(
            list.as_primitive::<Float64Type>().values(),
            &[6.0, 8.0, 11.0]
        );
        let shares = first["save"].as_struct().columns().iter();
        let shares = shares.map(|share| share.as_primitive::<Float64Type>().value(0));
        assert_eq!(shares.collect::<Vec<_>>(), [0.05, 0.4, 0.5, 0.05]);
        // The elf's attack is missing, so its answers are, too.
        assert!((1..second.num_columns()).all(|column| second.column(column).is_null(0)));
    }

    #[test]
    fn a_later_cell_that_does_not_fit_is_told() {
        let wrong = batches("Name,Defense\nOrc,13\nOwl,none\n", &[]).expect_err("no number");
        assert_eq!(
            wrong.to_string(),
            "the first rows of the column \"Defense\" hold whole numbers, but row 2 holds `none`"
        );
        let fits = batches("Name,Defense\n7,13\n8,\n", &[]);
        assert_eq!(fits.map(|found| found.len()).ok(), Some(2));
        let twice = batches("hit,a\n7,1\n", &[("hit", "1d20 vs 15")]).expect_err("twice");
        assert_eq!(twice.to_string(), "two columns would be called \"hit\"");
    }

    #[test]
    fn each_result_has_a_row() {
        let text = "Name,Attack\nOrc,1\nElf,\n";
        let bytes = Box::new(std::io::Cursor::new(text.as_bytes().to_vec()));
        let source = Source::csv(bytes, b',').expect("a good header");
        let types = source.types().to_vec();
        let (header, rows): (_, Vec<Record>) = source.rest().expect("good rows");
        let columns = Columns::new(&header, ResourceTable::new());
        let method = Method::Exact(Limits::default(), None);
        let mut batch = Batch::new(columns, method, Numbers::Results).expect("threads");
        let rule = Compiler::new().rule("1d2 + [Attack]").expect("a rule");
        batch.ask_rule("wound", &rule).expect("the column is there");
        rows.iter().for_each(|row| {
            batch.push(row);
        });
        batch.solve().expect("nobody cancels");
        let long = batch.long_columns().expect("rows for results");
        let mut made = RecordBatches::of_results(&header, &types, &batch.groups(), long);
        let joins = Joins::default();
        for (number, row) in rows.iter().enumerate() {
            let answer = batch.answer(number, 0).ok();
            made.push(&joins.join(row, header.len(), 0), &[answer])
                .expect("good cells");
        }
        let found = made.batch().expect("good columns");
        let schema = found.schema();
        let fields = schema.fields().iter();
        let fields = fields.map(|field| format!("{} {}", field.name(), field.data_type()));
        let fields: Vec<String> = fields.collect();
        assert_eq!(
            fields,
            ["Name Utf8", "Attack Int64", "result Int64", "p Float64"]
        );
        let results = found["result"].as_primitive::<Int64Type>();
        let p = found["p"].as_primitive::<Float64Type>();
        let cells = |row| (results.value(row), p.value(row));
        assert_eq!([0, 1].map(cells), [(2, 0.5), (3, 0.5)]);
        // The elf's attack is missing: its row has no result.
        assert_eq!(found.num_rows(), 3);
        assert!(results.is_null(2) && p.is_null(2));
    }

    /// Values that no text gives back, among them a row that is there twice.
    #[test]
    fn columns_of_arrow_stay_as_they_are() {
        let times = TimestampNanosecondArray::from(vec![Some(1), None, Some(3)]);
        let mut lists = ListBuilder::new(Int64Builder::new());
        lists.append_value([Some(3), None]);
        lists.append_null();
        lists.append_value([]);
        let columns: [(&str, ArrayRef); 3] = [
            ("time", Arc::new(times.with_timezone("UTC"))),
            ("dice", Arc::new(lists.finish())),
            (
                "bytes",
                Arc::new(BinaryArray::from(vec![&[0_u8, 255][..], b"", b"a"])),
            ),
        ];
        let whole = RecordBatch::try_from_iter(columns).expect("columns");
        let batches = [whole.slice(0, 2), whole.slice(2, 1)].map(Ok);
        let batches = RecordBatchIterator::new(batches, whole.schema());
        let source = Source::batches(Box::new(batches)).expect("a good table");
        let types = source.types().to_vec();
        let (header, rows) = source.rest().expect("good rows");
        let mut made = RecordBatches::new(&header, &types, &[]);
        let joins = Joins::default();
        let mut push = |row: usize| made.push(&joins.join(&rows[row], header.len(), 0), &[]);
        [0, 1, 1, 2]
            .into_iter()
            .for_each(|row| push(row).expect("its type"));
        let found = made.batch().expect("good columns");
        assert_eq!(found.num_rows(), 4);
        for (found, whole) in found.columns().iter().zip(whole.columns()) {
            assert_eq!(found.slice(0, 2).to_data(), whole.slice(0, 2).to_data());
            assert_eq!(found.slice(2, 2).to_data(), whole.slice(1, 2).to_data());
        }
        let untyped = Record::from_iter(["1", "[]", ""]);
        let wrong = made.push(&joins.join(&untyped, header.len(), 0), &[]);
        assert_eq!(
            wrong.expect_err("a row of texts").to_string(),
            "row 5 of the column \"time\" is not of the type Timestamp(ns, \"UTC\")"
        );
    }
}
