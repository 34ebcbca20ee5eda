//! The goal of best play: a number or a chance that is computed from the result, or the sum of a
//! statistic.

use crate::answer::Condition;
use crate::program::files::ScriptErrors;
use crate::program::program::Roll;
use dicec_exact::value_text;
use dicec_lang::hir::{Data, StatId, Type};
use dicec_runtime::trap::Trap;

/// What is wanted.
#[derive(Clone, Debug)]
pub enum BestGoal {
    /// The mean of a number that is computed from the parts of the result, or the chance of a
    /// condition on them.
    Result(Condition),
    /// The mean of the sum of a statistic in a trial, with its name.
    Statistic(StatId, String),
}

impl Roll {
    /// Reads what is wanted: the name of a statistic; or a number (`total`, `hits + 2 * crits`) or
    /// condition (`total >= 17`) on the parts of the result, by the names of
    /// [conditions](Roll::condition).
    ///
    /// # Errors
    /// All errors in the text; see `docs/errors.md`.
    pub fn best_goal(&self, text: &str) -> Result<BestGoal, ScriptErrors> {
        let goal = self.number(text);
        let stats = &self.program().hir().stats;
        let stat = stats.iter().position(|name| name == text.trim());
        match (goal, stat) {
            (Ok(condition), _) => Ok(BestGoal::Result(condition)),
            (Err(_), Some(stat)) => {
                let name = text.trim().to_owned();
                Ok(BestGoal::Statistic(StatId(stat as u32), name))
            }
            (Err(errors), None) => Err(errors),
        }
    }
}

impl Roll {
    /// The values of the parts of a result, as players read them.
    pub fn data_texts(&self, parts: &[Data]) -> Vec<String> {
        let module = self.program().hir();
        let types: Vec<&Type> = match self.parts() {
            Some(parts) => parts.all.iter().map(|part| &part.ty).collect(),
            None => vec![&module.function(self.function_id()).result],
        };
        let texts = parts.iter().zip(types);
        texts
            .map(|(value, ty)| value_text(module, ty, value))
            .collect()
    }
}

impl BestGoal {
    /// Its number for these values of the parts of a result; 0 for a statistic, which results do
    /// not have.
    pub(super) fn number(&self, parts: &[Data]) -> Result<f64, Trap> {
        match self {
            BestGoal::Result(condition) => condition.number(parts),
            BestGoal::Statistic(..) => Ok(0.0),
        }
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        match self {
            BestGoal::Result(condition) => condition.text(),
            BestGoal::Statistic(_, name) => name,
        }
    }

    /// Whether its mean is a chance.
    pub fn is_chance(&self) -> bool {
        match self {
            BestGoal::Result(condition) => condition.is_truth(),
            BestGoal::Statistic(..) => false,
        }
    }
}
