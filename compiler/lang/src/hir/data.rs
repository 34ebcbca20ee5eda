//! Constants, defaults and arguments: values that are known before a trial.

use super::{Expr, ExprKind, Float, Roll, Type};
use dicec_runtime::limits::DICE_PER_FUEL;

/// A value with all its parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Data {
    /// A whole number.
    Int(i64),
    /// A float.
    Float(Float),
    /// True or false.
    Bool(bool),
    /// A rung of the type's ladder or a constant of the type's enum, counted from 0; or the bits of
    /// a set of flags.
    Named(i64),
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
            Data::Int(_) | Data::Float(_) | Data::Bool(_) | Data::Named(_) => {}
            Data::Text(text) => look(text),
            Data::List(parts) | Data::Record(parts) => {
                parts.iter().for_each(|part| part.each_text(look));
            }
        }
    }

    /// Its fields or elements; none if it has none.
    pub fn parts(&self) -> &[Data] {
        match self {
            Data::Int(_) | Data::Float(_) | Data::Bool(_) | Data::Named(_) | Data::Text(_) => &[],
            Data::List(parts) | Data::Record(parts) => parts,
        }
    }

    /// The fuel for making this value: that of its records and lists.
    pub fn cost(&self) -> u64 {
        match self {
            Data::Int(_) | Data::Float(_) | Data::Bool(_) | Data::Named(_) | Data::Text(_) => 0,
            Data::Record(fields) => {
                record_cost(fields.len()) + fields.iter().map(Data::cost).sum::<u64>()
            }
            Data::List(parts) => list_cost(parts.len()) + parts.iter().map(Data::cost).sum::<u64>(),
        }
    }
}

/// The fuel for making a record of `fields` fields, besides those of its values.
pub(super) fn record_cost(fields: usize) -> u64 {
    fields.max(1) as u64
}

/// The fuel for making a list of `elements` elements, besides those of its values.
pub(super) fn list_cost(elements: usize) -> u64 {
    elements as u64 + 2
}

impl Roll {
    /// Computes [`Roll::cost`].
    pub(crate) fn dice_cost(&self) -> u64 {
        let mut dice: u64 = 0;
        self.body.each(&mut |part| {
            if let ExprKind::Pool(pool) = &part.kind
                && let ExprKind::Int(count) = pool.count.kind
            {
                // A negative number rolls no dice.
                dice = dice.saturating_add(u64::try_from(count).unwrap_or(0));
            }
        });
        dice / DICE_PER_FUEL
    }
}

/// How many texts, truth values, degrees, constants of enums and sets of flags that are not written
/// out are among the parts of a text: they are what its
/// [`join_cost`](dicec_runtime::limits::join_cost) is for. Numbers do not count: of them a text
/// keeps the places only. A single part is not joined to anything.
pub fn joined_values(parts: &[Expr]) -> u64 {
    if parts.len() == 1 {
        return 0;
    }
    let joined = parts.iter().filter(|part| {
        let written = matches!(part.kind, ExprKind::Text(_) | ExprKind::Bool(_));
        !written
            && matches!(
                part.ty,
                Type::Text | Type::Bool | Type::Degree(_) | Type::Enum(_) | Type::Flags(_)
            )
    });
    joined.count() as u64
}

/// How the players of a simulation decide about an option. Where it has more answers than yes and
/// no, all but the last two give the first answer; where it has not, the last two do not take it.
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
    /// They answer with this number, or the nearest that is offered. Of a list, it is the index of
    /// the answer.
    Answer(i64),
    /// They answer at random, each answer as likely as the others.
    Random,
}

impl Policy {
    /// The answer to a range of numbers; none if it is random.
    pub fn answer(self, first: i64, last: i64) -> Option<i64> {
        match self {
            Policy::Never | Policy::Always | Policy::Chance(_) => Some(first),
            Policy::Answer(number) => Some(number.min(last).max(first)),
            Policy::Random => None,
        }
    }
}

/// The sides of the die that decides for [`Policy::Chance`].
pub const CHANCE_SIDES: u32 = 1_000_000;
