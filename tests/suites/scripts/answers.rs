//! Options that are answered by a number of a range or by an element of a list.

use super::syntax::{formatted, in_roll};
use super::through_lists::{mistake, trap, value};
use dicec_compiler::unstable::{Answered, BindError, Offers};
use dicec_compiler::{Bound, Choice, ScriptSession};
use dicec_lang::hir::Policy;
use dicec_lang::syntax::Code;
use dicec_runtime::pmf::Limits;
use dicec_runtime::trap::TrapCode;
use dicec_tests::engines;
use dicec_tests::enumerate_script::ScriptEnumeration;
use dicec_tests::programs::{first, script};
use serde_json::json;

#[test]
fn the_first_answer_holds_until_a_player_takes_another() {
    for (expression, expected) in [
        ("userOption(\"How many dice?\", 2..4)", 2),
        ("userOption(\"GM\", \"How many dice?\", -2..2)", -2),
        ("userOption(\"Which?\", [7, 8, 9])", 7),
        ("userOption(FOES[1], \"Which target?\", FOES).hp", 7),
        (
            "userOption(\"Which target?\", [f for f : FOES if f.hp < 5]).hp",
            3,
        ),
        (
            "userOption(\"Which?\", [\"goblin\", \"orc\"]) == \"goblin\" ? 1 : 0",
            1,
        ),
        ("floor(userOption(\"Which?\", [0.5, 1.5]) * 2)", 1),
        ("userOption(\"Which?\", [true, false]) ? 1 : 0", 1),
    ] {
        assert_eq!(
            value(&format!("return {expression};")),
            expected,
            "{expression}"
        );
    }
}

#[test]
fn nothing_to_choose_from_is_a_trap() {
    for expression in [
        "userOption(\"Which?\", [f for f : FOES if f.hp > 99]).hp",
        "userOption(\"How many?\", 3..len(FOES) - 2)",
    ] {
        let found = trap(&format!("return {expression};"));
        let marked = expression.strip_suffix(".hp").unwrap_or(expression);
        assert_eq!(found, (TrapCode::NoElement, marked.to_owned()));
    }
}

const FIGHT: &str = "deftype foe { name: string, hp: int }
    defroll \"R\" r(foes: foe list, most: int) {
        n = userOption(\"How many dice?\", 1..most);
        f = userOption(\"Ayla\", \"Which target?\", [f for f : foes if f.hp > 1]);
        word = userOption(\"How?\", [\"axe\", \"bow\"]);
        if (word == \"bow\") { n += 10; }
        repeat (n % 10) { f.hp -= roll(d4); }
        for (f : foes) { n = 100 * n + f.hp; }
        return n;
    }";

fn fight() -> Bound {
    let foes = json!([{"name": "goblin", "hp": 20}, {"name": "imp", "hp": 1}, {"name": "goblin", "hp": 30}]);
    first(&script(FIGHT), &json!({"foes": foes, "most": 2}))
}

#[test]
fn every_engine_answers_by_policy() {
    let cases: [&[(&str, Policy)]; 6] = [
        &[],
        &[
            ("How many dice?", Policy::Answer(2)),
            ("Which target?", Policy::Answer(1)),
        ],
        // More than is offered.
        &[
            ("How many dice?", Policy::Answer(9)),
            ("Which target?", Policy::Answer(9)),
        ],
        &[("How?", Policy::Answer(1))],
        &[
            ("How many dice?", Policy::Random),
            ("Which target?", Policy::Random),
        ],
        &[("How?", Policy::Random)],
    ];
    for policies in cases {
        let mut bound = fight();
        for (option, policy) in policies {
            bound = bound.with_policy(option, *policy).expect("it is offered");
        }
        let outcome = engines::check(&bound, 5, 50, &policies);
        assert_eq!(outcome.stopped, None, "{policies:?}");
        let all = ScriptEnumeration::of(&bound.question(), 10_000).expect("few rolls");
        let odds = bound.solve::<f64>(&Limits::default()).expect("few states");
        all.expect(&odds, FIGHT);
    }
}

#[test]
fn what_is_offered_is_known_where_it_is_written() {
    let script = script(
        "const KINDS = [\"axe\", \"bow\", \"axe\"];
         defroll \"R\" r(n: int) {
            if (userOption(\"Reroll?\")) { output(\"a\"); }
            output(userOption(\"How?\", KINDS) + userOption(\"Many?\", 1..2 + 2) + userOption(\"More?\", n..9));
            output(userOption(\"Which?\", [n, 2]));
         }",
    );
    let one_of = |labels: &[&str]| {
        Offers::OneOf(Some(labels.iter().map(|&label| label.to_owned()).collect()))
    };
    for (option, offers) in [
        ("Reroll?", Offers::YesNo),
        ("How?", one_of(&["axe", "bow", "axe (2)"])),
        ("Many?", Offers::Numbers(Some([1, 4]))),
        ("More?", Offers::Numbers(None)),
        ("Which?", Offers::OneOf(None)),
    ] {
        assert_eq!(script.offers(option), Some(&offers), "{option}");
    }
    let offers = |option: &str| script.offers(option).expect("it is there");
    for (option, how, policy) in [
        ("How?", "axe (2)", Some(Policy::Answer(2))),
        ("How?", "sword", None),
        ("Many?", "4", Some(Policy::Answer(4))),
        ("Many?", "5", None),
        ("Many?", "random", Some(Policy::Random)),
        ("Which?", "2", Some(Policy::Answer(1))),
        ("Which?", "never", Some(Policy::Never)),
        ("Reroll?", "always", Some(Policy::Always)),
        ("Reroll?", "30 %", Some(Policy::Chance(300_000))),
        ("Reroll?", "0.3", Some(Policy::Chance(300_000))),
        ("Reroll?", "1.5", None),
        ("Reroll?", "NaN", None),
        ("Reroll?", "random", None),
    ] {
        assert_eq!(offers(option).decided(how), policy, "{option} {how}");
    }
    let bound = first(&script, &json!({"n": 1}));
    for (option, policy) in [
        ("Reroll?", Policy::Random),
        ("How?", Policy::Always),
        ("How?", Policy::Answer(3)),
        ("Many?", Policy::Answer(0)),
    ] {
        let refused = bound.clone().with_policy(option, policy);
        assert!(
            matches!(refused, Err(BindError::NotOffered { .. })),
            "{option}"
        );
    }
    let described = script.describe().rolls;
    let answers: Vec<&str> = described[0].answers.keys().map(String::as_str).collect();
    assert_eq!(answers, ["How?", "Many?", "More?", "Which?"]);
}

/// Choices are stored by what players call them: they hold for as long as that is offered.
#[test]
fn sessions_store_answers() {
    let bound = fight();
    let mut session = ScriptSession::new(3);
    let played = bound.play(&mut session).expect("no trap");
    let paths: Vec<String> = played
        .options
        .iter()
        .map(|option| option.path.clone())
        .collect();
    let answers: Vec<&Answered> = played.options.iter().map(|option| &option.answer).collect();
    let expected = [
        Answered::Number {
            bounds: [1, 2],
            chosen: 1,
        },
        Answered::OneOf {
            answers: ["goblin", "goblin (2)"].map(str::to_owned).into(),
            chosen: 0,
        },
        Answered::OneOf {
            answers: ["axe", "bow"].map(str::to_owned).into(),
            chosen: 0,
        },
    ];
    assert!(answers.into_iter().eq(&expected));
    session.choose(&paths[0], Choice::Number(2));
    session.choose(
        &paths[1],
        expected[1].choice("goblin (2)").expect("it is offered"),
    );
    session.choose(&paths[2], Choice::Answer("sword".to_owned()));
    let played = bound.play(&mut session).expect("no trap");
    let chosen: Vec<_> = played
        .options
        .iter()
        .map(|option| option.answer.clone())
        .collect();
    assert_eq!(
        chosen[0],
        Answered::Number {
            bounds: [1, 2],
            chosen: 2
        }
    );
    assert!(matches!(chosen[1], Answered::OneOf { chosen: 1, .. }));
    assert_eq!(chosen[2], expected[2]);
    assert_eq!(played.rolls.len(), 2);
    let identity = bound.identity();
    let file = session.to_json(&identity);
    assert_eq!(
        file["choices"],
        json!({&paths[0]: 2, &paths[1]: "goblin (2)", &paths[2]: "sword"})
    );
    let again = ScriptSession::from_json(&file, &identity, false);
    assert_eq!(again, Ok(session));
    // Not a choice any more.
    assert_eq!(expected[0].choice("3"), None);
    assert_eq!(expected[2].choice("true"), None);
}

#[test]
fn ranges_in_their_layout() {
    for (text, expected) in [
        (
            "x = userOption(\"n\",1 .. n+2);",
            "x = userOption(\"n\", 1..n + 2);",
        ),
        (
            "x = userOption(who,\"n\",[1,2] );",
            "x = userOption(who, \"n\", [1, 2]);",
        ),
    ] {
        assert_eq!(formatted(&in_roll(text)), in_roll(expected));
    }
}

#[test]
fn mistakes() {
    for (statements, code, marked, help) in [
        ("n = max(1..3);", Code::NoValue, "1..3", "[i for i : 1..4]"),
        ("xs = [1..3,];", Code::NoValue, "1..3", "[i for i : 1..4]"),
        (
            "n = userOption(\"n\", 1..t);",
            Code::WrongType,
            "t",
            "text cannot be added to a number",
        ),
        (
            "n = userOption(who, \"n\", 3);",
            Code::WrongType,
            "3",
            "a list is wanted",
        ),
        (
            "n = len(userOption(\"n\", [xs, xs]));",
            Code::WrongType,
            "[xs, xs]",
            "players cannot choose",
        ),
        (
            "userOption(\"n\", 1..3);",
            Code::Unused,
            "userOption(\"n\", 1..3);",
            "this result is not used",
        ),
    ] {
        mistake(statements, code, marked, help);
    }
}
