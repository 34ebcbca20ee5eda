//! Fights of the d100 rules: conditions and how long they last, rounds of ammunition, tactics and
//! critical injuries (seed 003, "Combat", "Grapple System"). Where nothing but the rule is random,
//! the lines of a fight are counted exactly.

use crate::dh2e_scenarios::{bound, example, wrong};
use dicec_compiler::answer::{Answer, Exactness};
use dicec_compiler::{Bound, Limits};
use dicec_games::dh2e::{Notes, scenario_script, schema};
use dicec_runtime::control::Control;
use dicec_tests::engines;
use serde_json::{Value, json};

/// An actor whose blows do nothing to its like, for its armour: only what a test adds makes a
/// difference. Its agility bonus says who acts first.
pub(crate) fn actor(name: &str, agility: i64, changes: &Value) -> Value {
    let mut actor = json!({
        "name": name,
        "characteristics": { "ws": 1, "bs": 1, "s": 30, "t": 30, "ag": agility, "wp": 30 },
        "wounds": 20,
        "armour": [{ "name": "Plate", "points": { "all": 9 } }],
        "weapons": [{ "name": "Stick", "class": "melee", "damage": "1d5" }],
    });
    for (member, value) in changes.as_object().expect("an object") {
        actor[member] = value.clone();
    }
    actor
}

/// A fight of this many rounds between fighters; `more` has members of the scenario.
pub(crate) fn fight(rounds: u32, one: Vec<Value>, other: Vec<Value>, more: &Value) -> Value {
    let mut scenario = json!({
        "sides": [{ "name": "First", "fighters": one }, { "name": "Second", "fighters": other }],
        "rounds": rounds,
    });
    for (member, value) in more.as_object().expect("an object") {
        scenario[member] = value.clone();
    }
    scenario
}

pub(crate) fn fighter(actor: Value, more: &Value) -> Value {
    let mut fighter = json!({ "actor": actor });
    for (member, value) in more.as_object().expect("an object") {
        fighter[member] = value.clone();
    }
    fighter
}

/// Agility that is always first, and that is always last: their bonuses are 11 apart.
pub(crate) const FIRST: i64 = 120;
pub(crate) const LAST: i64 = 10;

pub(crate) fn exact(bound: &Bound) -> Answer {
    let limits = Limits::default().exact;
    let answer = bound.answer(&limits, Exactness::default(), &Control::default());
    answer.expect("exact odds")
}

/// Checks how many lines that begin like this a trial has, sampled and in exact odds.
#[track_caller]
fn lines(scenario: &Value, expected: &[(&str, u64)]) {
    const TRIALS: u64 = 20;
    let bound = bound(scenario);
    let outcome = engines::interpreted(&bound, 1, TRIALS as usize);
    for (line, times) in expected {
        let all = outcome
            .lines
            .iter()
            .filter(|(text, _)| text.starts_with(line));
        let sampled: u64 = all.map(|(_, times)| times).sum();
        assert_eq!(sampled, times * TRIALS, "{line}: {:?}", outcome.lines);
        let exact = frequency(&exact(&bound), line);
        assert!((exact - *times as f64).abs() < 1e-9, "{line}: {exact}");
    }
}

/// How many lines that begin like this a trial has.
pub(crate) fn frequency(answer: &Answer, line: &str) -> f64 {
    let all = answer
        .lines
        .iter()
        .filter(|(text, _)| text.starts_with(line));
    all.map(|(_, times)| times).sum()
}

#[track_caller]
pub(crate) fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
}

#[test]
fn the_pit_runs_on_every_engine() {
    let mut pit = example("pit.json");
    pit["injuries"] = example("injuries.json");
    for side in pit["sides"].as_array_mut().expect("sides") {
        for fighter in side["fighters"].as_array_mut().expect("fighters") {
            let name = fighter["actor"].as_str().expect("a file").to_owned();
            fighter["actor"] = example(&name);
        }
    }
    let outcome = engines::check(&bound(&pit), 1, 30, &"pit");
    let has = |part: &str| outcome.lines.iter().any(|(line, _)| line.contains(part));
    for part in [
        "burns",
        "tries to grapple",
        "holds",
        "slips out",
        "from overwatch",
        "with the Ash shovel",
        "is stunned for 2 rounds",
        "falls unconscious",
    ] {
        assert!(has(part), "{part}: {:?}", outcome.lines);
    }
}

/// "Initiative": higher agility bonus first, then alphabetical. Another characteristic for
/// initiative does not decide between equal ones.
#[test]
fn ties_are_decided_by_agility_and_then_by_name() {
    let keen = json!({ "items": [{ "name": "Keen", "rules": [
        { "key": "AttributeOverride", "domain": "initiative", "characteristic": "wp" },
        { "key": "FlatModifier", "domain": "initiative", "value": -2 },
    ] }] });
    let one = vec![
        fighter(actor("Bo", 33, &json!({})), &json!({ "count": 2 })),
        fighter(actor("Cy", 41, &json!({})), &json!({})),
    ];
    let other = vec![
        fighter(actor("Abe", 39, &keen), &json!({})),
        fighter(actor("Dee", 49, &json!({})), &json!({})),
    ];
    let scenario = fight(1, one, other, &json!({}));
    let text = scenario_script(&scenario, &mut Notes::default()).expect("a script");
    let order = ["\"Cy\"", "\"Dee\"", "\"Abe\"", "\"Bo 1\"", "\"Bo 2\""];
    let places = order.map(|name| text.find(&format!("name: {name}")).expect(name));
    assert!(places.is_sorted(), "{text}");
    assert!(text.contains("sorted(f by f.initiative descending for f : fighters())"));
    let (_, abe) = text.split_once("name: \"Abe\"").expect("Abe");
    assert!(abe.contains("initiative: initiative(3) - 2"), "{abe}");
}

/// "Combat Turn Processing", 5 and 6: what lasts 3 rounds is gone when the third turn begins.
#[test]
fn conditions_last_for_rounds() {
    let with = |conditions: Value| {
        let actor = actor("Ann", FIRST, &json!({ "conditions": conditions }));
        let one = vec![fighter(actor, &json!({}))];
        let other = vec![fighter(self::actor("Ben", LAST, &json!({})), &json!({}))];
        fight(5, one, other, &json!({}))
    };
    let stunned = |rounds: Value| with(json!([{ "condition": "stunned", "rounds": rounds }]));
    lines(&with(json!([])), &[("Ann attacks", 5), ("Ben attacks", 5)]);
    lines(&stunned(json!(1)), &[("Ann attacks", 5)]);
    lines(
        &stunned(json!(3)),
        &[("Ann attacks", 3), ("Ben attacks", 5)],
    );
    lines(&stunned(Value::Null), &[("Ann attacks", 0)]);
    lines(&with(json!(["stunned"])), &[("Ann attacks", 0)]);
    // Each burning turn is a level of fatigue.
    let burning = with(json!([{ "condition": "on fire", "rounds": 2 }]));
    engines::check(&bound(&burning), 1, 20, &"burning");
    lines(&burning, &[("Ann burns", 2), ("Ann attacks", 5)]);
    // TB 3 and WPB 3: the seventh level is too much.
    let tired = |levels: i64| {
        let mut scenario = with(json!([{ "condition": "bleeding", "rounds": 2 }]));
        scenario["sides"][0]["fighters"][0]["actor"]["fatigue"] = levels.into();
        scenario
    };
    lines(
        &tired(4),
        &[("Ann attacks", 5), ("Ann falls unconscious", 0)],
    );
    lines(
        &tired(5),
        &[("Ann attacks", 1), ("Ann falls unconscious", 1)],
    );
    lines(&tired(7), &[("Ann attacks", 0), ("Ben attacks", 0)]);
}

/// Somebody helpless is out, is not attacked, and comes back.
#[test]
fn who_is_helpless_for_rounds_comes_back() {
    let helpless = json!({ "conditions": [{ "condition": "helpless", "rounds": 2 }] });
    let one = vec![
        fighter(actor("Ann", FIRST, &helpless), &json!({})),
        fighter(actor("Abe", FIRST, &json!({})), &json!({})),
    ];
    let other = vec![fighter(actor("Ben", LAST, &json!({})), &json!({}))];
    let scenario = fight(4, one, other, &json!({}));
    lines(
        &scenario,
        &[("Ann attacks", 3), ("Abe attacks", 4), ("Ben attacks", 4)],
    );
    let first = exact(&bound(&fight_of_rounds(&scenario, 1)));
    close(frequency(&first, "Ben attacks Ann"), 0.0);
    let second = exact(&bound(&fight_of_rounds(&scenario, 2)));
    close(frequency(&second, "Ben attacks Ann"), 0.5);
}

fn fight_of_rounds(scenario: &Value, rounds: u32) -> Value {
    let mut scenario = scenario.clone();
    scenario["rounds"] = rounds.into();
    scenario
}

/// "Attack Flow", 1 and 10: each attack spends its rounds, the last ones first; then the next
/// weapon serves.
#[test]
fn rounds_run_out() {
    let gun = json!({
        "name": "Gun", "class": "solid", "damage": "1d5", "rof": { "semi": 2 },
        "loaded": [{ "name": "lead", "count": 3 }, { "name": "silver", "count": 2 }],
    });
    let pistol = json!({
        "name": "Pistol", "class": "solid", "damage": "1d5", "loaded": [{ "name": "ball", "count": 1 }],
    });
    let knife = json!({ "name": "Knife", "class": "melee", "damage": "1d5" });
    let with = |weapons: Value, how: Value| {
        let one = vec![fighter(
            actor("Ann", FIRST, &json!({ "weapons": weapons })),
            &how,
        )];
        let other = vec![fighter(actor("Ben", LAST, &json!({})), &json!({}))];
        fight(6, one, other, &json!({}))
    };
    let single = with(json!([gun, knife]), json!({}));
    lines(
        &single,
        &[
            ("Ann attacks Ben with the Gun (silver)", 2),
            ("Ann attacks Ben with the Gun (lead)", 3),
            ("Ann attacks Ben with the Knife", 1),
        ],
    );
    let semi = with(json!([gun, knife]), json!({ "mode": "semi" }));
    lines(
        &semi,
        &[
            ("Ann attacks Ben with the Gun", 2),
            ("Ann attacks Ben with the Knife", 4),
        ],
    );
    // After the last weapon comes the first one, and one without rounds is the last resort.
    let chosen = json!({ "weapon": "Pistol" });
    lines(
        &with(json!([gun, pistol]), chosen.clone()),
        &[
            ("Ann attacks Ben with the Pistol", 1),
            ("Ann attacks Ben with the Gun", 5),
            ("Ann has too few rounds", 0),
        ],
    );
    lines(
        &with(json!([pistol]), chosen),
        &[("Ann attacks Ben", 1), ("Ann has too few rounds", 5)],
    );
}

/// "Combat Turn Processing", 2: overwatch shoots once, at the first foe whose turn begins.
#[test]
fn overwatch_shoots_once() {
    let gun = json!({ "weapons": [{ "name": "Gun", "class": "solid", "damage": "1d5" }] });
    let watch = |agility: i64, foes: u32| {
        let watcher = actor("Ann", agility, &gun);
        let one = vec![fighter(watcher, &json!({ "tactic": "overwatch" }))];
        let foe = actor("Ben", 60, &json!({}));
        let other = vec![fighter(foe, &json!({ "count": foes }))];
        fight(3, one, other, &json!({}))
    };
    let expected = |shots| [("Ann keeps watch", 3), ("Ann shoots from overwatch", shots)];
    lines(&watch(200, 1), &expected(3));
    lines(&watch(200, 2), &expected(3));
    // In the first round, the foe acts before it.
    lines(&watch(-100, 1), &expected(2));
}

/// A table with a scratch, and death at severity 4.
fn mortal() -> Value {
    json!([
        { "type": "all", "location": "all", "severity": 1, "text": "a scratch", "conditions": ["stunned"], "rounds": 2 },
        { "type": "all", "location": "all", "severity": 4, "text": "the end", "conditions": ["dead"] },
    ])
}

/// "Critical Injuries": what exceeds the wounds that are left is looked up.
#[test]
fn attacks_injure() {
    let scenario = json!({
        "attacker": actor("Ann", FIRST, &json!({
            "characteristics": { "ws": 50 },
            "weapons": [{ "name": "Axe", "class": "melee", "damage": "1d10" }],
        })),
        "target": actor("Ben", LAST, &json!({ "characteristics": { "t": 0 }, "wounds": 3, "armour": [] })),
        "injuries": { "injuries": mortal() },
    });
    let bound = bound(&scenario);
    engines::check(&bound, 1, 60, &"attack with injuries");
    let answer = exact(&bound);
    // Half of the blows hit; 4 to 6 of 10 exceed 3 wounds by 1 to 3, 7 to 10 by more.
    close(frequency(&answer, "Ben: a scratch"), 0.5 * 0.3);
    close(frequency(&answer, "Ben is stunned for 2 rounds"), 0.5 * 0.3);
    close(frequency(&answer, "Ben: the end"), 0.5 * 0.4);
    let mean = |name: &str| {
        let stat = answer.stats.iter().find(|stat| stat.name == name);
        let odds = stat.and_then(|stat| stat.odds.as_ref()).expect(name);
        odds.probabilities()
            .find(|(value, _)| *value == 1)
            .map_or(0.0, |(_, chance)| chance)
    };
    close(mean("killed"), 0.5 * 0.4);
    close(mean("out of the fight"), 0.5 * 0.4);
}

/// With a table, nobody is out at 0 wounds, but by an injury.
#[test]
fn fights_go_on_without_wounds() {
    let scenario = |injuries: Value| {
        let one = vec![fighter(
            actor(
                "Ann",
                FIRST,
                &json!({ "characteristics": { "ws": 0, "t": 0, "ag": 0, "wp": 0 }, "wounds": 0, "armour": [] }),
            ),
            &json!({}),
        )];
        let other = vec![fighter(actor("Ben", LAST, &json!({})), &json!({}))];
        fight(2, one, other, &injuries)
    };
    lines(&scenario(json!({})), &[("Ann attacks", 0)]);
    let mut table = mortal();
    // All that Ben can do: up to 5 wounds in a blow.
    table[1]["severity"] = 6.into();
    lines(
        &scenario(json!({ "injuries": table })),
        &[("Ben attacks", 2), ("Ann: the end", 0)],
    );
    let answer = exact(&bound(&scenario(json!({ "injuries": mortal() }))));
    assert!(frequency(&answer, "Ann is dead") > 0.0);
}

/// What `dicec dh2e describe` prints has every member.
#[test]
fn schemas_have_the_members() {
    for (file, members) in [
        ("actor", &["conditions", "rounds"][..]),
        ("attack", &["injuries", "severity"]),
        (
            "fight",
            &["injuries", "tactic", "overwatch", "grapple", "throw"],
        ),
        (
            "injuries",
            &[
                "type",
                "location",
                "severity",
                "text",
                "conditions",
                "rounds",
                "fatigue",
            ],
        ),
        ("phenomena", &["phenomena", "perils", "from", "to"]),
    ] {
        let schema = schema(file).expect("a schema").to_value().to_string();
        for member in members {
            assert!(
                schema.contains(&format!("\"{member}\"")),
                "{file}: {member}"
            );
        }
    }
}

/// Mistakes in tables and tactics are errors before the roll.
#[test]
fn mistakes_in_tables_have_paths() {
    let pit = |change: &dyn Fn(&mut Value)| {
        let one = vec![fighter(actor("Ann", FIRST, &json!({})), &json!({}))];
        let other = vec![fighter(actor("Ben", LAST, &json!({})), &json!({}))];
        let mut scenario = fight(2, one, other, &json!({ "injuries": mortal() }));
        change(&mut scenario);
        wrong(&scenario)
    };
    for (wrong, part) in [
        (
            pit(&|s| s["injuries"][0]["location"] = json!(["head", "body"])),
            "`$.injuries` has no row for impact damage to the rightArm of severity 1",
        ),
        (
            pit(&|s| s["injuries"][0]["type"] = json!("energy")),
            "no row for impact damage to the head of severity 1",
        ),
        (
            pit(&|s| s["injuries"][0]["severity"] = json!(2)),
            "no row for impact damage to the head of severity 1",
        ),
        (
            pit(&|s| s["injuries"][1]["severity"] = json!(1)),
            "two rows for impact damage to the head of severity 1",
        ),
        (
            pit(&|s| s["injuries"][0]["location"] = json!("tail")),
            "`$.injuries[0].location` has `tail`, which is not a location",
        ),
        (
            pit(&|s| s["injuries"][1]["conditions"] = json!([])),
            "puts nobody out of the fight",
        ),
        (
            pit(&|s| s["injuries"][0]["rounds"] = json!(0)),
            "`$.injuries[0].rounds` is 0, not a whole number above 0",
        ),
        (
            pit(&|s| s["injuries"] = json!({ "injuries": [], "name": "Mine" })),
            "`$.injuries` is an object, not a list",
        ),
        (
            pit(&|s| s["sides"][0]["fighters"][0]["tactic"] = json!("overwatch")),
            "`$.sides[0].fighters[0].tactic` is `overwatch`, and `Stick` is a melee weapon",
        ),
        (
            pit(&|s| {
                s["sides"][0]["fighters"][0]["actor"]["conditions"] = json!([{ "rounds": 2 }])
            }),
            "a condition is a text, or an object",
        ),
    ] {
        assert!(wrong.contains(part), "{wrong}");
    }
}
