//! The columns that answers add: probabilities, means and the like are numbers, quantiles a list,
//! degrees and labels a structure of probabilities, lines a map from a line to its mean number.

use crate::answer::Answer;
use crate::field::Field;
use crate::figure::Figure;
use crate::group::Group;
use arrow_array::builder::{Float64Builder, Int64Builder, ListBuilder, MapBuilder, StringBuilder};
use arrow_array::{ArrayRef, StructArray};
use arrow_buffer::NullBufferBuilder;
use arrow_schema::{ArrowError, DataType, FieldRef, Fields};
use std::collections::HashMap;
use std::sync::Arc;

/// A column.
pub(super) struct Added {
    field: FieldRef,
    of: Vec<Field>,
    cells: Cells,
}

enum Cells {
    Float(Float64Builder),
    Whole(Int64Builder),
    List(ListBuilder<Float64Builder>),
    Struct(Fields, Vec<Float64Builder>, NullBufferBuilder),
    /// With the lines.
    Map(Vec<String>, Box<MapBuilder<StringBuilder, Float64Builder>>),
}

/// The fields that share one column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Together {
    No,
    Quantiles(Option<u16>),
    Shares,
    Lines,
}

impl Added {
    /// The columns of a group, with a list of its quantiles.
    pub(super) fn of_group(group: &Group) -> Vec<Self> {
        Self::columns(group, together)
    }

    /// The columns of a group, with one for each quantile.
    pub(super) fn apart(group: &Group) -> Vec<Self> {
        Self::columns(group, |field| match together(field) {
            Together::Quantiles(_) => Together::No,
            together => together,
        })
    }

    fn columns(group: &Group, together: impl Fn(Field) -> Together) -> Vec<Self> {
        let parts = group.fields.chunk_by(|a, b| {
            let together_with = together(*a);
            together_with != Together::No && together_with == together(*b)
        });
        let column = |fields: &[Field]| Self::new(group, fields, together(fields[0]));
        parts.map(column).collect()
    }

    /// The column of these fields, which are together in this way; there is at least one.
    fn new(group: &Group, fields: &[Field], together: Together) -> Self {
        let first = fields[0];
        let suffixes = || fields.iter().map(|field| group.suffix(*field).to_owned());
        let (name, cells, metadata) = match together {
            Together::No => {
                let is_whole = matches!(first, Field::Min | Field::Max) && group.is_whole();
                let cells = match is_whole {
                    true => Cells::Whole(Int64Builder::new()),
                    false => Cells::Float(Float64Builder::new()),
                };
                (group.column(first), cells, None)
            }
            Together::Quantiles(_) => {
                let names: Vec<String> = suffixes().collect();
                let cells = Cells::List(ListBuilder::new(Float64Builder::new()));
                (
                    group.column_of(first, "quantiles"),
                    cells,
                    Some(("quantiles", names.join(","))),
                )
            }
            Together::Shares => {
                let fields: Vec<_> = suffixes().map(number).collect();
                let builders = fields.iter().map(|_| Float64Builder::new()).collect();
                let cells = Cells::Struct(fields.into(), builders, NullBufferBuilder::new(0));
                let name = match group.name.as_str() {
                    "" => "odds".to_owned(),
                    name => name.to_owned(),
                };
                (name, cells, None)
            }
            Together::Lines => {
                let builder = MapBuilder::new(None, StringBuilder::new(), Float64Builder::new());
                let name = match group.name.as_str() {
                    "" => "lines".to_owned(),
                    name => format!("{name}_lines"),
                };
                (
                    name,
                    Cells::Map(suffixes().collect(), Box::new(builder)),
                    None,
                )
            }
        };
        let metadata = metadata.map(|(key, value)| (key.to_owned(), value));
        let field = arrow_schema::Field::new(name, cells.ty(), true);
        let field = field.with_metadata(metadata.into_iter().collect::<HashMap<_, _>>());
        Self {
            field: Arc::new(field),
            of: fields.to_vec(),
            cells,
        }
    }

    pub(super) fn field(&self) -> &FieldRef {
        &self.field
    }

    /// Adds the cell of a row.
    pub(super) fn push(
        &mut self,
        group: &Group,
        answer: Option<&Answer>,
    ) -> Result<(), ArrowError> {
        let figures = self.of.iter();
        let figures = figures.map(|field| group.figure(answer?, *field));
        let mut figures = figures.collect::<Vec<_>>().into_iter();
        match &mut self.cells {
            Cells::Float(cells) => {
                cells.append_option(figures.next().flatten().map(Figure::number))
            }
            Cells::Whole(cells) => cells.append_option(figures.next().flatten().and_then(whole)),
            Cells::List(cells) => {
                let is_there = figures.len() > 0 && figures.as_slice()[0].is_some();
                figures.for_each(|figure| cells.values().append_option(figure.map(Figure::number)));
                cells.append(is_there);
            }
            Cells::Struct(_, cells, nulls) => {
                nulls.append(figures.as_slice().iter().any(Option::is_some));
                for (cells, figure) in cells.iter_mut().zip(figures) {
                    cells.append_option(figure.map(Figure::number));
                }
            }
            Cells::Map(lines, cells) => {
                for (line, figure) in lines.iter().zip(figures) {
                    if let Some(figure) = figure {
                        cells.keys().append_value(line);
                        cells.values().append_value(figure.number());
                    }
                }
                cells.append(answer.is_some())?;
            }
        }
        Ok(())
    }

    /// The cells since the last time.
    pub(super) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(match &mut self.cells {
            Cells::Float(cells) => Arc::new(cells.finish()),
            Cells::Whole(cells) => Arc::new(cells.finish()),
            Cells::List(cells) => Arc::new(cells.finish()),
            Cells::Struct(fields, cells, nulls) => {
                let columns = cells.iter_mut();
                let columns = columns.map(|cells| Arc::new(cells.finish()) as ArrayRef);
                let columns = columns.collect();
                Arc::new(StructArray::try_new(
                    fields.clone(),
                    columns,
                    nulls.finish(),
                )?)
            }
            Cells::Map(_, cells) => Arc::new(cells.finish()),
        })
    }
}

impl Cells {
    fn ty(&self) -> DataType {
        match self {
            Cells::Float(_) => DataType::Float64,
            Cells::Whole(_) => DataType::Int64,
            Cells::List(_) => DataType::new_list(DataType::Float64, true),
            Cells::Struct(fields, ..) => DataType::Struct(fields.clone()),
            Cells::Map(..) => {
                let key = arrow_schema::Field::new("keys", DataType::Utf8, false);
                let value = arrow_schema::Field::new("values", DataType::Float64, true);
                let entries = DataType::Struct(vec![key, value].into());
                let entries = arrow_schema::Field::new("entries", entries, false);
                DataType::Map(Arc::new(entries), false)
            }
        }
    }
}

fn together(field: Field) -> Together {
    match field {
        Field::P5 | Field::P50 | Field::P95 | Field::Quantile(_) => Together::Quantiles(None),
        Field::StatQuantile(stat, _) => Together::Quantiles(Some(stat)),
        Field::Rung(..) | Field::Label(_) => Together::Shares,
        Field::Line(_) => Together::Lines,
        Field::P
        | Field::Mean
        | Field::Sd
        | Field::Min
        | Field::Max
        | Field::Se
        | Field::Range(_)
        | Field::StatMean(_)
        | Field::StatSd(_)
        | Field::StatRange(..) => Together::No,
    }
}

fn number(name: String) -> arrow_schema::Field {
    arrow_schema::Field::new(name, DataType::Float64, true)
}

fn whole(figure: Figure) -> Option<i64> {
    match figure {
        Figure::Whole(number) => Some(number),
        Figure::Float(_) => None,
    }
}
