//! The odds of the parts of a result with several: of each, and of all together.

use super::distribution::Distribution;
use dicec_lang::hir::{Module, Part, Type};
use dicec_runtime::bug;
use std::sync::Arc;

/// The exact odds of all parts of a result together.
#[derive(Clone, Debug)]
pub struct Joint {
    /// The results, ascending, each with the value of every part.
    pub rows: Vec<Vec<i64>>,
    /// The texts of which some parts are indices.
    pub(super) texts: Vec<String>,
    /// The odds of the indices of the results.
    pub odds: Distribution,
}

/// The odds of a part of a result.
#[derive(Clone, Debug)]
pub struct PartOdds {
    /// The name of the part.
    pub name: String,
    /// Its odds.
    pub odds: Distribution,
}

impl Joint {
    /// The odds of one part.
    pub(super) fn part(&self, index: usize, part: &Part, module: &Module) -> Distribution {
        let mut odds = self.odds.clone();
        // The odds are of indices of rows.
        let cell = |row: i64| self.rows[row as usize][index];
        let kind = module.kind_of_type(&part.ty);
        let kind = kind.unwrap_or_else(|| bug!("a part without a kind").raise());
        if part.ty != Type::Text {
            odds.renumber(cell);
            return odds
                .of_kind(kind, Arc::default())
                .labelled(module.labels_of_type(&part.ty));
        }
        let mut held: Vec<i64> = self.rows.iter().map(|row| row[index]).collect();
        held.sort_unstable();
        held.dedup();
        let labels = held.iter().map(|text| self.texts[*text as usize].clone());
        let labels = labels.collect();
        odds.renumber(|row| held.partition_point(|text| *text < cell(row)) as i64);
        odds.of_kind(kind, labels)
    }
}
