//! What a creature chooses to do in its turn: docs/encounters.md, "Choices".

use super::block::{
    Means, Sort, alternatives, average, bare, conditions, is_kind, list, number, part, save, sort,
    taken, text,
};
use super::boons::{help, turns};
use super::effects::{Safe, safe};
use super::endings::{Ends, lasts};
use super::fight::Battle;
use super::holding::can_be_held;
use serde_json::Value;

/// Actions, and how often each is done.
pub(super) type Deeds = Vec<(Value, String)>;

/// What somebody may do in its turns.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    /// What it does if nothing else is better or possible.
    pub(super) usual: Deeds,
    /// What is better where it is possible, the best first.
    pub(super) preferred: Vec<Deeds>,
    /// The worth of the usual ones.
    pub(super) worth: i64,
}

impl Choices {
    /// Whether an action is a step of one of them.
    pub(super) fn has(&self, name: &str) -> bool {
        let all = self.preferred.iter().chain([&self.usual]).flatten();
        all.map(|one| &one.0)
            .any(|action| text(action, "name") == name)
    }
}

/// An alternative: what it is, what it is worth, whether it does damage, whether it is not always
/// possible.
type Alternative = (Deeds, i64, bool, bool);

/// How often a step happens, as text, and twice its average.
fn count(step: &Value) -> (String, i64) {
    match &step["count"] {
        Value::String(heads) if heads == "Number of Heads" => ("5".to_owned(), 10),
        Value::String(dice) => (dice.clone(), average(dice)),
        number => (number.to_string(), 2 * number.as_i64().unwrap_or(1)),
    }
}

/// Twice the damage of an action and its save, if everybody fails.
fn double_damage(action: &Value) -> i64 {
    let all = list(action, "damage").iter();
    let all = all.chain(list(&action["save"], "damage"));
    let once: i64 = all.map(|one| average(part(one).0)).sum();
    once * action["times"].as_i64().unwrap_or(1)
}

/// Twice the damage of a turn in which everything hits.
fn power(block: &Value) -> i64 {
    let actions = list(block, "actions");
    let free = actions.iter().filter(|action| !action["usage"].is_object());
    let single = free.map(double_damage).max().unwrap_or(0);
    let several = actions.iter().flat_map(alternatives).map(|steps| {
        let each = steps.iter().map(|step| {
            let mut named = actions.iter();
            let named = named.find(|action| text(action, "name") == text(step, "action"));
            named.map_or(0, double_damage) * count(step).1 / 2
        });
        each.sum::<i64>()
    });
    single.max(several.max().unwrap_or(0))
}

/// The part of a turn in hundredths that conditions cost somebody.
fn loses(block: &Value, conditions: &[String]) -> i64 {
    let immune = list(block, "condition immune");
    let costs = conditions.iter().map(|name| match name.as_str() {
        own if immune.iter().any(|other| other == own) => 0,
        "incapacitated" | "paralyzed" | "petrified" | "stunned" | "unconscious" | "surprised" => {
            100
        }
        "blinded" | "restrained" => 50,
        "frightened" | "poisoned" | "hampered in attacks" | "outlined" => 25,
        _ => 0,
    });
    costs.max().unwrap_or(0)
}

/// The most attacks in a turn, with weapons or also with spells.
fn swings(block: &Value, has_spells: bool) -> i64 {
    let is_swing = |action: &Value| is_swing(action) && (has_spells || action["spell"] != true);
    let actions = list(block, "actions");
    let times = |action: &Value| match is_swing(action) {
        true => action["times"].as_i64().unwrap_or(1),
        false => 0,
    };
    let single = actions.iter().map(times).max().unwrap_or(0);
    let several = actions.iter().flat_map(alternatives).map(|steps| {
        let each = steps.iter().map(|step| {
            let mut named = actions.iter().filter(|action| is_swing(action));
            let named = named.find(|action| text(action, "name") == text(step, "action"));
            named.map_or(0, times) * count(step).1 / 2
        });
        each.sum::<i64>()
    });
    single.max(several.max().unwrap_or(0))
}

fn is_swing(action: &Value) -> bool {
    action["bonus"].is_i64() && !action["usage"].is_object()
}

/// The names in an outcome that are conditions.
pub(super) fn conditions_of(outcome: &Value) -> Vec<String> {
    conditions(&serde_json::json!({ "save": outcome }))
}

impl Battle<'_> {
    /// Twice the damage of parts to somebody, on average.
    fn double_taken(&self, foe: usize, parts: &[Value], means: Means) -> i64 {
        let each = parts.iter().map(|one| {
            let (dice, kind) = part(one);
            taken(&self.all[foe].block, kind, means, average(dice).max(0))
        });
        each.sum()
    }

    /// What the save of an action is worth against somebody.
    fn suffering(&self, foe: usize, action: &Value, damage: &[Value], means: Means) -> i64 {
        let own = &action["save"];
        let block = &self.all[foe].block;
        if own.is_object() && !is_kind(block, &own["only"]) {
            return 0;
        }
        let fails_by = |margin: i64| match own.is_object() {
            true => (number(own, "dc") - margin - save(block, text(own, "ability"))).clamp(0, 20),
            false => 20,
        };
        let fails = fails_by(1);
        let lost = self.double_taken(foe, damage, means) * 1000 * 100;
        let half = if text(own, "on success") == "half" {
            lost / 2
        } else {
            0
        };
        let mut all = fails * lost + (20 - fails) * half;
        let power = power(block);
        let effect = |chance: i64, outcome: &Value, names: &[String], turns: i64| {
            let each = self.double_taken(foe, list(outcome, "each turn"), Means::Other) * 100;
            chance * turns.min(3000) * (each + power * loses(block, names))
        };
        let turns = |outcome: &Value| match lasts(outcome) {
            (turns, Ends::OwnEnd) => turns * 1000,
            _ => 1000,
        };
        if own.is_object() {
            let names = conditions(action);
            let is_repeated = own["repeats"].is_string() && names != ["prone"];
            let turns = match is_repeated {
                true => 20 * 1000 / (20 - fails).max(1),
                false => turns(own),
            };
            all += effect(fails, own, &names, turns);
        } else {
            let outcome = &action["inflicts"];
            all += effect(20, outcome, &conditions_of(outcome), turns(outcome));
        }
        for (chance, member) in [
            (fails_by(5), "fails by 5"),
            (fails * fails / 20, "fails twice"),
        ] {
            let outcome = &own[member];
            if outcome.is_object() {
                all += effect(chance, outcome, &conditions_of(outcome), turns(outcome));
            }
        }
        all
    }

    /// What an action is worth against somebody.
    fn worth_against(&self, who: usize, foe: usize, action: &Value) -> i64 {
        let block = &self.all[foe].block;
        if !is_kind(block, &action["only"]) {
            return 0;
        }
        let of_save = list(&action["save"], "damage");
        let means = match action["spell"] == true {
            true => Means::Spell,
            false => Means::Other,
        };
        match sort(action, self.plain) {
            Sort::Nothing | Sort::Help => 0,
            Sort::Save => {
                let mut damage = list(action, "damage").to_vec();
                damage.extend_from_slice(of_save);
                400 * self.suffering(foe, action, &damage, means)
            }
            Sort::Attack => {
                let needed = number(block, "ac") - number(action, "bonus");
                let hits = (21 - needed).clamp(1, 19);
                let is_melee = text(action, "kind") != "ranged";
                let hits = hits * if is_melee { 20 } else { hits };
                let own = self.double_taken(foe, list(action, "damage"), self.means(who, action));
                let rider = match self.plain {
                    true => 0,
                    false => self.suffering(foe, action, of_save, means),
                };
                let grip = &action["grapples"];
                let holds = grip["restrains"] == true && !self.plain && can_be_held(block, grip);
                let held = match holds {
                    true => 20 * 1000 * power(block) * loses(block, &["restrained".to_owned()]),
                    false => 0,
                };
                hits * (20 * own * 1000 * 100 + rider + held)
            }
        }
    }

    /// What an action is worth against the enemies that the fight began with.
    pub(super) fn worth(&self, who: usize, action: &Value) -> i64 {
        if help(action).is_some() {
            return self.worth_of_help(who, action);
        }
        let side = 1 - self.all[who].side;
        let foes: Vec<usize> = (0..self.all.len())
            .filter(|&foe| self.all[foe].side == side)
            .collect();
        let count = foes.len() as i64;
        let all: i64 = foes
            .iter()
            .map(|&foe| self.worth_against(who, foe, action))
            .sum();
        let is_area = sort(action, self.plain) == Sort::Save && action["area"].is_object();
        let reached = if is_area { count.min(3) } else { 1 };
        all / count.max(1) * reached * action["times"].as_i64().unwrap_or(1)
    }

    /// What help is worth to somebody: the damage of three turns at most that it adds to the
    /// friend's, and that it takes from the enemies', divided by the friends.
    pub(super) fn worth_to(&self, friend: usize, action: &Value) -> i64 {
        let helps = &action["helps"];
        let side = self.all[friend].side;
        let dice = helps["attack rolls"].as_str().map_or(0, average);
        let unseen = if helps["invisible"] == true { 25 } else { 0 };
        let block = &self.all[friend].block;
        let mut gain = power(block) * (dice * 100 / 40 + unseen);
        if helps["hits"].is_object() {
            let has_spells = helps["hits of spells"] == true;
            gain += swings(block, has_spells) * average(part(&helps["hits"]).0) * 65;
        }
        let swings = swings(block, false);
        if helps["extra attack"] == true && swings > 0 {
            gain += power(block) / swings * 65;
        }
        let foes = self.all.iter().filter(|one| one.side != side);
        let powers: i64 = foes.map(|foe| power(&foe.block)).sum();
        let friends = self.all.iter().filter(|one| one.side == side).count() as i64;
        let is_hard = helps["blurred"] == true || helps["invisible"] == true;
        let hidden = if is_hard { 25 } else { 0 };
        let images = if helps["images"].is_u64() { 50 } else { 0 };
        let loss = powers * (number(helps, "ac") * 100 / 20 + hidden + images) / friends;
        let mut turns = turns(helps).min(3);
        if helps["marks"] == true && power(block) > 0 {
            // A mark lasts until its enemy falls.
            let foes = self.all.iter().filter(|one| one.side != side);
            let points: Vec<i64> = foes.map(|foe| number(&foe.block, "hp")).collect();
            let mean = 2 * points.iter().sum::<i64>() / points.len() as i64;
            turns = turns.min(mean / power(block));
        }
        (gain + loss) * turns * 1000
    }

    /// What help is worth: to those to whom it is worth most.
    fn worth_of_help(&self, who: usize, action: &Value) -> i64 {
        let friends = (0..self.all.len()).filter(|&one| self.all[one].side == self.all[who].side);
        let mut worths: Vec<i64> = match text(action, "on") {
            "self" => vec![self.worth_to(who, action)],
            _ => friends.map(|one| self.worth_to(one, action)).collect(),
        };
        worths.sort_by_key(|worth| std::cmp::Reverse(*worth));
        let targets = action["helps"]["targets"].as_u64().unwrap_or(1) as usize;
        let worth = 20 * 20 * 20 * worths.iter().take(targets).sum::<i64>();
        let spent = match action["bonus action"] == true {
            true if action["helps"]["attack"].is_object() => turns(&action["helps"]).min(3),
            true => 1,
            false => 0,
        };
        // It takes the place of attacks as a bonus action.
        let attacks = super::martial::bonus_attacks(&self.all[who].block).into_iter();
        let attacks = attacks.filter(|one| one.left.is_none());
        let instead = attacks
            .map(|one| one.times * self.worth(who, &one.action))
            .max();
        worth + self.worth_of_deed(who, action) - spent * instead.unwrap_or(0)
    }

    /// Whether an action is possible only on some creatures, or at some times.
    pub(super) fn is_conditional(&self, action: &Value) -> bool {
        let is_blast = sort(action, self.plain) == Sort::Save;
        let is_vain = is_blast && !conditions(action).is_empty() && safe(action) != Safe::Never;
        has_state(action) || is_vain
    }

    /// What somebody may do in its turns.
    pub(super) fn choices(&self, who: usize) -> Choices {
        let block = &self.all[who].block;
        let actions = list(block, "actions");
        let usable = |action: &&Value| {
            let is_limited = action["usage"].is_object();
            let is_help = matches!(sort(action, self.plain), Sort::Nothing | Sort::Help);
            !is_help && (!self.plain || !is_limited)
        };
        let mut all: Vec<Alternative> = Vec::new();
        let multiattack = actions
            .iter()
            .find(|action| !alternatives(action).is_empty());
        for steps in multiattack.into_iter().flat_map(alternatives) {
            let mut one: Alternative = (Vec::new(), 0, true, false);
            for step in steps {
                let mut named = actions
                    .iter()
                    .filter(|action| bare(text(action, "name")) == bare(text(step, "action")));
                let Some(action) = named.find(usable) else {
                    continue;
                };
                let (times, twice) = count(step);
                one.1 += twice * self.worth(who, action);
                one.3 |= action["usage"].is_object() || has_state(action);
                one.0.push((action.clone(), times));
            }
            all.push(one);
        }
        all.retain(|one| !one.0.is_empty());
        let has_multiattack = !all.is_empty();
        for action in actions.iter().filter(usable) {
            let is_conditional = self.is_conditional(action);
            let competes = is_conditional || is_spell(action);
            if action["usage"].is_object() || has_multiattack && !competes {
                continue;
            }
            let holds = list(&action["grapples"], "damage");
            let does_damage = double_damage(action) > 0 || !holds.is_empty() && !self.plain;
            let worth = 2 * self.worth(who, action);
            all.push((
                vec![(action.clone(), "1".to_owned())],
                worth,
                does_damage,
                is_conditional,
            ));
        }
        all.sort_by_key(|one| std::cmp::Reverse((one.2 || one.3, one.1)));
        let usual = all.iter().position(|one| !one.3).unwrap_or(0);
        let worth = all.get(usual).map_or(0, |one| one.1);
        let mut all: Vec<Deeds> = all.into_iter().map(|one| one.0).collect();
        if all.is_empty() {
            return Choices::default();
        }
        all.truncate(usual + 1);
        let usual = all.pop().unwrap_or_default();
        Choices {
            usual,
            preferred: all,
            worth,
        }
    }

    /// Whether all deeds of an alternative are possible now.
    pub(super) fn is_possible(&self, who: usize, deeds: &Deeds) -> bool {
        deeds.iter().all(|(action, _)| {
            let left = self.all[who].uses.iter();
            let mut left = left.filter(|one| one.0 == text(action, "name"));
            left.all(|one| one.1 > 0) && self.has_target(who, action)
        })
    }

    /// Whether an enemy is there to whom an action can do something.
    pub(super) fn has_target(&self, who: usize, action: &Value) -> bool {
        if help(action).is_some() {
            return self.whom_it_helps(who, action).is_some();
        }
        let mut foes = self.standing(1 - self.all[who].side);
        foes.any(|foe| self.is_in_reach(who, foe, action) && self.is_open_to(who, foe, action))
    }

    /// Whether an action can do something to somebody.
    fn is_open_to(&self, who: usize, foe: usize, action: &Value) -> bool {
        let fits = self.fits(who, foe, &action["only"]);
        let mut damage = list(action, "damage")
            .iter()
            .chain(list(&action["save"], "damage"));
        if sort(action, self.plain) != Sort::Save || damage.next().is_some() {
            return fits;
        }
        let from = (self.all[who].kind, super::hits::short(action));
        let is_closed = !conditions(action).is_empty() && self.is_safe_from(foe, action, &from);
        fits && self.fits(who, foe, &action["save"]["only"]) && !is_closed
    }

    /// Whether somebody fits a premise of an action.
    pub(super) fn fits(&self, who: usize, foe: usize, only: &Value) -> bool {
        if !is_kind(&self.all[foe].block, only) {
            return false;
        }
        let names: Vec<&str> = list(only, "conditions")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let kept = [
            "paralyzed",
            "petrified",
            "stunned",
            "unconscious",
            "surprised",
        ];
        let is_kept = names.contains(&"incapacitated") && self.suffers_from(foe, &kept);
        let is_held = only["held"] == true && self.holds_by_any(who, foe)
            || names.contains(&"grappled") && self.is_held(foe);
        let has_state = !names.is_empty() || only["held"] == true;
        !has_state || is_held || is_kept || self.suffers_from(foe, &names)
    }
}

/// Whether an action is a spell that does something to enemies.
fn is_spell(action: &Value) -> bool {
    action["spell"] == true && action["heals"].is_null()
}

/// Whether an action depends on the state of its target.
pub(super) fn has_state(action: &Value) -> bool {
    !list(&action["only"], "conditions").is_empty() || action["only"]["held"] == true
}
