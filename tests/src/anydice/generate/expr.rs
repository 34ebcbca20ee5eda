//! Expressions of each kind.

use super::{Kind, Maker};
use crate::anydice::ast::{Expr, Part, Piece};
use arbitrary::Result;

const ARITHMETIC: [&str; 9] = ["+", "+", "-", "-", "*", "/", "^", "&", "|"];
const COMPARISONS: [&str; 6] = ["=", "!=", "<", ">", "<=", ">="];

fn prefix(operator: &'static str, inner: Expr) -> Expr {
    Expr::Prefix(operator, Box::new(inner))
}

pub(super) fn binary(operator: &'static str, left: Expr, right: Expr) -> Expr {
    Expr::Binary(operator, Box::new(left), Box::new(right))
}

impl Maker<'_, '_> {
    /// An expression that is meant to have this kind; a few have another one.
    pub(super) fn expr(&mut self, kind: Kind, depth: u32) -> Result<Expr> {
        let kind = if self.one_in(60)? { self.kind()? } else { kind };
        if depth == 0 || self.one_in(4)? {
            return self.leaf(kind);
        }
        if self.one_in(3)?
            && let Some(call) = self.call(kind, depth - 1)?
        {
            return Ok(call);
        }
        match kind {
            Kind::Number if self.roll.is_some() && self.bytes.ratio(1, 2)? => self.asked(),
            Kind::Number => self.number(depth - 1),
            Kind::Sequence => self.sequence(depth - 1),
            Kind::Dice => self.dice(depth - 1),
        }
    }

    pub(super) fn leaf(&mut self, kind: Kind) -> Result<Expr> {
        if let (Kind::Sequence, Some(roll)) = (kind, &self.roll) {
            let roll = Expr::Variable(roll.clone());
            if !self.one_in(3)? {
                return Ok(roll);
            }
        }
        if self.bytes.ratio(1, 2)? && self.known.iter().any(|(_, of)| *of == kind) {
            return Ok(Expr::Variable(self.variable(kind)?));
        }
        Ok(match kind {
            Kind::Number => match self.bytes.int_in_range(0..=19)? {
                0..=15 => Expr::Number(self.bytes.int_in_range(0..=6)?),
                16 | 17 => prefix("-", Expr::Number(self.bytes.int_in_range(0..=4)?)),
                18 => Expr::Number(self.bytes.int_in_range(10..=407)?),
                _ if !self.one_in(4)? => Expr::Number(1),
                _ => Expr::Number(*self.bytes.choose(&[i64::MAX, 1 << 62, 3_037_000_500])?),
            },
            Kind::Sequence => {
                let mut parts = Vec::new();
                for _ in 0..self.bytes.int_in_range(0..=3)? {
                    let from = Expr::Number(self.bytes.int_in_range(0..=6)?);
                    parts.push(Part {
                        from,
                        to: None,
                        times: None,
                    });
                }
                Expr::Sequence(parts)
            }
            Kind::Dice => {
                let faces = match self.bytes.int_in_range(0..=9)? {
                    0..=6 => Expr::Number(self.bytes.int_in_range(1..=6)?),
                    7 => prefix("-", Expr::Number(self.bytes.int_in_range(0..=3)?)),
                    _ => self.leaf(Kind::Sequence)?,
                };
                match self.bytes.int_in_range(0..=3)? {
                    0 | 1 => prefix("d", faces),
                    _ => binary("d", Expr::Number(self.bytes.int_in_range(0..=3)?), faces),
                }
            }
        })
    }

    /// Dice with this many rolls that the compiler asks for numbers instead
    /// (`Options::observe`), and so few that the naive evaluator can make them.
    pub(super) fn many_rolls(&mut self) -> Result<Expr> {
        let (count, sides) = *self
            .bytes
            .choose(&[(2, 12), (2, 12), (3, 7), (4, 5), (7, 3)])?;
        let faces = match self.bytes.int_in_range(0..=5)? {
            0 => prefix("-", Expr::Number(sides)),
            1 => Expr::Sequence(vec![
                Part {
                    from: Expr::Number(self.bytes.int_in_range(0..=4)?),
                    to: None,
                    times: Some(Expr::Number(self.bytes.int_in_range(1..=2)?)),
                },
                Part {
                    from: Expr::Number(1),
                    to: Some(Expr::Number(sides)),
                    times: None,
                },
            ]),
            _ => Expr::Number(sides),
        };
        Ok(binary("d", Expr::Number(count), faces))
    }

    /// A number or a sequence.
    fn plain(&mut self, depth: u32) -> Result<Expr> {
        let kind = *self
            .bytes
            .choose(&[Kind::Number, Kind::Number, Kind::Sequence])?;
        self.expr(kind, depth)
    }

    fn any(&mut self, depth: u32) -> Result<Expr> {
        let kind = self.kind()?;
        self.expr(kind, depth)
    }

    fn number(&mut self, depth: u32) -> Result<Expr> {
        Ok(match self.bytes.int_in_range(0..=9)? {
            0 => prefix("-", self.plain(depth)?),
            1 => prefix("!", self.plain(depth)?),
            2 | 3 => prefix("#", self.any(depth)?),
            4 | 5 => {
                let operator = *self.bytes.choose(&ARITHMETIC)?;
                let (left, right) = (self.plain(depth)?, self.plain(depth)?);
                binary(operator, left, right)
            }
            6 | 7 => {
                let operator = *self.bytes.choose(&COMPARISONS)?;
                let (left, right) = (self.plain(depth)?, self.plain(depth)?);
                binary(operator, left, right)
            }
            _ => {
                let (positions, of) = (self.plain(depth)?, self.plain(depth)?);
                binary("@", positions, of)
            }
        })
    }

    /// A number that a roll has, such as its highest element.
    fn asked(&mut self) -> Result<Expr> {
        let roll = self.leaf(Kind::Sequence)?;
        Ok(match self.bytes.int_in_range(0..=9)? {
            0..=2 => {
                let operator = *self.bytes.choose(&COMPARISONS)?;
                let other = self.leaf(Kind::Number)?;
                match self.bytes.ratio(1, 2)? {
                    true => binary(operator, roll, other),
                    false => binary(operator, other, roll),
                }
            }
            3..=5 => binary("@", self.plain(0)?, roll),
            6 => prefix(self.bytes.choose(&["-", "!", "#"])?, roll),
            7 => binary("+", roll, self.leaf(Kind::Number)?),
            8 => Expr::Call(vec![
                Piece::Argument(roll),
                Piece::Word("contains".to_owned()),
                Piece::Argument(self.leaf(Kind::Number)?),
            ]),
            _ => Expr::Call(vec![
                Piece::Word("count".to_owned()),
                Piece::Argument(self.plain(0)?),
                Piece::Word("in".to_owned()),
                Piece::Argument(roll),
            ]),
        })
    }

    fn sequence(&mut self, depth: u32) -> Result<Expr> {
        if self.one_in(10)? {
            return Ok(prefix("+", self.expr(Kind::Sequence, depth)?));
        }
        let mut parts = Vec::new();
        for _ in 0..self.bytes.int_in_range(0..=3)? {
            let is_range = self.one_in(4)?;
            let from = match is_range {
                true => self.plain(depth)?,
                false => self.any(depth)?,
            };
            let to = match is_range {
                true => Some(self.plain(depth)?),
                false => None,
            };
            let times = match self.one_in(4)? {
                true => Some(self.plain(depth)?),
                false => None,
            };
            parts.push(Part { from, to, times });
        }
        Ok(Expr::Sequence(parts))
    }

    fn dice(&mut self, depth: u32) -> Result<Expr> {
        Ok(match self.bytes.int_in_range(0..=13)? {
            0 => prefix("-", self.expr(Kind::Dice, depth)?),
            1 => prefix("!", self.expr(Kind::Dice, depth)?),
            2 => prefix("+", self.expr(Kind::Dice, depth)?),
            3 => prefix("d", self.any(depth)?),
            4 | 5 => {
                let (number, faces) = (self.any(depth)?, self.any(depth)?);
                binary("d", number, faces)
            }
            6..=8 => {
                let (positions, of) = (self.plain(depth)?, self.expr(Kind::Dice, depth)?);
                binary("@", positions, of)
            }
            other => {
                let operator = match other {
                    9..=11 => *self.bytes.choose(&ARITHMETIC)?,
                    _ => *self.bytes.choose(&COMPARISONS)?,
                };
                let (one, two) = (self.expr(Kind::Dice, depth)?, self.any(depth)?);
                match self.bytes.ratio(1, 2)? {
                    true => binary(operator, one, two),
                    false => binary(operator, two, one),
                }
            }
        })
    }
}
