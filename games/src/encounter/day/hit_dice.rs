//! Hit dice: what a creature rolls to regain hit points in a short rest (SRD 5.1, "Resting").

use dicec_lang::front::notation::dice_value;
use dicec_lang::syntax::SourceLimits;

/// The hit dice of a creature: `5d10` and a modifier for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HitDice {
    pub(super) count: u32,
    pub(super) sides: u32,
    /// The Constitution modifier, which is added to each.
    pub(super) modifier: i64,
}

impl HitDice {
    /// The hit dice of a creature from the dice of its hit points; `None` unless these have one
    /// kind of dice.
    pub(super) fn of(hp_dice: &str, modifier: i64) -> Option<Self> {
        let value = dice_value(hp_dice, SourceLimits::default()).ok()?;
        let [term] = &value.terms[..] else {
            return None;
        };
        let [count, sides, keep, sign, _] = term.numbers();
        let is_plain = keep == 0 && sign > 0;
        is_plain.then_some(Self {
            count: u32::try_from(count).ok().filter(|count| *count <= 100)?,
            sides: u32::try_from(sides).ok().filter(|sides| *sides <= 100)?,
            modifier,
        })
    }

    /// The hit points that a die restores on average, rounded down, at least 1.
    pub(super) fn average(self) -> i64 {
        (i64::from(self.sides) + 1 + 2 * self.modifier)
            .div_euclid(2)
            .max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_dice_are_those_of_the_hit_points() {
        let five = HitDice::of("5d10+10", 2).expect("they are hit dice");
        assert_eq!((five.count, five.sides, five.average()), (5, 10, 7));
        assert_eq!(HitDice::of("44", 2), None);
        assert_eq!(HitDice::of("3d10+2d6", 0), None);
        assert_eq!(HitDice::of("2d6", -5).map(HitDice::average), Some(1));
    }
}
