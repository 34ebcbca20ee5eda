//! Characters by class and level: their numbers, their sheets, and all of them in fights.

use super::character_damage::CLASSES;
use dicec_games::Edition;
use dicec_games::character::{Sheet, Verdict, named, nearest_named};
use dicec_games::encounter::{Bestiary, Encounter, Plan};
use serde_json::{Value, json};

/// Every class at every level of both editions is a creature, and has no member that is unknown.
#[test]
fn every_class_fights_at_every_level() {
    for edition in [Edition::Srd51, Edition::Srd52] {
        for (class, level) in CLASSES
            .iter()
            .flat_map(|class| (1..=20).map(move |at| (class, at)))
        {
            let name = format!("{class} {level}");
            let sheet = named(&name, edition).expect("it is a character");
            let character = sheet
                .build(edition, "$")
                .unwrap_or_else(|wrong| panic!("{wrong}"));
            let block = character.block.clone();
            let mut bestiary = Bestiary::default();
            assert_eq!(bestiary.add(block.clone()), Ok(Vec::new()), "{name}");
            let features = character.features.iter();
            let missing = features.filter(|one| one.verdict == Verdict::Missing);
            let noted = block["not modelled"].as_array().map_or(0, Vec::len);
            assert!(missing.count() <= noted, "{name}: a feature without a note");
            for distance in [Value::Null, 30.into()] {
                let document = json!({
                    "distance": distance,
                    "sides": [
                        { "creatures": [{ "creature": block }] },
                        { "creatures": [{ "creature": "Ogre" }] },
                    ],
                });
                let encounter = Encounter::read(&document).expect("it is an encounter");
                let plan = Plan::new(&encounter, &Bestiary::srd());
                let plan = plan.unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
                let missing = plan.missing().flat_map(|(_, all)| all);
                let strange =
                    missing.filter(|one| one.contains("does not have") || one.contains("(when "));
                assert_eq!(
                    strange.count(),
                    0,
                    "{name}: a feature that fights do not read"
                );
            }
        }
    }
}

/// Hit points, armour classes, saves and slots of some characters, by the tables of the rules.
#[test]
fn numbers_are_those_of_the_rules() {
    let built = |name: &str| {
        let sheet = named(name, Edition::Srd51).expect("it is a character");
        let built = sheet.build(Edition::Srd51, "$");
        built.unwrap_or_else(|wrong| panic!("{wrong}")).block
    };
    // 10 + 2, and 6 + 2 for each of 4 levels; chain mail, then splint with a shield.
    let champion = built("champion 5");
    assert_eq!([&champion["hp"], &champion["ac"]], [44, 19]);
    assert_eq!(champion["saves"], json!({ "STR": 7, "CON": 5 }));
    assert_eq!(built("fighter 1")["ac"], 18);
    // 14 Dexterity and 15 Constitution without armour; with them improved at level 20.
    assert_eq!(built("barbarian 5")["ac"], 14);
    let oldest = built("barbarian 20");
    assert_eq!([&oldest["STR"], &oldest["CON"]], [24, 24]);
    // Half of the level as a caster, rounded up; three slots of level 5.
    assert_eq!(
        built("paladin 9")["spellcasting"]["slots"],
        json!([4, 3, 2])
    );
    assert_eq!(
        built("warlock 11")["spellcasting"]["slots"],
        json!([0, 0, 0, 0, 3])
    );
    // Mage Armor costs a slot.
    let evoker = built("evoker 5");
    assert_eq!([&evoker["ac"], &evoker["hp"]], [15, 32]);
    assert_eq!(evoker["spellcasting"]["slots"], json!([3, 3, 2]));
    let bare = json!({ "class": "evoker", "level": 5, "spells": ["Fireball"] });
    let bare = Sheet::read(&bare, "$").and_then(|sheet| sheet.build(Edition::Srd51, "$"));
    let bare = bare.unwrap_or_else(|wrong| panic!("{wrong}")).block;
    assert_eq!(bare["ac"], 12);
    assert_eq!(bare["spellcasting"]["slots"], json!([4, 3, 2]));
    // All saves of a paladin add its Charisma of 2 from level 6 on; its Intelligence is 9.
    assert_eq!(built("paladin 6")["saves"]["INT"], json!(1));
    assert_eq!(
        built("half-orc thief 3")["traits"][0]["name"],
        "Relentless Endurance"
    );
    let meant = nearest_named("evokr 7", Edition::Srd51);
    assert_eq!(meant.as_deref(), Some("evoker 7"));
}

/// A sheet changes what is not as usual, and refuses what the rules do not have.
#[test]
fn sheets_change_characters() {
    let mut bestiary = Bestiary::srd();
    let sheet = json!({
        "name": "Ayla", "class": "champion", "level": 5, "weapons": ["greatsword", "longbow"],
        "shield": false, "styles": ["Defense"], "magic": { "weapons": 1 }, "feats": ["Lucky"],
        "scores": { "STR": 20 },
    });
    assert_eq!(bestiary.add(sheet.clone()), Ok(Vec::new()));
    let ayla = bestiary.find("ayla").expect("she is there");
    let sword = ayla
        .actions
        .iter()
        .find(|action| action.name == "Greatsword");
    // Proficiency 3, Strength 5, magic 1.
    assert_eq!(sword.and_then(|sword| sword.bonus), Some(9));
    assert_eq!(ayla.ac, 18);
    assert!(ayla.not_modelled.iter().any(|one| one == "Lucky"));
    for (member, value, message) in [
        (
            "class",
            json!("figter"),
            "`$.class` is `figter`, which is not a class",
        ),
        ("level", json!(21), "`$.level` is 21"),
        (
            "weapons",
            json!(["sword"]),
            "`$.weapons[0]` is `sword`, which is not a weapon of the rules",
        ),
        (
            "armour",
            json!("tin"),
            "`$.armour` is `tin`, which is not armour of the rules",
        ),
        (
            "species",
            json!("ogre"),
            "`$.species` is `ogre`, which the SRD 5.1 does not have",
        ),
        (
            "scores",
            json!({ "LUCK": 3 }),
            "`$.scores.LUCK` is not an ability",
        ),
        ("magic", json!({ "weapons": 4 }), "`$.magic.weapons` is 4"),
        (
            "off hand",
            json!("dagger"),
            "`$.off hand` needs two light weapons, and the greatsword is not",
        ),
        (
            "weapon",
            json!("club"),
            "`$.weapon` is not a member that is known",
        ),
    ] {
        let mut wrong = sheet.clone();
        wrong[member] = value;
        let found = bestiary.add(wrong).map_err(|wrong| wrong.to_string());
        assert_eq!(found, Err(message.to_owned()));
    }
}
