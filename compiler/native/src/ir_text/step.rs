//! The text of steps on a pool: the part after the pool.

use super::lexer::Read;
use crate::ir::{Imm, Op, Pool};
use dicec_runtime::compare::CompareOp;
use dicec_runtime::pool::{Bound, Explosion, Selector, Step};
use std::fmt::{self, Display};
use winnow::ascii::dec_uint;
use winnow::combinator::{fail, preceded};
use winnow::prelude::*;
use winnow::token::take_while;

/// Writes the part after the pool, with a space before it, or nothing.
pub(super) fn write(f: &mut fmt::Formatter<'_>, step: Step) -> fmt::Result {
    match step {
        Step::Join(other) => write!(f, " {}", Pool::from_u32(other)),
        Step::When(op) => write!(f, " {op}"),
        Step::Explode {
            how,
            most,
            max_dice,
        } => write!(f, " {how} {most} {max_dice}"),
        Step::Reroll { once, most } => {
            let until = if once { "once" } else { "while" };
            write!(f, " {until} {most}")
        }
        Step::Bound(how) => write!(f, " {how}"),
        Step::Select(selector) => write!(f, " {selector}"),
        Step::Naturals(number) | Step::NaturalFace(number) | Step::Keeps(number) => {
            write!(f, " {number}")
        }
        Step::Draw | Step::Clear | Step::Push | Step::SetAside | Step::Sum | Step::Count => Ok(()),
    }
}

/// Reads the pool and the part after it.
pub(super) fn read(op: Op, input: &mut &str) -> Read<Imm> {
    let pool = preceded("pool", dec_uint).parse_next(input)?;
    let step = match op {
        Op::PoolDraw => Step::Draw,
        Op::PoolClear => Step::Clear,
        Op::PoolPush => Step::Push,
        Op::PoolJoin => Step::Join(preceded(" pool", dec_uint).parse_next(input)?),
        Op::PoolWhen => Step::When(word(&CompareOp::ALL, input)?),
        Op::PoolExplode => Step::Explode {
            how: word(&Explosion::ALL, input)?,
            most: number(input)?,
            max_dice: number(input)?,
        },
        Op::PoolReroll => Step::Reroll {
            once: word(&["while", "once"], input)? == "once",
            most: number(input)?,
        },
        Op::PoolBound => Step::Bound(word(&Bound::ALL, input)?),
        Op::PoolSelect => Step::Select(word(&Selector::ALL, input)?),
        Op::PoolSetAside => Step::SetAside,
        Op::PoolSum => Step::Sum,
        Op::PoolCount => Step::Count,
        Op::PoolNaturals => Step::Naturals(number(input)?),
        Op::PoolNaturalFace => Step::NaturalFace(number(input)?),
        Op::PoolKeeps => Step::Keeps(number(input)?),
        // No other operation is a step.
        _ => return fail.parse_next(input),
    };
    Ok(Imm::Step(Pool::from_u32(pool), step))
}

fn number(input: &mut &str) -> Read<u32> {
    preceded(' ', dec_uint).parse_next(input)
}

/// The one of `all` whose text is next.
fn word<T: Copy + Display>(all: &[T], input: &mut &str) -> Read<T> {
    let text = preceded(' ', take_while(1.., |c: char| !c.is_whitespace()));
    let named = |text: &str| all.iter().copied().find(|one| one.to_string() == text);
    { text }.verify_map(named).parse_next(input)
}
