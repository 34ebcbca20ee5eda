//! Results of rolls with several parts.
//!
//! The body of such a roll calls the function that returns the record, and notes each part. So all
//! engines give the odds of each part as those of a statistic, and the exact engine gives those of
//! all together, which are the odds of the function.

use super::{FunctionId, Kind, Module, StatId, Type};
use dicec_runtime::scale::Scale;

/// The result of a roll that is noted part by part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The function with the parameters of the roll that returns the text, or the record with a
    /// field for each part. Nothing writes to records of that type.
    pub function: FunctionId,
    /// The parts, in written order: fields of the record, or only the text.
    pub all: Vec<Part>,
}

/// A part of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name; empty for a text that is the whole result.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// How it is noted.
    pub note: PartNote,
}

/// How a part is noted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartNote {
    /// As a number of this statistic.
    Number(StatId),
    /// As a statistic whose name is this text and then the part.
    Text(String),
}

impl Parts {
    /// Whether they are a text that is the whole result.
    pub fn is_text(&self) -> bool {
        matches!(&self.all[..], [part] if part.name.is_empty())
    }
}

impl Module {
    /// A number as which a value of a type was noted, as the text of the value.
    pub fn value_text(&self, ty: &Type, noted: i64) -> String {
        let name = match self.kind_of_type(ty) {
            Some(Kind::Check) => Some((noted != 0).to_string()),
            Some(Kind::Degree(ladder)) => Some(ladder.name(noted).to_owned()),
            Some(Kind::Label | Kind::Level(_)) => self.labels_of_type(ty).name(noted),
            Some(Kind::Float) => return Scale::Float.show(noted).to_string(),
            Some(Kind::Number | Kind::Test) | None => None,
        };
        name.unwrap_or_else(|| noted.to_string())
    }
}
