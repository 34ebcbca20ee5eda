//! Attacks, saves, damage and conditions.

use super::block::{Means, Sort, bare, has_save, list, number, part, save, sort, taken, text};
use super::features::Event;
use super::fight::Battle;
use super::movement::is_around;
use super::outcomes::is_final;
use super::traits::{has_gaze, sees_invisible};
use serde_json::Value;

impl Battle<'_> {
    /// The enemy with the fewest hit points, or the nearest one of those who are berserk, of those
    /// whom an action may be used on.
    fn weakest(&self, who: usize, action: &Value) -> Option<usize> {
        let all = self.standing(1 - self.all[who].side);
        let mut all = all.filter(|&foe| self.fits(who, foe, &action["only"]));
        match self.all[who].berserk {
            true => all.next(),
            false => all.min_by_key(|&foe| self.all[foe].hp),
        }
    }

    fn has_ally(&self, who: usize, foe: usize) -> bool {
        if self.distance.is_some() {
            return self.flanks(who, foe);
        }
        (0..self.all.len())
            .any(|ally| ally != who && self.all[ally].side == self.all[who].side && self.able(ally))
    }

    pub(super) fn attack(&mut self, who: usize, action: &Value) {
        let foe = match self.distance {
            Some(_) => self.approach(who, action),
            None => {
                let weakest = || self.weakest(who, action);
                let is_there = self.has_target(who, action);
                let target = self.only_target(who, action).or_else(weakest);
                target.filter(|_| is_there)
            }
        };
        if let Some(foe) = foe {
            self.attack_on(who, foe, action);
        }
    }

    /// An attack on somebody who is in reach.
    pub(super) fn attack_on(&mut self, who: usize, foe: usize, action: &Value) {
        let melee = text(action, "kind") != "ranged";
        let [unseen_by_help, unseeing_by_help] = self.sight_by_help(who, foe);
        let exposing = [
            "blinded",
            "restrained",
            "paralyzed",
            "petrified",
            "stunned",
            "unconscious",
            "outlined",
            "lit",
        ];
        self.targeted(who, foe, action);
        let prone = self.suffers_from(foe, &["prone"]);
        let lies = self.is_held(who) && self.suffers_from(who, &["prone"]);
        let advantage = self.suffers_from(foe, &exposing)
            || self.all[who].martial.vexed == Some(foe)
            || self.gains_by_holding(who, foe, action)
            || prone && melee
            || self.is(who, "Pack Tactics") && self.has_ally(who, foe)
            || self.is(who, "Blood Frenzy")
                && melee
                && self.all[foe].hp < number(&self.all[foe].block, "hp")
            || self.is(who, "Grappler") && self.holds_by_any(who, foe)
            || self.is(who, "Assassinate") && !self.all[foe].has_acted
            || self.is(who, "Ambusher") && self.is_surprised(foe)
            || self.is(who, "Invisibility") && !sees_invisible(&self.all[foe].block)
            || self.all[foe].averts && has_gaze(&self.all[who].block)
            || unseen_by_help
            || self.all[foe].reckless
            || self.all[who].reckless && melee;
        let hindering = [
            "blinded",
            "frightened",
            "poisoned",
            "restrained",
            "hampered in attacks",
        ];
        let is_far =
            self.distance.is_some() && !melee && self.is_far_or_threatened(who, foe, action);
        let unseen = self.is(foe, "Invisibility") && !sees_invisible(&self.all[who].block)
            || self.all[who].averts && has_gaze(&self.all[foe].block);
        let hinders = self.suffers_from(who, &hindering);
        let disadvantage =
            hinders || prone && !melee || is_far || lies || unseen || unseeing_by_help;
        let face = match (advantage, disadvantage) {
            (true, false) => self.dice.roll(20).max(self.dice.roll(20)),
            (false, true) => self.dice.roll(20).min(self.dice.roll(20)),
            _ => self.dice.roll(20),
        };
        let vexed = &mut self.all[who].martial.vexed;
        vexed.take_if(|vexed| *vexed == foe);
        self.all[foe]
            .suffers
            .retain(|one| one.conditions != ["lit"]);
        let ac = self.armour(foe);
        let total = face + number(action, "bonus") + self.dice_of_help(who, "attack rolls");
        let never = self.suffers_from(who, &["unable to hit"])
            || self.is(who, "Butterfingers")
            || self.is(foe, "Untouchable") && !melee;
        let certain = !never && (self.is(who, "Sure Hand") || self.cannot_miss(who, foe, action));
        let (own, other, with) = (
            self.all[who].name.clone(),
            self.all[foe].name.clone(),
            short(action),
        );
        if self.on_image(who, foe, &with, (face, total), false) {
            return;
        }
        if never {
            self.say(format!(
                "{own} misses {other} with {with}, which cannot hit"
            ));
            return self.graze(who, foe, action);
        }
        if !certain && (face == 1 || face != 20 && total < ac) {
            self.say(format!(
                "{own} misses {other} with {with}: {total} against {ac}"
            ));
            return self.graze(who, foe, action);
        }
        let parry = number(&self.all[foe].block, "proficiency");
        let parries = self.is(foe, "Parry") && melee && self.all[foe].reaction && self.able(foe);
        if parries && !certain && face != 20 && total < ac + parry {
            self.all[foe].reaction = false;
            return self.say(format!("{other} parries {with} of {own}"));
        }
        if !certain && face != 20 && self.shields(foe, total) {
            return self.graze(who, foe, action);
        }
        if self.on_image(who, foe, &with, (face, total), true) {
            return;
        }
        let is_keen = self.is(who, "Keen Edge") && self.all[foe].hp <= 10;
        let helpless = melee && self.suffers_from(foe, &["paralyzed", "unconscious"]);
        let is_killer = self.is(who, "Assassinate") && self.is_surprised(foe);
        let lowest = action["critical"].as_i64().unwrap_or(20);
        let critical = face >= lowest || helpless || is_keen || is_killer;
        let how = if critical { "hits critically" } else { "hits" };
        let end = match certain {
            true => ", which cannot miss".to_owned(),
            false => format!(": {total} against {ac}"),
        };
        self.say(format!("{own} {how} {other} with {with}{end}"));
        let sneaks = !disadvantage && (advantage || self.has_ally(who, foe));
        let mut lost = self.hit(who, foe, action, critical, sneaks);
        let is_weapon = self.means(who, action) == Means::Weapon;
        if is_weapon && !list(action, "damage").is_empty() {
            lost = (lost - self.all[who].blunted).max(0);
        }
        let radiant = list(action, "damage")
            .iter()
            .any(|one| part(one).1 == "radiant");
        let (favour, is_holy) = self.favour(who, foe, action, critical);
        lost += favour;
        let smite = self.smite(who, foe, action, critical, lost);
        lost = self.soften(who, foe, action, lost + smite.unwrap_or(0));
        self.stop(foe, list(action, "damage"), self.means(who, action));
        self.hurt(foe, lost, critical || radiant || smite.is_some() || is_holy);
        if self.all[foe].hp <= 0 && melee {
            self.all[who].rampaging = true;
        }
        if action["vexes"] == true && !self.plain && lost > 0 {
            let has_positions = self.distance.is_some();
            self.all[who].martial.vex(foe, has_positions);
        }
        if self.all[foe].hp > 0 && !self.plain && has_save(action) {
            let parts = list(&action["save"], "damage").to_vec();
            let rolled = self.rolled(&parts);
            self.saves(who, foe, action, &rolled, false);
        }
        self.seize(who, foe, action);
        if self.distance.is_some() {
            self.after_hit(who, foe, action);
        }
        self.act_at_hit(who, foe, melee);
        self.rebukes(foe, who, lost);
        self.act_at(Event::Struck, foe, who);
        if melee {
            self.act_at(Event::Touched, foe, who);
        }
    }

    /// The damage of a hit. Parts that every enemy takes whole are rolled first.
    fn hit(&mut self, who: usize, foe: usize, action: &Value, critical: bool, sneaks: bool) -> i64 {
        let times = if critical { 2 } else { 1 };
        let means = self.means(who, action);
        let side = self.all[foe].side;
        let at_half = list(action, "at half");
        let is_weak = 2 * self.all[who].hp <= number(&self.all[who].block, "hp");
        let own = match is_weak && !at_half.is_empty() {
            true => at_half,
            false => list(action, "damage"),
        };
        let parts: Vec<(String, String)> = own
            .iter()
            .map(|one| (part(one).0.to_owned(), part(one).1.to_owned()))
            .collect();
        let whole = |battle: &Self, kind: &str| {
            let mut foes = battle.all.iter().filter(|one| one.side == side);
            foes.all(|one| taken(&one.block, kind, means, 6) == 6 && !one.martial.shrugs(kind))
        };
        let mut sum: i64 = 0;
        for (dice, kind) in &parts {
            if whole(self, kind) {
                sum += self.dice.total(dice, times);
            }
        }
        sum = sum.max(0);
        let first_is_whole = parts.first().is_none_or(|(_, kind)| whole(self, kind));
        if first_is_whole {
            sum += self.martial_damage(who, action, critical);
            sum += self.extra(who, foe, times, sneaks) + self.heavy(who, action, times);
        }
        let mut is_first = !first_is_whole;
        for (dice, kind) in &parts {
            if !whole(self, kind) {
                let mut amount = self.dice.total(dice, times).max(0);
                if std::mem::take(&mut is_first) {
                    amount += self.martial_damage(who, action, critical);
                    amount += self.extra(who, foe, times, sneaks) + self.heavy(who, action, times);
                }
                sum += self.takes(foe, kind, means, amount);
            }
        }
        sum
    }

    /// Whether somebody is surprised, by the beginning of the fight or by a feature.
    fn is_surprised(&self, who: usize) -> bool {
        self.all[who].surprised || self.suffers_from(who, &["surprised"])
    }

    /// Dice that traits add, most of them once a turn.
    fn extra(&mut self, who: usize, foe: usize, times: i64, sneaks: bool) -> i64 {
        let name = text(&self.all[who].block, "name").to_owned();
        if self.is(who, "Surprise Attack") {
            let dice = if name == "Doppelganger" { "3d6" } else { "2d6" };
            return match self.is_surprised(foe) {
                true => self.dice.total(dice, times),
                false => 0,
            };
        }
        let dice = match &*name {
            "Hobgoblin" if self.has_ally(who, foe) => "2d6",
            "Spy" if sneaks => "2d6",
            "Assassin" if sneaks => "4d6",
            _ => return 0,
        };
        if self.plain || std::mem::replace(&mut self.all[who].extra, true) {
            return 0;
        }
        self.dice.total(dice, times)
    }

    pub(super) fn rolled(&mut self, parts: &[Value]) -> Vec<(String, i64)> {
        let mut all = Vec::new();
        for one in parts {
            let (dice, kind) = part(one);
            all.push((kind.to_owned(), self.dice.total(dice, 1).max(0)));
        }
        all
    }

    /// An action with a save: of the three weakest, or of the weakest.
    pub(super) fn blast(&mut self, who: usize, action: &Value) {
        if action["concentration"] == true {
            if self.is_concentrating(who) {
                return;
            }
            // Those who have fallen may get up again.
            self.end_effects(who);
        }
        if self.distance.is_none() && !self.has_target(who, action) {
            return;
        }
        let aim = match self.distance {
            None => None,
            Some(_) if is_around(action) => {
                if !self.has_target(who, action) {
                    return;
                }
                Some(who)
            }
            Some(_) => match self.approach(who, action) {
                Some(aim) => Some(aim),
                None => return,
            },
        };
        if !action["area"].is_object() {
            let from = (self.all[who].kind, short(action));
            let target = aim.or_else(|| self.weakest(who, action));
            let does_damage =
                !list(action, "damage").is_empty() || !list(&action["save"], "damage").is_empty();
            let is_vain = |foe| !does_damage && self.is_safe_from(foe, action, &from);
            if target.is_none_or(is_vain) {
                return;
            }
        }
        let line = format!("{} uses {}", self.all[who].name, short(action));
        self.say(line);
        let mut parts = list(action, "damage").to_vec();
        parts.extend_from_slice(list(&action["save"], "damage"));
        let rolled = self.rolled(&parts);
        let foes = match (aim, action["area"].is_object()) {
            (Some(aim), true) => self.reached(who, aim, &action["area"]),
            (Some(aim), false) => vec![aim],
            (None, is_area) => {
                let mut foes: Vec<usize> = self.standing(1 - self.all[who].side).collect();
                foes.sort_by_key(|&foe| self.all[foe].hp);
                foes.truncate(3);
                match is_area {
                    true => foes,
                    false => self.weakest(who, action).into_iter().collect(),
                }
            }
        };
        for foe in foes {
            self.targeted(who, foe, action);
            self.saves(who, foe, action, &rolled, true);
        }
    }

    /// What a save decides.
    pub(super) fn saves(
        &mut self,
        who: usize,
        foe: usize,
        action: &Value,
        rolled: &[(String, i64)],
        area: bool,
    ) {
        let mut action = self.forced(who, action);
        let asks = action["save"].is_object();
        if !asks && action["inflicts"].is_object() {
            action["save"] = action["inflicts"].clone();
        }
        let action = &action;
        let from = (self.all[who].kind, short(action));
        let is_safe = rolled.is_empty() && self.is_safe_from(foe, action, &from);
        if is_safe || !self.fits(who, foe, &action["save"]["only"]) {
            return;
        }
        let margin = if asks { self.margin(foe, action) } else { -1 };
        let saved = margin >= 0;
        let half = text(&action["save"], "on success") == "half";
        let evades =
            area && half && text(&action["save"], "ability") == "DEX" && self.is(foe, "Evasion");
        let means = match action["spell"] == true {
            true => Means::Spell,
            false => Means::Other,
        };
        let mut lost = 0;
        for (kind, amount) in rolled {
            let amount = match (saved, half, evades) {
                (true, _, true) => 0,
                (false, _, true) | (true, true, false) => amount / 2,
                (true, false, false) => 0,
                (false, _, false) => *amount,
            };
            lost += self.takes(foe, kind, means, amount);
        }
        if !rolled.is_empty() {
            let mut parts = list(&action["save"], "damage").to_vec();
            if area {
                parts.extend_from_slice(list(action, "damage"));
            }
            self.stop(foe, &parts, means);
            let radiant = rolled.iter().any(|(kind, _)| kind == "radiant");
            if lost > 0 {
                self.hurt(foe, lost, radiant);
            }
        }
        let is_out = margin <= -5 && is_final(&action["save"]["fails by 5"]);
        if saved || self.all[foe].hp > 0 && !is_out {
            self.suffer(who, foe, action, from.clone(), saved);
        }
        self.more_of_save(who, foe, action, &from, margin);
        if sort(action, self.plain) == Sort::Save && !saved {
            self.seize(who, foe, action);
        }
    }

    /// Damage of no save to somebody.
    pub(super) fn lose(&mut self, foe: usize, parts: &[Value]) {
        let mut lost = 0;
        for (kind, amount) in self.rolled(parts) {
            lost += self.takes(foe, &kind, Means::Other, amount);
        }
        self.stop(foe, parts, Means::Other);
        let radiant = parts.iter().any(|one| part(one).1 == "radiant");
        if lost > 0 {
            self.hurt(foe, lost, radiant);
        }
    }

    /// A save against an action.
    pub(super) fn save(&mut self, who: usize, action: &Value) -> bool {
        self.margin(who, action) >= 0
    }

    /// By how much somebody saves against an action.
    fn margin(&mut self, who: usize, action: &Value) -> i64 {
        let (ability, dc) = (
            text(&action["save"], "ability"),
            number(&action["save"], "dc"),
        );
        if let Some(roll) = action["save"]["check"].as_str() {
            return if self.check(who, action, roll) { 0 } else { -1 };
        }
        let helpless = ["paralyzed", "petrified", "stunned", "unconscious"];
        let bodily = ability == "STR" || ability == "DEX";
        let fails = bodily && self.suffers_from(who, &helpless)
            || self.suffers_from(who, &["unable to save"])
            || self.is(who, "Clumsy Feet") && ability == "DEX";
        let succeeds = self.is(who, "Iron Will") && ability == "WIS";
        let nimble = ability == "DEX" && {
            let mut helped = self.all[who].helped.iter();
            helped.any(|one| one.helps["nimble"] == true)
        };
        let gains =
            nimble || self.gains_on_save(who, action) || action["save"]["edge"] == "advantage";
        let hinders = ability == "DEX" && self.suffers_from(who, &["restrained"])
            || self.suffers_from(who, &["hampered in saves"])
            || action["save"]["edge"] == "disadvantage"
            || action["save"]["dread"] == true
            || self.is(who, "Frail");
        let mut margin = if fails || !succeeds { -1 } else { 0 };
        if !fails && !succeeds {
            let face = match (gains, hinders) {
                (true, false) => self.dice.roll(20).max(self.dice.roll(20)),
                (false, true) => self.dice.roll(20).min(self.dice.roll(20)),
                _ => self.dice.roll(20),
            };
            margin = face + save(&self.all[who].block, ability) - dc;
            margin += self.dice_of_help(who, "saves");
        }
        let name = self.all[who].name.clone();
        if margin < 0 && !self.plain && self.all[who].resistances > 0 {
            self.all[who].resistances -= 1;
            margin = 0;
            self.say(format!("{name} resists"));
        }
        let how = if margin >= 0 {
            "saves"
        } else {
            "fails to save"
        };
        self.say(format!("{name} {how} against {}", short(action)));
        margin
    }
}

/// The name of an action without what follows it in parentheses.
pub(super) fn short(action: &Value) -> String {
    bare(text(action, "name")).to_owned()
}
