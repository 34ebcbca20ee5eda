//! What features of the tests let creatures do besides their actions: as bonus actions, freely, and
//! what they do about spells.

use super::block::{Sort, average, damage, has, list, number, sort, text};
use super::fight::Battle;
use super::worth::has_state;
use serde_json::{Value, json};

/// Something that a creature may do in its turn besides its action.
#[derive(Clone, Debug)]
pub(super) struct Aside {
    pub(super) name: String,
    is_bonus: bool,
    /// How often it may do it, if not always.
    left: Option<i64>,
    /// The lowest face of a d6 that brings it back.
    recharge: Option<i64>,
    does: Does,
}

#[derive(Clone, Debug)]
enum Does {
    /// Regains hit points if at most half of them are left.
    Mend(i64),
    /// Makes its best attack.
    Strike,
    /// Makes this attack so often.
    Strikes(Value, i64),
    /// Does this to somebody.
    Blast(Value),
}

/// What a creature may do besides its action, by the names of its traits.
pub(super) fn asides(block: &Value) -> Vec<Aside> {
    let aside = |name: &str, is_bonus, left, recharge, does| Aside {
        name: name.to_owned(),
        is_bonus,
        left,
        recharge,
        does,
    };
    let cry = json!({"name": "Battle Cry", "save": {
        "ability": "WIS", "dc": 13, "on success": "none", "conditions": ["frightened"],
    }});
    let snap = json!({"name": "Snap", "damage": [{"dice": "1d4", "type": "fire"}]});
    let all = [
        aside("Second Wind", true, Some(1), None, Does::Mend(10)),
        aside("Quick Jab", true, None, None, Does::Strike),
        aside("Snap", true, Some(1), Some(5), Does::Blast(snap)),
        aside("Battle Cry", false, Some(1), None, Does::Blast(cry)),
    ];
    let features = all.into_iter().filter(|one| has(block, &one.name));
    let attacks = super::martial::bonus_attacks(block).into_iter();
    let attacks = attacks.map(|one| {
        let does = Does::Strikes(one.action, one.times);
        aside(&one.name, true, one.left, None, does)
    });
    attacks.chain(features).collect()
}

impl Aside {
    /// What is left of it after the last fight of the day.
    pub(super) fn carry(&mut self, old: &Self) {
        if self.recharge.is_none() {
            self.left = old.left;
        }
    }

    /// What a rest brings back; `usage` is that of the action.
    pub(super) fn refill(&mut self, usage: &Value, is_short: bool) {
        if !is_short || usage["rest"].to_string().contains("short") {
            self.left = self.left.map(|_| usage["per day"].as_i64().unwrap_or(1));
        }
    }
}

impl Battle<'_> {
    /// What comes back at the beginning of a turn.
    pub(super) fn recharge_asides(&mut self, who: usize) {
        for index in 0..self.all[who].asides.len() {
            let one = &self.all[who].asides[index];
            if let (Some(0), Some(lowest)) = (one.left, one.recharge)
                && self.dice.roll(6) >= lowest
            {
                self.all[who].asides[index].left = Some(1);
            }
        }
    }

    /// Does one thing besides its action, or all that is free.
    pub(super) fn do_asides(&mut self, who: usize, is_bonus: bool) {
        if is_bonus && self.attacks_by_help(who) {
            return;
        }
        for index in 0..self.all[who].asides.len() {
            let one = self.all[who].asides[index].clone();
            let is_possible = one.is_bonus == is_bonus && one.left != Some(0);
            let is_smite = is_bonus && self.all[who].martial.smote;
            if !is_possible
                || is_smite
                || self.is_without(who, &one.name)
                || !self.is_useful(who, &one)
            {
                continue;
            }
            let left = &mut self.all[who].asides[index].left;
            *left = left.map(|left| left - 1);
            self.do_aside(who, &one);
            if is_bonus {
                return;
            }
        }
    }

    fn is_useful(&self, who: usize, one: &Aside) -> bool {
        let (hp, most) = (self.all[who].hp, number(&self.all[who].block, "hp"));
        let is_near = |action: &Value| match self.distance {
            None => self.standing(1 - self.all[who].side).next().is_some(),
            Some(_) => self.reaches(who, action),
        };
        match &one.does {
            Does::Mend(amount) => 2 * hp <= most && hp + amount <= most,
            Does::Strike => self.best_attack(who).is_some_and(|action| is_near(&action)),
            Does::Strikes(action, _) => is_near(action),
            Does::Blast(action) => is_near(action),
        }
    }

    fn do_aside(&mut self, who: usize, one: &Aside) {
        if self.all[who].hp <= 0 {
            return;
        }
        match &one.does {
            Does::Mend(amount) => self.mend(who, &one.name, *amount),
            Does::Strike => {
                let action = self.best_attack(who).expect("it has an attack");
                self.does(who, &action);
            }
            Does::Strikes(action, times) => {
                (0..*times).for_each(|_| self.does(who, action));
            }
            Does::Blast(action) if self.standing(1 - self.all[who].side).next().is_some() => {
                self.blast(who, action);
            }
            Does::Blast(_) => {}
        }
    }

    /// Somebody regains hit points.
    pub(super) fn mend(&mut self, who: usize, name: &str, amount: i64) {
        let one = &mut self.all[who];
        let had = one.hp;
        one.hp = (had + amount).min(number(&one.block, "hp"));
        let (own, hp) = (one.name.clone(), one.hp);
        if hp > had {
            self.say(format!(
                "{own} regains {} hit points with {name}, and has {hp}",
                hp - had
            ));
        }
    }

    /// The attack that does the most damage.
    fn best_attack(&self, who: usize) -> Option<Value> {
        let mut best: Option<(Value, i64)> = None;
        for action in list(&self.all[who].block, "actions") {
            let is_free = !action["usage"].is_object() && !has_state(action);
            let is_one = sort(action, self.plain) == Sort::Attack && is_free;
            let worth = damage(action).iter().map(|one| average(one.0)).sum();
            if is_one && best.as_ref().is_none_or(|one| worth > one.1) {
                best = Some((action.clone(), worth));
            }
        }
        best.map(|one| one.0)
    }

    /// A spell is about somebody who does not bear spells.
    pub(super) fn targeted(&mut self, who: usize, foe: usize, action: &Value) {
        let is_it = action["spell"] == true && has(&self.all[foe].block, "Spell Bound");
        if self.plain || !is_it || self.all[foe].hp <= 0 {
            return;
        }
        let block = &self.all[who].block;
        let mental = ["INT", "WIS", "CHA"].iter();
        let best = mental
            .map(|ability| super::block::modifier(block, ability))
            .max();
        let usual = 8 + number(block, "proficiency") + best.unwrap_or(0);
        let own = block["spellcasting"]["dc"].as_i64().unwrap_or(usual);
        let dc = action["save"]["dc"].as_i64().unwrap_or(own);
        let besides = json!({
            "name": "Spell Bound",
            "save": {
                "ability": "CON", "dc": dc, "on success": "none", "conditions": ["blinded"],
                "lasts": "for 1 minute",
            },
        });
        let from = (
            self.all[who].kind,
            format!("Spell Bound by {}", text(action, "name")),
        );
        let besides = self.forced(who, &besides);
        let saved = self.save(foe, &besides);
        self.suffer(who, foe, &besides, from, saved);
    }
}
