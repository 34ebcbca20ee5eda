//! Characters at 0 hit points, and temporary hit points (SRD 5.1, "Damage and Healing").

use super::block::{number, save, text};
use super::features::Event;
use super::fight::Battle;

/// What becomes of a character at 0 hit points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It makes death saves: how many succeeded and how many failed.
    Dying(u32, u32),
    /// It makes none any more.
    Stable,
    /// It is dead.
    Dead,
}

impl Battle<'_> {
    /// Whether somebody may be dying instead of out.
    pub(super) fn is_character(&self, who: usize) -> bool {
        !self.plain && self.all[who].block["character"] == true
    }

    /// "Death Saving Throws": the turn of somebody at 0 hit points begins.
    pub(super) fn lie(&mut self, who: usize) {
        let Fate::Dying(successes, failures) = self.all[who].fate else {
            return;
        };
        if !self.is_character(who) {
            return;
        }
        let name = self.all[who].name.clone();
        match self.dice.roll(20) {
            20 => {
                self.all[who].hp = 1;
                self.all[who].fate = Fate::Dying(0, 0);
                self.say(format!("{name} wakes with 1 hit point"));
            }
            10.. => {
                let successes = successes + 1;
                self.all[who].fate = Fate::Dying(successes, failures);
                self.say(format!("{name} makes a death save: {successes} of 3"));
                if successes == 3 {
                    self.all[who].fate = Fate::Stable;
                    self.say(format!("{name} is stable"));
                }
            }
            face => self.fail(who, if face == 1 { 2 } else { 1 }),
        }
    }

    fn fail(&mut self, who: usize, times: u32) {
        let (successes, failures) = match self.all[who].fate {
            Fate::Dying(successes, failures) => (successes, failures),
            // Damage ends being stable.
            Fate::Stable => (0, 0),
            Fate::Dead => return,
        };
        let failures = (failures + times).min(3);
        let name = self.all[who].name.clone();
        self.say(format!("{name} fails a death save: {failures} of 3"));
        self.all[who].fate = Fate::Dying(successes, failures);
        if failures == 3 {
            self.all[who].fate = Fate::Dead;
            self.say(format!("{name} dies"));
        }
    }

    /// "Dropping to 0 Hit Points": somebody who had some has as many below 0 as are left of the
    /// damage.
    pub(super) fn dropped(&mut self, who: usize, had: i64) {
        if !self.is_character(who) || self.all[who].fate == Fate::Dead {
            return;
        }
        let rest = -std::mem::replace(&mut self.all[who].hp, 0);
        if rest >= number(&self.all[who].block, "hp") {
            self.all[who].fate = Fate::Dead;
            let line = format!("{} dies at once", self.all[who].name);
            self.say(line);
        } else if had == 0 {
            self.fail(who, 1);
        }
    }

    /// "Temporary Hit Points" are lost first. Gives the damage that is left.
    pub(super) fn absorb(&mut self, who: usize, damage: i64) -> i64 {
        let one = &mut self.all[who];
        let lost = damage.min(one.temporary);
        one.temporary -= lost;
        if lost > 0 {
            let line = format!("{} loses {lost} temporary hit points", one.name);
            self.say(line);
        }
        damage - lost
    }

    /// Somebody takes damage.
    pub(super) fn hurt(&mut self, foe: usize, damage: i64, sure: bool) {
        let had = self.all[foe].hp;
        let through = self.absorb(foe, damage);
        let one = &mut self.all[foe];
        one.hp -= through;
        let name = one.name.clone();
        let points = if one.hp == 1 {
            "hit point"
        } else {
            "hit points"
        };
        let line = format!("{name}: {damage} damage, {} {points} left", one.hp.max(0));
        self.lines.push(line);
        let bears = match text(&self.all[foe].block, "name") {
            "Boar" => 7,
            "Giant Boar" => 10,
            wereboar if wereboar.starts_with("Wereboar") => 14,
            _ => 0,
        };
        let one = &mut self.all[foe];
        if !self.plain && one.hp <= 0 && damage <= bears && !one.relentless {
            one.relentless = true;
            one.hp = 1;
            self.say(format!("{name} goes on"));
        }
        if self.all[foe].hp <= 0 && self.is(foe, "Undead Fortitude") && !sure {
            let bonus = save(&self.all[foe].block, "CON");
            if self.dice.roll(20) + bonus >= 5 + damage {
                self.all[foe].hp = 1;
                self.say(format!("{name} does not stay down"));
            }
        }
        if self.all[foe].hp <= 0 {
            self.say(format!("{name} falls"));
            self.dropped(foe, had);
            self.all[foe].martial.raging = false;
            self.ends_by_damage(foe, damage);
            self.fallen(foe);
            self.end_effects(foe);
            self.act_at(Event::Falls, foe, foe);
        } else {
            self.ends_by_damage(foe, damage);
            self.keep_concentration(foe, damage);
        }
    }
}
