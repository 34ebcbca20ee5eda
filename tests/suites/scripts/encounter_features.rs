//! Features in fights (seed 001): what of each of the nine examples happens, and what it changes.

use dicec_compiler::Compiler;
use dicec_compiler::answer::{Answer, Exactness};
use dicec_fights::compile_encounter;
use dicec_games::encounter::{Bestiary, Encounter, Plan, Purpose, Told};
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;
use serde_json::{Value, json};

/// A feature of the examples.
pub(crate) fn example(name: &str) -> Value {
    let path = format!(
        "{}/../examples/features/{name}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).expect("the example is there");
    serde_json::from_str(&text).expect("it is JSON")
}

/// A beast with a feature, and somebody who survives a round of it.
fn encounter(feature: &Value, variables: &Value, rounds: u32) -> Encounter {
    let document = document(feature, variables, rounds);
    Encounter::read(&document).expect("it is an encounter")
}

fn document(feature: &Value, variables: &Value, rounds: u32) -> Value {
    let attack = |bonus: i64, dice: &str| {
        json!({
            "name": "Strike", "bonus": bonus, "kind": "melee",
            "damage": [{ "dice": dice, "type": "piercing" }],
        })
    };
    let beast = json!({
        "name": "Beast", "ac": 13, "hp": 8, "STR": 16, "CON": 14, "proficiency": 2,
        "traits": [{ "name": "Feature", "feature": feature, "v": variables }],
        "actions": [attack(3, "1d4")],
    });
    let other = json!({ "name": "Other", "ac": 12, "hp": 30, "actions": [attack(3, "1d4")] });
    json!({
        "initiative": "listed", "rounds": rounds,
        "sides": [
            { "creatures": [{ "creature": beast }] },
            { "creatures": [{ "creature": other }] },
        ],
    })
}

fn planned(encounter: &Encounter) -> Plan {
    Plan::new(encounter, &Bestiary::srd()).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn exact(feature: &Value, variables: &Value, rounds: u32) -> Answer {
    exact_odds(&encounter(feature, variables, rounds))
}

/// The exact odds of a small fight.
pub(crate) fn exact_odds(encounter: &Encounter) -> Answer {
    let plan = planned(encounter);
    let bound = compile_encounter(&Compiler::new(), &plan, Told::Figures, Purpose::Trials)
        .expect("its script");
    let answer = bound.answer(
        &Limits::default(),
        Exactness::default(),
        &Control::default(),
    );
    answer.expect("a small fight")
}

/// How much damage the beast does with something in a fight, on average.
fn damage(answer: &Answer, name: &str) -> f64 {
    damage_of("Beast", answer, name)
}

/// How much damage somebody does with something in a fight, on average.
pub(crate) fn damage_of(who: &str, answer: &Answer, name: &str) -> f64 {
    let name = format!("{who}: damage, {name}");
    let stat = answer.stats.iter().find(|stat| stat.name == name);
    let stat = stat.unwrap_or_else(|| panic!("no {name}"));
    stat.per_trial * stat.odds.as_ref().map_or(0.0, |odds| odds.mean())
}

/// What is not modelled of each example, in words: nothing of those that are actions.
#[test]
fn the_examples_say_what_does_not_happen() {
    for (name, variables, expected) in [
        ("bile_jet", json!([30, 5, 3, 6]), ""),
        ("elemental_breath", json!(["acid", 30, 5, 4, 8]), ""),
        ("dust_burst", json!([15]), ""),
        (
            "gore",
            json!([20, "tusk", 2, 6, "slashing"]),
            "Feature (when self hits any)",
        ),
        ("bloodlust", json!([10]), ""),
        (
            "clinging_hide",
            json!([]),
            "Feature (when creature touches self)",
        ),
        (
            "eager",
            json!([]),
            "Feature (self may move up to MOVESPEED ft toward creature)",
        ),
        (
            "sour_ground",
            json!([]),
            "Feature (terrain.TERRAIN_IS_DIFFICULT becomes 1; when the turn of creature starts)",
        ),
        ("spell_bound", json!([]), ""),
    ] {
        let plan = planned(&encounter(&example(name), &variables, 10));
        let missing: Vec<String> = plan.missing().flat_map(|(_, all)| all.to_vec()).collect();
        assert_eq!(missing.join(", "), expected, "{name}");
        assert_eq!(
            plan.modelled().count(),
            usize::from(expected.is_empty()),
            "{name}"
        );
    }
}

/// Whoever hits a hide with the form of an object is grappled, and escapes with 13 or more (8, the
/// Strength of 3 and the proficiency of 2) on both of two dice: 8 of 20 faces without a bonus. It
/// always tries to, instead of an attack that hits with 10 or more.
#[test]
fn a_hide_holds_those_who_touch_it() {
    let struck = |size: i64, set: Value, rounds: u32| {
        let mut document = document(&example("clinging_hide"), &json!([]), rounds);
        let [first, second] = [0, 1].map(|side| format!("/sides/{side}/creatures/0/creature"));
        let of = |document: &mut Value, path: &str, name: &str, value: Value| {
            let place = document.pointer_mut(path).expect("it is there");
            place[name] = value;
        };
        of(&mut document, &first, "hp", 40.into());
        of(&mut document, &format!("{first}/traits/0"), "set", set);
        of(&mut document, &second, "size", size.into());
        of(&mut document, "/sides/1", "escape", "always".into());
        let encounter = Encounter::read(&document).expect("it is an encounter");
        damage_of("Other", &exact_odds(&encounter), "Strike")
    };
    let (hit, free) = (11.0 / 20.0, 1.0 - 0.4 * 0.4);
    let strike = 2.5 * hit + 2.5 / 20.0;
    let object = || json!({ "FORM_STATE": 1 });
    let near = |struck: f64, strikes: f64| {
        assert!(
            (struck - strikes * strike).abs() < 1e-9,
            "{struck} of {strikes}"
        );
    };
    near(struck(15, object(), 1), 1.0);
    near(struck(15, object(), 2), 1.0 + (1.0 - hit));
    let still_held = hit * free + (1.0 - hit) * hit;
    near(
        struck(15, object(), 3),
        1.0 + (1.0 - hit) + (1.0 - still_held),
    );
    // Too large, and a form that is not known or not that of an object.
    near(struck(20, object(), 3), 3.0);
    near(struck(15, json!({}), 3), 3.0);
    near(struck(15, json!({ "FORM_STATE": 0 }), 3), 3.0);
}

/// The jet is not used by somebody who is held, as all but a 1 bring about after its first use.
#[test]
fn a_jet_needs_somebody_who_is_free() {
    let variables = json!([30, 5, 3, 6]);
    let mut document = document(&example("bile_jet"), &variables, 2);
    document["sides"][0]["escape"] = "never".into();
    let strike = &mut document["sides"][1]["creatures"][0]["creature"]["actions"][0];
    strike["bonus"] = 99.into();
    strike["damage"] = json!([]);
    strike["grapples"] = json!({ "escape dc": 14 });
    let encounter = Encounter::read(&document).expect("it is an encounter");
    let once = damage(&exact(&example("bile_jet"), &variables, 1), "Feature");
    let used = damage(&exact_odds(&encounter), "Feature");
    assert!((used - once * (1.0 + 0.05 / 6.0)).abs() < 1e-9, "{used}");
}

/// In one round the jet does 3d6 damage, or half of it on a save of Dexterity against 12 (8, the
/// Constitution of 2 and the proficiency of 2) by somebody without a bonus: 11 of 20 faces fail.
#[test]
fn a_jet_does_its_damage_and_comes_back_on_a_six() {
    let halves: f64 = (3..=18)
        .map(|sum| ways(sum) / 216.0 * f64::from(sum / 2))
        .sum();
    let once = 10.5 * 11.0 / 20.0 + halves * 9.0 / 20.0;
    let answer = exact(&example("bile_jet"), &json!([30, 5, 3, 6]), 1);
    assert!((damage(&answer, "Feature") - once).abs() < 1e-9);
    let longer = exact(&example("bile_jet"), &json!([30, 5, 3, 6]), 2);
    assert!(damage(&longer, "Feature") > once);
    assert!(damage(&longer, "Feature") < once * (1.0 + 1.0 / 6.0));
}

/// How many ways three dice have to come to a sum.
fn ways(sum: i32) -> f64 {
    let faces = || 1..=6;
    let all = faces().flat_map(|a| faces().flat_map(move |b| faces().map(move |c| a + b + c)));
    all.filter(|&other| other == sum).count() as f64
}

/// A breath with the same numbers in its variables does the same as a jet, and comes back on a 5.
#[test]
fn a_breath_takes_its_numbers_from_variables() {
    let breath = |rounds| {
        let variables = json!(["acid", 30, 5, 3, 6]);
        damage(
            &exact(&example("elemental_breath"), &variables, rounds),
            "Feature",
        )
    };
    // Constitution 2 and proficiency 2: the save is against 12.
    let halves: f64 = (3..=18)
        .map(|sum| ways(sum) / 216.0 * f64::from(sum / 2))
        .sum();
    assert!((breath(1) - (10.5 * 11.0 / 20.0 + halves * 9.0 / 20.0)).abs() < 1e-9);
    assert!(breath(2) > breath(1));
}

/// Those who are blinded attack with disadvantage: they do less damage in the first round.
#[test]
fn dust_blinds() {
    let other = |feature: &str, variables: &Value| {
        damage_of("Other", &exact(&example(feature), variables, 1), "Strike")
    };
    let without = other("eager", &json!([]));
    // A bonus of 3 hits an armour class of 13 with 11 of 20 faces, and twice with the square of
    // that share; 1d4 is 2.5 on average, and twice that on a 20.
    assert!((without - 2.5 * 11.0 / 20.0 - 2.5 / 20.0).abs() < 1e-9);
    // Constitution 2 and proficiency 2: the save is against 12, and 11 of 20 faces fail.
    let hindered = 2.5 * (11.0_f64 / 20.0).powi(2) + 2.5 / 400.0;
    let expected = without * 9.0 / 20.0 + hindered * 11.0 / 20.0;
    assert!((other("dust_burst", &json!([15])) - expected).abs() < 1e-9);
}

/// What nobody knows before the fight is not taken from the defaults of the format.
#[test]
fn conditions_about_others_are_not_guessed() {
    let feature = json!({
        "name": "squeeze", "text": "",
        "subfeatures": [{
            "trigger": ["N hits N", "self", "creature"],
            "conditions": ["creature.SIZE,15,<="],
            "effects": [{
                "target": "creature",
                "effect": ["Inflict XdX TYPE damage", 1, 6, "bludgeoning"],
            }],
        }],
    });
    let plan = planned(&encounter(&feature, &json!([]), 10));
    let missing: Vec<String> = plan.missing().flat_map(|(_, all)| all.to_vec()).collect();
    assert_eq!(missing, ["Feature (when self hits creature)"]);
}

/// What a part of a feature does always, to its own creature.
fn passive(effect: &Value) -> Value {
    json!({
        "name": "gift", "text": "",
        "subfeatures": [{ "trigger": ["passive"], "effects": [{ "target": "self", "effect": effect }] }],
    })
}

/// How much damage the beast and the other one do in a round, with a feature of the beast.
fn in_a_round(feature: &Value) -> [f64; 2] {
    let answer = exact(feature, &json!([7]), 1);
    [("Beast", "Strike"), ("Other", "Strike")].map(|(who, name)| damage_of(who, &answer, name))
}

/// Advantage and disadvantage on attacks: a bonus of 3 against an armour class of 12 hits with 12
/// of 20 faces.
#[test]
fn features_give_advantage() {
    let expected = |hit: f64, critical: f64| 2.5 * hit + 2.5 * critical;
    let usual = expected(0.6, 0.05);
    let plain = passive(&json!(["Advantage on rolls ROLL_CLASS", "saving throws"]));
    assert!((in_a_round(&plain)[0] - usual).abs() < 1e-9);
    let gained = passive(&json!(["Advantage on rolls ROLL_CLASS", "attack rolls"]));
    let both = |p: f64| 1.0 - (1.0 - p).powi(2);
    let advantage = expected(both(0.6), both(0.05));
    assert!((in_a_round(&gained)[0] - advantage).abs() < 1e-9);
    let hindered = passive(&json!(["Disadvantage on rolls ROLL_CLASS", "attack rolls"]));
    let disadvantage = expected(0.6_f64.powi(2), 0.05_f64.powi(2));
    assert!((in_a_round(&hindered)[0] - disadvantage).abs() < 1e-9);
}

/// Hit points that a feature sets, and those that one gives back in each turn: the beast of 8 hit
/// points takes at most 4 or 8 damage in a round.
#[test]
fn features_change_hit_points() {
    let standing = |feature: &Value, rounds: u32| {
        let answer = exact(feature, &json!([7]), rounds);
        let stat = answer
            .stats
            .iter()
            .find(|stat| stat.name == "Beast: standing");
        let odds = stat.and_then(|stat| stat.odds.as_ref());
        odds.expect("it is noted").mean()
    };
    let tough = passive(&json!(["Set N = N", "MAXHP", 9]));
    assert!((standing(&tough, 1) - 1.0).abs() < 1e-12);
    let frail = passive(&json!(["Set N = N", "MAXHP", 1]));
    // A hit ends it: an armour class of 13 is hit with 11 of 20 faces.
    assert!((standing(&frail, 1) - 9.0 / 20.0).abs() < 1e-9);
    let heals = json!({
        "name": "heals", "text": "",
        "subfeatures": [{
            "trigger": "self,turnstart", "conditions": ["HP,0,>"],
            "effects": [{ "target": "self", "effect": ["Regain X hp", "V0"] }],
        }],
    });
    // Unless both of its dice are 4 on a 20, the beast is back at 8 in each turn.
    let falls: f64 = 1.0 / 20.0 / 16.0;
    assert!((standing(&heals, 3) - (1.0 - falls).powi(3)).abs() < 1e-9);
}

/// A feature may be written in the stat block, and what is wrong with it is named.
#[test]
fn wrong_features_are_named() {
    for (feature, expected) in [
        (
            json!("dust burst"),
            "`Beast: the feature of Feature` is `dust burst`, which does not ship with dicec",
        ),
        (
            json!({ "name": "x", "text": "", "subfeatures": [{ "trigger": "actoin" }] }),
            "`Beast: the feature of Feature` is wrong: ",
        ),
    ] {
        let encounter = encounter(&feature, &json!([]), 10);
        let wrong = Plan::new(&encounter, &Bestiary::srd()).expect_err("it is wrong");
        assert!(wrong.to_string().starts_with(expected), "{wrong}");
    }
}
