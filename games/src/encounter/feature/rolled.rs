//! Changes of a feature to saves that its owner makes or forces, and to checks that it makes
//! against others (seed 001, "TRIGGER": `forcesave`, `checkagainst`).

use super::grants::Granting;
use super::passive::{is_escape, save_class};
use crate::encounter::plan::{CheckClass, RollRule, SaveClass, Traits};
use crate::features::{Change, Duration, Effect, Noun, RollClass};

impl<'a> Granting<'a> {
    /// Changed saves: of the creature itself, or of those who save against it.
    pub(super) fn saved(&self, effect: &'a Effect, who: &Noun) -> Option<Traits> {
        let class = match self.class(effect, who)? {
            None => SaveClass::All,
            Some(class) => save_class(&class)?,
        };
        let saves = vec![(rule(&effect.change, &RollClass::Saves)?, class)];
        Some(match who {
            Noun::Myself => Traits {
                saves,
                ..Traits::default()
            },
            _ => Traits {
                forces: saves,
                ..Traits::default()
            },
        })
    }

    /// Checks that the creature makes against others: those to escape are the only ones in a fight.
    pub(super) fn checked(&self, effect: &'a Effect) -> Option<Traits> {
        let class = self.class(effect, &Noun::Myself)?;
        let is_it = class.is_none_or(|class| is_escape(&class));
        let rule = rule(&effect.change, &RollClass::Checks).filter(|_| is_it)?;
        Some(Traits {
            checks: vec![(rule, CheckClass::Escapes)],
            ..Traits::default()
        })
    }

    /// The class of rolls that an effect changes: all, or one that its conditions name; `None` if
    /// it has other conditions, too.
    fn class(&self, effect: &'a Effect, who: &Noun) -> Option<Option<RollClass>> {
        let is_for_roll = effect.duration == Duration::Instant && self.part.recharge.is_none();
        if effect.target != *who || !is_for_roll {
            return None;
        }
        let mut class = None;
        for condition in self.conditions(Some(effect)) {
            match self.attached.result_word(condition) {
                Some(name) if class.is_none() => class = Some(RollClass::Named(name)),
                None if self.holds(condition) => {}
                _ => return None,
            }
        }
        Some(class)
    }
}

/// The rule that a change gives for rolls of a class.
fn rule(change: &Change, of: &RollClass) -> Option<RollRule> {
    match change {
        Change::Advantage(None) => Some(RollRule::Advantage),
        Change::Disadvantage(None) => Some(RollRule::Disadvantage),
        Change::Succeeds(class) if class == of => Some(RollRule::Succeeds),
        Change::Fails(class) if class == of => Some(RollRule::Fails),
        _ => None,
    }
}
