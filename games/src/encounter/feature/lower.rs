//! Lowers features to event handlers, as far as fights model them; lists the parts that are not
//! modelled.

use super::attached::Attached;
use super::conditions::{Asked, asked, is_fallen};
use super::facts::Attack;
use super::grants::{grants, is_once_a_turn};
use super::ground::ground;
use super::handler::{Does, Handler, Only, Reach, Shape, Uses, Way, When};
use super::holding::{grip, hinders_escape};
use super::lowering::Lowering;
use super::parts::{assigned, split};
use super::passive::Passive;
use super::remembered::flags;
use super::targeted::Spelled;
use crate::encounter::plan::{Fact, Hit, Safe};
use crate::encounter::rest::Rest;
use crate::encounter::wrong::Wrong;
use crate::features::{
    Action, Binary, Change, Effect, EventKind, Expr, Noun, Restore, Trigger, tell,
};

/// A lowered feature.
#[derive(Debug, Default)]
pub(in crate::encounter) struct Lowered {
    /// Its event handlers.
    pub(in crate::encounter) handlers: Vec<Handler>,
    /// Its permanent changes of its owner.
    pub(in crate::encounter) passive: Passive,
    /// Whether it gives disadvantage on checks to escape from its creature.
    pub(in crate::encounter) hinders_escape: bool,
    /// Its spell triggers: effects when a spell targets its owner.
    pub(in crate::encounter) spelled: Vec<Spelled>,
    /// The parts that are not modelled, in words.
    pub(in crate::encounter) missing: Vec<String>,
}

/// Lowers a feature for a fight.
///
/// # Errors
/// Dice that are invalid.
pub(in crate::encounter) fn lower(attached: &Attached, path: &str) -> Result<Lowered, Wrong> {
    let mut lowered = Lowered::default();
    let flags = flags(attached);
    for part in &attached.feature.subfeatures {
        let told = tell(part);
        let lowering = Lowering {
            attached,
            part,
            flags: &flags,
            path,
        };
        if flags.is_all_of(part) || lowered.passive.add(part, attached, &flags) {
            continue;
        }
        if let Some(traits) = grants(part, attached, &flags, path)? {
            let traits = traits.of_feature(&attached.name);
            lowered.passive.traits.join(traits, path)?;
            continue;
        }
        if let Some(ground) = ground(part, attached) {
            lowered.passive.traits.ground = Some(ground);
            continue;
        }
        if hinders_escape(part) {
            lowered.hinders_escape = true;
            continue;
        }
        if Lowering::is_about_spells(part) {
            match lowering.spelled()? {
                Some(spelled) => lowered.spelled.extend(spelled),
                None => lowered.missing.push(told.trigger),
            }
            continue;
        }
        let Some(begun) = lowering.begin() else {
            lowered.missing.push(told.trigger);
            continue;
        };
        for (effect, told) in part.effects.iter().zip(told.effects) {
            let before = lowered.handlers.last_mut();
            if before.is_some_and(|before| lowering.extends(effect, before)) {
                continue;
            }
            match lowering.handler(&begun, effect)? {
                Some(handler) => lowered.handlers.push(handler),
                None => lowered.missing.push(told.effect),
            }
        }
    }
    Ok(lowered)
}

/// When a part of a feature acts.
struct Begun<'e> {
    when: When,
    /// Whether only the fallen do it.
    is_last: bool,
    asked: Asked<'e>,
    /// The attack, if it acts at a hit.
    attack: Option<Attack<'e>>,
    /// The conditions on the attack.
    facts: Vec<&'e Expr>,
    is_once_a_turn: bool,
    /// Whether it acts only at hits in melee.
    is_touch: bool,
}

impl<'e> Begun<'e> {
    /// The conditions on the attack for the part and for one of its effects; `None` if they are
    /// unknown when the effect happens.
    fn fact(&self, facts: Vec<&'e Expr>, reach: Reach) -> Option<Option<Fact>> {
        let all: Vec<&Expr> = self.facts.iter().copied().chain(facts).collect();
        if all.is_empty() {
            let is_possible = !self.is_once_a_turn || reach == Reach::Given;
            return is_possible.then(|| self.is_touch.then_some(Fact::Melee));
        }
        let fact = self.attack?.all(all)?;
        let fact = match self.is_touch {
            true => Fact::All(vec![Fact::Melee, fact]),
            false => fact,
        };
        let is_known = match self.when.is_about_attack() {
            true => reach == Reach::Given && !fact.is_about_roll(),
            false => fact.is_own(),
        };
        is_known.then_some(Some(fact))
    }
}

impl<'a> Lowering<'a> {
    /// When the part acts; `None` if it never does.
    fn begin(&self) -> Option<Begun<'a>> {
        let when = self.when(&self.part.trigger)?;
        let of_trigger = self.part.trigger.alternatives.iter();
        let of_trigger = of_trigger.filter_map(|one| one.condition.as_ref());
        let all = self.part.conditions.iter().chain(of_trigger);
        let (fallen, others): (Vec<&Expr>, Vec<&Expr>) =
            all.partition(|condition| is_fallen(condition) && when == When::Damaged);
        let attack = self.attack(when);
        let (facts, others) = self.facts(when, others);
        if let Some(attack) = attack {
            attack.all(facts.iter().copied())?;
        }
        let asked = asked(others, self.attached)?;
        // A check of the part is that of its only effect.
        let is_about_one = asked.check.is_none() || self.part.effects.len() == 1;
        let is_about_another = asked.save.is_some() || asked.without.is_some() || !is_about_one;
        let is_known = !is_about_another && asked.having.is_none() && asked.area.is_none();
        let is_last = !fallen.is_empty();
        // Only holding looks at sizes.
        let mut effects = self.part.effects.iter();
        let holds = effects.any(|effect| grip(effect, self.attached, None).is_some());
        let is_known = is_known && (holds || asked.max_size.is_none());
        is_known.then_some(Begun {
            when,
            is_last,
            asked,
            attack,
            facts,
            is_once_a_turn: self.part.recharge.is_some() && when == When::Hits,
            is_touch: self.is_touch(),
        })
    }

    /// Whether the trigger is that the creature touches somebody: that is a hit in melee.
    fn is_touch(&self) -> bool {
        let mut events = self.part.trigger.alternatives.iter();
        events.any(|one| {
            let event = one.event.as_ref();
            event.is_some_and(|event| {
                let is_own = event.nouns.first() == Some(&Noun::Myself);
                event.kind == EventKind::Touches && is_own
            })
        })
    }

    /// The attack that the part is about if it is triggered by a hit. Otherwise conditions on the
    /// owner are evaluated as for an attacker.
    fn attack(&self, when: When) -> Option<Attack<'a>> {
        match when {
            When::Hits | When::Struck => {
                let alternative = self.part.trigger.alternatives.first()?;
                Attack::at_hit(alternative.event.as_ref()?, self.attached, self.flags)
            }
            When::Aside(..) | When::TurnStart | When::TurnEnd | When::Moves => Some(Attack::own(
                self.attached,
                Some(self.flags),
                &Noun::Creature,
            )),
            _ => None,
        }
    }

    /// The conditions that are facts about an attack, or about whoever acts, and the others.
    fn facts<'e>(&self, when: When, conditions: Vec<&'e Expr>) -> (Vec<&'e Expr>, Vec<&'e Expr>) {
        let mut leaves = Vec::new();
        for condition in conditions {
            split(condition, Binary::And, &mut leaves);
        }
        leaves.into_iter().partition(|leaf| {
            let asked = asked([*leaf], self.attached);
            let is_measured = asked.is_some_and(|asked| {
                let is_of_space = asked.within.is_none() || !when.is_about_attack();
                asked.having.is_none() && asked.without.is_none() && is_of_space
            });
            let is_known = self.attached.number(leaf).is_some();
            self.attack(when).is_some() && !is_measured && !is_known
        })
    }

    fn when(&self, trigger: &Trigger) -> Option<When> {
        use Noun::{Any, Creature, Myself};
        let [alternative] = &trigger.alternatives[..] else {
            return None;
        };
        let event = alternative.event.as_ref()?;
        let is_free = self.part.recharge.is_none();
        let moves = is_free && self.attached.has_positions;
        Some(match (event.kind, &event.nouns[..]) {
            (EventKind::Action, []) => When::Action(self.uses()?),
            (EventKind::Bonus, []) => When::Aside(Way::Bonus, self.uses()?),
            (EventKind::Free, []) => When::Aside(Way::Free, self.uses()?),
            (EventKind::Legendary, []) if is_free => {
                let cost = self.attached.number(event.number.as_ref()?)?;
                let is_cost = cost.fract() == 0.0 && (1.0..=3.0).contains(&cost);
                When::Legendary(is_cost.then_some(cost as u32)?)
            }
            (EventKind::TurnStart, [Myself]) if is_free => When::TurnStart,
            (EventKind::TurnStart, [Creature]) if is_free => When::EnemyTurnStart,
            (EventKind::TurnEnd, [Myself]) if is_free => When::TurnEnd,
            (EventKind::TurnEnd, [Creature]) if is_free => When::EnemyTurnEnd,
            // Where distances do not count, nobody moves.
            (EventKind::Moves, [Myself]) if moves => When::Moves,
            (EventKind::Moves, [Creature | Any]) if moves => When::EnemyMoves,
            (EventKind::Hits, [Creature | Any, Myself]) if is_free => When::Struck,
            (EventKind::Touches, [Myself, Any | Creature]) if is_free => When::Hits,
            (EventKind::Hits, [Myself, Any | Creature]) if is_free || self.is_once_a_turn() => {
                When::Hits
            }
            (EventKind::Touches, [Creature | Any, Myself]) if is_free => When::Touched,
            (EventKind::Damaged, [Myself]) if is_free => When::Damaged,
            _ => return None,
        })
    }

    /// Whether it is one effect that happens once in each turn.
    fn is_once_a_turn(&self) -> bool {
        self.part.effects.len() == 1 && is_once_a_turn(self.part, self.attached) == Some(true)
    }

    /// The number of uses of an action; `None` if it is not known.
    fn uses(&self) -> Option<Uses> {
        let Some(recharge) = &self.part.recharge else {
            return Some(Uses::Free);
        };
        let uses = self.attached.number(&recharge.uses)?;
        let uses = (1.0..=100.0).contains(&uses).then_some(uses as u32)?;
        let (recharge, rest) = match recharge.back {
            Restore::OnD6 { from, to: 6 } => (Some(from.into()), Rest::Short),
            Restore::ShortRest => (None, Rest::Short),
            Restore::LongRest => (None, Rest::Long),
            Restore::Turn | Restore::OnD6 { .. } => return None,
        };
        Some(Uses::Few {
            uses,
            recharge,
            rest,
        })
    }

    /// The save or the damage of an effect, with its targets.
    fn handler(&self, begun: &Begun<'a>, effect: &'a Effect) -> Result<Option<Handler>, Wrong> {
        let conditions = effect.conditions.iter().collect();
        let (facts, others) = self.facts(begun.when, conditions);
        let Some(mut asked) = asked(others, self.attached) else {
            return Ok(None);
        };
        if let Some(check) = begun.asked.check
            && asked.check.replace(check).is_some()
        {
            return Ok(None);
        }
        let is_settled = asked.having.is_none() && asked.without.is_none();
        if !is_settled || asked.run.is_some() || asked.with.is_some() {
            return Ok(None);
        }
        let when = begun.when;
        let is_one = matches!(effect.target, Noun::Creature | Noun::Any);
        if let Some(does) = self.own(when, effect) {
            return Ok(begun.fact(facts, Reach::Chosen).map(|fact| Handler {
                when,
                is_last: begun.is_last,
                does,
                reach: Reach::Chosen,
                only: Only {
                    unheld: begun.asked.unheld,
                    fact,
                    ..Only::default()
                },
                is_once_a_turn: false,
                follow: None,
            }));
        }
        let reach = match (&effect.target, asked.area) {
            (Noun::Creature | Noun::Any | Noun::Creatures, Some(area)) => Reach::Area(area),
            (Noun::Creatures, None) => Reach::Area(around(begun, &asked)),
            _ if is_one => match when {
                When::EnemyTurnStart
                | When::EnemyTurnEnd
                | When::EnemyMoves
                | When::Hits
                | When::Struck
                | When::Touched => Reach::Given,
                When::Action(_)
                | When::Aside(..)
                | When::Legendary(_)
                | When::TurnStart
                | When::TurnEnd
                | When::Moves
                | When::Damaged => Reach::Chosen,
            },
            _ => return Ok(None),
        };
        // Whoever has moved does not move again for what it does then.
        if when == When::Moves && !matches!(reach, Reach::Area(Shape::Radius(_))) {
            return Ok(None);
        }
        let (Some(mut only), Some(fact)) = (only(begun, &asked, reach), begun.fact(facts, reach))
        else {
            return Ok(None);
        };
        only.fact = fact;
        let max_size = [begun.asked.max_size, asked.max_size];
        let max_size = max_size.into_iter().flatten().min();
        let grip = grip(effect, self.attached, max_size);
        let hit = match &effect.change {
            _ if grip.is_some() => self.hit(&asked),
            _ if max_size.is_some() => None,
            Change::Damage(damage) => self.damage(damage, &asked)?,
            Change::Death | Change::Destroyed => {
                self.hit(&asked).map(|hit| Hit { kills: true, ..hit })
            }
            Change::Corrode => self.corroded(when, reach, &asked),
            Change::Disable(name) => self.disabled(name, &effect.duration, &asked),
            Change::Surprised | Change::Disadvantage(Some(_)) | Change::Fails(_) => {
                self.hampered(effect, &asked)
            }
            Change::Push { feet, direction } if direction.contains("away") => {
                let feet = self.attached.feet(feet);
                // Nobody is pushed 0 feet.
                let feet = feet.filter(|feet| *feet > 0 && self.attached.has_positions);
                let hit = feet.zip(self.hit(&asked));
                hit.map(|(pushes, hit)| Hit { pushes, ..hit })
            }
            other => assigned(other)
                .and_then(|(place, value)| self.suffered(place, value, effect, &asked)),
        };
        Ok(hit.map(|hit| Handler {
            when,
            is_last: begun.is_last,
            does: Does::Hit(Box::new(hit), grip),
            reach,
            only,
            is_once_a_turn: begun.is_once_a_turn,
            follow: None,
        }))
    }

    /// Whether an effect only adds to the one before it: it makes some safe from that, or is an
    /// attack on whoever suffers from it.
    fn extends(&self, effect: &Effect, before: &mut Handler) -> bool {
        match &effect.change {
            Change::ImmuneTo(name) => self.makes_safe(name, effect, before),
            Change::Act(Action::Feature(attack)) => self.follows(attack, effect, before),
            _ => false,
        }
    }

    /// Whether an effect makes creatures that escaped the previous effect immune to the feature
    /// from now on.
    fn makes_safe(&self, name: &str, effect: &Effect, before: &mut Handler) -> bool {
        let asked = asked(&effect.conditions, self.attached);
        let without = asked.and_then(|asked| asked.without);
        let own = self.attached.feature.name.written();
        let Does::Hit(hit, _) = &mut before.does else {
            return false;
        };
        match (&mut hit.effect, without) {
            (Some(suffered), Some(condition))
                if suffered.conditions == [condition] && own.eq_ignore_ascii_case(name) =>
            {
                suffered.safe = match suffered.repeats.is_some() {
                    true => Safe::Over,
                    false => Safe::Saved,
                };
                true
            }
            _ => false,
        }
    }

    /// Whether an effect is an attack by the creature on whoever suffers from the one before it.
    fn follows(&self, attack: &str, effect: &Effect, before: &mut Handler) -> bool {
        let asked = asked(&effect.conditions, self.attached);
        let having = asked.and_then(|asked| asked.having);
        let Does::Hit(hit, _) = &before.does else {
            return false;
        };
        let suffered = hit.effect.as_ref();
        let is_it = suffered.is_some_and(|one| having.is_some_and(|it| one.conditions == [it]));
        let is_meant = effect.target == Noun::Myself && before.reach == Reach::Given;
        let is_run = before.when == When::Hits && before.only.run.is_some();
        if is_it && is_meant && is_run {
            before.follow = Some(attack.to_owned());
        }
        is_it && is_meant && is_run
    }
}

/// The area around the creature with a feature, or around a point.
fn around(begun: &Begun<'_>, asked: &Asked<'_>) -> Shape {
    match (begun.asked.point[0], asked.point[1]) {
        (Some(range), Some(feet)) => Shape::Point(range, feet),
        _ => Shape::Radius(asked.within.or(begun.asked.within).unwrap_or(ANYWHERE)),
    }
}

/// The other conditions of a handler; `None` if one of them cannot be evaluated when it is
/// triggered.
fn only(begun: &Begun<'_>, asked: &Asked<'_>, reach: Reach) -> Option<Only> {
    let (part, when) = (&begun.asked, begun.when);
    let is_given = reach == Reach::Given;
    if part.within.is_some() && asked.within.is_some() {
        return None;
    }
    let within = part.within.or(asked.within);
    let is_near = matches!(reach, Reach::Area(Shape::Radius(_))) || is_given && when.is_of_enemy();
    let points = [part.point[1], asked.point[0]];
    let is_point = matches!(reach, Reach::Area(Shape::Point(..)));
    let has_point = part.point[0].is_some() || asked.point[1].is_some();
    let is_measured = within.is_none_or(|_| is_near)
        && points == [None, None]
        && has_point == is_point
        && part.run.is_none_or(|_| is_given && when == When::Hits)
        && part.with.as_ref().is_none_or(|_| when == When::Hits);
    is_measured.then(|| Only {
        within: within.filter(|_| is_given),
        run: part.run,
        with: part.with.clone(),
        unheld: part.unheld || asked.unheld,
        fact: None,
    })
}

/// Farther than anybody is from anybody, in feet.
const ANYWHERE: u32 = 1_000_000;
