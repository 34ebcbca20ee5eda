//! Values that are known before a trial: constants, defaults and arguments.

use super::Float;

/// A value with all its parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Data {
    /// A whole number.
    Int(i64),
    /// A float.
    Float(Float),
    /// True or false.
    Bool(bool),
    /// A rung of the type's ladder, counted from 0.
    Degree(i64),
    /// A text.
    Text(String),
    /// The elements.
    List(Vec<Data>),
    /// The fields, in the order of the type.
    Record(Vec<Data>),
}

impl Data {
    /// Calls `look` with each text in it.
    pub fn each_text<'d>(&'d self, look: &mut dyn FnMut(&'d str)) {
        match self {
            Data::Int(_) | Data::Float(_) | Data::Bool(_) | Data::Degree(_) => {}
            Data::Text(text) => look(text),
            Data::List(parts) | Data::Record(parts) => {
                parts.iter().for_each(|part| part.each_text(look));
            }
        }
    }

    /// Its fields or elements; none if it has none.
    pub fn parts(&self) -> &[Data] {
        match self {
            Data::Int(_) | Data::Float(_) | Data::Bool(_) | Data::Degree(_) | Data::Text(_) => &[],
            Data::List(parts) | Data::Record(parts) => parts,
        }
    }

    /// The fuel for making this value: that of its records and lists.
    pub fn cost(&self) -> u64 {
        match self {
            Data::Int(_) | Data::Float(_) | Data::Bool(_) | Data::Degree(_) | Data::Text(_) => 0,
            Data::Record(fields) => {
                record_cost(fields.len()) + fields.iter().map(Data::cost).sum::<u64>()
            }
            Data::List(parts) => list_cost(parts.len()) + parts.iter().map(Data::cost).sum::<u64>(),
        }
    }
}

/// The fuel for making a record of `fields` fields, besides those of its values.
pub fn record_cost(fields: usize) -> u64 {
    fields.max(1) as u64
}

/// The fuel for making a list of `elements` elements, besides those of its values.
pub fn list_cost(elements: usize) -> u64 {
    elements as u64 + 2
}

/// How the players of a simulation decide about an option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// They never take it, as in a first execution (seed 004).
    #[default]
    Never,
    /// They always take it.
    Always,
    /// They take it this many times in a million: decided by a die of [`CHANCE_SIDES`] sides, which
    /// shows at most this number.
    Chance(u32),
}

/// The sides of the die that decides for [`Policy::Chance`].
pub const CHANCE_SIDES: u32 = 1_000_000;
