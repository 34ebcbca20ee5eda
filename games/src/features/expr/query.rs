//! Conditions other than comparisons of numbers (seed 001, "More complex conditions"), with their
//! operands.

use super::Type;
use crate::features::operand::Operand;

/// A condition with more than numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// The first is hostile to the second.
    Hostile,
    /// The first is allied to the second.
    Allied,
    /// The creature agrees to the effect.
    Approves,
    /// The creature's roll for an ability or a skill, with its modifier, or of a die.
    Roll,
    /// The distance of the two in feet.
    Distance,
    /// The first can see the second.
    Sees,
    /// The distance that the first moved straight toward the second on this turn, in feet.
    MovedTo,
    /// The creature is under a spell, or under one of a school.
    UnderSpell,
    /// The creature is in light of this kind.
    Lighting,
    /// The two share a language.
    Understand,
    /// The first is bound by the second.
    Bound,
    /// The first is aware of the second.
    Aware,
    /// The two are in the same web.
    WebShare,
    /// The first is worn or carried by the second.
    Carried,
    /// The creature's attack is one with this weapon.
    MadeAttack,
    /// The creature fails a saving throw: DC, ability, by at least how much.
    FailsSave,
}

/// A row of the table of conditions.
#[derive(Debug)]
pub(in crate::features) struct QueryInfo {
    pub(in crate::features) query: Query,
    /// Its name as an operator.
    pub(in crate::features) name: &'static str,
    pub(in crate::features) operands: &'static [Operand],
    pub(in crate::features) ty: Type,
    /// How it is written as a phrase, with its operands in this order.
    pub(in crate::features) phrases: &'static [&'static str],
    /// Its phrase, with operands as `{0}` and so on.
    pub(in crate::features) words: &'static str,
}

use Operand::{Ability, Attack, Check, Light, Number, Spell, Who};

macro_rules! queries {
    ($($query:ident $name:literal $operands:expr => $ty:ident, $phrases:expr, $words:literal;)*) => {
        /// All conditions.
        pub(in crate::features) const QUERIES: &[QueryInfo] = &[$(QueryInfo {
            query: Query::$query,
            name: $name,
            operands: &$operands,
            ty: Type::$ty,
            phrases: &$phrases,
            words: $words,
        }),*];
    };
}

queries! {
    Hostile "hostile" [Who, Who] => Truth, ["N is hostile to N"], "{0} is hostile to {1}";
    Allied "allied" [Who, Who] => Truth, ["N is allied to N", "N is allied with N"], "{0} is allied to {1}";
    Approves "approves" [Who] => Truth, ["N approves", "N agrees to the effect"], "{0} agrees";
    Roll "roll" [Who, Check] => Number, ["N rolls TYPE"], "the {1} roll of {0}";
    Distance "distance" [Who, Who] => Number, ["distance from N to N", "distance between N and N"], "the distance of {0} and {1}";
    Sees "sees" [Who, Who] => Truth, ["N can see N", "N sees N"], "{0} can see {1}";
    MovedTo "movedto" [Who, Who] => Number, ["N moved toward N"], "how far {0} moved straight toward {1} on this turn";
    UnderSpell "underspell" [Who, Spell] => Truth, ["N is under the effects of SPELL", "N is under spell SPELL"], "{0} is under the spell {1}";
    Lighting "lighting" [Who, Light] => Truth, ["N is in lighting LIGHTING", "N is in LIGHTING"], "{0} is in {1}";
    Understand "understand" [Who, Who] => Truth, ["N understands N", "N and N share a language"], "{0} and {1} share a language";
    Bound "bound" [Who, Who] => Truth, ["N is bound by N"], "{0} is bound by {1}";
    Aware "aware" [Who, Who] => Truth, ["N is aware of N"], "{0} is aware of {1}";
    WebShare "webshare" [Who, Who] => Truth, ["N and N are in the same web"], "{0} and {1} are in the same web";
    Carried "carried" [Who, Who] => Truth, ["N is worn or carried by N"], "{0} is worn or carried by {1}";
    MadeAttack "madeattack" [Who, Attack] => Truth, ["N made attack ATTACK"], "{0} attacked with {1}";
    FailsSave "failssave" [Who, Number, Ability, Number] => Truth, ["N fails dc X ABILITY save by at least X"], "{0} fails a DC {1} {2} save";
}

impl Query {
    /// Its row in the table.
    pub(in crate::features) fn info(self) -> &'static QueryInfo {
        // Every variant has a row: the test below sees to that.
        let mut all = QUERIES.iter();
        all.find(|info| info.query == self).unwrap_or(&QUERIES[0])
    }

    /// The condition of a name.
    pub(in crate::features) fn named(name: &str) -> Option<Self> {
        let mut all = QUERIES.iter();
        all.find_map(|info| (info.name == name).then_some(info.query))
    }

    /// Its name as an operator.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Whether the order of its two operands does not matter.
    pub fn is_symmetric(self) -> bool {
        matches!(self, Self::Distance | Self::Understand | Self::WebShare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_condition_has_its_row() {
        for info in QUERIES {
            assert_eq!(info.query.info().name, info.name);
        }
        assert_eq!(QUERIES.len(), Query::FailsSave as usize + 1);
    }
}
