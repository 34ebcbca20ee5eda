//! Which rows of a script are sampled without a try at an exact answer. To find out that a row is too large takes long, and a row that differs from it in
//! nothing but numbers mostly is so too. So once the first rows of a *shape* were all too large, others of it are not tried.

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

    /// Takes note of a row that was tried: whether it had to be sampled, if it has an answer at all.
    pub(super) fn tell(&mut self, shape: &[i64], sampled: Option<bool>) {
        let Some(tries) = self.shapes.get_mut(shape) else {
            return;
        };
        tries.open = tries.open.saturating_sub(1);
        match sampled {
            Some(true) => tries.refused += 1,
            Some(false) => tries.answered = true,
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_is_given_up_after_some_refusals() {
        let mut patience = Patience::default();
        for _ in 0..PATIENCE {
            assert_eq!(patience.ask(&[6]), Way::Try);
        }
        // Those are on their way; another shape has nothing to do with them.
        assert_eq!(patience.ask(&[6]), Way::Wait);
        assert_eq!(patience.ask(&[1]), Way::Try);
        for _ in 0..PATIENCE {
            patience.tell(&[6], Some(true));
        }
        assert_eq!(patience.ask(&[6]), Way::Sample);
        patience.tell(&[1], Some(true));
        assert_eq!(patience.ask(&[1]), Way::Try);
    }

    #[test]
    fn a_shape_with_any_exact_answer_is_tried_on() {
        let mut patience = Patience::default();
        assert_eq!(patience.ask(&[]), Way::Try);
        patience.tell(&[], Some(false));
        for _ in 0..3 * PATIENCE {
            assert_eq!(patience.ask(&[]), Way::Try);
            patience.tell(&[], Some(true));
        }
    }
}
