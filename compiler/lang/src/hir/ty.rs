//! Types.

use super::{EnumId, TypeId};
use dicec_runtime::degree::Ladder;

/// The name of [`Type::Test`] in scripts.
pub const TEST: &str = "test";

/// The type of an expression or a variable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Type {
    /// Not checked yet.
    #[default]
    Unknown,
    /// Nothing: a function that returns no value.
    Unit,
    /// A whole number.
    Int,
    /// A number with a fraction, as an `f64`.
    Float,
    /// True or false.
    Bool,
    /// A degree of success.
    Degree(Ladder),
    /// The result of `a under b`: degrees of success, negative for failure.
    Test,
    /// One of the constants of an enum, by its number.
    Enum(EnumId),
    /// A set of the constants of flags: a bit for each, the first one's the lowest.
    Flags(EnumId),
    /// A text.
    Text,
    /// A list of such values.
    List(Box<Type>),
    /// A record.
    Record(TypeId),
}

impl Type {
    /// Whether it is a number, whole or float.
    pub fn is_number(&self) -> bool {
        matches!(self, Type::Int | Type::Float)
    }
}
