//! Boards, maps and bags.

use super::super::{Tally, count};
use crate::fights::dice::Roller;
use serde_json::Value;

pub(in super::super) fn bag<R: Roller>(_: &Value, trials: u64) -> Tally {
    count(trials, |roller: &mut R| {
        let mut bag = [1_i64; 15];
        bag[4..10].fill(2);
        bag[10..].fill(3);
        let (mut left, mut reds, mut score) = (bag.len(), 0, 0);
        while reds < 2 {
            let place = roller.sum(1, left as i64) as usize - 1;
            left -= 1;
            bag.swap(place, left);
            match bag[left] {
                1 => reds += 1,
                token => score += token,
            }
        }
        score
    })
}

pub(in super::super) fn crawl<R: Roller>(_: &Value, trials: u64) -> Tally {
    const MAP: [[i64; 4]; 4] = [[1, 2, 1, 3], [2, 1, 3, 1], [1, 1, 2, 2], [3, 2, 1, 1]];
    count(trials, |roller: &mut R| {
        let (mut x, mut y, mut food, mut days) = (0_usize, 0_usize, 20, 0);
        while (x != 3 || y != 3) && food > 0 && days < 60 {
            days += 1;
            if roller.die::<2>() == 1 && x < 3 {
                x += 1;
            } else if y < 3 {
                y += 1;
            } else {
                x = (x + 1).min(3);
            }
            let cost = MAP[y][x];
            food -= cost;
            if roller.die::<20>() <= cost {
                food += roller.die::<6>();
            }
        }
        i64::from(food > 0)
    })
}

pub(in super::super) fn wander<R: Roller>(_: &Value, trials: u64) -> Tally {
    const EXITS: [&[usize]; 6] = [&[1, 2], &[0, 3], &[0, 3, 4], &[1, 2, 5], &[2, 5], &[3, 4]];
    const DANGERS: [i64; 6] = [0, 3, 5, 2, 8, 0];
    count(trials, |roller: &mut R| {
        let (mut room, mut hp, mut steps) = (0, 20, 0);
        while room != 5 && hp > 0 && steps < 100 {
            steps += 1;
            let exits = EXITS[room];
            room = exits[roller.sum(1, exits.len() as i64) as usize - 1];
            let danger = DANGERS[room];
            if danger > 0 && roller.die::<20>() <= danger + 5 {
                hp -= roller.die::<6>();
            }
        }
        i64::from(hp > 0)
    })
}

pub(in super::super) fn streets<R: Roller>(_: &Value, trials: u64) -> Tally {
    const RENTS: [i64; 20] = [
        0, 2, 4, 0, 6, 0, 8, 10, 0, 12, 0, 14, 16, 0, 18, 20, 0, 22, 24, 30,
    ];
    count(trials, |roller: &mut R| {
        let mut owned = [false; 20];
        let (mut at, mut gold) = (0, 100);
        for _ in 0..25 {
            at = (at + roller.sum(2, 6) as usize) % 20;
            let rent = RENTS[at];
            if rent > 0 {
                if owned[at] {
                    gold += rent;
                } else if gold > 3 * rent {
                    owned[at] = true;
                    gold -= 3 * rent;
                } else {
                    gold -= rent;
                }
            }
        }
        gold.max(0)
    })
}

pub(in super::super) fn noughts<R: Roller>(_: &Value, trials: u64) -> Tally {
    count(trials, |roller: &mut R| {
        let mut board = [[0; 3]; 3];
        let mut free: [usize; 9] = std::array::from_fn(|square| square);
        let mut player = 1;
        for left in (1..=9).rev() {
            let place = roller.sum(1, left) as usize - 1;
            free.swap(place, left as usize - 1);
            let square = free[left as usize - 1];
            let (y, x) = (square / 3, square % 3);
            board[y][x] = player;
            let is_theirs = |row: [i64; 3]| row == [player; 3];
            if is_theirs(board[y])
                || is_theirs([board[0][x], board[1][x], board[2][x]])
                || is_theirs([board[0][0], board[1][1], board[2][2]])
                || is_theirs([board[2][0], board[1][1], board[0][2]])
            {
                return player;
            }
            player = 3 - player;
        }
        0
    })
}
