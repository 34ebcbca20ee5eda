//! The kind of the result of a roll.

use dicec_runtime::degree::Ladder;
use dicec_runtime::scale::Scale;

/// The kind of the result of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A whole number.
    Number,
    /// A float. As an outcome it is its [`dicec_runtime::float::key`].
    Float,
    /// True or false.
    Check,
    /// A rung of a ladder.
    Degree(Ladder),
    /// Degrees of success, or of failure below 0.
    Test,
    /// One of [`Module::labels`](super::Module::labels), as its index among them.
    Label,
    /// The same where labels are a ladder, the worst first: from this index on they are successes.
    Level(i64),
}

impl Kind {
    /// Whether it is a number, whole or float.
    pub fn is_number(self) -> bool {
        matches!(self, Kind::Number | Kind::Float | Kind::Test)
    }

    /// Whether its outcomes are labels.
    pub fn is_label(self) -> bool {
        matches!(self, Kind::Label | Kind::Level(_))
    }

    /// How outcomes of this kind are read.
    pub fn scale(self) -> Scale {
        match self {
            Kind::Number | Kind::Check | Kind::Degree(_) | Kind::Test => Scale::Whole,
            Kind::Label | Kind::Level(_) => Scale::Whole,
            Kind::Float => Scale::Float,
        }
    }
}
