//! Distances in encounters (SRD 5.1, "Movement and Position", "Making an Attack"), with exact odds
//! that are worked out by hand.

use crate::encounter_features::{damage_of, exact_odds, example};
use dicec_games::encounter::{Bestiary, Encounter, Plan};
use serde_json::{Value, json};

/// What a face of 9 or more comes to: a bonus of 3 against an armour class of 12.
const HIT: f64 = 12.0 / 20.0;

/// The average damage of an attack with 1d4, which a 20 doubles.
fn strike(chance: f64) -> f64 {
    2.5 * chance + 2.5 / 20.0
}

fn attack(kind: &Value) -> Value {
    let mut attack = json!({
        "name": "Strike", "bonus": 3, "damage": [{ "dice": "1d4", "type": "piercing" }],
    });
    let members = kind.as_object().expect("members of an attack");
    for (name, value) in members {
        attack[name] = value.clone();
    }
    attack
}

/// Somebody with an attack and many hit points.
fn block(name: &str, kind: &Value) -> Value {
    json!({
        "name": name, "ac": 12, "hp": 90, "STR": 16, "proficiency": 2, "speed": 30,
        "actions": [attack(kind)],
    })
}

fn encounter(rounds: u32, sides: &Value, distance: Option<u32>) -> Encounter {
    let document = json!({
        "initiative": "listed", "rounds": rounds, "sides": sides, "distance": distance,
    });
    Encounter::read(&document).expect("it is an encounter")
}

/// The damage that somebody does with its attack, one against one.
fn damage(one: &Value, other: &Value, rounds: u32, distance: u32) -> [f64; 2] {
    let sides = json!([
        { "creatures": [{ "creature": one }] },
        { "creatures": [{ "creature": other }] },
    ]);
    let answer = exact_odds(&encounter(rounds, &sides, Some(distance)));
    ["One", "Other"].map(|name| damage_of(name, &answer, "Strike"))
}

fn is_near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-9, "{value}, not {expected}");
}

/// 30 feet bring somebody next to an enemy who is 35 feet away, and no farther.
#[test]
fn creatures_walk_as_far_as_their_speed() {
    let melee = json!({ "kind": "melee" });
    let (one, other) = (block("One", &melee), block("Other", &melee));
    is_near(damage(&one, &other, 1, 35)[0], strike(HIT));
    // It dashes instead, and the other one has it in reach.
    let [own, others] = damage(&one, &other, 1, 40);
    is_near(own, 0.0);
    is_near(others, strike(HIT));
    let long = block("One", &json!({ "kind": "melee", "reach": 10 }));
    is_near(damage(&long, &other, 1, 40)[0], strike(HIT));
}

/// Beyond the first range, and next to an enemy, attacks at a distance have disadvantage.
#[test]
fn attacks_at_a_distance_may_be_hindered() {
    let bow = block("One", &json!({ "kind": "ranged", "range": [40, 100] }));
    let mut still = block("Other", &json!({ "kind": "melee" }));
    still["speed"] = 0.into();
    is_near(damage(&bow, &still, 1, 70)[0], strike(HIT));
    let hindered = 2.5 * HIT.powi(2) + 2.5 / 400.0;
    is_near(damage(&bow, &still, 1, 75)[0], hindered);
    is_near(damage(&bow, &still, 1, 5)[0], hindered);
    is_near(damage(&bow, &still, 1, 131)[0], 0.0);
}

/// A spear is thrown where it does not reach.
#[test]
fn what_can_be_thrown_is_thrown() {
    let spear = json!({ "kind": "melee or ranged", "reach": 5, "range": [20, 60] });
    let other = block("Other", &json!({ "kind": "melee" }));
    let thrown = damage(&block("One", &spear), &other, 1, 50)[0];
    is_near(thrown, strike(HIT));
}

/// Whoever goes past an enemy is attacked by it, once.
#[test]
fn those_who_leave_are_attacked() {
    let melee = json!({ "kind": "melee" });
    let mut weak = block("Weak", &melee);
    weak["hp"] = 80.into();
    let others = json!([
        { "creature": weak, "at": [[5, 0]] },
        { "creature": block("Strong", &melee), "at": [[30, 0]] },
    ]);
    let weak = |targets: &str| {
        let one = json!([{ "creature": block("One", &melee), "at": [[0, 0]] }]);
        let sides = json!([
            { "creatures": one, "targets": targets },
            { "creatures": others.clone() },
        ]);
        damage_of("Weak", &exact_odds(&encounter(1, &sides, None)), "Strike")
    };
    is_near(weak("weakest"), strike(HIT));
    is_near(weak("nearest"), strike(HIT));
    is_near(weak("strongest"), 2.0 * strike(HIT));
}

/// Those who are next to the one that a line aims at are in it or not.
#[test]
fn lines_reach_those_who_are_in_them() {
    let breath = json!({
        "name": "Breath", "area": { "shape": "line", "feet": 60 },
        "damage": [{ "dice": "10", "type": "fire" }],
        "save": { "ability": "DEX", "dc": 40, "on success": "none" },
    });
    let mut one = block("One", &json!({}));
    one["actions"] = json!([breath]);
    let other = block("Other", &json!({ "kind": "melee" }));
    let hurt = |places: Value, shape: Value| {
        let mut one = one.clone();
        one["actions"][0]["area"] = shape;
        let sides = json!([
            { "creatures": [{ "creature": one, "at": [[0, 0]] }] },
            { "creatures": [{ "creature": other, "count": 2, "at": places }] },
        ]);
        damage_of("One", &exact_odds(&encounter(1, &sides, None)), "Breath")
    };
    let line = json!({ "shape": "line", "feet": 60 });
    let cone = json!({ "shape": "cone", "feet": 60 });
    is_near(hurt(json!([[20, 0], [40, 0]]), line.clone()), 20.0);
    is_near(hurt(json!([[20, 0], [40, 10]]), line.clone()), 10.0);
    is_near(hurt(json!([[20, 0], [40, 10]]), cone.clone()), 20.0);
    is_near(hurt(json!([[20, 0], [20, 15]]), cone), 10.0);
    is_near(hurt(json!([[20, 0], [-20, 0]]), line), 10.0);
}

/// The example of a charge: 2d6 more after a straight run of 20 feet, and not after 15.
#[test]
fn a_charge_needs_a_run() {
    let variables = json!([20, "strike", 2, 6, "slashing"]);
    let mut one = block("One", &json!({ "kind": "melee" }));
    one["traits"] = json!([{ "name": "Gore", "feature": example("gore"), "v": variables.clone() }]);
    let other = block("Other", &json!({ "kind": "melee" }));
    let gore = |distance: u32| {
        let sides = json!([
            { "creatures": [{ "creature": one }] },
            { "creatures": [{ "creature": other }] },
        ]);
        let answer = exact_odds(&encounter(1, &sides, Some(distance)));
        damage_of("One", &answer, "Gore")
    };
    is_near(gore(25), 7.0 * HIT);
    is_near(gore(20), 0.0);
}

/// The example of a bonus action: up to its speed toward an enemy.
#[test]
fn the_eager_get_there_first() {
    let melee = json!({ "kind": "melee" });
    let mut one = block("One", &melee);
    let other = block("Other", &melee);
    is_near(damage(&one, &other, 1, 60)[0], 0.0);
    one["traits"] = json!([{ "name": "Eager", "feature": example("eager") }]);
    is_near(damage(&one, &other, 1, 60)[0], strike(HIT));
    is_near(damage(&one, &other, 1, 70)[0], 0.0);
}

/// Somebody with a feature that acts after each hit.
fn with_feature(effect: &Value) -> Value {
    let mut one = block("One", &json!({ "kind": "melee" }));
    let feature = json!({
        "name": "blow", "text": "",
        "subfeatures": [{
            "trigger": ["N hits N", "self", "creature"],
            "effects": [{ "target": "creature", "effect": effect }],
        }],
    });
    one["traits"] = json!([{ "name": "Blow", "feature": feature }]);
    one
}

/// Somebody who is pushed 30 feet away comes back; one of 35 feet is too far away to.
#[test]
fn those_who_are_pushed_have_to_come_back() {
    let other = block("Other", &json!({ "kind": "melee" }));
    let others = |feet: u32| {
        let effect = json!(["Pushed X feet in DIRECTION direction", feet, "away"]);
        damage(&with_feature(&effect), &other, 1, 5)[1]
    };
    is_near(others(30), strike(HIT));
    is_near(others(35), strike(HIT) * (1.0 - HIT));
}

/// A hit that kills, without a save.
#[test]
fn features_may_kill() {
    let other = block("Other", &json!({ "kind": "melee" }));
    let deadly = with_feature(&json!(["Death"]));
    is_near(damage(&deadly, &other, 1, 5)[1], strike(HIT) * (1.0 - HIT));
    // Neither temporary hit points nor death saves help.
    let mut hero = other;
    hero["temp hp"] = 50.into();
    hero["character"] = true.into();
    is_near(damage(&deadly, &hero, 1, 5)[1], strike(HIT) * (1.0 - HIT));
    let sides = json!([
        { "creatures": [{ "creature": deadly }] },
        { "creatures": [{ "creature": hero }] },
    ]);
    let answer = exact_odds(&encounter(1, &sides, Some(5)));
    let dead = answer.stats.iter().find(|stat| stat.name == "Other: dead");
    let odds = dead.and_then(|stat| stat.odds.as_ref());
    is_near(odds.expect("it is noted").mean(), HIT);
}

/// Conditions that a handler does not look at when it acts keep a part from acting.
#[test]
fn conditions_that_are_not_looked_at_keep_a_part_from_acting() {
    let other = block("Other", &json!({ "kind": "melee" }));
    let missing = |trigger: &Value, conditions: &Value, effect: &Value| {
        let mut one = block("One", &json!({ "kind": "melee" }));
        let feature = json!({
            "name": "odd", "text": "",
            "subfeatures": [{
                "trigger": trigger, "conditions": conditions, "effects": [effect],
            }],
        });
        one["traits"] = json!([{ "name": "Odd", "feature": feature }]);
        let sides = json!([
            { "creatures": [{ "creature": one }] },
            { "creatures": [{ "creature": other.clone() }] },
        ]);
        let plan = Plan::new(&encounter(1, &sides, Some(30)), &Bestiary::srd());
        let plan = plan.unwrap_or_else(|wrong| panic!("{wrong}"));
        plan.missing().count() == 1 && plan.modelled().count() == 0
    };
    let hurt = |target: &str, conditions: Value| {
        json!({
            "target": target, "effect conditions": conditions,
            "effect": ["Inflict XdX TYPE damage", 1, 6, "fire"],
        })
    };
    let hits = json!(["N hits N", "self", "any"]);
    let run = json!([["N moved X distance straight toward N", "self", 20, "any"]]);
    let near = json!(["creature,self,distance,10,<="]);
    // A run before an area, or before somebody is touched.
    assert!(missing(&hits, &run, &hurt("creatures", json!([]))));
    let touches = json!(["N touches N", "creature", "self"]);
    assert!(missing(&touches, &run, &hurt("creature", json!([]))));
    // How close the one is who is hit, and a distance that nobody is within.
    assert!(missing(&hits, &near, &hurt("any", json!([]))));
    let never = json!(["creature,self,distance,0,1,-,<="]);
    assert!(missing(
        &json!("self,turnstart"),
        &json!([]),
        &hurt("creatures", never)
    ));
    // A condition of whoever is hurt.
    let unless = json!(["creature.POISONED,!"]);
    assert!(missing(
        &json!("self,turnstart"),
        &json!([]),
        &hurt("creatures", unless)
    ));
    // The same without them acts.
    assert!(!missing(
        &json!("self,turnstart"),
        &json!([]),
        &hurt("creatures", near.clone())
    ));
    assert!(!missing(&hits, &run, &hurt("any", json!([]))));
}

#[test]
fn wrong_positions_are_named() {
    let melee = json!({ "kind": "melee" });
    for (at, speed, expected) in [
        (
            json!([[0, 0], [0, 5]]),
            json!(30),
            "`One: $.at` has 2 positions for 3 creatures",
        ),
        (
            json!([[0, 20_000]]),
            json!(30),
            "`One: $.at` is more than 10000 feet away",
        ),
        (
            json!([[0, 0]]),
            json!("fast"),
            "`One: $.speed` is not a speed in feet",
        ),
    ] {
        let mut one = block("One", &melee);
        one["speed"] = speed;
        let sides = json!([
            { "creatures": [{ "creature": one, "count": 3, "at": at }] },
            { "creatures": [{ "creature": "Goblin" }] },
        ]);
        let encounter = encounter(1, &sides, None);
        let wrong = Plan::new(&encounter, &Bestiary::srd()).expect_err("it is wrong");
        assert_eq!(wrong.to_string(), expected);
    }
}
