//! From a feature to handlers: what a fight can play of it. Everything else is named.

use super::attached::Attached;
use super::conditions::{Asked, asked, condition_named, is_fallen};
use super::handler::{Handler, Reach, Uses, When};
use crate::front::encounter::plan::{
    Ask, By, Condition, DamagePart, Effect as Suffered, Hit, LASTING, Safe,
};
use crate::front::encounter::wrong::Wrong;
use crate::front::features::{
    ABILITIES, Change, Damage, Duration, Effect, EventKind, Expr, ExprKind, Noun, Place, Restore,
    Subfeature, Trigger, Unit, tell,
};

/// The handlers of a feature, and what of it does not happen in a fight, in words.
///
/// # Errors
/// Dice that nobody can roll.
pub(in crate::front::encounter) fn lower(
    attached: &Attached,
    path: &str,
) -> Result<(Vec<Handler>, Vec<String>), Wrong> {
    let (mut handlers, mut missing) = (Vec::new(), Vec::new());
    for part in &attached.feature.subfeatures {
        let told = tell(part);
        let lowering = Lowering {
            attached,
            part,
            path,
        };
        let Some((when, is_last)) = lowering.begin() else {
            missing.push(told.trigger);
            continue;
        };
        for (effect, told) in part.effects.iter().zip(told.effects) {
            let before = handlers.last_mut();
            if before.is_some_and(|before| lowering.makes_safe(effect, before)) {
                continue;
            }
            match lowering.hit(effect)? {
                Some((hit, reach)) => handlers.push(Handler {
                    when,
                    is_last,
                    hit,
                    reach: reach.at(when),
                }),
                None => missing.push(told.effect),
            }
        }
    }
    Ok((handlers, missing))
}

/// A part of a feature while it is lowered.
struct Lowering<'a> {
    attached: &'a Attached,
    part: &'a Subfeature,
    path: &'a str,
}

impl Lowering<'_> {
    /// When the part acts, and whether only the fallen do; `None` if it never does.
    fn begin(&self) -> Option<(When, bool)> {
        let when = self.when(&self.part.trigger)?;
        let of_trigger = self.part.trigger.alternatives.iter();
        let of_trigger = of_trigger.filter_map(|one| one.condition.as_ref());
        let mut is_last = false;
        for condition in self.part.conditions.iter().chain(of_trigger) {
            match self.attached.number(condition) {
                Some(0.0) => return None,
                Some(_) => {}
                None if is_fallen(condition) && when == When::Damaged => is_last = true,
                None => return None,
            }
        }
        Some((when, is_last))
    }

    fn when(&self, trigger: &Trigger) -> Option<When> {
        use Noun::{Any, Creature, Myself};
        let [alternative] = &trigger.alternatives[..] else {
            return None;
        };
        let event = alternative.event.as_ref()?;
        let is_free = self.part.recharge.is_none();
        Some(match (event.kind, &event.nouns[..]) {
            (EventKind::Action, []) => When::Action(self.uses()?),
            (EventKind::TurnStart, [Myself]) if is_free => When::TurnStart,
            (EventKind::TurnStart, [Creature]) if is_free => When::EnemyTurnStart,
            (EventKind::TurnEnd, [Myself]) if is_free => When::TurnEnd,
            (EventKind::Hits, [Myself, Any | Creature]) if is_free => When::Hits,
            (EventKind::Touches, [Creature | Any, Myself]) if is_free => When::Touched,
            (EventKind::Damaged, [Myself]) if is_free => When::Damaged,
            _ => return None,
        })
    }

    /// How often an action is possible; `None` if that is not known.
    fn uses(&self) -> Option<Uses> {
        let Some(recharge) = &self.part.recharge else {
            return Some(Uses::Free);
        };
        let uses = self.attached.number(&recharge.uses)?.clamp(1.0, 100.0) as u32;
        let recharge = match recharge.back {
            Restore::OnD6 { from, to: 6 } => Some(from.into()),
            Restore::ShortRest | Restore::LongRest => None,
            Restore::Turn | Restore::OnD6 { .. } => return None,
        };
        Some(Uses::Few { uses, recharge })
    }

    /// The save or the damage of an effect, and whom it is about.
    fn hit(&self, effect: &Effect) -> Result<Option<(Hit, Target)>, Wrong> {
        let Some(asked) = asked(&effect.conditions, self.attached) else {
            return Ok(None);
        };
        let target = match &effect.target {
            Noun::Creatures => Target::All,
            Noun::Creature | Noun::Any if asked.is_in_area => Target::All,
            Noun::Creature | Noun::Any => Target::One,
            _ => return Ok(None),
        };
        let hit = match &effect.change {
            Change::Damage(damage) => self.damage(damage, &asked)?,
            Change::Set { place, value } => self.suffered(place, value, effect, &asked),
            Change::Store(Expr {
                kind: ExprKind::Store(value, place),
                ..
            }) => self.suffered(place, value, effect, &asked),
            _ => None,
        };
        Ok(hit.map(|hit| (hit, target)))
    }

    fn damage(&self, damage: &Damage, asked: &Asked<'_>) -> Result<Option<Hit>, Wrong> {
        let numbers = [&damage.count, &damage.sides].map(|expr| self.attached.number(expr));
        let ([Some(count), Some(sides)], Some(kind)) = (numbers, self.attached.word(&damage.kind))
        else {
            return Ok(None);
        };
        let part = DamagePart::new(&format!("{count}d{sides}"), &kind, By::Effect, self.path)?;
        let halved = damage.save.as_ref();
        let ask = match (halved, asked.save) {
            (Some(save), _) => self.ask(&save.dc, Some(save.ability.clone())).map(Some),
            (None, Some((dc, ability))) => self.ask(dc, self.attached.word(ability)).map(Some),
            (None, None) => Some(None),
        };
        Ok(ask.map(|ask| Hit {
            ask,
            is_halved: halved.is_some(),
            is_magical: false,
            damage: vec![part],
            effect: None,
        }))
    }

    /// A saving throw with known numbers.
    fn ask(&self, dc: &Expr, ability: Option<String>) -> Option<Ask> {
        let ability = ability?;
        let (short, _) = ABILITIES.iter().find(|(short, long)| {
            ability.eq_ignore_ascii_case(long) || ability.eq_ignore_ascii_case(short)
        })?;
        Some(Ask {
            ability: (*short).to_owned(),
            dc: self.attached.number(dc)? as i64,
        })
    }

    /// Somebody else gets a condition.
    fn suffered(
        &self,
        place: &Place,
        value: &Expr,
        effect: &Effect,
        asked: &Asked<'_>,
    ) -> Option<Hit> {
        let condition = condition_named(place)?;
        if self.attached.number(value) == Some(0.0) || place.owner == Noun::Myself {
            return None;
        }
        let ask = match asked.save {
            Some((dc, ability)) => Some(self.ask(dc, self.attached.word(ability))?),
            None => None,
        };
        let (turns, is_repeated) = self.lasts(&effect.duration)?;
        let suffered = Suffered {
            conditions: vec![condition],
            turns,
            is_repeated: is_repeated && ask.is_some() && condition != Condition::Prone,
            safe: Safe::Never,
        };
        Some(Hit {
            ask,
            is_halved: false,
            is_magical: false,
            damage: Vec::new(),
            effect: Some(suffered),
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

    /// Whether an effect makes those immune to the feature who have escaped the effect before it:
    /// they are safe from it from now on.
    fn makes_safe(&self, effect: &Effect, before: &mut Handler) -> bool {
        let Change::ImmuneTo(name) = &effect.change else {
            return false;
        };
        let asked = asked(&effect.conditions, self.attached);
        let without = asked.and_then(|asked| asked.without);
        let own = self.attached.feature.name.written();
        match (&mut before.hit.effect, without) {
            (Some(suffered), Some(condition))
                if suffered.conditions == [condition] && own.eq_ignore_ascii_case(name) =>
            {
                suffered.safe = match suffered.is_repeated {
                    true => Safe::Over,
                    false => Safe::Saved,
                };
                true
            }
            _ => false,
        }
    }
}

/// Whom an effect is about.
#[derive(Clone, Copy)]
enum Target {
    One,
    All,
}

impl Target {
    /// Whom that is in a fight: whoever the event is about, if it is about somebody else.
    fn at(self, when: When) -> Reach {
        match (self, when) {
            (Self::All, _) => Reach::Area,
            (Self::One, When::EnemyTurnStart | When::Hits | When::Touched) => Reach::Given,
            (Self::One, When::Action(_) | When::TurnStart | When::TurnEnd | When::Damaged) => {
                Reach::Chosen
            }
        }
    }
}
