//! Conditions that somebody suffers from, and when they end.

use super::block::{conditions, list, text};
use super::features::features;
use super::fight::Battle;
use super::hits::short;
use serde_json::Value;

/// An effect that somebody suffers from.
#[derive(Clone, Debug)]
pub(super) struct Suffers {
    /// Who causes it and how.
    pub(super) from: (usize, String),
    pub(super) conditions: Vec<String>,
    turns: i64,
    action: Value,
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

    pub(super) fn suffer(
        &mut self,
        foe: usize,
        action: &Value,
        from: (usize, String),
        saved: bool,
    ) {
        let names = conditions(action);
        if names.is_empty() {
            return;
        }
        let once = safe(action) != Safe::Never;
        let immune = list(&self.all[foe].block, "condition immune");
        let immune = names
            .iter()
            .all(|name| immune.iter().any(|other| other == name));
        if saved && once {
            self.all[foe].suffers.retain(|one| one.from != from);
            self.all[foe].safe.push(from);
        } else if !saved && self.all[foe].hp > 0 && !immune {
            let line = format!("{} is {}", self.all[foe].name, names.join(" and "));
            self.all[foe].suffers.retain(|one| one.from != from);
            let turns = match text(&action["save"], "lasts") {
                "for 1 minute" => 10,
                lasts if lasts.contains("hour") => 1000,
                _ => 1,
            };
            self.all[foe].suffers.push(Suffers {
                from,
                conditions: names,
                turns,
                action: action.clone(),
            });
            self.say(line);
            if !self.able(foe) {
                self.let_go(foe);
            }
        }
    }

    /// The end of a turn.
    pub(super) fn end(&mut self, who: usize) {
        // In the order in which the causes are listed.
        let mut order: Vec<(usize, String)> = self.all[who]
            .suffers
            .iter()
            .map(|one| one.from.clone())
            .collect();
        let blocks: Vec<(usize, Value)> = self
            .all
            .iter()
            .map(|one| (one.kind, one.block.clone()))
            .collect();
        order.sort_by_key(|(kind, name)| {
            let block = &blocks
                .iter()
                .find(|one| one.0 == *kind)
                .expect("it fights")
                .1;
            let own: Vec<Value> = features(block).into_iter().map(|one| one.1).collect();
            let actions = list(block, "actions").iter().chain(&own);
            let actions = actions.chain(list(block, "legendary"));
            let at = actions.map(short).position(|action| action == *name);
            (*kind, at)
        });
        for from in order {
            let at = self.all[who]
                .suffers
                .iter()
                .position(|one| one.from == from);
            let Some(at) = at.filter(|&at| self.all[who].suffers[at].conditions != ["prone"])
            else {
                continue;
            };
            self.all[who].suffers[at].turns -= 1;
            let one = self.all[who].suffers[at].clone();
            let repeats = one.action["save"]["repeats"].is_string();
            let over = one.turns == 0 || repeats && self.save(who, &one.action);
            if over {
                let name = &self.all[who].name;
                let line = format!("{name} is no longer {}", one.conditions.join(" and "));
                self.say(line);
                self.all[who].suffers.remove(at);
                if safe(&one.action) == Safe::Over {
                    self.all[who].safe.push(from);
                }
            }
        }
    }
}

/// Who is safe from what an action does.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Safe {
    Never,
    /// Those who have made the save.
    Saved,
    /// Those, too, for whom it is over.
    Over,
}

pub(super) fn safe(action: &Value) -> Safe {
    match text(action, "name") {
        "Frightful Presence" | "Horrific Appearance" => Safe::Over,
        "Stench" => Safe::Saved,
        _ => Safe::Never,
    }
}
