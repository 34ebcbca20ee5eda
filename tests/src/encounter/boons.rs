//! What creatures do for themselves and for friends as long as it lasts: docs/encounters.md,
//! "Help".

use super::block::{bare, list, text};
use super::endings::lasts;
use super::fight::Battle;
use super::traits::sees_invisible;
use serde_json::{Value, json};

/// Help that somebody has.
#[derive(Clone, Debug)]
pub(super) struct Helped {
    pub(super) name: String,
    pub(super) helps: Value,
    turns: i64,
    /// Who has helped.
    by: usize,
    /// Whether it is a reaction, until the next turn.
    pub(super) is_reaction: bool,
    /// Who concentrates on it.
    pub(super) cause: Option<usize>,
    /// Its images that are left.
    pub(super) images: i64,
    /// The enemy that is marked.
    pub(super) mark: Option<usize>,
}

/// The help of an action, if it is one that helps.
pub(super) fn help(action: &Value) -> Option<&Value> {
    action["helps"].is_object().then_some(&action["helps"])
}

/// How many turns help lasts.
pub(super) fn turns(helps: &Value) -> i64 {
    match helps["lasts"].is_string() {
        true => lasts(helps).0,
        false => 1000,
    }
}

/// The attack or the save that help lets somebody make, as an action.
fn deed_of(name: &str, helps: &Value) -> Option<Value> {
    let (aura, attack) = (&helps["aura"], &helps["attack"]);
    match (aura.is_object(), attack.is_object()) {
        (true, _) => Some(json!({
            "name": name, "spell": true, "save": aura["save"], "damage": aura["damage"],
            "within": aura["within"],
        })),
        (_, true) => Some(json!({
            "name": name, "spell": true, "kind": "melee", "bonus": attack["bonus"],
            "damage": attack["damage"], "reach": attack["reach"],
        })),
        _ => None,
    }
}

/// Whether an action helps by a mark on an enemy.
pub(super) fn helps_by_mark(action: &Value) -> bool {
    action["helps"]["marks"] == true
}

impl Battle<'_> {
    /// What the attack or the save of help is worth to somebody.
    pub(super) fn worth_of_deed(&self, who: usize, action: &Value) -> i64 {
        let helps = &action["helps"];
        let Some(deed) = deed_of(text(action, "name"), helps) else {
            return 0;
        };
        let side = self.all[who].side;
        let foes = self.all.iter().filter(|one| one.side != side).count() as i64;
        let reached = if helps["aura"].is_object() {
            foes.min(3)
        } else {
            1
        };
        self.worth(who, &deed) * reached * turns(helps).min(3)
    }

    /// The saves against auras of somebody in a turn of somebody else.
    pub(super) fn auras(&mut self, who: usize, other: usize, is_at_end: bool) {
        for one in self.all[who].helped.clone() {
            let aura = &one.helps["aura"];
            let is_now = aura.is_object() && (aura["end of turn"] == true) == is_at_end;
            let Some(deed) = deed_of(&one.name, &one.helps).filter(|_| is_now) else {
                continue;
            };
            let is_there = self.all[who].hp > 0 && self.all[other].hp > 0;
            if !is_there || self.is_too_far(who, other, &deed) {
                continue;
            }
            self.say(format!("{} uses {}", self.all[who].name, one.name));
            let rolled = self.rolled(list(&deed, "damage"));
            self.saves(who, other, &deed, &rolled, true);
        }
    }

    /// An attack by help as a bonus action, if there is one and somebody to attack.
    pub(super) fn attacks_by_help(&mut self, who: usize) -> bool {
        let helped = self.all[who].helped.clone();
        let mut attacks = helped.iter().filter(|one| one.helps["attack"].is_object());
        let deed = attacks.find_map(|one| deed_of(&one.name, &one.helps));
        let is_near = |action: &Value| match self.distance {
            None => self.has_target(who, action),
            Some(_) => self.reaches(who, action),
        };
        let deed = deed.filter(|deed| !self.all[who].martial.smote && is_near(deed));
        if let Some(deed) = &deed {
            self.does(who, deed);
        }
        deed.is_some()
    }

    /// A reaction turns a hit into a miss.
    pub(super) fn shields(&mut self, foe: usize, total: i64) -> bool {
        if !self.all[foe].reaction || !self.able(foe) || self.plain {
            return false;
        }
        let ac = self.armour(foe);
        for index in 0..self.all[foe].uses.len() {
            let action = self.action(foe, &self.all[foe].uses[index].0);
            let name = bare(text(&action, "name")).to_owned();
            let more = action["helps"]["ac"].as_i64().unwrap_or(0);
            let is_one = action["reaction"] == true && self.left_of(foe, index) > 0;
            if !is_one || self.has_help(foe, &name) || total >= ac + more {
                continue;
            }
            self.use_up(foe, index);
            self.all[foe].reaction = false;
            self.all[foe].helped.push(Helped {
                name: name.clone(),
                helps: action["helps"].clone(),
                turns: 1000,
                by: foe,
                cause: None,
                mark: None,
                images: 0,
                is_reaction: true,
            });
            self.say(format!(
                "{} uses {name}: {total} against {}",
                self.all[foe].name,
                ac + more
            ));
            return true;
        }
        false
    }

    fn has_help(&self, who: usize, name: &str) -> bool {
        self.all[who].helped.iter().any(|one| one.name == name)
    }

    /// Whom an action would help next: the one to whom it is worth most.
    pub(super) fn whom_it_helps(&self, who: usize, action: &Value) -> Option<usize> {
        let name = bare(text(action, "name"));
        if text(action, "on") == "self" {
            let is_vain = helps_by_mark(action) && self.whom_to_mark(who, action).is_none();
            return (!is_vain && !self.has_help(who, name)).then_some(who);
        }
        let mut best: Option<(i64, usize)> = None;
        for friend in self.standing(self.all[who].side) {
            if self.has_help(friend, name) {
                continue;
            }
            let worth = self.worth_to(friend, action);
            let is_better = |(most, other): (i64, usize)| {
                let (hp, least) = (self.all[friend].hp, self.all[other].hp);
                worth > most || worth == most && hp < least
            };
            if best.is_none_or(is_better) {
                best = Some((worth, friend));
            }
        }
        best.map(|one| one.1)
    }

    /// Somebody helps.
    pub(super) fn helps(&mut self, who: usize, action: &Value) {
        let Some(helps) = help(action).filter(|_| self.all[who].hp > 0) else {
            return;
        };
        let keeps = action["concentration"] == true;
        if keeps {
            if self.is_concentrating(who) {
                return;
            }
            self.end_effects(who);
        }
        let name = bare(text(action, "name"));
        self.say(format!("{} uses {name}", self.all[who].name));
        for _ in 0..helps["targets"].as_i64().unwrap_or(1) {
            let Some(friend) = self.whom_it_helps(who, action) else {
                break;
            };
            self.all[friend].helped.push(Helped {
                name: name.to_owned(),
                helps: helps.clone(),
                turns: turns(helps),
                by: who,
                cause: keeps.then_some(who),
                mark: None,
                images: helps["images"].as_i64().unwrap_or(0),
                is_reaction: false,
            });
            let line = format!("{} gains {name}", self.all[friend].name);
            self.say(line);
        }
        self.mark(who, action);
        if let Some(deed) = deed_of(name, helps).filter(|_| helps["attack"].is_object()) {
            self.does(who, &deed);
        }
    }

    /// Whether somebody's help is kept up by somebody's concentration.
    pub(super) fn keeps_help(&self, who: usize) -> bool {
        let mut standing = self.all.iter().filter(|one| one.hp > 0);
        standing.any(|one| one.helped.iter().any(|help| help.cause == Some(who)))
    }

    /// The help that ends with somebody's concentration.
    pub(super) fn end_help(&mut self, who: usize) {
        for one in &mut self.all {
            let over = one.helped.iter().filter(|help| help.cause == Some(who));
            let names: Vec<String> = over.map(|help| help.name.clone()).collect();
            let tires = |help: &Helped| help.cause == Some(who) && help.helps["tires"] == true;
            one.tired |= one.helped.iter().any(tires);
            one.helped.retain(|help| help.cause != Some(who));
            for name in names.into_iter().filter(|_| one.hp > 0) {
                self.lines.push(format!("{} loses {name}", one.name));
            }
        }
    }

    /// The end of a turn: one turn less is left.
    pub(super) fn help_counts_down(&mut self, who: usize) {
        let order = self.help_in_order(who);
        for index in order {
            let owner = self.all[who].name.clone();
            let one = &mut self.all[who].helped[index];
            if one.turns < 1000 {
                one.turns -= 1;
            }
            if one.turns == 0 {
                let tires = one.helps["tires"] == true;
                let line = format!("{owner} loses {}", one.name);
                self.say(line);
                self.all[who].tired |= tires;
            }
        }
        self.all[who].helped.retain(|one| one.turns > 0);
    }

    /// The help of somebody in the order in which its causes list it.
    fn help_in_order(&self, who: usize) -> Vec<usize> {
        let at = |help: &Helped| {
            let one = &self.all[help.by];
            let mut actions = list(&one.block, "actions").iter();
            let found = actions.position(|action| bare(text(action, "name")) == help.name);
            (one.kind, found)
        };
        let mut order: Vec<usize> = (0..self.all[who].helped.len()).collect();
        order.sort_by_key(|&index| at(&self.all[who].helped[index]));
        order
    }

    /// The dice that help adds to a roll.
    pub(super) fn dice_of_help(&mut self, who: usize, member: &str) -> i64 {
        let all = self.all[who].helped.clone();
        let dice = all.iter().filter_map(|one| one.helps[member].as_str());
        dice.map(|dice| self.dice.total(dice, 1)).sum()
    }

    /// The armour class of somebody, with what helps it.
    pub(super) fn armour(&self, who: usize) -> i64 {
        let one = &self.all[who];
        let more = one.helped.iter().filter_map(|one| one.helps["ac"].as_i64());
        one.ac + more.sum::<i64>()
    }

    /// Whether somebody attacks somebody unseen, and whether it can hardly see it, by help.
    pub(super) fn sight_by_help(&self, who: usize, foe: usize) -> [bool; 2] {
        let has = |one: usize, member: &str| {
            let mut all = self.all[one].helped.iter();
            all.any(|one| one.helps[member] == true)
        };
        let unseen = has(who, "invisible") && !sees_invisible(&self.all[foe].block);
        let is_hard = has(foe, "invisible") || has(foe, "blurred");
        [unseen, is_hard && !sees_invisible(&self.all[who].block)]
    }
}
