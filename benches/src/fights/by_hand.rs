//! The routines by hand. Like the scripts' players, these never take an option.

use super::creature::{Attack, Creature, Dice, Fighter};
use super::dice::Roller;
use serde_json::Value;
use std::hint::black_box;

/// The lines that an attack comes to.
#[derive(Clone, Copy)]
enum Line {
    Natural1,
    Ac,
    MissChance,
    Hit,
    Sneak,
    Critical,
    CriticalSneak,
    Total,
}

/// Options: never taken, but the compiler must not know.
fn asks() -> bool {
    black_box(false)
}

fn damage<R: Roller>(roller: &mut R, dice: &Dice) -> i64 {
    roller.sum(dice.count, dice.sides) + dice.modifier
}

fn one_attack<R: Roller>(
    roller: &mut R,
    lines: &mut [u64; 8],
    target: &Creature,
    attacker: &Creature,
    attack: &Attack,
    could_sneak: bool,
) -> i64 {
    let mut to_hit = roller.die::<20>();
    let mut recount = attack.rerolls;
    let mut bonus = attack.bonus;
    for buff in &attacker.buffs {
        if buff.active {
            bonus += buff.amount;
        }
    }
    if attacker.can_add_reroll && asks() {
        recount += 1;
        bonus += attacker.reroll_bonus;
    }
    if target.can_force_reroll && asks() {
        recount -= 1;
        bonus -= target.force_reroll_penalty;
    }
    while recount > 0 {
        to_hit = to_hit.max(roller.die::<20>());
        recount -= 1;
    }
    while recount < 0 {
        to_hit = to_hit.min(roller.die::<20>());
        recount += 1;
    }
    if to_hit == 1 {
        lines[Line::Natural1 as usize] += 1;
        return 0;
    }
    if to_hit != 20 && to_hit + bonus < target.ac {
        lines[Line::Ac as usize] += 1;
        return 0;
    }
    if roller.die::<100>() <= target.miss_chance {
        lines[Line::MissChance as usize] += 1;
        return 0;
    }
    let mut crit = false;
    if to_hit >= attack.threat
        && (attack.autoconfirm || roller.die::<20>() + bonus >= target.ac)
        && roller.die::<100>() > target.crit_reduce
        && (!target.has_crit_negate || !asks())
    {
        crit = true;
    }
    let sneak = could_sneak
        && roller.die::<100>() > target.sneak_reduce
        && (!target.has_sneak_negate || !asks());
    let mut dealt = damage(roller, &attack.base);
    let mut line = Line::Hit;
    if sneak {
        dealt += damage(roller, &attack.on_sneak);
        line = Line::Sneak;
    }
    if crit {
        dealt += damage(roller, &attack.on_crit);
        line = Line::Critical;
    }
    if crit && sneak {
        dealt += damage(roller, &attack.on_crit_sneak);
        line = Line::CriticalSneak;
    }
    lines[line as usize] += 1;
    dealt
}

/// `fullattack`.
pub(super) fn full_attack<R: Roller>(sheet: &Value, trials: u64) -> u64 {
    let target = Creature::read(&sheet["target"]);
    let attacker = Creature::read(&sheet["attacker"]);
    let could_sneak = sheet["couldsneak"].as_bool().unwrap_or_default();
    let mut roller = R::new();
    let mut lines = [0; 8];
    let mut all = 0;
    for _ in 0..trials {
        let mut total = 0;
        for attack in &attacker.attacks {
            total += one_attack(
                &mut roller,
                &mut lines,
                &target,
                &attacker,
                attack,
                could_sneak,
            );
        }
        lines[Line::Total as usize] += 1;
        all += total;
    }
    lines.iter().sum::<u64>() + all as u64
}

fn strike<R: Roller>(roller: &mut R, attacker: &Fighter, defender: &mut Fighter) {
    let die = roller.die::<20>();
    if die == 20 {
        defender.hp -= roller.sum(2 * attacker.dice, attacker.sides) + attacker.bonus;
    } else if die != 1 && die + attacker.attack >= defender.ac {
        defender.hp -= roller.sum(attacker.dice, attacker.sides) + attacker.bonus;
    }
}

/// `duel`.
pub(super) fn duel<R: Roller>(sheet: &Value, trials: u64) -> u64 {
    let sheets = [&sheet["first"], &sheet["second"]].map(Fighter::read);
    let mut roller = R::new();
    let mut rounds_seen = vec![0_u64; 1024];
    let mut hp_left = vec![0_u64; 1024];
    let mut wins = [0_u64; 2];
    let [mut first, mut second] = sheets.clone();
    for _ in 0..trials {
        first.hp = sheets[0].hp;
        second.hp = sheets[1].hp;
        let mut rounds = 0;
        let first_is_faster = roller.die::<20>() >= roller.die::<20>();
        while first.hp > 0 && second.hp > 0 {
            rounds += 1;
            if first_is_faster {
                strike(&mut roller, &first, &mut second);
                if second.hp > 0 {
                    strike(&mut roller, &second, &mut first);
                }
            } else {
                strike(&mut roller, &second, &mut first);
                if first.hp > 0 {
                    strike(&mut roller, &first, &mut second);
                }
            }
        }
        rounds_seen[rounds & 1023] += 1;
        let (winner, left) = if first.hp > 0 {
            (0, &first)
        } else {
            (1, &second)
        };
        hp_left[left.hp as usize & 1023] += 1;
        wins[winner] += 1;
    }
    black_box((&rounds_seen, &hp_left, &first.name, &second.name));
    wins[0]
}
