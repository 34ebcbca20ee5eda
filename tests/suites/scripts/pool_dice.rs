//! The dice of a roll as a list: each is the die that the roll has.

use super::through_lists::{bound, mistake};
use dicec_lang::syntax::Code;
use dicec_runtime::pmf::Limits;
use dicec_tests::engines;
use dicec_tests::enumerate_script::ScriptEnumeration;
use dicec_tests::programs::{first, script};
use serde_json::json;

/// The kept values add up to what the roll gives: not only with the same odds, but die by die.
#[test]
fn kept_values_add_up_to_the_roll() {
    for dice in [
        "3d6",
        "4d6kh3",
        "4d6kl1",
        "3d6dh1",
        "4d4dl1kh2",
        "3d6ro<3",
        "3d6min2max5",
        "2d6 + d4",
        "2dF + d{1,1,5}",
        // Numbers that are rolled.
        "(1d2 + 1)d4kh2",
        "2d(1d3 + 1)",
        "3d4ro<(1d3)",
        "2d4min(1d3)",
        "3d4kh(1d2)",
    ] {
        let listed = bound(&format!(
            "return sum(d.value for d : dice({dice}) if d.kept);"
        ));
        let rolled = bound(&format!("return roll({dice});"));
        let outcome = engines::check(&listed, 5, 40, &dice);
        assert_eq!(outcome.stopped, None, "{dice}");
        let faithful = engines::check(&rolled, 5, 40, &dice);
        assert_eq!(outcome.results, faithful.results, "{dice}");
        let [listed, rolled] = [listed, rolled].map(|roll| {
            let odds = roll.solve::<f64>(&Limits::default()).expect("few states");
            odds.result.expect("a number")
        });
        assert!(
            listed
                .iter()
                .map(|(value, _)| value)
                .eq(rolled.iter().map(|(value, _)| value))
        );
        for (value, p) in rolled.probabilities() {
            assert!(
                (listed.probability(value) - p).abs() < 1e-9,
                "{dice}: {value}"
            );
        }
    }
}

/// Dice that explode or are rerolled for ever.
#[test]
fn chains_follow_their_die() {
    for dice in ["2d4!", "2d4!!", "2d4!p", "2d6!>=5", "2d6r<3", "3d4!kh2"] {
        let listed = bound(&format!(
            "return sum(d.value for d : dice({dice}) if d.kept);"
        ));
        let rolled = bound(&format!("return roll({dice});"));
        let outcome = engines::check(&listed, 9, 60, &dice);
        assert_eq!(outcome.stopped, None, "{dice}");
        let faithful = engines::check(&rolled, 9, 60, &dice);
        assert_eq!(outcome.results, faithful.results, "{dice}");
    }
}

#[test]
fn every_part_of_a_die() {
    let text = "deffun sixes(hand: die list) { return count(d.face == 6 for d : hand); }
        defroll \"R\" r(n: int, sides: int) {
            hand = dice(d(n, sides)) + dice(3d6kh1);
            stat(\"dropped\", count(not d.kept for d : hand));
            stat(\"sides\", sum(d.sides for d : hand));
            for (d : hand) { stat(\"difference\", d.face - d.value); }
            high = most(d by d.value for d : hand);
            high.value += 10;
            return 100 * sixes(hand) + max(d.value for d : hand);
        }";
    let bound = first(&script(text), &json!({"n": 1, "sides": 4}));
    let outcome = engines::check(&bound, 5, 40, &text);
    assert_eq!(outcome.stopped, None);
    let all = ScriptEnumeration::of(&bound.question(), 10_000).expect("few rolls");
    let odds = bound.solve::<f64>(&Limits::default()).expect("few states");
    all.expect(&odds, text);
}

/// A script's own function and type of these names are its own.
#[test]
fn the_names_are_not_taken() {
    let text = "deftype die { dice: int }
        deffun dice(n: int) { return die{ dice: n }; }
        defroll \"R\" r() { dice = dice(4); return dice.dice + roll(d6); }";
    engines::check(&first(&script(text), &json!({})), 5, 10, &text);
}

#[test]
fn mistakes() {
    for (statements, code, marked, help) in [
        ("n = len(dice(n));", Code::NothingRolled, "n", "dice"),
        (
            "n = len(dice(2d6 + 3));",
            Code::NothingRolled,
            "3",
            "dice(4d6kh3)",
        ),
        (
            "n = len(dice(5d10 count>=8));",
            Code::NothingRolled,
            "dice(5d10 count>=8)",
            "count(d.value >= 8",
        ),
        (
            "n = sum(dice(2d6));",
            Code::WrongType,
            "dice(2d6)",
            "such as a field",
        ),
    ] {
        mistake(statements, code, marked, help);
    }
}
