//! Each shortcut of [`Options`] fires where its premise holds, and nowhere else: programs cost less
//! work with it than without, or the same. The answers never depend on it.

use dashu_int::UBig;
use dicec_anydice::{Options, Program};
use dicec_lang::syntax::SourceLimits;
use dicec_runtime::pmf::Budget;

const NONE: Options = Options {
    remember: false,
    observe: false,
};
const REMEMBER: Options = Options {
    remember: true,
    observe: false,
};
const OBSERVE: Options = Options {
    remember: false,
    observe: true,
};

/// Values with their weights and the total of these.
type Odds = Vec<(i64, UBig, UBig)>;

/// The odds of all outputs, and the work.
fn run(text: &str, options: Options) -> (Vec<Odds>, u64) {
    let program = Program::parse(text, SourceLimits::default()).expect("a good program");
    let mut budget = Budget::default();
    let run = program.run::<UBig>(&[], options, &mut budget);
    let outputs = run.expect("it has an answer").outputs;
    let odds = outputs.iter().map(|output| {
        let odds = output.odds.iter();
        let all = odds.flat_map(|odds| {
            let total = odds.total();
            odds.iter()
                .map(move |(value, weight)| (value, weight.clone(), total.clone()))
        });
        all.collect()
    });
    (odds.collect(), budget.spent())
}

/// Checks the answers, and whether the shortcut saves work.
fn check(text: &str, with: Options, fires: bool) {
    let (slow, all) = run(text, NONE);
    let (fast, spent) = run(text, with);
    let same = |one: &Odds, two: &Odds| {
        let mut pairs = one.iter().zip(two);
        one.len() == two.len()
            && pairs.all(|(one, two)| one.0 == two.0 && &one.1 * &two.2 == &two.1 * &one.2)
    };
    assert_eq!(fast.len(), slow.len(), "{text}");
    let mut pairs = fast.iter().zip(&slow);
    assert!(pairs.all(|(one, two)| same(one, two)), "{text}");
    match fires {
        true => assert!(2 * spent < all, "{spent} instead of {all}: {text}"),
        false => assert!(spent >= all, "{spent} instead of {all}: {text}"),
    }
}

#[test]
fn equal_calls_are_made_once() {
    // 2 to the power of 12 calls without the memory.
    let many = "set \"maximum function depth\" to 99
                function: f N:n { if N = 0 { result: 1 } result: [f N - 1] + [f N - 1] }
                output [f 10]";
    check(many, REMEMBER, true);
    let twice = "function: f R:s { result: [g 1@R] } function: g N:n { S: 0 loop I over {1..50} { S: S + N * I } result: S }
                 output [f 4d6]";
    check(twice, REMEMBER, true);
}

#[test]
fn calls_that_differ_are_made_each() {
    // By the depth, a variable of the caller, the arguments, the settings, a shared variable.
    for text in [
        "set \"maximum function depth\" to 3 function: f { result: 1 + [f] } output [f]",
        "set \"maximum function depth\" to 2 function: k { result: 1 } function: h { result: 1 + [k] }
         function: g { result: 1 + [h] } output [h] output [g]",
        "function: g { result: X * 2 } function: f N:n { X: N result: [g] } output [f d6]",
        "function: f N:n { result: N * N } output [f 3] output [f 4]",
        "function: f D:d { result: 1@D } X: 2d6 output [f X]
         set \"position order\" to \"lowest first\" output [f X]",
        "C: 0 function: g N:n { result: N } function: f N:n { C: C + [g N] result: C } output [f d4]",
    ] {
        check(text, REMEMBER, false);
    }
}

#[test]
fn numbers_are_observed_instead_of_rolls() {
    for text in [
        "function: f R:s { result: R >= 5 } output [f 10d6]",
        "function: f R:s { if R = 1 { result: 0 } result: 1@R + 2@R } output [f 15d8]",
        "T: 3 function: f R:s { H: R >= T if [R contains 6] { result: H + [count 5 in R] } result: #R } output [f 16d6]",
        "function: f R:s { result: R } output [f 10d6]",
    ] {
        check(text, OBSERVE, true);
    }
}

#[test]
fn rolls_are_made_if_more_than_numbers_is_asked_for() {
    for text in [
        // The operand differs from call to call.
        "function: f R:s T:n { result: R >= T } output [f 5d6 (d6)]",
        "T: 3 function: f R:s T:n { result: R >= T } output [f 5d6 (d6)]",
        "T: 3 function: f R:s { T: #R - 1 result: R >= T } output [f 5d6]",
        "function: f R:s { S: 0 loop P over {1..3} { S: S + P@R } result: S } output [f 5d6]",
        // The roll itself is passed on, assigned or changed.
        "function: g R:s { result: 1@R } function: f R:s { result: [g R] } output [f 5d6]",
        "function: f R:s { R: {R, 7} result: R > 4 } output [f 5d6]",
        "function: f R:s { X: R result: X > 4 } output [f 5d6]",
        "function: g { result: 1@R } function: f R:s { result: [g] + (R > 3) } output [f 5d6]",
        // The calls share a variable.
        "C: 0 function: f R:s { C: C + (R > 4) result: C } output [f 4d6]",
        // There are few rolls.
        "function: f R:s { result: R >= 5 } output [f 2d6]",
    ] {
        check(text, OBSERVE, false);
    }
}
