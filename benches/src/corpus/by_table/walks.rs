//! Tables that lead to tables, and fires that spread: a draw from the exact odds of a step.

use super::super::{Tally, count, number};
use super::alias::Aliases;
use crate::fights::dice::Batched;
use crate::hand::cells::sums;
use dicec_runtime::pmf::{Budget, Pmf, Weight};
use serde_json::Value;

/// What is left to roll, above the gold.
const GEMS: i32 = 1 << 12;
const TREASURE: i32 = 1 << 20;

/// Each outcome as often as it is listed.
fn listed<W: Weight>(outcomes: impl IntoIterator<Item = i64>) -> Pmf<W> {
    let weights = outcomes
        .into_iter()
        .map(|outcome| (outcome, W::from_u64(1)));
    Pmf::from_weights(weights).expect("outcomes")
}

/// The rows of a d100 table.
fn rows<W: Weight, const N: usize>(rows: [(u64, Pmf<W>); N]) -> Pmf<W> {
    let rows = rows.map(|(faces, row)| (W::from_u64(faces), row));
    Pmf::mixture(rows.into(), &mut Budget::default()).expect("small tables")
}

fn gems<W: Weight>() -> Pmf<W> {
    rows([
        (50, listed(sums(2, 4))),
        (40, listed(sums(3, 10))),
        (10, Pmf::point(i64::from(2 * GEMS))),
    ])
}

fn treasure<W: Weight>() -> Pmf<W> {
    rows([
        (30, Pmf::point(0)),
        (25, listed(sums(3, 6))),
        (20, listed(sums(4, 8).into_iter().map(|sum| sum + 10))),
        (15, gems()),
        (10, Pmf::point(i64::from(2 * TREASURE))),
    ])
}

pub(in super::super) fn table_walk(_: &Value, trials: u64) -> Tally {
    let mut tables = Aliases::<6>::default();
    tables.push(&gems());
    tables.push(&treasure());
    count(trials, |Batched(generator): &mut Batched| {
        let mut left = TREASURE;
        loop {
            let (table, rolled) = match left >= TREASURE {
                true => (1, TREASURE),
                false => (0, GEMS),
            };
            left += tables.draw(table, generator) - rolled;
            if left < GEMS {
                return i64::from(left);
            }
        }
    })
}

/// All fields that burn light their neighbours at once: a draw from the odds of their number.
pub(in super::super) fn recursion(sheet: &Value, trials: u64) -> Tally {
    let depth = number(sheet, "depth");
    let neighbours = listed([0, 1, 1, 1, 2, 2]);
    let mut tables = Aliases::<7>::default();
    tables.certain(0);
    for fields in 1..=1 << depth >> 1 {
        let lit = neighbours.n_fold(fields, &mut Budget::default());
        tables.push(&lit.expect("few fields"));
    }
    count(trials, |Batched(generator): &mut Batched| {
        let (mut fields, mut total) = (1, 1);
        for _ in 0..depth {
            fields = tables.draw(fields, generator);
            total += fields;
        }
        i64::from(total)
    })
}
