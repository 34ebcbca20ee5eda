//! Effects of a feature on others, in the same form as those of attacks and actions ([`Hit`]):
//! damage, conditions and other effects after a failed save or check.

use super::conditions::Asked;
use super::handler::{Reach, When};
use super::lowering::Lowering;
use super::parts::condition_named;
use super::passive::is_escape;
use crate::encounter::plan::{
    Ask, By, Condition, DamagePart, Effect as Suffered, Ends, Gear, Hit, LASTING, Repeat, Roll,
    RollRule, Safe,
};
use crate::encounter::wrong::Wrong;
use crate::features::{
    ABILITIES, Advantage, Change, Damage, Duration, Effect, EventKind, Expr, Noun, Place,
    RollClass, Trigger, Unit,
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

    /// An empty effect, with the save or the check if there is one.
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

    /// Corrosion: of the weapon of a creature that touches the owner, or of the armour of one that
    /// it hits.
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
            Change::Fails(RollClass::Attacks) => Condition::Harmless,
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
            true => Lasts::turns(1),
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
        let lasts = self.lasts(duration)?;
        let hit = self.hit(asked)?;
        let suffered = Suffered {
            disables: Some(feature.to_owned()),
            ..lasts.of(Vec::new(), &hit)
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
        if place.owner == Noun::Myself {
            return None;
        }
        self.condition(place, value, effect, asked)
    }

    /// The creature with the feature gets a condition, unless it makes a save.
    pub(super) fn own_condition(
        &self,
        place: &Place,
        value: &Expr,
        effect: &Effect,
        asked: &Asked<'_>,
    ) -> Option<Hit> {
        let is_own = place.owner == Noun::Myself;
        is_own.then(|| self.condition(place, value, effect, asked))?
    }

    fn condition(
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
        self.suffering(condition, lasts, asked)
    }

    /// A condition for a time after a failed save.
    fn suffering(&self, condition: Condition, lasts: Lasts, asked: &Asked<'_>) -> Option<Hit> {
        let hit = self.hit(asked)?;
        Some(Hit {
            effect: Some(lasts.of(vec![condition], &hit)),
            ..hit
        })
    }

    /// How long an effect lasts; `None` if nothing in a fight ends it like that.
    fn lasts(&self, duration: &Duration) -> Option<Lasts> {
        Some(match duration {
            Duration::Instant | Duration::UntilOverridden | Duration::UntilSpell(_) => {
                Lasts::turns(LASTING)
            }
            Duration::EndOfTurn => Lasts::until(1, Ends::Turn),
            Duration::StartOfNextTurn => Lasts::until(1, Ends::CauseStart),
            Duration::EndOfOwnNextTurn => Lasts::until(2, Ends::CauseEnd),
            Duration::EndOfTargetNextTurn => Lasts::turns(self.turns_to_next_end()),
            Duration::Until(trigger) => {
                let (turns, ends) = self.until(trigger)?;
                Lasts::until(turns, ends)
            }
            Duration::Time { count, unit } => {
                let rounds = match unit {
                    Unit::Second => 1.0 / 6.0,
                    Unit::Minute => 10.0,
                    _ => f64::from(LASTING),
                };
                let rounds = (self.attached.number(count)? * rounds).ceil();
                Lasts::turns(rounds.clamp(1.0, f64::from(LASTING)) as u32)
            }
            Duration::RepeatedSaves(save, advantage) => {
                let ask = match save {
                    None => None,
                    Some(save) => {
                        Some(self.ask(&save.dc, Some(save.ability.clone()), Roll::Save)?)
                    }
                };
                let edge = match advantage {
                    Advantage::None => None,
                    Advantage::Advantage => Some(RollRule::Advantage),
                    Advantage::Disadvantage => Some(RollRule::Disadvantage),
                };
                Lasts {
                    repeats: Some(Repeat { ask, edge }),
                    ..Lasts::turns(LASTING)
                }
            }
            Duration::UntilAction => Lasts::until(LASTING, Ends::Action),
            Duration::UntilEffect(_) => return None,
        })
    }

    /// The number of turn ends of a creature until its next turn has ended; a turn that has just
    /// started is not its next one.
    fn turns_to_next_end(&self) -> u32 {
        let mut events = self.part.trigger.alternatives.iter();
        let is_in_turn = events.any(|one| {
            let event = one.event.as_ref();
            event.is_some_and(|event| {
                event.kind == EventKind::TurnStart && event.nouns != [Noun::Myself]
            })
        });
        if is_in_turn { 2 } else { 1 }
    }

    /// The end of an effect that lasts until an event (seed 001: a duration may be any trigger);
    /// `None` if fights do not model it.
    fn until(&self, trigger: &Trigger) -> Option<(u32, Ends)> {
        let [alternative] = &trigger.alternatives[..] else {
            return None;
        };
        let event = alternative.event.as_ref()?;
        let is_known = alternative.condition.is_none();
        let moves = self.attached.has_positions;
        let until = match (event.kind, &event.nouns[..]) {
            (EventKind::TurnStart, [Noun::Myself]) => (1, Ends::CauseStart),
            (EventKind::TurnStart, [_]) => (1, Ends::OwnStart),
            (EventKind::TurnEnd, [Noun::Myself]) => (1, Ends::CauseEnd),
            (EventKind::TurnEnd, [_]) => (1, Ends::OwnEnd),
            (EventKind::Damaged, [Noun::Creature | Noun::Any | Noun::Creatures]) => {
                (LASTING, Ends::Damage)
            }
            (EventKind::Moves, [Noun::Myself]) if moves => (LASTING, Ends::CauseMove),
            (EventKind::Moves, [_]) if moves => (LASTING, Ends::Move),
            _ => return None,
        };
        is_known.then_some(until)
    }
}

/// How long an effect lasts.
struct Lasts {
    turns: u32,
    ends: Ends,
    repeats: Option<Repeat>,
}

impl Lasts {
    /// To the end of some turns of its victim.
    fn turns(turns: u32) -> Self {
        Self::until(turns, Ends::OwnEnd)
    }

    fn until(turns: u32, ends: Ends) -> Self {
        Self {
            turns,
            ends,
            repeats: None,
        }
    }

    /// The effect of a hit that lasts so long. The save of the hit is repeated only if there is
    /// one, and whoever lies does not get up by a save.
    fn of(self, conditions: Vec<Condition>, hit: &Hit) -> Suffered {
        let is_save = hit.ask.as_ref().is_some_and(|ask| ask.roll == Roll::Save);
        let is_prone = conditions == [Condition::Prone];
        let repeats = self
            .repeats
            .filter(|repeat| (is_save || repeat.ask.is_some()) && !is_prone);
        Suffered {
            conditions,
            turns: self.turns,
            ends: self.ends,
            repeats,
            safe: Safe::Never,
            disables: None,
            each_turn: Vec::new(),
        }
    }
}
