//! `examples/party.dice` by hand: as a user would write it in Rust, and as an expert would without
//! intrinsics. Both sort the initiative once, and count what a simulation counts.

use super::dice::Roller;
use crate::hand::Generator;
use crate::hand::cells::sums;
use serde_json::Value;

/// A creature of the sheet.
#[derive(Clone)]
struct Creature {
    hp: i64,
    most: i64,
    ac: i64,
    attack: i64,
    dice: i64,
    sides: i64,
    bonus: i64,
    initiative: i64,
    heals: i64,
}

impl Creature {
    fn read(value: &Value) -> Self {
        let int = |name: &str| value[name].as_i64().unwrap_or_default();
        Self {
            hp: int("hp"),
            most: int("most"),
            ac: int("ac"),
            attack: int("attack"),
            dice: int("dice"),
            sides: int("sides"),
            bonus: int("bonus"),
            initiative: int("initiative"),
            heals: int("heals"),
        }
    }
}

/// The heroes, then the goblins.
fn sides(sheet: &Value) -> [Vec<Creature>; 2] {
    ["heroes", "goblins"].map(|side| {
        let creatures = sheet[side].as_array().into_iter().flatten();
        creatures.map(Creature::read).collect()
    })
}

/// What fights are counted by.
struct Counts {
    won: u64,
    felled: [u64; 2],
    rounds: [u64; 1024],
    left: [u64; 16],
}

impl Counts {
    fn new() -> Self {
        Self {
            won: 0,
            felled: [0; 2],
            rounds: [0; 1024],
            left: [0; 16],
        }
    }

    fn end(&mut self, rounds: usize, left: usize) {
        self.rounds[rounds.min(1023)] += 1;
        self.left[left] += 1;
        self.won += u64::from(left > 0);
    }

    fn sum(&self) -> u64 {
        let rounds = self
            .rounds
            .iter()
            .zip(0..)
            .map(|(count, number)| count * number);
        let left = self
            .left
            .iter()
            .zip(0..)
            .map(|(count, number)| count * number);
        self.won + self.felled[1] + rounds.sum::<u64>() + left.sum::<u64>()
    }
}

fn weakest(side: &[Creature]) -> Option<usize> {
    let standing = (0..side.len()).filter(|&index| side[index].hp > 0);
    standing.min_by_key(|&index| side[index].hp)
}

fn standing(side: &[Creature]) -> usize {
    side.iter().filter(|creature| creature.hp > 0).count()
}

/// `fight`, as a user would write it.
pub(super) fn natural<R: Roller>(sheet: &Value, trials: u64) -> u64 {
    let fresh = sides(sheet);
    let mut counts = Counts::new();
    let mut roller = R::new();
    for _ in 0..trials {
        let mut sides = fresh.clone();
        let mut order: Vec<(i64, usize, usize)> = Vec::new();
        for (side, creatures) in sides.iter().enumerate() {
            for (index, creature) in creatures.iter().enumerate() {
                order.push((roller.die::<20>() + creature.initiative, side, index));
            }
        }
        order.sort_by_key(|&(initiative, ..)| -initiative);
        let mut rounds = 0;
        while standing(&sides[0]) > 0 && standing(&sides[1]) > 0 {
            rounds += 1;
            for &(_, side, index) in &order {
                turn(&mut roller, &mut sides, (side, index), &mut counts);
            }
        }
        counts.end(rounds, standing(&sides[0]));
    }
    counts.sum()
}

fn turn<R: Roller>(
    roller: &mut R,
    sides: &mut [Vec<Creature>; 2],
    (side, index): (usize, usize),
    counts: &mut Counts,
) {
    if sides[side][index].hp <= 0 {
        return;
    }
    let friends = &mut sides[side];
    if friends[index].heals > 0
        && let Some(friend) = weakest(friends)
        && 3 * friends[friend].hp < friends[friend].most
    {
        friends[index].heals -= 1;
        let healed = friends[friend].hp + roller.sum(2, 8) + 3;
        friends[friend].hp = healed.min(friends[friend].most);
        return;
    }
    let Some(target) = weakest(&sides[1 - side]) else {
        return;
    };
    let attacker = &sides[side][index];
    let (attack, bonus) = (attacker.attack, attacker.bonus);
    let (dice, die_sides) = (attacker.dice, attacker.sides);
    let target = &mut sides[1 - side][target];
    let die = roller.die::<20>();
    if die == 20 || die != 1 && die + attack >= target.ac {
        let dice = if die == 20 { 2 * dice } else { dice };
        target.hp -= roller.sum(dice, die_sides) + bonus;
        if target.hp <= 0 {
            counts.felled[1 - side] += 1;
        }
    }
}

/// The damage of an attack for each of its equally likely rolls.
fn damage_table(attacker: &Creature, ac: i64) -> Vec<i16> {
    let sums = |dice| sums(dice, attacker.sides);
    let (hit, critical) = (sums(attacker.dice), sums(2 * attacker.dice));
    let mut table = Vec::with_capacity(20 * critical.len());
    for die in 1..=20 {
        let hits = die != 1 && die + attacker.attack >= ac;
        for roll in 0..critical.len() {
            table.push(match die {
                20 => critical[roll] + attacker.bonus,
                _ if hits => hit[roll % hit.len()] + attacker.bonus,
                _ => 0,
            } as i16);
        }
    }
    table
}

const DEAD: i64 = i64::MAX;

/// A side in which the least key is the weakest: hit points * 16 + index.
type Keys = Vec<i64>;

fn least(side: &Keys) -> i64 {
    side.iter().copied().fold(DEAD, i64::min)
}

/// Fights of an expert: one draw from a table for each attack, and keys for creatures.
struct Packed {
    fresh: [Vec<Creature>; 2],
    /// Damage by attacker and target; equal attacks share a table.
    tables: Vec<Vec<i16>>,
    table_of: Vec<Vec<usize>>,
    generator: Generator,
    sides: [Keys; 2],
    heals: Vec<i64>,
    counts: Counts,
}

impl Packed {
    fn new(sheet: &Value) -> Self {
        let fresh = sides(sheet);
        let mut tables: Vec<Vec<i16>> = Vec::new();
        let mut table_of = Vec::new();
        for (side, attackers) in fresh.iter().enumerate() {
            for attacker in attackers {
                let targets = fresh[1 - side].iter().map(|target| {
                    let table = damage_table(attacker, target.ac);
                    let known = tables.iter().position(|known| *known == table);
                    known.unwrap_or_else(|| {
                        tables.push(table);
                        tables.len() - 1
                    })
                });
                table_of.push(targets.collect());
            }
        }
        Self {
            fresh,
            tables,
            table_of,
            generator: Generator::new(),
            sides: [Vec::new(), Vec::new()],
            heals: Vec::new(),
            counts: Counts::new(),
        }
    }

    /// Begins a fight; writes the creatures in the order of their turns.
    fn begin(&mut self, order: &mut Vec<i64>) {
        for (keys, side) in self.sides.iter_mut().zip(&self.fresh) {
            let fresh = side.iter().zip(0..);
            keys.clear();
            keys.extend(fresh.map(|(creature, index)| creature.hp * 16 + index));
        }
        self.heals.clear();
        order.clear();
        for (creature, number) in self.fresh.iter().flatten().zip(0..) {
            self.heals.push(creature.heals);
            let initiative = self.generator.die::<20>() as i64 + 1 + creature.initiative;
            order.push((64 - initiative) * 16 + number);
        }
        order.sort_unstable();
    }

    fn turn(&mut self, actor: usize) {
        let heroes = self.fresh[0].len();
        let (side, index) = match actor < heroes {
            true => (0, actor),
            false => (1, actor - heroes),
        };
        if self.sides[side][index] == DEAD || self.heals[actor] > 0 && self.heal(actor, side) {
            return;
        }
        let key = least(&self.sides[1 - side]);
        if key == DEAD {
            return;
        }
        let target = (key & 15) as usize;
        let table = &self.tables[self.table_of[actor][target]];
        let damage = i64::from(table[self.generator.below(table.len() as u64) as usize]);
        let hp = (key >> 4) - damage;
        self.counts.felled[1 - side] += u64::from(hp <= 0);
        self.sides[1 - side][target] = match hp <= 0 {
            true => DEAD,
            false => hp * 16 + target as i64,
        };
    }

    fn heal(&mut self, actor: usize, side: usize) -> bool {
        let key = least(&self.sides[side]);
        let (hp, friend) = (key >> 4, (key & 15) as usize);
        let most = self.fresh[side][friend].most;
        if 3 * hp >= most {
            return false;
        }
        self.heals[actor] -= 1;
        let healed = hp + self.generator.pool(2, 8) as i64 + 3;
        self.sides[side][friend] = healed.min(most) * 16 + friend as i64;
        true
    }
}

/// `fight`, as an expert would write it.
pub(super) fn packed(sheet: &Value, trials: u64) -> u64 {
    let mut fight = Packed::new(sheet);
    let mut order = Vec::new();
    for _ in 0..trials {
        fight.begin(&mut order);
        let mut rounds = 0;
        while fight.sides.iter().all(|side| least(side) != DEAD) {
            rounds += 1;
            for &actor in &order {
                fight.turn((actor & 15) as usize);
            }
        }
        let left = fight.sides[0].iter().filter(|&&key| key != DEAD).count();
        fight.counts.end(rounds, left);
    }
    fight.counts.sum()
}

#[cfg(test)]
mod tests {
    use super::super::dice::Plain;
    use super::*;
    use serde_json::json;

    /// Both make the same fights: the sums of what they count agree within their errors.
    #[test]
    fn both_fight_alike() {
        let sheet: Value = serde_json::from_str(include_str!("../../../examples/party.json"))
            .expect("the sheet is JSON");
        let trials = 20_000;
        let (natural, packed) = (natural::<Plain>(&sheet, trials), packed(&sheet, trials));
        let apart = natural.abs_diff(packed) as f64;
        assert!(apart < 0.01 * natural as f64, "{natural} and {packed}");
    }

    #[test]
    fn attacks_as_tables() {
        let creature = Creature::read(&json!({"attack": 4, "dice": 1, "sides": 2, "bonus": 1}));
        let table = damage_table(&creature, 23);
        // Only a 19 and a 20 hit; a 20 rolls both dice.
        assert_eq!(table.iter().filter(|&&damage| damage > 0).count(), 8);
        assert_eq!(table[76..], [3, 4, 4, 5]);
    }
}
