//! What a feature changes about its own creature for the whole fight.

use super::attached::Attached;
use super::conditions::is_standing;
use crate::front::features::{
    Change, Duration, Effect, EventKind, Expr, ExprKind, Noun, Place, RollClass, Subfeature,
};

/// Changes of a creature by its features.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::front::encounter) struct Passive {
    /// It moves up to its speed toward an enemy before it acts.
    pub(in crate::front::encounter) is_aggressive: bool,
    /// It leaves the reach of enemies without an attack by them.
    pub(in crate::front::encounter) flies_by: bool,
    /// Its attacks have advantage.
    pub(in crate::front::encounter) attack_advantage: bool,
    /// Its attacks have disadvantage.
    pub(in crate::front::encounter) attack_disadvantage: bool,
    /// Its saves have advantage.
    pub(in crate::front::encounter) save_advantage: bool,
    /// Its saves against being frightened have advantage.
    pub(in crate::front::encounter) is_brave: bool,
    /// Hit points that it regains in each turn.
    pub(in crate::front::encounter) regains: i64,
    /// Its hit points, if they are others than those of the stat block.
    pub(in crate::front::encounter) hit_points: Option<i64>,
    /// Its speed, if it is another one.
    pub(in crate::front::encounter) speed: Option<u32>,
    /// How many feet are added to its speed.
    pub(in crate::front::encounter) more_speed: u32,
}

impl Passive {
    /// Adds what a part of a feature changes. Gives whether that is all that the part does.
    pub(super) fn add(&mut self, part: &Subfeature, attached: &Attached) -> bool {
        let [alternative] = &part.trigger.alternatives[..] else {
            return false;
        };
        let Some(event) = &alternative.event else {
            return false;
        };
        let conditions = part.conditions.iter().chain(&alternative.condition);
        let mut conditions = conditions.filter(|condition| !is_standing(condition));
        let holds = |condition: &Expr| attached.number(condition).is_some_and(|it| it != 0.0);
        if part.recharge.is_some() || !conditions.all(holds) {
            return false;
        }
        let mut all = self.clone();
        let add = |effect: &Effect| {
            let is_own = effect.target == Noun::Myself && effect.conditions.iter().all(holds);
            let is_lasting = matches!(
                effect.duration,
                Duration::Instant | Duration::UntilOverridden
            );
            is_own
                && is_lasting
                && match (event.kind, &event.nouns[..]) {
                    (EventKind::Passive, _) => all.change(&effect.change, attached),
                    (EventKind::Bonus, _) => all.run(&effect.change, attached),
                    (EventKind::TurnStart, [Noun::Myself]) => all.regain(&effect.change, attached),
                    _ => false,
                }
        };
        let is_all = !part.effects.is_empty() && part.effects.iter().all(add);
        if is_all {
            *self = all;
        }
        is_all
    }

    fn change(&mut self, change: &Change, attached: &Attached) -> bool {
        match change {
            Change::Set { place, value } => self.set(place, value, attached),
            Change::Store(Expr {
                kind: ExprKind::Store(value, place),
                ..
            }) => self.set(place, value, attached),
            Change::Speed(feet) => match attached.feet(feet) {
                Some(feet) if attached.has_positions => {
                    self.more_speed = self.more_speed.saturating_add(feet);
                    true
                }
                _ => false,
            },
            Change::Advantage(Some(class)) => {
                let gained = match class {
                    RollClass::Attacks => &mut self.attack_advantage,
                    RollClass::Saves => &mut self.save_advantage,
                    RollClass::Named(name) if name == "frightened" => &mut self.is_brave,
                    _ => return false,
                };
                *gained = true;
                true
            }
            Change::Disadvantage(Some(RollClass::Attacks)) => {
                self.attack_disadvantage = true;
                true
            }
            _ => false,
        }
    }

    /// An attribute of the creature gets a value that is known before the fight.
    fn set(&mut self, place: &Place, value: &Expr, attached: &Attached) -> bool {
        let (Noun::Myself, Some(number)) = (&place.owner, attached.number(value)) else {
            return false;
        };
        match place.attribute.to_string().as_str() {
            "MAXHP" if number.fract() == 0.0 => self.hit_points = Some(number as i64),
            "MOVESPEED" if attached.has_positions => {
                self.speed = attached.feet(value);
                return self.speed.is_some();
            }
            "PROVOKES_OPPORTUNITY_ATTACKS" if attached.has_positions && number == 0.0 => {
                self.flies_by = true;
            }
            _ => return false,
        }
        true
    }

    /// It moves up to its speed toward an enemy.
    fn run(&mut self, change: &Change, attached: &Attached) -> bool {
        let Change::Move { feet, toward } = change else {
            return false;
        };
        let is_speed = matches!(&feet.kind, ExprKind::Attribute(place)
            if place.owner == Noun::Myself && place.attribute.to_string() == "MOVESPEED");
        let is_meant = attached.has_positions && is_speed && *toward == Noun::Creature;
        self.is_aggressive |= is_meant;
        is_meant
    }

    fn regain(&mut self, change: &Change, attached: &Attached) -> bool {
        let Change::Regain(hit_points) = change else {
            return false;
        };
        let hit_points = attached.number(hit_points).map(|number| number as i64);
        let is_known = hit_points.is_some_and(|number| (0..=10_000).contains(&number));
        self.regains += hit_points.filter(|_| is_known).unwrap_or(0);
        is_known
    }
}
