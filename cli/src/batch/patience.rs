//! Which rows of a script are sampled without a try at an exact answer. To find out that a row is too large takes long, and a row that differs from it in
//! nothing but numbers mostly is so too. So once the first rows of a *shape* were all too large, others of it are not tried.

use super::memo::Solved;
use rustc_hash::FxHashMap;

/// How many rows of a shape are tried before it is given up.
pub(super) const PATIENCE: u32 = 4;

/// What to do with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// To try an exact answer.
    Try,
    /// To sample at once.
    Sample,
    /// To wait for what becomes of those that are being tried.
    Wait,
}

/// The shapes of one question, and what became of their rows.
#[derive(Default)]
pub(super) struct Patience {
    shapes: FxHashMap<Vec<i64>, Tries>,
}

#[derive(Default)]
struct Tries {
    /// Rows that are being tried.
    open: u32,
    /// Rows that were too large.
    refused: u32,
    /// Whether any row was not.
    answered: bool,
}

impl Patience {
    /// What to do with a row of this shape.
    pub(super) fn ask(&mut self, shape: &[i64]) -> Way {
        let tries = self.shapes.entry(shape.to_vec()).or_default();
        if tries.answered {
            return Way::Try;
        }
        if tries.refused >= PATIENCE {
            return Way::Sample;
        }
        if tries.open + tries.refused >= PATIENCE {
            return Way::Wait;
        }
        tries.open += 1;
        Way::Try
    }

    /// Takes note of a row that was tried.
    pub(super) fn tell(&mut self, shape: &[i64], solved: &Solved) {
        let Some(tries) = self.shapes.get_mut(shape) else {
            return;
        };
        tries.open = tries.open.saturating_sub(1);
        if let Ok(answer) = solved {
            tries.answered |= !answer.is_sampled;
            tries.refused += u32::from(answer.is_sampled);
        }
    }
}
