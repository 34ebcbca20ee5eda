//! Lists of records.

use super::super::{Tally, count, members, number};
use crate::fights::dice::Roller;
use serde_json::Value;

fn losses<R: Roller>(roller: &mut R, strikers: i64, hit: i64) -> i64 {
    (0..strikers).filter(|_| roller.die::<6>() >= hit).count() as i64
}

pub(in super::super) fn attrition<R: Roller>(sheet: &Value, trials: u64) -> Tally {
    let [red, blue] = ["red", "blue"].map(|name| number(sheet, name));
    let [red_hits, blue_hits] = ["redHits", "blueHits"].map(|name| number(sheet, name));
    count(trials, |roller: &mut R| {
        let (mut reds, mut blues) = (red, blue);
        while reds > 0 && blues > 0 {
            let fallen = losses(roller, reds, red_hits);
            reds -= losses(roller, blues, blue_hits);
            blues -= fallen;
        }
        reds.max(0)
    })
}

pub(in super::super) fn dungeon<R: Roller>(sheet: &Value, trials: u64) -> Tally {
    let rooms = members(sheet, "rooms", |room| {
        ["trap", "monster", "gold"].map(|name| number(room, name))
    });
    let (hp, skill) = (number(sheet, "hp"), number(sheet, "skill"));
    let mut golds = Tally::default();
    count(trials, |roller: &mut R| {
        let (mut gold, mut left) = (0, hp);
        for &[trap, monster, treasure] in &rooms {
            if trap > 0 && roller.die::<20>() + skill < trap {
                left -= roller.sum(2, 10);
            }
            let mut foe = monster;
            while foe > 0 && left > 0 {
                if roller.die::<20>() + skill >= 14 {
                    foe -= roller.die::<12>() + 4;
                }
                if foe > 0 && roller.die::<20>() >= 11 {
                    left -= roller.die::<8>() + 1;
                }
            }
            if left <= 0 {
                break;
            }
            gold += treasure + roller.die::<100>();
        }
        golds.add(gold);
        i64::from(left > 0)
    })
}

pub(in super::super) fn fireball<R: Roller>(sheet: &Value, trials: u64) -> Tally {
    let victims = members(sheet, "victims", |victim| {
        let resistant = victim["resistant"].as_bool().unwrap_or_default();
        (number(victim, "hp"), number(victim, "save"), resistant)
    });
    let dc = number(sheet, "dc");
    count(trials, |roller: &mut R| {
        let damage = roller.sum(8, 6);
        let mut down = 0;
        for &(hp, save, resistant) in &victims {
            let saved = roller.die::<20>() + save >= dc;
            let taken = damage >> u32::from(saved) >> u32::from(resistant);
            down += i64::from(hp <= taken);
        }
        down
    })
}

pub(in super::super) fn initiative<R: Roller>(sheet: &Value, trials: u64) -> Tally {
    let creatures = members(sheet, "creatures", |one| {
        (number(one, "team"), number(one, "bonus"))
    });
    count(trials, |roller: &mut R| {
        let mut first = (i64::MIN, 0);
        for &(team, bonus) in &creatures {
            let order = roller.die::<20>() + bonus;
            if order > first.0 {
                first = (order, team);
            }
        }
        i64::from(first.1 == 1)
    })
}

pub(in super::super) fn lines<R: Roller>(sheet: &Value, trials: u64) -> Tally {
    let (bonus, ac) = (
        number(&sheet["one"], "bonus"),
        number(&sheet["other"], "ac"),
    );
    let mut shown = [0_u64; 2];
    let tally = count(trials, |roller: &mut R| {
        let mut total = 0;
        for _ in 0..3 {
            let hits = roller.die::<20>() + bonus >= ac;
            if hits {
                total += roller.sum(2, 6) + 3;
            }
            shown[usize::from(hits)] += 1;
        }
        total
    });
    std::hint::black_box(shown);
    tally
}

struct Weapon {
    dice: i64,
    sides: i64,
    modifiers: Vec<i64>,
}

pub(in super::super) fn sheet<R: Roller>(sheet: &Value, trials: u64) -> Tally {
    let party = members(sheet, "party", |who| {
        let weapons = members(who, "weapons", |weapon| Weapon {
            dice: number(weapon, "dice"),
            sides: number(weapon, "sides"),
            modifiers: members(weapon, "modifiers", |one| number(one, "value")),
        });
        (number(who, "strength"), weapons)
    });
    let ac = number(sheet, "ac");
    let mut shown = Tally::default();
    count(trials, |roller: &mut R| {
        let (mut damage, mut hits) = (0, 0);
        for (strength, weapons) in &party {
            for weapon in weapons {
                let bonus: i64 = weapon.modifiers.iter().sum();
                if roller.die::<20>() + strength + bonus >= ac {
                    hits += 1;
                    damage += roller.sum(weapon.dice, weapon.sides) + strength;
                }
            }
        }
        shown.add(hits);
        damage
    })
}

pub(in super::super) fn volley<R: Roller>(sheet: &Value, trials: u64) -> Tally {
    let fresh = members(sheet, "targets", |one| {
        (number(one, "hp"), number(one, "ac"))
    });
    let arrows = number(sheet, "arrows");
    let mut targets = fresh.clone();
    let mut standing = Vec::new();
    count(trials, |roller: &mut R| {
        targets.clone_from(&fresh);
        standing.clear();
        standing.extend(0..targets.len());
        for _ in 0..arrows {
            if standing.is_empty() {
                break;
            }
            let place = roller.sum(1, standing.len() as i64) as usize - 1;
            let target = &mut targets[standing[place]];
            if roller.die::<20>() + 5 >= target.1 {
                target.0 -= roller.die::<8>() + 2;
                if target.0 <= 0 {
                    standing.remove(place);
                }
            }
        }
        standing.len() as i64
    })
}
