//! Actions that heal, and whom a side heals.

use super::block::{bare, list, number, text};
use super::casting::slot;
use super::dying::Fate;
use super::fight::{Battle, Side};
use serde_json::Value;

/// An action that heals, and how often it may still be used if that is not always.
#[derive(Clone, Debug)]
pub(super) struct Heals {
    pub(super) action: Value,
    pub(super) left: Option<i64>,
}

/// What heals somebody's friends. Nobody has any if nobody of the side could ever need it.
pub(super) fn heals(block: &Value, side: &Side, plain: bool) -> Vec<Heals> {
    let mut friends = side.kinds.iter();
    let is_of_use = match side.heal.as_str() {
        "never" => false,
        "half" => true,
        _ => friends.any(|one| one.0["character"] == true),
    };
    let for_itself = |action: &Value| text(action, "on") == "self" && side.heal != "never";
    let actions = list(block, "actions").iter();
    let healing = actions.filter(|action| {
        action["heals"].is_string() && (is_of_use || for_itself(action)) && !plain
    });
    let all = healing.map(|action| Heals {
        action: action.clone(),
        left: action["usage"]
            .is_object()
            .then(|| action["usage"]["per day"].as_i64().unwrap_or(1)),
    });
    all.collect()
}

impl Battle<'_> {
    /// What comes back at the beginning of a turn.
    pub(super) fn recharge_healing(&mut self, who: usize) {
        for index in 0..self.all[who].heals.len() {
            let one = &self.all[who].heals[index];
            let faces = text(&one.action["usage"], "recharge").to_owned();
            if one.left == Some(0) && !faces.is_empty() {
                let lowest: i64 = faces[..1].parse().expect("a face");
                if self.dice.roll(6) >= lowest {
                    self.all[who].heals[index].left = Some(1);
                }
            }
        }
    }

    /// Heals as a bonus action, and as an action. Gives whether the action is spent.
    pub(super) fn heal(&mut self, who: usize) -> bool {
        let is_busy = !self.all[who].busy && self.heal_once(who, true);
        self.all[who].busy |= is_busy;
        if is_busy {
            self.spend_smite(who);
        }
        self.heal_once(who, false)
    }

    fn heal_once(&mut self, who: usize, bonus: bool) -> bool {
        let mut all = 0..self.all[who].heals.len();
        let of_turn = |index: &usize| {
            let one = &self.all[who].heals[*index];
            (one.action["bonus action"] == true) == bonus && self.heals_whom(who, *index).is_some()
        };
        let chosen = all.find(of_turn);
        chosen.is_some_and(|index| self.heal_with(who, index))
    }

    /// Whom somebody would heal with something; nobody without uses or need.
    fn heals_whom(&self, who: usize, index: usize) -> Option<usize> {
        let one = &self.all[who];
        let heals = &one.heals[index];
        let slots = slot(&heals.action).map(|level| one.slots.get(level).copied().unwrap_or(0));
        if slots.or(heals.left) == Some(0) {
            return None;
        }
        match text(&heals.action, "on") {
            "self" => (one.hp > 0 && 2 * one.hp <= number(&one.block, "hp")).then_some(who),
            _ => self.in_need(one.side),
        }
    }

    /// Heals whoever needs it most. Gives whether there are uses, and somebody needs it.
    pub(super) fn heal_with(&mut self, who: usize, index: usize) -> bool {
        let Some(friend) = self.heals_whom(who, index) else {
            return false;
        };
        let one = &mut self.all[who].heals[index];
        one.left = one.left.map(|left| left - 1);
        let action = one.action.clone();
        if let Some(level) = slot(&action) {
            self.all[who].slots[level] -= 1;
        }
        let amount = self.dice.total(text(&action, "heals"), 1);
        let most = number(&self.all[friend].block, "hp");
        let had = self.all[friend].hp;
        let has = (had + amount).min(most);
        self.all[friend].hp = has;
        self.all[friend].fate = Fate::Dying(0, 0);
        self.say(format!(
            "{} heals {} with {} by {} to {has} hit points",
            self.all[who].name,
            self.all[friend].name,
            bare(text(&action, "name")),
            has - had
        ));
        true
    }

    /// Who is healed next: the first of those at 0 hit points, else the one with the fewest.
    fn in_need(&self, side: usize) -> Option<usize> {
        let friends = || (0..self.all.len()).filter(|&who| self.all[who].side == side);
        let fallen = friends().find(|&who| {
            let one = &self.all[who];
            self.is_character(who) && one.hp == 0 && one.fate != Fate::Dead
        });
        let halved = |who: &usize| {
            let one = &self.all[*who];
            self.heal[side] == "half" && one.hp > 0 && 2 * one.hp <= number(&one.block, "hp")
        };
        let weak = friends().filter(halved);
        fallen.or_else(|| weak.min_by_key(|&who| self.all[who].hp))
    }
}
