//! Characters, healing and temporary hit points in encounters (SRD 5.1, "Damage and Healing"):
//! what generated encounters get of them, and chances that are computed by hand.

use arbitrary::{Result, Unstructured};
use dicec_compiler::Compiler;
use dicec_compiler::answer::{Answer, Exactness};
use dicec_fights::compile_encounter;
use dicec_games::encounter::{Bestiary, Encounter, Plan, Purpose, Told};
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;
use dicec_tests::encounter::Side;
use serde_json::{Value, json};

/// Makes some of the creatures characters, healers, or gives them temporary hit points.
pub(super) fn change(source: &mut Unstructured<'_>, sides: &mut [Side; 2]) -> Result<()> {
    for side in sides {
        side.heal = source
            .choose(&["fallen", "half", "never", "half"])?
            .to_string();
        for (block, ..) in &mut side.kinds {
            block["character"] = source.ratio(3, 4)?.into();
            if source.ratio(1, 6)? {
                let most = block["hp"].as_i64().unwrap_or(1);
                block["current hp"] = (most / 2).max(1).into();
            }
            if source.ratio(1, 3)? {
                block["temp hp"] = source.int_in_range(1..=20)?.into();
            }
            for number in 0..source.int_in_range(0..=2)? {
                let action = healing(source, number)?;
                let actions = block["actions"].as_array_mut();
                actions.expect("it has actions").push(action);
            }
        }
    }
    Ok(())
}

fn healing(source: &mut Unstructured<'_>, number: u32) -> Result<Value> {
    let dice = source.choose(&["1d4+3", "2d8+3", "1d8", "5"])?;
    let usages = [
        json!(null),
        json!({ "per day": 2 }),
        json!({ "recharge": "5-6" }),
    ];
    let usage = source.choose(&usages)?;
    let mut action = json!({ "name": format!("Mend {number}"), "heals": dice });
    if usage.is_object() {
        action["usage"] = usage.clone();
    }
    action["bonus action"] = source.arbitrary::<bool>()?.into();
    Ok(action)
}

/// An attack with a bonus and dice.
fn attack(bonus: i64, dice: &str) -> Value {
    json!({
        "name": "Strike", "bonus": bonus, "kind": "melee",
        "damage": [{ "dice": dice, "type": "piercing" }],
    })
}

/// A fight in the order of the list, exactly.
fn exact(sides: [Value; 2], rounds: u32) -> Answer {
    exact_told(sides, rounds, Told::Figures)
}

fn exact_told(sides: [Value; 2], rounds: u32, told: Told) -> Answer {
    let document = json!({ "initiative": "listed", "rounds": rounds, "sides": sides });
    let encounter = Encounter::read(&document).expect("it is an encounter");
    let plan = Plan::new(&encounter, &Bestiary::srd()).unwrap_or_else(|wrong| panic!("{wrong}"));
    let bound = compile_encounter(&Compiler::new(), &plan, told, Purpose::Trials);
    let bound = bound.expect("its script");
    let answer = bound.answer(
        &Limits::default(),
        Exactness::default(),
        &Control::default(),
    );
    answer.expect("a small fight")
}

/// What a statistic adds up to in a fight, on average.
fn mean(answer: &Answer, name: &str) -> f64 {
    let stat = answer.stats.iter().find(|stat| stat.name == name);
    let stat = stat.unwrap_or_else(|| panic!("no {name}"));
    stat.per_trial * stat.odds.as_ref().map_or(0.0, |odds| odds.mean())
}

fn assert_near(one: f64, other: f64, what: &str) {
    assert!((one - other).abs() < 1e-9, "{what}: {one} and {other}");
}

/// The chances that a character at 0 hit points is dead, stable and awake after a number of its
/// turns: by all sequences of faces, in five classes.
fn death_saves(turns: u32) -> [f64; 3] {
    fn go(turns: u32, successes: u32, failures: u32, p: f64, ends: &mut [f64; 3]) {
        match (successes, failures) {
            (_, 3..) => ends[0] += p,
            (3.., _) => ends[1] += p,
            _ if turns == 0 => {}
            _ => {
                ends[2] += p / 20.0;
                go(turns - 1, successes + 1, failures, p * 10.0 / 20.0, ends);
                go(turns - 1, successes, failures + 1, p * 8.0 / 20.0, ends);
                go(turns - 1, successes, failures + 2, p / 20.0, ends);
            }
        }
    }
    let mut ends = [0.0; 3];
    go(turns, 0, 0, 1.0, &mut ends);
    ends
}

/// "Damage and Healing: Death Saving Throws": a foe strikes once, and hits with 2 to 20; then
/// nobody does anything, and an ally keeps the fight going.
#[test]
fn death_saves_end_as_often_as_their_rules_say() {
    let [dead, stable, awake] = death_saves(2);
    // A 1 and 2 to 9 in either order, or two 1s.
    assert_near(dead, 2.0 * 0.05 * 0.4 + 0.05 * 0.05, "dead after two turns");
    assert_near(stable, 0.0, "stable after two turns");
    assert_near(awake, 0.05 + 0.95 * 0.05, "awake after two turns");
    assert_near(death_saves(3)[1], 0.125, "stable after three turns");
    // After five turns all are one of these.
    assert_near(death_saves(5).iter().sum(), 1.0, "all after five turns");
    for rounds in 1..=6 {
        let mut strike = attack(30, "10");
        strike["usage"] = json!({ "per day": 1 });
        let foe = json!({ "name": "Foe", "ac": 10, "hp": 9, "actions": [strike] });
        let hero = json!({ "name": "Hero", "ac": 0, "hp": 10, "character": true });
        let ally = json!({ "name": "Ally", "ac": 0, "hp": 20 });
        let answer = exact(
            [
                json!({ "creatures": [{ "creature": foe }] }),
                json!({ "creatures": [{ "creature": hero }, { "creature": ally }] }),
            ],
            rounds,
        );
        let [dead, _, awake] = death_saves(rounds);
        let what = format!("after {rounds} rounds");
        assert_near(mean(&answer, "Hero: dead"), 0.95 * dead, &what);
        let standing = 0.05 + 0.95 * awake;
        assert_near(mean(&answer, "Hero: standing"), standing, &what);
        let hit_points = 0.05 * 10.0 + 0.95 * awake;
        assert_near(mean(&answer, "Hero: hit points"), hit_points, &what);
        assert_near(mean(&answer, "Hero: damage taken"), 0.95 * 10.0, &what);
    }
}

/// Tables count the dead of a side that has characters, and only those: a hit with 2 to 20 kills
/// whoever has the fewest hit points.
#[test]
fn tables_count_characters_who_are_dead() {
    let foe = json!({ "name": "Foe", "ac": 30, "hp": 9, "actions": [attack(30, "60")] });
    let one = |name: &str, hp: i64, is_character: bool| json!({ "creature": { "name": name, "ac": 0, "hp": hp, "character": is_character } });
    for (hp_of_beast, rounds, expected) in [
        // The beast falls first, and is not counted.
        (9, 1, 0.0),
        (9, 2, 0.95 * 0.95),
        (11, 1, 0.95),
        (11, 2, 1.0 - 0.05 * 0.05),
    ] {
        let others = json!([one("Hero", 10, true), one("Beast", hp_of_beast, false)]);
        let sides = [
            json!({ "creatures": [{ "creature": foe }] }),
            json!({ "creatures": others }),
        ];
        let answer = exact_told(sides, rounds, Told::Sides);
        let what = format!("{hp_of_beast} hit points, {rounds} rounds");
        assert_near(mean(&answer, "enemies dead"), expected, &what);
        assert!(answer.stats.iter().all(|stat| stat.name != "dead"));
    }
}

/// "Instant Death": damage that is left after 0 hit points kills if it is at least the maximum.
#[test]
fn massive_damage_kills_at_once() {
    for (dice, hp, is_dead) in [
        ("19", 10, false),
        ("20", 10, true),
        ("21", 10, true),
        ("1", 1, false),
        ("2", 1, true),
    ] {
        let foe = json!({ "name": "Foe", "ac": 30, "hp": 9, "actions": [attack(30, dice)] });
        let hero = json!({ "name": "Hero", "ac": 0, "hp": hp, "character": true });
        let answer = exact(
            [
                json!({ "creatures": [{ "creature": foe }] }),
                json!({ "creatures": [{ "creature": hero }] }),
            ],
            1,
        );
        // One death save kills nobody, and the foe misses with a 1.
        let expected = if is_dead { 0.95 } else { 0.0 };
        assert_near(mean(&answer, "Hero: dead"), expected, dice);
        assert_near(mean(&answer, "Hero: damage taken"), 0.95 * hp as f64, dice);
    }
}

/// Temporary hit points go first, healing does not restore them, and they are part of the damage
/// that is taken. What is left of massive damage is what they leave.
#[test]
fn temporary_hit_points_go_first() {
    let fight = |dice: &str, temporary: i64| {
        let foe = json!({ "name": "Foe", "ac": 30, "hp": 9, "actions": [attack(30, dice)] });
        let hero = json!({
            "name": "Hero", "ac": 0, "hp": 10, "character": true, "temp hp": temporary,
        });
        exact(
            [
                json!({ "creatures": [{ "creature": foe }] }),
                json!({ "creatures": [{ "creature": hero }] }),
            ],
            1,
        )
    };
    let some = fight("7", 4);
    assert_near(
        mean(&some, "Hero: hit points"),
        10.0 - 0.95 * 3.0,
        "7 of 14",
    );
    assert_near(mean(&some, "Hero: damage taken"), 0.95 * 7.0, "7 of 14");
    assert_near(mean(&fight("23", 4), "Hero: dead"), 0.0, "9 are left");
    assert_near(mean(&fight("24", 4), "Hero: dead"), 0.95, "10 are left");
}

/// A healer, a friend with 9 of 10 hit points lost or all of them, and a foe who always drops the
/// friend first.
fn healed(policy: &str, damage: &str, is_character: bool) -> Answer {
    let foe = json!({ "name": "Foe", "ac": 30, "hp": 9, "actions": [attack(30, damage)] });
    let friend = json!({ "name": "Friend", "ac": 0, "hp": 10, "character": is_character });
    let healer = json!({
        "name": "Healer", "ac": 0, "hp": 11,
        "actions": [{ "name": "Cure", "heals": "4", "usage": { "per day": 1 } }],
    });
    exact(
        [
            json!({ "creatures": [{ "creature": foe }] }),
            json!({
                "creatures": [{ "creature": healer }, { "creature": friend }], "heal": policy,
            }),
        ],
        1,
    )
}

#[test]
fn a_side_heals_whom_its_policy_says() {
    for (policy, damage, is_character, expected) in [
        // Down to 0: a character is healed, a monster is dead.
        ("fallen", "10", true, 4.0),
        ("half", "10", true, 4.0),
        ("never", "10", true, 0.0),
        ("fallen", "10", false, 0.0),
        ("half", "10", false, 0.0),
        // Down to half.
        ("fallen", "5", true, 5.0),
        ("half", "5", true, 9.0),
        ("half", "5", false, 9.0),
        // Down to 6.
        ("half", "4", true, 6.0),
    ] {
        let answer = healed(policy, damage, is_character);
        let what = format!("{policy}, {damage}, {is_character}");
        // A foe that misses with a 1 leaves 10. A friend who lies and is not healed wakes with a
        // 20; one who is healed before its turn does not roll.
        let wakes = match (is_character, expected == 0.0) {
            (true, true) => 0.05,
            _ => 0.0,
        };
        let expected = 0.05 * 10.0 + 0.95 * (expected + wakes);
        assert_near(mean(&answer, "Friend: hit points"), expected, &what);
    }
}
