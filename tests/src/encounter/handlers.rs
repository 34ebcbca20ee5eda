//! What features do at events of a fight, and when nothing comes of it.

use super::block::{conditions, has, has_gear, list, number, text};
use super::effects::{Safe, safe};
use super::features::Event;
use super::fight::Battle;
use super::hits::short;
use serde_json::Value;

impl Battle<'_> {
    /// What the features of somebody do at its hit.
    pub(super) fn act_at_hit(&mut self, who: usize, foe: usize, melee: bool) {
        let at_hit = self.of_event(Event::Hits, who).into_iter();
        let at_hit = at_hit.filter(|action| action["melee only"] != true || melee);
        self.play(Event::Hits, who, foe, at_hit.collect());
    }

    /// What the features of somebody do at an event, about somebody else if not in an area.
    pub(super) fn act_at(&mut self, event: Event, who: usize, other: usize) {
        let actions = self.of_event(event, who);
        self.play(event, who, other, actions);
    }

    /// What the features of somebody do at an event.
    fn of_event(&self, event: Event, who: usize) -> Vec<Value> {
        let all = self.all[who].features.iter();
        let own = all.filter(|one| one.0 == event && !self.plain);
        own.map(|one| one.1.clone()).collect()
    }

    fn play(&mut self, event: Event, who: usize, other: usize, actions: Vec<Value>) {
        for action in actions {
            let is_without = self.is_without(who, &short(&action));
            if is_without || !self.may_seize(who, &action) || self.is_unseen(who, other, &action) {
                continue;
            }
            let is_late = event == Event::Hits && self.all[other].hp <= 0;
            let mut foes = self.all.iter().filter(|one| one.side != self.all[who].side);
            let only_corrodes = action["corrodes"].is_string() && !action["damage"].is_array();
            let is_vain = only_corrodes && !foes.any(|one| has_gear(&one.block));
            let taken = conditions(&action).into_iter();
            let mut taken =
                taken.filter_map(|name| Some(name.strip_prefix("without ")?.to_owned()));
            let is_vain = is_vain
                || taken.any(|name| {
                    let mut foes = self.all.iter().filter(|one| one.side != self.all[who].side);
                    !foes.any(|one| has(&one.block, &name))
                });
            if is_late || is_vain || action["needs distances"] == true && self.distance.is_none() {
                continue;
            }
            let foes = 1 - self.all[who].side;
            if let Some(amount) = action["mends"].as_i64() {
                if self.all[who].hp <= number(&action, "below") && self.all[who].hp > 0 {
                    self.mend(who, &short(&action), amount);
                }
                continue;
            }
            match action["area"].is_object() {
                true if self.standing(foes).next().is_some() => self.blast(who, &action),
                true => {}
                false if self.is_too_far(who, other, &action) => {}
                false if self.is_vain(who, other, &action) => {}
                false => {
                    let line = format!("{} uses {}", self.all[who].name, short(&action));
                    self.say(line);
                    let rolled = self.rolled(list(&action, "damage"));
                    self.saves(who, other, &action, &rolled, true);
                    self.corrode(other, text(&action, "corrodes"));
                    self.seize(who, other, &action);
                }
            }
        }
    }

    /// Whether somebody suffers from an action already, or is safe from it.
    pub(super) fn is_safe_from(&self, foe: usize, action: &Value, from: &(usize, String)) -> bool {
        let is_on = self.all[foe].suffers.iter().any(|one| one.from == *from);
        match safe(action) {
            Safe::Never => false,
            Safe::SavedLater => self.all[foe].safe.contains(from),
            Safe::Saved | Safe::Over => is_on || self.all[foe].safe.contains(from),
        }
    }

    /// Whether a gaze or an aura does not act: its creature cannot, or nobody sees it.
    fn is_unseen(&self, who: usize, other: usize, action: &Value) -> bool {
        let is_blind = || self.suffers_from(other, &["blinded"]) || self.all[other].averts;
        action["sight"] == true && (!self.able(who) || action["gaze"] == true && is_blind())
    }

    /// Whether what a feature does to somebody would change nothing.
    fn is_vain(&self, who: usize, foe: usize, action: &Value) -> bool {
        let from = (self.all[who].kind, short(action));
        let is_damage = action["damage"].is_array();
        let does_more = is_damage || action["save"].is_object() || action["corrodes"].is_string();
        let only_holds = action["grapples"].is_object() && !does_more;
        let is_safe = !is_damage && self.is_safe_from(foe, action, &from);
        is_safe
            || short(action) == "Stench" && self.is(foe, "Strong Stomach")
            || only_holds && !self.can_seize(who, foe, action)
    }
}
