//! Help that changes somebody's own turns and hits: docs/encounters.md, "Help".

use super::block::{Means, Sort, bare, list, modifier, part, sort, text};
use super::boons::{Helped, helps_by_mark};
use super::fight::Battle;
use super::traits::sees_invisible;
use super::worth::Choices;
use serde_json::Value;

impl Battle<'_> {
    /// Whom somebody would mark.
    pub(super) fn whom_to_mark(&self, who: usize, action: &Value) -> Option<usize> {
        let feet = action["range"][0].as_i64().unwrap_or(60);
        let near = |foe: &usize| self.distance.is_none() || self.apart(who, *foe) <= feet;
        let all = self.standing(1 - self.all[who].side).filter(near);
        let all: Vec<usize> = all.collect();
        match self.all[who].berserk {
            true => all.into_iter().min_by_key(|&foe| match self.distance {
                Some(_) => self.apart(who, foe),
                None => 0,
            }),
            false => all.into_iter().min_by_key(|&foe| self.all[foe].hp),
        }
    }

    /// Somebody marks an enemy by an action that helps, if it is one that marks.
    pub(super) fn mark(&mut self, who: usize, action: &Value) {
        if !helps_by_mark(action) {
            return;
        }
        let name = text(action, "name").to_owned();
        let foe = self.whom_to_mark(who, action).expect("somebody is there");
        let line = format!(
            "{} marks {} with {name}",
            self.all[who].name, self.all[foe].name
        );
        let mut helped = self.all[who].helped.iter_mut();
        let own = helped.find(|help| help.name == name).expect("it has begun");
        own.mark = Some(foe);
        self.say(line);
    }

    /// Somebody marks another enemy, as a bonus action.
    pub(super) fn marks_another(&mut self, who: usize) {
        let names: Vec<String> = list(&self.all[who].block, "actions")
            .iter()
            .filter(|action| helps_by_mark(action))
            .map(|action| text(action, "name").to_owned())
            .collect();
        for name in names {
            let is_over = |help: &Helped| {
                let has_fallen = help.mark.is_none_or(|foe| self.all[foe].hp <= 0);
                help.name == name && has_fallen
            };
            let one = &self.all[who];
            let is_spent = one.busy || one.martial.smote;
            let action = self.action(who, &name);
            if is_spent || !one.helped.iter().any(is_over) {
                continue;
            }
            if self.whom_to_mark(who, &action).is_some() {
                self.mark(who, &action);
                self.all[who].busy = true;
                self.spend_smite(who);
            }
        }
    }

    /// One more attack with a weapon, by help.
    pub(super) fn attacks_once_more(&mut self, who: usize) {
        let mut helped = self.all[who].helped.iter();
        let has = helped.any(|help| help.helps["extra attack"] == true);
        let Choices { usual, .. } = self.choices(who);
        let mut attacks = usual.iter().map(|one| &one.0);
        let is_weapon =
            |action: &&Value| sort(action, self.plain) == Sort::Attack && action["spell"] != true;
        let Some(attack) = attacks.find(is_weapon).filter(|_| has) else {
            return;
        };
        if self.all[who].hp <= 0 || !self.has_target(who, attack) {
            return;
        }
        self.say(format!("{} attacks once more", self.all[who].name));
        self.does(who, attack);
    }

    /// The damage that help adds to a hit, and whether it is radiant.
    pub(super) fn favour(
        &mut self,
        who: usize,
        foe: usize,
        action: &Value,
        critical: bool,
    ) -> (i64, bool) {
        let Some(first) = list(action, "damage").first() else {
            return (0, false);
        };
        let kind_of_weapon = part(first).1.to_owned();
        let own = self.means(who, action);
        let (mut sum, mut radiant) = (0, false);
        let mut helped = self.all[who].helped.clone();
        // Marks come last.
        helped.sort_by_key(|one| one.helps["marks"] == true);
        for one in helped {
            let is_marked = one.helps["marks"] != true || one.mark == Some(foe);
            let counts = action["spell"] != true || one.helps["hits of spells"] == true;
            if !one.helps["hits"].is_object() || !is_marked || !counts {
                continue;
            }
            let (dice, kind) = part(&one.helps["hits"]);
            let (kind, means) = match kind {
                "weapon" => (kind_of_weapon.as_str(), own),
                kind => (kind, Means::Spell),
            };
            let amount = self.dice.total(dice, if critical { 2 } else { 1 });
            let damage = serde_json::json!({ "dice": dice, "type": kind });
            self.stop(foe, &[damage], means);
            sum += self.takes(foe, kind, means, amount);
            radiant |= kind == "radiant";
        }
        (sum, radiant)
    }

    /// An attack, or a hit, is on an image of somebody: whether it is over.
    pub(super) fn on_image(
        &mut self,
        who: usize,
        foe: usize,
        with: &str,
        roll: (i64, i64),
        is_hit: bool,
    ) -> bool {
        if sees_invisible(&self.all[who].block) {
            return false;
        }
        let mut helped = self.all[foe].helped.iter();
        let found = helped
            .position(|help| help.images > 0 && (help.helps["images take hits"] == true) == is_hit);
        let Some(index) = found else {
            return false;
        };
        let images = self.all[foe].helped[index].images;
        let is_on_image = match is_hit {
            true => (0..images).map(|_| self.dice.roll(6)).max() >= Some(3),
            false => self.dice.roll(20) >= [11, 8, 6][images as usize - 1],
        };
        if !is_on_image {
            return false;
        }
        let (own, other) = (self.all[who].name.clone(), self.all[foe].name.clone());
        let (face, total) = roll;
        let ac = 10 + modifier(&self.all[foe].block, "DEX");
        if !is_hit && (face == 1 || face != 20 && total < ac) {
            self.say(format!(
                "{own} misses an image of {other} with {with}: {total} against {ac}"
            ));
            return true;
        }
        self.say(format!("{own} destroys an image of {other} with {with}"));
        self.all[foe].helped[index].images -= 1;
        if images == 1 {
            self.all[foe].helped.remove(index);
        }
        true
    }

    /// Somebody who is hurt by a hit answers with a save, as a reaction.
    pub(super) fn rebukes(&mut self, who: usize, other: usize, lost: i64) {
        for index in 0..self.all[who].uses.len() {
            let action = self.action(who, &self.all[who].uses[index].0);
            let is_one = action["reaction"] == true && action["save"].is_object();
            let can = self.all[who].reaction && self.able(who) && self.left_of(who, index) > 0;
            if !is_one || !can || lost <= 0 || self.all[other].hp <= 0 || self.plain {
                continue;
            }
            self.use_up(who, index);
            self.all[who].reaction = false;
            let name = bare(text(&action, "name"));
            self.say(format!("{} uses {name}", self.all[who].name));
            let rolled = self.rolled(list(&action, "damage"));
            self.targeted(who, other, &action);
            self.saves(who, other, &action, &rolled, true);
        }
    }
}
