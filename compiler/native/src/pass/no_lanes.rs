//! The reason why a trial has no vector form, as data and as text.

use crate::analysis::Interval;
use crate::ir::{InstData, Op, Type};
use dicec_runtime::span::Span;
use std::fmt;

/// Why a trial cannot run in lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoLanes {
    /// The obstacle.
    pub obstacle: Obstacle,
    /// The source of the obstacle; `None` if it has several locations, or none.
    pub span: Option<Span>,
}

/// An obstacle to lanes. There may be several; the first is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The module is made for any arguments.
    AnyArguments,
    /// A resource is outside of these limits.
    Resources(Interval),
    /// An operation that lanes do not have.
    Op(Op),
    /// A float.
    Float,
    /// A number that may be too large for a lane.
    Wide,
    /// A loop that can be entered other than at its header.
    Loop,
    /// It rolls no dice.
    NoDice,
    /// It has too many dice, instructions or blocks.
    TooLarge,
    /// No lane holds the dice of a region.
    Dice,
    /// Every trial ends in a trap.
    NeverReturns,
    /// It has several returns: trials in lanes must join at the end.
    Returns,
}

impl Obstacle {
    /// This obstacle, without a location.
    pub fn anywhere(self) -> NoLanes {
        NoLanes {
            obstacle: self,
            span: None,
        }
    }

    pub(super) fn at(self, data: &InstData) -> NoLanes {
        NoLanes {
            obstacle: self,
            span: Some(data.span),
        }
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Obstacle::AnyArguments => f.write_str("lanes need arguments"),
            Obstacle::Resources(Interval { low, high }) => {
                write!(f, "a resource lies outside of {low}..={high}")
            }
            Obstacle::Op(op) => f.write_str(operation(op)),
            Obstacle::Float => f.write_str(NO_FLOATS),
            Obstacle::Wide => f.write_str("a number may become too large for a lane"),
            Obstacle::Loop => f.write_str("a loop that can be entered in its middle"),
            Obstacle::NoDice => f.write_str("it rolls no dice"),
            Obstacle::TooLarge => f.write_str("a trial has too much code, or more than 256 dice"),
            Obstacle::Dice => f.write_str("dice with too many sides for a lane"),
            Obstacle::NeverReturns => f.write_str("every trial ends in an error"),
            Obstacle::Returns => f.write_str("a trial that ends in several places"),
        }
    }
}

const NO_FLOATS: &str = "lanes have no floats";

fn operation(op: Op) -> &'static str {
    use Op::{
        Alloc, Append, Burn, Call, Depth, Dice, DiceCount, DieSides, Drawn, Face, Fuel, Iadd, Idiv,
        IdivPos, Imul, Index, Ineg, Irem, IremPos, Isub, Load, NamedStat, NewList, NotNegative,
        Output, Peek, Resource, Roll, ShiftDown, ShiftUp, Stat, Store, TextJoin, Word,
    };
    match op {
        Call | Depth => "a function that calls itself, or is too large to be inlined",
        Alloc | Append | NewList | Load | Store | Peek | ShiftDown | ShiftUp => {
            "a list or a record that trials keep in memory"
        }
        Index => "an index that may lie outside of its list",
        Resource => "an argument that trials change",
        Roll | Dice | DiceCount | NotNegative | DieSides => {
            "dice of a computed number or computed sides"
        }
        Drawn => "dice that are drawn together from a table",
        Word | Face => "dice that share a word",
        NamedStat => "a statistic whose name is put together in each trial",
        TextJoin => "a text that is put together in each trial",
        Output | Stat | Fuel | Burn => "an effect whose value is used",
        Iadd | Isub | Imul | Ineg => "arithmetic that may overflow",
        Idiv | IdivPos | Irem | IremPos => {
            "a division by a number that is not constant, or of large numbers"
        }
        other if is_float(other) => NO_FLOATS,
        _ => "dice that explode, are rerolled, kept or counted on the table",
    }
}

fn is_float(op: Op) -> bool {
    let info = op.info();
    info.result == Type::F64 || info.params.contains(&Type::F64)
}
