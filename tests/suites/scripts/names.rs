//! Texts that are put together as names of statistics and as options.

use super::through_lists::mistake;
use dicec_compiler::answer::{Answer, Exactness};
use dicec_compiler::unstable::StatKey;
use dicec_compiler::{Bound, ScriptSession};
use dicec_lang::hir::Policy;
use dicec_lang::syntax::Code;
use dicec_runtime::driver::Control;
use dicec_runtime::pmf::Limits;
use dicec_tests::engines;
use dicec_tests::enumerate_script::ScriptEnumeration;
use dicec_tests::programs::{first, script};
use serde_json::json;

const FIGHT: &str = "deftype c { name: string, hp: int }
    defroll \"R\" r(who: string, all: c list) {
        stat(\"damage\", roll(d4));
        stat(\"damage of \" + who, roll(d6));
        for (i : 1..2) { stat(\"round \" + i, i); }
        a = pick(all);
        stat(a.name + \"'s \" + who, a.hp);
        stat(a.name, roll(d2));
        word = a.name + \" and \" + who;
        stat(word, true);
        stat(\"turn \" + roll(d2), roll(d3));
    }";

fn answer(bound: &Bound) -> Answer {
    let control = Control::default();
    let answer = bound.answer(&Limits::default(), Exactness::default(), &control);
    answer.expect("few states")
}

#[test]
fn every_engine_names_them_alike() {
    let all = json!([{"name": "Ayla", "hp": 3}, {"name": "damage", "hp": 5}]);
    let bound = first(&script(FIGHT), &json!({"who": "Brom", "all": all}));
    let outcome = engines::check(&bound, 7, 60, &FIGHT);
    assert_eq!(outcome.stopped, None);
    let names: Vec<&str> = outcome
        .named
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    let expected = [
        "Ayla",
        "Ayla and Brom",
        "Ayla's Brom",
        "damage and Brom",
        "damage of Brom",
        "damage's Brom",
        "round {}",
        "turn {}",
    ];
    assert_eq!(names, expected);
    // One of them has the name of another statistic.
    let times: u64 = outcome.stats[0].iter().map(|(_, times)| times).sum();
    assert!((61..120).contains(&times), "{times}");
    let question = bound.question();
    let by_force = ScriptEnumeration::of(&question, 10_000).expect("few rolls");
    let odds = bound.solve::<f64>(&Limits::default()).expect("few states");
    by_force.expect(&odds, FIGHT);
}

#[test]
fn answers_list_them_after_the_others() {
    let all = json!([{"name": "Ayla", "hp": 3}]);
    let bound = first(&script(FIGHT), &json!({"who": "Brom", "all": all}));
    let names: Vec<String> = answer(&bound)
        .stats
        .into_iter()
        .map(|stat| stat.name)
        .collect();
    let expected = [
        "damage",
        "Ayla",
        "Ayla and Brom",
        "Ayla's Brom",
        "damage of Brom",
        "round {}",
        "turn {}",
    ];
    assert_eq!(names, expected);
    let described = bound.program().describe().rolls;
    let expected = [
        "damage",
        "damage of {}",
        "round {}",
        "{}'s {}",
        "{}",
        "turn {}",
    ];
    assert!(described[0].stats.iter().eq(expected));
}

/// A player reads the whole name.
#[test]
fn players_read_numbers_in_names() {
    let bound = first(
        &script(
            "defroll \"R\" r() { for (i : 1..2) { stat(\"round \" + i, 10 * i); } if (userOption(\"GM\", \"Roll \" + 2 + \" dice?\")) { stat(\"dice\", 2); } }",
        ),
        &json!({}),
    );
    let mut session = ScriptSession::new(1);
    let played = bound.play(&mut session).expect("no trap");
    let named = |name: &str| StatKey::Named(name.to_owned());
    assert_eq!(
        played.stats,
        [(named("round 1"), 10), (named("round 2"), 20)]
    );
    assert_eq!(played.options[0].text, "Roll 2 dice?");
    session.choose(&played.options[0].path, true);
    let again = bound.play(&mut session).expect("no trap");
    assert_eq!(again.stats.len(), 3);
}

/// Policies know an option by its template.
#[test]
fn options_are_decided_by_their_templates() {
    let text = "defroll \"R\" r(who: string) { n = 0; if (userOption(who, \"Use \" + who + \"'s luck?\")) { n += roll(d6); } if (userOption(\"Again?\")) { n += 10; } return n; }";
    let program = script(text);
    assert_eq!(program.options(), ["Use {}'s luck?", "Again?"]);
    let bound = first(&program, &json!({"who": "Ayla"}));
    let bound = bound
        .with_policy("Use {}'s luck?", Policy::Always)
        .expect("it is one");
    let outcome = engines::check(&bound, 3, 40, &text);
    assert!(
        outcome
            .results
            .iter()
            .all(|result| (1..=6).contains(result))
    );
    assert!(
        bound
            .with_policy("Use Ayla's luck?", Policy::Always)
            .is_err()
    );
}

#[test]
fn statistics_are_floats_together() {
    let text =
        "defroll \"R\" r(who: string) { stat(\"a\", 1); stat(\"b \" + who, 0.5); stat(who, 2); }";
    let bound = first(&script(text), &json!({"who": "a"}));
    let outcome = engines::check(&bound, 3, 10, &text);
    assert_eq!((outcome.stats[0].len(), outcome.named.len()), (2, 1));
    let stats = answer(&bound).stats;
    let means: Vec<f64> = stats
        .iter()
        .map(|stat| stat.odds.as_ref().expect("noted").mean())
        .collect();
    assert_eq!(means, [1.5, 0.5]);
}

#[test]
fn mistakes() {
    for (statements, marked, help) in [
        ("stat(n, 1);", "n", "a statistic is named by a text"),
        ("stat(who, 1);", "who", "a statistic is named by a text"),
        ("b = userOption(n);", "n", "an option is offered by a text"),
    ] {
        mistake(statements, Code::WrongType, marked, help);
    }
    mistake(
        "b = userOption(\"Use \" + roll(d6));",
        Code::RollInRoll,
        "roll(d6)",
        "who is asked, and what",
    );
}
