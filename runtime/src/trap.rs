//! Run-time errors of a rule: the possible ends of a trial, with their location in the source.

use crate::span::Span;
use thiserror::Error;

/// Why a trial ended without a result. Compiled code stores the number; game masters read the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[repr(u32)]
pub enum TrapCode {
    /// A whole number left the range of `i64`, or a float that of `f64`.
    #[error("the number grew past what fits")]
    Overflow = 1,
    /// A computed die has no side.
    #[error("a die needs at least 1 side")]
    NoSides = 2,
    /// A computed die has more sides than [`crate::limits::MAX_SIDES`].
    #[error("a die has at most 1,000,000,000 sides")]
    TooManySides = 3,
    /// A computed pool holds more dice than [`crate::limits::RollLimits::dice`].
    #[error("too many dice in one pool")]
    TooManyDice = 4,
    /// A scripted roll requested more faces than were given.
    #[error("the given faces ran out")]
    FacesRanOut = 5,
    /// A scripted face does not exist on its die.
    #[error("that face does not exist on this die")]
    ImpossibleFace = 6,
    /// A number was divided by 0.
    #[error("a number cannot be divided by 0")]
    DivisionByZero = 7,
    /// An operation on floats has no real result.
    #[error("this has no result: no number solves it")]
    NoRealResult = 8,
    /// A die exploded more often than [`crate::limits::RollLimits::explosions`].
    #[error("a die explodes without end")]
    TooManyExplosions = 9,
    /// A die was rerolled more often than [`crate::limits::RollLimits::rerolls`].
    #[error("a die is rerolled without end")]
    TooManyRerolls = 10,
    /// A trial of a script used up [`crate::limits::ScriptLimits::fuel`].
    #[error("this goes on without end")]
    OutOfFuel = 11,
    /// Functions called each other deeper than [`crate::limits::ScriptLimits::depth`].
    #[error("functions call each other without end")]
    TooDeep = 12,
    /// A list has no element at this index.
    #[error("the list has no such element")]
    NoElement = 13,
    /// A list grew past [`crate::limits::ScriptLimits::list`].
    #[error("the list grew too long")]
    ListTooLong = 14,
    /// A text grew past [`crate::limits::MAX_TEXT`].
    #[error("the text grew too long")]
    TextTooLong = 15,
    /// The output of an execution for a player exceeded [`crate::limits::PlayLimits::bytes`].
    #[error("this is too much to show")]
    TooMuchToShow = 16,
    /// A table has no row for a number. Engines raise [`TrapCode::NoElement`] at the table's name.
    #[error("the table has no row for this number")]
    NoRow = 17,
    /// A number of dice that are rolled, kept or dropped is below 0, in the notation dialect.
    #[error("a number of dice cannot be below 0")]
    NegativeCount = 18,
    /// The caller stopped the roll ([`crate::control::Control::cancel`]); no rule raises it.
    #[error("the roll was cancelled")]
    Cancelled = 254,
    /// An internal error; no rule raises it.
    #[error("internal error")]
    Bug = 255,
}

impl TrapCode {
    /// All codes that a rule itself can raise, in the order of their numbers.
    pub const ALL: [TrapCode; 18] = [
        TrapCode::Overflow,
        TrapCode::NoSides,
        TrapCode::TooManySides,
        TrapCode::TooManyDice,
        TrapCode::FacesRanOut,
        TrapCode::ImpossibleFace,
        TrapCode::DivisionByZero,
        TrapCode::NoRealResult,
        TrapCode::TooManyExplosions,
        TrapCode::TooManyRerolls,
        TrapCode::OutOfFuel,
        TrapCode::TooDeep,
        TrapCode::NoElement,
        TrapCode::ListTooLong,
        TrapCode::TextTooLong,
        TrapCode::TooMuchToShow,
        TrapCode::NoRow,
        TrapCode::NegativeCount,
    ];

    /// The code with this number, as compiled code stores it.
    pub fn from_number(number: u32) -> Option<TrapCode> {
        Self::ALL.into_iter().find(|code| *code as u32 == number)
    }
}

/// A trap and its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[error("{code}")]
pub struct Trap {
    /// The error.
    pub code: TrapCode,
    /// The part of the rule that trapped.
    pub span: Span,
}
