//! Tables of equally likely cells, and many draws from one word.

use super::generator::{FULL, Generator};

/// The fewest cells with the same odds, sorted.
pub(crate) fn fewest(mut cells: Vec<i64>) -> Vec<i64> {
    cells.sort_unstable();
    let runs = || cells.chunk_by(|a, b| a == b);
    let common = runs().fold(0, |common, run| gcd(common, run.len()));
    let kept = runs().flat_map(|run| &run[..run.len() / common]);
    kept.copied().collect()
}

/// The greatest common divisor.
pub(crate) fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The sum of each equally likely roll of `count` dice.
pub(crate) fn sums(count: i64, sides: i64) -> Vec<i64> {
    let mut sums = vec![0_i64];
    for _ in 0..count {
        let faces = 1..=sides;
        sums = faces
            .flat_map(|face| sums.iter().map(move |sum| sum + face))
            .collect();
    }
    sums
}

/// Small tables become one of at most this many cells.
const JOINED: usize = 1 << 11;

/// Tables that are drawn from together.
pub(crate) struct Together {
    /// As many tables each as share a word.
    groups: Vec<Vec<Vec<i64>>>,
}

impl Together {
    pub(crate) fn new(mut tables: Vec<Vec<i64>>) -> Self {
        tables.sort_unstable_by_key(Vec::len);
        let mut joined: Vec<Vec<i64>> = Vec::new();
        for table in tables {
            match joined.last_mut() {
                Some(last) if last.len() * table.len() <= JOINED => {
                    let sums = last.iter().flat_map(|a| table.iter().map(move |b| a + b));
                    *last = sums.collect();
                }
                _ => joined.push(table),
            }
        }
        let (mut groups, mut product) = (vec![Vec::new()], 1);
        for table in joined {
            let cells = table.len() as u64;
            if product > FULL / cells {
                groups.push(Vec::new());
                product = 1;
            }
            product *= cells;
            groups.last_mut().expect("there is one").push(table);
        }
        Self { groups }
    }

    /// The sum of a cell of each table.
    #[inline(always)]
    pub(crate) fn draw(&self, generator: &mut Generator) -> i64 {
        let groups = self.groups.iter().map(|tables| {
            generator.shared(|word| {
                let cells =
                    (tables.iter()).map(|table| table[word.below(table.len() as u64) as usize]);
                cells.sum::<i64>()
            })
        });
        groups.sum()
    }
}
