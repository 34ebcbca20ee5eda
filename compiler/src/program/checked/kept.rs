//! The check results that are cached with a roll: the last exact answer of a rule that passed, and
//! bounds on lines and notes. A rule has a closed form, which depends on nothing else, so the same
//! question need not be checked again.

use super::most::Most;
use super::setting::CheckLimits;
use crate::answer::{Checked, Exactness};
use dicec_runtime::pmf::Limits;
use std::any::TypeId;
use std::sync::{Arc, Mutex, OnceLock};

/// The cached check results of a roll.
#[derive(Debug, Default)]
pub(in crate::program) struct KeptChecks {
    /// The last answer that passed.
    pub(super) passed: Mutex<Option<(Question, Checked)>>,
    pub(super) most: OnceLock<Arc<Most>>,
}

/// Everything that the answer to a rule, and its check, depend on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Question {
    pub(super) resources: Box<[i64]>,
    pub(super) how: How,
    pub(super) limits: Limits,
    pub(super) check: CheckLimits,
}

/// The form of the exact odds in a question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum How {
    /// An answer with this exactness.
    Answer(Exactness),
    /// Odds with weights of this type.
    Odds(TypeId),
}
