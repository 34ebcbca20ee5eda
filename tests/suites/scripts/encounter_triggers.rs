//! When features act (seed 001, "TRIGGER"), each by exact odds that follow by hand. A strike hits
//! with 0.6 for 1; dice of 1d4 are 2.5 on average.

use super::encounter_features::{exact_odds, example};
use super::encounter_rolls::{close, creature, damage, feature, given};
use dicec_games::encounter::Encounter;
use serde_json::{Value, json};

/// The damage that the beast does with its feature, and that of its strikes and of the other one's.
fn with_feature(parts: &Value, rounds: u32) -> [f64; 3] {
    let beast = given(&creature("Beast", 1), "traits", json!([feature(parts)]));
    let other = creature("Other", 1);
    [
        ("Beast", "Feature"),
        ("Beast", "Strike"),
        ("Other", "Strike"),
    ]
    .map(|of| damage_if_any(&beast, &other, rounds, of))
}

fn damage_if_any(beast: &Value, other: &Value, rounds: u32, of: (&str, &str)) -> f64 {
    damage(json!({ "rounds": rounds }), [beast, other], of)
}

fn fire() -> Value {
    json!({ "target": "creature", "effect": ["Inflict XdX TYPE damage", 1, 4, "fire"] })
}

fn burns(trigger: &Value) -> Value {
    json!([{ "trigger": trigger, "effects": [fire()] }])
}

/// Each of these does its damage once in a round, or after each hit.
#[test]
fn features_act_at_their_triggers() {
    let found = |trigger: Value| with_feature(&burns(&trigger), 1)[0];
    close(found(json!("bonus action")), 2.5);
    close(found(json!("free action")), 2.5);
    close(found(json!(["legendary action costing X", 2])), 2.5);
    close(found(json!("creature,turnend")), 2.5);
    close(found(json!("creature,turnstart")), 2.5);
    close(found(json!(["N touches N", "self", "creature"])), 0.6 * 2.5);
    close(found(json!(["N touches N", "creature", "self"])), 0.6 * 2.5);
    close(found(json!(["N hits N", "creature", "self"])), 0.6 * 2.5);
}

/// One bonus action, and all free ones; those with uses as often as they have.
#[test]
fn bonus_actions_are_one_in_a_turn_and_have_uses() {
    let part = |trigger: &str, recharge: Value| {
        let mut part = json!({ "trigger": trigger, "effects": [fire()] });
        if !recharge.is_null() {
            part["recharge"] = recharge;
        }
        part
    };
    let once = json!([1, "short rest"]);
    let found = |parts: Value, rounds: u32| with_feature(&parts, rounds)[0];
    close(
        found(
            json!([part("bonus", Value::Null), part("bonus", Value::Null)]),
            1,
        ),
        2.5,
    );
    close(
        found(
            json!([part("free", Value::Null), part("bonus", Value::Null)]),
            1,
        ),
        5.0,
    );
    close(found(json!([part("bonus", once.clone())]), 3), 2.5);
    close(found(json!([part("free", once)]), 3), 2.5);
    // It comes back on a 6 at the start of the second turn.
    close(
        found(json!([part("bonus", json!([1, "6-6"]))]), 2),
        2.5 + 2.5 / 6.0,
    );
}

/// A second strike as a bonus action, named or as an attack.
#[test]
fn bonus_actions_may_be_attacks() {
    for action in ["attack", "strike"] {
        let effect = json!([{ "target": "self", "effect": ["Take action ACTION", action] }]);
        let parts = json!([{ "trigger": "bonus action", "effects": effect }]);
        let beast = given(&creature("Beast", 1), "traits", json!([feature(&parts)]));
        let other = creature("Other", 1);
        let rules = json!({ "rounds": 1 });
        close(damage(rules, [&beast, &other], ("Beast", "Strike")), 1.2);
    }
}

/// Somebody who could do nothing but what its feature never lets it do in this fight has no turns,
/// and the others fight all the same.
#[test]
fn bonus_actions_that_never_happen_leave_no_turn() {
    let never = json!([{ "trigger": "bonus", "condition": "PETRIFIED", "effects": [fire()] }]);
    let statue = given(&creature("Statue", 1), "actions", json!([]));
    let statue = given(&statue, "traits", json!([feature(&never)]));
    let found = damage_if_any(&statue, &creature("Other", 1), 2, ("Other", "Strike"));
    close(found, 1.2);
}

/// A spell against which the beast saves with a bonus of 2: it does nothing in its second turn if
/// that fails. The number is that of the stat block, or 8 with proficiency and the best of
/// Intelligence, Wisdom and Charisma.
#[test]
fn spells_have_effects_on_those_who_do_not_bear_them() {
    let struck = |spell: &str, spellcasting: Value| {
        let example = example("spell_bound");
        let mut beast = creature("Beast", 1);
        beast["CON"] = 14.into();
        beast["traits"] = json!([{ "name": "Feature", "feature": example }]);
        let mut other = creature("Other", 1);
        other["WIS"] = 14.into();
        other["spellcasting"] = spellcasting;
        let actions = other["actions"].as_array_mut().expect("a list");
        actions.push(json!({ "name": spell, "spell": true, "usage": { "per day": 1 } }));
        damage(
            json!({ "rounds": 2 }),
            [&beast, &other],
            ("Beast", "Strike"),
        )
    };
    let acts = |dc: f64| (21.0 - (dc - 2.0)) / 20.0;
    close(struck("Dispel Magic", Value::Null), 0.6 + 0.6 * acts(12.0));
    close(
        struck("Dispel Magic", json!({ "dc": 15 })),
        0.6 + 0.6 * acts(15.0),
    );
    close(struck("Light", Value::Null), 1.2);
}

/// Attack rolls that hit or miss by a rule: a 20 still doubles the dice.
#[test]
fn attack_rolls_hit_and_miss_by_class() {
    let struck = |rule: &str, trigger: Value, target: &str| {
        let effect = json!([format!("{rule} on rolls ROLL_CLASS"), "attack rolls"]);
        let effects = json!([{ "target": target, "effect": effect }]);
        with_feature(
            &json!([{ "trigger": trigger, "effects": effects }, burns(&json!("free"))[0]]),
            1,
        )
    };
    close(
        struck("Automatic succeed", json!(["passive"]), "self")[1],
        1.0,
    );
    close(struck("Automatic fail", json!(["passive"]), "self")[1], 0.0);
    let attacked = json!(["N attacks N", "creature", "self"]);
    close(
        struck("Automatic fail", attacked.clone(), "creature")[2],
        0.0,
    );
    close(struck("Automatic succeed", attacked, "creature")[2], 1.0);
}

/// Those who save against the beast have disadvantage: 11 of 20 faces fail against 12.
#[test]
fn saves_against_somebody_may_have_disadvantage() {
    let burns = json!({
        "trigger": "free",
        "effects": [{
            "target": "creature",
            "effect": ["Inflict XdX TYPE damage, dc X ABILITY save halves", 1, 1, "fire", 12, "wisdom"],
        }],
    });
    let forces = |effect: &str| {
        json!({
            "trigger": ["N forces N to save", "self", "creature"],
            "effects": [{ "target": "creature", "effect": [effect] }],
        })
    };
    let fails: f64 = 11.0 / 20.0;
    // Half of 1 is 0.
    close(with_feature(&json!([burns]), 1)[0], fails);
    let hindered = 1.0 - (1.0 - fails).powi(2);
    close(
        with_feature(&json!([burns, forces("Impose disadvantage")]), 1)[0],
        hindered,
    );
    close(
        with_feature(&json!([burns, forces("Grant advantage")]), 1)[0],
        fails * fails,
    );
}

/// SRD 5.1, Flesh Golem: hurt enough, it goes berserk on a 6 of a d6, and strikes whoever is listed
/// first instead of the weakest.
#[test]
fn a_golem_goes_berserk_on_a_six() {
    let mut golem = creature("Golem", 1);
    let begins = json!([{
        "trigger": "self,turnstart", "conditions": ["HP,40,<=", "self,d6,roll,6,>="],
        "effects": [{ "target": "self", "effect": ["Set N = N", "BERSERK", 1] }],
    }]);
    golem["traits"] = json!([feature(&begins)]);
    let mut weak = creature("Weak", 1);
    weak["hp"] = 5.into();
    let document = json!({
        "initiative": "listed", "rounds": 1,
        "sides": [
            { "creatures": [{ "creature": golem }] },
            { "creatures": [{ "creature": creature("Strong", 1) }, { "creature": weak }] },
        ],
    });
    let answer = exact_odds(&Encounter::read(&document).expect("it is an encounter"));
    let mut stats = answer.stats.iter();
    let weak = stats
        .find(|stat| stat.name == "Weak: hit points")
        .expect("it is noted");
    let left = weak.odds.as_ref().expect("they are exact").mean();
    close(left, 5.0 - 0.6 * 5.0 / 6.0);
}

/// Where distances count, a feature acts after each move: the beast comes from 30 feet away, and
/// the quake reaches whom it stands next to; nobody else has moved. If the other one comes, the
/// briars of the beast hurt it.
#[test]
fn features_act_after_moves() {
    let quake = json!([{
        "trigger": "self,moves",
        "effects": [{
            "target": "creatures", "effect conditions": ["creature,self,distance,10,<="],
            "effect": ["Inflict XdX TYPE damage", 1, 4, "thunder"],
        }],
    }]);
    let briars = json!([{
        "trigger": ["N moves", "creature"], "condition": "creature,self,distance,10,<=",
        "effects": [fire()],
    }]);
    let other = creature("Other", 1);
    let found = |parts: &Value, is_first: bool, distance: u32| {
        let beast = given(&creature("Beast", 1), "traits", json!([feature(parts)]));
        let two = match is_first {
            true => [&beast, &other],
            false => [&other, &beast],
        };
        let rules = json!({ "rounds": 1, "distance": distance });
        damage(rules, two, ("Beast", "Feature"))
    };
    close(found(&quake, true, 30), 2.5);
    close(found(&quake, false, 30), 0.0);
    close(found(&briars, false, 30), 2.5);
    close(found(&briars, true, 30), 0.0);
    // Still too far away after it has moved.
    close(found(&briars, false, 100), 0.0);
    // Those who stand next to each other stay there.
    close(found(&quake, true, 5), 0.0);
}
