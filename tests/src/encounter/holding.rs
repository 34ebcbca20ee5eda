//! Who holds whom (SRD 5.1, "Conditions: Grappled"): docs/encounters.md, "Holding".

use super::block::{list, modifier, number, text};
use super::fight::Battle;
use super::hits::short;
use serde_json::Value;

/// Somebody who is held: with which action of the holder.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Holds {
    pub(super) whom: usize,
    by: String,
    /// Which of its limbs holds it: the index of the action, and the number of the limb.
    limb: (usize, usize),
}

/// The size of a creature, or the greatest that something holds.
fn size(value: &Value) -> Option<f64> {
    value.as_f64()
}

/// What an action holds somebody with.
fn grip(action: &Value, plain: bool) -> Option<&Value> {
    Some(&action["grapples"]).filter(|grip| grip.is_object() && !plain)
}

fn is_immune(block: &Value, condition: &str) -> bool {
    let mut names = list(block, "condition immune").iter();
    names.any(|name| name == condition)
}

/// Whether somebody is small enough for a grip, and not immune.
pub(super) fn can_be_held(block: &Value, grip: &Value) -> bool {
    let own = size(&block["size"]).unwrap_or(5.0);
    let fits = size(&grip["max size"]).is_none_or(|max| own <= max);
    fits && !is_immune(block, "grappled")
}

impl Battle<'_> {
    /// Those who hold somebody, in the order in which they are listed, each with its action.
    fn holders(&self, who: usize) -> Vec<(usize, Value)> {
        let mut all = Vec::new();
        for (holder, one) in self.all.iter().enumerate() {
            for held in one.holds.iter().filter(|held| held.whom == who) {
                all.push((holder, self.holding_action(holder, &held.by)));
            }
        }
        all
    }

    fn holding_action(&self, holder: usize, by: &str) -> Value {
        let block = &self.all[holder].block;
        let own = self.all[holder].features.iter().map(|one| one.1.clone());
        let listed = ["actions", "legendary"].into_iter();
        let listed = listed.flat_map(|member| list(block, member)).cloned();
        let mut actions = listed.chain(own);
        let found = actions.find(|action| action["grapples"].is_object() && short(action) == by);
        found.expect("it holds with one of its actions")
    }

    /// Whether somebody is held at all.
    pub(super) fn is_held(&self, who: usize) -> bool {
        let mut held = self.all.iter().flat_map(|one| &one.holds);
        held.any(|held| held.whom == who)
    }

    /// Whether somebody is restrained by somebody who holds it.
    pub(super) fn is_bound(&self, who: usize) -> bool {
        let restrains = |(_, action): &(usize, Value)| action["grapples"]["restrains"] == true;
        let is_bound = self.holders(who).iter().any(restrains);
        is_bound && !is_immune(&self.all[who].block, "restrained")
    }

    /// Whether somebody holds anybody.
    pub(super) fn is_holding(&self, who: usize) -> bool {
        !self.all[who].holds.is_empty()
    }

    /// The one whom an action has to be about while its creature holds it.
    pub(super) fn only_target(&self, who: usize, action: &Value) -> Option<usize> {
        let grip = grip(action, self.plain)?;
        let mut holds = self.all[who].holds.iter();
        let held = holds.find(|held| held.by == short(action));
        held.filter(|_| grip["only held"] == true)
            .map(|held| held.whom)
    }

    /// Whether somebody holds another one, by whatever action.
    pub(super) fn holds_by_any(&self, who: usize, foe: usize) -> bool {
        self.all[who].holds.iter().any(|held| held.whom == foe)
    }

    /// Whether an attack hits whatever is rolled because somebody is held.
    pub(super) fn cannot_miss(&self, who: usize, foe: usize, action: &Value) -> bool {
        let mut holds = self.all[who].holds.iter();
        grip(action, self.plain).is_some_and(|grip| grip["cannot miss"] == true)
            && holds.any(|held| held.whom == foe && held.by == short(action))
    }

    /// Whether an attack has advantage because somebody is held.
    pub(super) fn gains_by_holding(&self, who: usize, foe: usize, action: &Value) -> bool {
        let mut holds = self.all[who].holds.iter();
        grip(action, self.plain).is_some_and(|grip| grip["advantage"] == true)
            && holds.any(|held| held.whom == foe && held.by == short(action))
    }

    /// Somebody who was hit, or who failed a save, is held.
    pub(super) fn seize(&mut self, who: usize, foe: usize, action: &Value) {
        let Some(grip) = grip(action, self.plain).filter(|_| self.can_seize(who, foe, action))
        else {
            return;
        };
        let by = short(action);
        let limb = self.free_limb(who, &by);
        self.all[who].holds.push(Holds {
            whom: foe,
            by,
            limb,
        });
        self.all[who].holds.sort_by_key(|held| held.limb);
        let restrains = grip["restrains"] == true && !is_immune(&self.all[foe].block, "restrained");
        let how = if restrains {
            "grappled and restrained"
        } else {
            "grappled"
        };
        let line = format!("{} is {how} by {}", self.all[foe].name, self.all[who].name);
        self.say(line);
        (self.all[who].left, self.all[foe].left) = (0, 0);
    }

    /// Whether somebody can hold another one with an action that holds.
    pub(super) fn can_seize(&self, who: usize, foe: usize, action: &Value) -> bool {
        let Some(grip) = grip(action, self.plain) else {
            return false;
        };
        let fits = can_be_held(&self.all[foe].block, grip);
        let most = grip["holds"].as_u64().unwrap_or(1) as usize;
        let by = short(action);
        let mine = self.all[who].holds.iter().filter(|held| held.by == by);
        let is_full = mine.clone().count() >= most;
        let is_mine = mine.into_iter().any(|held| held.whom == foe);
        self.able(who) && self.all[foe].hp > 0 && fits && !is_full && !is_mine
    }

    /// The first limb that holds nobody with an action.
    fn free_limb(&self, who: usize, by: &str) -> (usize, usize) {
        let one = &self.all[who];
        let own = one.features.iter().map(|feature| &feature.1);
        let all = list(&one.block, "actions").iter().chain(own);
        let at = all.map(short).position(|name| name == by);
        let at = at.unwrap_or(usize::MAX);
        let is_taken = |limb: &usize| one.holds.iter().any(|held| held.limb == (at, *limb));
        let limb = (0..).find(|limb| !is_taken(limb)).expect("a number");
        (at, limb)
    }

    /// Whether something that only holds can hold anybody of the other side.
    pub(super) fn may_seize(&self, who: usize, action: &Value) -> bool {
        let Some(grip) = grip(action, self.plain) else {
            return true;
        };
        let mut foes = self.all.iter().filter(|one| one.side != self.all[who].side);
        foes.any(|foe| can_be_held(&foe.block, grip))
    }

    /// Somebody who has fallen is not held any more, and holds nobody.
    pub(super) fn fallen(&mut self, who: usize) {
        for one in &mut self.all {
            one.holds.retain(|held| held.whom != who);
        }
        self.let_go(who);
    }

    /// Somebody holds nobody any more.
    pub(super) fn let_go(&mut self, who: usize) {
        for held in std::mem::take(&mut self.all[who].holds) {
            let name = &self.all[held.whom].name;
            let line = format!("{name} is no longer grappled by {}", self.all[who].name);
            self.say(line);
        }
    }

    /// Whether somebody uses its action to escape, and does: `stuck` says that it reaches nobody.
    pub(super) fn escapes(&mut self, who: usize, stuck: bool) -> bool {
        let wants = match self.escape[self.all[who].side].as_str() {
            "always" => self.is_held(who),
            "restrained" => self.is_bound(who) || stuck && self.is_held(who),
            "never" => false,
            _ => stuck && self.is_held(who),
        };
        let Some((holder, action)) = self.holders(who).into_iter().next().filter(|_| wants) else {
            return false;
        };
        let block = &self.all[who].block;
        let skill = |name: &str, ability: &str| {
            let own = block["skills"][name].as_i64();
            own.unwrap_or_else(|| modifier(block, ability))
        };
        let bonus = skill("athletics", "STR").max(skill("acrobatics", "DEX"));
        let names = [
            "frightened",
            "poisoned",
            "hampered in checks",
            "hampered in escapes",
        ];
        let hinders =
            action["grapples"]["hinders escape"] == true || self.suffers_from(who, &names);
        let gains = self.is(who, "Adept") || self.is(who, "Wriggle");
        let face = self.d20(gains, hinders);
        let (total, dc) = (face + bonus, number(&action["grapples"], "escape dc"));
        let fails = self.suffers_from(who, &["unable to succeed in checks", "unable to escape"]);
        let is_sure = self.is(who, "Slippery") || self.is(who, "Born Lucky");
        let is_free = !fails && (is_sure || total >= dc);
        let how = match is_free {
            true => "escapes",
            false => "does not escape",
        };
        self.say(format!(
            "{} {how} from {}: {total} against {dc}",
            self.all[who].name, self.all[holder].name
        ));
        if !is_free {
            return true;
        }
        let by = short(&action);
        self.all[holder]
            .holds
            .retain(|held| held.whom != who || held.by != by);
        if !self.is_held(who) {
            self.get_away(who);
        }
        true
    }

    /// What those take who are held, at the start of their turns.
    pub(super) fn squeeze(&mut self, who: usize) {
        for (holder, action) in self.holders(who) {
            let parts = list(&action["grapples"], "damage").to_vec();
            if parts.is_empty() || self.all[who].hp <= 0 {
                continue;
            }
            let line = format!(
                "{} hurts {} with {}",
                self.all[holder].name,
                self.all[who].name,
                text(&action, "name")
            );
            self.say(line);
            self.lose(who, &parts);
        }
    }
}
