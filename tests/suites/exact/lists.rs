//! Lists of dice and of records in generated scripts, and the library of pools, against brute
//! force; and that every shortcut is among what is checked.

use crate::scripts::{Compared, bound, check, compare};
use arbitrary::Unstructured;
use dicec_compiler::Compiler;
use dicec_exact::{take_checked, take_fired};
use dicec_runtime::limits::ScriptLimits;
use dicec_runtime::pmf::Limits;
use dicec_tests::generate::hands::hand;
use dicec_tests::programs::{given, table};
use serde_json::json;

/// Bytes that depend on a number only.
fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    (0..200).map(|_| next()).collect()
}

/// How many cases there are, from which on: `DICEC_CASES` and `DICEC_SEED`.
fn cases() -> std::ops::Range<u64> {
    let number = |name: &str, usual| {
        let wanted = std::env::var(name).ok();
        wanted.map_or(usual, |wanted| wanted.parse().expect("a number"))
    };
    let first = 1_000_000 * number("DICEC_SEED", 0);
    first..first + number("DICEC_CASES", 300)
}

#[test]
fn generated_lists_equal_brute_force() {
    let limits = ScriptLimits {
        fuel: 2_000,
        depth: 8,
        list: 12,
    };
    take_fired();
    take_checked();
    let (mut compared, mut trapped, mut refused) = (0_u64, 0_u64, 0_u64);
    for case in cases() {
        let bytes = bytes(case);
        let text = hand(&mut Unstructured::new(&bytes)).expect("bytes never run out");
        let Ok(program) = Compiler::new().script_limits(limits).script(&text) else {
            refused += 1;
            continue;
        };
        let roll = program.rolls().next().expect("it has a roll");
        match compare(&given(&roll, &json!({}), &table(&[])), &text, 4_000) {
            Some(Compared::Odds) => compared += 1,
            Some(Compared::Trap) => trapped += 1,
            None => {}
        }
    }
    let all = cases().end - cases().start;
    assert!(3 * refused < all, "{refused} of {all} do not compile");
    assert!(2 * compared > all, "{compared} of {all}, {trapped} trap");
    let (checked, skipped) = take_checked();
    if cfg!(debug_assertions) {
        assert!(checked >= 20 * skipped, "{checked}, {skipped}");
    }
    for (name, times) in take_fired() {
        // No value of the type `dice` is among these, no pool that keeps dice before changes and no
        // large list, for which `rewritten` has all forms; and each is asked once.
        let elsewhere = [
            "dice_values",
            "multisets",
            "kept",
            "dropped",
            "late",
            "faces",
        ];
        let is_elsewhere = elsewhere.contains(&name);
        assert!(times > 0 || is_elsewhere, "{name} was never used");
    }
}

/// All functions of the library, with dice.
const POOLS: [&str; 16] = [
    "rollDice(2, 6)[0]",
    "rollDice(2, 4)[0] * 10 + rollDice(2, 4)[1]",
    "sum(rollDice(3, 6))",
    "len(rollDice(roll(d3), 4))",
    "countAtLeast(rollDice(4, 6), 5)",
    "countAtLeast(rollDice(3, 4), roll(d4))",
    "countEqual(rollDice(4, 6), 6)",
    "sorted(rollDice(3, 6))[0] * 10 + sorted(rollDice(2, 4))[1]",
    "sorted([roll(d4), 2, roll(d3)])[roll(d3) - 1]",
    "keepHighest(rollDice(4, 6), 3)",
    "keepHighest(rollDice(3, 4), roll(d3) - 1)",
    "keepHighest([roll(d4), roll(d8), 3], 2)",
    "keepLowest(rollDice(4, 6), 1)",
    "keepLowest(rollDice(3, 4), 5) * 10 + keepLowest(rollDice(2, 4), -1)",
    "successPool(3, 7)",
    "keepHighest(sorted(rollDice(3, 6)), 1) - keepLowest(rollDice(2, 6), 1)",
];

#[test]
fn the_library_of_pools_equals_brute_force() {
    for asked in POOLS {
        let text = format!("import std.pools; defroll \"A\" a() {{ return {asked}; }}");
        check(&text, &json!({}));
    }
}

/// Pools that the notation can also roll, whose odds are the same.
const NOTATION: [(&str, &str); 7] = [
    ("keepHighest(rollDice(4, 6), 3)", "4d6kh3"),
    ("keepLowest(rollDice(5, 8), 2)", "5d8kl2"),
    ("countAtLeast(rollDice(5, 10), 7)", "5d10 count>=7"),
    ("explodingPool(4, 7)", "4d10! count>=7"),
    ("sum(rollDice(6, 6))", "6d6"),
    ("keepHighest(rollDice(6, 10), 1)", "6d10kh1"),
    ("keepLowest(rollDice(2, 20), 1)", "2d20kl1"),
];

#[test]
fn pools_equal_the_notation() {
    for (asked, notation) in NOTATION {
        let [one, other] = [asked.to_owned(), format!("roll({notation})")].map(|value| {
            let text = format!("import std.pools; defroll \"A\" a() {{ return {value}; }}");
            let odds = bound(&text, &json!({})).distribution(&Limits::default());
            odds.unwrap_or_else(|failure| panic!("{failure}\n{text}"))
        });
        let known = one.probabilities().zip(other.probabilities());
        for ((value, left), (number, right)) in known {
            assert_eq!(value, number, "{asked}");
            assert!(
                (left - right).abs() < 1e-12,
                "{asked}: {value}, {left}, {right}"
            );
        }
    }
}
