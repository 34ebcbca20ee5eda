//! Whole days: a day of one fight is that fight, and days of several agree with a second simulator
//! blow by blow.

use super::encounters::{gather, srd};
use dicec_compiler::unstable::{Backend, Sampling};
use dicec_compiler::{Compiler, ScriptSession, Simulation};
use dicec_games::GENERATED;
use dicec_games::encounter::{
    Bestiary, Day, DayPlan, Plan, Purpose, Told, day_script, encounter_script, read_day_line,
    read_line,
};
use dicec_tests::encounter::{Dice, Side, Step, day, splitmix};
use dicec_tests::programs::bind;
use rayon::prelude::*;
use serde_json::{Value, json};

/// The lines, the result and the dice of a roll of a script.
type Played = (Vec<String>, String, Vec<(u32, i64)>);

fn played(script: &str, roll: &str, seed: u64) -> Played {
    let program = Compiler::new().source_limits(GENERATED).script(script);
    let program = program.unwrap_or_else(|found| panic!("{found:?}\n{script}"));
    let bound = bind(&program, roll, &json!({}));
    let played = bound.play(&mut ScriptSession::new(seed));
    let played = played.unwrap_or_else(|failure| panic!("{failure:?}\n{script}"));
    let mut lines = Vec::new();
    gather(&played.steps, &mut lines);
    let dice = played.rolls.iter().flat_map(|roll| &roll.table);
    let dice = dice.map(|die| (die.sides, die.face)).collect();
    (lines, played.label.unwrap_or_default(), dice)
}

fn plan(day: &Day) -> DayPlan {
    DayPlan::new(day, &Bestiary::srd()).unwrap_or_else(|wrong| panic!("{wrong}"))
}

#[test]
fn a_day_of_one_fight_is_the_fight() {
    for (party, enemies) in [
        ("2 Veteran, 1 Priest", "3 Ghoul, 1 Ghast"),
        ("1 Mage, 2 Knight", "1 Medusa"),
        ("1 Young Red Dragon", "4 Ogre, 2 Troll"),
    ] {
        let bestiary = Bestiary::srd();
        let encounter = read_line(&format!("{party} vs {enemies}"), &bestiary).expect("a fight");
        let fight = Plan::new(&encounter, &bestiary).expect("a plan");
        let fight = encounter_script(&fight, Told::Sides, Purpose::Trials).expect("short");
        let day = read_day_line(&format!("{party}: {enemies}")).expect("a day");
        let day = day_script(&plan(&day), Told::Sides).expect("short");
        let fights: [u64; 3] = simulated(&fight, "encounter");
        let days: [u64; 4] = simulated(&day, "day");
        assert!(
            fights[0] > 0 && fights[1] > 0,
            "{party} vs {enemies}: {fights:?}"
        );
        assert_eq!([days[3], days[0], days[2]], fights, "{party} vs {enemies}");
        assert_eq!(days[1], 0, "nobody flees");
    }
}

/// How often each result comes in 400 trials of the interpreter, which draws every die in its
/// place.
fn simulated<const N: usize>(script: &str, roll: &str) -> [u64; N] {
    let program = Compiler::new().source_limits(GENERATED).script(script);
    let program = program.unwrap_or_else(|found| panic!("{found:?}\n{script}"));
    let asked = Simulation::trials(400)
        .seed(7)
        .backend(Backend::Interp)
        .sampling(Sampling::Faithful);
    let report = bind(&program, roll, &json!({})).simulate(&asked);
    let report = report.unwrap_or_else(|failure| panic!("{failure:?}"));
    let tally = report.tally().expect("results are counted");
    let times = |wanted: i64| {
        let mut outcomes = tally.outcomes();
        let found = outcomes.find(|(value, _)| *value == wanted);
        found.map_or(0, |(_, times)| times)
    };
    std::array::from_fn(|value| times(value as i64))
}

/// A party of characters: one who heals, one with slots, one with few uses.
fn heroes() -> [Value; 5] {
    [
        json!({
            "name": "Osk", "character": true, "ac": 18, "hp": 38, "hp dice": "5d8+10",
            "STR": 14, "DEX": 10, "CON": 14, "INT": 10, "WIS": 16, "CHA": 12, "proficiency": 3, "temp hp": 4,
            "spellcasting": {
                "ability": "WIS", "level": 5, "slots": [4, 3, 2],
                "spells": ["Sacred Flame", "Guiding Bolt", "Cure Wounds", "Healing Word"],
            },
            "actions": [{
                "name": "Mace", "bonus": 5, "kind": "melee",
                "damage": [{ "dice": "1d6+2", "type": "bludgeoning" }],
            }],
        }),
        json!({
            "name": "Ilva", "character": true, "ac": 17, "hp": 44, "hp dice": "5d10+15",
            "STR": 18, "DEX": 12, "CON": 16, "INT": 8, "WIS": 10, "CHA": 10, "actions": [
                { "name": "Multiattack", "multiattack": [{ "action": "Longsword", "count": 2 }] },
                { "name": "Longsword", "bonus": 7, "kind": "melee",
                  "damage": [{ "dice": "1d8+5", "type": "slashing" }] },
                { "name": "Rally", "heals": "1d10+5", "usage": { "per day": 1, "rest": "short" } },
            ],
        }),
        json!({
            "name": "Marl", "character": true, "ac": 13, "hp": 28, "hp dice": "5d6-5",
            "STR": 8, "DEX": 14, "CON": 8, "INT": 18, "WIS": 12, "CHA": 10, "actions": [
                { "name": "Fire Bolt", "bonus": 7, "kind": "ranged", "spell": true,
                  "damage": [{ "dice": "2d10", "type": "fire" }] },
                { "name": "Flame Wave", "usage": { "per day": 2 }, "area": { "shape": "cone", "feet": 15 },
                  "damage": [{ "dice": "5d6", "type": "fire" }],
                  "save": { "ability": "DEX", "dc": 15, "on success": "half" } },
                { "name": "Spark", "usage": { "recharge": "5-6" },
                  "damage": [{ "dice": "3d6", "type": "lightning" }],
                  "save": { "ability": "DEX", "dc": 14, "on success": "none" } },
            ],
        }),
        json!({
            "name": "Brenna", "character": true, "ac": 16, "hp": 49, "hp dice": "5d12+10",
            "STR": 18, "DEX": 14, "CON": 14, "INT": 8, "WIS": 10, "CHA": 10,
            "traits": [
                { "name": "Rage", "value": 2, "usage": { "per day": 2 } },
                { "name": "Action Surge", "usage": { "per day": 1, "rest": "short" } },
            ],
            "actions": [
                { "name": "Greataxe", "bonus": 7, "kind": "melee",
                  "damage": [{ "dice": "1d12+4", "type": "slashing" }] },
                { "name": "Second Breath", "heals": "1d10+5", "on": "self",
                  "usage": { "per day": 1, "rest": "short" } },
            ],
        }),
        json!({
            "name": "Kel", "character": true, "ac": 15, "hp": 38, "hp dice": "5d8+10",
            "STR": 10, "DEX": 16, "CON": 14, "INT": 10, "WIS": 14, "CHA": 16, "proficiency": 3,
            "spellcasting": {
                "ability": "CHA", "level": 5, "slots": [0, 0, 2], "slots rest": "short",
                "spells": ["Fire Bolt", "Fireball"],
            },
            "actions": [
                { "name": "Fist", "bonus": 6, "kind": "melee",
                  "damage": [{ "dice": "1d6+3", "type": "bludgeoning" }] },
                { "name": "Flurry", "bonus action": true, "usage": { "per day": 3, "rest": "short" },
                  "multiattack": [{ "action": "Fist", "count": 2 }] },
            ],
        }),
    ]
}

/// A day that follows from a seed, for the script and for the second simulator.
fn generated(seed: u64) -> (Day, Side, Vec<Step>) {
    let mut state = seed;
    let mut pick = |count: usize| (splitmix(&mut state) % count as u64) as usize;
    let srd = srd();
    let monsters: Vec<&Value> = srd
        .iter()
        .filter(|block| {
            block["cr"]
                .as_f64()
                .is_some_and(|cr| (0.25..=3.0).contains(&cr))
        })
        .collect();
    let mut party = Vec::new();
    for hero in heroes() {
        if pick(2) > 0 {
            party.push((hero, 1));
        }
    }
    let knight = srd.iter().find(|block| block["name"] == "Knight");
    if party.is_empty() || pick(3) == 0 {
        party.push((knight.expect("it is there").clone(), 2));
    }
    let (mut steps, mut values) = (Vec::new(), Vec::new());
    for number in 0..2 + pick(3) {
        if number > 0 {
            match pick(3) {
                0 => {}
                1 => {
                    (
                        steps.push(Step::ShortRest),
                        values.push(json!("short rest")),
                    )
                        .1
                }
                _ => (steps.push(Step::LongRest), values.push(json!("long rest"))).1,
            }
        }
        let enemy = monsters[pick(monsters.len())].clone();
        let count = 1 + pick(2) as u32;
        let name = enemy["name"].as_str().expect("a name").to_owned();
        values.push(json!({ "fight": { "creatures": [{ "creature": enemy, "count": count }] } }));
        let side = Side {
            kinds: vec![(enemy, count, name.clone())],
            ..Side::default()
        };
        steps.push(Step::Fight(side, format!("{count} {name}")));
    }
    let creatures: Vec<Value> = party
        .iter()
        .map(|(block, count)| json!({ "creature": block, "count": count }))
        .collect();
    let mut day = Day::of(json!({ "creatures": creatures }), values);
    day.rounds = Some(12);
    let kinds = party.into_iter().map(|(block, count)| {
        let name = block["name"].as_str().expect("a name").to_owned();
        (block, count, name)
    });
    let side = Side {
        kinds: kinds.collect(),
        ..Side::default()
    };
    (day, side, steps)
}

#[test]
fn days_agree_with_a_second_simulator_blow_by_blow() {
    let wanted = std::env::var("DICEC_DAYS").ok();
    let count: u64 = wanted.map_or(100, |wanted| wanted.parse().expect("a number"));
    let compared = (0..count).into_par_iter().map(|seed| {
        let (document, party, steps) = generated(seed);
        let is_twin = |step: &Step| match step {
            Step::Fight(side, _) => party.kinds.iter().any(|own| own.2 == side.kinds[0].2),
            _ => false,
        };
        // Reports number creatures of a name that both sides have: the encounters' suite has that.
        if steps.iter().any(is_twin) {
            return Vec::new();
        }
        let script = day_script(&plan(&document), Told::Blows).expect("short enough");
        let (lines, ending, dice) = played(&script, "day", seed);
        let mut dice = Dice::new(dice);
        let (expected, end) = day(&party, &steps, 12, &mut dice);
        for (at, (line, expected)) in lines.iter().zip(&expected).enumerate() {
            let before = &lines[at.saturating_sub(4)..at];
            assert_eq!(line, expected, "day {seed}, after {before:#?}");
        }
        assert_eq!((lines.len(), &ending), (expected.len(), &end), "day {seed}");
        assert_eq!((dice.wrong(), dice.left()), (None, 0), "day {seed}");
        lines
    });
    let lines: Vec<String> = compared.flatten_iter().collect();
    for rule in [
        "A short rest",
        "A long rest",
        " and 0 hit dice",
        " is stable",
        " dies",
        " with Rally by ",
        " uses Flame Wave",
        " rages",
        " acts once more",
        " with Second Breath by ",
        "Fight 3: ",
    ] {
        assert!(lines.iter().any(|line| line.contains(rule)), "no `{rule}`");
    }
}
