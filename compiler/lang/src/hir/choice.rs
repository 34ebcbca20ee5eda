//! Enums and flags, and `match`.

use super::{EnumId, FunctionId, LocalId, Type};
use dicec_runtime::span::Span;
use std::borrow::Cow;
use std::sync::Arc;

/// The maximum number of constants of flags: a set of them is a word that is not negative.
pub const MAX_FLAGS: usize = 62;

/// The maximum number of constants of flags whose sets a roll may return, so that all sets can be
/// counted.
pub const MAX_COUNTED_FLAGS: usize = 16;

/// The written form of the empty set.
pub const NO_FLAGS: &str = "none";

/// An enum, of which a value is one of its constants, by number; or flags, of which a value is a
/// set of the constants, with a bit for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumType {
    /// Its name.
    pub name: String,
    /// Whether it is flags.
    pub is_flags: bool,
    /// The names of its constants, each once, in written order. There is at least one.
    pub constants: Arc<[String]>,
    /// The lowest constant that is a success, if it is a ladder.
    pub success: Option<i64>,
    /// Where it is defined.
    pub span: Span,
}

impl EnumType {
    /// The type of its values.
    pub fn ty(&self, id: EnumId) -> Type {
        match self.is_flags {
            true => Type::Flags(id),
            false => Type::Enum(id),
        }
    }

    /// The value of the constant of this name: its number, or the set that holds only it.
    pub fn number(&self, name: &str) -> Option<i64> {
        let place = self.constants.iter().position(|known| known == name)?;
        match self.is_flags {
            true => 1_i64.checked_shl(u32::try_from(place).ok()?),
            // A text below 4 GiB has fewer names.
            false => Some(place as i64),
        }
    }

    /// A value as texts show it: the name of a constant, or those of a set's.
    pub fn written(&self, value: i64) -> Option<Cow<'_, str>> {
        if !self.is_flags {
            let name = self.constants.get(usize::try_from(value).ok()?);
            return name.map(|name| Cow::Borrowed(name.as_str()));
        }
        self.holds(value)
            .then(|| written_set(&self.constants, value))
    }

    /// Whether this is a value of it.
    pub fn holds(&self, value: i64) -> bool {
        match self.is_flags {
            true => value >= 0 && value >> self.constants.len().min(MAX_FLAGS) == 0,
            false => usize::try_from(value).is_ok_and(|place| place < self.constants.len()),
        }
    }

    /// The constants as a message lists them: `single, semi, full`.
    pub fn list(&self) -> String {
        self.constants.join(", ")
    }
}

/// The names of the flags in a set, in the order of their definition.
pub fn flags_in(names: &[String], set: i64) -> impl Iterator<Item = &str> {
    let named = names.iter().zip(0_u32..);
    let held = named.filter(move |(_, place)| set.unbounded_shr(*place) & 1 == 1);
    held.map(|(name, _)| name.as_str())
}

/// A set as texts show it.
pub fn written_set(names: &[String], set: i64) -> Cow<'static, str> {
    let held: Vec<&str> = flags_in(names, set).collect();
    match held.is_empty() {
        true => Cow::Borrowed(NO_FLAGS),
        false => Cow::Owned(held.join(", ")),
    }
}

/// The names of a roll's outcomes if they are not numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Labels {
    /// The name of each, by its number; without names, they have none.
    Each(Arc<[String]>),
    /// They are sets of these flags.
    Sets(Arc<[String]>),
}

impl Default for Labels {
    fn default() -> Self {
        Self::Each(Arc::default())
    }
}

impl Labels {
    /// The name of an outcome.
    pub fn name(&self, outcome: i64) -> Option<String> {
        match self {
            Labels::Each(names) => names.get(usize::try_from(outcome).ok()?).cloned(),
            Labels::Sets(names) => Some(written_set(names, outcome).into_owned()),
        }
    }

    /// The names of all outcomes, or of the flags.
    pub fn names(&self) -> &Arc<[String]> {
        match self {
            Labels::Each(names) | Labels::Sets(names) => names,
        }
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
