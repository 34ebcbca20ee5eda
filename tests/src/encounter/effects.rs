//! Conditions that somebody suffers from, and when they end.

use super::block::{conditions, list, part, save, text};
use super::endings::{Ends, lasts};
use super::fight::Battle;
use super::hits::short;
use super::outcomes::is_final;
use serde_json::Value;

/// An effect that somebody suffers from.
#[derive(Clone, Debug)]
pub(super) struct Suffers {
    /// Who causes it and how.
    pub(super) from: (usize, String),
    pub(super) conditions: Vec<String>,
    pub(super) turns: i64,
    pub(super) ends: Ends,
    pub(super) action: Value,
    /// Who causes it, and whether by concentration.
    pub(super) cause: usize,
    pub(super) concentrates: bool,
}

impl Suffers {
    fn is_kept_by(&self, who: usize) -> bool {
        self.concentrates && self.cause == who
    }
}

impl Battle<'_> {
    /// Whether somebody suffers from one of these conditions, to which it is not immune.
    pub(super) fn suffers_from(&self, who: usize, names: &[&str]) -> bool {
        let one = &self.all[who];
        let immune = list(&one.block, "condition immune");
        let all = one.suffers.iter().flat_map(|suffers| &suffers.conditions);
        let mut all = all.filter(|name| !immune.iter().any(|other| other == *name));
        let suffers = all.any(|name| names.contains(&name.as_str()));
        suffers || names.contains(&"restrained") && self.is_bound(who)
    }

    /// Whether a feature of somebody is disabled.
    pub(super) fn is_without(&self, who: usize, name: &str) -> bool {
        let all = self.all[who].suffers.iter();
        let mut all = all.flat_map(|suffers| &suffers.conditions);
        all.any(|condition| condition.strip_prefix("without ") == Some(name))
    }

    pub(super) fn suffer(
        &mut self,
        who: usize,
        foe: usize,
        action: &Value,
        from: (usize, String),
        saved: bool,
    ) {
        let names = conditions(action);
        let names = match (names.is_empty(), list(&action["save"], "each turn").first()) {
            (true, None) => return,
            (true, Some(one)) if part(one).1 == "fire" => vec!["burning".to_owned()],
            (true, Some(_)) => vec!["wounded".to_owned()],
            (false, _) => names,
        };
        let once = safe(action) != Safe::Never;
        let goes_on = safe(action) == Safe::SavedLater;
        let immune = list(&self.all[foe].block, "condition immune");
        let immune = names
            .iter()
            .all(|name| immune.iter().any(|other| other == name));
        if saved && once {
            self.all[foe]
                .suffers
                .retain(|one| goes_on || one.from != from);
            self.all[foe].safe.push(from);
        } else if !saved && !immune && is_final(&action["save"]) {
            self.turns_to_stone(foe);
        } else if !saved && !immune {
            let line = format!("{} is {}", self.all[foe].name, names.join(" and "));
            self.all[foe].suffers.retain(|one| one.from != from);
            let (turns, ends) = lasts(&action["save"]);
            self.all[foe].suffers.push(Suffers {
                from,
                conditions: names,
                turns,
                ends,
                action: action.clone(),
                cause: who,
                concentrates: action["concentration"] == true,
            });
            self.say(line);
            if !self.able(foe) {
                self.let_go(foe);
                self.end_effects(foe);
            }
        }
    }

    /// Whether somebody concentrates: somebody who stands suffers from what it did.
    pub(super) fn is_concentrating(&self, who: usize) -> bool {
        let mut standing = self.all.iter().filter(|one| one.hp > 0);
        let keeps = standing.any(|one| one.suffers.iter().any(|suffers| suffers.is_kept_by(who)));
        keeps || self.keeps_help(who)
    }

    /// What ends with somebody's concentration.
    pub(super) fn end_effects(&mut self, who: usize) {
        for one in &mut self.all {
            let (over, left) = std::mem::take(&mut one.suffers)
                .into_iter()
                .partition(|suffers| suffers.is_kept_by(who));
            one.suffers = left;
            let over: Vec<Suffers> = over;
            for suffers in over.into_iter().filter(|_| one.hp > 0) {
                let names = suffers.conditions.join(" and ");
                self.lines
                    .push(format!("{} is no longer {names}", one.name));
            }
        }
        self.end_help(who);
    }

    /// Somebody takes damage while it concentrates.
    pub(super) fn keep_concentration(&mut self, who: usize, damage: i64) {
        if damage == 0 || !self.is_concentrating(who) {
            return;
        }
        let dc = (damage / 2).max(10);
        let total = self.dice.roll(20) + save(&self.all[who].block, "CON");
        let total = total + self.dice_of_help(who, "saves");
        let how = if total < dc { "loses" } else { "keeps" };
        let name = &self.all[who].name;
        let line = format!("{name} {how} its concentration: {total} against {dc}");
        self.say(line);
        if total < dc {
            self.end_effects(who);
        }
    }

    /// What somebody suffers from, in the order in which the causes are listed.
    pub(super) fn order(&self, who: usize) -> Vec<(usize, String)> {
        let suffers = self.all[who].suffers.iter();
        self.in_order(suffers.map(|one| one.from.clone()).collect())
    }

    /// Causes in the order in which they are listed.
    pub(super) fn in_order(&self, causes: Vec<(usize, String)>) -> Vec<(usize, String)> {
        let mut order = causes;
        if order.len() < 2 {
            return order;
        }
        order.sort_by_key(|(kind, full)| {
            let (name, part) = full.split_once('|').unwrap_or((full, ""));
            let mut all = self.all.iter();
            let one = all.find(|one| one.kind == *kind).expect("it fights");
            let own = one.features.iter().map(|feature| &feature.1);
            let own = list(&one.block, "actions").iter().chain(own).map(short);
            let asides = one.asides.iter().map(|aside| aside.name.to_owned());
            let legendary = list(&one.block, "legendary").iter().map(short);
            // What spells do besides comes last.
            let mut all = own.chain(asides).chain(legendary);
            let at = all.position(|action| action == *name);
            let at = at.unwrap_or(usize::MAX);
            (*kind, at, part.to_owned())
        });
        order
    }

    /// The end of a turn.
    pub(super) fn end(&mut self, who: usize) {
        for from in self.order(who) {
            let suffers = self.all[who].suffers.iter();
            let mut suffers = suffers.filter(|one| one.from == from);
            let Some(one) = suffers.next().cloned() else {
                continue;
            };
            if one.ends == Ends::OwnEnd && one.turns == 1 && self.saves_again(who, &one) {
                if self.all[who].hp <= 0 {
                    return;
                }
                continue;
            }
            let is_over = match one.ends {
                _ if one.conditions == ["prone"] => false,
                Ends::OwnEnd => self.counts_down(who, &one),
                Ends::CauseStart | Ends::CauseEnd | Ends::CauseMove => self.all[one.cause].hp <= 0,
                _ => false,
            };
            if is_over {
                self.is_over(who, &from);
            }
        }
    }

    /// One turn less is left of an effect: whether it is over.
    fn counts_down(&mut self, who: usize, one: &Suffers) -> bool {
        let suffers = self.all[who].suffers.iter_mut();
        suffers
            .filter(|other| other.from == one.from)
            .for_each(|other| other.turns -= 1);
        let save = &one.action["save"];
        if one.turns == 1 {
            return true;
        }
        match save["again"].is_object() {
            true => {
                let mut again = one.action.clone();
                again["save"]["ability"] = save["again"]["ability"].clone();
                again["save"]["dc"] = save["again"]["dc"].clone();
                again["save"]["edge"] = save["again"]["edge"].clone();
                self.save(who, &again)
            }
            false => save["repeats"].is_string() && self.save(who, &one.action),
        }
    }
}

/// Who is safe from what an action does.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Safe {
    Never,
    /// Those who have made the save, though what they suffer from goes on.
    SavedLater,
    /// Those who have made the save.
    Saved,
    /// Those, too, for whom it is over.
    Over,
}

pub(super) fn safe(action: &Value) -> Safe {
    match text(&action["save"], "immune") {
        "saved" => return Safe::SavedLater,
        "saved or over" => return Safe::Over,
        _ => {}
    }
    match text(action, "name") {
        "Frightful Presence" | "Horrific Appearance" => Safe::Over,
        "Stench" | "Fear Aura" => Safe::Saved,
        _ => Safe::Never,
    }
}
