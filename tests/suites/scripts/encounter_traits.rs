//! Traits as features (seed 001): what is recognised by its form does the same under any name and
//! with any numbers.

use super::encounter_features::{damage_of, exact_odds};
use dicec_compiler::answer::Answer;
use dicec_games::encounter::{Bestiary, Encounter, Plan};
use serde_json::{Value, json};

/// A creature of armour class 12 that hits an armour class of 12 with 12 of 20 faces.
fn creature(name: &str, hp: i64, dice: &str, strikes: u32) -> Value {
    json!({
        "name": name, "ac": 12, "hp": hp, "CON": 14,
        "actions": [
            { "name": "Multiattack", "multiattack": [{ "action": "Strike", "count": strikes }] },
            { "name": "Strike", "bonus": 3, "kind": "melee", "damage": [{ "dice": dice, "type": "piercing" }] },
        ],
    })
}

/// The encounter of a beast with a feature and of others, in the order in which they are listed.
fn encounter(beast: &Value, trait_: Value, others: (&Value, u32), rounds: u32) -> Encounter {
    let mut beast = beast.clone();
    beast["traits"] = json!([trait_]);
    let document = json!({
        "initiative": "listed", "rounds": rounds,
        "sides": [
            { "creatures": [{ "creature": beast }] },
            { "creatures": [{ "creature": others.0, "count": others.1 }] },
        ],
    });
    Encounter::read(&document).expect("it is an encounter")
}

/// A feature with these parts.
fn feature(parts: &Value) -> Value {
    json!({ "name": "Feature", "feature": { "name": "homebrew", "text": "", "subfeatures": parts } })
}

fn fought(beast: &Value, parts: &Value, other: &Value, rounds: u32) -> Answer {
    let encounter = encounter(beast, feature(parts), (other, 1), rounds);
    let plan = Plan::new(&encounter, &Bestiary::srd()).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(plan.missing().count(), 0, "{parts}");
    exact_odds(&encounter)
}

fn mean(answer: &Answer, name: &str) -> f64 {
    let stat = answer.stats.iter().find(|stat| stat.name == name);
    let odds = stat.and_then(|stat| stat.odds.as_ref());
    odds.unwrap_or_else(|| panic!("no {name}")).mean()
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
}

/// Two strikes for 3 on somebody with 4 hit points: after the first hit fewer than half of them are
/// left, and the second strike hits with 1 - 0.4^2 = 0.84 instead of 0.6.
#[test]
fn attacks_on_the_badly_hurt_have_advantage() {
    let parts = json!([{
        "trigger": ["N attacks N", "self", "creature"],
        "conditions": ["creature.HP,creature.MAXHP,2,/,<"],
        "effects": [{ "target": "self", "effect": ["Grant advantage"] }],
    }]);
    let answer = fought(
        &creature("Beast", 20, "3", 2),
        &parts,
        &creature("Other", 4, "1", 1),
        1,
    );
    let expected = 3.0 * (0.6 + 0.6 * 0.84 + 0.4 * 0.6);
    close(damage_of("Beast", &answer, "Strike"), expected);
}

/// A creature with fewer than half of its hit points is hard to hit: the other one strikes twice
/// for 3. After a hit on the beast's 4 hit points, the second strike hits with 0.6^2 = 0.36.
#[test]
fn attacks_on_a_creature_may_have_disadvantage() {
    let parts = json!([{
        "trigger": ["N attacks N", "creature", "self"],
        "conditions": ["HP,MAXHP,.5,*,<"],
        "effects": [{ "target": "creature", "effect": ["Impose disadvantage"] }],
    }]);
    let answer = fought(
        &creature("Beast", 4, "1", 1),
        &parts,
        &creature("Other", 20, "3", 2),
        1,
    );
    let expected = 3.0 * (0.6 + 0.6 * 0.36 + 0.4 * 0.6);
    close(damage_of("Other", &answer, "Strike"), expected);
}

/// The first hit (0.6) throws the other one to the ground; the second one, with advantage (0.84),
/// finds it there and does 1d4 more, 2.5 on average.
#[test]
fn hits_on_those_who_lie_do_more() {
    let hits = json!(["N hits N", "self", "creature"]);
    let parts = json!([
        {
            "trigger": hits, "conditions": ["creature.PRONE"],
            "effects": [{ "target": "creature", "effect": ["Inflict XdX TYPE damage", 1, 4, "fire"] }],
        },
        {
            "trigger": hits,
            "effects": [{ "target": "creature", "effect": ["Set N = N", "creature.PRONE", "self"] }],
        },
    ]);
    let (beast, other) = (creature("Beast", 20, "1", 2), creature("Other", 20, "1", 1));
    let answer = fought(&beast, &parts, &other, 1);
    close(damage_of("Beast", &answer, "Feature"), 0.6 * 0.84 * 2.5);
}

/// Of two strikes that hit with 0.6 one at least does 1d4 more.
#[test]
fn what_happens_once_a_turn_happens_once() {
    let more = |effect: Value| {
        json!([{
            "trigger": ["N hits N", "self", "creature"],
            "effects": [{ "target": "creature", "effect": effect }],
            "recharge": [1, "turn"],
        }])
    };
    let (beast, other) = (creature("Beast", 20, "1", 2), creature("Other", 20, "1", 1));
    let own = more(json!(["Inflict XdX TYPE damage", 1, 4, "fire"]));
    let answer = fought(&beast, &own, &other, 1);
    close(damage_of("Beast", &answer, "Feature"), 0.84 * 2.5);
    // Dice of the type of the hit are part of it: a critical hit doubles them. The first hit is
    // critical with 1 of its 12 faces.
    let of_hit = more(json!([
        "Inflict XdX TYPE damage",
        1,
        4,
        "creature.DAMAGE.TYPE"
    ]));
    let answer = fought(&beast, &of_hit, &other, 1);
    let expected = 2.0 * 0.6 + 0.84 * 2.5 * (1.0 + 1.0 / 12.0);
    close(damage_of("Beast", &answer, "Strike"), expected);
}

/// Hit points of a beast of 20 after two rounds in which it loses 6 with 12 of 20 faces each. Those
/// that come back after the first hit are 5, unless the damage was of the type that stops them.
#[test]
fn damage_of_a_type_stops_what_comes_back() {
    let parts = |kind: &str| {
        json!([
            {
                "trigger": "self,damaged", "conditions": [format!("DAMAGE.TYPE,{kind},==")],
                "effects": [{ "target": "self", "effect": ["Set N = N", "NV1", 1], "duration": "End of self next turn" }],
            },
            {
                "trigger": "self,turnstart", "conditions": ["HP,0,>", "NV1,!"],
                "effects": [{ "target": "self", "effect": ["Regain X hp", 5] }],
            },
        ])
    };
    let (beast, other) = (creature("Beast", 20, "1", 1), creature("Other", 20, "6", 1));
    let left = |kind: &str| {
        mean(
            &fought(&beast, &parts(kind), &other, 2),
            "Beast: hit points",
        )
    };
    close(left("piercing"), 20.0 - 2.0 * 0.6 * 6.0);
    close(left("acid"), 20.0 - 0.6 * 1.0 - 0.6 * 6.0);
}

/// A reaction that adds 3 to an armour class of 12 turns a hit with the faces 9, 10 and 11: 9 of 20
/// are left, one of them critical.
#[test]
fn a_reaction_adds_to_the_armour_class() {
    let parry = json!({ "name": "Shield Arm", "feature": "parry", "v": [3] });
    let beast = creature("Beast", 20, "1", 1);
    let other = creature("Other", 20, "1d4", 1);
    let answer = exact_odds(&encounter(&beast, parry, (&other, 1), 1));
    let expected = 2.5 * 9.0 / 20.0 + 2.5 / 20.0;
    close(damage_of("Other", &answer, "Strike"), expected);
}

/// Half of 1d4, rounded down, is 1 on average; half of 2d4 is (1 + 2 + 6 + 8 + 9 + 6 + 4) / 16.
#[test]
fn damage_may_be_halved() {
    let parts = json!([{
        "trigger": "self,damaged", "conditions": ["HP,0,>"],
        "effects": [{ "target": "self", "effect": ["Reduce incoming damage by X", "(DAMAGE.AMOUNT,2,/)"] }],
    }]);
    let (beast, other) = (
        creature("Beast", 20, "1", 1),
        creature("Other", 20, "1d4", 1),
    );
    let answer = fought(&beast, &parts, &other, 1);
    close(damage_of("Other", &answer, "Strike"), 0.55 + 0.05 * 2.25);
}

/// Saves of Constitution with a bonus of 2 against 12 fail with 9 of 20 faces, with advantage with
/// the square of that.
#[test]
fn saves_of_an_ability_have_advantage() {
    let parts = |class: &str| {
        json!([{
            "trigger": ["passive"],
            "effects": [{ "target": "self", "effect": ["Advantage on rolls ROLL_CLASS", class] }],
        }])
    };
    let other = json!({
        "name": "Other", "ac": 12, "hp": 20,
        "actions": [{
            "name": "Spit", "damage": [{ "dice": "4", "type": "acid" }],
            "save": { "ability": "CON", "dc": 12, "on success": "none" },
        }],
    });
    let beast = creature("Beast", 20, "1", 1);
    let damage =
        |class: &str| damage_of("Other", &fought(&beast, &parts(class), &other, 1), "Spit");
    close(damage("dexterity saving throws"), 4.0 * 0.45);
    close(damage("constitution saving throws"), 4.0 * 0.45 * 0.45);
}

/// A hit (0.6) drops a beast of 1 hit point unless its save without a bonus makes 10 (0.55): it has
/// 2 hit points then. A second rule without a save holds once, against damage of at most 4.
#[test]
fn a_creature_may_refuse_to_fall() {
    let (beast, other) = (creature("Beast", 1, "1", 1), creature("Other", 20, "4", 1));
    let saves = json!([{
        "trigger": "self,damaged",
        "conditions": ["HP,0,<=", "self,10,dexterity,0,failssave,!"],
        "effects": [{ "target": "self", "effect": ["Set N = N", "HP", 2] }],
    }]);
    let answer = fought(&beast, &saves, &other, 1);
    close(mean(&answer, "Beast: standing"), 1.0 - 0.6 * 0.45);
    close(mean(&answer, "Beast: hit points"), 0.4 + 0.6 * 0.55 * 2.0);
    let once = |most: u32| {
        json!([{
            "trigger": "self,damaged", "conditions": ["HP,0,<=", format!("DAMAGE.AMOUNT,{most},<=")],
            "effects": [{ "target": "self", "effect": ["Set N = N", "HP", 1] }],
            "recharge": [1, "long rest"],
        }])
    };
    let standing = |most| mean(&fought(&beast, &once(most), &other, 2), "Beast: standing");
    close(standing(3), 0.4 * 0.4);
    // Two rounds: both hits are needed.
    close(standing(4), 1.0 - 0.6 * 0.6);
}

/// A strike that fells somebody (0.6) is followed by another one as a bonus action.
#[test]
fn another_attack_follows_a_fall() {
    let parts = json!([
        {
            "trigger": ["N hits N", "self", "creature"],
            "conditions": ["ATTACK.MELEE", "creature.HP,0,<="],
            "effects": [{ "target": "self", "effect": ["Set N = N", "NV1", 1], "duration": "End of turn" }],
        },
        {
            "trigger": ["bonus action"], "conditions": ["NV1"],
            "effects": [{ "target": "self", "effect": ["Take action ACTION", "strike"] }],
        },
    ]);
    let (beast, other) = (creature("Beast", 20, "3", 1), creature("Other", 1, "1", 1));
    let encounter = encounter(&beast, feature(&parts), (&other, 2), 1);
    let answer = exact_odds(&encounter);
    close(damage_of("Beast", &answer, "Strike"), 3.0 * (0.6 + 0.36));
}

/// An ally that can act gives advantage; the form counts, not the name. Without distances everybody
/// is 5 feet away, so that 4 feet are too few.
#[test]
fn allies_give_advantage_within_their_feet() {
    let damage = |feet: u32| {
        let parts = json!([{
            "trigger": ["N attacks N", "self", "creature"],
            "conditions": [
                "any,self,allied", "any,self,==,!",
                format!("any,creature,distance,{feet},<="), "any.INCAPACITATED,!",
            ],
            "effects": [{ "target": "self", "effect": ["Grant advantage"] }],
        }]);
        let mut beast = creature("Beast", 20, "1", 1);
        beast["traits"] = json!([feature(&parts)]);
        let document = json!({
            "initiative": "listed", "rounds": 1,
            "sides": [
                { "creatures": [{ "creature": beast, "count": 2 }] },
                { "creatures": [{ "creature": creature("Other", 20, "1", 1) }] },
            ],
        });
        let encounter = Encounter::read(&document).expect("it is an encounter");
        damage_of("Beast", &exact_odds(&encounter), "Strike")
    };
    close(damage(10), 2.0 * 0.84);
    close(damage(4), 2.0 * 0.6);
}

/// What is asked and not known does not act, and is named.
#[test]
fn conditions_that_are_not_known_are_named() {
    for (part, expected) in [
        (
            json!({
                "trigger": ["N attacks N", "self", "creature"], "conditions": ["creature.SIZE,5,<"],
                "effects": [{ "target": "self", "effect": ["Grant advantage"] }],
            }),
            "Feature (when self attacks creature)",
        ),
        (
            json!({
                "trigger": ["N hits N", "creature", "self"], "conditions": ["creature.ATTACK.MELEE"],
                "effects": [{ "target": "self", "effect": ["Set N = N", "OBJECT_AC", "(OBJECT_AC,5,+)"], "duration": "self,turnstart" }],
            }),
            "Feature (OBJECT_AC becomes OBJECT_AC + 5)",
        ),
        (
            json!({
                "trigger": "self,damaged", "conditions": ["HP,0,<=", "self.SIZE,5,>"],
                "effects": [{ "target": "self", "effect": ["Set N = N", "HP", 1] }],
            }),
            "Feature (when self takes damage)",
        ),
    ] {
        let (beast, other) = (creature("Beast", 9, "1", 1), creature("Other", 9, "1", 1));
        let encounter = encounter(&beast, feature(&json!([part])), (&other, 1), 9);
        let plan = Plan::new(&encounter, &Bestiary::srd()).expect("it can be fought");
        let missing: Vec<String> = plan.missing().flat_map(|(_, all)| all.to_vec()).collect();
        assert_eq!(missing, [expected]);
    }
}
