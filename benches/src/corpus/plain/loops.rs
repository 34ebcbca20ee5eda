//! Loops over numbers.

use super::super::{Tally, count, number};
use crate::fights::dice::Roller;
use serde_json::Value;

pub(in super::super) fn crafting<R: Roller>(sheet: &Value, trials: u64) -> Tally {
    let [skill, dc, goal] = ["skill", "dc", "goal"].map(|name| number(sheet, name));
    count(trials, |roller: &mut R| {
        let (mut progress, mut days) = (0, 0);
        while progress < goal && days < 30 {
            days += 1;
            let die = roller.die::<20>();
            let total = die + skill;
            let degree = match total {
                _ if total >= dc + 10 => 3,
                _ if total >= dc => 2,
                _ if total <= dc - 10 => 0,
                _ => 1,
            };
            match degree + i64::from(die == 20) - i64::from(die == 1) {
                3.. => progress += 2 * skill,
                2 => progress += skill,
                1 => {}
                _ => progress = 0.max(progress - skill),
            }
        }
        days
    })
}

pub(in super::super) fn craps<R: Roller>(_: &Value, trials: u64) -> Tally {
    count(trials, |roller: &mut R| {
        let point = roller.sum(2, 6);
        match point {
            7 | 11 => return 1,
            ..=3 | 12 => return 0,
            _ => {}
        }
        loop {
            match roller.sum(2, 6) {
                again if again == point => return 1,
                7 => return 0,
                _ => {}
            }
        }
    })
}

pub(in super::super) fn chase<R: Roller>(_: &Value, trials: u64) -> Tally {
    count(trials, |roller: &mut R| {
        let (mut lead, mut tired) = (4_i64, 0);
        for round in 1..=20 {
            let step = match roller.die::<20>() + 3 >= 12 {
                true => roller.die::<4>() + 1,
                false => 1,
            };
            if round > 8 && roller.die::<20>() < 10 + round - 8 {
                tired += 1;
            }
            lead += step - tired - roller.die::<4>();
            if lead <= 0 || lead >= 12 {
                break;
            }
        }
        lead.clamp(0, 12)
    })
}

pub(in super::super) fn day<R: Roller>(sheet: &Value, trials: u64) -> Tally {
    let [hp, slots, hit_dice] = ["hp", "slots", "hitDice"].map(|name| number(sheet, name));
    count(trials, |roller: &mut R| {
        let (mut left, mut spells, mut dice, mut won) = (hp, slots, hit_dice, 0);
        for encounter in 1..=6 {
            let mut danger = roller.sum(2, 6) + encounter;
            if danger >= 11 && spells > 0 {
                spells -= 1;
                danger -= 6;
            }
            left -= danger.max(0);
            if left <= 0 {
                return won;
            }
            won += 1;
            if encounter % 2 == 0 {
                while dice > 0 && left < hp / 2 {
                    dice -= 1;
                    left = hp.min(left + roller.die::<10>() + 2);
                }
            }
        }
        won
    })
}

pub(in super::super) fn death_saves<R: Roller>(_: &Value, trials: u64) -> Tally {
    count(trials, |roller: &mut R| {
        let (mut successes, mut failures) = (0, 0);
        while successes < 3 && failures < 3 {
            match roller.die::<20>() {
                20 => return 1,
                1 => failures += 2,
                2..=9 => failures += 1,
                _ => successes += 1,
            }
        }
        i64::from(successes >= 3)
    })
}

pub(in super::super) fn exploding_pool<R: Roller>(sheet: &Value, trials: u64) -> Tally {
    let (dice, sides) = (number(sheet, "count"), number(sheet, "sides"));
    count(trials, |roller: &mut R| {
        let mut total = 0;
        for _ in 0..dice {
            loop {
                let face = roller.sum(1, sides);
                total += face;
                if face != sides {
                    break;
                }
            }
        }
        total
    })
}

/// What is added at a square.
const JUMPS: [i64; 31] = {
    let mut jumps = [0; 31];
    let known = [
        (3, 19),
        (5, 3),
        (9, -6),
        (11, 15),
        (17, -13),
        (19, -12),
        (20, 9),
        (21, -12),
        (27, -26),
    ];
    let mut place = 0;
    while place < known.len() {
        jumps[known[place].0] = known[place].1;
        place += 1;
    }
    jumps
};

pub(in super::super) fn ladders<R: Roller>(_: &Value, trials: u64) -> Tally {
    count(trials, |roller: &mut R| {
        let (mut square, mut moves) = (0_i64, 0);
        while square < 30 {
            moves += 1;
            square = 30.min(square + roller.die::<6>());
            square += JUMPS[square as usize];
        }
        moves
    })
}

pub(in super::super) fn pig<R: Roller>(_: &Value, trials: u64) -> Tally {
    count(trials, |roller: &mut R| {
        let (mut score, mut turns) = (0, 0);
        while score < 100 {
            turns += 1;
            let mut points = 0;
            while points < 20 && score + points < 100 {
                let face = roller.die::<6>();
                if face == 1 {
                    points = 0;
                    break;
                }
                points += face;
            }
            score += points;
        }
        turns
    })
}

pub(in super::super) fn wounds<R: Roller>(sheet: &Value, trials: u64) -> Tally {
    let [shots, hit, wound] = ["shots", "hit", "wound"].map(|name| number(sheet, name));
    let [save, health] = ["save", "health"].map(|name| number(sheet, name));
    count(trials, |roller: &mut R| {
        let (mut killed, mut left) = (0, health);
        for _ in 0..shots {
            if roller.die::<6>() >= hit && roller.die::<6>() >= wound && roller.die::<6>() < save {
                left -= roller.die::<3>();
                if left <= 0 {
                    killed += 1;
                    left = health;
                }
            }
        }
        killed
    })
}

/// A car of [`race`].
#[derive(Clone, Copy, Default)]
struct Car {
    place: i64,
    gear: i64,
    worn: i64,
}

pub(in super::super) fn race<R: Roller>(_: &Value, trials: u64) -> Tally {
    count(trials, |roller: &mut R| {
        let mut cars = [Car {
            gear: 1,
            ..Car::default()
        }; 4];
        while cars.iter().all(|car| car.place < 60) {
            for car in &mut cars {
                car.gear = match car.gear < 4 && car.worn < 3 {
                    true => car.gear + 1,
                    false => 1.max(car.gear - 1),
                };
                car.place += roller.sum(car.gear, 6);
                if roller.die::<20>() == 1 {
                    car.worn += 1;
                    car.gear = 1;
                }
            }
        }
        let first = cars.iter().map(|car| car.place).max();
        first.unwrap_or_default() - 60
    })
}
