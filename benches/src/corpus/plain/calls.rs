//! Functions that call themselves.

use super::super::{Tally, count, number};
use crate::fights::dice::Roller;
use serde_json::Value;

fn burn<R: Roller>(roller: &mut R, depth: i64) -> i64 {
    if depth == 0 {
        return 1;
    }
    let mut total = 1;
    if roller.die::<6>() >= 3 {
        total += burn(roller, depth - 1);
    }
    if roller.die::<6>() >= 4 {
        total += burn(roller, depth - 1);
    }
    total
}

pub(in super::super) fn recursion<R: Roller>(sheet: &Value, trials: u64) -> Tally {
    let depth = number(sheet, "depth");
    count(trials, |roller: &mut R| burn(roller, depth))
}

fn gems<R: Roller>(roller: &mut R) -> i64 {
    match roller.die::<100>() {
        ..=50 => roller.sum(2, 4),
        51..=90 => roller.sum(3, 10),
        _ => gems(roller) + gems(roller),
    }
}

fn treasure<R: Roller>(roller: &mut R) -> i64 {
    match roller.die::<100>() {
        ..=30 => 0,
        31..=55 => roller.sum(3, 6),
        56..=75 => 10 + roller.sum(4, 8),
        76..=90 => gems(roller),
        _ => treasure(roller) + treasure(roller),
    }
}

pub(in super::super) fn table_walk<R: Roller>(_: &Value, trials: u64) -> Tally {
    count(trials, |roller: &mut R| treasure(roller))
}
