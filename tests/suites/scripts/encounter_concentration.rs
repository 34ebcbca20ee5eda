//! Concentration in encounters (SRD 5.1, "Casting a Spell: Duration"): what generated encounters
//! get of it, and odds that are worked out by hand.

use crate::encounter_features::{damage_of, exact_odds};
use arbitrary::{Result, Unstructured};
use dicec_games::encounter::{Bestiary, Encounter, Plan};
use dicec_tests::encounter::Side;
use serde_json::{Value, json};

/// Gives some of the creatures actions with saves, most of which need concentration.
pub(super) fn cast(source: &mut Unstructured<'_>, sides: &mut [Side; 2]) -> Result<()> {
    let kinds = sides.iter_mut().flat_map(|side| &mut side.kinds);
    for (block, ..) in kinds {
        for number in 0..source.int_in_range(0..=2)? {
            let spell = spell(source, number)?;
            if let Some(actions) = block["actions"].as_array_mut() {
                actions.push(spell);
            }
        }
    }
    Ok(())
}

fn spell(source: &mut Unstructured<'_>, number: u32) -> Result<Value> {
    let conditions = [
        json!(["poisoned"]),
        json!(["paralyzed"]),
        json!(["restrained", "blinded"]),
        json!(["frightened"]),
        json!(["prone"]),
    ];
    let mut save = json!({
        "ability": source.choose(&["STR", "DEX", "CON", "WIS"])?,
        "dc": source.int_in_range(10..=18)?,
        "on success": source.choose(&["none", "half"])?,
        "conditions": source.choose(&conditions)?,
        "lasts": "for 1 minute",
    });
    if source.ratio(1, 3)? {
        save["damage"] = json!([{ "dice": "2d6", "type": "psychic" }]);
    }
    if source.ratio(1, 2)? {
        save["repeats"] = "end of turn".into();
    }
    let usages = [json!({ "per day": 3 }), json!({ "recharge": "4-6" })];
    let mut action = json!({
        "name": format!("Hex {number}"), "spell": true, "save": save,
        "usage": source.choose(&usages)?, "concentration": source.ratio(3, 4)?,
    });
    if source.ratio(1, 3)? {
        let shape = source.choose(&["radius", "cone"])?;
        action["area"] = json!({ "shape": shape, "feet": 30 });
    }
    Ok(action)
}

/// What a face of 9 or more comes to: a bonus of 3 against an armour class of 12.
const HIT: f64 = 12.0 / 20.0;

/// The average damage of an attack with 1d4, which a 20 doubles; with advantage, and with
/// disadvantage.
const STRIKE: f64 = 2.5 * HIT + 2.5 / 20.0;
const WITH_ADVANTAGE: f64 = 2.5 * (1.0 - (1.0 - HIT) * (1.0 - HIT)) + 2.5 * 39.0 / 400.0;
const HINDERED: f64 = 2.5 * HIT * HIT + 2.5 / 400.0;

/// Somebody who poisons another for a minute, as nobody makes a save of 40.
fn caster(name: &str, members: &Value) -> Value {
    let mut action = json!({
        "name": "Mist", "spell": true, "concentration": true, "usage": { "per day": 1 },
        "save": {
            "ability": "CON", "dc": 40, "on success": "none", "conditions": ["poisoned"],
            "lasts": "for 1 minute",
        },
    });
    for (member, value) in members.as_object().expect("members") {
        action[member] = value.clone();
    }
    json!({ "name": name, "ac": 12, "hp": 900, "actions": [action] })
}

/// Somebody who strikes.
fn striker(name: &str, hp: i64, dice: &str) -> Value {
    let strike = json!({
        "name": "Strike", "kind": "melee", "bonus": 3,
        "damage": [{ "dice": dice, "type": "piercing" }],
    });
    json!({ "name": name, "ac": 12, "hp": hp, "actions": [strike] })
}

fn encounter(rounds: u32, ones: &[Value], others: &[Value]) -> Encounter {
    let side = |blocks: &[Value]| {
        let groups = blocks.iter().map(|block| json!({ "creature": block }));
        json!({ "creatures": groups.collect::<Vec<Value>>() })
    };
    let sides = json!([side(ones), side(others)]);
    let document = json!({ "initiative": "listed", "rounds": rounds, "sides": sides });
    Encounter::read(&document).expect("it is an encounter")
}

/// The damage that the one who is called Other does.
fn struck(rounds: u32, ones: &[Value], others: &[Value]) -> f64 {
    damage_of(
        "Other",
        &exact_odds(&encounter(rounds, ones, others)),
        "Strike",
    )
}

fn is_near(value: f64, expected: f64, what: &str) {
    assert!(
        (value - expected).abs() < 1e-9,
        "{what}: {value}, not {expected}"
    );
}

/// A hit in the first round ends it if the caster does not roll 10, or half of 40, with a bonus of
/// 0.
#[test]
fn damage_may_end_a_concentration() {
    let others = [striker("Other", 90, "1d4")];
    let lasting = caster("Caster", &json!({ "concentration": false }));
    is_near(
        struck(2, &[lasting], &others),
        2.0 * HINDERED,
        "without concentration",
    );
    let mut caster = caster("Caster", &json!({}));
    let after = |lost: f64| HINDERED + (1.0 - lost) * HINDERED + lost * STRIKE;
    let hit = HIT * HIT;
    let usual = struck(2, std::slice::from_ref(&caster), &others);
    is_near(usual, after(hit * 9.0 / 20.0), "10");
    let heavy = struck(
        2,
        std::slice::from_ref(&caster),
        &[striker("Other", 90, "40")],
    );
    let lost = hit * 19.0 / 20.0;
    is_near(heavy, 40.0 * (hit + (1.0 - lost) * hit + lost * HIT), "20");
    caster["saves"] = json!({ "CON": 9 });
    is_near(struck(2, &[caster], &others), 2.0 * HINDERED, "never lost");
}

/// A friend fells the caster, or stuns it, before the one who is poisoned attacks.
#[test]
fn a_concentration_ends_with_its_caster() {
    let others = |friend: Value| [friend, striker("Other", 80, "1d4")];
    let mut weak = caster("Caster", &json!({}));
    weak["hp"] = 1.into();
    let mut friend = striker("Friend", 90, "1d4");
    friend["actions"][0]["bonus"] = 99.into();
    let dummy = json!({ "name": "Dummy", "ac": 12, "hp": 900 });
    let felled = struck(1, &[weak, dummy], &others(friend.clone()));
    is_near(felled, 0.95 * STRIKE + 0.05 * HINDERED, "a fallen caster");
    friend["actions"] = json!([{
        "name": "Word",
        "save": { "ability": "WIS", "dc": 40, "on success": "none", "conditions": ["stunned"] },
    }]);
    let stunned = struck(1, &[caster("Caster", &json!({}))], &others(friend));
    is_near(stunned, WITH_ADVANTAGE, "a stunned caster");
}

/// Of two casters of a kind the later one is the cause: the first one is attacked, and what it
/// loses is nothing any more.
#[test]
fn the_later_of_two_casters_is_the_cause() {
    let caster = caster("Caster", &json!({}));
    let twice = json!([{ "creature": caster, "count": 2 }]);
    let other = json!([{ "creature": striker("Other", 90, "1d4") }]);
    let sides = json!([{ "creatures": twice }, { "creatures": other }]);
    let document = json!({ "initiative": "listed", "rounds": 2, "sides": sides });
    let encounter = Encounter::read(&document).expect("it is an encounter");
    let struck = damage_of("Other", &exact_odds(&encounter), "Strike");
    is_near(struck, 2.0 * HINDERED, "two casters");
}

/// Nobody uses what needs concentration while it concentrates: 3 damage each time.
#[test]
fn a_creature_concentrates_on_one_thing() {
    let cast = |lasts: Value, names: &[&str], uses: u32| {
        let mut block = caster("Caster", &json!({}));
        let action = block["actions"][0].clone();
        let of = |name: &&str| {
            let mut action = action.clone();
            action["name"] = (*name).into();
            action["usage"] = json!({ "per day": uses });
            action["save"]["lasts"] = lasts.clone();
            action["save"]["damage"] = json!([{ "dice": "3", "type": "cold" }]);
            action
        };
        block["actions"] = names.iter().map(of).collect();
        let still = json!({ "name": "Still", "ac": 12, "hp": 90 });
        let answer = exact_odds(&encounter(3, &[block], &[still]));
        let damage = names.iter().map(|name| damage_of("Caster", &answer, name));
        damage.sum::<f64>()
    };
    let minute = json!("for 1 minute");
    is_near(cast(minute.clone(), &["Mist"], 3), 3.0, "a minute");
    is_near(
        cast(minute, &["Mist", "Fog"], 1),
        3.0,
        "a minute of one of two",
    );
    is_near(cast(json!(null), &["Mist"], 3), 9.0, "a turn");
    is_near(cast(json!(null), &["Mist", "Fog"], 1), 6.0, "a turn each");
}

/// Half of the damage of a spell, rounded down, as an archmage takes it.
#[test]
fn some_resist_damage_from_spells() {
    let taken = |is_spell: bool| {
        let mut block = caster("Caster", &json!({ "spell": is_spell }));
        block["actions"][0]["save"]["damage"] = json!([{ "dice": "5", "type": "cold" }]);
        let resists = ["damage from spells"];
        let still = json!({ "name": "Still", "ac": 12, "hp": 90, "resists": resists });
        damage_of(
            "Caster",
            &exact_odds(&encounter(1, &[block], &[still])),
            "Mist",
        )
    };
    is_near(taken(true), 2.0, "a spell");
    is_near(taken(false), 5.0, "something else");
}

#[test]
fn what_nobody_can_concentrate_on_is_named() {
    let planned = |members: &Value| {
        let block = caster("Caster", members);
        let encounter = encounter(1, &[block], &[striker("Other", 90, "1d4")]);
        Plan::new(&encounter, &Bestiary::srd())
    };
    let expected = "`Caster: $.actions[0].concentration` is of an action that causes no conditions \
                    by a save and helps nobody";
    let attack = json!({ "bonus": 4, "damage": [{ "dice": "1d6", "type": "fire" }] });
    let heals = json!({ "heals": "1d4", "save": null });
    for members in [attack, heals] {
        let wrong = planned(&members).expect_err("it is wrong").to_string();
        assert_eq!(wrong, expected);
    }
    let storm = json!({
        "save": {
            "ability": "DEX", "dc": 13, "on success": "half",
            "damage": [{ "dice": "3d10", "type": "lightning" }],
        },
    });
    let plan = planned(&storm).expect("it is an encounter");
    let missing: Vec<&str> = plan
        .missing()
        .flat_map(|(_, all)| all)
        .map(String::as_str)
        .collect();
    assert_eq!(missing, ["Mist (concentration)"]);
}
