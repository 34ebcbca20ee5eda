//! Spell lists become actions.

use super::*;
use crate::encounter::bestiary::{Bestiary, Creature};
use crate::encounter::{Plan, read_line};

fn block(casting: Value) -> Value {
    json!({"name": "Adept", "ac": 12, "hp": 40, "INT": 18, "proficiency": 3, "spellcasting": casting})
}

/// The names of the actions, with the dice of their damage.
fn actions(casting: Value) -> Vec<(String, String)> {
    let block = with_spells(&block(casting));
    let actions = block["actions"].as_array().cloned().unwrap_or_default();
    let shown = actions.iter().map(|action| {
        let name = action["name"].as_str().unwrap_or_default().to_owned();
        let dice = action["damage"][0]["dice"].as_str();
        let dice = dice.or(action["heals"].as_str()).unwrap_or_default();
        (name, dice.to_owned())
    });
    shown.collect()
}

fn named(name: &str, dice: &str) -> (String, String) {
    (name.to_owned(), dice.to_owned())
}

#[test]
fn slots_above_the_level_of_a_spell_add_dice() {
    let casting = json!({"level": 9, "ability": "INT", "slots": [4, 3, 3, 0, 1],
        "spells": ["Fire Bolt", "magic missile", "Fireball", "Blight", "cure wounds"]});
    let expected = [
        named("Fire Bolt", "2d10"),
        named("Magic Missile", "3d4+3"),
        named("Magic Missile (slot of level 2)", "4d4+4"),
        named("Magic Missile (slot of level 3)", "5d4+5"),
        named("Magic Missile (slot of level 5)", "7d4+7"),
        named("Fireball", "8d6"),
        named("Fireball (slot of level 5)", "10d6"),
        named("Blight (slot of level 5)", "9d8"),
        named("Cure Wounds", "1d8+4"),
        named("Cure Wounds (slot of level 2)", "2d8+4"),
        named("Cure Wounds (slot of level 3)", "3d8+4"),
        named("Cure Wounds (slot of level 5)", "5d8+4"),
    ];
    assert_eq!(actions(casting), expected);
}

#[test]
fn numbers_of_the_caster_are_filled_in() {
    let casting =
        json!({"ability": "INT", "at will": ["Ray of Frost"], "per day": {"1": ["Hold Person"]}});
    let block = with_spells(&block(casting));
    assert_eq!(block["actions"][0]["bonus"], 7);
    assert_eq!(block["actions"][0].get("usage"), None);
    assert_eq!(block["actions"][1]["save"]["dc"], 15);
    assert_eq!(block["actions"][1]["usage"], json!({"per day": 1}));
    assert_eq!(block["actions"][1]["concentration"], true);
}

#[test]
fn unknown_spells_are_named_and_idle_ones_are_not() {
    let casting =
        json!({"slots": [1], "spells": ["Light", "Animate Dead", "Detect Magic", "Time Stop"]});
    let block = with_spells(&block(casting));
    assert_eq!(
        block["not modelled"],
        json!(["Spellcasting (Animate Dead, Time Stop)"])
    );
    assert_eq!(block["actions"], json!([]));
}

/// Each spell of the library is an action that stat blocks can have.
#[test]
fn the_library_is_read_whole() {
    for spell in &LIBRARY.cast {
        let casting = json!({"ability": "INT", "level": 20, "slots": [1, 1, 1, 1, 1, 1, 1, 1, 1],
            "spells": [spell.name]});
        let block = with_spells(&block(casting));
        let whole = Bestiary::default().add(block.clone());
        assert_eq!(whole, Ok(Vec::new()), "{}", spell.name);
        let read: Result<Creature, _> = serde_json::from_value(block);
        let count = read.map(|creature| creature.actions.len());
        assert!(count.is_ok_and(|count| count > 0), "{}", spell.name);
    }
}

/// A reaction uses slots of one level, and help at will may be given in every round.
#[test]
fn reactions_use_the_lowest_slots() {
    let casting = json!({"ability": "INT", "slots": [0, 2, 2], "spells": ["Shield", "Hellish Rebuke"],
        "at will": ["Blur"]});
    let block = with_spells(&block(casting));
    let actions = block["actions"].as_array().expect("actions");
    let names: Vec<&Value> = actions.iter().map(|action| &action["name"]).collect();
    let slot = |name: &str| format!("{name} (slot of level 2)");
    assert_eq!(names, ["Blur", &slot("Shield"), &slot("Hellish Rebuke")]);
    assert_eq!(actions[0]["usage"], json!({"per day": 100}));
    assert_eq!(actions[1]["usage"], json!({"slot": 2}));
    assert_eq!(actions[1]["reaction"], true);
    assert_eq!(actions[2]["damage"][0]["dice"], "3d10");
}

/// The documents say how many there are.
#[test]
fn the_documents_count_the_spells() {
    let text = include_str!("../../../../docs/encounters.md").replace('\n', " ");
    let (cast, idle) = (LIBRARY.cast.len(), LIBRARY.without_effect.len());
    let (changed, more): (Vec<_>, Vec<_>) = CHANGED
        .iter()
        .partition(|one| LIBRARY.cast.iter().any(|own| own.name == one.name));
    let (changed, more) = (changed.len(), more.len());
    assert!(text.contains(&format!("{more} more that fights play by the SRD 5.2")));
    assert!(text.contains(&format!("{changed} of the first have other numbers")));
    assert!(text.contains(&format!("Known are {cast} spells")), "{cast}");
    assert!(
        text.contains(&format!("and {idle} that change no fight")),
        "{idle}"
    );
}

/// Lists that nobody could mean are errors, and cost no more than others before they are.
#[test]
fn absurd_lists_are_errors() {
    let plan = |casting: Value| {
        let mut adept = block(casting);
        adept["actions"] = json!([
            {"name": "Staff", "bonus": 4, "kind": "melee", "damage": [{"dice": "1d6", "type": "bludgeoning"}]}
        ]);
        let mut bestiary = Bestiary::srd();
        assert_eq!(bestiary.add(adept), Ok(Vec::new()));
        let encounter = read_line("1 Adept vs 1 Goblin", &bestiary).expect("an encounter");
        Plan::new(&encounter, &bestiary)
            .map(|_| ())
            .map_err(|wrong| wrong.path)
    };
    let spells = vec!["Fireball"; 5000];
    let wrong = |member: &str| Err(format!("Adept: $.spellcasting.{member}"));
    assert_eq!(
        plan(json!({"slots": [1], "spells": spells})),
        wrong("spells")
    );
    assert_eq!(
        plan(json!({"slots": vec![1; 5000], "spells": ["Fireball"]})),
        wrong("slots")
    );
    assert_eq!(
        plan(json!({"per day": {"many": ["Fireball"]}})),
        wrong("per day")
    );
    assert_eq!(
        plan(json!({"ability": "INT", "slots": [2], "spells": ["Magic Missile"]})),
        Ok(())
    );
    let huge = json!({"ability": "INT", "slots": [1], "spells": ["Sacred Flame", "Cure Wounds"]});
    let mut block = block(huge);
    (block["INT"], block["proficiency"]) = (json!(i64::MIN), json!(i64::MAX));
    let _ = with_spells(&block);
}
