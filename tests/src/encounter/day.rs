//! A day: fights and rests in turn, and what a party carries from one to the next
//! (docs/encounters.md, "Days").

use super::Dice;
use super::block::{has, modifier, number, text};
use super::dying::Fate;
use super::fight::{Battle, Side, fight_after};
use super::fighter::Fighter;
use super::healing::Heals;
use serde_json::Value;

/// A step of a day.
#[derive(Clone, Debug)]
pub enum Step {
    /// A fight against these enemies, with its name.
    Fight(Side, String),
    /// An hour.
    ShortRest,
    /// A night.
    LongRest,
}

/// Plays a day. Gives its lines and its end: `survived`, or `defeated`, `fled` or `undecided` with
/// the number of the fight.
pub fn day(party: &Side, steps: &[Step], rounds: u32, dice: &mut Dice) -> (Vec<String>, String) {
    let mut lines = Vec::new();
    let mut heroes: Vec<Hero> = Vec::new();
    let mut fights = 0;
    for step in steps {
        match step {
            Step::Fight(enemies, name) => {
                fights += 1;
                lines.push(format!("Fight {fights}: {name}"));
                let sides = [party.clone(), enemies.clone()];
                let before: Vec<Fighter> = heroes.iter().map(|hero| hero.fighter.clone()).collect();
                let (told, left, after) = fight_after(&sides, &before, rounds, dice);
                lines.extend(told);
                match left {
                    Some(0) => {}
                    Some(_) => return (lines, format!("defeated{fights}")),
                    None => return (lines, format!("undecided{fights}")),
                }
                let ours = after.into_iter().filter(|one| one.side == 0);
                heroes = ours
                    .enumerate()
                    .map(|(index, fighter)| Hero {
                        hit_dice: match heroes.get(index) {
                            Some(hero) => hero.hit_dice,
                            None => hit_dice(&fighter.block).map_or(0, |dice| dice.0),
                        },
                        fighter,
                    })
                    .collect();
            }
            Step::ShortRest => {
                lines.push("A short rest".to_owned());
                let rested = heroes.iter_mut().filter_map(|hero| hero.short_rest(dice));
                lines.extend(rested);
            }
            Step::LongRest => {
                lines.push("A long rest".to_owned());
                lines.extend(heroes.iter_mut().filter_map(Hero::long_rest));
            }
        }
    }
    (lines, "survived".to_owned())
}

/// One of the party between fights.
struct Hero {
    fighter: Fighter,
    hit_dice: i64,
}

/// The number of hit dice and their sides.
fn hit_dice(block: &Value) -> Option<(i64, i64)> {
    let dice = text(block, "hp dice").split(['+', '-']).next()?;
    let (count, sides) = dice.split_once('d')?;
    Some((count.trim().parse().ok()?, sides.trim().parse().ok()?))
}

impl Hero {
    fn is_dead(&self) -> bool {
        let one = &self.fighter;
        one.hp <= 0 && (one.block["character"] != true || one.fate == Fate::Dead)
    }

    fn short_rest(&mut self, dice: &mut Dice) -> Option<String> {
        if self.is_dead() {
            return None;
        }
        let one = &mut self.fighter;
        if one.hp <= 0 {
            (one.hp, one.fate) = (1, Fate::Dying(0, 0));
        }
        let most = number(&one.block, "hp");
        if let Some((_, sides)) = hit_dice(&one.block) {
            let extra = modifier(&one.block, "CON");
            let average = ((sides + 1 + 2 * extra).div_euclid(2)).max(1);
            while self.hit_dice > 0 && most - one.hp >= average {
                self.hit_dice -= 1;
                let healed = (dice.roll(sides as u32) + extra).max(0);
                one.hp = (one.hp + healed).min(most);
            }
        }
        one.refill(true);
        Some(self.state())
    }

    fn long_rest(&mut self) -> Option<String> {
        if self.is_dead() {
            return None;
        }
        let one = &mut self.fighter;
        one.hp = number(&one.block, "hp");
        one.fate = Fate::Dying(0, 0);
        one.temporary = 0;
        one.refill(false);
        if let Some((count, _)) = hit_dice(&one.block) {
            self.hit_dice = count.min(self.hit_dice + (count / 2).max(1));
        }
        Some(self.state())
    }

    fn state(&self) -> String {
        let (one, left) = (&self.fighter, self.hit_dice);
        let dice = if left == 1 { "die" } else { "dice" };
        let most = number(&one.block, "hp");
        format!(
            "{} has {} of {most} hit points and {left} hit {dice}",
            one.name, one.hp
        )
    }
}

impl Fighter {
    /// What a rest brings back; a long one brings back everything.
    fn refill(&mut self, is_short: bool) {
        let actions = self.block["actions"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        for (name, left) in &mut self.uses {
            let action = actions
                .iter()
                .find(|action| action["name"] == name.as_str());
            let usage = action.map_or(&Value::Null, |action| &action["usage"]);
            if !is_short || usage["rest"].to_string().contains("short") {
                *left = usage["per day"].as_i64().unwrap_or(1);
            }
        }
        for heals in &mut self.heals {
            heals.refill(is_short);
        }
        for aside in &mut self.asides {
            let action = actions
                .iter()
                .find(|action| action["name"] == aside.name.as_str());
            aside.refill(
                action.map_or(&Value::Null, |action| &action["usage"]),
                is_short,
            );
        }
        self.martial.refill(&self.block, is_short);
        let is_pact = self.block["spellcasting"]["slots rest"] == "short";
        if !is_short || is_pact {
            let slots = self.block["spellcasting"]["slots"].as_array();
            let slots = slots.into_iter().flatten();
            self.slots = slots.map(|count| count.as_i64().unwrap_or(0)).collect();
        }
        if !is_short && has(&self.block, "Legendary Resistance") {
            self.resistances = 3;
        }
    }
}

impl Battle<'_> {
    /// The party enters as it left the last fight.
    pub(super) fn enter(&mut self, before: &[Fighter]) {
        for (one, old) in self.all.iter_mut().filter(|one| one.side == 0).zip(before) {
            one.hp = old.hp;
            one.fate = old.fate;
            one.temporary = old.temporary;
            one.slots.clone_from(&old.slots);
            one.resistances = old.resistances;
            for (own, (_, left)) in one.uses.iter_mut().zip(&old.uses) {
                let actions = one.block["actions"].as_array().into_iter().flatten();
                let mut named = actions.filter(|action| action["name"] == own.0.as_str());
                let recharges = named.any(|action| action["usage"]["recharge"].is_string());
                if !recharges {
                    own.1 = *left;
                }
            }
            for (own, old) in one.heals.iter_mut().zip(&old.heals) {
                own.carry(old);
            }
            for (own, old) in one.asides.iter_mut().zip(&old.asides) {
                own.carry(old);
            }
            one.martial.carry(&old.martial);
        }
    }

    /// After a fight that is won, nobody of the party is dying any more, and those who can heal do.
    pub(super) fn care(&mut self) {
        let party: Vec<usize> = (0..self.all.len())
            .filter(|&who| self.all[who].side == 0)
            .collect();
        let is_dying = |one: &Fighter| one.hp == 0 && one.fate != Fate::Dead;
        for &who in &party {
            if self.is_character(who) && is_dying(&self.all[who]) {
                self.all[who].fate = Fate::Stable;
            }
        }
        for &who in &party {
            for index in 0..self.all[who].heals.len() {
                for _ in 0..party.len() {
                    if self.all[who].hp > 0 {
                        self.heal_with(who, index);
                    }
                }
            }
        }
    }
}

impl Heals {
    /// What a rest brings back.
    fn refill(&mut self, is_short: bool) {
        let usage = &self.action["usage"];
        let comes_back = !is_short || usage["rest"].to_string().contains("short");
        if usage.is_object() && comes_back {
            self.left = Some(usage["per day"].as_i64().unwrap_or(1));
        }
    }

    /// What was left after the last fight.
    fn carry(&mut self, old: &Self) {
        if !self.action["usage"]["recharge"].is_string() {
            self.left = old.left;
        }
    }
}
