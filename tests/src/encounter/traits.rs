//! What traits and features change about hits, saves and equipment.

use super::block::{
    Means, Sort, conditions, has_gear, list, modifier, number, part, sort, taken, text,
};
use super::fight::Battle;
use super::hits::short;
use serde_json::Value;

impl Battle<'_> {
    /// Armour or a weapon corrodes.
    pub(super) fn corrode(&mut self, who: usize, gear: &str) {
        let one = &mut self.all[who];
        if one.hp <= 0 || !has_gear(&one.block) {
            return;
        }
        let name = one.name.clone();
        if gear == "armour" && one.ac > 10 {
            one.ac -= 1;
            let line = format!("{name}: the armour corrodes to {}", one.ac);
            self.say(line);
        } else if gear == "weapon" && one.blunted < 5 {
            one.blunted += 1;
            let line = format!("{name}: the weapon corrodes to -{}", one.blunted);
            self.say(line);
        }
    }

    /// An action of somebody: saves against it may have disadvantage.
    pub(super) fn forced(&self, who: usize, action: &Value) -> Value {
        let mut action = action.clone();
        let is_save = action["save"].is_object() && !action["save"]["check"].is_string();
        if is_save && self.is(who, "Dread Gaze") {
            action["save"]["dread"] = true.into();
        }
        action
    }

    /// Damage that keeps somebody from healing.
    pub(super) fn stop(&mut self, foe: usize, parts: &[Value], means: Means) {
        let block = &self.all[foe].block;
        let stopping: &[&str] = match text(block, "name") {
            "Troll" => &["acid", "fire"],
            vampire if vampire.starts_with("Vampire") => &["radiant"],
            _ => return,
        };
        let kinds = parts.iter().map(|one| part(one).1);
        let mut kinds = kinds.filter(|kind| stopping.contains(kind));
        if kinds.any(|kind| taken(block, kind, means, 6) > 0) {
            self.all[foe].stopped = true;
        }
    }

    /// How an attack deals damage.
    pub(super) fn means(&self, who: usize, action: &Value) -> Means {
        let magic = [
            "Magic Weapons",
            "Angelic Weapons",
            "Hellish Weapons",
            "Runed Weapons",
        ];
        match action["spell"] == true {
            true => Means::Spell,
            false if magic.iter().any(|name| self.is(who, name)) => Means::Magic,
            false => Means::Weapon,
        }
    }

    /// Somebody badly hurt goes berserk, until it is unhurt.
    pub(super) fn rage(&mut self, who: usize) {
        let block = &self.all[who].block;
        let mut actions = list(block, "actions")
            .iter()
            .chain(list(block, "legendary"));
        let attacks = actions.any(|action| sort(action, self.plain) == Sort::Attack);
        let has_fury = self.is(who, "Fury");
        let least = match text(&self.all[who].block, "name") {
            _ if has_fury => 20,
            "Clay Golem" if self.is(who, "Berserk") => 60,
            "Flesh Golem" if self.is(who, "Berserk") => 40,
            _ => 0,
        };
        let one = &self.all[who];
        let name = one.name.clone();
        let is_hurt = attacks && one.hp <= least && !one.berserk;
        if is_hurt && (has_fury || self.dice.roll(6) == 6) {
            self.all[who].berserk = true;
            self.say(format!("{name} goes berserk"));
        }
        let one = &mut self.all[who];
        if one.berserk && one.hp == number(&one.block, "hp") {
            one.berserk = false;
            self.say(format!("{name} is no longer berserk"));
        }
    }

    /// One more die of the weapon.
    pub(super) fn heavy(&mut self, who: usize, action: &Value, times: i64) -> i64 {
        let Some(weapon) = list(action, "damage").first() else {
            return 0;
        };
        let mut terms = part(weapon).0.split(['+', '-']).map(str::trim);
        let sides = terms.find_map(|term| Some(term.split_once('d')?.1));
        match sides.filter(|_| self.is(who, "Heavy Blows")) {
            Some(sides) => self.dice.total(&format!("1d{sides}"), times),
            None => 0,
        }
    }

    /// A d20 with advantage or disadvantage.
    pub(super) fn d20(&mut self, gains: bool, hinders: bool) -> i64 {
        match (gains, hinders) {
            (true, false) => self.dice.roll(20).max(self.dice.roll(20)),
            (false, true) => self.dice.roll(20).min(self.dice.roll(20)),
            _ => self.dice.roll(20),
        }
    }

    /// A check instead of a save: it has to be high, or low.
    pub(super) fn check(&mut self, who: usize, action: &Value, roll: &str) -> bool {
        let names = ["frightened", "poisoned", "hampered in checks"];
        let hinders = self.suffers_from(who, &names);
        let bonus = modifier(&self.all[who].block, text(&action["save"], "ability"));
        let dc = number(&action["save"], "dc");
        let is_strong = text(&action["save"], "ability") == "STR";
        let fails = self.suffers_from(who, &["unable to succeed in checks"])
            || is_strong && self.is(who, "Weak Back");
        let gains = self.is(who, "Adept") || is_strong && self.is(who, "Strong Back");
        let is_sure = self.is(who, "Born Lucky");
        let is_high = !fails && (is_sure || self.d20(gains, hinders) + bonus >= dc);
        let withstands = is_high == (roll == "high");
        let how = if withstands {
            "withstands"
        } else {
            "does not withstand"
        };
        let line = format!("{} {how} {}", self.all[who].name, short(action));
        self.say(line);
        withstands
    }

    /// Whether a trait gives advantage on a save against an action.
    pub(super) fn gains_on_save(&self, who: usize, action: &Value) -> bool {
        let causes = |names: &[&str]| {
            let mut all = conditions(action).into_iter();
            all.any(|name| names.contains(&name.as_str()))
        };
        let has = |names: &[&str]| names.iter().any(|name| self.is(who, name));
        let spell = action["spell"] == true;
        let heads = ["blinded", "frightened", "stunned", "unconscious"];
        spell && has(&["Magic Resistance", "Duergar Resilience"])
            || has(&["Brave", "Dark Devotion"]) && causes(&["frightened"])
            || has(&["Two Heads", "Two-Headed", "Multiple Heads"]) && causes(&heads)
            || spell
                && has(&["Gnome Cunning"])
                && ["INT", "WIS", "CHA"].contains(&text(&action["save"], "ability"))
            || has(&["Sure-Footed"]) && causes(&["prone"])
            || has(&["Duergar Resilience"]) && causes(&["poisoned", "paralyzed"])
    }
}

/// Whether somebody perceives invisible creatures.
pub(super) fn sees_invisible(block: &Value) -> bool {
    ["blindsight", "truesight"]
        .iter()
        .any(|sense| block["senses"].get(*sense).is_some())
}

/// Whether a creature has a gaze.
pub(super) fn has_gaze(block: &Value) -> bool {
    list(block, "traits").iter().any(|one| one["gaze"] == true)
}
