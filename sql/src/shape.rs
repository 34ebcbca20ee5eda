//! What a call gives: a column of numbers, or of structures with a number for each part of the
//! odds.

use crate::call::{Asked, Call};
use crate::error::{SqlError, internal};
use datafusion::arrow::array::{ArrayRef, Float64Builder, StructArray};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::{DataType, Field as ArrowField, Fields};
use datafusion::error::DataFusionError;
use dicec_compiler::Program;
use dicec_games::encounter::{DEAD, ENEMIES_STANDING, HIT_POINTS, ROUNDS, STANDING};
use dicec_runtime::bug;
use dicec_tables::{Answer, Field, Group, Numbers};
use std::sync::Arc;

/// What an encounter gives, as `dicec batch --encounter` names it: the outcomes for the first side,
/// and the means of these numbers.
const OUTCOMES: [&str; 3] = ["win", "lose", "draw"];
const MEANS: [&str; 6] = [
    ROUNDS,
    STANDING,
    HIT_POINTS,
    ENEMIES_STANDING,
    DEAD[0],
    DEAD[1],
];

/// What a call gives.
pub(crate) enum Shape {
    Number(Field),
    Struct(Fields, Vec<Part>),
}

/// A field of a structure.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// One that rules have.
    Field(Field),
    /// The mean of the statistic of this name.
    Mean(&'static str),
}

impl Shape {
    /// The type of the column.
    pub(crate) fn data_type(&self) -> DataType {
        match self {
            Self::Number(_) => DataType::Float64,
            Self::Struct(fields, _) => DataType::Struct(fields.clone()),
        }
    }

    /// Whether it is a single number.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self, Self::Number(_))
    }

    /// What a call gives of a rule, with these numbers.
    pub(crate) fn new(call: &Call, program: Option<&Program>, numbers: &Numbers) -> Self {
        let parts: Vec<(String, Part)> = match call.asked {
            Asked::Mean => return Self::Number(Field::Mean),
            Asked::P => return Self::Number(Field::P),
            Asked::Quantile(_) => return Self::Number(Field::Quantile(0)),
            Asked::Odds | Asked::Sim { .. } => {
                let labels = program.map_or(&[][..], Program::labels);
                let kind = program.and_then(Program::kind);
                let is_sampled = matches!(call.asked, Asked::Sim { .. });
                let group = Group::new("", kind, labels, numbers, is_sampled);
                let fields = group.fields.iter();
                let part = |field: &Field| (group.suffix(*field).to_owned(), Part::Field(*field));
                fields.map(part).collect()
            }
            Asked::Encounter { .. } => {
                let outcomes = OUTCOMES.map(str::to_owned).into_iter();
                let outcomes = outcomes.zip((0..).map(|label| Part::Field(Field::Label(label))));
                let mean = |name: &'static str| {
                    let title = format!("{}_mean", name.replace(' ', "_"));
                    (title, Part::Mean(name))
                };
                outcomes.chain(MEANS.map(mean)).collect()
            }
        };
        let field = |name: &String| ArrowField::new(name, DataType::Float64, true);
        let fields = parts.iter().map(|(name, _)| field(name));
        let fields = fields.collect();
        Self::Struct(fields, parts.into_iter().map(|(_, part)| part).collect())
    }

    /// The numbers of an answer; none for what it does not have.
    pub(crate) fn figures(&self, answer: &Answer) -> Vec<Option<f64>> {
        let figure = |part: &Part| match *part {
            Part::Field(field) => Some(answer.figure(field)?.number()),
            Part::Mean(name) => {
                let mut stats = answer.events.as_ref()?.stats.iter();
                let stat = stats.find(|stat| stat.name == name)?;
                Some(stat.summary.as_ref()?.mean)
            }
        };
        match self {
            Self::Number(field) => vec![figure(&Part::Field(*field))],
            Self::Struct(_, parts) => parts.iter().map(figure).collect(),
        }
    }

    /// An empty column.
    pub(crate) fn builder(&self) -> Builder {
        let (fields, count) = match self {
            Self::Number(_) => (None, 1),
            Self::Struct(fields, parts) => (Some(fields.clone()), parts.len()),
        };
        Builder {
            fields,
            cells: (0..count).map(|_| Float64Builder::new()).collect(),
            is_there: Vec::new(),
        }
    }
}

/// Collects a column of numbers, or of structures of numbers.
pub(crate) struct Builder {
    fields: Option<Fields>,
    cells: Vec<Float64Builder>,
    is_there: Vec<bool>,
}

impl Builder {
    /// Adds the figures of a row, or a missing answer.
    pub(crate) fn push(&mut self, figures: Option<&[Option<f64>]>) {
        self.is_there.push(figures.is_some());
        for (index, cells) in self.cells.iter_mut().enumerate() {
            let figure = figures.and_then(|figures| figures.get(index).copied().flatten());
            cells.append_option(figure);
        }
    }

    /// The column.
    pub(crate) fn finish(mut self) -> Result<ArrayRef, DataFusionError> {
        let cells = self.cells.iter_mut();
        let mut cells = cells.map(|cells| Arc::new(cells.finish()) as ArrayRef);
        match self.fields {
            None => cells.next().ok_or_else(|| {
                let bug = bug!("a column of numbers without numbers");
                SqlError::from(internal(&bug)).into()
            }),
            Some(fields) => {
                let cells = cells.collect();
                let column =
                    StructArray::try_new(fields, cells, Some(NullBuffer::from(self.is_there)))?;
                Ok(Arc::new(column))
            }
        }
    }
}
