//! Rolls that features decide (seed 001, "ROLLCLASS"), facts about those who are attacked, and
//! difficult ground, each by exact odds that follow by hand.

use super::encounter_features::{damage_of, exact_odds};
use dicec_games::encounter::Encounter;
use serde_json::{Value, json};

/// A creature of armour class 12 that strikes for 1, and hits an armour class of 12 with 12 of 20
/// faces.
pub(crate) fn creature(name: &str, strikes: u32) -> Value {
    json!({
        "name": name, "ac": 12, "hp": 40,
        "actions": [
            { "name": "Multiattack", "multiattack": [{ "action": "Strike", "count": strikes }] },
            { "name": "Strike", "bonus": 3, "kind": "melee", "damage": [{ "dice": "1", "type": "piercing" }] },
        ],
    })
}

pub(crate) fn given(creature: &Value, member: &str, value: Value) -> Value {
    let mut creature = creature.clone();
    creature[member] = value;
    creature
}

/// A trait that is a feature with these parts.
pub(crate) fn feature(parts: &Value) -> Value {
    json!({ "name": "Feature", "feature": { "name": "homebrew", "text": "", "subfeatures": parts } })
}

/// The damage that somebody does with something while the two fight, in the order in which they are
/// listed.
pub(crate) fn damage(document: Value, [first, second]: [&Value; 2], of: (&str, &str)) -> f64 {
    let mut document = document;
    document["initiative"] = "listed".into();
    document["sides"] = json!([
        { "creatures": [{ "creature": first }] },
        { "creatures": [{ "creature": second }], "escape": "always" },
    ]);
    let encounter = Encounter::read(&document).expect("it is an encounter");
    damage_of(of.0, &exact_odds(&encounter), of.1)
}

pub(crate) fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
}

/// What a feature always does to rolls of its own creature.
fn passive(effect: &Value) -> Value {
    let effects = json!([{ "target": "self", "effect": effect }]);
    feature(&json!([{ "trigger": ["passive"], "effects": effects }]))
}

/// A save of Dexterity against 12 by somebody without a bonus fails on 11 of 20 faces.
#[test]
fn saves_succeed_and_fail_by_class() {
    let burned = |rule: &str, class: &str| {
        let fire = json!([{
            "name": "Fire", "damage": [{ "dice": "4", "type": "fire" }],
            "save": { "ability": "DEX", "dc": 12, "on success": "none" },
        }]);
        let other = given(&creature("Other", 1), "actions", fire);
        let effect = json!([format!("{rule} on rolls ROLL_CLASS"), class]);
        let beast = given(&creature("Beast", 1), "traits", json!([passive(&effect)]));
        damage(json!({ "rounds": 1 }), [&other, &beast], ("Other", "Fire"))
    };
    let fails: f64 = 11.0 / 20.0;
    let saves = 1.0 - fails;
    for class in ["saving throws", "dexterity saving throws"] {
        close(burned("Automatic succeed", class), 0.0);
        close(burned("Automatic fail", class), 4.0);
        close(burned("Advantage", class), 4.0 * fails * fails);
        close(burned("Disadvantage", class), 4.0 * (1.0 - saves * saves));
    }
    close(
        burned("Automatic fail", "wisdom saving throws"),
        4.0 * fails,
    );
    close(
        burned("Automatic succeed", "dexterity saving throws against magic"),
        4.0 * fails,
    );
}

/// Whoever is held in the first round (0.6) tries to escape in its turn, against 12 and without a
/// bonus: if it is free, it strikes in the next one.
#[test]
fn escapes_succeed_and_fail_by_class() {
    let holder = || {
        let mut holder = creature("Holder", 1);
        holder["actions"][1]["grapples"] = json!({ "escape dc": 12, "holds": 1 });
        holder
    };
    let struck = |other: &Value, holder: &Value| {
        damage(json!({ "rounds": 1 }), [holder, other], ("Other", "Strike"))
    };
    // Nobody strikes who tries to escape.
    close(struck(&creature("Other", 1), &holder()), 0.4 * 0.6);
    let two = |effect: &Value, own: bool| {
        let (mut other, mut holder) = (creature("Other", 1), holder());
        match own {
            true => other["traits"] = json!([passive(effect)]),
            false => {
                let on_hit = json!([{
                    "trigger": ["N hits N", "self", "creature"],
                    "effects": [{ "target": "creature", "effect": effect, "duration": "1 min" }],
                }]);
                holder["traits"] = json!([feature(&on_hit)]);
            }
        }
        // In the second round nobody is held again.
        holder["actions"][1]["bonus"] = 3.into();
        damage(
            json!({ "rounds": 2 }),
            [&holder, &other],
            ("Other", "Strike"),
        )
    };
    // A turn has a strike if nobody holds the other one then: after a miss of somebody who did
    // not hold it before.
    let strikes = |free: f64| {
        let held = 0.6 * (1.0 - free);
        0.6 * (0.4 + (1.0 - held) * 0.4)
    };
    let class = |rule: &str, class: &str| json!([format!("{rule} on rolls ROLL_CLASS"), class]);
    let free: f64 = 9.0 / 20.0;
    for name in ["escape grapple", "ability checks"] {
        close(two(&class("Automatic succeed", name), true), strikes(1.0));
        close(two(&class("Automatic fail", name), true), strikes(0.0));
        close(two(&class("Automatic fail", name), false), strikes(0.0));
        let both = 1.0 - (1.0 - free) * (1.0 - free);
        close(two(&class("Advantage", name), true), strikes(both));
        close(
            two(&class("Disadvantage", name), true),
            strikes(free * free),
        );
        close(
            two(&class("Disadvantage", name), false),
            strikes(free * free),
        );
    }
    close(
        two(&class("Automatic fail", "saving throws"), true),
        strikes(free),
    );
}

/// The second of two strikes has advantage on whoever the first one holds.
#[test]
fn grapplers_have_advantage_on_those_whom_they_hold() {
    let mut beast = creature("Beast", 2);
    beast["actions"][1]["grapples"] = json!({ "escape dc": 30 });
    let strikes = |beast: &Value| {
        damage(
            json!({ "rounds": 1 }),
            [beast, &creature("Other", 1)],
            ("Beast", "Strike"),
        )
    };
    close(strikes(&beast), 1.2);
    let beast = given(&beast, "traits", json!([{ "name": "Grappler" }]));
    close(strikes(&beast), 0.6 + 0.6 * 0.84 + 0.4 * 0.6);
}

/// Those who have not taken a turn are attacked with advantage, the surprised critically, too.
#[test]
fn assassins_strike_before_others_act() {
    let assassin = given(
        &creature("Beast", 1),
        "traits",
        json!([{ "name": "Assassinate" }]),
    );
    let other = creature("Other", 1);
    let mut document = json!({ "rounds": 1 });
    let first =
        |document: &Value| damage(document.clone(), [&assassin, &other], ("Beast", "Strike"));
    // The damage is a number, which a critical hit does not double.
    close(first(&document), 0.84);
    let second = damage(document.clone(), [&other, &assassin], ("Beast", "Strike"));
    close(second, 0.6);
    document["rounds"] = 2.into();
    close(first(&document), 0.84 + 0.6);
    let mut dicey = assassin.clone();
    dicey["actions"][1]["damage"] = json!([{ "dice": "1d4", "type": "piercing" }]);
    let document = json!({
        "initiative": "listed", "rounds": 1,
        "sides": [
            { "creatures": [{ "creature": dicey }] },
            { "creatures": [{ "creature": other }], "surprised": true },
        ],
    });
    let encounter = Encounter::read(&document).expect("it is an encounter");
    close(
        damage_of("Beast", &exact_odds(&encounter), "Strike"),
        0.84 * 5.0,
    );
}

/// The weapons of a trait of the SRD are magical, unless it is left out.
#[test]
fn magic_weapons_are_a_feature() {
    let beast = given(
        &creature("Beast", 1),
        "traits",
        json!([{ "name": "Magic Weapons" }]),
    );
    let immune = json!(["piercing from nonmagical weapons"]);
    let other = given(&creature("Other", 1), "immune", immune);
    let struck = |document: Value| damage(document, [&beast, &other], ("Beast", "Strike"));
    close(struck(json!({ "rounds": 1 })), 0.6);
    close(
        struck(json!({ "rounds": 1, "without": ["Magic Weapons"] })),
        0.0,
    );
}

/// From 20 feet away, 15 feet are to be walked. The last 10 are difficult ground and take 20; those
/// who fly are not slowed down.
#[test]
fn difficult_ground_takes_twice_the_movement() {
    let ground = json!({ "name": "Ground", "feature": "aberrant ground", "v": [10, 1] });
    let mut beast = given(&creature("Beast", 1), "traits", json!([ground]));
    beast["speed"] = json!({ "walk": 0 });
    let struck = |speed: Value, rounds: u32| {
        let other = given(&creature("Other", 1), "speed", speed);
        let document = json!({ "rounds": rounds, "distance": 20 });
        damage(document, [&beast, &other], ("Other", "Strike"))
    };
    close(struck(json!({ "walk": 25 }), 1), 0.6);
    close(struck(json!({ "walk": 20 }), 1), 0.0);
    close(struck(json!({ "walk": 20 }), 2), 0.6);
    close(struck(json!({ "walk": 10, "fly": 20 }), 1), 0.6);
}

/// The beast strikes first (0.6) and takes a feature away: dice that a hit adds (4), or hit points
/// at the start of a turn.
#[test]
fn features_are_disabled() {
    let takes = |name: &str| {
        feature(&json!([{
            "trigger": ["N hits N", "self", "creature"],
            "effects": [{
                "target": "creature", "effect": ["Disable feature FEATURE", name],
                "duration": "1 min",
            }],
        }]))
    };
    let beast = |name: &str| given(&creature("Beast", 1), "traits", json!([takes(name)]));
    let heavy = json!({
        "name": "Heavy", "feature": { "name": "x", "text": "", "subfeatures": [{
            "trigger": ["N hits N", "self", "creature"],
            "effects": [{
                "target": "creature",
                "effect": ["Inflict XdX TYPE damage", 4, 1, "creature.DAMAGE.TYPE"],
            }],
        }] },
    });
    let mut other = given(&creature("Other", 1), "traits", json!([heavy]));
    let struck = |name: &str, other: &Value| {
        let document = json!({ "rounds": 1 });
        damage(document, [&beast(name), other], ("Other", "Strike"))
    };
    // A critical hit has the dice twice.
    let usual = 0.6 * 5.0 + 0.05 * 4.0;
    close(struck("Light", &other), usual);
    close(struck("heavy", &other), 0.4 * usual + 0.6 * 0.6);
    // Two strikes for 25 fell somebody with 40 hit points, unless 15 come back between them.
    other["traits"] = json!([{ "name": "Regeneration", "value": 15 }]);
    let dealt = |name: &str| {
        let mut beast = beast(name);
        beast["actions"][1]["damage"] = json!([{ "dice": "25", "type": "piercing" }]);
        let document = json!({
            "initiative": "listed", "rounds": 2,
            "sides": [{ "creatures": [{ "creature": beast }] }, { "creatures": [{ "creature": other }] }],
        });
        let encounter = Encounter::read(&document).expect("it is an encounter");
        let answer = exact_odds(&encounter);
        let mut stats = answer.stats.iter();
        let stat = stats.find(|stat| stat.name == "Other: standing");
        let odds = stat.and_then(|stat| stat.odds.as_ref());
        odds.expect("it is noted").mean()
    };
    close(dealt("Light"), 1.0);
    close(dealt("Regeneration"), 1.0 - 0.36);
}

/// Those who are immune to a feature suffer nothing from it, whether it adds to hits or burns those
/// who touch its creature.
#[test]
fn some_are_immune_to_features() {
    let pack = json!({
        "name": "Bully", "feature": { "name": "x", "text": "", "subfeatures": [{
            "trigger": ["N attacks N", "self", "creature"],
            "effects": [{ "target": "self", "effect": ["Grant advantage"] }],
        }] },
    });
    let hide = json!({ "name": "Hide", "feature": "burning touch", "v": [1, 1, "fire"] });
    let beast = given(&creature("Beast", 1), "traits", json!([pack, hide]));
    let found = |name: &str, of: &str| {
        let immune = passive(&json!(["Immune to feature FEATURE", name]));
        let other = given(&creature("Other", 1), "traits", json!([immune]));
        damage(json!({ "rounds": 1 }), [&beast, &other], ("Beast", of))
    };
    close(found("bully", "Strike"), 0.6);
    close(found("hide", "Strike"), 0.84);
    close(found("bully", "Hide"), 0.6);
    close(found("hide", "Hide"), 0.0);
}
