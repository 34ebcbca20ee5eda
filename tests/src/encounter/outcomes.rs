//! What saves do besides: those who fail by 5 or more, who fail twice, or who drop to 0 hit points;
//! petrification, and damage at the start of turns.

use super::block::{conditions, list};
use super::dying::Fate;
use super::effects::Suffers;
use super::endings::{Ends, lasts};
use super::features::Event;
use super::fight::Battle;
use serde_json::{Value, json};

/// Whether an outcome takes its victim out of the fight.
pub(super) fn is_final(outcome: &Value) -> bool {
    let names = conditions(&json!({ "save": outcome }));
    let (turns, ends) = lasts(outcome);
    let lasts = turns >= 1000 && ends == Ends::OwnEnd && !outcome["repeats"].is_string();
    lasts && names.iter().any(|name| name == "petrified")
}

/// A part of an action as an action: what those suffer from whom it is about.
fn part_of(action: &Value, member: &str) -> Value {
    let concentration = &action["concentration"];
    json!({ "name": action["name"], "save": action["save"][member], "concentration": concentration })
}

impl Battle<'_> {
    /// What follows a save besides its own conditions.
    pub(super) fn more_of_save(
        &mut self,
        who: usize,
        foe: usize,
        action: &Value,
        from: &(usize, String),
        margin: i64,
    ) {
        let save = &action["save"];
        if margin <= -5 && save["fails by 5"].is_object() && self.all[foe].hp > 0 {
            let from = (from.0, format!("{}|1", from.1));
            self.suffer(who, foe, &part_of(action, "fails by 5"), from, false);
        }
        let is_dying = self.is_character(foe) && self.all[foe].fate != Fate::Dead;
        if save["drops"].is_object() && self.all[foe].hp == 0 && is_dying {
            self.all[foe].fate = Fate::Stable;
            let line = format!("{} is stable", self.all[foe].name);
            self.say(line);
            let from = (from.0, format!("{}|3", from.1));
            self.suffer(who, foe, &part_of(action, "drops"), from, false);
        }
    }

    /// Somebody is out of the fight.
    pub(super) fn turns_to_stone(&mut self, who: usize) {
        let line = format!("{} turns to stone", self.all[who].name);
        self.say(line);
        self.all[who].hp = 0;
        self.all[who].fate = Fate::Dead;
        self.fallen(who);
        self.end_effects(who);
        self.act_at(Event::Falls, who, who);
    }

    /// The second save at the end of what somebody suffers from, if there is one.
    pub(super) fn saves_again(&mut self, who: usize, one: &Suffers) -> bool {
        let twice = &one.action["save"]["fails twice"];
        if !twice.is_object() {
            return false;
        }
        self.all[who].suffers.retain(|other| other.from != one.from);
        let from = (one.from.0, format!("{}|2", one.from.1));
        if !self.save(who, &one.action) {
            self.suffer(
                one.cause,
                who,
                &part_of(&one.action, "fails twice"),
                from.clone(),
                false,
            );
        }
        // Those who save, and those who are immune to the second effect, are over it.
        let is_worse = self.all[who].suffers.iter().any(|other| other.from == from);
        if self.all[who].hp > 0 && !is_worse {
            let names = one.conditions.join(" and ");
            self.say(format!("{} is no longer {names}", self.all[who].name));
        }
        true
    }

    /// Damage at the start of a turn by what somebody suffers from.
    pub(super) fn goes_on(&mut self, who: usize) {
        for from in self.order(who) {
            let mut suffers = self.all[who].suffers.iter();
            let Some(one) = suffers.find(|one| one.from == from).cloned() else {
                continue;
            };
            let parts = list(&one.action["save"], "each turn").to_vec();
            if parts.is_empty() || self.all[who].hp <= 0 {
                continue;
            }
            let line = format!(
                "{} is still {}",
                self.all[who].name,
                one.conditions.join(" and ")
            );
            self.say(line);
            self.lose(who, &parts);
        }
    }
}
