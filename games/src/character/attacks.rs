//! The attacks of a character: an action for each weapon, and the Attack action as a multiattack.

use super::builder::Builder;
use super::gear::{Weapon, capital, weapon};
use crate::wrong::Wrong;
use serde_json::{Map, Value, json};

/// The weapons of a character.
pub(super) struct Arms {
    /// The preferred one first.
    weapons: Vec<&'static Weapon>,
    off_hand: Option<&'static Weapon>,
}

impl Arms {
    /// The weapons of a sheet at a path, or the usual ones of its class.
    ///
    /// # Errors
    /// An unknown weapon.
    pub(super) fn of(builder: &Builder<'_>, path: &str) -> Result<Self, Wrong> {
        let (sheet, class) = (builder.chosen.sheet, builder.chosen.class);
        let names = sheet.weapons.as_ref().unwrap_or(&class.weapons);
        let of_class = class.off_hand.as_ref().filter(|_| sheet.weapons.is_none());
        let off_hand = sheet.off_hand.as_ref().or(of_class);
        let path_of = |index: usize| format!("{path}.weapons[{index}]");
        let weapons = names.iter().enumerate();
        let weapons = weapons.map(|(index, name)| weapon(name, &path_of(index)));
        let weapons: Vec<&Weapon> = weapons.collect::<Result<_, _>>()?;
        let path = format!("{path}.off hand");
        let off_hand = off_hand.map(|name| weapon(name, &path)).transpose()?;
        if let (Some(off), Some(first)) = (off_hand, weapons.first()) {
            // SRD 5.1, "Two-Weapon Fighting".
            if let Some(heavy) = [off, first].into_iter().find(|one| !one.light) {
                let what = format!("needs two light weapons, and the {} is not", heavy.name);
                return Err(Wrong::new(path, what).help("two shortswords or scimitars are light"));
            }
        }
        Ok(Self { weapons, off_hand })
    }

    /// The name of the preferred attack, in lower case.
    pub(super) fn first(&self) -> String {
        let first = self.weapons.first();
        first.map_or_else(|| "unarmed strike".to_owned(), |one| one.name.clone())
    }
}

/// Whether an attack is made with the other hand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hand {
    Main,
    Off,
}

/// Damage of an attack: dice and a number.
fn dice(dice: &str, bonus: i64) -> String {
    match bonus {
        0 => dice.to_owned(),
        bonus => format!("{dice}{bonus:+}"),
    }
}

impl Builder<'_> {
    /// Adds the attacks, and the multiattack that the Attack action is.
    pub(super) fn write_attacks(&mut self, arms: &Arms) {
        let is_monk = self.chosen.class.columns.contains_key("martial arts");
        let count = match self.chosen.class.columns.contains_key("attacks") {
            true => self.chosen.class.column("attacks", self.numbers.level),
            false => 1,
        };
        let mut routines: Vec<Value> = Vec::new();
        if let Some(beams) = self.write_blast() {
            routines.push(json!([{ "action": "Eldritch Blast", "count": beams }]));
        }
        let mut actions = Vec::new();
        for weapon in &arms.weapons {
            let action = self.attack(weapon, Hand::Main, arms);
            let count = if weapon.loading { 1 } else { count };
            let mut steps = vec![json!({ "action": action["name"], "count": count })];
            let nick = arms
                .off_hand
                .filter(|_| routines.is_empty() && self.nicks(arms));
            steps.extend(nick.map(|off| json!({ "action": off_hand_name(off), "count": 1 })));
            routines.push(steps.into());
            actions.push(action);
        }
        if let Some(off) = arms.off_hand {
            actions.push(self.attack(off, Hand::Off, arms));
            if !self.nicks(arms) {
                let step = json!({ "action": off_hand_name(off), "count": 1 });
                self.actions.push(json!({
                    "name": "Two-Weapon Fighting", "bonus action": true, "multiattack": [step],
                }));
            }
        }
        if is_monk {
            actions.push(self.unarmed_strike());
            if arms.weapons.is_empty() {
                routines.push(json!([{ "action": "Unarmed Strike", "count": count }]));
            }
        }
        let mut routines = routines.into_iter();
        if let Some(first) = routines.next() {
            let others: Vec<Value> = routines.collect();
            let mut multiattack = json!({ "name": "Multiattack", "multiattack": first });
            if !others.is_empty() {
                multiattack["multiattack one of"] = others.into();
            }
            self.actions.push(multiattack);
        }
        self.actions.append(&mut actions);
    }

    /// Whether the attack with the other hand is a part of the Attack action (SRD 5.2, "Nick").
    fn nicks(&self, arms: &Arms) -> bool {
        let off = arms.off_hand.iter();
        let mut all = arms.weapons.first().into_iter().chain(off);
        self.has_mastery && all.any(|one| one.mastery == "nick")
    }

    /// The ability that attacks with a weapon use: the better one if there is a choice.
    fn ability(&self, weapon: &Weapon) -> &'static str {
        let is_monk = weapon.monk && self.chosen.class.columns.contains_key("martial arts");
        match (weapon.range.is_empty(), weapon.finesse || is_monk) {
            (_, true) => match self.numbers.modifier("DEX") > self.numbers.modifier("STR") {
                true => "DEX",
                false => "STR",
            },
            (false, false) => "DEX",
            (true, false) => "STR",
        }
    }

    fn attack(&mut self, weapon: &Weapon, hand: Hand, arms: &Arms) -> Value {
        let ability = self.ability(weapon);
        let modifier = self.numbers.modifier(ability);
        let magic = self.chosen.sheet.magic.weapons;
        let is_ranged = !weapon.range.is_empty();
        let is_single = !weapon.two_handed && arms.off_hand.is_none();
        let holds_both = is_single && !self.has_shield && weapon.versatile.is_some();
        let archery = if is_ranged && self.has_style("Archery") {
            2
        } else {
            0
        };
        let duels = !is_ranged && is_single && !holds_both && self.has_style("Dueling");
        let of_ability = match hand {
            Hand::Off if !self.has_style("Two-Weapon Fighting") => modifier.min(0),
            Hand::Off | Hand::Main => modifier,
        };
        let versatile = weapon.versatile.as_ref().filter(|_| holds_both);
        let own = self.martial_dice(weapon, versatile.unwrap_or(&weapon.dice));
        let bonus = of_ability + magic + if duels { 2 } else { 0 };
        let mut damage = vec![json!({ "dice": dice(&own, bonus), "type": weapon.damage_type })];
        if !is_ranged {
            damage.extend(self.melee_damage.iter().cloned());
        }
        let kind = match (is_ranged, weapon.thrown.is_empty()) {
            (true, _) => "ranged",
            (false, true) => "melee",
            (false, false) => "melee or ranged",
        };
        let mut action = Map::new();
        let name = match hand {
            Hand::Main => capital(&weapon.name),
            Hand::Off => off_hand_name(weapon),
        };
        let hit = self.numbers.proficiency() + modifier + magic + archery;
        action.insert("name".to_owned(), name.into());
        action.insert("kind".to_owned(), kind.into());
        action.insert("bonus".to_owned(), hit.into());
        action.insert("damage".to_owned(), damage.into());
        if let Some(reach) = weapon.reach {
            action.insert("reach".to_owned(), reach.into());
        }
        let range = [&weapon.range, &weapon.thrown];
        if let Some(range) = range.into_iter().find(|feet| !feet.is_empty()) {
            action.insert("range".to_owned(), range.clone().into());
        }
        if self.critical < 20 {
            action.insert("critical".to_owned(), self.critical.into());
        }
        let die = own.split_once('d').map(|(_, sides)| sides);
        if let Some(die) = die.filter(|_| self.brutal_dice > 0 && !is_ranged) {
            let dice = format!("{}d{die}", self.brutal_dice);
            action.insert("critical dice".to_owned(), dice.into());
        }
        self.write_mastery(weapon, modifier, &mut action);
        action.into()
    }

    /// The dice of a weapon: monks use their own ones if these are greater.
    fn martial_dice(&self, weapon: &Weapon, own: &str) -> String {
        let class = self.chosen.class;
        let is_monk = weapon.monk && class.columns.contains_key("martial arts");
        let sides = own.strip_prefix("1d").and_then(|sides| sides.parse().ok());
        match sides.filter(|_| is_monk) {
            Some(sides) => {
                let martial: i64 = class.column("martial arts", self.numbers.level);
                format!("1d{}", martial.max(sides))
            }
            None => own.to_owned(),
        }
    }

    fn unarmed_strike(&self) -> Value {
        let modifier = ["STR", "DEX"].map(|ability| self.numbers.modifier(ability));
        let modifier = modifier[0].max(modifier[1]);
        let sides = self.chosen.class.column("martial arts", self.numbers.level);
        json!({
            "name": "Unarmed Strike", "kind": "melee",
            "bonus": self.numbers.proficiency() + modifier,
            "damage": [{ "dice": dice(&format!("1d{sides}"), modifier), "type": "bludgeoning" }],
        })
    }

    /// What the mastery of a weapon does with a hit (SRD 5.2, "Mastery Properties").
    fn write_mastery(&mut self, weapon: &Weapon, modifier: i64, action: &mut Map<String, Value>) {
        if !self.has_mastery {
            return;
        }
        match weapon.mastery.as_str() {
            "topple" => {
                let dc = 8 + self.numbers.proficiency() + modifier;
                let save = json!({
                    "ability": "CON", "dc": dc, "on success": "none", "conditions": ["prone"],
                });
                action.insert("save".to_owned(), save);
            }
            "vex" => {
                action.insert("vexes".to_owned(), true.into());
            }
            "graze" => {
                let damage = modifier.max(0).to_string();
                action.insert("on a miss".to_owned(), damage.into());
            }
            "nick" => {}
            // Nobody moves, unless distances count.
            "push" | "slow" => self.lose_with_distances(&format!(
                "{} (its mastery property, {})",
                capital(&weapon.name),
                capital(&weapon.mastery)
            )),
            other => self.lose(format!(
                "{} (its mastery property, {})",
                capital(&weapon.name),
                capital(other)
            )),
        }
    }

    /// Eldritch Blast: an attack for each of its rays. Returns their number.
    fn write_blast(&mut self) -> Option<i64> {
        let spells = self.cantrips.iter();
        let has_it = spells.clone().any(|name| name == "Eldritch Blast");
        let ability = &self
            .chosen
            .class
            .casting
            .as_ref()
            .filter(|_| has_it)?
            .ability;
        let level = self.numbers.level;
        let beams = 1 + [5, 11, 17].iter().filter(|at| level >= **at).count() as i64;
        let modifier = self.numbers.modifier(ability);
        self.actions.push(json!({
            "name": "Eldritch Blast", "kind": "ranged", "spell": true,
            "bonus": self.numbers.proficiency() + modifier, "range": [120],
            "damage": [{ "dice": dice("1d10", self.eldritch_bonus), "type": "force" }],
        }));
        Some(beams)
    }
}

fn off_hand_name(weapon: &Weapon) -> String {
    format!("Off-Hand {}", capital(&weapon.name))
}
