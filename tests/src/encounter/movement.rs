//! Distances and movement, where creatures have positions: docs/encounters.md, "Positions".

use super::block::{Sort, bare, has, list, number, sort, text};
use super::features::Event;
use super::fight::Battle;
use super::options::{options, worth};
use super::runs::run;
use super::worth::{Choices, Deeds, has_state};
use serde_json::{Value, json};

/// How far an action reaches: without disadvantage, and at all.
fn feet(action: &Value) -> (i64, i64) {
    let at = action["area"]["at"].as_i64();
    if let Some(area) = at.or(action["area"]["feet"].as_i64()) {
        return (area, area);
    }
    let range: Vec<i64> = list(action, "range")
        .iter()
        .filter_map(Value::as_i64)
        .collect();
    match (is_attack(action), text(action, "kind"), &range[..]) {
        (true, "ranged", [usual, most, ..]) => (*usual, *most),
        (true, "ranged", [usual]) => (*usual, *usual),
        (false, _, [usual, ..]) => (*usual, *usual),
        (true, "ranged", []) | (false, ..) => (60, 60),
        (true, ..) => {
            let reach = action["reach"].as_i64().unwrap_or(5);
            (reach, reach)
        }
    }
}

pub(super) fn is_attack(action: &Value) -> bool {
    sort(action, false) == Sort::Attack
}

pub(super) fn is_melee(action: &Value) -> bool {
    is_attack(action) && text(action, "kind") != "ranged"
}

/// Whether the area of an action is around whoever uses it.
pub(super) fn is_around(action: &Value) -> bool {
    let area = &action["area"];
    text(area, "shape") == "radius" && area["at"].is_null()
}

/// How close an enemy has to be for an option: for its first attack.
fn need(option: &Deeds) -> Option<i64> {
    let attack = option.iter().find(|one| is_attack(&one.0));
    attack.or(option.first()).map(|one| feet(&one.0).1)
}

/// How fast a creature is.
fn pace(block: &Value) -> i64 {
    let walk = number(&block["speed"], "walk");
    walk.max(number(&block["speed"], "fly"))
}

impl Battle<'_> {
    /// How far two are from each other.
    pub(super) fn apart(&self, one: usize, other: usize) -> i64 {
        let (one, other) = (self.all[one].at, self.all[other].at);
        (one[0] - other[0]).abs().max((one[1] - other[1]).abs())
    }

    /// Enemies who stand within some feet.
    fn near(&self, who: usize, feet: i64) -> Vec<usize> {
        let foes = self.standing(1 - self.all[who].side);
        foes.filter(|&foe| self.apart(who, foe) <= feet).collect()
    }

    /// The one with the fewest hit points of them; those who are berserk choose the nearest one.
    fn weakest_near(&self, who: usize, feet: i64) -> Option<usize> {
        self.weakest_near_for(who, feet, &Value::Null)
    }

    /// The same of those whom an action may be used on.
    fn weakest_near_for(&self, who: usize, feet: i64, action: &Value) -> Option<usize> {
        let near = self.near(who, feet).into_iter();
        let near = near.filter(|&foe| self.fits(who, foe, &action["only"]));
        near.min_by_key(|&foe| match self.all[who].berserk {
            true => self.apart(who, foe),
            false => self.all[foe].hp,
        })
    }

    /// Whether an ally of somebody is close to an enemy.
    pub(super) fn flanks(&self, who: usize, foe: usize) -> bool {
        let side = self.all[who].side;
        let mut allies = (0..self.all.len()).filter(|&ally| ally != who);
        allies.any(|ally| {
            self.all[ally].side == side && self.able(ally) && self.apart(ally, foe) <= 5
        })
    }

    /// Whether an attack at a distance is hindered.
    pub(super) fn is_far_or_threatened(&self, who: usize, foe: usize, action: &Value) -> bool {
        let near = self.near(who, 5).into_iter();
        self.apart(who, foe) > feet(action).0 || near.filter(|&foe| self.able(foe)).count() > 0
    }

    /// Whether a feature does not reach somebody.
    pub(super) fn is_too_far(&self, who: usize, other: usize, action: &Value) -> bool {
        let within = action["within"]
            .as_i64()
            .filter(|_| self.distance.is_some());
        within.is_some_and(|feet| self.apart(who, other) > feet)
    }

    pub(super) fn speed(&self, who: usize) -> i64 {
        let is_still = self.is_held(who) || self.is_holding(who);
        let names = ["restrained", "rooted to the ground"];
        match is_still || self.suffers_from(who, &names) {
            true => 0,
            false => pace(&self.all[who].block),
        }
    }

    /// The beginning of a turn.
    pub(super) fn ready(&mut self, who: usize) {
        self.all[who].left = self.speed(who);
        (self.all[who].ran, self.all[who].prey) = (0, None);
    }

    /// Somebody who lies stands up.
    pub(super) fn rise(&mut self, who: usize) {
        let lies = |one: &super::effects::Suffers| one.conditions == ["prone"];
        if self.all[who].suffers.iter().any(lies) {
            let half = pace(&self.all[who].block) / 2;
            let one = &mut self.all[who];
            one.suffers.retain(|one| !lies(one));
            one.left = (one.left - half).max(0);
            let line = format!("{} stands up", one.name);
            self.say(line);
        }
    }

    /// Where somebody is when it has come so close to another one.
    fn on_the_way(&self, who: usize, foe: usize, stays: i64) -> [i64; 2] {
        let (from, to) = (self.all[who].at, self.all[foe].at);
        [0, 1].map(|axis| to[axis] + (from[axis] - to[axis]).clamp(-stays, stays))
    }

    /// How many feet somebody moves toward another one, and how much of its movement that takes:
    /// difficult ground takes those who walk twice as much.
    fn steps(&self, who: usize, foe: usize, wanted: i64) -> (i64, i64) {
        let (far, left) = (self.apart(who, foe), self.all[who].left);
        let grounds = self.all.iter().filter(|one| one.hp > 0 && one.ground > 0);
        let grounds: Vec<([i64; 2], i64)> = grounds.map(|one| (one.at, one.ground)).collect();
        let speed = &self.all[who].block["speed"];
        let flies = number(speed, "fly") > 0 && number(speed, "fly") >= number(speed, "walk");
        if grounds.is_empty() || flies {
            let steps = left.min(wanted);
            return (steps, steps);
        }
        let (mut steps, mut spent) = (0, 0);
        while steps < wanted {
            let step = 5.min(wanted - steps).min(left - spent);
            let [x, y] = self.on_the_way(who, foe, far - steps - step);
            let is_difficult = grounds
                .iter()
                .any(|(at, feet)| (at[0] - x).abs().max((at[1] - y).abs()) <= *feet);
            let cost = if is_difficult { 2 * step } else { step };
            if step <= 0 || spent + cost > left {
                break;
            }
            (steps, spent) = (steps + step, spent + cost);
        }
        (steps, spent)
    }

    /// Moves toward an enemy, until it is as close as it wants.
    fn walk(&mut self, who: usize, foe: usize, feet: i64) {
        let far = self.apart(who, foe);
        let (steps, spent) = self.steps(who, foe, far - feet);
        if steps <= 0 {
            return;
        }
        let next = self.on_the_way(who, foe, far - steps);
        let slips = ["Flyby", "Nimble Escape", "Cunning Action"];
        if !slips.iter().any(|name| self.is(who, name)) {
            // In the order in which kinds are listed, as everybody is.
            for enemy in 0..self.all.len() {
                let one = &self.all[enemy];
                if one.side == self.all[who].side || !one.reaction || !self.able(enemy) {
                    continue;
                }
                let Some(action) = self.chance(enemy) else {
                    continue;
                };
                if self.only_target(enemy, &action).is_some() {
                    continue;
                }
                let reach = self::feet(&action).1;
                let at = self.all[enemy].at;
                let after = (at[0] - next[0]).abs().max((at[1] - next[1]).abs());
                if self.apart(enemy, who) <= reach && after > reach {
                    self.all[enemy].reaction = false;
                    let line = format!(
                        "{} takes its chance as {} leaves",
                        self.all[enemy].name, self.all[who].name
                    );
                    self.say(line);
                    self.attack_on(enemy, who, &action);
                    if !self.able(who) || self.is_held(who) {
                        return;
                    }
                }
            }
        }
        let line = format!(
            "{} moves {steps} feet toward {}",
            self.all[who].name, self.all[foe].name
        );
        let one = &mut self.all[who];
        one.at = next;
        // Whoever holds an attacker on the way has nothing left, not less.
        one.left = (one.left - spent).max(0);
        (one.ran, one.prey) = (steps, Some(foe));
        self.say(line);
        self.ends_by_move(who);
        self.act_at(Event::Moves, who, who);
        for enemy in 0..self.all.len() {
            if self.all[enemy].side != self.all[who].side && self.all[enemy].hp > 0 {
                self.act_at(Event::EnemyMoves, enemy, who);
            }
        }
    }

    /// The attack on those who leave the reach of somebody.
    fn chance(&self, who: usize) -> Option<Value> {
        let mut best: Option<(&Value, i64)> = None;
        for action in list(&self.all[who].block, "actions") {
            let is_free = sort(action, self.plain) == Sort::Attack && !action["usage"].is_object();
            if is_free
                && !has_state(action)
                && is_melee(action)
                && best.is_none_or(|one| worth(action) > one.1)
            {
                best = Some((action, worth(action)));
            }
        }
        best.map(|one| one.0.clone())
    }

    /// The enemy that a deed is about, and the creature as close to it as it wants to be.
    pub(super) fn approach(&mut self, who: usize, action: &Value) -> Option<usize> {
        if let Some(held) = self.only_target(who, action) {
            return Some(held);
        }
        let (usual, most) = feet(action);
        if !self.has_target(who, action) {
            return None;
        }
        let foe = self.weakest_near_for(who, most + self.all[who].left, action)?;
        self.walk(who, foe, usual);
        (self.able(who) && self.apart(who, foe) <= most).then_some(foe)
    }

    /// Whether somebody is there for a deed.
    pub(super) fn reaches(&self, who: usize, action: &Value) -> bool {
        let mut foes = self.standing(1 - self.all[who].side);
        foes.any(|foe| self.is_in_reach(who, foe, action))
    }

    /// Whether an enemy is close enough for a deed.
    pub(super) fn is_in_reach(&self, who: usize, foe: usize, action: &Value) -> bool {
        let moves = if is_around(action) {
            0
        } else {
            self.all[who].left
        };
        self.distance.is_none() || self.apart(who, foe) <= feet(action).1 + moves
    }

    /// Those whom an area reaches, the weakest first.
    pub(super) fn reached(&self, who: usize, aim: usize, area: &Value) -> Vec<usize> {
        let length = number(area, "feet");
        let is_apart = area["at"].is_number();
        let middle = if is_apart { aim } else { who };
        let from = self.all[middle].at;
        let way = |other: usize| {
            let to = self.all[other].at;
            [to[0] - from[0], to[1] - from[1]]
        };
        let ahead = way(aim);
        let is_in = |foe: &usize| {
            let [x, y] = way(*foe);
            let along = ahead[0] * x + ahead[1] * y;
            let aside = (ahead[0] * y - ahead[1] * x).abs();
            let long = ahead[0].pow(2) + ahead[1].pow(2);
            let line = |width: i64| along >= 0 && 4 * aside * aside <= width * width * long;
            match text(area, "shape") {
                "cone" => 2 * aside <= along,
                "line" => line(area["width"].as_i64().unwrap_or(5)),
                "cube" => line(length),
                _ => true,
            }
        };
        let foes = self.standing(1 - self.all[who].side);
        let near = foes.filter(|&foe| self.apart(middle, foe) <= length);
        let mut foes: Vec<usize> = near.filter(is_in).collect();
        foes.sort_by_key(|&foe| self.all[foe].hp);
        foes
    }

    /// What somebody does in a turn without anything limited.
    pub(super) fn act_with_positions(&mut self, who: usize, choices: &Choices) {
        let block = self.all[who].block.clone();
        let options = options(&block, &choices.usual, self.plain);
        let Some(usual) = need(&options[0]) else {
            return;
        };
        let left = |battle: &Self| battle.all[who].left;
        if self.is(who, "Aggressive") && self.near(who, usual + left(self)).is_empty() {
            self.all[who].left += self.speed(who);
            self.all[who].busy = true;
        }
        if let Some(run) = run(&block).filter(|run| self.is(who, run.name)) {
            let action = self.named(who, run.attack);
            let is_usual = options[0].iter().any(|one| one.0 == action);
            let reach = feet(&action).1;
            let target = self.weakest_near(who, reach + left(self));
            if let Some(target) = target.filter(|_| !is_usual)
                && self.apart(who, target) >= reach + run.feet
            {
                return self.does(who, &action);
            }
        }
        let mut preferred = choices.preferred.iter();
        if let Some(deeds) = preferred.find(|deeds| self.is_possible(who, deeds)) {
            return self.do_all(who, deeds);
        }
        for option in &options {
            let need = need(option).expect("it is not empty");
            if !self.near(who, need + left(self)).is_empty() {
                return self.do_all(who, option);
            }
        }
        if self.standing(1 - self.all[who].side).next().is_some() {
            if self.escapes(who, true) {
                return;
            }
            let line = format!("{} dashes", self.all[who].name);
            self.say(line);
            self.all[who].left += self.speed(who);
            let foe = self.weakest_near(who, i64::MAX).expect("somebody stands");
            self.walk(who, foe, 5);
        }
    }

    /// Somebody who is free again stands up, and moves toward its target.
    pub(super) fn get_away(&mut self, who: usize) {
        if self.distance.is_none() {
            return self.stand_up(who);
        }
        self.all[who].left = self.speed(who);
        self.stand_up(who);
        if let Some(foe) = self.weakest_near(who, i64::MAX) {
            self.walk(who, foe, 5);
        }
    }

    fn named(&self, who: usize, name: &str) -> Value {
        let mut all = list(&self.all[who].block, "actions").iter();
        let found = all.find(|action| bare(text(action, "name")) == name);
        found.cloned().unwrap_or_default()
    }

    pub(super) fn do_all(&mut self, who: usize, option: &Deeds) {
        for (action, times) in option {
            let uses = self.all[who].uses.iter_mut();
            let mut uses = uses.filter(|one| one.0 == text(action, "name"));
            match uses.next() {
                Some(one) if one.1 <= 0 => continue,
                Some(one) => one.1 -= 1,
                None => {}
            }
            let times = match times.contains('d') {
                true => self.dice.total(times, 1),
                false => times.parse().expect("a number of times"),
            };
            for _ in 0..times {
                self.does(who, action);
            }
        }
    }

    /// What follows a hit after a run.
    pub(super) fn after_hit(&mut self, who: usize, foe: usize, action: &Value) {
        let Some(run) = run(&self.all[who].block) else {
            return;
        };
        if self.plain
            || !has(&self.all[who].block, run.name)
            || bare(text(action, "name")) != run.attack
        {
            return;
        }
        let is_on = |battle: &Self| {
            let one = &battle.all[who];
            battle.all[foe].hp > 0 && one.ran >= run.feet && one.prey == Some(foe)
        };
        let name = bare(run.name);
        let uses = format!("{} uses {name}", self.all[who].name);
        if let Some((dice, kind)) = run.extra
            && is_on(self)
        {
            self.say(uses.clone());
            let extra = json!({"name": name, "damage": [{"dice": dice, "type": kind}]});
            let rolled = self.rolled(list(&extra, "damage"));
            self.saves(who, foe, &extra, &rolled, true);
        }
        let save = run.dc.map(|dc| {
            json!({"name": name, "save": {
                "ability": "STR", "dc": dc, "on success": "none", "conditions": ["prone"],
            }})
        });
        if let Some(save) = save
            && is_on(self)
        {
            // The damage has told of it.
            if run.extra.is_none() {
                self.say(uses);
            }
            self.saves(who, foe, &save, &[], true);
        }
        let lies = self.all[foe]
            .suffers
            .iter()
            .any(|one| one.from == (self.all[who].kind, name.to_owned()));
        if let Some(then) = run.then
            && is_on(self)
            && lies
        {
            self.all[who].prey = None;
            let action = self.named(who, then);
            self.attack_on(who, foe, &action);
        }
    }
}
