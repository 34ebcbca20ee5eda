//! Executions for players (seed 004): paths, re-execution, sessions, arguments, descriptions.

use dicec_compiler::unstable::SessionError;
use dicec_compiler::{Played, ScriptSession, Step};
use dicec_tests::programs::{bind, script};
use serde_json::{Value, json};

pub(super) fn paths(played: &Played) -> Vec<&str> {
    played.rolls.iter().map(|thrown| &*thrown.path).collect()
}

pub(super) fn face(played: &Played, path: &str) -> u32 {
    let mut rolls = played.rolls.iter();
    let thrown = rolls.find(|thrown| &*thrown.path == path);
    thrown.expect(path).dice[0].1
}

const SEED_EXAMPLE: &str = "
    defroll \"Dice\" dice() {
        x = roll(\"d20\"); // red die
        if (userOption(\"something\")) {
            y = roll(\"d20\"); // blue die
            output(\"Y \" + y);
        }
        z = roll(\"d20\"); // green die
        output(x + \" \" + z);
    }
";

/// Seed 004: X stays, Z stays, Y is new; back and forth.
#[test]
fn the_example_of_the_seed() {
    let script = script(SEED_EXAMPLE);
    let roll = bind(&script, "dice", &json!({}));
    let mut session = ScriptSession::new(4);
    let before = roll.play(&mut session).expect("no trap");
    // The option lies between the first die and the branch.
    assert_eq!(paths(&before), ["", "rui"]);
    assert_eq!(before.options[0].path, "r");
    let (x, z) = (face(&before, ""), face(&before, "rui"));

    session.choose("r", true);
    let after = roll.play(&mut session).expect("no trap");
    assert_eq!(paths(&after), ["", "rut", "rui"]);
    assert_eq!((face(&after, ""), face(&after, "rui")), (x, z));
    let y = face(&after, "rut");
    let new: Vec<usize> = after.rolls.iter().map(|thrown| thrown.new).collect();
    assert_eq!(new, [0, 1, 0]);

    for round in 0..3 {
        session.choose("r", false);
        let again = roll.play(&mut session).expect("no trap");
        assert_eq!(again.steps, before.steps, "round {round}");
        session.choose("r", true);
        let again = roll.play(&mut session).expect("no trap");
        assert_eq!(again.steps, after.steps, "round {round}");
        assert_eq!(face(&again, "rut"), y);
    }
}

/// The same with a condition that is not an option: the strings are those of the seed.
#[test]
fn the_strings_of_the_seed() {
    let script = script(
        "defroll \"Dice\" dice(something: bool) {
            x = roll(\"d20\");
            if (something) {
                y = roll(\"d20\");
                output(\"Y \" + y);
            }
            z = roll(\"d20\");
            output(x + \" \" + z);
        }",
    );
    let mut session = ScriptSession::new(1);
    let without = bind(&script, "dice", &json!({"something": false}));
    let played = without.play(&mut session).expect("no trap");
    assert_eq!(paths(&played), ["", "ri"]);
    let with = bind(&script, "dice", &json!({"something": true}));
    let again = with.play(&mut session).expect("no trap");
    assert_eq!(paths(&again), ["", "rt", "ri"]);
    assert_eq!(face(&played, ""), face(&again, ""));
    assert_eq!(face(&played, "ri"), face(&again, "ri"));
}

#[test]
fn loops_calls_and_operands_have_their_letters() {
    let script = script(
        "deffun twice(n: int) {
            if (n > 1) { return roll(d6); }
            return roll(d8);
        }
        defroll \"R\" r(n: int) {
            i = 0;
            while (i < 2) { i++; output(\"\" + d6); }
            for (x : list(1, 2)) { output(\"\" + (twice(x) + n)); }
            b = n > 0 && roll(d4) > 2;
            output(b ? \"\" + roll(d3) : \"none\");
            output(\"\" + 1d2);
        }",
    );
    let roll = bind(&script, "r", &json!({"n": 1}));
    let played = roll.play(&mut ScriptSession::new(1)).expect("no trap");
    let found = paths(&played);
    assert_eq!(found[..5], ["w", "w2", "Lwci", "Lw2ct", "LLt"]);
    // Whether the last condition was true or not, the die after it has the same path.
    assert_eq!(found.last(), Some(&"LLii"));
}

#[test]
fn more_dice_at_a_path_keep_the_faces_of_those_that_were_there() {
    let script = script(
        "defroll \"R\" r() {
            n = 1;
            if (userOption(\"more?\")) { n = 3; }
            output(\"\" + d(n, 6));
        }",
    );
    let roll = bind(&script, "r", &json!({}));
    let mut session = ScriptSession::new(9);
    let one = roll.play(&mut session).expect("no trap");
    session.choose("", true);
    let three = roll.play(&mut session).expect("no trap");
    assert_eq!((one.rolls[0].dice.len(), three.rolls[0].dice.len()), (1, 3));
    assert_eq!(one.rolls[0].dice[0], three.rolls[0].dice[0]);
    assert_eq!((one.rolls[0].new, three.rolls[0].new), (1, 2));
    session.choose("", false);
    assert_eq!(roll.play(&mut session).expect("no trap").steps, one.steps);
    session.choose("", true);
    assert_eq!(roll.play(&mut session).expect("no trap").steps, three.steps);
}

/// Dice of other sides in the same roll do not move those that were there; and a file may hold
/// faces that were rolled by hand.
#[test]
fn dice_are_known_by_their_sides_too() {
    let script = script(
        "defroll \"R\" r() {
            n = userOption(\"crit?\") ? 2 : 1;
            output(\"\" + roll(d(n, 6) + 1d8 + 1d6));
        }",
    );
    let roll = bind(&script, "r", &json!({}));
    let mut session = ScriptSession::new(9);
    let normal = roll.play(&mut session).expect("no trap");
    session.choose("", true);
    let critical = roll.play(&mut session).expect("no trap");
    let of = |played: &Played, sides: u32| -> Vec<u32> {
        let dice = played.rolls[0].dice.iter();
        dice.filter(|die| die.0 == sides).map(|die| die.1).collect()
    };
    assert_eq!(of(&normal, 8), of(&critical, 8));
    assert_eq!(of(&normal, 6), of(&critical, 6)[..2]);

    let identity = roll.identity();
    let mut json = session.to_json(&identity);
    let path = &critical.rolls[0].path;
    json["rolls"][&**path] = json!({"6": [6, 6]});
    let mut by_hand = ScriptSession::from_json(&json, &identity, false).expect("whole");
    let played = roll.play(&mut by_hand).expect("no trap");
    assert_eq!(of(&played, 6)[..2], [6, 6]);
    // The die after those of the file, and the one of eight sides, are what they would have been
    // without it.
    assert_eq!(of(&played, 6)[2..], of(&critical, 6)[2..]);
    assert_eq!(of(&played, 8), of(&critical, 8));
}

/// A session continues if only the layout or comments of its script change, but not if its code
/// changes.
#[test]
fn a_session_belongs_to_what_a_script_says() {
    let identity = |text: &str, args: &Value| {
        let script = script(text);
        bind(&script, "r", args).identity()
    };
    let args = json!({"n": 1, "h": {"hp": 2, "name": "Ayla"}});
    let text = "deftype hero { hp: int, name: string }
        defroll \"R\" r(n: int, h: hero) { return roll(d6) + n + h.hp; }";
    let laid_out = text
        .replace("{ return", "{\n\n  return")
        .replace(" + n", "\n+ n");
    assert_eq!(identity(text, &args), identity(&laid_out, &args));
    assert_ne!(
        identity(text, &args),
        identity(&text.replace("d6", "d8"), &args)
    );
    let other = json!({"n": 1, "h": {"hp": 3, "name": "Ayla"}});
    assert_ne!(identity(text, &args), identity(text, &other));
    let other_order = json!({"h": {"name": "Ayla", "hp": 2}, "n": 1});
    assert_eq!(identity(text, &args), identity(text, &other_order));
}

#[test]
fn sessions_are_written_and_read() {
    let script = script(SEED_EXAMPLE);
    let roll = bind(&script, "dice", &json!({}));
    let mut session = ScriptSession::new(4);
    session.choose("r", true);
    let played = roll.play(&mut session).expect("no trap");
    let identity = roll.identity();
    let json = session.to_json(&identity);
    let mut read = ScriptSession::from_json(&json, &identity, false).expect("whole");
    assert_eq!(read, session);
    assert_eq!(roll.play(&mut read).expect("no trap").steps, played.steps);

    let changed = |pointer: &str, value: Value| {
        let mut json = json.clone();
        *json.pointer_mut(pointer).expect(pointer) = value;
        ScriptSession::from_json(&json, &identity, false)
    };
    assert_eq!(
        changed("/script", json!("x")),
        Err(SessionError::OtherScript)
    );
    assert_eq!(
        changed("/arguments", json!("x")),
        Err(SessionError::OtherArguments)
    );
    assert_eq!(
        changed("/roll", json!("x")),
        Err(SessionError::OtherRoll("x".to_owned()))
    );
    assert_eq!(changed("/version", json!(1)), Err(SessionError::Version(1)));
    for (pointer, value) in [
        ("/dicec", json!("cat")),
        ("/version", json!("two")),
        ("/seed", json!(-1)),
        ("/seed", json!([1, 2, 3, 4])),
        ("/rolls", json!({"r": {"6": [7]}})),
        ("/rolls", json!({"r": {"6": [0]}})),
        ("/rolls", json!({"r": {"0": [0]}})),
        ("/rolls", json!({"r": {"six": [1]}})),
        ("/rolls", json!({"r": {"2000000000": [1]}})),
        ("/rolls", json!({"cat": {}})),
        ("/rolls", json!([])),
        ("/choices", json!({"<": true})),
        ("/choices", json!({"r": 1.5})),
        ("/choices", json!({"r": [1]})),
    ] {
        let read = changed(pointer, value.clone());
        assert!(
            matches!(read, Err(SessionError::Damaged(_))),
            "{pointer} {value}"
        );
    }
    let mut other = json.clone();
    other["script"] = json!("x");
    assert!(
        ScriptSession::from_json(&other, &identity, true).is_ok(),
        "forced"
    );
}

#[test]
fn lines_are_grouped_and_options_know_who() {
    let script = script(
        "deftype hero { level: int, name: string }
        defroll \"R\" r(h: hero) {
            startGroup();
            output(\"one\");
            endGroup();
            endGroup();
            taken = userOption(h, \"Reroll?\") || userOption(\"GM\", \"Stop?\");
            output(taken ? \"yes\" : \"no\");
            startGroup();
            output(\"two\");
        }",
    );
    let roll = bind(&script, "r", &json!({"h": {"level": 1, "name": "Ayla"}}));
    let played = roll.play(&mut ScriptSession::new(1)).expect("no trap");
    let line = |text: &str| Step::Line(text.to_owned());
    let expected = [
        Step::Group(vec![line("one")]),
        Step::Option(0),
        Step::Option(1),
        line("no"),
        Step::Group(vec![line("two")]),
    ];
    assert_eq!(played.steps, expected);
    let who: Vec<&str> = played
        .options
        .iter()
        .map(|option| option.who.as_str())
        .collect();
    assert_eq!(who, ["Ayla", "GM"]);
}

const TYPED: &str = "
    deftype weapon { name: string, dice: int = 1, bonuses: int list }
    deftype hero { hp: int, weapon: weapon, lucky: bool = false }
    defroll \"R\" r(hero: hero, others: hero list, n: int) {
        stat(\"hp\", hero.hp + len(others) + n);
        output(hero.weapon.name + \" \" + hero.hp);
        if (userOption(\"Luck?\")) { output(\"lucky\"); }
    }
";

#[test]
fn arguments_that_do_not_fit_name_their_place() {
    let script = script(TYPED);
    let roll = script.roll("r").expect("it is defined");
    let weapon = json!({"name": "axe", "bonuses": [1, 2]});
    let hero = json!({"hp": 5, "weapon": weapon});
    let whole = json!({"hero": hero, "others": [hero], "n": 3});
    assert!(
        roll.arguments(&whole).is_ok(),
        "defaults fill what is left out"
    );
    for (pointer, value, expected) in [
        (
            "/n",
            json!("three"),
            "n: expected a whole number, found \"three\"",
        ),
        (
            "/n",
            json!(1.5),
            "n: expected a whole number of at most 18 digits, found 1.5",
        ),
        (
            "/hero/hp",
            json!(null),
            "hero.hp: expected a whole number, found null",
        ),
        (
            "/others/0/weapon",
            json!({"name": "x", "bonuses": [], "dise": 2}),
            "others[0].weapon: expected a field of weapon, found the unknown name \"dise\"",
        ),
        (
            "/others/0/weapon/bonuses/1",
            json!(true),
            "others[0].weapon.bonuses[1]: expected a whole number, found true",
        ),
        (
            "/others",
            json!({}),
            "others: expected a list of hero in brackets, found an object",
        ),
        (
            "/hero/weapon",
            json!({"name": "x"}),
            "hero.weapon.bonuses: expected int list, found nothing",
        ),
    ] {
        let mut json = whole.clone();
        *json.pointer_mut(pointer).expect(pointer) = value;
        let errors = roll.arguments(&json).expect_err(pointer);
        assert_eq!(errors.0[0].to_string(), expected);
    }
    let errors = roll
        .arguments(&json!({"hero": hero, "other": []}))
        .expect_err("wrong names");
    let texts: Vec<String> = errors.0.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts[0],
        "the arguments: expected a parameter of the roll, found the unknown name \"other\""
    );
    assert_eq!(errors.0[0].help.as_deref(), Some("did you mean others?"));
    assert_eq!(
        texts[1..],
        [
            "others: expected hero list, found nothing",
            "n: expected int, found nothing"
        ]
    );
}

#[test]
fn degrees_are_arguments_by_their_names() {
    let script = script("defroll \"R\" r(d: degree) { return d >= success; }");
    let played = |name: &str| {
        let roll = bind(&script, "r", &json!({"d": name}));
        let played = roll.play(&mut ScriptSession::new(1)).expect("no trap");
        played.result.map(|value| value.to_cell())
    };
    assert_eq!(
        (played("criticalSuccess"), played("failure")),
        (Some(1), Some(0))
    );
    let roll = script.roll("r").expect("it is defined");
    let errors = roll.arguments(&json!({"d": 3})).expect_err("no name");
    assert_eq!(
        errors.0[0].to_string(),
        "d: expected a degree: criticalFailure, failure, success, criticalSuccess, found 3"
    );
    let described = json!(script.describe());
    let described = &described["rolls"][0]["arguments"]["properties"]["d"]["enum"];
    assert_eq!(described[2], "success");
}

#[test]
fn a_description_has_schemas_and_what_can_come() {
    let described = json!(script(TYPED).describe());
    let weapon = &described["$defs"]["weapon"];
    assert_eq!(
        weapon["properties"]["dice"],
        json!({"type": "integer", "default": 1})
    );
    assert_eq!(weapon["required"], json!(["name", "bonuses"]));
    assert_eq!(weapon["additionalProperties"], json!(false));
    let roll = &described["rolls"][0];
    assert_eq!(roll["label"], "R");
    assert_eq!(
        roll["arguments"]["properties"]["others"]["items"]["$ref"],
        "#/$defs/hero"
    );
    assert_eq!(roll["options"], json!(["Luck?"]));
    assert_eq!(roll["stats"], json!(["hp"]));
    assert_eq!(roll["outputs"], json!(["{} {}", "lucky"]));
    assert_eq!(roll["result"], Value::Null);
}
