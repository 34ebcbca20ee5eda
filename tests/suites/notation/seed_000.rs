//! Seed 000, "PF2e Degrees of Success": its table of edge cases, its degree calculation and its
//! test plan.

use dashu_int::UBig;
use dicec_compiler::{Bound, Compiler, Program, Rolled, Simulation};
use dicec_lang::front::notation::{AstKind, Dialect, print};
use dicec_lang::syntax::Code;
use dicec_runtime::degree::Ladder;
use dicec_runtime::pmf::Limits;
use dicec_tests::fit;
use dicec_tests::programs::{notation, rule, scripted, table};

fn bound(program: &Program) -> Bound {
    let table = table(&[("Attack", 7), ("Target Defense", 15), ("Sides", 20)]);
    program.bind(&table).expect("the table has every name")
}

/// A scripted roll, the same in both dialects.
fn roll(text: &str, faces: &[i64]) -> Rolled {
    let [rulebook, notation] =
        [rule(text), notation(text)].map(|program| scripted(&bound(&program), faces));
    assert_eq!(rulebook, notation, "{text}");
    rulebook
}

/// Total, degree and natural of a scripted roll.
fn row(text: &str, faces: &[i64]) -> (i64, &'static str, Option<i64>) {
    let roll = roll(text, faces);
    let degree = roll.degree.expect("a degree");
    (roll.total.expect("a total"), degree, roll.natural)
}

const CRITICAL_FAILURE: &str = "Critical Failure";
const FAILURE: &str = "Failure";
const SUCCESS: &str = "Success";
const CRITICAL_SUCCESS: &str = "Critical Success";

#[test]
fn edge_cases() {
    for (text, faces, expected) in [
        // Advantage and disadvantage: the natural is the kept die.
        ("2d20kh1+5 vs 20", &[7, 18][..], (23, SUCCESS, Some(18))),
        ("2d20kl1+5 vs 20", &[7, 18], (12, FAILURE, Some(7))),
        (
            "2d20kh1+5 vs 20",
            &[20, 1],
            (25, CRITICAL_SUCCESS, Some(20)),
        ),
        ("2d20kl1+25 vs 20", &[20, 1], (26, FAILURE, Some(1))),
        ("2d20dl1+5 vs 20", &[7, 18], (23, SUCCESS, Some(18))),
        ("{2d20}kh1+5 vs 20", &[7, 18], (23, SUCCESS, Some(18))),
        ("2d20kh2 vs 35", &[20, 20], (40, SUCCESS, None)),
        ("2d20kh1kl1+5 vs 10", &[20, 1], (5, FAILURE, None)),
        // Simple check.
        ("1d20 vs 15", &[12], (12, FAILURE, Some(12))),
        ("1d20 vs 15", &[15], (15, SUCCESS, Some(15))),
        ("1d20 vs 15", &[4], (4, CRITICAL_FAILURE, Some(4))),
        // The plan's `1d20 vs 15` on 25, which no d20 shows.
        ("1d20+10 vs 15", &[15], (25, CRITICAL_SUCCESS, Some(15))),
        // With modifier.
        ("1d20+10 vs 25", &[15], (25, SUCCESS, Some(15))),
        ("1d20+10 vs 25", &[20], (30, CRITICAL_SUCCESS, Some(20))),
        // Natural 20 upgrades, natural 1 downgrades.
        ("1d20-2 vs 25", &[20], (18, SUCCESS, Some(20))),
        ("1d20+15 vs 15", &[1], (16, FAILURE, Some(1))),
        ("1d20+30 vs 15", &[20], (50, CRITICAL_SUCCESS, Some(20))),
        ("1d20 vs 25", &[1], (1, CRITICAL_FAILURE, Some(1))),
        // The class is an expression, and may have dice, which never count as natural.
        ("1d20+10 vs 15+10", &[15], (25, SUCCESS, Some(15))),
        (
            "1d20 vs 1d20+10",
            &[12, 20],
            (12, CRITICAL_FAILURE, Some(12)),
        ),
        ("15 vs 1d20", &[20], (15, FAILURE, None)),
        // Two d20s, or none: no shift.
        ("1d20+1d20 vs 25", &[20, 1], (21, FAILURE, None)),
        ("2d20 vs 35", &[20, 20], (40, SUCCESS, None)),
        ("1d6+10 vs 15", &[6], (16, SUCCESS, None)),
        ("10 vs 15", &[], (10, FAILURE, None)),
        // Exactly ten below is a critical failure.
        ("5 vs 15", &[], (5, CRITICAL_FAILURE, None)),
        ("6 vs 15", &[], (6, FAILURE, None)),
        // Other dice next to the d20.
        ("1d20+1d4 vs 15", &[20, 4], (24, CRITICAL_SUCCESS, Some(20))),
        // Computed sides, and dice that only compute a count.
        ("1d[Sides] vs 30", &[20], (20, FAILURE, Some(20))),
        ("(1d20)d4 vs 20", &[1, 4], (4, CRITICAL_FAILURE, None)),
        // The natural is the raw face of a die that no explosion added.
        ("1d20min10+5 vs 15", &[1], (15, FAILURE, Some(1))),
        ("1d20!!+5 vs 25", &[20, 1], (26, CRITICAL_SUCCESS, Some(20))),
        (
            "1d20!+5 vs 45",
            &[20, 20, 1],
            (46, CRITICAL_SUCCESS, Some(20)),
        ),
        (
            "1d20r=1+5 vs 15",
            &[1, 20],
            (25, CRITICAL_SUCCESS, Some(20)),
        ),
        // Totals keep their sign.
        ("1d20 - 30 vs -20", &[5], (-25, FAILURE, Some(5))),
        // Operators around it keep the degree and change the total.
        ("(1d20+10 vs 25) + 3", &[15], (28, SUCCESS, Some(15))),
        ("-(1d20+10 vs 25)", &[15], (-25, SUCCESS, Some(15))),
        (
            "1d20+[Attack] VS [Target Defense]",
            &[8],
            (15, SUCCESS, Some(8)),
        ),
    ] {
        assert_eq!(row(text, faces), expected, "{text} on {faces:?}");
    }
}

#[test]
fn rendering() {
    assert_eq!(
        roll("1d20+10 vs 25", &[15]).rendered,
        "1d20[15] + 10 vs 25 = Success"
    );
    assert_eq!(
        roll("1d20+10 vs 25", &[20]).rendered,
        "1d20[20] + 10 vs 25 = Critical Success"
    );
    assert_eq!(
        roll("d20+10 vs 25", &[20]).rendered,
        "1d20[20] + 10 vs 25 = Critical Success"
    );
    let advantage = roll("2d20kh1+5 vs 20", &[7, 18]);
    assert_eq!(advantage.rendered, "2d20[~~7~~, 18] + 5 vs 20 = Success");
    // "RollResult.total still contains the numeric roll total."
    assert_eq!(advantage.total, Some(23));
}

/// "Lexer: `vs`, `VS`"; "Parser: AST structure for simple vs, with modifiers, with DC expression".
#[test]
fn vs_binds_loosest() {
    for (text, left, right) in [
        ("1d20 vs 15", "1d20", "15"),
        ("1d20 VS 15", "1d20", "15"),
        ("1d20+10 vs 25", "1d20 + 10", "25"),
        ("1d20+10 vs 15+10", "1d20 + 10", "15 + 10"),
        ("2d20kh1+5 vs 20", "2d20kh1 + 5", "20"),
        ("1d20 vs 1d20+10", "1d20", "1d20 + 10"),
    ] {
        let program = rule(text);
        let AstKind::Versus(_, roll, class) = &program.ast().expect("a rule").kind else {
            panic!("{text} is no `vs`");
        };
        let sides = [roll, class].map(|side| print(side, Dialect::Rulebook));
        assert_eq!(sides, [left, right], "{text}");
    }
}

/// A degree is lost with the member of a group that it belongs to: what is left is the total.
#[test]
fn a_dropped_vs_has_no_degree() {
    let text = "{1d20 vs 15, 1d20}kh1";
    assert_eq!(row(text, &[16, 3]), (16, SUCCESS, Some(16)));
    let lost = roll(text, &[3, 16]);
    assert_eq!(
        (lost.total, lost.degree, lost.natural),
        (Some(16), None, None)
    );
    assert_eq!(lost.rendered, "{~~1d20[3] vs 15~~, 1d20[16]} = 16");
}

/// "The result carries total, degree, natural": none of the last two without a `vs`.
#[test]
fn other_rolls_have_no_degree() {
    let plain = roll("2d20kh1+5", &[7, 18]);
    assert_eq!((plain.degree, plain.natural), (None, None));
}

#[test]
fn more_than_one_vs_is_refused() {
    for (text, code) in [
        ("1d20+5 vs 15 vs 20", Code::NestedVersus),
        ("(1d20 vs 15) vs 20", Code::NestedVersus),
        ("1d20 vs (10 vs 5)", Code::NestedVersus),
        ("(1d20 vs 15) + (1d20 vs 15)", Code::NestedVersus),
        ("(1d20 vs 15)d6", Code::MisplacedVersus),
        ("(1d20 vs 15) >= 3", Code::MisplacedVersus),
        ("1d20 vs 15 >= 3", Code::MisplacedVersus),
        ("1d20 >= 3 vs 15", Code::CheckAsNumber),
        ("{1d20 vs 15, 1d20 vs 10}kh1", Code::NestedVersus),
        ("4d6kh(1d20 vs 15)", Code::MisplacedVersus),
    ] {
        let found = Compiler::new().rule(text).expect_err("an error");
        assert_eq!(
            found.errors().next().map(|error| error.code),
            Some(code),
            "{text}"
        );
        assert_eq!(found.len(), 1, "{text}: {found}");
    }
}

/// `1d20+7 vs 15`: 1, 6, 10 and 3 of 20.
#[test]
fn odds_are_exact() {
    for (text, weights) in [
        ("1d20+7 vs 15", [1_u32, 6, 10, 3]),
        ("1d20 vs 11", [1, 9, 9, 1]),
        ("1d20+20 vs 10", [0, 0, 1, 19]),
        ("(1d20+7 vs 15) * 2", [1, 6, 10, 3]),
        // Of 400 throws, 39 show a 20 as the better die and 1 two 1s; of the better faces 2 to 19
        // each comes 2f - 1 times: 8 to 17 succeed; 18 and 19 reach 25.
        ("2d20kh1+7 vs 15", [1, 48, 240, 111]),
        ("2d20kl1+7 vs 15", [39, 192, 160, 9]),
    ] {
        let bound = bound(&rule(text));
        let pmf = bound.fractions(&Limits::default()).expect("small");
        let all: u32 = weights.iter().sum();
        assert_eq!(*pmf.total(), UBig::from(all), "{text}");
        for (rung, weight) in (0..).zip(weights) {
            let got = pmf.weight(rung).cloned().unwrap_or_default();
            assert_eq!(got, UBig::from(weight), "{text}, rung {rung}");
        }
    }
}

#[test]
fn simulations_tally_the_rungs() {
    fit::check(
        &bound(&rule("1d20+7 vs 15")),
        &Simulation::trials(200_000),
        1.0,
    );
}

/// The degree is a rung of the ladder, whatever the numbers.
#[test]
fn degrees_are_rungs() {
    let rungs: Vec<&str> = Ladder::PATHFINDER.names().collect();
    assert_eq!(
        rungs,
        [CRITICAL_FAILURE, FAILURE, SUCCESS, CRITICAL_SUCCESS]
    );
    for bonus in -40..40 {
        for face in [1, 2, 10, 19, 20] {
            let text = format!("1d20 + {} - 40 vs 0", bonus + 40);
            let rolled = roll(&text, &[face]);
            assert_eq!(rolled.total, Some(bonus + face));
            assert!(rolled.degree.is_some_and(|degree| rungs.contains(&degree)));
        }
    }
}
