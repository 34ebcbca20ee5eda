//! Spells: the damage of one cast against numbers that follow from the rules, and fights of casters
//! that a second simulator plays again.

use super::encounter_features::{damage_of, exact_odds};
use super::encounters::{check, srd};
use dicec_games::encounter::Encounter;
use serde_json::{Value, json};

/// The level, the modifier and the proficiency bonus of the caster: a DC of 16, and 8 to hit.
const LEVEL: u32 = 17;
const DC: f64 = 16.0;
const BONUS: f64 = 8.0;

/// The armour class of the target, which adds nothing to its saves.
const ARMOUR: f64 = 15.0;

/// How a spell does its damage.
#[derive(Clone, Copy)]
enum By {
    /// A save that halves each part of the damage.
    Half,
    /// A save that avoids it.
    None,
    /// Attack rolls, this many.
    Attacks(u32),
    /// Nothing averts it.
    Sure,
}

/// Spells: edition, name, level of the slot, dice, and how they do damage.
const CASTS: [(&str, &str, usize, &[&str], By); 48] = [
    ("5.1", "Eldritch Blast", 0, &["1d10"], By::Attacks(4)),
    ("5.1", "Fire Bolt", 0, &["4d10"], By::Attacks(1)),
    ("5.1", "Sacred Flame", 0, &["4d8"], By::None),
    ("5.1", "Starry Wisp", 0, &["4d8"], By::Attacks(1)),
    ("5.2", "Sorcerous Burst", 0, &["4d8"], By::Attacks(1)),
    ("5.2", "Poison Spray", 0, &["4d12"], By::Attacks(1)),
    ("5.1", "Burning Hands", 1, &["3d6"], By::Half),
    ("5.1", "Guiding Bolt", 2, &["5d6"], By::Attacks(1)),
    ("5.1", "Magic Missile", 3, &["5d4+5"], By::Sure),
    ("5.2", "Chromatic Orb", 2, &["4d8"], By::Attacks(1)),
    ("5.2", "Dissonant Whispers", 1, &["3d6"], By::Half),
    ("5.2", "Inflict Wounds", 1, &["2d10"], By::Half),
    ("5.1", "Flaming Sphere", 3, &["3d6"], By::Half),
    ("5.1", "Moonbeam", 2, &["2d10"], By::Half),
    ("5.1", "Scorching Ray", 2, &["2d6"], By::Attacks(3)),
    ("5.1", "Scorching Ray", 5, &["2d6"], By::Attacks(6)),
    ("5.1", "Shatter", 2, &["3d8"], By::Half),
    ("5.2", "Mind Spike", 2, &["3d8"], By::Half),
    ("5.1", "Call Lightning", 3, &["3d10"], By::Half),
    ("5.1", "Call Lightning", 5, &["5d10"], By::Half),
    ("5.1", "Fireball", 3, &["8d6"], By::Half),
    ("5.1", "Vampiric Touch", 3, &["3d6"], By::Attacks(1)),
    ("5.1", "Wind Wall", 3, &["3d8"], By::Half),
    ("5.2", "Wind Wall", 3, &["4d8"], By::Half),
    ("5.1", "Blight", 4, &["8d8"], By::Half),
    ("5.2", "Black Tentacles", 4, &["3d6"], By::None),
    ("5.1", "Guardian of Faith", 4, &["20"], By::Half),
    ("5.1", "Ice Storm", 4, &["2d8", "4d6"], By::Half),
    ("5.1", "Ice Storm", 6, &["4d8", "4d6"], By::Half),
    ("5.2", "Vitriolic Sphere", 5, &["12d4"], By::Half),
    ("5.1", "Wall of Fire", 4, &["5d8"], By::Half),
    ("5.1", "Cone of Cold", 5, &["8d8"], By::Half),
    ("5.2", "Contagion", 5, &["11d8"], By::None),
    ("5.1", "Flame Strike", 5, &["4d6", "4d6"], By::Half),
    ("5.1", "Disintegrate", 6, &["10d6+40"], By::None),
    ("5.1", "Freezing Sphere", 7, &["11d6"], By::Half),
    ("5.1", "Harm", 6, &["14d6"], By::Half),
    ("5.1", "Wall of Ice", 7, &["12d6"], By::Half),
    ("5.1", "Wall of Thorns", 7, &["8d8"], By::Half),
    ("5.1", "Delayed Blast Fireball", 8, &["13d6"], By::Half),
    ("5.1", "Finger of Death", 7, &["7d8+30"], By::Half),
    ("5.1", "Fire Storm", 7, &["7d10"], By::Half),
    ("5.1", "Feeblemind", 8, &["4d6"], By::Sure),
    ("5.2", "Befuddlement", 8, &["10d12"], By::Half),
    ("5.1", "Sunburst", 8, &["12d6"], By::Half),
    ("5.1", "Meteor Swarm", 9, &["20d6", "20d6"], By::Half),
    ("5.1", "Storm of Vengeance", 9, &["2d6"], By::None),
    ("5.2", "Weird", 9, &["10d10"], By::Half),
];

/// The chances of the totals of dice such as `3d6+2`, by total.
fn totals(dice: &str) -> Vec<f64> {
    let (dice, more) = dice.split_once('+').unwrap_or((dice, "0"));
    let (count, sides, more) = match dice.split_once('d') {
        Some((count, sides)) => (count, sides, more),
        None => ("0", "1", dice),
    };
    let [count, sides, more] = [count, sides, more].map(|text| text.parse().expect("a number"));
    let mut chances = vec![0.0; more];
    chances.push(1.0);
    for _ in 0..count {
        let mut next = vec![0.0; chances.len() + sides];
        for (total, chance) in chances.iter().enumerate() {
            (1..=sides).for_each(|face| next[total + face] += chance / sides as f64);
        }
        chances = next;
    }
    chances
}

/// The mean of a number that follows from the total of dice.
pub(crate) fn mean(dice: &str, of: impl Fn(usize) -> usize) -> f64 {
    let chances = totals(dice).into_iter().enumerate();
    chances
        .map(|(total, chance)| chance * of(total) as f64)
        .sum()
}

/// The expected damage of one cast.
fn expected(dice: &[&str], by: By) -> f64 {
    let fails = (DC - 1.0) / 20.0;
    let whole: f64 = dice.iter().map(|dice| mean(dice, |total| total)).sum();
    let half: f64 = dice.iter().map(|dice| mean(dice, |total| total / 2)).sum();
    match by {
        By::Half => fails * whole + (1.0 - fails) * half,
        By::None => fails * whole,
        // A critical hit is one of the hits, and rolls the dice once more.
        By::Attacks(count) => {
            f64::from(count) * whole * ((21.0 - (ARMOUR - BONUS)) / 20.0 + 1.0 / 20.0)
        }
        By::Sure => whole,
    }
}

/// Somebody who casts these spells, with a slot of each of these levels.
pub(crate) fn caster(name: &str, edition: &str, spells: &[&str], slots: [usize; 9]) -> Value {
    json!({
        "name": name, "ac": 12, "hp": 60, "proficiency": 4, "actions": [],
        "speed": { "walk": 30 }, "STR": 10, "DEX": 10, "CON": 10, "INT": 18, "WIS": 10, "CHA": 10,
        "spellcasting": {
            "ability": "INT", "level": LEVEL, "slots": slots, "spells": spells, "edition": edition,
        },
    })
}

#[test]
fn one_cast_does_the_damage_of_the_rules() {
    let mut wrong = Vec::new();
    for (edition, name, slot, dice, by) in CASTS {
        let mut slots = [0; 9];
        if slot > 0 {
            slots[slot - 1] = 1;
        }
        let adept = caster("Adept", edition, &[name], slots);
        let dummy = json!({ "name": "Dummy", "ac": ARMOUR as i64, "hp": 2000 });
        let document = json!({
            "initiative": "listed", "rounds": 1,
            "sides": [
                { "creatures": [{ "creature": adept }], "limited": "always" },
                { "creatures": [{ "creature": dummy }] },
            ],
        });
        let encounter = Encounter::read(&document).expect("it is an encounter");
        let found = damage_of("Adept", &exact_odds(&encounter), &shown(&adept));
        let expected = expected(dice, by);
        if (found - expected).abs() > 1e-6 * expected {
            wrong.push(format!(
                "{name} ({edition}, {slot}): {found}, not {expected}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The name of the only action of a caster in reports.
fn shown(adept: &Value) -> String {
    let block = dicec_games::encounter::with_spells(adept);
    let name = block["actions"][0]["name"].as_str().unwrap_or_default();
    name.split(" (").next().unwrap_or_default().to_owned()
}

/// The names of all spells that fights play, by edition.
fn all_spells() -> Vec<(&'static str, String)> {
    let library: Value = serde_json::from_str(include_str!(
        "../../../games/src/encounter/spells/library.json"
    ))
    .expect("JSON");
    let changed: Value = serde_json::from_str(include_str!(
        "../../../games/src/encounter/spells/library-5.2.json"
    ))
    .expect("JSON");
    let of = |edition: &'static str, list: &Value| {
        let all = list.as_array().into_iter().flatten();
        let names = all.filter_map(move |one| Some((edition, one["name"].as_str()?.to_owned())));
        names.collect::<Vec<_>>()
    };
    [of("5.1", &library["cast"]), of("5.2", &changed)].concat()
}

/// Three spells for each caster; a caster prefers those that are worth most.
#[test]
fn casters_agree_with_a_second_simulator() {
    let srd = srd();
    let mut all = all_spells();
    // Those of several rays by themselves, too: others of their slots are worth more.
    while !all.len().is_multiple_of(3) {
        all.push(("5.1", "Light".to_owned()));
    }
    for _ in 0..3 {
        let rays = ["Scorching Ray", "Eldritch Blast", "Light"];
        all.extend(rays.map(|name| ("5.1", name.to_owned())));
    }
    // The names have to be those of creatures of the SRD, without rules that go by the name.
    let is_plain = |block: &&Value| block["traits"].as_array().is_none_or(Vec::is_empty);
    let plain: Vec<&Value> = srd.iter().filter(is_plain).collect();
    assert!(plain.len() > all.len() / 3, "{}", plain.len());
    let mut blocks: Vec<Value> = Vec::new();
    for (index, spells) in all.chunks(3).enumerate() {
        let name = plain[index]["name"].as_str().expect("a name");
        let names: Vec<&str> = spells.iter().map(|one| one.1.as_str()).collect();
        let mut block = caster(name, spells[0].0, &names, [1; 9]);
        block["character"] = (index % 2 == 0).into();
        block["actions"] = json!([
            { "name": "Staff", "bonus": 5, "kind": "melee", "damage": [{ "dice": "1d6+1", "type": "bludgeoning" }] },
        ]);
        blocks.push(block);
    }
    for name in ["Ogre", "Veteran", "Troll", "Zombie", "Wolf"] {
        let known = srd.iter().find(|block| block["name"] == name);
        blocks.push(known.expect("it is there").clone());
    }
    let mut told = check(&blocks, 200, false);
    told.extend(check(&blocks, 100, true));
    let lines: Vec<&String> = told.iter().flat_map(|one| &one.lines).collect();
    for name in ["Scorching Ray", "Black Tentacles"] {
        let with = [format!(" with {name}"), format!(" uses {name}")];
        let is_told = |line: &&&String| with.iter().any(|words| line.contains(words));
        assert!(
            lines.iter().any(|line| is_told(&line)),
            "nobody casts {name}"
        );
    }
}
