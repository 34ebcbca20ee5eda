//! Texts of documents stay texts in the scripts that are written for them (issue 50, row 6): names,
//! keys and dice of encounters, features and scenarios of the d100 rules are replaced by texts that
//! would be code if somebody forgot to quote them, one at a time.

use super::hostile_places::{Case, HOSTILE, check};
use dicec_compiler::{Compiler, ScriptSession};
use dicec_games::dh2e::{
    Circumstances, Notes, Purpose as Use, Scenario, Tested, read_actor, read_phenomena, test_script,
};
use dicec_games::encounter::{
    Bestiary, Encounter, Plan, Purpose, Told, encounter_script, read_line,
};
use dicec_games::features::{Values, feature_script, read_features};
use dicec_tests::programs::{bind, script};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// The scripts of an encounter: each that is written of it.
fn of_encounter(document: &Value) -> Result<Vec<String>, String> {
    let bestiary = Bestiary::srd();
    let encounter: Encounter =
        serde_json::from_value(document.clone()).map_err(|wrong| format!("`{wrong}`"))?;
    let plan = Plan::new(&encounter, &bestiary).map_err(|wrong| wrong.to_string())?;
    let forms = [Told::Blows, Told::Figures, Told::Sides];
    let scripts = forms.map(|form| {
        let script = encounter_script(&plan, form, Purpose::Trials);
        script.map_err(|wrong| wrong.to_string())
    });
    scripts.into_iter().collect()
}

/// An encounter between creatures of the SRD, whose stat blocks are in it.
fn encounter(line: &str, distance: Option<u32>) -> Value {
    let bestiary = Bestiary::srd();
    let encounter = read_line(line, &bestiary).unwrap_or_else(|wrong| panic!("{wrong}"));
    let sides = encounter.sides.iter().enumerate().map(|(side, of_side)| {
        let groups = of_side.creatures.iter();
        let groups = groups.map(|group| {
            let name = group.creature.as_str();
            let mut blocks = bestiary.blocks();
            let block = name.map(|name| blocks.find(|block| block["name"] == name));
            let block = block.flatten().unwrap_or(&group.creature);
            json!({ "creature": block, "count": group.count })
        });
        json!({ "name": format!("Side {side}"), "creatures": groups.collect::<Vec<_>>() })
    });
    let sides: Vec<Value> = sides.collect();
    match distance {
        Some(distance) => json!({ "sides": sides, "distance": distance }),
        None => json!({ "sides": sides }),
    }
}

/// An encounter of the examples or of the tests.
fn file(path: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    let text = fs::read_to_string(path).expect("a file of the repository");
    serde_json::from_str(&text).expect("JSON")
}

fn encounters() -> Vec<Case> {
    let band = file("tests/cli/encounter_characters.in/band.json");
    let groups = band.as_array().into_iter().flatten();
    let groups: Vec<Value> = groups.map(|one| json!({ "creature": one })).collect();
    let mut tactics = file("examples/bridge/fight.json");
    let functions = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bridge/tactics.dice");
    tactics["functions"] = json!(fs::read_to_string(functions).expect("the functions"));
    let case = |name, document| Case {
        name,
        document,
        scripts: of_encounter,
        apart: false,
        words: &[],
    };
    vec![
        case("watch", file("examples/watch.json")),
        case("witch", file("examples/witch.json")),
        case("bridge", tactics),
        case(
            "band",
            json!({ "sides": [
                { "creatures": groups },
                { "creatures": [{ "creature": "Goblin", "count": 2 }] },
            ] }),
        ),
        case(
            "dragon",
            encounter("2 Knight vs 1 Adult Black Dragon", None),
        ),
        case(
            "mage",
            encounter("1 Mage, 1 Troll vs 1 Giant Toad, 2 Zombie", None),
        ),
        case(
            "far",
            encounter("1 Hydra, 1 Minotaur vs 2 Gnoll, 1 Rust Monster", Some(30)),
        ),
        case("vampire", encounter("2 Priest vs 1 Vampire Spawn", None)),
    ]
}

#[test]
fn texts_of_encounters_stay_texts() {
    check(&encounters());
}

/// What something is called is told, and nothing else happens.
#[test]
fn names_are_told_as_they_are() {
    for name in [HOSTILE[0], HOSTILE[1], "{foe} \\"] {
        let document = json!({ "sides": [
            { "creatures": [{ "creature": { "name": "Hound", "ac": 1, "hp": 900, "actions": [
                { "name": name, "bonus": 30, "kind": "melee",
                    "damage": [{ "dice": "1", "type": "fire" }] },
            ] } }] },
            { "creatures": [{ "creature": "Tarrasque" }] },
        ], "rounds": 1 });
        let scripts = of_encounter(&document).unwrap_or_else(|wrong| panic!("{wrong}"));
        let bound = bind(&script(&scripts[0]), "encounter", &json!({}));
        let played = bound.play(&mut ScriptSession::new(1)).expect("a fight");
        let told = format!("{:?}", played.steps);
        let name = format!("{name:?}");
        let name = name.trim_matches('"');
        assert!(told.contains(&format!("Tarrasque with {name}")), "{told}");
        assert_eq!(played.label.as_deref(), Some("draw"), "{told}");
    }
}

/// Two names that are alike in letters and digits, or like a name that every script has.
#[test]
fn names_that_are_alike_are_two_things() {
    let strike = |name: &str| {
        json!({ "name": name, "bonus": 3, "kind": "melee",
            "damage": [{ "dice": "1d6", "type": "fire" }] })
    };
    let burst = |name: &str| {
        json!({ "name": name, "usage": { "per day": 1 }, "save": { "ability": "DEX", "dc": 12,
            "on success": "half", "damage": [{ "dice": "2d6", "type": "fire" }],
            "conditions": ["prone"] } })
    };
    let creature = |name: &str, actions: &[Value]| {
        let block = json!({ "name": name, "ac": 10, "hp": 9, "actions": actions });
        json!({ "creature": block })
    };
    let names = [
        ("Hurt", "First", "Goblin", "Boss Turn"),
        ("Any", "Stands", "any!", "stands?"),
        ("Goblin", "Bite", "Goblin!", "Bite"),
        ("Max", "!", "If", "!"),
        ("D", "20", "d", "6"),
        ("A", "Claw", "A", "Claw Save"),
        ("Initiative Of", "x", "initiative of", "y"),
        ("Дракон", "Укус", "Волк", "Укус"),
        ("Total", "…", "Face", "…"),
        ("Goblin Boss", "Kick", "Goblin", "Boss Kick"),
    ];
    for (one, first, other, second) in names {
        for actions in [
            [strike(first), burst(second)],
            [burst(first), burst(second)],
        ] {
            let document = json!({ "sides": [
                { "creatures": [creature(one, &actions), creature(other, &actions)] },
                { "creatures": [creature("Goblin Boss", &actions)] },
            ] });
            let scripts = of_encounter(&document).unwrap_or_else(|wrong| panic!("{wrong}"));
            for script in scripts {
                if let Err(found) = Compiler::new().script(&script) {
                    panic!("{one}, {first}, {other}, {second}: {found}\n{script}");
                }
            }
        }
    }
}

/// Rows of a table of stat blocks become the same blocks.
#[test]
fn texts_of_tables_of_stat_blocks_stay_texts() {
    let header = [
        "name",
        "ac",
        "hp",
        "action",
        "attack bonus",
        "damage",
        "damage type",
    ];
    for text in HOSTILE {
        let mut bestiary = Bestiary::srd();
        let cells = [text, "12", "20", text, "4", "1d6+2", text];
        let header: Vec<String> = header.map(str::to_owned).into();
        let rows = vec![cells.map(str::to_owned).to_vec()];
        let Ok(_) = bestiary.add_rows(&header, &rows) else {
            continue;
        };
        let block = bestiary.blocks().find(|block| block["name"] == text);
        let Some(block) = block.cloned() else {
            continue;
        };
        let document = json!({ "sides": [
            { "creatures": [{ "creature": block }] },
            { "creatures": [{ "creature": "Goblin" }] },
        ] });
        for script in of_encounter(&document).unwrap_or_else(|wrong| panic!("{wrong}")) {
            if let Err(found) = Compiler::new().script(&script) {
                panic!("{text:?}: {found}\n{script}");
            }
        }
    }
}

/// A document of the d100 rules with the files that it names.
fn scenario(name: &str) -> Value {
    filled(&file(&format!("examples/dh2e/{name}")))
}

fn filled(value: &Value) -> Value {
    match value {
        Value::String(text) if text.ends_with(".json") => {
            filled(&file(&format!("examples/dh2e/{text}")))
        }
        Value::Array(parts) => parts.iter().map(filled).collect(),
        Value::Object(members) => {
            let members = members.iter();
            let members = members.map(|(name, value)| (name.clone(), filled(value)));
            Value::Object(members.collect())
        }
        other => other.clone(),
    }
}

fn of_scenario(document: &Value) -> Result<Vec<String>, String> {
    let scenario = Scenario::read(document).map_err(|wrong| wrong.to_string())?;
    let scripts = [Use::Trials, Use::Telling, Use::Odds].map(|purpose| {
        let script = scenario.script(purpose, &mut Notes::default());
        script.map_err(|wrong| wrong.to_string())
    });
    scripts.into_iter().collect()
}

fn of_tests(document: &Value) -> Result<Vec<String>, String> {
    let actor = read_actor(&document["actor"]).map_err(|wrong| wrong.to_string())?;
    let tables = read_phenomena(&document["tables"]).map_err(|wrong| wrong.to_string())?;
    let tested = [
        Tested::Characteristic("bs"),
        Tested::Skill("dodge:dodge-attack"),
        Tested::Power("smite", true),
    ];
    let scripts = tested.map(|tested| {
        let circumstances = Circumstances::default();
        let notes = &mut Notes::default();
        let plan = test_script(&actor, &tested, Some(&tables), circumstances, notes);
        plan.map(|plan| plan.script)
            .map_err(|wrong| wrong.to_string())
    });
    scripts.into_iter().collect()
}

#[test]
fn texts_of_scenarios_stay_texts() {
    let mut cases: Vec<Case> = [
        "ambush.json",
        "burst.json",
        "maul.json",
        "pit.json",
        "stairs.json",
    ]
    .into_iter()
    .map(|name| Case {
        name,
        document: scenario(name),
        scripts: of_scenario,
        apart: true,
        words: &[],
    })
    .collect();
    cases.push(Case {
        name: "tests",
        document: json!({
            "actor": scenario("vessa.json"),
            "tables": scenario("phenomena.json"),
        }),
        scripts: of_tests,
        apart: true,
        words: &[],
    });
    check(&cases);
}

fn of_features(document: &Value) -> Result<Vec<String>, String> {
    let (features, found) = read_features(&document.to_string());
    if found.has_errors() {
        return Err(format!("`{found}`"));
    }
    let values = Values::default();
    let scripts = features.iter().map(|feature| {
        let script = feature_script(feature, &values);
        script.map_err(|wrong| wrong.to_string())
    });
    scripts.collect()
}

/// Words that mean the creature, and values in braces, which are those without.
const FEATURE_WORDS: &[&str] = &["self", "{foe}"];

#[test]
fn texts_of_features_stay_texts() {
    let library = file("games/src/encounter/feature/library.json");
    let names = [
        "bile_jet.json",
        "bloodlust.json",
        "clinging_hide.json",
        "dust_burst.json",
        "gore.json",
        "sour_ground.json",
    ];
    let mut cases: Vec<Case> = names
        .into_iter()
        .map(|name| Case {
            name,
            document: file(&format!("examples/features/{name}")),
            scripts: of_features,
            apart: true,
            words: FEATURE_WORDS,
        })
        .collect();
    let some = library.as_array().into_iter().flatten().step_by(9).cloned();
    cases.push(Case {
        name: "library",
        document: some.collect(),
        scripts: of_features,
        apart: true,
        words: FEATURE_WORDS,
    });
    check(&cases);
}
