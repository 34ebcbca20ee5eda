//! The tables of fused draws, numbered over all functions of a module.

use crate::ir::{Function, FusedDraw};
use dicec_runtime::bug;
use dicec_runtime::rng::AliasTable;
use std::sync::Arc;

/// The tables that code draws from, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Drawn {
    draws: Vec<Arc<FusedDraw>>,
    tables: Vec<Arc<AliasTable>>,
}

impl Drawn {
    /// Those of these functions.
    pub(super) fn of(functions: &[Function]) -> Self {
        let mut drawn = Self::default();
        for draw in functions.iter().flat_map(|f| f.draws.values()) {
            if !drawn.draws.contains(draw) {
                drawn.draws.push(draw.clone());
                drawn.tables.push(draw.table().clone());
            }
        }
        drawn
    }

    /// The number of a draw's table.
    pub(super) fn number(&self, draw: &Arc<FusedDraw>) -> usize {
        let mut draws = self.draws.iter();
        // It is one of them.
        draws
            .position(|known| known == draw)
            .unwrap_or_else(|| bug!("a fused draw without a table").raise())
    }

    /// All tables, by number.
    pub(super) fn tables(&self) -> &[Arc<AliasTable>] {
        &self.tables
    }

    /// The address of the columns of each.
    pub(super) fn columns(&self) -> Vec<*const u64> {
        let tables = self.tables.iter();
        tables.map(|table| table.words().as_ptr()).collect()
    }
}
