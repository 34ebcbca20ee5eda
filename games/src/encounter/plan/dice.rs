//! Damage dice of stat blocks, also for critical hits.

use crate::encounter::wrong::Wrong;
use crate::script_text::{Joined, ScriptCode, code};
use dicec_lang::front::notation::dice_value;
use dicec_lang::hir::DiceValue;
use dicec_lang::syntax::SourceLimits;

/// Dice plus a number, such as `2d6+3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::encounter) struct Dice {
    /// The counts and sides of the dice.
    terms: Vec<(i64, i64)>,
    bonus: i64,
}

/// The maximum number of dice, sides and addend in a stat block.
const MOST: i64 = 1000;

impl Dice {
    /// Reads dice of the stat block that is at a path.
    ///
    /// # Errors
    /// Anything but sums of dice and numbers.
    pub(in crate::encounter) fn read(text: &str, path: &str) -> Result<Self, Wrong> {
        let wrong = |why: &str| Wrong::new(path, format!("has the dice `{text}`: {why}"));
        let value = dice_value(text, SourceLimits::default());
        let value = value.map_err(|found| wrong(&found.message))?;
        Self::of(&value).ok_or_else(|| {
            wrong("damage is a sum of dice and numbers").help("write it as in `2d6+3`")
        })
    }

    fn of(value: &DiceValue) -> Option<Self> {
        let term = |numbers: [i64; 5]| {
            let [count, sides, keep, sign, _] = numbers;
            let is_plain = keep == 0 && sign > 0 && count <= MOST && sides <= MOST;
            is_plain.then_some((count, sides))
        };
        let terms: Option<Vec<_>> = value.terms.iter().map(|one| term(one.numbers())).collect();
        (value.bonus.abs() <= MOST).then_some(Self {
            terms: terms?,
            bonus: value.bonus,
        })
    }

    /// Some d8.
    pub(super) fn eights(count: i64) -> Self {
        Self {
            terms: vec![(count, 8)],
            bonus: 0,
        }
    }

    /// More dice of the kind that these begin with; none if there are none.
    pub(in crate::encounter) fn more(&self, count: i64) -> Option<Self> {
        let (_, sides) = self.terms.first()?;
        Some(Self {
            terms: vec![(count, *sides)],
            bonus: 0,
        })
    }

    /// As the script has it: `2d6 + 3`; a critical hit has the dice twice.
    pub(in crate::encounter) fn text(&self, is_critical: bool) -> ScriptCode {
        let times = if is_critical { 2 } else { 1 };
        let terms = self.terms.iter();
        let dice: Vec<ScriptCode> = terms
            .map(|(count, sides)| code!("{}d{sides}", times * count, sides))
            .collect();
        match (dice.joined(" + "), self.bonus) {
            (dice, bonus) if dice.is_empty() => bonus.into(),
            (dice, 0) => dice,
            (dice, bonus) => dice.plus(bonus),
        }
    }

    /// Whether it has dice at all.
    pub(in crate::encounter) fn rolls(&self) -> bool {
        !self.terms.is_empty()
    }

    /// Whether it may come out below 0.
    pub(in crate::encounter) fn may_be_negative(&self) -> bool {
        self.least() < 0
    }

    /// The minimum total.
    pub(in crate::encounter) fn least(&self) -> i64 {
        let of_dice: i64 = self.terms.iter().map(|(count, _)| count).sum();
        of_dice + self.bonus
    }

    /// Twice the average, which is a whole number.
    pub(super) fn double_average(&self) -> i64 {
        let terms = self.terms.iter();
        let of_dice = terms.map(|(count, sides)| count.saturating_mul(sides.saturating_add(1)));
        of_dice.fold(self.bonus.saturating_mul(2), i64::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_critical_hit_doubles_dice_and_not_what_is_added() {
        let dice = Dice::read("2d6+3", "$").expect("these are dice");
        assert_eq!(dice.text(false), "2d6 + 3");
        assert_eq!(dice.text(true), "4d6 + 3");
        assert_eq!(dice.double_average(), 20);
        let one = Dice::read("1", "$").expect("a number will do");
        assert_eq!((one.text(true), one.rolls()), ("1".into(), false));
        assert!(Dice::read("1d4-2", "$").is_ok_and(|dice| dice.may_be_negative()));
        assert!(Dice::read("2d6kh1", "$").is_err());
    }
}
