//! The tables that functions draw from, for the evaluator and native code.

use crate::ir::{Function, Imm, Op};
use dicec_runtime::rng::SumTable;
use std::sync::Arc;

/// A table for each kind of dice that is `drawn`, in the order of their first mention.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    tables: Vec<Arc<SumTable>>,
}

impl Sums {
    /// The tables of these verified functions.
    pub(super) fn of(functions: &[Function]) -> Self {
        let mut sums = Self::default();
        for function in functions {
            for inst in function.live_insts() {
                let data = &function.insts[inst];
                if let (Op::Drawn, Imm::Dice { count, sides }) = (data.op, data.imm)
                    && sums.find(count, sides).is_none()
                {
                    sums.tables
                        .extend(SumTable::new(count, sides).map(Arc::new));
                }
            }
        }
        sums
    }

    /// The table of these dice, and its number.
    pub(super) fn find(&self, count: u32, sides: u32) -> Option<(usize, &SumTable)> {
        let mut tables = self.tables.iter().map(AsRef::as_ref).enumerate();
        tables.find(|(_, table)| (table.count(), table.sides()) == (count, sides))
    }

    /// All tables, by number.
    pub(super) fn tables(&self) -> &[Arc<SumTable>] {
        &self.tables
    }

    /// Where the columns of each are.
    pub(super) fn columns(&self) -> Vec<*const u64> {
        let columns = self.tables.iter().map(|table| table.columns().as_ptr());
        columns.collect()
    }
}
