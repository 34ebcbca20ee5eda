//! How the rolls of an execution are shown: with their dice, what they come to, and what they are
//! for.

use dicec_compiler::{Played, ScriptSession, Session, Value};
use dicec_runtime::resource::ResourceTable;
use dicec_tests::programs::{given, rule, script, table};
use serde_json::json;

/// The rolls of an execution, as people read them.
fn shown(played: &Played) -> Vec<String> {
    let rolls = played.rolls.iter().map(|roll| {
        let text: String = roll
            .segments
            .iter()
            .map(|segment| {
                let mark = segment.style.mark();
                [mark, &segment.text, mark].concat()
            })
            .collect();
        match roll.purpose.as_str() {
            "" => text,
            purpose => format!("{purpose}: {text}"),
        }
    });
    rolls.collect()
}

/// The rolls of a body with the parameters `bonus: int, weapon: dice`.
fn of_body(body: &str, faces: &[i64]) -> Vec<String> {
    let text = format!(
        "deffun wound(n: int) {{ return roll(2d4) + n; }} \
         defroll \"R\" r(bonus: int, weapon: dice) {{ {body} }}"
    );
    let script = script(&text);
    let args = json!({ "bonus": 3, "weapon": "2d6+1" });
    let roll = script.only_roll().expect("one roll");
    let bound = given(&roll, &args, &table(&[("Str", 4)]));
    let played = bound.play_once(&mut Session::scripted(faces.to_vec()));
    shown(&played.expect("no trap"))
}

#[test]
fn rolls_are_shown_with_their_values_faces_and_purposes() {
    for (body, faces, expected) in [
        (
            "x = roll(1d20 + bonus); return x;",
            &[12][..],
            "x: 1d20[12] + 3 = 15",
        ),
        ("return roll(d20) + bonus;", &[12], "d20[12] = 12"),
        (
            "t = under 40 + bonus; return t;",
            &[35],
            "t: d100[35] under 43 = 35, 2 degrees of success",
        ),
        (
            "return roll(d100) + 5 under bonus;",
            &[35],
            "roll(d100[35]) + 5 under 3 = 40, 5 degrees of failure",
        ),
        (
            "return 4d6kh3;",
            &[1, 2, 3, 4],
            "4d6kh3[~~1~~, 2, 3, 4] = 9",
        ),
        (
            "let x = 2d6r=1; return x;",
            &[1, 2, 3],
            "x: 2d6r=1[~~1~~, 3, 2] = 5",
        ),
        ("return roll([Str] + 1d4);", &[2], "[Str: 4] + 1d4[2] = 6"),
        ("return wound(bonus);", &[1, 2], "wound: 2d4[1, 2] = 3"),
        ("return roll(\"3d6\");", &[1, 2, 3], "3d6[1, 2, 3] = 6"),
        (
            "return roll(bonus + \"d6\");",
            &[1, 2, 3],
            "3d6[1, 2, 3] = 6",
        ),
        ("x = roll(weapon); return x;", &[5, 6], "x: 2d6[5, 6] = 11"),
        (
            "return roll(d(bonus, 6) + 2);",
            &[1, 2, 3],
            "3d6[1, 2, 3] + 2 = 8",
        ),
        (
            "return 3d{hit, miss, 2};",
            &[1, 2, 3],
            "3d{hit, miss, 2}[hit, miss, 2] = 2",
        ),
        (
            "return {1d6, 1d8}kh1;",
            &[4, 2],
            "{1d6[4], 1d8[~~2~~]}kh1 = 4",
        ),
        (
            "x = roll(d20) + bonus vs 10; return x;",
            &[17],
            "x: roll(d20[17]) + 3 vs 10 = 20, Critical Success",
        ),
    ] {
        assert_eq!(of_body(body, faces), [expected], "{body}");
    }
}

#[test]
fn a_compound_rule_is_rolled_as_its_faithful_simulation_does() {
    let text = "let r = 1d20; r >= 11 ? (r == 20 ? 4d6 : 2d6) + 3 : 0";
    let program = rule(text);
    let bound = program.bind(&ResourceTable::new()).expect("no resources");
    let (mut shown, mut counted) = (Session::seeded(5), Session::seeded(5));
    for _ in 0..50 {
        let played = bound.play_once(&mut shown).expect("no trap");
        let total = bound.total(&mut counted).expect("no trap");
        assert_eq!(played.result, total);
        let sum: i64 = played
            .rolls
            .iter()
            .filter_map(|roll| roll.total?.whole())
            .sum();
        let Some(Value::Int(total)) = total else {
            panic!("{text} gives a number")
        };
        let face = played.rolls[0]
            .total
            .and_then(Value::whole)
            .expect("a number");
        assert_eq!(total, if face >= 11 { sum - face + 3 } else { 0 });
    }
}

#[test]
fn remembered_dice_are_shown_like_new_ones() {
    let script = script("defroll \"R\" r() { x = 3d6kh2; return x; }");
    let bound = script.bind(&ResourceTable::new()).expect("no resources");
    let mut session = ScriptSession::new(3);
    let first = bound.play(&mut session).expect("no trap");
    let again = bound.play(&mut session).expect("no trap");
    assert_eq!(shown(&first), shown(&again));
    assert_eq!(first.rolls[0].table, again.rolls[0].table);
    assert_eq!((first.rolls[0].new, again.rolls[0].new), (3, 0));
}
