//! The rules of pools on given faces, as the documentation of the modules states them.

use super::{Bound, Explosion, Flags, Pool, Selector};
use crate::compare::CompareOp::{Equal, GreaterEqual, Less, LessEqual};
use crate::rng::Scripted;
use crate::trap::TrapCode;

/// A pool of `count` dice with `sides` sides, which shows the first faces of `dice`.
fn pool(count: i64, sides: i64, dice: &mut Scripted<'_>) -> Pool {
    let mut pool = Pool::new(&[]).with_history(10_000);
    pool.draw(dice, count, sides).expect("scripted");
    pool
}

fn faces(pool: &Pool) -> Vec<i64> {
    pool.dice().iter().map(|die| die.face).collect()
}

#[test]
fn an_extra_die_follows_its_parent() {
    let mut dice = Scripted::new(&[6, 3, 2]);
    let mut pool = pool(2, 6, &mut dice);
    pool.explode(&mut dice, Explosion::Extra, 10, 10)
        .expect("scripted");
    assert_eq!(faces(&pool), [6, 2, 3]);
    assert_eq!(pool.sum(), Ok(11));
    assert_eq!(pool.dice()[0].flags, Flags::EXPLODED);
    assert_eq!(pool.dice()[1].flags, Flags::ADDED);
}

#[test]
fn a_whole_chain_comes_before_the_next_die() {
    let mut dice = Scripted::new(&[6, 6, 6, 2, 4]);
    let mut pool = pool(2, 6, &mut dice);
    pool.explode(&mut dice, Explosion::Extra, 10, 10)
        .expect("scripted");
    assert_eq!(faces(&pool), [6, 6, 2, 6, 4]);
}

#[test]
fn compounding_adds_to_the_value_and_penetration_counts_one_less() {
    let mut dice = Scripted::new(&[6, 3, 6, 2]);
    let mut compound = pool(2, 6, &mut dice);
    compound
        .explode(&mut dice, Explosion::Compound, 10, 10)
        .expect("scripted");
    assert_eq!(faces(&compound), [6, 3]);
    assert_eq!(compound.sum(), Ok(6 + 6 + 2 + 3));

    let mut dice = Scripted::new(&[6, 3, 6, 2]);
    let mut penetrate = pool(2, 6, &mut dice);
    penetrate
        .explode(&mut dice, Explosion::Penetrate, 10, 10)
        .expect("scripted");
    assert_eq!(faces(&penetrate), [6, 6, 2, 3]);
    assert_eq!(penetrate.sum(), Ok(6 + 5 + 1 + 3));
}

#[test]
fn chains_and_pools_are_bounded() {
    let mut dice = Scripted::new(&[6, 6, 6, 6]);
    let mut endless = pool(1, 6, &mut dice);
    let chain = endless.explode(&mut dice, Explosion::Extra, 2, 10);
    assert_eq!(chain, Err(TrapCode::TooManyExplosions));

    let mut dice = Scripted::new(&[6, 6, 1]);
    let mut exact = pool(1, 6, &mut dice);
    assert_eq!(exact.explode(&mut dice, Explosion::Extra, 2, 3), Ok(()));

    let mut dice = Scripted::new(&[6, 6, 1]);
    let mut full = pool(1, 6, &mut dice);
    let growth = full.explode(&mut dice, Explosion::Extra, 9, 2);
    assert_eq!(growth, Err(TrapCode::TooManyDice));

    let mut dice = Scripted::new(&[1, 1, 1]);
    let mut rerolled = pool(1, 6, &mut dice);
    rerolled.when(Less, 2);
    let again = rerolled.reroll(&mut dice, false, 2);
    assert_eq!(again, Err(TrapCode::TooManyRerolls));
}

#[test]
fn rerolls_look_for_any_condition_and_leave_the_old_face_dropped() {
    let mut dice = Scripted::new(&[1, 3, 5, 3, 6]);
    let mut pool = pool(2, 6, &mut dice);
    pool.when(Equal, 1);
    pool.when(Equal, 3);
    pool.reroll(&mut dice, false, 10).expect("scripted");
    assert_eq!(faces(&pool), [1, 5, 3, 3, 6]);
    assert_eq!(pool.sum(), Ok(11));
    // Dice that are off the table are not selected.
    pool.select(Selector::KeepLow, 1);
    assert_eq!(pool.sum(), Ok(5));
}

#[test]
fn once_keeps_the_second_face() {
    let mut dice = Scripted::new(&[1, 1]);
    let mut pool = pool(1, 6, &mut dice);
    pool.when(LessEqual, 2);
    pool.reroll(&mut dice, true, 10).expect("scripted");
    assert_eq!(pool.sum(), Ok(1));
}

#[test]
fn clamps_change_the_value_alone() {
    let mut dice = Scripted::new(&[1, 6, 3]);
    let mut pool = pool(3, 6, &mut dice);
    pool.bound(Bound::Min, 2);
    pool.bound(Bound::Max, 5);
    assert_eq!(faces(&pool), [1, 6, 3]);
    assert_eq!(pool.sum(), Ok(2 + 5 + 3));
}

#[test]
fn selections_are_independent_and_joined() {
    let mut pool = pool(4, 6, &mut Scripted::new(&[3, 1, 4, 2]));
    pool.select(Selector::DropLow, 1);
    pool.select(Selector::KeepHigh, 3);
    assert_eq!(pool.sum(), Ok(9));
}

#[test]
fn opposite_selections_keep_nothing() {
    for faces in [[7, 18], [18, 7], [7, 7]] {
        let mut pool = pool(2, 20, &mut Scripted::new(&faces));
        pool.select(Selector::KeepHigh, 1);
        pool.select(Selector::KeepLow, 1);
        assert_eq!(pool.sum(), Ok(0));
    }
}

#[test]
fn dropping_the_lowest_is_keeping_the_others() {
    let mut pool = pool(4, 6, &mut Scripted::new(&[1, 1, 5, 1]));
    pool.select(Selector::DropLow, 1);
    pool.select(Selector::KeepHigh, 3);
    let kept: Vec<bool> = pool.dice().iter().map(|die| die.is_kept()).collect();
    assert_eq!(kept, [true, true, true, false]);
}

#[test]
fn of_equal_dice_the_earlier_is_the_higher_and_counts_are_cut_to_the_pool() {
    for (selector, count, kept) in [
        (Selector::KeepHigh, 1, [true, false]),
        (Selector::KeepLow, 1, [false, true]),
        (Selector::DropHigh, 1, [false, true]),
        (Selector::DropLow, 1, [true, false]),
        (Selector::KeepHigh, 9, [true, true]),
        (Selector::DropLow, 9, [false, false]),
        (Selector::KeepLow, -1, [false, false]),
        (Selector::DropHigh, 0, [true, true]),
    ] {
        let mut pool = pool(2, 6, &mut Scripted::new(&[4, 4]));
        pool.select(selector, count);
        let found: Vec<bool> = pool.dice().iter().map(|die| die.is_kept()).collect();
        assert_eq!(found, kept, "{selector}{count}");
    }
}

#[test]
fn counting_marks_kept_dice() {
    let mut pool = pool(4, 10, &mut Scripted::new(&[8, 10, 1, 3]));
    pool.select(Selector::DropHigh, 1);
    pool.when(GreaterEqual, 8);
    assert_eq!(pool.count(Flags::SUCCESS), 1);
    pool.when(Equal, 1);
    assert_eq!(pool.count(Flags::FAILURE), 1);
    assert_eq!(pool.dice()[0].flags, Flags::SUCCESS);
    assert_eq!(pool.dice()[2].flags, Flags::FAILURE);
}

#[test]
fn custom_faces_count_what_they_show() {
    let mut pool = Pool::new(&[-1, 0, 1]);
    pool.draw(&mut Scripted::new(&[1, 3, 3]), 3, 99)
        .expect("scripted");
    assert_eq!(pool.sum(), Ok(1));
    assert_eq!(pool.dice()[0].sides, 3);
    assert_eq!(pool.naturals(20), 0);
}

#[test]
fn natural_dice_are_kept_plain_twenties() {
    let mut dice = Scripted::new(&[20, 7, 4]);
    let mut pool = pool(2, 20, &mut dice);
    pool.explode(&mut dice, Explosion::Extra, 9, 9)
        .expect("scripted");
    assert_eq!(pool.naturals(20), 2);
    pool.select(Selector::KeepHigh, 1);
    pool.bound(Bound::Max, 10);
    assert_eq!((pool.naturals(20), pool.natural_face(20)), (1, 20));
}

#[test]
fn groups_are_pools_of_totals_and_of_joined_dice() {
    let mut group = Pool::new(&[]);
    group.clear();
    group.push(7);
    group.push(9);
    group.select(Selector::KeepHigh, 1);
    assert_eq!(group.sum(), Ok(9));
    assert_eq!(
        [group.keeps(0), group.keeps(1), group.keeps(2)],
        [false, true, false]
    );

    let mut first = pool(2, 6, &mut Scripted::new(&[6, 1]));
    first.select(Selector::KeepHigh, 1);
    group.clear();
    group.join(&first);
    group.join(&pool(1, 8, &mut Scripted::new(&[8])));
    assert_eq!(faces(&group), [6, 8]);
}
