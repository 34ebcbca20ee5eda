//! The fight: who is in it, the order of turns, and what a turn is.

use super::Dice;
use super::asides::asides;
use super::block::{Sort, has, list, modifier, number, sort, text};
use super::boons::help;
use super::features::Event;
use super::fighter::Fighter;
use super::healing::heals;
use super::worth::Choices;
use dicec_games::encounter::with_spells;
use serde_json::Value;

/// A side: stat blocks with their numbers, and what its creatures are called.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// Stat blocks, how many there are of each, and what they are called.
    pub kinds: Vec<(Value, u32, String)>,
    /// Whom it heals: `fallen` (also if empty), `half` or `never`.
    pub heal: String,
    /// When it escapes from those who hold it: `stuck` (also if empty), `always`, `restrained` or
    /// `never`.
    pub escape: String,
    /// Whether its creatures lose their first turn.
    pub surprised: bool,
    /// Whether its creatures avert their eyes from gazes.
    pub averts: bool,
}

/// A fight while it goes on.
pub(super) struct Battle<'d> {
    pub(super) all: Vec<Fighter>,
    pub(super) dice: &'d mut Dice,
    pub(super) lines: Vec<String>,
    pub(super) plain: bool,
    /// How many feet are between the sides, if distances count.
    pub(super) distance: Option<i64>,
    /// Whom the sides heal.
    pub(super) heal: [String; 2],
    /// When they escape.
    pub(super) escape: [String; 2],
}

/// Fights. Gives the lines, the side that is left, and everybody.
pub fn fight(
    sides: &[Side; 2],
    plain: bool,
    rounds: u32,
    dice: &mut Dice,
) -> (Vec<String>, Option<usize>, Vec<Fighter>) {
    fight_at(sides, None, plain, rounds, dice)
}

/// Fights between sides that are some feet apart, if distances count.
pub fn fight_at(
    sides: &[Side; 2],
    distance: Option<i64>,
    plain: bool,
    rounds: u32,
    dice: &mut Dice,
) -> (Vec<String>, Option<usize>, Vec<Fighter>) {
    let mut battle = Battle::of(sides, distance, plain, dice);
    let left = battle.fight(rounds);
    (battle.lines, left, battle.all)
}

/// Fights with a first side as it was after its last fight (nobody in the first one), and takes
/// care of it afterwards.
pub(super) fn fight_after(
    sides: &[Side; 2],
    before: &[Fighter],
    rounds: u32,
    dice: &mut Dice,
) -> (Vec<String>, Option<usize>, Vec<Fighter>) {
    let mut battle = Battle::of(sides, None, false, dice);
    battle.enter(before);
    let left = battle.fight(rounds);
    if left == Some(0) {
        battle.care();
    }
    (battle.lines, left, battle.all)
}

impl<'d> Battle<'d> {
    /// Both sides before the first turn.
    fn of(sides: &[Side; 2], distance: Option<i64>, plain: bool, dice: &'d mut Dice) -> Self {
        let mut battle = Battle {
            distance,
            all: Vec::new(),
            dice,
            lines: Vec::new(),
            plain,
            heal: sides.each_ref().map(|side| side.heal.clone()),
            escape: sides.each_ref().map(|side| side.escape.clone()),
        };
        let mut kind = 0;
        for (side, of_side) in sides.iter().enumerate() {
            for (block, count, title) in &of_side.kinds {
                // The table of spells is shared with the product; how they are cast is not.
                let block = &with_spells(block);
                for index in 1..=*count {
                    let name = if *count == 1 {
                        title.clone()
                    } else {
                        format!("{title} {index}")
                    };
                    battle.join(block, kind, name, side);
                    let joined = battle.all.last_mut().expect("it has joined");
                    joined.heals = heals(block, of_side, plain);
                    if !plain {
                        joined.asides = asides(block);
                    }
                    joined.surprised = of_side.surprised && !block["arrives"].is_u64();
                    joined.averts = of_side.averts;
                    joined.reaction = !joined.surprised;
                }
                kind += 1;
            }
        }
        battle
    }

    /// Fights to the end. Gives the side that is left.
    fn fight(&mut self, rounds: u32) -> Option<usize> {
        let battle = self;
        let mut order: Vec<usize> = (0..battle.all.len()).collect();
        order.sort_by_key(|&who| {
            let one = &battle.all[who];
            std::cmp::Reverse((one.initiative, modifier(&one.block, "DEX")))
        });
        for one in &battle.all {
            battle
                .lines
                .push(format!("{} has initiative {}", one.name, one.initiative));
        }
        let names: Vec<&str> = order
            .iter()
            .map(|&who| battle.all[who].name.as_str())
            .collect();
        battle
            .lines
            .push(format!("they act in this order: {}", names.join(", ")));
        for round in 1..=rounds {
            battle.lines.push(format!("Round {round}"));
            battle.arrive(round);
            for &who in &order {
                if battle.all[who].hp <= 0 {
                    battle.lie(who);
                }
                if battle.loses_turn(who) {
                    continue;
                }
                if [0, 1]
                    .iter()
                    .any(|&side| battle.standing(side).next().is_none())
                {
                    continue;
                }
                if battle.all[who].hp > 0 {
                    battle.turn(who);
                    battle.ends_with_turn();
                    battle.after(who);
                }
                let standing = [0, 1].map(|side| {
                    battle.standing(side).next().is_some() || battle.awaits(side, round)
                });
                if standing != [true, true] {
                    let left = standing.iter().position(|&stands| stands);
                    return left;
                }
            }
        }
        None
    }

    /// Those who stand on a side, in the order in which they are listed.
    pub(super) fn standing(&self, side: usize) -> impl Iterator<Item = usize> + '_ {
        let of_side = move |who: &usize| self.all[*who].side == side && self.all[*who].hp > 0;
        (0..self.all.len()).filter(of_side)
    }

    /// Whether somebody has a trait that counts.
    pub(super) fn is(&self, who: usize, name: &str) -> bool {
        !self.plain && has(&self.all[who].block, name) && !self.is_without(who, name)
    }

    pub(super) fn say(&mut self, line: String) {
        self.lines.push(line);
    }

    /// Whether somebody can act.
    pub(super) fn able(&self, who: usize) -> bool {
        let kept = [
            "incapacitated",
            "paralyzed",
            "petrified",
            "stunned",
            "unconscious",
            "surprised",
        ];
        self.all[who].hp > 0 && !self.suffers_from(who, &kept)
    }

    /// Whether somebody is surprised, and does nothing in its first turn.
    fn loses_turn(&mut self, who: usize) -> bool {
        let one = &mut self.all[who];
        if !std::mem::take(&mut one.surprised) || one.hp <= 0 {
            return false;
        }
        (one.reaction, one.has_acted) = (true, true);
        let line = format!("{} is surprised", one.name);
        self.say(line);
        true
    }

    fn turn(&mut self, who: usize) {
        self.ends_at_start(who);
        let one = &mut self.all[who];
        one.legendary = 3;
        one.reaction = true;
        one.helped.retain(|help| !help.is_reaction);
        one.extra = false;
        one.rampaging = false;
        one.martial.smote = false;
        one.martial.acting = true;
        one.ground = 0;
        self.all[who].reckless = self.is(who, "Reckless");
        if self.distance.is_some() {
            self.ready(who);
        }
        self.regenerate(who);
        for index in 0..self.all[who].uses.len() {
            let (name, left) = self.all[who].uses[index].clone();
            let recharge = self.action(who, &name)["usage"]["recharge"].clone();
            if let Some(lowest) = recharge.as_str().filter(|_| left == 0) {
                let lowest: i64 = lowest[..1].parse().expect("a face");
                if self.dice.roll(6) >= lowest {
                    self.all[who].uses[index].1 = 1;
                }
            }
        }
        self.recharge_asides(who);
        self.recharge_healing(who);
        self.rage(who);
        self.begin(who);
        if self.all[who].hp <= 0 {
            return;
        }
        if self.suffers_from(who, &["rooted to the ground"]) {
            self.all[who].left = 0;
        }
        if self.able(who) {
            self.stand_up(who);
            self.act(who);
        }
        self.all[who].martial.end_turn();
        (self.all[who].left, self.all[who].prey) = (0, None);
        self.all[who].has_acted = true;
        if self.all[who].hp > 0 {
            self.ends_of_caused(who);
            if self.is(who, "Aberrant Ground") && self.distance.is_some() {
                self.all[who].ground = 10;
            }
            self.act_at(Event::TurnEnd, who, who);
            let enemies: Vec<usize> = self.standing(1 - self.all[who].side).collect();
            for foe in enemies {
                self.auras(foe, who, true);
                self.act_at(Event::EnemyTurnEnd, foe, who);
            }
        }
        if self.all[who].hp > 0 {
            self.end(who);
        }
        if self.all[who].hp > 0 {
            self.help_counts_down(who);
        }
    }

    /// Somebody who lies stands up, if nobody holds it.
    pub(super) fn stand_up(&mut self, who: usize) {
        match self.distance {
            _ if self.is_held(who) => {}
            Some(_) => self.rise(who),
            None => self.all[who]
                .suffers
                .retain(|one| one.conditions != ["prone"]),
        }
    }

    /// What features do at the beginning of a turn: its creature's, then those of enemies.
    fn begin(&mut self, who: usize) {
        self.act_at(Event::Turn, who, who);
        let enemies: Vec<usize> = self.standing(1 - self.all[who].side).collect();
        for foe in enemies {
            self.auras(foe, who, false);
            self.act_at(Event::EnemyTurn, foe, who);
        }
        self.squeeze(who);
        self.goes_on(who);
    }

    fn regenerate(&mut self, who: usize) {
        let name = text(&self.all[who].block, "name").to_owned();
        let healed = match &*name {
            "Oni" | "Shield Guardian" | "Troll" | "Vampire Spawn" => 10,
            vampire if vampire.starts_with("Vampire, ") => 20,
            _ => return,
        };
        if self.plain {
            return;
        }
        let is_without = self.is_without(who, "Regeneration");
        let one = &mut self.all[who];
        if !std::mem::take(&mut one.stopped) && !is_without {
            let before = one.hp;
            one.hp = (one.hp + healed).min(number(&one.block, "hp"));
            let line = format!("{} regenerates to {} hit points", one.name, one.hp);
            if one.hp > before {
                self.say(line);
            }
        }
    }

    pub(super) fn action(&self, who: usize, name: &str) -> Value {
        let mut all = list(&self.all[who].block, "actions").iter();
        all.find(|action| text(action, "name") == name)
            .cloned()
            .unwrap_or_default()
    }

    fn act(&mut self, who: usize) {
        if std::mem::take(&mut self.all[who].tired) {
            return self.say(format!("{} is too tired to act", self.all[who].name));
        }
        self.all[who].busy = false;
        self.begin_rage(who);
        self.do_asides(who, false);
        self.take_action(who);
        self.attacks_once_more(who);
        self.surge(who);
        let is_raging = self.is(who, "Rampage") && self.all[who].rampaging;
        match is_raging {
            true => self.rampage(who),
            false if self.all[who].busy => {}
            false => self.do_asides(who, true),
        }
    }

    fn take_action(&mut self, who: usize) {
        if self.heal(who) || self.escapes(who, false) || self.ends_by_action(who) {
            return;
        }
        self.marks_another(who);
        let choices = self.choices(who);
        for index in self.limited(who, &choices) {
            let name = self.all[who].uses[index].0.clone();
            let action = self.action(who, &name);
            let left = self.left_of(who, index);
            let is_busy = action["concentration"] == true && self.is_concentrating(who);
            let is_step = choices.has(&name) || action["reaction"] == true;
            let is_bonus = help(&action).is_some() && action["bonus action"] == true;
            let is_spent = is_bonus && (self.all[who].busy || self.all[who].martial.smote);
            if left > 0 && !is_step && self.has_target(who, &action) && !is_busy && !is_spent {
                self.use_up(who, index);
                if !self.is_countered(who, index) {
                    self.does(who, &action);
                }
                if is_bonus {
                    self.all[who].busy = true;
                    self.spend_smite(who);
                    self.usual(who, &choices);
                }
                return;
            }
        }
        self.usual(who, &choices);
    }

    /// What somebody does if nothing limited is available.
    fn usual(&mut self, who: usize, choices: &Choices) {
        if self.distance.is_some() {
            return self.act_with_positions(who, choices);
        }
        let preferred = choices.preferred.iter();
        let mut possible = preferred.filter(|deeds| self.is_possible(who, deeds));
        let chosen = possible.next().unwrap_or(&choices.usual);
        self.do_all(who, chosen);
    }

    fn rampage(&mut self, who: usize) {
        let bite = self.action(who, "Bite");
        let line = format!("{} rampages", self.all[who].name);
        self.say(line);
        if self.distance.is_some() {
            self.all[who].left += self.speed(who) / 2;
        }
        self.does(who, &bite);
    }

    /// Does something, if anybody is there to suffer it.
    pub(super) fn does(&mut self, who: usize, action: &Value) {
        let is_over = self.standing(1 - self.all[who].side).next().is_none();
        if is_over || self.all[who].hp <= 0 {
            return;
        }
        match sort(action, self.plain) {
            Sort::Attack => {
                for _ in 0..action["times"].as_i64().unwrap_or(1) {
                    let is_over = self.standing(1 - self.all[who].side).next().is_none();
                    if !is_over && self.all[who].hp > 0 {
                        self.attack(who, action);
                    }
                }
            }
            Sort::Save => self.blast(who, action),
            Sort::Help => self.helps(who, action),
            Sort::Nothing => {}
        }
    }
}
