//! Values in the names of outputs (section 9): dice by their structure, `3d6`.

use crate::value::Value;
use dicec_runtime::pmf::{Pmf, Weight};

/// The relative difference up to which weights in floats are equal.
const CLOSE: f64 = 1e-9;

pub(super) fn shown<W: Weight>(value: &Value<W>) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Sequence(elements) if elements.is_empty() => "{}".to_owned(),
        Value::Sequence(_) => "{?}".to_owned(),
        Value::Dice(dice) => match (&dice.die, dice.count) {
            (None, _) => "d{}".to_owned(),
            // A trial knows one of the faces.
            _ if !value.draws().are_none() => "d{?}".to_owned(),
            (Some(die), 1) => format!("d{}", faces(die)),
            (Some(die), count) => format!("{count}d{}", faces(die)),
        },
    }
}

fn faces<W: Weight>(die: &Pmf<W>) -> String {
    let (first, last) = (die.min(), die.max());
    let is_run = last.abs_diff(first) == die.len() as u64 - 1;
    let most = die.probabilities().map(|(_, p)| p).fold(0.0, f64::max);
    let is_fair = die.probabilities().all(|(_, p)| most - p <= CLOSE * most);
    match (is_run && is_fair, first) {
        (true, 1) => last.to_string(),
        (true, _) => format!("{{{first}..{last}}}"),
        (false, _) => "{?}".to_owned(),
    }
}
