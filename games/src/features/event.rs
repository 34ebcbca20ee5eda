//! Kinds of triggers: the events of seed 001, "TRIGGER", with their names and operands.

use super::operand::Operand;

/// A kind of trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// Evaluated when the creature gets the feature.
    Passive,
    /// An action on the creature's turn.
    Action,
    /// A bonus action.
    Bonus,
    /// A free action.
    Free,
    /// A legendary action of a cost.
    Legendary,
    /// N's turn starts.
    TurnStart,
    /// N's turn ends.
    TurnEnd,
    /// N takes damage.
    Damaged,
    /// N moves.
    Moves,
    /// N1 makes a check of a class against N2.
    CheckAgainst,
    /// N1 forces N2 to make a saving throw of a class.
    ForceSave,
    /// N rolls a die of X sides.
    Rolls,
    /// N1 targets N2 by a spell: which.
    TargetSpell,
    /// N1 attacks N2: the attack.
    Attacks,
    /// N1 hits N2: the damage.
    Hits,
    /// N1 touches N2.
    Touches,
}

/// The result of a trigger, for which `V0` may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Only that it is met.
    Truth,
    /// A class of roll: `escape grapple`.
    RollClass,
    /// A spell.
    Spell,
    /// An attack.
    Attack,
    /// Damage.
    Damage,
}

/// A row of the table of triggers.
#[derive(Debug)]
pub(super) struct EventInfo {
    pub(super) kind: EventKind,
    /// Its name as an operator.
    pub(super) name: &'static str,
    pub(super) operands: &'static [Operand],
    pub(super) outcome: Outcome,
    /// How it is written as a phrase.
    pub(super) phrases: &'static [&'static str],
    /// Its phrase, with operands as `{0}` and so on.
    pub(super) words: &'static str,
}

use Operand::{Number, Who};

macro_rules! events {
    ($($kind:ident $name:literal $operands:expr => $outcome:ident, $phrases:expr, $words:literal;)*) => {
        /// All kinds of triggers.
        pub(super) const EVENTS: &[EventInfo] = &[$(EventInfo {
            kind: EventKind::$kind,
            name: $name,
            operands: &$operands,
            outcome: Outcome::$outcome,
            phrases: &$phrases,
            words: $words,
        }),*];
    };
}

events! {
    Passive "passive" [] => Truth, ["passive"], "always";
    Action "action" [] => Truth, ["action"], "as an action";
    Bonus "bonus" [] => Truth, ["bonus action", "bonus"], "as a bonus action";
    Free "free" [] => Truth, ["free action", "free"], "as a free action";
    Legendary "legendary" [Number] => Truth, ["legendary action costing X", "legendary action X", "legendary X"], "as a legendary action that costs {0}";
    TurnStart "turnstart" [Who] => Truth, ["N start of turn", "N starts its turn"], "when the turn of {0} starts";
    TurnEnd "turnend" [Who] => Truth, ["N end of turn", "N ends its turn"], "when the turn of {0} ends";
    Damaged "damaged" [Who] => Truth, ["N takes damage", "N is damaged"], "when {0} takes damage";
    Moves "moves" [Who] => Truth, ["N moves"], "when {0} moves";
    CheckAgainst "checkagainst" [Who, Who] => RollClass, ["N makes check against N", "N makes a check against N"], "when {0} makes a check against {1}";
    ForceSave "forcesave" [Who, Who] => RollClass, ["N forces N to save", "N forces N to make a save"], "when {0} forces {1} to make a saving throw";
    Rolls "rolls" [Who, Number] => Truth, ["N rolls a dX", "N rolls dX", "N rolls X"], "when {0} rolls a d{1}";
    TargetSpell "targetspell" [Who, Who] => Spell, ["N targets N by a spell", "N targets N with a spell"], "when {0} targets {1} by a spell";
    Attacks "attacks" [Who, Who] => Attack, ["N attacks N"], "when {0} attacks {1}";
    Hits "hits" [Who, Who] => Damage, ["N hits N"], "when {0} hits {1}";
    Touches "touches" [Who, Who] => Truth, ["N touches N"], "when {0} touches {1}";
}

impl EventKind {
    /// Its row in the table.
    pub(super) fn info(self) -> &'static EventInfo {
        // Every variant has a row: the test below sees to that.
        let mut all = EVENTS.iter();
        all.find(|info| info.kind == self).unwrap_or(&EVENTS[0])
    }

    /// The kind of a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        let mut all = EVENTS.iter();
        all.find_map(|info| (info.name == name).then_some(info.kind))
    }

    /// Its name as an operator.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Its result.
    pub fn outcome(self) -> Outcome {
        self.info().outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_row() {
        for info in EVENTS {
            assert_eq!(info.kind.info().name, info.name);
        }
        assert_eq!(EVENTS.len(), EventKind::Touches as usize + 1);
    }
}
