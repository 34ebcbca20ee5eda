//! Policies of encounters that are functions of a script, and sides that flee.

use crate::encounter_features::exact_odds;
use dicec_compiler::answer::Answer;
use dicec_games::encounter::{Bestiary, Encounter, Plan};
use serde_json::{Value, json};

/// Functions that do what policies do that are known by their names.
const FUNCTIONS: &str = "
    deffun toughest(self: creature, friends: creature list, foes: creature list) : creature {
        return most(c by c.hp for c : foes);
    }
    deffun hurtMost(self: creature, friends: creature list, foes: creature list) : creature {
        return least(c by c.hp - c.most for c : foes);
    }
    deffun never(self: creature, friends: creature list, foes: creature list) : bool {
        return len(friends) == 0;
    }
";

/// Somebody who hits unless its die shows a 1.
fn block(name: &str, hp: i64, dice: &str) -> Value {
    let damage = json!([{ "dice": dice, "type": "fire" }]);
    let burst = json!({
        "name": "Burst", "damage": damage.clone(), "usage": { "per day": 1 },
        "save": { "ability": "DEX", "dc": 15, "on success": "none" },
    });
    let strike = json!({ "name": "Strike", "kind": "melee", "bonus": 99, "damage": damage });
    json!({ "name": name, "ac": 12, "hp": hp, "actions": [strike, burst] })
}

/// Two against two, with members of the first side and of the whole.
fn encounter(first: &Value, whole: &Value) -> Encounter {
    let creatures = |names: [&str; 2]| {
        let one = json!({ "creature": block(names[0], 5, "1d2") });
        json!([one, { "creature": block(names[1], 6, "1d3") }])
    };
    let mut document = json!({
        "initiative": "listed", "rounds": 2, "functions": FUNCTIONS,
        "sides": [
            { "creatures": creatures(["One", "Two"]) },
            { "creatures": creatures(["Three", "Four"]) },
        ],
    });
    for (to, members) in [(&["sides", "0"][..], first), (&[][..], whole)] {
        let mut place = &mut document;
        for name in to {
            place = match name.parse::<usize>() {
                Ok(index) => &mut place[index],
                Err(_) => &mut place[*name],
            };
        }
        for (name, value) in members.as_object().expect("members") {
            place[name] = value.clone();
        }
    }
    Encounter::read(&document).expect("it is an encounter")
}

fn odds(first: &Value, whole: &Value) -> Vec<(String, f64)> {
    numbers(&exact_odds(&encounter(first, whole)))
}

/// The means of all statistics.
fn numbers(answer: &Answer) -> Vec<(String, f64)> {
    let stats = answer.stats.iter();
    let mean = |stat: &dicec_compiler::answer::Statistic| {
        stat.per_trial * stat.odds.as_ref().map_or(0.0, |odds| odds.mean())
    };
    let mut all: Vec<(String, f64)> = stats.map(|stat| (stat.name.clone(), mean(stat))).collect();
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

fn same(one: &[(String, f64)], other: &[(String, f64)]) -> bool {
    let mut pairs = one.iter().zip(other);
    one.len() == other.len() && pairs.all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-9)
}

#[test]
fn functions_choose_as_the_policies_that_they_are_written_like() {
    for distance in [json!({}), json!({ "distance": 10 })] {
        let by = |targets: Value| odds(&json!({ "targets": targets }), &distance);
        let strongest = by(json!("strongest"));
        assert!(same(&by(json!({ "function": "toughest" })), &strongest));
        assert!(!same(&by(json!("weakest")), &strongest));
        // What is hurt most is another question: `most` is what an unhurt creature has.
        assert!(!same(&by(json!({ "function": "hurtMost" })), &strongest));
        let limited = |limited: Value| odds(&json!({ "limited": limited }), &distance);
        let never = limited(json!("never"));
        let function = limited(json!({ "function": "never" }));
        let common: Vec<_> = function
            .into_iter()
            .filter(|(name, _)| {
                !name.ends_with("One: damage, Burst") && !name.ends_with("Two: damage, Burst")
            })
            .collect();
        assert!(same(&common, &never));
        assert!(!same(&limited(json!("always")), &never));
    }
}

/// One of two with a hit point each falls to a hit, which fails on a 1: then the other one flees.
#[test]
fn sides_flee_after_their_losses() {
    let lost = |flees: &str, count: u32| {
        let weak = block("Weak", 1, "1");
        let document = json!({
            "initiative": "listed", "rounds": 1, "sides": [
                { "creatures": [{ "creature": block("Strong", 90, "5") }], "limited": "never" },
                { "creatures": [{ "creature": weak, "count": count }], "flees": flees },
            ],
        });
        let encounter = Encounter::read(&document).expect("it is an encounter");
        let answer = exact_odds(&encounter);
        let result = answer.result.as_ref().expect("somebody wins, or nobody");
        let mut outcomes = result.outcomes().into_iter();
        let first = outcomes.find(|one| result.name(one.value) == Some("first"));
        first.map_or(0.0, |one| one.p)
    };
    for (flees, count, expected) in [
        ("never", 2, 0.0),
        ("first", 2, 0.95),
        ("half", 2, 0.95),
        ("half", 3, 0.0),
        ("first", 3, 0.95),
    ] {
        let p = lost(flees, count);
        assert!((p - expected).abs() < 1e-9, "{flees} {count}: {p}");
    }
}

#[test]
fn wrong_functions_are_named() {
    for (targets, expected) in [
        (
            json!({ "function": "toughst" }),
            "`$.sides[0].targets` names the function `toughst`, which `functions` does not have",
        ),
        (
            json!({ "funktion": "toughest" }),
            "`$.sides[0].targets` is wrong: a policy is a name, or `{ \"function\": NAME }`",
        ),
    ] {
        let document = json!({
            "functions": FUNCTIONS,
            "sides": [
                { "creatures": [{ "creature": "Goblin" }], "targets": targets },
                { "creatures": [{ "creature": "Goblin" }] },
            ],
        });
        let wrong = Encounter::read(&document)
            .and_then(|encounter| Plan::new(&encounter, &Bestiary::srd()))
            .expect_err("it is wrong");
        assert_eq!(wrong.to_string(), expected);
    }
}
