//! Grants: what a part of a feature gives its owner while a trigger holds, such as advantage on
//! attacks, damage dice, saves, or endurance. A part is recognised by its form (its trigger,
//! conditions and effects), never by its name.

use super::attached::Attached;
use super::conditions::{damage_types, is_fallen, is_standing};
use super::facts::Attack;
use super::flags::{Flag, Flags};
use super::parts::{assigned, is_attribute, is_own, is_until, split};
use crate::encounter::plan::{
    ALL_DAMAGE, Dice, Edge, Endurance, EnduranceSave, Extra, ExtraDice, Parry, Rampage, RollRule,
    Traits,
};
use crate::encounter::wrong::Wrong;
use crate::features::{
    ABILITIES, Action, Binary, Change, Damage, Duration, Effect, Event, EventKind, Expr, ExprKind,
    Noun, Query, Restore, RollClass, Subfeature,
};

/// The grants of a part of a feature; `None` if it has none that are modelled.
///
/// # Errors
/// Dice that are invalid.
pub(super) fn grants(
    part: &Subfeature,
    attached: &Attached,
    flags: &Flags,
    path: &str,
) -> Result<Option<Traits>, Wrong> {
    let [alternative] = &part.trigger.alternatives[..] else {
        return Ok(None);
    };
    let Some(event) = &alternative.event else {
        return Ok(None);
    };
    let granting = Granting {
        attached,
        flags,
        part,
        event,
        also: alternative.condition.as_ref(),
    };
    Ok(match (event.kind, &event.nouns[..], &part.effects[..]) {
        (EventKind::Hits, [Noun::Myself, _], [effect]) => match &effect.change {
            Change::Damage(damage) => granting.extra(effect, damage, path)?,
            Change::Critical => granting.critical(effect),
            Change::WeaponDice(count) => granting.weapon_dice(effect, count),
            Change::MagicalDamage => granting.magic(effect),
            _ => None,
        },
        (EventKind::TurnStart, [Noun::Myself], [effect]) => granting.berserk(effect),
        (EventKind::Attacks, _, [effect]) => granting.edge(effect),
        (EventKind::Hits, [other, Noun::Myself], effects) => granting.parry(other, effects),
        (EventKind::Bonus, [], effects) => granting.rampage(effects),
        (EventKind::ForceSave, [_, Noun::Myself], [effect]) => {
            let success = granting.success(effect);
            success.or_else(|| granting.saved(effect, &Noun::Myself))
        }
        (EventKind::ForceSave, [Noun::Myself, other], [effect]) => granting.saved(effect, other),
        (EventKind::CheckAgainst, [Noun::Myself, _], [effect]) => granting.checked(effect),
        (EventKind::Damaged, [Noun::Myself], [effect]) => match &effect.change {
            Change::ReduceDamage(by) => granting.resistance(effect, by),
            _ => granting.endurance(effect),
        },
        _ => None,
    })
}

/// A part of a feature while it is looked at.
pub(super) struct Granting<'a> {
    pub(super) attached: &'a Attached,
    pub(super) flags: &'a Flags,
    pub(super) part: &'a Subfeature,
    pub(super) event: &'a Event,
    /// The condition of the trigger.
    also: Option<&'a Expr>,
}

impl<'a> Granting<'a> {
    /// All conditions of an effect, each of those that `&` joins by itself.
    pub(super) fn conditions(&self, effect: Option<&'a Effect>) -> Vec<&'a Expr> {
        let of_effect = effect.into_iter().flat_map(|effect| &effect.conditions);
        let all = self.part.conditions.iter().chain(self.also);
        let mut leaves = Vec::new();
        for condition in all.chain(of_effect) {
            split(condition, Binary::And, &mut leaves);
        }
        leaves
    }

    /// Whether a condition holds before the fight begins.
    pub(super) fn holds(&self, condition: &Expr) -> bool {
        let known = self.attached.number(condition);
        known.is_some_and(|known| known != 0.0)
    }

    /// The change to the attack roll of the trigger.
    fn edge(&self, effect: &'a Effect) -> Option<Traits> {
        let (attack, is_own) = Attack::of(self.event, self.attached, self.flags)?;
        let attacker = self.event.nouns.first()?;
        let rule = match effect.change {
            Change::Advantage(None) => RollRule::Advantage,
            Change::Disadvantage(None) => RollRule::Disadvantage,
            Change::Succeeds(RollClass::Attacks) => RollRule::Succeeds,
            Change::Fails(RollClass::Attacks) => RollRule::Fails,
            _ => return None,
        };
        let is_for_attack = effect.duration == Duration::Instant && self.part.recharge.is_none();
        if effect.target != *attacker || !is_for_attack {
            return None;
        }
        let when = attack.all(self.conditions(Some(effect)))?;
        // The edge is what is asked for here.
        let edges = (!when.is_about_roll()).then(|| vec![Edge { rule, when }])?;
        Some(match is_own {
            true => Traits {
                attacks: edges,
                ..Traits::default()
            },
            false => Traits {
                attacked: edges,
                ..Traits::default()
            },
        })
    }

    /// More damage of the type of the hit.
    fn extra(
        &self,
        effect: &'a Effect,
        damage: &'a Damage,
        path: &str,
    ) -> Result<Option<Traits>, Wrong> {
        let Some((attack, _)) = Attack::of(self.event, self.attached, self.flags) else {
            return Ok(None);
        };
        let is_of_hit = is_attribute(&damage.kind, &effect.target, "DAMAGE.TYPE");
        let is_about_target = self.event.nouns.last() == Some(&effect.target);
        let numbers = [&damage.count, &damage.sides].map(|expr| self.attached.number(expr));
        let (true, None, [Some(count), Some(sides)], Some(is_once_a_turn)) = (
            is_of_hit && is_about_target,
            &damage.save,
            numbers,
            self.is_once_a_turn(),
        ) else {
            return Ok(None);
        };
        let Some(when) = attack.all(self.conditions(Some(effect))) else {
            return Ok(None);
        };
        let dice = Dice::read(&format!("{count}d{sides}"), path)?;
        Ok(Some(Traits {
            extras: vec![Extra {
                dice: ExtraDice::Known(dice),
                when,
                is_once_a_turn,
            }],
            ..Traits::default()
        }))
    }

    /// Whether it happens once in each turn, or always; `None` if neither.
    pub(super) fn is_once_a_turn(&self) -> Option<bool> {
        is_once_a_turn(self.part, self.attached)
    }

    /// The number of uses in a fight, if uses only come back after a rest.
    fn uses(&self) -> Option<u32> {
        let recharge = self.part.recharge.as_ref()?;
        let is_rest = matches!(recharge.back, Restore::ShortRest | Restore::LongRest);
        let uses = self.attached.number(&recharge.uses).filter(|_| is_rest)?;
        (1.0..=100.0).contains(&uses).then_some(uses as u32)
    }

    /// A reaction to a hit in melee: the armour class is greater for this one attack.
    ///
    /// The format has one name for an armour class, OBJECT_AC (seed 001, "Variables"); creatures
    /// are an OBJECT_TYPE, too.
    fn parry(&self, other: &Noun, effects: &'a [Effect]) -> Option<Traits> {
        let (mut is_melee, mut has_reaction) = (false, false);
        for condition in self.conditions(None) {
            if is_attribute(condition, other, "ATTACK.MELEE") {
                is_melee = true;
            } else if is_own_reaction(condition) {
                has_reaction = true;
            } else if !self.holds(condition) {
                return None;
            }
        }
        let (mut bonus, mut is_spent) = (None, false);
        for effect in effects {
            let (place, value) = assigned(&effect.change)?;
            let is_mine = place.owner == Noun::Myself && effect.target == Noun::Myself;
            let is_bare = effect.conditions.is_empty();
            match (&*place.attribute.to_string(), is_mine && is_bare) {
                ("REACTIONS", true) if self.changes(value, "REACTIONS") == Some(-1.0) => {
                    is_spent = is_until(&effect.duration, EventKind::TurnStart, &[Noun::Myself]);
                }
                ("OBJECT_AC", true) if bonus.is_none() => {
                    let attacked = [other.clone(), Noun::Myself];
                    bonus = is_until(&effect.duration, EventKind::Attacks, &attacked)
                        .then(|| self.changes(value, "OBJECT_AC"))?;
                }
                _ => return None,
            }
        }
        let bonus = bonus.filter(|bonus| bonus.fract() == 0.0 && (1.0..=100.0).contains(bonus))?;
        let is_reaction = is_melee && has_reaction && is_spent && self.part.recharge.is_none();
        is_reaction.then(|| Traits {
            parry: Some(Parry {
                of: self.attached.name.clone(),
                bonus: bonus as i64,
            }),
            ..Traits::default()
        })
    }

    /// The addend to an attribute of the creature: `OBJECT_AC,2,+`, `REACTIONS,1,-`.
    fn changes(&self, value: &Expr, attribute: &str) -> Option<f64> {
        let ExprKind::Binary(operator, left, right) = &value.kind else {
            return None;
        };
        match operator {
            Binary::Add if is_own(left, attribute) => self.attached.number(right),
            Binary::Add if is_own(right, attribute) => self.attached.number(left),
            Binary::Sub if is_own(left, attribute) => self.attached.number(right).map(|it| -it),
            _ => None,
        }
    }

    /// An attack as a bonus action after a hit that made somebody fall.
    fn rampage(&self, effects: &'a [Effect]) -> Option<Traits> {
        let mut conditions = self.conditions(None).into_iter();
        let (Some(condition), None) = (conditions.next(), conditions.next()) else {
            return None;
        };
        let Flag::Felled(when) = self.flags.asked(condition)? else {
            return None;
        };
        let (mut attack, mut part_of_speed) = (None, None);
        for effect in effects {
            let is_bare = effect
                .conditions
                .iter()
                .all(|condition| self.holds(condition));
            if effect.target != Noun::Myself || !is_bare {
                return None;
            }
            match &effect.change {
                Change::Move {
                    feet,
                    toward: Noun::Creature,
                } if attack.is_none() => part_of_speed = Some(self.part_of_speed(feet)?),
                Change::Act(Action::Feature(name)) if attack.is_none() => {
                    attack = Some(name.clone());
                }
                _ => return None,
            }
        }
        let rampage = Rampage {
            when: when.clone(),
            attack: attack.filter(|_| self.part.recharge.is_none())?,
            part_of_speed,
        };
        Some(Traits {
            rampage: Some(rampage),
            ..Traits::default()
        })
    }

    /// `MOVESPEED` is 1, `MOVESPEED,2,/` is 2.
    fn part_of_speed(&self, feet: &Expr) -> Option<u32> {
        match &feet.kind {
            ExprKind::Binary(Binary::Div, speed, part) if is_own(speed, "MOVESPEED") => {
                self.attached.feet(part).filter(|part| *part > 0)
            }
            _ => is_own(feet, "MOVESPEED").then_some(1),
        }
    }

    /// Saves that succeed: a fight uses them up on those that failed.
    fn success(&self, effect: &'a Effect) -> Option<Traits> {
        let is_save = effect.change == Change::Succeeds(RollClass::Saves);
        let is_own = effect.target == Noun::Myself && self.conditions(Some(effect)).is_empty();
        Some(Traits {
            legendary_resistance: self.uses().filter(|_| is_save && is_own)?,
            ..Traits::default()
        })
    }

    /// Half of the damage, of some types or of all.
    fn resistance(&self, effect: &'a Effect, by: &Expr) -> Option<Traits> {
        let is_half = match &by.kind {
            ExprKind::Binary(Binary::Div, amount, two) => {
                is_own(amount, "DAMAGE.AMOUNT") && self.attached.number(two) == Some(2.0)
            }
            _ => false,
        };
        let mut types = None;
        for condition in self.conditions(Some(effect)) {
            // Only those who stand take damage that matters.
            if is_standing(condition) || self.holds(condition) {
                continue;
            }
            let named = damage_types(condition, self.attached)?;
            types.replace(named).is_none().then_some(())?;
        }
        let all = || ALL_DAMAGE.map(str::to_owned).to_vec();
        let is_resistance =
            is_half && effect.target == Noun::Myself && self.part.recharge.is_none();
        is_resistance.then(|| Traits {
            resists: types.unwrap_or_else(all),
            ..Traits::default()
        })
    }

    /// The hit points that are left to a creature that would fall.
    fn endurance(&self, effect: &'a Effect) -> Option<Traits> {
        let (place, value) = assigned(&effect.change)?;
        let is_hp = place.owner == Noun::Myself && place.attribute.to_string() == "HP";
        let left = self.attached.number(value).filter(|_| is_hp)?;
        let is_once = match &self.part.recharge {
            None => false,
            Some(_) => self.uses()? == 1,
        };
        let is_meant = effect.target == Noun::Myself
            && effect.duration == Duration::Instant
            && is_once == self.part.recharge.is_some();
        let hit_points = is_meant && left.fract() == 0.0 && (1.0..=1e5).contains(&left);
        let mut endurance = Endurance {
            of: self.attached.name.clone(),
            max_damage: None,
            save: None,
            yields_to_critical: false,
            yields_to: Vec::new(),
            is_once,
            hit_points: hit_points.then_some(left as i64)?,
        };
        let mut falls = false;
        for condition in self.conditions(Some(effect)) {
            match is_fallen(condition) {
                true => falls = true,
                false if self.holds(condition) => {}
                false => self.ask(condition, &mut endurance)?,
            }
        }
        falls.then(|| Traits {
            endurance: vec![endurance],
            ..Traits::default()
        })
    }

    /// Adds a condition of endurance, if it is modelled.
    fn ask(&self, condition: &Expr, endurance: &mut Endurance) -> Option<()> {
        match &condition.kind {
            ExprKind::Binary(Binary::Le, amount, most) if is_own(amount, "DAMAGE.AMOUNT") => {
                let most = self.attached.feet(most)?;
                let before = endurance.max_damage.replace(most.into());
                before.is_none().then_some(())
            }
            ExprKind::Not(inner) if is_own(inner, "DAMAGE.CRITICAL") => {
                endurance.yields_to_critical = true;
                Some(())
            }
            ExprKind::Not(inner) => match &inner.kind {
                ExprKind::Query(Query::FailsSave, operands) => {
                    let before = endurance.save.replace(self.save(operands)?);
                    before.is_none().then_some(())
                }
                _ => {
                    let types = damage_types(inner, self.attached)?;
                    endurance.yields_to.extend(types);
                    Some(())
                }
            },
            _ => None,
        }
    }

    /// A save of the creature itself, against a number or a number and the damage.
    fn save(&self, operands: &[Expr]) -> Option<EnduranceSave> {
        let [who, dc, ability, margin] = operands else {
            return None;
        };
        let is_own_save =
            who.kind == ExprKind::Noun(Noun::Myself) && self.attached.number(margin) == Some(0.0);
        let (dc, adds_damage) = match (self.attached.number(dc), &dc.kind) {
            (Some(number), _) => (number, false),
            (None, ExprKind::Binary(Binary::Add, left, right)) => {
                let is_damage = |expr: &Expr| is_own(expr, "DAMAGE.AMOUNT");
                let number = match (is_damage(left), is_damage(right)) {
                    (false, true) => self.attached.number(left)?,
                    (true, false) => self.attached.number(right)?,
                    _ => return None,
                };
                (number, true)
            }
            _ => return None,
        };
        let ability = self.attached.word(ability)?;
        let mut all = ABILITIES.iter();
        let (short, _) = all.find(|(short, long)| {
            ability.eq_ignore_ascii_case(long) || ability.eq_ignore_ascii_case(short)
        })?;
        is_own_save.then(|| EnduranceSave {
            ability: (*short).to_owned(),
            dc: dc as i64,
            adds_damage,
        })
    }
}

/// Whether a part happens once in each turn, or always; `None` if neither.
pub(super) fn is_once_a_turn(part: &Subfeature, attached: &Attached) -> Option<bool> {
    match &part.recharge {
        None => Some(false),
        Some(recharge) => {
            let is_once = attached.number(&recharge.uses) == Some(1.0);
            (is_once && recharge.back == Restore::Turn).then_some(true)
        }
    }
}

/// Whether a condition tests that the creature has a reaction left.
fn is_own_reaction(condition: &Expr) -> bool {
    match &condition.kind {
        ExprKind::Binary(Binary::Gt, left, right) => {
            is_own(left, "REACTIONS") && right.kind == ExprKind::Number(0.0)
        }
        _ => is_own(condition, "REACTIONS"),
    }
}
