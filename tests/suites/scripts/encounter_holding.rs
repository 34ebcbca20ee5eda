//! Holding in encounters (SRD 5.1, "Conditions: Grappled, Restrained"), with exact odds that are
//! worked out by hand.

use crate::encounter_features::{damage_of, exact_odds};
use dicec_games::encounter::{Bestiary, Encounter, Plan};
use serde_json::{Value, json};
use std::slice::from_ref;

/// What a face of 9 or more comes to: a bonus of 3 against an armour class of 12.
const HIT: f64 = 12.0 / 20.0;

/// The average damage of an attack with 1d4, which a 20 doubles.
const STRIKE: f64 = 2.5 * HIT + 2.5 / 20.0;

/// The same with advantage, and with disadvantage.
const WITH_ADVANTAGE: f64 = 2.5 * (1.0 - (1.0 - HIT) * (1.0 - HIT)) + 2.5 * 39.0 / 400.0;
const HINDERED: f64 = 2.5 * HIT * HIT + 2.5 / 400.0;

/// Somebody with an attack and many hit points. Its checks to escape add 3.
fn block(name: &str, hp: i64, grapples: &Value) -> Value {
    let mut strike = json!({
        "name": "Strike", "kind": "melee", "bonus": 3,
        "damage": [{ "dice": "1d4", "type": "piercing" }],
    });
    if grapples.is_object() {
        strike["grapples"] = grapples.clone();
    }
    json!({
        "name": name, "ac": 12, "hp": hp, "STR": 16, "speed": 30, "actions": [strike],
    })
}

/// What restrains those who are hit until they roll an 11 or more.
fn coils() -> Value {
    json!({ "escape dc": 14, "restrains": true })
}

fn encounter(rounds: u32, one: &Value, other: &Value) -> Encounter {
    let document = json!({ "initiative": "listed", "rounds": rounds, "sides": [one, other] });
    Encounter::read(&document).expect("it is an encounter")
}

/// The damage that `who` does with its strikes, where these are the creatures of the sides.
fn damage(who: &str, rounds: u32, escape: &str, ones: &[Value], others: &[Value]) -> f64 {
    let listed = |blocks: &[Value]| {
        let groups = blocks.iter().map(|block| json!({ "creature": block }));
        groups.collect::<Vec<Value>>()
    };
    let one = json!({ "creatures": listed(ones) });
    let other = json!({ "creatures": listed(others), "escape": escape });
    damage_of(who, &exact_odds(&encounter(rounds, &one, &other)), "Strike")
}

fn is_near(value: f64, expected: f64, what: &str) {
    assert!(
        (value - expected).abs() < 1e-9,
        "{what}: {value}, not {expected}"
    );
}

/// Whoever is restrained attacks with disadvantage, and is attacked with advantage, for as long as
/// it is held.
#[test]
fn those_who_are_restrained_are_hindered_and_exposed() {
    let holder = block("Holder", 90, &coils());
    let other = block("Other", 90, &json!(null));
    let fight = |who: &str, rounds: u32, escape: &str| {
        damage(who, rounds, escape, from_ref(&holder), from_ref(&other))
    };
    let never = (1.0 - HIT) * STRIKE + HIT * HINDERED;
    is_near(fight("Other", 1, "never"), never, "hindered");
    // It uses its action to escape, so that it attacks only if it is not held.
    let escaping = (1.0 - HIT) * STRIKE;
    is_near(fight("Other", 1, "restrained"), escaping, "escaping");
    is_near(fight("Other", 1, "always"), escaping, "escaping always");
    is_near(fight("Other", 1, "stuck"), never, "everybody is in reach");
    let held = STRIKE + HIT * WITH_ADVANTAGE + (1.0 - HIT) * STRIKE;
    is_near(fight("Holder", 2, "never"), held, "exposed");
    // Half of all attempts succeed.
    let free = STRIKE + HIT / 2.0 * WITH_ADVANTAGE + (1.0 - HIT / 2.0) * STRIKE;
    is_near(fight("Holder", 2, "restrained"), free, "exposed or free");
}

/// 11 of 20 faces reach 14 with the skill of 4 that a stat block states; two dice have to if the
/// checks are hindered, or if somebody is poisoned.
#[test]
fn checks_to_escape_use_skills_and_may_be_hindered() {
    let fight = |grapples: &Value, skills: Value| {
        let mut other = block("Other", 90, &json!(null));
        other["skills"] = skills;
        damage(
            "Holder",
            2,
            "restrained",
            &[block("Holder", 90, grapples)],
            &[other],
        )
    };
    let expected = |chance: f64| {
        let held = HIT * (1.0 - chance);
        STRIKE + held * WITH_ADVANTAGE + (1.0 - held) * STRIKE
    };
    is_near(
        fight(&coils(), json!({ "acrobatics": 4 })),
        expected(0.55),
        "a skill",
    );
    is_near(
        fight(&coils(), json!({ "athletics": 1 })),
        expected(0.4),
        "a lower skill",
    );
    let mut sticky = coils();
    sticky["hinders escape"] = true.into();
    is_near(fight(&sticky, json!({})), expected(0.25), "hindered");
}

/// Somebody who only is grappled attacks as well as before, and does not try to escape.
#[test]
fn to_be_grappled_alone_hinders_nobody() {
    let holder = block("Holder", 90, &json!({ "escape dc": 14 }));
    let other = block("Other", 90, &json!(null));
    for (escape, expected) in [("restrained", STRIKE), ("always", (1.0 - HIT) * STRIKE)] {
        let dealt = damage("Other", 1, escape, from_ref(&holder), from_ref(&other));
        is_near(dealt, expected, escape);
    }
}

/// Those who are too large, and those who are immune, are not held or not restrained.
#[test]
fn some_cannot_be_held() {
    let mut grapples = coils();
    grapples["max size"] = "medium".into();
    let holder = block("Holder", 90, &grapples);
    let fight = |member: &str, value: Value| {
        let mut other = block("Other", 90, &json!(null));
        other[member] = value;
        damage("Other", 1, "never", from_ref(&holder), &[other])
    };
    let held = (1.0 - HIT) * STRIKE + HIT * HINDERED;
    is_near(fight("size", json!("Large")), STRIKE, "large");
    is_near(fight("size", json!(10)), STRIKE, "10 feet");
    is_near(fight("size", json!(2.5)), held, "tiny");
    is_near(
        fight("condition immune", json!(["grappled"])),
        STRIKE,
        "not held",
    );
    is_near(
        fight("condition immune", json!(["restrained"])),
        STRIKE,
        "not restrained",
    );
    is_near(fight("condition immune", json!(["charmed"])), held, "both");
}

/// A friend fells the holder, or stuns it, before the one who is held attacks.
#[test]
fn a_grapple_ends_with_its_holder() {
    let holder = |hp| block("Holder", hp, &coils());
    let other = block("Other", 80, &json!(null));
    let mut friend = block("Friend", 90, &json!(null));
    friend["actions"][0]["bonus"] = 99.into();
    // All faces but a 1 fell the holder; the other enemy is attacked then.
    let dummy = json!({ "name": "Dummy", "ac": 12, "hp": 90 });
    let dealt = damage(
        "Other",
        1,
        "never",
        &[holder(1), dummy],
        &[friend.clone(), other.clone()],
    );
    let expected = (1.0 - HIT) * STRIKE + HIT * (0.95 * STRIKE + 0.05 * HINDERED);
    is_near(dealt, expected, "a fallen holder");
    // Attacks on the stunned have advantage.
    friend["actions"] = json!([{
        "name": "Word",
        "save": { "ability": "WIS", "dc": 40, "on success": "none", "conditions": ["stunned"] },
    }]);
    let dealt = damage("Other", 1, "never", &[holder(85)], &[friend, other]);
    is_near(dealt, WITH_ADVANTAGE, "a stunned holder");
}

/// In turn two enemies are attacked: the first one takes no damage, the second one strikes back.
fn in_turn(who: &str, grapples: &Value) -> f64 {
    let mut still = json!({ "name": "Still", "ac": 12, "hp": 90 });
    still["immune"] = json!(["piercing"]);
    let others = json!([{ "creature": still }, { "creature": block("Other", 90, &json!(null)) }]);
    let one = json!({
        "creatures": [{ "creature": block("Holder", 90, grapples) }], "targets": "spread",
    });
    let other = json!({ "creatures": others, "escape": "never" });
    damage_of(who, &exact_odds(&encounter(2, &one, &other)), "Strike")
}

/// What holds one at a time holds no second one, and is made on nobody else if its stat block says
/// so.
#[test]
fn a_holder_holds_as_many_as_it_can() {
    let with = |member: &str, value: Value| {
        let mut grapples = coils();
        grapples[member] = value;
        grapples
    };
    is_near(in_turn("Holder", &coils()), STRIKE, "attacks both");
    let only = with("only held", true.into());
    is_near(
        in_turn("Holder", &only),
        (1.0 - HIT) * STRIKE,
        "attacks the one that it holds",
    );
    let second = |held: f64| STRIKE + held * HINDERED + (1.0 - held) * STRIKE;
    is_near(
        in_turn("Other", &coils()),
        second((1.0 - HIT) * HIT),
        "holds one",
    );
    is_near(
        in_turn("Other", &only),
        second((1.0 - HIT) * HIT),
        "holds one, only",
    );
    is_near(
        in_turn("Other", &with("holds", 2.into())),
        second(HIT),
        "holds two",
    );
}

/// Advantage on the one that is held, without its being restrained, and damage in each of its
/// turns.
#[test]
fn a_grip_may_help_and_hurt() {
    let fight = |grapples: Value, rounds: u32| {
        let holder = block("Holder", 90, &grapples);
        let other = block("Other", 90, &json!(null));
        damage("Holder", rounds, "never", &[holder], &[other])
    };
    let advantage = json!({ "escape dc": 14, "advantage": true });
    let expected = STRIKE + HIT * WITH_ADVANTAGE + (1.0 - HIT) * STRIKE;
    is_near(fight(advantage, 2), expected, "advantage");
    let crush = json!({ "escape dc": 14, "damage": [{ "dice": "3", "type": "cold" }] });
    is_near(fight(crush, 1), STRIKE + HIT * 3.0, "damage");
}

/// Nobody makes a save of 40.
#[test]
fn those_who_fail_a_save_may_be_held() {
    let mut holder = block("Holder", 90, &json!(null));
    holder["actions"] = json!([{
        "name": "Whelm", "grapples": coils(),
        "save": {
            "ability": "STR", "dc": 40, "on success": "none",
            "conditions": ["grappled", "restrained"],
        },
    }]);
    let other = block("Other", 90, &json!(null));
    let dealt = damage("Other", 2, "never", &[holder], &[other]);
    is_near(dealt, 2.0 * HINDERED, "held for both rounds");
}

/// With positions: sides with one or two creatures each.
fn placed(
    rounds: u32,
    escape: &str,
    ones: &[(Value, [i64; 2])],
    others: &[(Value, [i64; 2])],
) -> f64 {
    let listed = |blocks: &[(Value, [i64; 2])]| {
        let groups = blocks.iter();
        let groups = groups.map(|(block, at)| json!({ "creature": block, "at": [at] }));
        groups.collect::<Vec<Value>>()
    };
    let one = json!({ "creatures": listed(ones) });
    let other = json!({ "creatures": listed(others), "escape": escape });
    damage_of(
        "Other",
        &exact_odds(&encounter(rounds, &one, &other)),
        "Strike",
    )
}

/// A tendril holds somebody 30 feet away, who cannot come closer; once free, it does.
#[test]
fn those_who_are_held_do_not_move() {
    let mut holder = block("Holder", 90, &json!({ "escape dc": 14 }));
    holder["actions"][0]["reach"] = 30.into();
    let other = block("Other", 90, &json!(null));
    let fight = |rounds: u32, escape: &str| {
        let (ones, others) = ([(holder.clone(), [0, 0])], [(other.clone(), [30, 0])]);
        placed(rounds, escape, &ones, &others)
    };
    is_near(fight(1, "never"), (1.0 - HIT) * STRIKE, "one round");
    is_near(
        fight(1, "stuck"),
        (1.0 - HIT) * STRIKE,
        "an attempt takes the action",
    );
    // Whoever came close attacks in the second round, held again or not.
    is_near(fight(2, "never"), (1.0 - HIT) * 2.0 * STRIKE, "two rounds");
    let expected = (1.0 - HIT) * 2.0 * STRIKE + HIT / 2.0 * STRIKE;
    for escape in ["stuck", "restrained", "always"] {
        // Who always escapes tries to in the second round, too, if it is held again.
        let again = if escape == "always" {
            let close = (1.0 - HIT) * STRIKE * (1.0 - HIT) + HIT / 2.0 * STRIKE * (1.0 - HIT);
            (1.0 - HIT) * STRIKE + close
        } else {
            expected
        };
        is_near(fight(2, escape), again, escape);
    }
}

/// A friend whose hits push 10 feet away stands on the other side of the one who is held.
#[test]
fn a_push_may_end_a_grapple() {
    let holder = block("Holder", 90, &coils());
    let other = block("Other", 80, &json!(null));
    let mut friend = block("Friend", 90, &json!(null));
    friend["actions"][0]["reach"] = 10.into();
    let fight = |pushes: bool| {
        let mut friend = friend.clone();
        let effect = json!(["Pushed X feet in DIRECTION direction", 10, "away"]);
        let feature = json!({
            "name": "blow", "text": "",
            "subfeatures": [{
                "trigger": ["N hits N", "self", "creature"],
                "effects": [{ "target": "creature", "effect": effect }],
            }],
        });
        if pushes {
            friend["traits"] = json!([{ "name": "Blow", "feature": feature }]);
        }
        placed(
            1,
            "never",
            &[(holder.clone(), [5, 0])],
            &[(friend, [-5, 0]), (other.clone(), [0, 0])],
        )
    };
    let held = (1.0 - HIT) * STRIKE + HIT * HINDERED;
    is_near(fight(false), held, "no push");
    let freed = (1.0 - HIT) * STRIKE + HIT * (HIT * STRIKE + (1.0 - HIT) * HINDERED);
    is_near(fight(true), freed, "a push");
}

#[test]
fn wrong_grapples_are_named() {
    for (grapples, expected) in [
        (
            json!({ "restrains": true }),
            "`$.sides[0].creatures[0].creature.actions[0].grapples` needs a member \
             `escape dc`",
        ),
        (
            json!({ "escape dc": 14, "holds": 0 }),
            "`Holder: $.actions[0].grapples.holds` is 0, not in 1 to 100",
        ),
        (
            json!({ "escape dc": 14, "holds": 2, "only held": true }),
            "`Holder: $.actions[0].grapples.only held` is of an attack that holds several",
        ),
        (
            json!({ "escape dc": 14, "max size": "vast" }),
            "`$.sides[0].creatures[0].creature.actions[0].grapples.max size` is wrong: \
             a size is a number of feet, or a word such as `large`",
        ),
    ] {
        let holder = block("Holder", 90, &grapples);
        let one = json!({ "creatures": [{ "creature": holder }] });
        let other = json!({ "creatures": [{ "creature": "Goblin" }] });
        let wrong = Plan::new(&encounter(1, &one, &other), &Bestiary::srd());
        let wrong = wrong.expect_err("it is wrong").to_string();
        assert!(wrong.starts_with(expected), "{wrong}");
    }
}
