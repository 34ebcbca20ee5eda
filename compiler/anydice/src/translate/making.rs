//! Sequences, dice and positions (sections 4 and 5).

use super::code::{Code, Level};
use super::operators::{mixed, several};
use super::script::Helper;
use super::value::{Dice, Face, List, Value, free};
use super::{Translator, untranslated};
use crate::ast::{Expr, Part};
use crate::failure::Failure;

/// The longest sequence that is written as its elements.
const MAX_WRITTEN: i64 = 1_000;

/// Positions.
enum Places {
    One(Code),
    All(List),
}

impl Translator<'_> {
    /// `NdF`.
    pub(super) fn dice(&mut self, number: Option<&Expr>, faces: &Expr) -> Result<Value, Failure> {
        let of = self.value(faces)?;
        let Some(number) = number else {
            return Ok(Value::Dice(self.made(of, Code::number(1), faces)?));
        };
        let count = match self.value(number)? {
            Value::Number(count) => count.int(),
            Value::Sequence(list) => list.sum(),
            Value::Dice(dice) => return self.rolled_number(&dice.total(), number, of, faces),
            Value::Rolled(_) => return Err(mixed(number).into()),
        };
        let is_many = matches!(&of, Value::Dice(dice) if !dice.is_single());
        match count.known() {
            Some(1..) => {}
            Some(0) => return Ok(Value::Dice(Dice::single(Code::number(0)))),
            Some(negative) => {
                let count = negative.checked_neg().map(Code::number);
                let Some(count) = count else {
                    return Err(uncounted(number).into());
                };
                let mut dice = self.made(of, count, faces)?;
                if negative == -1 && is_many {
                    dice = Dice::single(dice.total());
                }
                dice.face = Face::Total(dice.one().minus());
                return Ok(Value::Dice(dice));
            }
            // Zero dice are one die that shows 0, and one pool is this pool.
            None if self.facts.is_at_least(number, 1) && !is_many => {}
            None if self.facts.is_at_least(number, 0) => {
                let dice = self.made(of, count, faces)?;
                return Ok(Value::Dice(match is_many {
                    true => Dice::summed(dice.total()),
                    false => Dice {
                        may_be_none: true,
                        ..dice
                    },
                }));
            }
            None => {
                let dice = self.made(of, Code::call("abs", &[&count]), faces)?;
                let total = self.script.help(Helper::Signed, &[&count, &dice.total()]);
                return Ok(Value::Dice(Dice::summed(total)));
            }
        }
        Ok(Value::Dice(self.made(of, count, faces)?))
    }

    /// This many dice of this kind, at least one.
    fn made(&mut self, of: Value, count: Code, faces: &Expr) -> Result<Dice, Failure> {
        let face = match of {
            Value::Number(sides) => {
                let sides = sides.int();
                match sides.known() {
                    Some(0) => Face::Total(sides),
                    Some(1..) => Face::Sides(sides),
                    Some(negative) if negative >= -MAX_WRITTEN => {
                        Face::Faces((negative..=-1).collect())
                    }
                    None if self.facts.is_at_least(faces, 1) => Face::Sides(sides),
                    _ => Face::Total(self.script.help(Helper::Die, &[&sides])),
                }
            }
            Value::Sequence(List::Known(faces)) => Face::Faces(faces),
            Value::Sequence(List::Code(code)) => Face::List(code),
            Value::Dice(dice) if count.known() == Some(1) => return Ok(dice),
            Value::Dice(dice) if dice.total().is_rolled() => return Err(mixed(faces).into()),
            Value::Dice(dice) if dice.is_single() => dice.face,
            Value::Dice(dice) => Face::Total(dice.total()),
            Value::Rolled(_) => return Err(mixed(faces).into()),
        };
        Ok(Dice {
            count: Some(count),
            may_be_none: false,
            face,
        })
    }

    /// As many dice as other dice show: a single die.
    fn rolled_number(
        &mut self,
        count: &Code,
        number: &Expr,
        of: Value,
        faces: &Expr,
    ) -> Result<Value, Failure> {
        if !self.facts.is_at_least(number, 0) {
            return Err(uncounted(number).into());
        }
        let dice = match self.made(of, Code::number(1), faces)? {
            dice if dice.is_single() => dice,
            pool => Dice::single(pool.total()),
        };
        let dice = Dice {
            count: Some(count.int()),
            ..dice
        };
        Ok(Value::Dice(Dice::single(dice.total())))
    }

    /// `{1, 2..4, d6, X:3}`.
    pub(super) fn sequence(&mut self, parts: &[Part]) -> Result<Value, Failure> {
        let mut known: Vec<i64> = Vec::new();
        let mut lists: Vec<Code> = Vec::new();
        let mut numbers: Vec<Code> = Vec::new();
        for part in parts {
            let times = match &part.times {
                Some(times) => self.number(times)?.known().map(Some).ok_or_else(|| {
                    let message = "the number of repetitions is computed here";
                    untranslated(times.span, message, "write a number after the colon")
                })?,
                None => None,
            };
            let of = self.part(part)?;
            let times = times.unwrap_or(1).clamp(0, MAX_WRITTEN);
            for _ in 0..times {
                match &of {
                    Value::Number(code) => numbers.push(code.int()),
                    Value::Sequence(List::Known(elements)) => {
                        numbers.extend(elements.iter().map(|&one| Code::number(one)));
                    }
                    other => {
                        flush(&mut numbers, &mut lists);
                        if let Value::Sequence(list) = other {
                            lists.push(list.code());
                        }
                    }
                }
                if numbers.len() as i64 > MAX_WRITTEN {
                    return Err(too_long(part).into());
                }
            }
        }
        if lists.is_empty() && numbers.iter().all(Code::is_literal) {
            known.extend(numbers.iter().filter_map(Code::known));
            return Ok(Value::Sequence(List::Known(known)));
        }
        flush(&mut numbers, &mut lists);
        let mut lists = lists.into_iter();
        let first = lists
            .next()
            .unwrap_or_else(|| List::Known(Vec::new()).code());
        let all = lists.fold(first, |all, one| Code::binary(Level::Sum, "+", &all, &one));
        Ok(Value::Sequence(List::Code(all)))
    }

    /// A part of a sequence: a number or a sequence.
    fn part(&mut self, part: &Part) -> Result<Value, Failure> {
        if let Some(to) = &part.to {
            let (from, to) = (self.number(&part.from)?, self.number(to)?);
            if let (Some(first), Some(last)) = (from.known(), to.known()) {
                if last.saturating_sub(first) >= MAX_WRITTEN {
                    return Err(too_long(part).into());
                }
                return Ok(Value::Sequence(List::Known((first..=last).collect())));
            }
            let name = free("one", &[&from, &to]);
            let (first, last) = (from.within(Level::Sum), to.within(Level::Sum));
            let text = format!("[{name} for {name} : {first}..{last}]");
            return Ok(Value::Sequence(List::Code(Code::atom(text, &[&from, &to]))));
        }
        match self.value(&part.from)? {
            Value::Dice(dice) => match results(&dice) {
                Some(results) => Ok(Value::Sequence(List::Known(results))),
                None => {
                    let message = "each result of these dice becomes an element";
                    let help = "no script knows all results of computed dice: write them";
                    Err(untranslated(part.from.span, message, help).into())
                }
            },
            Value::Rolled(_) => Err(mixed(&part.from).into()),
            other => Ok(other),
        }
    }

    /// A number, or the sum of a sequence.
    pub(super) fn number(&mut self, expr: &Expr) -> Result<Code, Failure> {
        match self.value(expr)? {
            Value::Number(code) => Ok(code.int()),
            Value::Sequence(list) => Ok(list.sum()),
            Value::Dice(_) | Value::Rolled(_) => Err(mixed(expr).into()),
        }
    }

    /// `P@X`.
    pub(super) fn at(&mut self, positions: &Expr, of: &Expr) -> Result<Value, Failure> {
        let places = self.value(positions)?;
        let places = match places {
            Value::Number(code) => Places::One(code.int()),
            Value::Sequence(List::Known(places)) if places.len() == 1 => {
                Places::One(Code::number(places[0]))
            }
            Value::Sequence(list) => Places::All(list),
            Value::Dice(_) | Value::Rolled(_) => return Err(mixed(positions).into()),
        };
        let (list, is_die) = match self.value(of)? {
            Value::Number(number) => {
                let digits = self.script.help(Helper::DigitsOf, &[&number]);
                let list = match self.settings.lowest_first {
                    true => self.script.help(Helper::Reversed, &[&digits]),
                    false => digits,
                };
                (list, false)
            }
            Value::Rolled(_) => return Err(mixed(of).into()),
            Value::Sequence(list) => (list.code(), false),
            Value::Dice(dice) => {
                if let Some(kept) = self.kept(&places, &dice) {
                    return Ok(Value::Dice(Dice::single(kept)));
                }
                let list = dice.sequence(self.settings.lowest_first);
                (list.ok_or_else(|| several(of))?, true)
            }
        };
        let code = match &places {
            Places::One(place) => self.script.help(Helper::Place, &[place, &list]),
            Places::All(places) => self.script.help(Helper::Places, &[&places.code(), &list]),
        };
        Ok(match is_die {
            true => Value::Dice(Dice::single(code)),
            false => Value::Number(code),
        })
    }

    /// The first or the last positions of a roll, as dice that are kept.
    fn kept(&self, places: &Places, dice: &Dice) -> Option<Code> {
        let places = match places {
            Places::One(place) => vec![place.known()?],
            Places::All(List::Known(places)) => places.clone(),
            Places::All(List::Code(_)) => return None,
        };
        let count = dice.count.as_ref().and_then(Code::known)?;
        let number = places.len() as i64;
        let mut sorted = places;
        sorted.sort_unstable();
        let is_first = sorted.iter().copied().eq(1..=number) && number <= count;
        let is_last = sorted.iter().copied().eq(count - number + 1..=count);
        if !dice.has_notation() || !(is_first || is_last) || number == 0 {
            return None;
        }
        let is_highest = is_first != self.settings.lowest_first;
        Some(keep(dice, is_highest, number))
    }
}

/// The sum of this many of the highest or lowest dice, in the notation.
pub(super) fn keep(dice: &Dice, is_highest: bool, number: i64) -> Code {
    let count = dice.count.clone().unwrap_or_else(|| Code::number(1));
    let word = if is_highest { "kh" } else { "kl" };
    dice.notation(&count, &format!("{word}{number}"))
}

fn flush(numbers: &mut Vec<Code>, lists: &mut Vec<Code>) {
    if numbers.is_empty() {
        return;
    }
    let all: Vec<&Code> = numbers.iter().collect();
    let texts: Vec<&str> = all.iter().map(|one| one.text()).collect();
    let text = match texts.as_slice() {
        [one] => format!("[{one},]"),
        _ => format!("[{}]", texts.join(", ")),
    };
    lists.push(Code::atom(text, &all));
    numbers.clear();
}

/// The possible results of the sum of dice, if these are written.
fn results(dice: &Dice) -> Option<Vec<i64>> {
    let count = dice.count.as_ref()?.known()?;
    match &dice.face {
        Face::Sides(sides) => {
            let most = sides.known()?.checked_mul(count)?;
            (most - count < MAX_WRITTEN).then(|| (count..=most).collect())
        }
        Face::Faces(faces) if count == 1 => {
            let mut faces = faces.clone();
            faces.sort_unstable();
            faces.dedup();
            Some(faces)
        }
        _ => None,
    }
}

fn uncounted(number: &Expr) -> dicec_lang::syntax::Diagnostic {
    let message = "this number of dice can be below 0";
    let help = "AnyDice negates the faces of these dice; scripts have no such dice";
    untranslated(number.span, message, help)
}

fn too_long(part: &Part) -> dicec_lang::syntax::Diagnostic {
    let message = format!("this sequence has more than {MAX_WRITTEN} elements");
    let help = "scripts need no lists for numbers in a row: write a loop over a..b";
    untranslated(part.from.span, &message, help)
}
