//! The dice that all pools of a roll may come to: counted before any is rolled.

use dicec_compiler::{Compiler, Session};
use dicec_lang::syntax::Code;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::resource::ResourceTable;

const LIMITS: RollLimits = RollLimits {
    dice: 100,
    total: 1_000,
    explosions: 9,
    rerolls: 50,
};

fn refused(rule: &str) -> bool {
    match Compiler::new().roll_limits(LIMITS).rule(rule) {
        Ok(_) => false,
        Err(found) => {
            let codes: Vec<Code> = found.iter().map(|found| found.code).collect();
            assert_eq!(codes, [Code::TooManyDiceInAll], "{rule}");
            true
        }
    }
}

fn times(pool: &str, times: usize) -> String {
    vec![pool; times].join(" + ")
}

#[test]
fn the_pools_of_a_roll_are_bounded_together() {
    for (pool, most) in [
        ("100d6", 10),
        ("10d6", 100),
        // Of one that is computed, its limit.
        ("[n]d6", 10),
        ("(1d4)d6", 9),
        // Of one that explodes, what that may bring, but no more than the limit of a pool.
        ("5d6!", 20),
        ("11d6!", 10),
        ("20d6!!", 50),
        ("20d6r=1", 50),
    ] {
        assert!(!refused(&times(pool, most)), "{most} times {pool}");
        assert!(refused(&times(pool, most + 1)), "{} times {pool}", most + 1);
    }
    let group = |joint: &str| format!("{{{}}}kh1", ["100d6"; 11].join(joint));
    assert!(refused(&group(", ")) && refused(&group(" + ")));
    assert!(refused(&format!("{} vs 10", times("100d20", 11))));
}

#[test]
fn each_roll_of_a_script_has_its_own_bound() {
    let compile = |rolls: &str| {
        let text = format!("defroll \"\" r(n: int) {{ t = 0; {rolls} return t; }}");
        Compiler::new().roll_limits(LIMITS).script(&text)
    };
    let one = format!("t += roll({});", times("100d6", 10));
    assert!(compile(&one.repeat(3)).is_ok());
    let found = compile(&format!("t += roll({});", times("100d6", 11)));
    let found = found.expect_err("1,100 dice");
    let codes: Vec<Code> = found.iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::TooManyDiceInAll]);
    assert!(compile(&format!("t += roll({});", times("d(n, 6)", 10))).is_ok());
    assert!(compile(&format!("t += roll({});", times("d(n, 6)", 11))).is_err());
}

/// The faces that a roll shows are bounded, too: as many dice as it may have, and 10,000 that were
/// rerolled.
#[test]
fn a_roll_shows_so_many_rerolled_dice_and_no_more() {
    let rule = times("1000d6r<6", 20);
    let rule = Compiler::new().rule(&rule).expect("20,000 dice");
    let bound = rule.bind(&ResourceTable::new()).expect("no resources");
    let roll = bound.roll(&mut Session::seeded(1)).expect("no trap");
    assert_eq!(roll.dice.len(), 20_000 + 10_000);
    assert_eq!(roll.total, Some(20_000 * 6));
}
