//! What an effect of a feature does to others, as what attacks and actions of stat blocks do, too
//! ([`Hit`]): damage, conditions and what else those suffer from who fail a save or a check.

use super::conditions::{Asked, condition_named};
use super::handler::{Reach, When};
use super::lower::Lowering;
use super::passive::is_escape;
use crate::front::encounter::plan::{
    Ask, By, Condition, DamagePart, Effect as Suffered, Gear, Hit, LASTING, Roll, Safe,
};
use crate::front::encounter::wrong::Wrong;
use crate::front::features::{
    ABILITIES, Change, Damage, Duration, Effect, EventKind, Expr, Noun, Place, RollClass, Unit,
};

impl Lowering<'_> {
    /// Damage, which a save may halve or avert.
    pub(super) fn damage(&self, damage: &Damage, asked: &Asked<'_>) -> Result<Option<Hit>, Wrong> {
        let numbers = [&damage.count, &damage.sides].map(|expr| self.attached.number(expr));
        let ([Some(count), Some(sides)], Some(kind)) = (numbers, self.attached.word(&damage.kind))
        else {
            return Ok(None);
        };
        let part = DamagePart::new(&format!("{count}d{sides}"), &kind, By::Effect, self.path)?;
        let hit = match &damage.save {
            // The save is the only roll that is asked for.
            Some(_) if asked.check.is_some() => None,
            Some(save) => {
                let ask = self.ask(&save.dc, Some(save.ability.clone()), Roll::Save);
                ask.map(|ask| Hit {
                    ask: Some(ask),
                    is_halved: true,
                    ..Hit::of_damage(&[])
                })
            }
            None => self.hit(asked),
        };
        Ok(hit.map(|hit| Hit {
            damage: vec![part],
            ..hit
        }))
    }

    /// What happens to those who fail the save or the check, if there is one: nothing yet.
    pub(super) fn hit(&self, asked: &Asked<'_>) -> Option<Hit> {
        let ask = match (asked.save, asked.check) {
            (Some((dc, ability)), None) => {
                Some(self.ask(dc, self.attached.word(ability), Roll::Save)?)
            }
            (None, Some((roll, dc, ability))) => {
                Some(self.ask(dc, self.attached.word(ability), roll)?)
            }
            (None, None) => None,
            (Some(_), Some(_)) => return None,
        };
        Some(Hit {
            ask,
            ..Hit::of_damage(&[])
        })
    }

    /// The weapon of those who touch the creature corrodes, and the armour of those whom it hits.
    pub(super) fn corroded(&self, when: When, reach: Reach, asked: &Asked<'_>) -> Option<Hit> {
        let gear = match when {
            When::Touched => Gear::Weapon,
            When::Hits => Gear::Armour,
            _ => return None,
        };
        let hit = self.hit(asked).filter(|_| reach != Reach::Chosen)?;
        Some(Hit {
            corrodes: Some(gear),
            ..hit
        })
    }

    /// Somebody else is surprised, or its rolls of a class fail or have disadvantage for a time.
    pub(super) fn hampered(&self, effect: &Effect, asked: &Asked<'_>) -> Option<Hit> {
        let condition = match &effect.change {
            Change::Surprised => Condition::Surprised,
            Change::Disadvantage(Some(RollClass::Attacks)) => Condition::Hampered,
            Change::Disadvantage(Some(RollClass::Saves)) => Condition::Shaken,
            Change::Fails(RollClass::Saves) => Condition::Doomed,
            Change::Disadvantage(Some(RollClass::Checks)) => Condition::Clumsy,
            Change::Fails(RollClass::Checks) => Condition::Inept,
            Change::Disadvantage(Some(class)) if is_escape(class) => Condition::Entangled,
            Change::Fails(class) if is_escape(class) => Condition::Trapped,
            _ => return None,
        };
        // Those who are surprised lose one turn.
        let is_turn = condition == Condition::Surprised && effect.duration == Duration::Instant;
        let lasts = match is_turn {
            true => (1, false),
            false => self.lasts(&effect.duration)?,
        };
        self.suffering(condition, lasts, asked)
    }

    /// Somebody else's feature does not act for a time.
    pub(super) fn disabled(
        &self,
        feature: &str,
        duration: &Duration,
        asked: &Asked<'_>,
    ) -> Option<Hit> {
        let (turns, is_repeated) = self.lasts(duration)?;
        let hit = self.hit(asked)?;
        let is_save = hit.ask.as_ref().is_some_and(|ask| ask.roll == Roll::Save);
        let suffered = Suffered {
            conditions: Vec::new(),
            turns,
            is_repeated: is_repeated && is_save,
            safe: Safe::Never,
            disables: Some(feature.to_owned()),
        };
        Some(Hit {
            effect: Some(suffered),
            ..hit
        })
    }

    /// A saving throw or a check with known numbers.
    fn ask(&self, dc: &Expr, ability: Option<String>, roll: Roll) -> Option<Ask> {
        let ability = ability?;
        let (short, _) = ABILITIES.iter().find(|(short, long)| {
            ability.eq_ignore_ascii_case(long) || ability.eq_ignore_ascii_case(short)
        })?;
        Some(Ask {
            ability: (*short).to_owned(),
            dc: self.attached.number(dc)? as i64,
            roll,
        })
    }

    /// Somebody else gets a condition.
    pub(super) fn suffered(
        &self,
        place: &Place,
        value: &Expr,
        effect: &Effect,
        asked: &Asked<'_>,
    ) -> Option<Hit> {
        let is_zero = self.attached.number(value) == Some(0.0);
        // Where distances do not count, nobody moves.
        let stops = is_zero && self.attached.has_positions;
        let condition = match &*place.attribute.to_string() {
            "MOVESPEED" => stops.then_some(Condition::Rooted)?,
            _ => condition_named(place).filter(|_| !is_zero)?,
        };
        let lasts = self.lasts(&effect.duration)?;
        let is_other = place.owner != Noun::Myself;
        is_other.then(|| self.suffering(condition, lasts, asked))?
    }

    /// Those who fail have a condition, for a number of turns; the save may be repeated.
    fn suffering(
        &self,
        condition: Condition,
        (turns, is_repeated): (u32, bool),
        asked: &Asked<'_>,
    ) -> Option<Hit> {
        let hit = self.hit(asked)?;
        let is_save = hit.ask.as_ref().is_some_and(|ask| ask.roll == Roll::Save);
        let suffered = Suffered {
            conditions: vec![condition],
            turns,
            is_repeated: is_repeated && is_save && condition != Condition::Prone,
            safe: Safe::Never,
            disables: None,
        };
        Some(Hit {
            effect: Some(suffered),
            ..hit
        })
    }

    /// How many turns of its victim an effect lasts, and whether its save is repeated.
    fn lasts(&self, duration: &Duration) -> Option<(u32, bool)> {
        match duration {
            Duration::Instant | Duration::UntilOverridden | Duration::UntilSpell(_) => {
                Some((LASTING, false))
            }
            Duration::EndOfTurn
            | Duration::StartOfNextTurn
            | Duration::EndOfOwnNextTurn
            | Duration::EndOfTargetNextTurn => Some((1, false)),
            Duration::Until(trigger) => {
                let mut kinds = trigger.alternatives.iter().map(|one| &one.event);
                let is_turn = kinds.all(|event| {
                    let kind = event.as_ref().map(|event| event.kind);
                    matches!(kind, Some(EventKind::TurnStart | EventKind::TurnEnd))
                });
                is_turn.then_some((1, false))
            }
            Duration::Time { count, unit } => {
                let rounds = match unit {
                    Unit::Second => 1.0 / 6.0,
                    Unit::Minute => 10.0,
                    _ => f64::from(LASTING),
                };
                let rounds = (self.attached.number(count)? * rounds).ceil();
                Some((rounds.clamp(1.0, f64::from(LASTING)) as u32, false))
            }
            Duration::RepeatedSaves(None, _) => Some((LASTING, true)),
            Duration::RepeatedSaves(Some(_), _)
            | Duration::UntilAction
            | Duration::UntilEffect(_) => None,
        }
    }
}
