//! Dice values. One is a record that no script can take apart: its terms, and a number that is
//! added. The built-in functions on it are loops over the terms.

use super::{ArithOp, Data, Die, Expr, ExprKind, Field, Float, Pool, RecordType, Type, TypeId};
use dicec_runtime::pool::Selector;
use dicec_runtime::span::Span;
use std::fmt;

/// The name of the type.
pub const DICE: &str = "dice";

/// The fields of the record: its terms, the number, and how often each term is rolled: a critical
/// value has the terms of another one. A space keeps scripts from naming them.
pub const DICE_FIELDS: [&str; 3] = [" terms", " bonus", " times"];

/// The index of the number.
pub const DICE_BONUS: u32 = 1;

/// The fields of a term: how many dice of how many sides; how many of them are kept, of the highest
/// or, below 0, of the lowest, and 0 for all; 1, or -1 if it is subtracted; then the greatest
/// number that it adds, and the mean.
pub const TERM_FIELDS: [&str; 6] = [" count", " sides", " keep", " sign", " most", " mean"];

/// A term of which some dice are kept has at most this many dice, and sides: its mean is computed
/// from them.
const MAX_KEPT_FROM: i64 = 20;
const MAX_KEPT_SIDES: i64 = 100;

/// The maximum number of terms: rolling one costs no fuel.
const MAX_TERMS: usize = 16;

/// The possible contents of a value, in words.
pub const DICE_HELP: &str =
    "write a sum of up to 16 terms of dice, and numbers, such as `2d6 + 5` or `2d20kh1 - 1d4`";

/// The suggestion for dice in quotes, in a script.
pub const WITHOUT_QUOTES: &str = "write the dice without quotes: `2d6 + 5`";

/// The types of dice that are values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiceTypes {
    /// The record.
    pub dice: TypeId,
    /// The record of a term.
    pub term: TypeId,
}

impl DiceTypes {
    /// The definitions of both, the term first.
    pub fn definitions(self) -> [RecordType; 2] {
        let field = |name: &str, ty: Type| Field {
            name: name.to_owned(),
            ty,
            default: None,
            span: Span::default(),
        };
        let types = [
            Type::Int,
            Type::Int,
            Type::Int,
            Type::Int,
            Type::Int,
            Type::Float,
        ];
        let terms = Type::List(Box::new(Type::Record(self.term)));
        let of = |name: &str, fields: Vec<Field>| RecordType {
            name: name.to_owned(),
            fields,
            span: Span::default(),
        };
        let term = TERM_FIELDS.into_iter().zip(types);
        let dice = DICE_FIELDS.into_iter().zip([terms, Type::Int, Type::Int]);
        [
            of(" term", term.map(|(name, ty)| field(name, ty)).collect()),
            of(DICE, dice.map(|(name, ty)| field(name, ty)).collect()),
        ]
    }
}

/// A constant dice value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiceValue {
    /// The dice.
    pub terms: Vec<DiceTerm>,
    /// The number that is added.
    pub bonus: i64,
}

/// Equal dice, of which all or some count; see [`TERM_FIELDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiceTerm {
    count: i64,
    sides: i64,
    keep: i64,
    sign: i64,
}

impl DiceValue {
    /// A number without dice.
    pub fn number(bonus: i64) -> Self {
        Self {
            terms: Vec::new(),
            bonus,
        }
    }

    /// The value of dice as they are written.
    ///
    /// # Errors
    /// The span of a part that does not belong in one.
    pub fn of(body: &Expr) -> Result<Self, Span> {
        let mut value = Self::default();
        value.add(body, 1)?;
        Ok(value)
    }

    /// Adds dice as they are written, or subtracts them.
    ///
    /// # Errors
    /// The span of a part that does not belong in a value.
    pub fn add(&mut self, body: &Expr, sign: i64) -> Result<(), Span> {
        match &body.kind {
            ExprKind::Int(number) => {
                let number = number.checked_mul(sign);
                let bonus = number.and_then(|number| self.bonus.checked_add(number));
                self.bonus = bonus.ok_or(body.span)?;
            }
            ExprKind::Negate(value) => self.add(value, -sign)?,
            ExprKind::Arith(ArithOp::Add, left, right) => {
                self.add(left, sign)?;
                self.add(right, sign)?;
            }
            ExprKind::Arith(ArithOp::Sub, left, right) => {
                self.add(left, sign)?;
                self.add(right, -sign)?;
            }
            ExprKind::Pool(pool) if self.terms.len() < MAX_TERMS => {
                let term = DiceTerm::of(pool, sign).ok_or(body.span)?;
                self.terms.push(term);
            }
            _ => return Err(body.span),
        }
        Ok(())
    }

    /// The record.
    pub fn data(&self) -> Data {
        let terms = self.terms.iter().map(|term| {
            let [numbers @ .., most] = term.numbers();
            let numbers = numbers.into_iter().chain([most]).map(Data::Int);
            Data::Record(numbers.chain([Data::Float(term.mean())]).collect())
        });
        Data::Record(vec![
            Data::List(terms.collect()),
            Data::Int(self.bonus),
            Data::Int(1),
        ])
    }

    /// The value that a record is.
    pub fn read(data: &Data) -> Option<Self> {
        let Data::Record(parts) = data else {
            return None;
        };
        let [Data::List(terms), Data::Int(bonus), _] = &parts[..] else {
            return None;
        };
        let terms = terms.iter().map(|term| match term.parts() {
            [
                Data::Int(count),
                Data::Int(sides),
                Data::Int(keep),
                Data::Int(sign),
                ..,
            ] => Some(DiceTerm {
                count: *count,
                sides: *sides,
                keep: *keep,
                sign: *sign,
            }),
            _ => None,
        });
        Some(Self {
            terms: terms.collect::<Option<_>>()?,
            bonus: *bonus,
        })
    }
}

impl DiceTerm {
    fn of(pool: &Pool, sign: i64) -> Option<Self> {
        let (ExprKind::Int(count), Die::Sides(sides)) = (&pool.count.kind, &pool.die) else {
            return None;
        };
        let ExprKind::Int(sides) = sides.kind else {
            return None;
        };
        let count = (*count).max(0);
        if sides < 1 || !pool.stages.is_empty() || pool.counting.is_some() {
            return None;
        }
        let keep = match &pool.selects[..] {
            [] => 0,
            [select] => {
                let ExprKind::Int(number) = select.count.kind else {
                    return None;
                };
                let number = number.clamp(0, count);
                match select.selector {
                    Selector::KeepHigh => number,
                    Selector::KeepLow => -number,
                    Selector::DropLow => count - number,
                    Selector::DropHigh => number - count,
                }
            }
            _ => return None,
        };
        let has_mean = count <= MAX_KEPT_FROM && sides <= MAX_KEPT_SIDES;
        // None kept is none rolled, which a term cannot say.
        let keeps = pool.selects.is_empty() || (keep != 0 && has_mean);
        let term = Self {
            count,
            sides,
            keep,
            sign,
        };
        // So that the numbers of a term are well within a word.
        let small = count.checked_mul(sides).is_some();
        (keeps && small).then_some(term)
    }

    /// The number of its dice that count.
    fn kept(self) -> i64 {
        match self.keep {
            0 => self.count,
            keep => keep.abs().min(self.count),
        }
    }

    /// The numbers of the record, but for the mean.
    pub fn numbers(self) -> [i64; 5] {
        let most = match self.sign {
            1 => self.kept() * self.sides,
            _ => -self.kept(),
        };
        [self.count, self.sides, self.keep, self.sign, most]
    }

    /// The mean of its contribution.
    pub fn mean(self) -> Float {
        let (sides, sign) = (self.sides as f64, self.sign as f64);
        let mean = match self.keep {
            0 => self.count as f64 * (sides + 1.0) / 2.0,
            keep if keep > 0 => self.mean_of_highest(),
            // The lowest dice are the highest ones, counted from the other end.
            _ => self.kept() as f64 * (sides + 1.0) - self.mean_of_highest(),
        };
        Float::new(sign * mean).unwrap_or(Float::ZERO)
    }

    /// For each face, how many of the kept dice show at least that face: their sum is the total.
    fn mean_of_highest(self) -> f64 {
        let faces = (1..=self.sides).map(|face| {
            let chance = (self.sides - face + 1) as f64 / self.sides as f64;
            let dice = (0..self.count).fold(vec![1.0], |shares, _| one_more(&shares, chance));
            let kept = (0_i64..).zip(dice);
            kept.map(|(high, share)| share * high.min(self.kept()) as f64)
                .sum::<f64>()
        });
        faces.sum()
    }
}

/// The chances of how many of some dice are high, with one more die that is high with this chance.
fn one_more(shares: &[f64], chance: f64) -> Vec<f64> {
    let low = shares.iter().map(|share| share * (1.0 - chance));
    let mut sums: Vec<f64> = low.chain([0.0]).collect();
    for (sum, share) in sums.iter_mut().skip(1).zip(shares) {
        *sum += share * chance;
    }
    sums
}

/// As it is written: `2d6 - 1d4 + 5`.
impl fmt::Display for DiceValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, term) in self.terms.iter().enumerate() {
            f.write_str(match (term.sign < 0, index) {
                (true, 0) => "-",
                (true, _) => " - ",
                (false, 0) => "",
                (false, _) => " + ",
            })?;
            write!(f, "{}d{}", term.count, term.sides)?;
            match term.keep {
                0 => {}
                keep @ 1.. => write!(f, "kh{keep}")?,
                keep => write!(f, "kl{}", -keep)?,
            }
        }
        match self.bonus {
            bonus if self.terms.is_empty() => write!(f, "{bonus}"),
            0 => Ok(()),
            bonus @ 1.. => write!(f, " + {bonus}"),
            bonus => write!(f, " - {}", bonus.unsigned_abs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_of_kept_dice() {
        let mean = |count, sides, keep| {
            let term = DiceTerm {
                count,
                sides,
                keep,
                sign: 1,
            };
            term.mean().get()
        };
        for (mean, expected) in [
            (mean(2, 6, 0), 7.0),
            (mean(2, 20, 1), 13.825),
            (mean(2, 20, -1), 7.175),
            (mean(4, 6, 3), 15_869.0 / 1296.0),
            (mean(3, 6, 3), 10.5),
        ] {
            assert!((mean - expected).abs() < 1e-12, "{mean}");
        }
    }
}
