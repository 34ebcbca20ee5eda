//! What features do to others, and to hits and equipment (seed 001, "EFFECTS"), each by exact odds
//! that follow by hand.

use super::encounter_features::{damage_of, exact_odds, example};
use super::encounter_gifts::on_hit;
use dicec_games::encounter::Encounter;
use serde_json::{Value, json};

/// A creature of armour class 12 that hits an armour class of 12 with 12 of 20 faces.
fn creature(name: &str, dice: &str, strikes: u32) -> Value {
    json!({
        "name": name, "ac": 12, "hp": 20, "CON": 14,
        "actions": [
            { "name": "Multiattack", "multiattack": [{ "action": "Strike", "count": strikes }] },
            { "name": "Strike", "bonus": 3, "kind": "melee", "damage": [{ "dice": dice, "type": "piercing" }] },
        ],
    })
}

/// The damage that somebody does with something in a round in which the beast, which has a feature
/// of these parts, acts before the other one.
fn damage(beast: Value, parts: &Value, other: &Value, of: (&str, &str)) -> f64 {
    let mut beast = beast;
    let feature = json!({ "name": "homebrew", "text": "", "subfeatures": parts });
    beast["traits"] = json!([{ "name": "Feature", "feature": feature }]);
    let document = json!({
        "initiative": "listed", "rounds": 1,
        "sides": [
            { "creatures": [{ "creature": beast }] },
            { "creatures": [{ "creature": other }] },
        ],
    });
    let encounter = Encounter::read(&document).expect("it is an encounter");
    damage_of(of.0, &exact_odds(&encounter), of.1)
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
}

/// The other one strikes for 1 after a strike of the beast that hits with 0.6.
#[test]
fn those_who_are_surprised_or_hampered_do_less() {
    let next = "End of target next turn";
    let other = creature("Other", "1", 1);
    let strike = |effect: Value, duration: &str| {
        let parts = json!([on_hit(&effect, duration, None)]);
        damage(
            creature("Beast", "1", 1),
            &parts,
            &other,
            ("Other", "Strike"),
        )
    };
    close(strike(json!(["Surprised"]), ""), 0.4 * 0.6);
    let hampered = json!(["Impose disadvantage on TYPE", "attack rolls"]);
    close(strike(hampered, next), 0.4 * 0.6 + 0.6 * 0.36);
}

/// Each hit does 1d4 fire damage, or half of it (1 on average) after a save of Constitution, to
/// which 2 is added.
#[test]
fn saves_may_fail_or_have_disadvantage() {
    let burns = |dc: i64| {
        let effect = ["Inflict XdX TYPE damage, dc X ABILITY save halves"];
        on_hit(
            &json!([effect[0], 1, 4, "fire", dc, "constitution"]),
            "",
            None,
        )
    };
    let fire = |effect: Value, dc: i64| {
        let parts = json!([on_hit(&effect, "1 min", None), burns(dc)]);
        let other = creature("Other", "1", 1);
        damage(
            creature("Beast", "1", 1),
            &parts,
            &other,
            ("Beast", "Feature"),
        )
    };
    let fails = json!(["Automatic fail on rolls ROLL_CLASS", "saving throws"]);
    // Nobody else fails it.
    close(fire(fails, 1), 0.6 * 2.5);
    let hampered = json!(["Impose disadvantage on TYPE", "saving throws"]);
    let saved = (11.0_f64 / 20.0).powi(2);
    close(fire(hampered, 12), 0.6 * ((1.0 - saved) * 2.5 + saved));
}

/// Of 12 faces that hit, one is critical, unless a feature says that all are.
#[test]
fn hits_may_be_critical_heavier_and_magical() {
    let own = |effect: Value| {
        let target = json!([{ "target": "creature", "effect": effect }]);
        json!([{ "trigger": ["N hits N", "self", "creature"], "effects": target }])
    };
    let strike = |effect: Value, other: &Value| {
        let beast = creature("Beast", "1d4", 1);
        damage(beast, &own(effect), other, ("Beast", "Strike"))
    };
    let mut other = creature("Other", "1", 1);
    close(strike(json!(["Grant critical hit"]), &other), 0.6 * 5.0);
    let dice = json!(["Deal +X weapon die damage", 2]);
    close(strike(dice, &other), 0.55 * 7.5 + 0.05 * 15.0);
    other["immune"] = json!(["piercing from nonmagical weapons"]);
    close(
        strike(json!(["Damage dealt is magical"]), &other),
        0.65 * 2.5,
    );
}

/// After a hit armour protects less, and a weapon does less damage; those of beasts do not corrode.
#[test]
fn equipment_corrodes() {
    let corrodes = json!(["Weapon/armor corrodes"]);
    let armour = json!([on_hit(&corrodes, "", None)]);
    let mut other = creature("Other", "3", 2);
    let beast = || creature("Beast", "1", 2);
    let strike =
        |parts: &Value, other: &Value, who: &str| damage(beast(), parts, other, (who, "Strike"));
    close(
        strike(&armour, &other, "Beast"),
        0.6 + 0.6 * 0.65 + 0.4 * 0.6,
    );
    let touched = json!([{
        "trigger": ["N touches N", "creature", "self"],
        "effects": [{ "target": "creature", "effect": corrodes }],
    }]);
    close(
        strike(&touched, &other, "Other"),
        0.6 * 3.0 + 0.6 * (0.6 * 2.0 + 0.4 * 3.0),
    );
    other["type"] = "beast".into();
    close(strike(&armour, &other, "Beast"), 1.2);
    close(strike(&touched, &other, "Other"), 3.6);
}

/// Those who are destroyed do not strike.
#[test]
fn what_is_destroyed_does_nothing_more() {
    let parts = json!([on_hit(&json!(["Destroyed"]), "", None)]);
    let beast = creature("Beast", "1", 1);
    let found = damage(
        beast,
        &parts,
        &creature("Other", "1", 1),
        ("Other", "Strike"),
    );
    close(found, 0.4 * 0.6);
}

/// The example `bloodlust` with at most 30 hit points attacks whoever is listed first, not the
/// weakest: nothing happens to the other one.
#[test]
fn the_berserk_attack_whoever_is_nearest() {
    let standing = |threshold: i64| {
        let mut beast = creature("Beast", "3", 1);
        let feature = example("bloodlust");
        beast["traits"] = json!([{ "name": "Feature", "feature": feature, "v": [threshold] }]);
        beast["hp"] = 30.into();
        let mut weak = creature("Weak", "1", 1);
        weak["hp"] = 3.into();
        let strong = creature("Strong", "1", 1);
        // It is hurt before its second turn.
        let document = json!({
            "initiative": "listed", "rounds": 1,
            "sides": [
                { "creatures": [{ "creature": strong }, { "creature": weak }] },
                { "creatures": [{ "creature": beast }] },
            ],
        });
        let encounter = Encounter::read(&document).expect("it is an encounter");
        let answer = exact_odds(&encounter);
        let mut stats = answer.stats.iter();
        let stat = stats.find(|stat| stat.name == "Weak: standing");
        let odds = stat.and_then(|stat| stat.odds.as_ref());
        odds.expect("it is noted").mean()
    };
    // An unhurt beast (with 0.4 * 0.4) is calm.
    close(standing(30), 1.0 - 0.16 * 0.6);
    close(standing(5), 0.4);
}

/// On the ground of the example, 11 of 20 faces of those who begin a turn there do not withstand
/// it (8, the proficiency and the Constitution of 2): they are 10 feet away and cannot strike.
#[test]
fn those_on_sour_ground_do_not_move() {
    let mut beast = creature("Beast", "1", 1);
    let feature = example("sour_ground");
    beast["traits"] = json!([{ "name": "Feature", "feature": feature, "v": [10] }]);
    beast["speed"] = json!({ "walk": 0 });
    let document = json!({
        "initiative": "listed", "rounds": 1, "distance": 10,
        "sides": [
            { "creatures": [{ "creature": beast }] },
            { "creatures": [{ "creature": creature("Other", "1", 1) }] },
        ],
    });
    let encounter = Encounter::read(&document).expect("it is an encounter");
    close(
        damage_of("Other", &exact_odds(&encounter), "Strike"),
        0.45 * 0.6,
    );
}
