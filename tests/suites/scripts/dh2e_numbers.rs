//! Numbers of seed 003 that are there twice: as modifiers that `games/dh2e` resolves before a roll,
//! because they count towards the cap, and as functions of `std.dh2e` for scripts written by hand.
//! Both are held to each other here.

use crate::dh2e::{DH2E, counted};
use crate::dh2e_scenarios::example;
use dicec_compiler::Limits;
use dicec_games::dh2e::{
    Circumstances, Notes, PhenomenaTable, Plan, Tested, read_actor, read_phenomena,
    scenario_script, test_script,
};
use dicec_tests::engines;
use dicec_tests::programs::{first, script};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What an expression over the library gives.
fn library(expression: &str) -> i64 {
    let odds = weights(expression);
    assert_eq!(odds.len(), 1, "{expression}");
    *odds.keys().next().expect("a value")
}

/// The outcomes of an expression, with their chances.
fn weights(expression: &str) -> BTreeMap<i64, f64> {
    let text = format!("{DH2E} defroll \"T\" t() {{ return {expression}; }}");
    let bound = first(&script(&text), &json!({}));
    let odds = bound.distribution(&Limits::default().exact).expect("small");
    odds.probabilities().collect()
}

/// The script of an attack with a weapon that has these members.
fn attack(weapon: &Value, options: &[&str], conditions: &[&str]) -> String {
    let mut gun = json!({ "name": "W", "class": "las", "damage": "2d10" });
    for (member, value) in weapon.as_object().expect("an object") {
        gun[member] = value.clone();
    }
    let scenario = json!({
        "attacker": { "name": "A", "characteristics": { "ws": 50, "bs": 50 }, "weapons": [gun] },
        "target": { "name": "B", "characteristics": { "t": 30 }, "wounds": 9, "conditions": conditions },
        "options": options,
    });
    scenario_script(&scenario, &mut Notes::default()).expect("a script")
}

/// What an attack adds to its skill.
fn bonus(script: &str) -> i64 {
    let (_, rest) = script.split_once("max(1, skill").expect("a target");
    let (bonus, _) = rest.split_once(')').expect("its end");
    match bonus.replace(' ', "").as_str() {
        "" => 0,
        bonus => bonus.parse().expect("a number"),
    }
}

/// "Craftsmanship Modifiers", "Attack Flow", 5 and 6, and "Weapon Qualities".
#[test]
fn attacks() {
    for grade in ["poor", "common", "good", "best"] {
        let made = attack(&json!({ "craftsmanship": grade }), &[], &[]);
        assert_eq!(
            bonus(&made),
            library(&format!("craftsmanship({grade})")),
            "{grade}"
        );
    }
    for condition in ["stunned", "prone"] {
        for class in ["melee", "las"] {
            let made = attack(&json!({ "class": class }), &[], &[condition]);
            let melee = class == "melee";
            let expected = library(&format!("targetModifier({condition}, {melee})"));
            assert_eq!(bonus(&made), expected, "{condition} {class}");
        }
    }
    let accurate = json!({ "qualities": ["Accurate"] });
    for (aim, options) in [
        ("none", &[][..]),
        ("half", &["self:aim"]),
        ("aiming.full", &["self:aim", "self:aim:full"]),
        ("aiming.full", &["self:aim:full"]),
    ] {
        let made = attack(&accurate, options, &[]);
        assert_eq!(
            bonus(&made),
            library(&format!("accurateBonus(accurate, {aim})"))
        );
        let more = library(&format!("accurateDegrees(3, accurate, {aim})")) - 3;
        assert_eq!(
            made.contains(&format!(", {more})")) && made.contains("adjusted("),
            more != 0
        );
    }
    let blow = attack(&json!({ "class": "melee" }), &[], &["helpless"]);
    assert!(blow.contains("dos = automaticDegrees(skill);"), "{blow}");
    let razor = attack(&json!({ "qualities": ["Razor Sharp"] }), &[], &[]);
    assert!(
        razor.contains("penetrationAt(penetration, razorSharp, dos)"),
        "{razor}"
    );
}

/// "Craftsmanship Modifiers" of armour, and felling.
#[test]
fn armour_and_felling() {
    let target = |grade: &str, qualities: Value| {
        let mut scenario = json!({
            "attacker": { "name": "A", "characteristics": { "bs": 50 },
                          "weapons": [{ "name": "W", "class": "las", "damage": "1d10", "qualities": qualities }] },
            "target": example("brute.json"),
        });
        scenario["target"]["armour"] =
            json!([{ "name": "Plate", "points": { "all": 4 }, "craftsmanship": grade }]);
        scenario_script(&scenario, &mut Notes::default()).expect("a script")
    };
    for grade in ["poor", "common", "good", "best"] {
        let points = 4 + library(&format!("craftsmanshipArmour({grade})"));
        let made = target(grade, json!([]));
        assert!(made.contains(&format!("armour = {points};")), "{made}");
    }
    // "Domains": armour of all locations, and of one.
    let mut scenario = json!({
        "attacker": { "name": "A", "characteristics": { "bs": 50 },
                      "weapons": [{ "name": "W", "class": "las", "damage": "1d10" }] },
        "target": example("brute.json"),
    });
    scenario["target"]["items"] = json!([{ "name": "Ward", "rules": [
        { "key": "FlatModifier", "domain": "armour:all", "value": 1 },
        { "key": "FlatModifier", "domain": "armour:head", "value": 2 },
        { "key": "FlatModifier", "domain": "damage:ranged", "value": 9 },
    ] }]);
    let made = scenario_script(&scenario, &mut Notes::default()).expect("a script");
    let expected = "armour = match (place) { head: 7, body: 7, else: 5 };";
    assert!(made.contains(expected), "{made}");
    // The brute: 46, and 2 more by Unnatural Toughness.
    for felling in [0, 1, 2, 5] {
        let made = target("common", json!([format!("Felling({felling})")]));
        let toughness = 4 + library(&format!("felled(2, {felling})"));
        assert!(
            made.contains(&format!("toughness: int = {toughness},")),
            "{made}"
        );
    }
}

/// "Damage Calculation": damage dice of a scenario and those of the library, in every order of the
/// qualities.
#[test]
fn damage_dice_in_every_order() {
    let all = [
        ("Tearing", "diceOverride{ kind: tearing },"),
        ("Proven(4)", "diceOverride{ kind: proven, value: 4 },"),
        ("Primitive(7)", "diceOverride{ kind: primitive, value: 7 },"),
    ];
    let orders: [&[usize]; 16] = [
        &[],
        &[0],
        &[1],
        &[2],
        &[0, 1],
        &[1, 0],
        &[0, 2],
        &[2, 0],
        &[1, 2],
        &[2, 1],
        &[0, 1, 2],
        &[0, 2, 1],
        &[1, 0, 2],
        &[1, 2, 0],
        &[2, 0, 1],
        &[2, 1, 0],
    ];
    for order in orders.into_iter().chain([&[2, 0, 0][..], &[0, 2, 0]]) {
        let qualities: Vec<&str> = order.iter().map(|&at| all[at].0).collect();
        let made = attack(&json!({ "qualities": qualities }), &[], &[]);
        let (_, dice) = made.split_once("damage = ").expect("damage");
        let (dice, _) = dice.split_once(';').expect("its end");
        let overrides: String = order.iter().map(|&at| all[at].1).collect();
        let expected = weights(&format!("damageDice(2, 10, [{overrides}])"));
        let found = weights(dice);
        assert_eq!(found.len(), expected.len(), "{dice}");
        for (outcome, chance) in expected {
            let found = found.get(&outcome).copied().unwrap_or_default();
            assert!((found - chance).abs() < 1e-12, "{dice}: {outcome}");
        }
    }
}

/// "Damage Calculation": resistances of a scenario, which are written out, and the library's.
#[test]
fn resistances() {
    let lists = [
        (json!([["half", 0]]), "[resistance{ kind: half },]"),
        (
            json!([["flat", 3], ["half", 0]]),
            "[resistance{ kind: flat, value: 3 }, resistance{ kind: half }]",
        ),
        (
            json!([["half", 0], ["flat", 3]]),
            "[resistance{ kind: half }, resistance{ kind: flat, value: 3 }]",
        ),
    ];
    for (rules, list) in lists {
        let rules = rules.as_array().expect("a list").iter();
        let rules: Vec<Value> = rules
            .map(|rule| json!({ "key": "Resistance", "damageType": "energy", "mode": rule[0], "value": rule[1] }))
            .collect();
        let scenario = json!({
            "attacker": { "name": "A", "characteristics": { "bs": 50 },
                "weapons": [{ "name": "W", "class": "las", "damage": "1d10", "damageType": "energy" }] },
            "target": { "name": "B", "characteristics": { "t": 20 }, "wounds": 9,
                "items": [{ "name": "Hide", "rules": rules }] },
        });
        let made = scenario_script(&scenario, &mut Notes::default()).expect("a script");
        let (_, raw) = made.split_once("hurt = wounds(").expect("wounds");
        let (raw, _) = raw.split_once(", armour").expect("its end");
        for damage in 0..=12 {
            let raw = raw.replace("damage", &damage.to_string());
            let found = library(&format!("wounds({raw}, 1, 0, 2)"));
            assert_eq!(
                found,
                library(&format!("woundsAfter({damage}, 1, 0, 2, {list}, [])"))
            );
        }
    }
}

fn plan(actor: &Value, tested: &Tested<'_>, tables: Option<&PhenomenaTable>) -> Plan {
    let actor = read_actor(actor).expect("an actor");
    let circumstances = Circumstances::default();
    let made = test_script(&actor, tested, tables, circumstances, &mut Notes::default());
    made.expect("a test")
}

/// "Skill Checks", "Fatigue" and "Focus Power Flow".
#[test]
fn tests() {
    let mut vessa = example("vessa.json");
    for tier in 0..=4 {
        vessa["skills"][0]["tier"] = tier.into();
        let plan = plan(&vessa, &Tested::Skill("dodge"), None);
        assert_eq!(plan.target, library(&format!("skillTarget(41, {tier})")));
    }
    for fatigue in 0..=3 {
        vessa["fatigue"] = fatigue.into();
        let plan = plan(&vessa, &Tested::Characteristic("ws"), None);
        assert_eq!(
            plan.target,
            34 + library(&format!("fatiguePenalty({fatigue})"))
        );
    }
    vessa["fatigue"] = 0.into();
    for (mode, pushed) in [("unfettered", false), ("pushed", true)] {
        let plan = plan(&vessa, &Tested::Power("smite", pushed), None);
        assert_eq!(
            plan.target,
            library(&format!("focusTarget(36, -10, {mode})"))
        );
        assert!(plan.script.contains(&format!("phenomena(face, {mode})")));
    }
    // Balanced: the weapon in hand helps to parry.
    let parry = json!({ "name": "parry", "characteristic": "ws", "tier": 1, "uses": [{ "name": "parry", "reaction": true }] });
    let duel = |qualities: Value| {
        let duellist = json!({
            "name": "D", "characteristics": { "ws": 40, "ag": 30, "t": 30, "wp": 30 }, "wounds": 9,
            "skills": [parry], "weapons": [{ "name": "W", "class": "melee", "damage": "1d5", "qualities": qualities }],
        });
        let side = |name: &str| json!({ "name": name, "fighters": [{ "actor": duellist, "defence": "parry:parry" }] });
        let scenario = json!({ "sides": [side("One"), side("Two")] });
        scenario_script(&scenario, &mut Notes::default()).expect("a script")
    };
    let balanced = 40 + library("parryBonus(balanced)");
    let made = duel(json!(["Balanced"]));
    assert!(made.contains(&format!("max(1, {balanced})")), "{made}");
    assert!(duel(json!([])).contains("degrees(roll(d100), max(1, 40))"));
}

/// Fatigue at the beginning lowers a defence once.
#[test]
fn fatigue_counts_once() {
    let mut ambush = example("ambush.json");
    ambush["sides"][0]["fighters"] =
        json!([{ "actor": example("vessa.json"), "defence": "dodge" }]);
    ambush["sides"][1]["fighters"] = json!([{ "actor": example("orrin.json") }]);
    ambush["sides"][0]["fighters"][0]["actor"]["fatigue"] = 2.into();
    let made = scenario_script(&ambush, &mut Notes::default()).expect("a script");
    let once = "max(1, 51 + fatiguePenalty(f.fatigue))";
    assert!(made.contains(once) && made.contains("fatigue: 2"), "{made}");
}

/// "Focus Power Flow", 5 and 6: phenomena on doubles or always; their row, and the perils that some
/// rows send on to.
#[test]
fn phenomena_and_perils() {
    let tables = read_phenomena(&example("phenomena.json")).expect("tables");
    let vessa = example("vessa.json");
    for (pushed, called) in [(false, 0.1), (true, 1.0)] {
        let plan = plan(&vessa, &Tested::Power("smite", pushed), Some(&tables));
        let bound = first(&script(&plan.script), &json!({}));
        engines::check(&bound, 1, 100, &"phenomena");
        let answer = bound.answer(
            &Limits::default().exact,
            dicec_compiler::answer::Exactness::default(),
            &dicec_runtime::control::Control::default(),
        );
        let answer = answer.expect("exact odds");
        let share = |line: &str| -> f64 {
            let all = answer
                .lines
                .iter()
                .filter(|(text, _)| text.starts_with(line));
            all.map(|(_, times)| times).sum()
        };
        let close = |line: &str, expected: f64| {
            let found = share(line);
            assert!(
                (found - expected).abs() < 1e-12,
                "{line}: {found}, not {expected}"
            );
        };
        close("Phenomena: ", called);
        close("Phenomena: every candle", called * 0.15);
        close("Phenomena: the veil tears", called * 0.26);
        close("Perils: ", called * 0.26);
        close("Perils: something steps through", called * 0.26 * 0.01);
    }
    // The face decides: of 1 to 100, ten are doubles.
    let doubles = counted((1..=100).map(|face: i64| i64::from(face / 10 % 10 == face % 10)));
    assert_eq!(doubles[&1], 10);
}

/// "Common Roll Options": those that follow from the weapon, the state of both and the attack.
#[test]
fn automatic_options() {
    let wanted = [
        "self:prone",
        "self:fatigued",
        "self:hidden",
        "action:charge",
        "weapon:class:las",
        "weapon:quality:reliable",
        "weapon:quality:blast",
        "weapon:quality:spray",
        "weapon:firemode:full",
        "target:helpless",
        "target:fatigued",
    ];
    let rules = wanted.iter().enumerate().map(|(index, option)| {
        json!({ "key": "FlatModifier", "domain": "damage:ranged", "value": 1 << index,
                "exclusionGroup": option, "predicate": [option] })
    });
    let mut rules: Vec<Value> = rules.collect();
    rules
        .push(json!({ "key": "RollOption", "option": "self:hidden", "predicate": ["self:prone"] }));
    // Every bonus alone, because the sum of all is above the cap.
    for (index, option) in wanted.iter().enumerate() {
        let own: Vec<&Value> = [&rules[index]].into_iter().chain(rules.last()).collect();
        let mut scenario = json!({
            "attacker": { "name": "A", "characteristics": { "bs": 50 }, "conditions": ["prone"], "fatigue": 1,
                "items": [{ "name": "I", "rules": own }],
                "weapons": [{ "name": "W", "class": "las", "damage": "1d10", "rof": { "full": 4 },
                              "qualities": ["Reliable", "Blast(3)", "Spray"] }] },
            "target": { "name": "B", "characteristics": { "t": 30 }, "wounds": 9, "fatigue": 2,
                        "conditions": ["helpless"] },
            "mode": "full",
            "options": ["action:charge"],
        });
        let text =
            |scenario: &Value| scenario_script(scenario, &mut Notes::default()).expect("a script");
        let value = (1_i64 << index).min(60);
        let made = text(&scenario);
        assert!(
            made.contains(&format!("roll(1d10 + {value})")),
            "{option}: {made}"
        );
        scenario["attacker"]["items"][0]["rules"][0]["predicate"] =
            json!([format!("not:{option}")]);
        assert!(text(&scenario).contains("roll(1d10);"), "{option}");
    }
    let called = json!({
        "attacker": { "name": "A", "characteristics": { "bs": 50 },
                      "weapons": [{ "name": "W", "class": "las", "damage": "1d10" }] },
        "target": { "name": "B", "characteristics": { "t": 30 }, "wounds": 9 },
        "called": "leftArm",
    });
    let made = scenario_script(&called, &mut Notes::default()).expect("a script");
    assert_eq!(bonus(&made), -20);
    assert!(made.contains("place = leftArm;"), "{made}");
}

/// Each roll has one row.
#[test]
fn gaps_and_overlaps_are_mistakes() {
    let mistake = |change: &dyn Fn(&mut Value)| {
        let mut tables = example("phenomena.json");
        change(&mut tables);
        read_phenomena(&tables).expect_err("a mistake").to_string()
    };
    for (wrong, part) in [
        (
            mistake(&|t| t["phenomena"][1]["from"] = 17.into()),
            "`$.phenomena` has no row for a roll of 16",
        ),
        (
            mistake(&|t| t["phenomena"][1]["from"] = 15.into()),
            "`$.phenomena` has 2 rows for a roll of 15",
        ),
        (
            mistake(&|t| t["perils"][5]["to"] = 101.into()),
            "`$.perils[5]` is for rolls from 100 to 101",
        ),
        (
            mistake(&|t| t["perils"] = json!([])),
            "needs a member `perils`",
        ),
        (
            mistake(&|t| t["phenomena"][0]["peril"] = true.into()),
            "`$.phenomena[0].peril` is not a member that is known",
        ),
    ] {
        assert!(wrong.contains(part), "{wrong}");
    }
}
