//! Scenarios of the d100 rules as scripts: on every engine, and their odds computed a second time,
//! from the rules of seed 003.

use dicec_compiler::{Bound, Limits};
use dicec_games::dh2e::{Notes, scenario_script};
use dicec_tests::engines;
use dicec_tests::programs::{first, script};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

pub(crate) fn example(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/dh2e");
    let text = fs::read_to_string(folder.join(name)).expect("an example");
    serde_json::from_str(&text).expect("JSON")
}

pub(crate) fn bound(scenario: &Value) -> Bound {
    let mut notes = Notes::default();
    let text = scenario_script(scenario, &mut notes);
    let text = text.unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(notes.all(), []);
    first(&script(&text), &json!({}))
}

fn burst() -> Value {
    let mut scenario = example("burst.json");
    scenario["attacker"] = example("vessa.json");
    scenario["target"] = example("brute.json");
    scenario
}

/// Chances by number, from 0 on.
type Chances = Vec<f64>;

/// The chances of a sum of two.
fn sum(one: &Chances, other: &Chances) -> Chances {
    let mut all = vec![0.0; one.len() + other.len() - 1];
    for (a, p) in one.iter().enumerate() {
        for (b, q) in other.iter().enumerate() {
            all[a + b] += p * q;
        }
    }
    all
}

/// The wounds of a hit of 2d10dl1+3 (Tearing) that goes through `soak` armour and toughness.
fn wounds(soak: i64) -> Chances {
    let mut chances = vec![0.0; 14];
    for (a, b) in (1..=10).flat_map(|a: i64| (1..=10).map(move |b| (a, b))) {
        chances[(a.max(b) + 3 - soak).max(0) as usize] += 0.01;
    }
    chances
}

/// Whether a hit with these digits goes to the body (seed 003, "Hit Locations").
fn is_body(face: usize) -> bool {
    let reversed = if face == 100 {
        100
    } else {
        face % 10 * 10 + face / 10
    };
    (31..=70).contains(&reversed)
}

/// The chances of the wounds of Vessa's aimed burst at the brute, with a target of 67 (42 + 10 for
/// a talent + 10 for Accurate + 5 for good craftsmanship) or another one: up to 6 shots,
/// penetration 1 against 6 armour at the body and 4 elsewhere, toughness bonus 4 + 2.
/// `first_to_body` says where the first hit goes if this face hits (seed 003, "Attack Flow", 9).
fn burst_odds(target: usize, first_to_body: impl Fn(usize) -> bool) -> Chances {
    let [body, other] = [wounds(6 - 1 + 6), wounds(4 - 1 + 6)];
    let to_body = (1..=100).filter(|face| is_body(*face)).count() as f64 / 100.0;
    let random: Chances = body
        .iter()
        .zip(&other)
        .map(|(body, other)| to_body * body + (1.0 - to_body) * other)
        .collect();
    let mut expected = vec![0.0; 100];
    for face in 1..=100_usize {
        let is_hit = face == 1 || face != 100 && face <= target;
        let degrees = (1 + target / 10).saturating_sub(face / 10).max(1);
        let shots = if is_hit { (1 + degrees).min(6) } else { 0 };
        let first = if first_to_body(face) { &body } else { &other };
        let mut total = vec![1.0];
        for shot in 0..shots {
            total = sum(&total, if shot == 0 { first } else { &random });
        }
        for (wounds, chance) in total.iter().enumerate() {
            expected[wounds] += chance / 100.0;
        }
    }
    expected
}

#[test]
fn the_odds_of_a_burst() {
    let mut called = burst();
    called["called"] = json!("body");
    for (scenario, expected) in [
        (burst(), burst_odds(67, is_body)),
        // -20 for the call; the hits after the first are random.
        (called, burst_odds(47, |_| true)),
    ] {
        let odds = bound(&scenario).distribution(&Limits::default().exact);
        let odds = odds.expect("exact odds");
        for (wounds, chance) in expected.iter().enumerate() {
            let found = odds.probability(wounds as i64);
            assert!(
                (found - chance).abs() < 1e-12,
                "{wounds}: {found}, not {chance}"
            );
        }
    }
}

#[test]
fn scenarios_run_on_every_engine() {
    engines::check(&bound(&burst()), 1, 300, &"burst");
    let mut ambush = example("ambush.json");
    for side in ambush["sides"].as_array_mut().expect("sides") {
        for fighter in side["fighters"].as_array_mut().expect("fighters") {
            let name = fighter["actor"].as_str().expect("a file").to_owned();
            fighter["actor"] = example(&name);
        }
    }
    engines::check(&bound(&ambush), 1, 60, &"ambush");
}

/// A state that may change is a condition of the script, and one that does not is a number.
#[test]
fn changing_options_are_parameters() {
    let mut scenario = burst();
    let text =
        |scenario: &Value| scenario_script(scenario, &mut Notes::default()).expect("a script");
    assert!(text(&scenario).contains("targetStunned ? 45 : 25"));
    scenario["changing"] = json!([]);
    assert!(text(&scenario).contains("max(1, skill + 25)"));
    scenario["options"] = json!(["self:aim", "self:aim:full", "target:stunned"]);
    // +20 instead of +10 in the group, +20 for the stunned target.
    assert!(text(&scenario).contains("max(1, skill + 55)"));
    assert!(text(&scenario).contains("adjusted("));
}

/// An option that may change, but that nothing asks for, is a parameter without an effect.
#[test]
fn changing_options_without_effect_are_noted() {
    let noted = |changing: &str, melee: bool| {
        let mut scenario = burst();
        scenario["changing"] = json!([changing]);
        if melee {
            scenario["weapon"] = json!("Hooked knife");
            scenario["mode"] = json!("single");
        }
        let mut notes = Notes::default();
        scenario_script(&scenario, &mut notes).expect("a script");
        let notes = notes.all().iter();
        let said = notes.map(|note| (note.to_string(), note.help.clone().unwrap_or_default()));
        said.collect::<Vec<_>>()
    };
    let typo = "`$.changing[0]` is `target:stuned`, which nothing asks for";
    let advice = "did you mean `target:stunned`?";
    assert_eq!(
        noted("target:stuned", false),
        [(typo.into(), advice.into())]
    );
    assert_eq!(noted("target:stunned", false), []);
    // Only blows hit by themselves.
    assert_eq!(noted("target:helpless", true), []);
    assert_eq!(noted("target:helpless", false).len(), 1);
    assert_eq!(noted("weather:ash", false)[0].1, "leave it out");
}

/// Names of sides become constants of the script.
#[test]
fn sides_have_names_of_their_own() {
    let mut ambush = example("ambush.json");
    for side in ambush["sides"].as_array_mut().expect("sides") {
        side["name"] = json!("The crew!");
        side["fighters"] = json!([{ "actor": example("orrin.json") }]);
    }
    let script = |scenario: &Value| scenario_script(scenario, &mut Notes::default());
    let wrong = wrong(&ambush);
    assert!(wrong.contains("cannot tell apart"), "{wrong}");
    ambush["sides"][1]["name"] = json!("Rats");
    let text = script(&ambush).expect("a script");
    assert!(
        text.contains("enum winner { theCrew, rats, nobody }"),
        "{text}"
    );
}

/// What is wrong with a scenario.
pub(crate) fn wrong(scenario: &Value) -> String {
    let found = scenario_script(scenario, &mut Notes::default());
    found.expect_err("a mistake").to_string()
}

/// A mistake is an error with its path, not a script.
#[test]
fn mistakes_have_paths() {
    let mistake = |change: &dyn Fn(&mut Value)| {
        let mut scenario = burst();
        change(&mut scenario);
        wrong(&scenario)
    };
    for (wrong, part) in [
        (
            mistake(&|s| s["weapon"] = json!("Lance")),
            "`$.weapon` is `Lance`, a weapon that Vessa Korr does not have",
        ),
        (
            mistake(&|s| s["called"] = json!("haed")),
            "`$.called` is `haed`, which is not a location",
        ),
        (
            mistake(&|s| s["target"]["characteristics"] = json!({})),
            "needs `t`",
        ),
        (
            mistake(&|s| s["attacker"]["characteristics"]["luck"] = json!(3)),
            "`$.attacker.characteristics.luck` is not a characteristic",
        ),
        (
            mistake(&|s| s["mode"] = json!("burst")),
            "`$.mode` cannot be `burst`",
        ),
        (
            mistake(&|s| s["speed"] = json!(3)),
            "`$.speed` is not a member that is known",
        ),
        (
            mistake(&|s| s["target"]["wounds"] = json!(i64::MAX)),
            "beyond",
        ),
        (
            mistake(&|s| s["attacker"]["items"][0]["rules"][0]["value"] = json!("much")),
            "`$.attacker.items[0].rules[0].value`",
        ),
    ] {
        assert!(wrong.contains(part), "{wrong}");
    }
}
