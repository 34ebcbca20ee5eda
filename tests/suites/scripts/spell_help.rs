//! Spells that help their caster or friends for some turns: one fight of each against numbers that
//! follow from the rules, and fights that a second simulator plays again.

use super::encounter_features::{damage_of, exact_odds};
use super::encounters::{check, srd};
use super::spell_damage::{caster, mean};
use dicec_games::encounter::Encounter;
use serde_json::{Value, json};

/// The armour class of everybody in fights with known odds.
const ARMOUR: i64 = 15;

/// Somebody with a club, and very many hit points.
fn fighter(name: &str) -> Value {
    json!({
        "name": name, "ac": ARMOUR, "hp": 2000,
        "actions": [{
            "name": "Club", "bonus": 5, "kind": "melee",
            "damage": [{ "dice": "1d8+3", "type": "bludgeoning" }],
        }],
    })
}

/// The expected damage of an attack with these chances to hit and to hit critically.
fn blow(dice: &str, more: i64, hits: f64, critical: f64) -> f64 {
    let of_dice = mean(dice, |total| total);
    hits * (of_dice + more as f64) + critical * of_dice
}

/// The chance that a d20 with a bonus reaches a number: a 1 misses and a 20 hits.
fn reaches(bonus: i64, number: i64) -> f64 {
    (21 - (number - bonus)).clamp(1, 19) as f64 / 20.0
}

/// The damage that somebody does with something in some rounds between two sides.
fn damage(sides: [Vec<Value>; 2], rounds: u32, who: &str, with: &str) -> f64 {
    let sides = sides.map(|side| {
        let each = side.into_iter().map(|block| json!({ "creature": block }));
        json!({ "creatures": each.collect::<Vec<_>>(), "limited": "always" })
    });
    let document = json!({ "initiative": "listed", "rounds": rounds, "sides": sides });
    let encounter = Encounter::read(&document).expect("it is an encounter");
    damage_of(who, &exact_odds(&encounter), with)
}

/// Somebody who casts one spell, with a slot of one level: a DC of 16, and 8 to hit.
fn adept(edition: &str, spell: &str, slot: usize) -> Value {
    let mut slots = [0; 9];
    slots[slot - 1] = 1;
    let mut block = caster("Adept", edition, &[spell], slots);
    block["ac"] = ARMOUR.into();
    block["hp"] = 2000.into();
    block
}

fn is_close(what: &str, found: f64, expected: f64) {
    let is_close = (found - expected).abs() < 1e-9 * expected;
    assert!(is_close, "{what}: {found}, not {expected}");
}

#[test]
fn bless_adds_a_d4_to_attack_rolls_and_saves() {
    let usual = blow("1d8", 3, reaches(5, ARMOUR), 0.05);
    let sides = |first: Value| [vec![first, fighter("Friend")], vec![fighter("Foe")]];
    let plain = damage(sides(fighter("Adept")), 1, "Friend", "Club");
    is_close("a friend", plain, usual);
    let blessed = (1..=4).map(|die| blow("1d8", 3, reaches(5 + die, ARMOUR), 0.05) / 4.0);
    let found = damage(sides(adept("5.1", "Bless", 1)), 1, "Friend", "Club");
    is_close("a blessed friend", found, blessed.sum());
    // A save of the blessed: a foe casts Poison Spray, which has a DC of 16.
    let foe = caster("Foe", "5.1", &["Poison Spray"], [0; 9]);
    let fails = (1..=4).map(|die| f64::from(15 - die) / 20.0 / 4.0);
    let expected = fails.sum::<f64>() * mean("4d12", |total| total);
    let mut weakest = adept("5.1", "Bless", 1);
    weakest["hp"] = 1000.into();
    let sides = [vec![weakest, fighter("Friend")], vec![foe]];
    is_close("a save", damage(sides, 1, "Foe", "Poison Spray"), expected);
}

#[test]
fn help_changes_attacks_on_those_who_have_it() {
    let by_foe = |spell: &str, slot: usize| {
        let sides = [vec![adept("5.1", spell, slot)], vec![fighter("Foe")]];
        damage(sides, 1, "Foe", "Club")
    };
    let hits = reaches(5, ARMOUR);
    let cases = [
        (
            "Shield of Faith",
            1,
            blow("1d8", 3, reaches(5, ARMOUR + 2), 0.05),
        ),
        ("Blur", 2, blow("1d8", 3, hits * hits, 0.05 * 0.05)),
        (
            "Greater Invisibility",
            4,
            blow("1d8", 3, hits * hits, 0.05 * 0.05),
        ),
        // Three images: a d20 of 6 or more.
        ("Mirror Image", 2, 0.25 * blow("1d8", 3, hits, 0.05)),
        ("Shield", 1, blow("1d8", 3, reaches(5, ARMOUR + 5), 0.05)),
        // A slot of a higher level does the same.
        ("Shield", 3, blow("1d8", 3, reaches(5, ARMOUR + 5), 0.05)),
    ];
    for (spell, slot, expected) in cases {
        is_close(spell, by_foe(spell, slot), expected);
    }
    // By the SRD 5.2, a hit is one on an image unless three d6 are 1 or 2.
    let sides = [vec![adept("5.2", "Mirror Image", 2)], vec![fighter("Foe")]];
    let expected = blow("1d8", 3, hits, 0.05) / 27.0;
    is_close("Mirror Image", damage(sides, 1, "Foe", "Club"), expected);
}

#[test]
fn help_changes_attacks_of_those_who_have_it() {
    let by_adept = |edition: &str, spell: &str, slot: usize, rounds: u32| {
        let mut block = adept(edition, spell, slot);
        block["actions"] = fighter("")["actions"].clone();
        let dummy = json!({ "name": "Dummy", "ac": ARMOUR, "hp": 2000 });
        damage([vec![block], vec![dummy]], rounds, "Adept", "Club")
    };
    let hits = reaches(5, ARMOUR);
    let usual = blow("1d8", 3, hits, 0.05);
    for edition in ["5.1", "5.2"] {
        let favoured = usual + blow("1d4", 0, hits, 0.05);
        let found = by_adept(edition, "Divine Favor", 1, 1);
        is_close("Divine Favor", found, favoured);
    }
    let misses = (1.0 - hits) * (1.0 - hits);
    let unseen = blow("1d8", 3, 1.0 - misses, 1.0 - 0.95 * 0.95);
    let found = by_adept("5.1", "Greater Invisibility", 4, 2);
    is_close("Greater Invisibility", found, unseen);
}

#[test]
fn what_lasts_does_its_damage_in_each_turn() {
    let found = |edition: &str, spell: &str, slot: usize| {
        let dummy = json!({ "name": "Dummy", "ac": ARMOUR, "hp": 2000, "WIS": 10 });
        let sides = [vec![adept(edition, spell, slot)], vec![dummy]];
        damage(sides, 2, "Adept", spell)
    };
    for (edition, slot, dice) in [("5.1", 3, "3d8"), ("5.2", 3, "3d8"), ("5.1", 5, "5d8")] {
        let (whole, half) = (mean(dice, |total| total), mean(dice, |total| total / 2));
        let expected = 2.0 * (0.75 * whole + 0.25 * half);
        let found = found(edition, "Spirit Guardians", slot);
        is_close("Spirit Guardians", found, expected);
    }
    let weapons = [
        ("5.1", 2, "1d8"),
        ("5.1", 3, "1d8"),
        ("5.1", 4, "2d8"),
        ("5.2", 4, "3d8"),
    ];
    for (edition, slot, dice) in weapons {
        let expected = 2.0 * blow(dice, 4, reaches(8, ARMOUR), 0.05);
        let found = found(edition, "Spiritual Weapon", slot);
        is_close("Spiritual Weapon", found, expected);
    }
}

#[test]
fn marks_add_damage_to_hits_on_the_marked() {
    for (edition, spell) in [
        ("5.1", "Hunter's Mark"),
        ("5.2", "Hunter's Mark"),
        ("5.2", "Hex"),
    ] {
        let mut block = adept(edition, spell, 1);
        block["actions"] = fighter("")["actions"].clone();
        let dummy = json!({ "name": "Dummy", "ac": ARMOUR, "hp": 2000 });
        let found = damage([vec![block], vec![dummy]], 2, "Adept", "Club");
        let hits = reaches(5, ARMOUR);
        let expected = blow("1d8", 3, hits, 0.05) + blow("1d6", 0, hits, 0.05);
        is_close(spell, found, 2.0 * expected);
    }
}

#[test]
fn haste_gives_an_attack_and_armour() {
    let sides = || {
        [
            vec![adept("5.1", "Haste", 3), fighter("Friend")],
            vec![fighter("Foe")],
        ]
    };
    let usual = blow("1d8", 3, reaches(5, ARMOUR), 0.05);
    is_close("Haste", damage(sides(), 1, "Friend", "Club"), 2.0 * usual);
    // The foe attacks the first of the two, who has as many hit points.
    let mut sides = sides();
    sides[0][1]["hp"] = 1000.into();
    let found = damage(sides, 1, "Foe", "Club");
    is_close("Haste", found, blow("1d8", 3, reaches(5, ARMOUR + 2), 0.05));
}

#[test]
fn light_gives_advantage_to_attacks() {
    let hits = reaches(5, ARMOUR);
    let usual = blow("1d8", 3, hits, 0.05);
    let better = blow(
        "1d8",
        3,
        1.0 - (1.0 - hits) * (1.0 - hits),
        1.0 - 0.95 * 0.95,
    );
    let sides = |spell: &str| {
        let dummy = json!({ "name": "Dummy", "ac": ARMOUR, "hp": 2000, "DEX": 10 });
        [vec![adept("5.1", spell, 1), fighter("Friend")], vec![dummy]]
    };
    // One attack has the advantage of a bolt that hits.
    let bolt = reaches(8, ARMOUR);
    let found = damage(sides("Guiding Bolt"), 1, "Friend", "Club");
    is_close("Guiding Bolt", found, bolt * better + (1.0 - bolt) * usual);
    let found = damage(sides("Guiding Bolt"), 2, "Friend", "Club");
    let expected = bolt * better + (2.0 - bolt) * usual;
    is_close("Guiding Bolt", found, expected);
}

#[test]
fn a_rebuke_answers_a_hit() {
    let sides = [
        vec![adept("5.1", "Hellish Rebuke", 2)],
        vec![fighter("Foe")],
    ];
    // With a slot of level 2, against a DC of 16; the first hit of the fight is answered.
    let found = damage(sides, 1, "Adept", "Hellish Rebuke");
    let (whole, half) = (mean("3d10", |total| total), mean("3d10", |total| total / 2));
    let expected = reaches(5, ARMOUR) * (0.75 * whole + 0.25 * half);
    is_close("Hellish Rebuke", found, expected);
}

#[test]
fn a_spell_is_stopped_by_a_reaction() {
    let found = |edition: &str, slot: usize| {
        let mut adept = adept("5.1", "Cone of Cold", slot);
        adept["CON"] = 12.into();
        let mut foe = caster(
            "Foe",
            edition,
            &["Counterspell"],
            [0, 0, 1, 0, 0, 0, 0, 0, 0],
        );
        foe["hp"] = 2000.into();
        damage([vec![adept], vec![foe]], 1, "Adept", "Cone of Cold")
    };
    let whole =
        |dice: &str| 0.75 * mean(dice, |total| total) + 0.25 * mean(dice, |total| total / 2);
    // By the SRD 5.1, a check with a bonus of 4 against 10 and the level.
    is_close("level 5", found("5.1", 5), 0.5 * whole("8d8"));
    is_close("level 7", found("5.1", 7), 0.6 * whole("10d8"));
    // By the SRD 5.2, a save against 16.
    is_close("a save", found("5.2", 7), 0.3 * whole("10d8"));
}

/// The spells of casters in fights of the second simulator, and what is told of them.
const CASTERS: [(&str, &[&str]); 18] = [
    ("5.1", &["Bless", "Shield", "Cure Wounds"]),
    ("5.1", &["Spirit Guardians", "Spiritual Weapon", "Bless"]),
    (
        "5.2",
        &["Spirit Guardians", "Spiritual Weapon", "Shield of Faith"],
    ),
    ("5.1", &["Divine Favor", "Shield of Faith", "Healing Word"]),
    ("5.2", &["Divine Favor", "Shield of Faith", "Bless"]),
    ("5.1", &["Blur", "Shield", "Magic Missile"]),
    ("5.1", &["Greater Invisibility", "Hold Person"]),
    ("5.1", &["Spiritual Weapon", "Guiding Bolt"]),
    ("5.1", &["Faerie Fire", "Guiding Bolt", "Bless"]),
    ("5.1", &["Haste", "Shield", "Healing Word"]),
    ("5.1", &["Hunter's Mark", "Cure Wounds"]),
    ("5.2", &["Hunter's Mark", "Hex", "Healing Word"]),
    ("5.2", &["Haste", "Hex", "Eldritch Blast"]),
    ("5.1", &["Mirror Image", "Shield"]),
    ("5.1", &["Counterspell", "Fireball", "Ice Storm"]),
    (
        "5.2",
        &["Counterspell", "Lightning Bolt", "Spirit Guardians"],
    ),
    ("5.1", &["Hellish Rebuke", "Shield", "Fireball"]),
    ("5.2", &["Mirror Image", "Bless"]),
];

const TOLD: [&str; 18] = [
    " is lit",
    " is outlined",
    " casts in vain",
    " uses Hellish Rebuke",
    " misses an image of ",
    " destroys an image of ",
    " attacks once more",
    " is too tired to act",
    " with Hunter's Mark",
    " gains Hex",
    " gains Bless",
    " loses Bless",
    " uses Shield: ",
    " uses Spirit Guardians",
    " with Spiritual Weapon",
    " gains Shield of Faith",
    " gains Divine Favor",
    " gains Greater Invisibility",
];

#[test]
fn helpers_agree_with_a_second_simulator() {
    let srd = srd();
    // The names have to be those of creatures of the SRD, without rules that go by the name.
    let is_plain = |block: &&Value| block["traits"].as_array().is_none_or(Vec::is_empty);
    let plain = srd.iter().filter(is_plain);
    let mut blocks: Vec<Value> = Vec::new();
    for (index, ((edition, spells), named)) in CASTERS.iter().zip(plain).enumerate() {
        let name = named["name"].as_str().expect("a name");
        let mut block = caster(name, edition, spells, [2, 2, 2, 1, 0, 0, 0, 0, 0]);
        block["character"] = (index % 2 == 0).into();
        block["actions"] = fighter("")["actions"].clone();
        if index % 3 == 0 {
            let twice = json!([{ "action": "Club", "count": 2 }]);
            let multiattack = json!({ "name": "Multiattack", "multiattack": twice });
            block["actions"]
                .as_array_mut()
                .expect("a list")
                .push(multiattack);
        }
        blocks.push(block);
    }
    for name in [
        "Ogre", "Veteran", "Troll", "Zombie", "Wolf", "Mage", "Priest",
    ] {
        let known = srd.iter().find(|block| block["name"] == name);
        blocks.push(known.expect("it is there").clone());
    }
    let mut told = check(&blocks, 150, false);
    told.extend(check(&blocks, 60, true));
    let lines: Vec<&String> = told.iter().flat_map(|one| &one.lines).collect();
    for words in TOLD {
        let is_told = lines.iter().any(|line| line.contains(words));
        assert!(is_told, "nobody{words}");
    }
}
