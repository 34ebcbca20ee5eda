//! Back-off: decides which rows of a script are sampled without trying an exact answer. Finding out
//! that a row is too large takes long, and a row that differs from it only in numbers is usually
//! too large as well. So after the first rows of a *shape* were all too large, others of that shape
//! are not tried.

use rustc_hash::FxHashMap;

/// The number of rows of a shape that are tried.
pub const TRIES: u32 = 4;

/// The decision about a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Approach {
    /// To try an exact answer.
    Try,
    /// To sample at once.
    Sample,
    /// To wait for those that are being tried.
    Wait,
}

/// The shapes of one question, and how their rows went.
#[derive(Default)]
pub(super) struct BackOff {
    shapes: FxHashMap<Vec<i64>, History>,
}

#[derive(Default)]
struct History {
    /// Rows that are being tried.
    open: u32,
    /// Rows that were too large.
    refused: u32,
    /// Whether any row was not.
    answered: bool,
}

impl BackOff {
    /// Decides about a row of this shape.
    pub(super) fn ask(&mut self, shape: &[i64]) -> Approach {
        let tries = self.shapes.entry(shape.to_vec()).or_default();
        if tries.answered {
            return Approach::Try;
        }
        if tries.refused >= TRIES {
            return Approach::Sample;
        }
        if tries.open + tries.refused >= TRIES {
            return Approach::Wait;
        }
        tries.open += 1;
        Approach::Try
    }

    /// Takes note of a row that was tried: whether it had to be sampled, if it has an answer at
    /// all.
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
        let mut back_off = BackOff::default();
        for _ in 0..TRIES {
            assert_eq!(back_off.ask(&[6]), Approach::Try);
        }
        // These are on their way; another shape has nothing to do with them.
        assert_eq!(back_off.ask(&[6]), Approach::Wait);
        assert_eq!(back_off.ask(&[1]), Approach::Try);
        for _ in 0..TRIES {
            back_off.tell(&[6], Some(true));
        }
        assert_eq!(back_off.ask(&[6]), Approach::Sample);
        back_off.tell(&[1], Some(true));
        assert_eq!(back_off.ask(&[1]), Approach::Try);
    }

    #[test]
    fn a_shape_with_any_exact_answer_is_tried_on() {
        let mut back_off = BackOff::default();
        assert_eq!(back_off.ask(&[]), Approach::Try);
        back_off.tell(&[], Some(false));
        for _ in 0..3 * TRIES {
            assert_eq!(back_off.ask(&[]), Approach::Try);
            back_off.tell(&[], Some(true));
        }
    }
}
