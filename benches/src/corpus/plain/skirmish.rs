//! Two heroes against three beasts.

use super::super::{Tally, count, members, number};
use crate::fights::dice::Roller;
use serde_json::Value;

#[derive(Clone)]
struct Fighter {
    hp: i64,
    most: i64,
    ac: i64,
    attack: i64,
    attacks: i64,
    dice: i64,
    sides: i64,
    bonus: i64,
    save: i64,
    venom: i64,
    regeneration: i64,
    poisoned: i64,
}

impl Fighter {
    fn read(value: &Value) -> Self {
        Self {
            hp: number(value, "hp"),
            most: number(value, "most"),
            ac: number(value, "ac"),
            attack: number(value, "attack"),
            attacks: value["attacks"].as_i64().unwrap_or(1),
            dice: number(value, "dice"),
            sides: number(value, "sides"),
            bonus: number(value, "bonus"),
            save: number(value, "save"),
            venom: number(value, "venom"),
            regeneration: number(value, "regeneration"),
            poisoned: 0,
        }
    }
}

fn standing(side: &[Fighter]) -> usize {
    side.iter().filter(|one| one.hp > 0).count()
}

fn strike<R: Roller>(roller: &mut R, attacker: &Fighter, target: &mut Fighter) {
    if roller.die::<20>() + attacker.attack >= target.ac {
        target.hp -= roller.sum(attacker.dice, attacker.sides) + attacker.bonus;
        if attacker.venom > 0 && roller.die::<20>() + target.save < attacker.venom {
            target.poisoned = 3;
        }
    }
}

fn turn<R: Roller>(roller: &mut R, actor: &mut Fighter, foes: &mut [Fighter]) {
    if actor.hp <= 0 {
        return;
    }
    if actor.poisoned > 0 {
        actor.poisoned -= 1;
        actor.hp -= roller.die::<4>();
    }
    actor.hp = actor.most.min(actor.hp + actor.regeneration);
    for _ in 0..actor.attacks {
        let left = standing(foes);
        if actor.hp > 0 && left > 0 {
            let place = roller.sum(1, left as i64) as usize - 1;
            let target = foes.iter_mut().filter(|foe| foe.hp > 0).nth(place);
            if let Some(target) = target {
                strike(roller, actor, target);
            }
        }
    }
}

pub(in super::super) fn skirmish<R: Roller>(sheet: &Value, trials: u64) -> Tally {
    let fresh = ["heroes", "beasts"].map(|side| members(sheet, side, Fighter::read));
    let [mut heroes, mut beasts] = fresh.clone();
    let mut lengths = Tally::default();
    count(trials, |roller: &mut R| {
        heroes.clone_from(&fresh[0]);
        beasts.clone_from(&fresh[1]);
        let mut rounds = 0;
        while standing(&heroes) > 0 && standing(&beasts) > 0 {
            rounds += 1;
            for hero in &mut heroes {
                turn(roller, hero, &mut beasts);
            }
            for beast in &mut beasts {
                turn(roller, beast, &mut heroes);
            }
        }
        lengths.add(rounds);
        i64::from(standing(&heroes) > 0)
    })
}
