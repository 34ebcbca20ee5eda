//! Two heroes against three beasts: a fighter is a key of hit points and rounds of poison, those
//! who stand are a mask, and a target and what an attack does to it come from one word.

use super::super::{Tally, count, number};
use crate::fights::dice::Batched;
use crate::hand::Generator;
use crate::hand::cells::{fewest, gcd, sums};
use serde_json::Value;

/// Hit points, above the rounds of poison.
const HP: i64 = 4;

/// The rounds that poison lasts.
const POISONED: i64 = 3;

struct Fighter {
    key: i64,
    most: i64,
    regeneration: i64,
    attacks: i64,
    /// What an attack does to each foe: what it takes from the key, and whether it poisons.
    strikes: Vec<i64>,
    /// How many of them each foe has.
    cells: u64,
}

impl Fighter {
    fn new(value: &Value, foes: &Value) -> Self {
        let foes = foes.as_array().into_iter().flatten();
        let strikes: Vec<Vec<i64>> = foes.map(|foe| strike(value, foe)).collect();
        let cells = strikes
            .iter()
            .fold(1, |all, one| all / gcd(all, one.len()) * one.len());
        let strikes = strikes
            .iter()
            .flat_map(|one| one.iter().cycle().take(cells));
        Self {
            key: number(value, "hp") * HP,
            most: number(value, "most"),
            regeneration: number(value, "regeneration"),
            attacks: value["attacks"].as_i64().unwrap_or(1),
            strikes: strikes.copied().collect(),
            cells: cells as u64,
        }
    }
}

fn strike(attacker: &Value, target: &Value) -> Vec<i64> {
    let [attack, bonus, venom] = ["attack", "bonus", "venom"].map(|name| number(attacker, name));
    let [ac, save] = ["ac", "save"].map(|name| number(target, name));
    let mut cells = Vec::new();
    for die in 1..=20 {
        for dice in sums(number(attacker, "dice"), number(attacker, "sides")) {
            for saved in 1..=20 {
                let poisons = venom > 0 && saved + save < venom;
                let hits = die + attack >= ac;
                let taken = (dice + bonus) * HP + i64::from(poisons);
                cells.push(if hits { taken } else { 0 });
            }
        }
    }
    fewest(cells)
}

/// A side.
struct Side {
    fighters: Vec<Fighter>,
    /// Who stands, for each mask: indices in four bits each, above their number.
    targets: Vec<u64>,
}

impl Side {
    fn new(side: &Value, foes: &Value) -> Self {
        let fighters = side.as_array().into_iter().flatten();
        let fighters: Vec<Fighter> = fighters.map(|one| Fighter::new(one, foes)).collect();
        let everyone = 0..fighters.len() as u64;
        let targets = (0_u64..1 << fighters.len()).map(|standing| {
            let standing = everyone.clone().filter(|index| standing >> index & 1 == 1);
            let list = standing.rev().fold((0, 0), |(list, length), index| {
                (list << 4 | index, length + 1)
            });
            list.0 << 4 | list.1
        });
        Self {
            targets: targets.collect(),
            fighters,
        }
    }
}

/// What changes of a side.
#[derive(Clone, Default)]
struct State {
    keys: Vec<i64>,
    standing: usize,
}

impl State {
    fn begin(&mut self, side: &Side) {
        self.keys.clear();
        self.keys.extend(side.fighters.iter().map(|one| one.key));
        self.standing = side.targets.len() - 1;
    }

    /// A fall is a branch: it is predicted, so that the choice of the next target does not wait for
    /// this attack.
    #[inline(always)]
    fn set(&mut self, index: usize, key: i64) {
        self.keys[index] = key;
        if key < HP {
            self.fall(index);
        }
    }

    #[cold]
    fn fall(&mut self, index: usize) {
        self.standing &= !(1 << index);
    }
}

#[inline(always)]
fn turn(
    generator: &mut Generator,
    (index, actor): (usize, &Fighter),
    friends: &mut State,
    (side, foes): (&Side, &mut State),
) {
    let mut key = friends.keys[index];
    if key < HP {
        return;
    }
    if key & POISONED > 0 {
        key -= HP * (generator.die::<4>() as i64 + 1) + 1;
    }
    key = (key + actor.regeneration * HP).min(actor.most * HP + (key & POISONED));
    friends.set(index, key);
    if key < HP {
        return;
    }
    for _ in 0..actor.attacks {
        if foes.standing == 0 {
            return;
        }
        let targets = side.targets[foes.standing];
        let (cell, target) = generator.shared(|word| {
            let cell = word.below(actor.cells);
            (cell, targets >> (4 * word.below(targets & 15) + 4) & 15)
        });
        let taken = actor.strikes[(target * actor.cells + cell) as usize];
        let target = target as usize;
        // Poison sets all bits below the hit points.
        let poison = (taken & 1) * POISONED;
        foes.set(target, (foes.keys[target] - (taken & !1)) | poison);
    }
}

pub(in super::super) fn skirmish(sheet: &Value, trials: u64) -> Tally {
    let (heroes, beasts) = (&sheet["heroes"], &sheet["beasts"]);
    let sides = [Side::new(heroes, beasts), Side::new(beasts, heroes)];
    let mut states = [State::default(), State::default()];
    let mut lengths = Tally::default();
    count(trials, |Batched(generator): &mut Batched| {
        for (state, side) in states.iter_mut().zip(&sides) {
            state.begin(side);
        }
        let [heroes, beasts] = &mut states;
        let mut rounds = 0;
        while heroes.standing > 0 && beasts.standing > 0 {
            rounds += 1;
            for hero in sides[0].fighters.iter().enumerate() {
                turn(generator, hero, heroes, (&sides[1], beasts));
            }
            for beast in sides[1].fighters.iter().enumerate() {
                turn(generator, beast, beasts, (&sides[0], heroes));
            }
        }
        lengths.add(rounds);
        i64::from(heroes.standing > 0)
    })
}
