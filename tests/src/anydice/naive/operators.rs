//! Operators by the kinds of their operands (sections 3 to 5).

use super::value::{Odds, Pool, Value, mixed, multiplied, sum};
use super::{Naive, Refusal, Steps, Stop};

const NUMBER: Stop = Stop::Refused(Refusal::Number);
const KIND: Stop = Stop::Refused(Refusal::Kind);

/// An operator before a value (sections 4 and 5).
pub(super) fn prefix(operator: &str, value: &Value, steps: &mut Steps) -> Naive<Value> {
    match (operator, value) {
        ("d", _) => make(&Value::Number(1), value, steps),
        ("+", _) => Ok(value.clone()),
        ("#", _) => Ok(Value::Number(length(value))),
        ("-", Value::Dice(dice)) => {
            let die = dice.die.map(|face| face.checked_neg().ok_or(NUMBER))?;
            Ok(Value::Dice(Pool {
                die,
                ..dice.clone()
            }))
        }
        ("!", Value::Dice(dice)) => {
            let not = dice.sum(steps)?.map(|value| Ok(i64::from(value == 0)))?;
            Ok(Value::die(not))
        }
        (_, value) => {
            let number = number(value)?;
            Ok(Value::Number(match operator {
                "-" => number.checked_neg().ok_or(NUMBER)?,
                "!" => i64::from(number == 0),
                other => panic!("{other} is not an operator before a value"),
            }))
        }
    }
}

/// `#`: digits of a number, elements of a sequence, dice.
fn length(value: &Value) -> i64 {
    match value {
        Value::Number(number) => number.unsigned_abs().to_string().len() as i64,
        Value::Sequence(elements) => elements.len() as i64,
        Value::Dice(dice) => dice.count as i64,
    }
}

/// A number, or the sum of a sequence.
pub(super) fn number(value: &Value) -> Naive<i64> {
    match value {
        Value::Number(number) => Ok(*number),
        Value::Sequence(elements) => sum(elements),
        Value::Dice(_) => Err(KIND),
    }
}

/// An operator between two values.
pub(super) fn binary(
    operator: &str,
    left: &Value,
    right: &Value,
    lowest_first: bool,
    steps: &mut Steps,
) -> Naive<Value> {
    match operator {
        "d" => make(left, right, steps),
        "@" => at(left, right, lowest_first, steps),
        _ => arithmetic(operator, left, right, steps),
    }
}

/// `NdF` (section 4).
fn make(number_of: &Value, faces: &Value, steps: &mut Steps) -> Naive<Value> {
    // Dice that are made once are the dice themselves.
    if let (Value::Number(_) | Value::Sequence(_), Value::Dice(_)) = (number_of, faces)
        && number(number_of)? == 1
    {
        return Ok(faces.clone());
    }
    let die = match faces {
        Value::Number(sides) => {
            steps.take(sides.unsigned_abs())?;
            match sides {
                0 => Odds::point(0),
                1.. => Odds::of((1..=*sides).map(|face| (face, 1)))?,
                _ => Odds::of((*sides..=-1).map(|face| (face, 1)))?,
            }
        }
        Value::Sequence(faces) => Odds::of(faces.iter().map(|face| (*face, 1)))?,
        Value::Dice(dice) => dice.sum(steps)?,
    };
    let Value::Dice(counts) = number_of else {
        return Ok(Value::Dice(some(number(number_of)?, die)?));
    };
    // The result is one die, and its length is 1 also if it is empty.
    let mut parts = Vec::new();
    for (count, weight) in counts.sum(steps)?.0 {
        parts.push((weight, some(count, die.clone())?.sum(steps)?));
    }
    Ok(Value::Dice(Pool {
        die: mixed(&parts)?,
        count: 1,
    }))
}

/// This number of dice.
fn some(count: i64, die: Odds) -> Naive<Pool> {
    if die.0.is_empty() {
        return Ok(Pool::single(die));
    }
    Ok(match count {
        0 => Pool::single(Odds::point(0)),
        1.. => Pool {
            die,
            count: count.unsigned_abs(),
        },
        _ => Pool {
            die: die.map(|face| face.checked_neg().ok_or(NUMBER))?,
            count: count.unsigned_abs(),
        },
    })
}

/// `P@X` (section 5).
fn at(positions: &Value, of: &Value, lowest_first: bool, steps: &mut Steps) -> Naive<Value> {
    let positions = match positions {
        Value::Number(position) => vec![*position],
        Value::Sequence(positions) => positions.clone(),
        Value::Dice(_) => return Err(KIND),
    };
    match of {
        Value::Number(number) => {
            let digits = number.unsigned_abs().to_string();
            let digits = digits.chars().filter_map(|digit| digit.to_digit(10));
            let mut digits: Vec<i64> = digits
                .map(|digit| number.signum() * i64::from(digit))
                .collect();
            if lowest_first {
                digits.reverse();
            }
            selected(&positions, &digits).map(Value::Number)
        }
        Value::Sequence(elements) => selected(&positions, elements).map(Value::Number),
        Value::Dice(dice) => {
            let mut pairs = Vec::new();
            for (roll, weight) in dice.sequences(lowest_first, steps)? {
                pairs.push((selected(&positions, &roll)?, weight));
            }
            Ok(Value::die(Odds::of(pairs)?))
        }
    }
}

/// The sum of the elements at some positions, counted from 1; those that do not exist count 0.
pub(super) fn selected(positions: &[i64], elements: &[i64]) -> Naive<i64> {
    let mut found = Vec::new();
    for position in positions {
        for (place, element) in (1_i64..).zip(elements) {
            if place == *position {
                found.push(*element);
            }
        }
    }
    sum(&found)
}

fn arithmetic(operator: &str, left: &Value, right: &Value, steps: &mut Steps) -> Naive<Value> {
    use Value::{Dice, Number, Sequence};
    let is_comparison = matches!(operator, "=" | "!=" | "<" | ">" | "<=" | ">=");
    match (left, right) {
        (Sequence(elements), Number(number)) if is_comparison => {
            let holds = elements
                .iter()
                .map(|one| i64::from(compared(operator, one, number)));
            return Ok(Number(holds.sum()));
        }
        (Number(number), Sequence(elements)) if is_comparison => {
            let holds = elements
                .iter()
                .map(|one| i64::from(compared(operator, number, one)));
            return Ok(Number(holds.sum()));
        }
        (Sequence(left), Sequence(right)) if is_comparison => {
            return Ok(Number(i64::from(compared(operator, left, right))));
        }
        (Dice(_), _) | (_, Dice(_)) => {}
        (left, right) => {
            let (left, right) = (number(left)?, number(right)?);
            return apply(operator, left, right, false).map(Number);
        }
    }
    let (mut left, mut right) = (left.summed(steps)?, right.summed(steps)?);
    // The empty die counts as 0 in a sum with another value.
    if matches!(operator, "+" | "-" | "|") && left.0.is_empty() != right.0.is_empty() {
        for side in [&mut left, &mut right] {
            if side.0.is_empty() {
                *side = Odds::point(0);
            }
        }
    }
    let mut pairs = Vec::new();
    for (one, weight) in &left.0 {
        for (two, other) in &right.0 {
            steps.take(1)?;
            pairs.push((
                apply(operator, *one, *two, true)?,
                multiplied(*weight, *other)?,
            ));
        }
    }
    Ok(Value::die(Odds::of(pairs)?))
}

fn compared<T: Ord + ?Sized>(operator: &str, left: &T, right: &T) -> bool {
    match operator {
        "=" => left == right,
        "!=" => left != right,
        "<" => left < right,
        ">" => left > right,
        "<=" => left <= right,
        ">=" => left >= right,
        other => panic!("{other} is not a comparison"),
    }
}

/// An operator on numbers; `in_dice`: a die takes part.
fn apply(operator: &str, left: i64, right: i64, in_dice: bool) -> Naive<i64> {
    let result = match operator {
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" if right == 0 => Some(0),
        "/" => left.checked_div(right),
        "^" if right < 0 && !in_dice => None,
        "^" => power(left, right),
        "&" => Some(i64::from(left != 0 && right != 0)),
        "|" => Some(i64::from(left != 0 || right != 0)),
        comparison => Some(i64::from(compared(comparison, &left, &right))),
    };
    result.ok_or(NUMBER)
}

/// A power; that with a negative exponent is truncated, and that of 0 is the number of section 12.
fn power(base: i64, exponent: i64) -> Option<i64> {
    if base == 0 && exponent < 0 {
        return Some(i64::MIN);
    }
    // The power of 1 or -1 depends on whether the exponent is even.
    let times = match base {
        -1..=1 => exponent.unsigned_abs() % 2 + 2 * u64::from(exponent != 0),
        _ => exponent.unsigned_abs(),
    };
    let mut power = 1_i64;
    for _ in 0..times {
        match power.checked_mul(base) {
            Some(next) => power = next,
            None if exponent < 0 => return Some(0),
            None => return None,
        }
    }
    // One divided by the power, toward zero.
    Some(if exponent < 0 { 1 / power } else { power })
}
