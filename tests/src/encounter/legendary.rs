//! Legendary actions (SRD 5.1, "Legendary Creatures").

use super::block::{Sort, average, bare, damage, has, list, sort, text};
use super::fight::Battle;
use serde_json::{Value, json};

impl Battle<'_> {
    /// What others do after a turn.
    pub(super) fn after(&mut self, whose: usize) {
        if self.plain {
            return;
        }
        for who in 0..self.all.len() {
            let foes = 1 - self.all[who].side;
            let fits = who != whose && self.able(who) && !self.all[who].surprised;
            if !fits || self.standing(foes).next().is_none() {
                continue;
            }
            let mut best: Option<(Value, i64, i64)> = None;
            let block = &self.all[who].block;
            if list(block, "legendary").is_empty() && !has(block, "Tail Sweep") {
                continue;
            }
            let block = block.clone();
            let sweep = json!({
                "name": "Tail Sweep", "cost": 2, "damage": [{"dice": "2d6", "type": "bludgeoning"}],
                "save": {"ability": "DEX", "dc": 13, "on success": "half"},
            });
            let sweeps = has(&block, "Tail Sweep").then_some(&sweep);
            for legendary in sweeps.into_iter().chain(list(&block, "legendary")) {
                let cost = legendary["cost"].as_i64().unwrap_or(1);
                let name = bare(text(legendary, "name"));
                let name = name.strip_suffix(" Attack").unwrap_or(name);
                let name = match (text(&block, "name"), name) {
                    ("Aboleth", "Tail Swipe") => "Tail",
                    ("Kraken", "Tentacle Attack or Fling") => "Tentacle",
                    ("Mummy Lord", "Attack") => "Rotting Fist",
                    ("Tarrasque", "Chomp") => "Bite",
                    (_, name) => name,
                };
                let known = self.action(who, name);
                let mut action = if sort(&known, false) == Sort::Nothing {
                    legendary.clone()
                } else {
                    known
                };
                action["name"] = name.into();
                if sort(&action, false) == Sort::Nothing {
                    continue;
                }
                let all: i64 = damage(&action).iter().map(|one| average(one.0)).sum();
                let worth = if sort(&action, false) == Sort::Attack {
                    all
                } else {
                    all / 2
                };
                let worth = worth * 100 / cost;
                let is_possible = !self.is_conditional(&action) || self.has_target(who, &action);
                if cost <= self.all[who].legendary
                    && is_possible
                    && best.as_ref().is_none_or(|one| worth > one.2)
                {
                    best = Some((action, cost, worth));
                }
            }
            if let Some((action, cost, _)) = best {
                self.all[who].legendary -= cost;
                self.does(who, &action);
            }
        }
    }
}
