//! Values that are known before a trial: constants, defaults and arguments.

/// A value, as deep as its type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Data {
    /// A whole number.
    Int(i64),
    /// True or false.
    Bool(bool),
    /// A rung of [`Ladder::Pathfinder`](dicec_runtime::degree::Ladder), counted from 0.
    Degree(i64),
    /// A text.
    Text(String),
    /// The elements.
    List(Vec<Data>),
    /// The fields, in the order of the type.
    Record(Vec<Data>),
}
