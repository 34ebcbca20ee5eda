//! Draws of a trial of a simulation, and the values that depend on them.
//!
//! Exact odds mix the results of all calls of an expansion; a trial draws one of them. Odds are
//! linear in each of these mixtures as long as nothing meets the same draw twice: two uses of a
//! variable are independent of each other in AnyDice, but would share one draw. A value therefore
//! knows its draws, and whoever combines values with a common draw is refused.

use std::rc::Rc;

/// The draws that a value depends on, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Draws(Option<Rc<[u32]>>);

impl Draws {
    /// A single draw.
    pub(crate) fn one(draw: u32) -> Self {
        Self(Some([draw].into()))
    }

    /// Whether the value depends on no draw.
    pub(crate) fn are_none(&self) -> bool {
        self.0.is_none()
    }

    fn all(&self) -> &[u32] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Whether a draw belongs to both.
    pub(crate) fn meet(&self, other: &Self) -> bool {
        let (few, many) = match self.all().len() < other.all().len() {
            true => (self, other),
            false => (other, self),
        };
        few.all()
            .iter()
            .any(|draw| many.all().binary_search(draw).is_ok())
    }

    /// The draws of both.
    pub(crate) fn with(&self, other: &Self) -> Self {
        if self.are_none() {
            return other.clone();
        }
        if other.are_none() {
            return self.clone();
        }
        let mut both = [self.all(), other.all()].concat();
        both.sort_unstable();
        both.dedup();
        Self(Some(both.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::Draws;

    #[test]
    fn draws_are_joined_and_compared() {
        let (one, two) = (Draws::one(1), Draws::one(2));
        let both = two.with(&one);
        assert_eq!(both, one.with(&two));
        assert_eq!(both.with(&one), both);
        assert!(both.meet(&two) && two.meet(&both) && !one.meet(&two));
        let none = Draws::default();
        assert!(none.are_none() && !both.are_none() && !both.meet(&none));
        assert_eq!(none.with(&one), one);
    }
}
