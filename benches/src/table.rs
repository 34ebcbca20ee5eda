//! A table of a script: the chance to drop a target within three attacks, with everything from the
//! row. By hand, each row is convolved.

use crate::compiler;
use dicec_compiler::Simulation;
use dicec_runtime::pmf::Limits;
use dicec_runtime::resource::ResourceTable;
use dicec_tables::{Batch, Columns, Field, Method, Numbers, Varying};
use serde_json::json;

/// How many rows the table has, all of them different.
pub const ROWS: u64 = 2_000;

/// Trials of a sampled row.
const TRIALS: u64 = 100_000;

/// The attacks on a target.
const ATTACKS: u32 = 3;

const SCRIPT: &str = include_str!("table.dice");

const HEADER: [&str; 6] = ["bonus", "ac", "hp", "count", "sides", "damage"];

/// A row: an attack and its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    bonus: i64,
    ac: i64,
    hp: i64,
    count: usize,
    sides: usize,
    damage: i64,
}

/// The table.
pub fn rows() -> Vec<Row> {
    const SIDES: [usize; 5] = [4, 6, 8, 10, 12];
    // Each is the row of its number in mixed bases, so that none comes twice.
    let digits = |number: &mut usize, base: usize| {
        let digit = *number % base;
        *number /= base;
        digit
    };
    let row = |number: u64| {
        // Prime to the number of all rows, so that all columns vary from row to row.
        let mut number = (number * 7_919) as usize;
        let digits = |base| digits(&mut number, base);
        let [sides, count, bonus, ac, hp, damage] = [5, 4, 13, 13, 57, 9].map(digits);
        Row {
            bonus: bonus as i64 + 2,
            ac: ac as i64 + 10,
            hp: hp as i64 + 4,
            count: count + 1,
            sides: SIDES[sides],
            damage: damage as i64,
        }
    };
    (0..ROWS).map(row).collect()
}

impl Row {
    fn cells(self) -> [String; 6] {
        let (count, sides) = (self.count as i64, self.sides as i64);
        [self.bonus, self.ac, self.hp, count, sides, self.damage].map(|cell| cell.to_string())
    }

    /// The chance to drop the target, convolved: the distribution of an attack's damage, then that
    /// of the hit points that are left, from 0 up.
    pub fn convolved(self) -> f64 {
        let faces = (1..=20).filter(|&face| face > 1 && face < 20 && face + self.bonus >= self.ac);
        let hit = faces.count() as f64 / 20.0;
        let once = sum_of_dice(self.count, self.sides);
        let twice = product(&once, &once);
        let mut left = vec![0.0; self.hp as usize + 1];
        left[self.hp as usize] = 1.0;
        for _ in 0..ATTACKS {
            let mut next: Vec<f64> = left.iter().map(|p| p * (19.0 / 20.0 - hit)).collect();
            for (chance, damage) in [(hit, &once), (1.0 / 20.0, &twice)] {
                // Of those that are hurt, some still stand; all others have dropped.
                for (total, p) in (self.damage as usize..left.len()).zip(damage) {
                    let p = p * chance;
                    for (next, left) in next[1..].iter_mut().zip(&left[total..][1..]) {
                        *next += p * left;
                    }
                }
            }
            next[0] = 1.0 - next[1..].iter().sum::<f64>();
            left = next;
        }
        left[0]
    }
}

/// The distribution of the sum of equal dice, from 0 up.
fn sum_of_dice(count: usize, sides: usize) -> Vec<f64> {
    let mut die = vec![1.0 / sides as f64; sides + 1];
    die[0] = 0.0;
    (1..count).fold(die.clone(), |sum, _| product(&sum, &die))
}

/// The distribution of a sum.
fn product(a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; a.len() + b.len() - 1];
    for (at, p) in a.iter().enumerate() {
        for (sum, q) in sum[at..].iter_mut().zip(b) {
            *sum += p * q;
        }
    }
    sum
}

/// The column of chances by the product, exact or sampled, on one thread. It compiles the script.
///
/// # Panics
/// The script or the table is wrong.
pub fn answered(rows: &[Row], exactly: bool) -> Vec<f64> {
    let header = HEADER.map(str::to_owned);
    let columns = Columns::new(&header, ResourceTable::new());
    let method = match exactly {
        true => Method::Exact(Limits::default(), None),
        false => Method::Sample(Simulation::trials(TRIALS).seed(42)),
    };
    let batch = Batch::controlled(
        columns,
        method,
        Numbers::Quantiles,
        Some(1),
        Default::default(),
    );
    let mut batch = batch.expect("no threads are started");
    let script = compiler().script(SCRIPT).expect("a good script");
    let roll = script.roll("drop").expect("it is defined");
    let varying = Varying::new(roll, json!({}), &header).expect("good columns");
    batch.ask_roll("drop", varying, &[]).expect("all columns");
    let mut chances = Vec::new();
    for block in rows.chunks(256) {
        batch.clear();
        for row in block {
            batch.push(row.cells().as_slice());
        }
        batch.solve().expect("nobody cancels");
        let group = &batch.groups()[0];
        chances.extend((0..block.len()).map(|row| {
            let answer = batch.answer(row, 0).expect("an answer");
            let figure = group.figure(&answer, Field::P).expect("a check");
            figure.to_string().parse::<f64>().expect("a number")
        }));
    }
    chances
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand and exactly they are the same, sampled within five standard errors.
    #[test]
    fn rows_have_the_odds_of_convolutions() {
        let rows = rows();
        let some: Vec<Row> = rows.iter().copied().step_by(97).collect();
        let (exact, sampled) = (answered(&some, true), answered(&some, false));
        for ((row, exact), sampled) in some.iter().zip(exact).zip(sampled) {
            let by_hand = row.convolved();
            assert!(
                (by_hand - exact).abs() < 1e-9,
                "{row:?}: {by_hand}, {exact}"
            );
            let error = (exact * (1.0 - exact) / TRIALS as f64).sqrt();
            assert!(
                (sampled - exact).abs() < 5.0 * error + 1e-9,
                "{row:?}: {sampled}, {exact}"
            );
        }
        let mut distinct = rows.clone();
        distinct.sort_by_key(|row| row.cells());
        distinct.dedup();
        assert_eq!(distinct.len(), rows.len());
    }
}
