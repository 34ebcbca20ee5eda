//! The product's alias tables, laid out for code that draws inline.

use crate::hand::Generator;
use dashu_int::UBig;
use dicec_runtime::pmf::Pmf;
use dicec_runtime::rng::AliasTable;

/// A column: its own share, its outcome and that of its alias.
#[derive(Clone, Copy)]
struct Column {
    share: u64,
    outcomes: [i32; 2],
}

/// Tables of 2^`BITS` columns, so that the column does not depend on which table is drawn from.
/// Shares are rounded down to the digits that a word has after the column: by less than 2^-50.
#[derive(Default)]
pub(super) struct Aliases<const BITS: u32> {
    columns: Vec<Column>,
}

impl<const BITS: u32> Aliases<BITS> {
    /// Adds a table with one outcome.
    pub(super) fn certain(&mut self, outcome: i32) {
        let (share, outcomes) = (0, [outcome; 2]);
        let column = Column { share, outcomes };
        self.columns.extend([column].repeat(1 << BITS));
    }

    /// Adds a table. Each of its columns becomes several; its own share fills the first of them.
    pub(super) fn push(&mut self, odds: &Pmf<UBig>) {
        let table = AliasTable::new(odds).expect("a table of few outcomes");
        let bits = table.bits();
        let (more, parts) = (BITS - bits, 1_u128 << (BITS - bits));
        for (column, entry) in (0..1 << bits).zip(table.words()) {
            let alias = entry & ((1 << bits) - 1);
            let share = u128::from(entry - alias) << more;
            let outcomes = [column, alias].map(|column| table.outcome(column) as i32);
            self.columns.extend((0..parts).map(|part| {
                let share = share.saturating_sub(part << u64::BITS);
                let share = u64::try_from(share).unwrap_or(u64::MAX);
                Column { share, outcomes }
            }));
        }
    }

    /// An outcome of a table, from a separate word. Which of two it is cannot be predicted, so it
    /// is an index.
    #[inline(always)]
    pub(super) fn draw(&self, table: i32, generator: &mut Generator) -> i32 {
        let word = generator.word();
        let (first, column) = ((table as usize) << BITS, word >> (u64::BITS - BITS));
        let column = &self.columns[first + column as usize];
        column.outcomes[usize::from(word << BITS >= column.share)]
    }
}
