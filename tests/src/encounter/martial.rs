//! Rules of characters: rage, a second action in a turn, smites, reactions that soften a hit, the
//! damage of misses, and advantage after a hit.

use super::block::{Means, Sort, has, list, number, part, sort, taken, text};
use super::fight::Battle;
use serde_json::{Value, json};

/// What somebody has of these rules.
#[derive(Clone, Debug, Default)]
pub(super) struct Martial {
    surges: i64,
    rages: i64,
    /// Whether it may rage, and whether it does.
    has_rage: bool,
    pub(super) raging: bool,
    smites: i64,
    /// Whether a smite may not be made in this turn any more.
    pub(super) smote: bool,
    /// Whom its last hit has vexed, and at the end of how many turns that is over.
    pub(super) vexed: Option<usize>,
    vexing: i64,
    /// Whether it is its turn.
    pub(super) acting: bool,
}

/// A trait or a reaction.
fn named<'b>(block: &'b Value, name: &str) -> Option<&'b Value> {
    let mut all = list(block, "traits").iter().chain(list(block, "reactions"));
    all.find(|one| text(one, "name") == name)
}

/// How often a day a trait may be used.
fn uses(block: &Value, name: &str, usual: i64) -> i64 {
    let found = named(block, name);
    found.map_or(0, |one| one["usage"]["per day"].as_i64().unwrap_or(usual))
}

/// Whether a creature has a smite that takes the bonus action of a turn.
fn smites_as_bonus(block: &Value) -> bool {
    named(block, "Divine Smite").is_some_and(|rule| rule["value"] == "bonus action")
}

/// An attack that a creature makes as a bonus action.
pub(super) struct BonusAttack {
    pub(super) name: String,
    pub(super) action: Value,
    pub(super) times: i64,
    pub(super) left: Option<i64>,
}

/// The attacks that a creature makes as a bonus action.
pub(super) fn bonus_attacks(block: &Value) -> Vec<BonusAttack> {
    let actions = list(block, "actions");
    let bonus = actions
        .iter()
        .filter(|action| action["bonus action"] == true);
    let bonus = bonus.filter_map(|action| {
        let step = list(action, "multiattack").first()?;
        let named = actions.iter().find(|one| one["name"] == step["action"])?;
        let uses = &action["usage"];
        Some(BonusAttack {
            name: text(action, "name").to_owned(),
            action: named.clone(),
            times: number(step, "count"),
            left: uses
                .is_object()
                .then(|| uses["per day"].as_i64().unwrap_or(1)),
        })
    });
    bonus.collect()
}

fn is_physical(kind: &str) -> bool {
    ["bludgeoning", "piercing", "slashing"].contains(&kind)
}

impl Martial {
    pub(super) fn of(block: &Value, plain: bool) -> Self {
        if plain {
            return Self::default();
        }
        Self {
            surges: uses(block, "Action Surge", 1),
            rages: uses(block, "Rage", 1),
            has_rage: has(block, "Rage"),
            smites: uses(block, "Divine Smite", 0),
            ..Self::default()
        }
    }

    /// What is left of it after the last fight of the day.
    pub(super) fn carry(&mut self, old: &Self) {
        (self.surges, self.rages, self.smites) = (old.surges, old.rages, old.smites);
    }

    /// What a rest brings back.
    pub(super) fn refill(&mut self, block: &Value, is_short: bool) {
        let full = Self::of(block, false);
        let comes_back = |name: &str| {
            let usage = named(block, name).map_or(&Value::Null, |one| &one["usage"]);
            !is_short || usage["rest"].to_string().contains("short")
        };
        if comes_back("Action Surge") {
            self.surges = full.surges;
        }
        if comes_back("Rage") {
            self.rages = full.rages;
        }
        if comes_back("Divine Smite") {
            self.smites = full.smites;
        }
    }

    /// Whether rage may halve damage of a type.
    pub(super) fn shrugs(&self, kind: &str) -> bool {
        self.has_rage && is_physical(kind)
    }

    pub(super) fn vex(&mut self, foe: usize, has_positions: bool) {
        self.vexed = Some(foe);
        self.vexing = if has_positions && !self.acting { 1 } else { 2 };
    }

    pub(super) fn end_turn(&mut self) {
        self.acting = false;
        self.vexing = (self.vexing - 1).max(0);
        if self.vexing == 0 {
            self.vexed = None;
        }
    }
}

impl Battle<'_> {
    /// What somebody takes of damage.
    pub(super) fn takes(&self, foe: usize, kind: &str, means: Means, amount: i64) -> i64 {
        let one = &self.all[foe];
        if !(one.martial.raging && is_physical(kind)) {
            return taken(&one.block, kind, means, amount);
        }
        let mut block = one.block.clone();
        match block["resists"].as_array_mut() {
            Some(all) => all.push(kind.into()),
            None => block["resists"] = json!([kind]),
        }
        taken(&block, kind, means, amount)
    }

    pub(super) fn begin_rage(&mut self, who: usize) {
        let own = &mut self.all[who].martial;
        if own.raging || own.rages == 0 {
            return;
        }
        own.raging = true;
        own.rages -= 1;
        self.all[who].busy = true;
        self.say(format!("{} rages", self.all[who].name));
    }

    /// A bonus action has been taken: no smite in this turn.
    pub(super) fn spend_smite(&mut self, who: usize) {
        self.all[who].martial.smote |= smites_as_bonus(&self.all[who].block) && !self.plain;
    }

    /// The usual action once more.
    pub(super) fn surge(&mut self, who: usize) {
        if self.all[who].martial.surges == 0 || self.all[who].hp <= 0 {
            return;
        }
        let choices = self.choices(who);
        let mut attacks = choices.usual.iter().map(|one| &one.0);
        let Some(first) = attacks.find(|action| sort(action, self.plain) == Sort::Attack) else {
            return;
        };
        if !self.has_target(who, first) {
            return;
        }
        self.all[who].martial.surges -= 1;
        self.say(format!("{} acts once more", self.all[who].name));
        match self.distance {
            None => self.do_all(who, &choices.usual),
            Some(_) => self.act_with_positions(who, &choices),
        }
    }

    /// What rage and a critical hit add to damage.
    pub(super) fn martial_damage(&mut self, who: usize, action: &Value, critical: bool) -> i64 {
        let mut sum = 0;
        if list(action, "damage").is_empty() {
            return 0;
        }
        let dice = action["critical dice"].as_str();
        if let Some(dice) = dice.filter(|_| critical && !self.plain) {
            sum += self.dice.total(dice, 1);
        }
        if self.all[who].martial.raging && is_melee_weapon(action) {
            let rage = named(&self.all[who].block, "Rage");
            sum += rage.map_or(0, |rage| number(rage, "value"));
        }
        sum
    }

    /// The radiant damage of a slot, if one is spent: the highest one.
    pub(super) fn smite(
        &mut self,
        who: usize,
        foe: usize,
        action: &Value,
        critical: bool,
        lost: i64,
    ) -> Option<i64> {
        if self.plain || !is_melee_weapon(action) {
            return None;
        }
        named(&self.all[who].block, "Divine Smite")?;
        let is_bonus = smites_as_bonus(&self.all[who].block);
        // Damage that would make the other fall is enough.
        if is_bonus && self.all[who].martial.smote || lost >= self.all[foe].hp {
            return None;
        }
        let own = &mut self.all[who];
        let slot = own.slots.iter().rposition(|left| *left > 0);
        let level = match slot {
            Some(index) => {
                own.slots[index] -= 1;
                index as i64 + 1
            }
            None if own.martial.smites > 0 => {
                own.martial.smites -= 1;
                1
            }
            None => return None,
        };
        own.martial.smote = is_bonus;
        let dice = match is_bonus {
            true => level + 1,
            false => (level + 1).min(5),
        };
        let times = if critical { 2 } else { 1 };
        let mut amount = self.dice.total(&format!("{dice}d8"), times);
        let what = text(&self.all[foe].block, "type").to_owned();
        let mut words = what.split(|c: char| !c.is_alphabetic());
        if words.any(|word| word == "undead" || word == "fiend") {
            amount += self.dice.total("1d8", times);
        }
        let name = self.all[who].name.clone();
        self.say(format!("{name} smites with a slot of level {level}"));
        let radiant = json!({"dice": "1d8", "type": "radiant"});
        self.stop(foe, &[radiant], Means::Spell);
        Some(self.takes(foe, "radiant", Means::Spell, amount))
    }

    /// What is left of damage after a reaction.
    pub(super) fn soften(&mut self, who: usize, foe: usize, action: &Value, lost: i64) -> i64 {
        if !self.all[foe].reaction || !self.able(foe) || lost <= 0 {
            return lost;
        }
        let rules = ["Uncanny Dodge", "Deflect Attacks", "Deflect Missiles"];
        let Some(name) = rules.iter().find(|name| self.is(foe, name)) else {
            return lost;
        };
        let is_weapon = list(action, "damage")
            .iter()
            .any(|one| is_physical(part(one).1));
        let is_missile =
            text(action, "kind") == "ranged" && self.means(who, action) != Means::Spell;
        let softened = match *name {
            "Uncanny Dodge" => lost / 2,
            "Deflect Missiles" if !is_missile => return lost,
            _ if !is_weapon => return lost,
            name => {
                let rule = named(&self.all[foe].block, name).expect("it has it");
                let dice = text(rule, "value").to_owned();
                (lost - self.dice.total(&dice, 1)).max(0)
            }
        };
        self.all[foe].reaction = false;
        let line = format!("{} softens the hit: {name}", self.all[foe].name);
        self.say(line);
        softened
    }

    /// The damage of an attack that misses.
    pub(super) fn graze(&mut self, who: usize, foe: usize, action: &Value) {
        let Some(dice) = action["on a miss"].as_str().filter(|_| !self.plain) else {
            return;
        };
        let first = list(action, "damage").first().expect("it does damage");
        let (kind, means) = (part(first).1.to_owned(), self.means(who, action));
        let amount = self.dice.total(dice, 1);
        let lost = self.takes(foe, &kind, means, amount);
        self.stop(foe, &[json!({"dice": dice, "type": kind})], means);
        self.hurt(foe, lost, kind == "radiant");
        if self.all[foe].hp <= 0 && text(action, "kind") != "ranged" {
            self.all[who].rampaging = true;
        }
    }
}

/// Whether an action is an attack in melee with a weapon.
fn is_melee_weapon(action: &Value) -> bool {
    text(action, "kind") != "ranged" && action["spell"] != true
}
