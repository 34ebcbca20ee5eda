//! Enums, and the choices between values that `match` makes.

use super::{FunctionId, LocalId};
use dicec_runtime::span::Span;
use std::sync::Arc;

/// An enum: a value is one of its constants, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumType {
    /// Its name.
    pub name: String,
    /// The names of its constants, each once, in written order. There is at least one.
    pub constants: Arc<[String]>,
    /// Where it is defined.
    pub span: Span,
}

impl EnumType {
    /// The number of the constant of this name.
    pub fn number(&self, name: &str) -> Option<i64> {
        let place = self.constants.iter().position(|known| known == name);
        // A text below 4 GiB has fewer names.
        place.map(|place| place as i64)
    }

    /// The name of a constant.
    pub fn constant(&self, number: i64) -> Option<&str> {
        let name = self.constants.get(usize::try_from(number).ok()?);
        name.map(String::as_str)
    }

    /// The constants as a message lists them: `single, semi, full`.
    pub fn list(&self) -> String {
        self.constants.join(", ")
    }
}

/// A `match`. Front ends make conditions of its arms; what is left is for [`crate::check`]: whether
/// there is exactly one arm for each value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The function that it is in.
    pub function: FunctionId,
    /// The variable that holds the value.
    pub subject: LocalId,
    /// The cases of all arms, in written order.
    pub cases: Vec<Case>,
    /// The `else`, if there is one.
    pub otherwise: Option<Span>,
    /// Where it is written.
    pub span: Span,
}

/// A case of an arm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Which values it is for.
    pub kind: CaseKind,
    /// Where it is written.
    pub span: Span,
    /// Whether its value is compared: if not, the last arm is for all other values.
    pub is_compared: bool,
}

/// The values that an arm is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseKind {
    /// A constant of the value's type.
    Named(String),
    /// All whole numbers from one to another, both included.
    Whole(i64, i64),
    /// A truth value.
    Truth(bool),
    /// A text.
    Text(String),
}
