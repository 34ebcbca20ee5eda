//! Texts of documents stay texts in the scripts that are written for them (issue 50, row 6): names,
//! keys and dice of encounters, features and scenarios of the d100 rules are replaced by texts that
//! would be code if somebody forgot to quote them, one at a time.

use dicec_compiler::front::dh2e::{
    Circumstances, Notes, Purpose as Use, Scenario, Tested, read_actor, read_phenomena, test_script,
};
use dicec_compiler::front::encounter::{
    Bestiary, Encounter, Plan, Purpose, Told, encounter_script, read_line,
};
use dicec_compiler::front::features::{Values, feature_script, read_features};
use dicec_compiler::{Compiler, ScriptSession};
use dicec_tests::programs::{bind, script};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What somebody may call something.
const HOSTILE: [&str; 26] = [
    "Bite\" + \"\"); foe.hp = 0; output(\"",
    "The \"Big\" Bite",
    "\\",
    "a\\\"; x",
    "two\nlines",
    "two\r\nlines",
    "*/",
    "// x",
    "/* x",
    "${x}",
    "{foe}",
    "a\u{2028}b\u{85}c",
    "a\0b",
    "a\tb",
    "\u{202e}שלום",
    "Дракон",
    "",
    "1d6 + 2); foe.hp = 0; (",
    "1) { foe.hp = 0; } repeat (1",
    "if",
    "d6",
    "total",
    "self",
    "[Strength]",
    "“quoted”",
    "a; } deffun b() { } deffun c() {",
];

/// A word that means nothing, in place of which others are compared.
const HARMLESS: &str = "Qwxzqy";

/// A text that is very long.
fn long() -> String {
    format!("{}\"", "long ".repeat(2_000))
}

/// A script as a list of tokens, in which each name is the number of names before it, so that
/// scripts with other names are the same; and its texts.
#[derive(Debug, PartialEq)]
struct Shape {
    lines: Vec<String>,
    texts: Vec<String>,
}

/// The shape of a script. If `apart`, its lines are compared each by itself, in any order: what is
/// sorted by names may be in another one.
fn shape(script: &str, apart: bool) -> Shape {
    let mut names = BTreeMap::new();
    let mut texts = Vec::new();
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut rest = script.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\n' => {
                if apart {
                    names.clear();
                }
                lines.extend((!line.is_empty()).then(|| std::mem::take(&mut line)));
            }
            '/' if rest.peek() == Some(&'/') => while rest.next_if(|c| *c != '\n').is_some() {},
            '"' => {
                texts.push(read_text(&mut rest));
                line += " \"\"";
            }
            c if c.is_alphabetic() || c == '_' => {
                let mut name = String::from(c);
                while let Some(c) = rest.next_if(|c| c.is_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                let count = names.len();
                line += &format!(" n{}", names.entry(name).or_insert(count));
            }
            c if c.is_whitespace() => {}
            c => line.push(c),
        }
    }
    lines.push(line);
    if apart {
        lines.sort();
        texts.sort();
    }
    Shape { lines, texts }
}

/// The characters of a text after its quote.
fn read_text(rest: &mut impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    while let Some(c) = rest.next() {
        match c {
            '"' => return text,
            '\\' => match rest.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                other => text.extend(other),
            },
            c => text.push(c),
        }
    }
    panic!("a text does not end: {text}");
}

/// A document, and the scripts that it becomes, or what is wrong with it.
struct Case {
    name: &'static str,
    document: Value,
    scripts: fn(&Value) -> Result<Vec<String>, String>,
    /// Whether the order of some lines depends on names.
    apart: bool,
}

/// The places of texts in a document: of values, and of the names of members.
fn places(value: &Value, path: &str, all: &mut Vec<(String, bool)>) {
    match value {
        // Policies are code: the encounter brings them along.
        Value::String(_) if path != "/functions" => all.push((path.to_owned(), false)),
        Value::Array(parts) => {
            for (index, part) in parts.iter().enumerate() {
                places(part, &format!("{path}/{index}"), all);
            }
        }
        Value::Object(members) => {
            for (name, part) in members {
                let path = format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
                all.push((path.clone(), true));
                places(part, &path, all);
            }
        }
        _ => {}
    }
}

/// The document with another text at a place.
fn replaced(document: &Value, (path, is_name): &(String, bool), text: &str) -> Value {
    let mut changed = document.clone();
    if *is_name {
        let (parent, name) = path.rsplit_once('/').expect("a member");
        let name = name.replace("~1", "/").replace("~0", "~");
        let parent = changed.pointer_mut(parent).and_then(Value::as_object_mut);
        let members = std::mem::take(parent.expect("an object"));
        let members = members.into_iter();
        let members = members.map(|(own, value)| match own == name {
            true => (text.to_owned(), value),
            false => (own, value),
        });
        let whole = changed.pointer_mut(path.rsplit_once('/').expect("a member").0);
        *whole.expect("an object") = Value::Object(members.collect());
    } else {
        *changed.pointer_mut(path).expect("a value") = json!(text);
    }
    changed
}

/// What is wrong with the script of a document in which a text is hostile, if anything is.
fn fault(case: &Case, place: &(String, bool), text: &str) -> Option<String> {
    let said = |what: String| {
        let name = case.name;
        Some(format!("{name}, {}, {text:?}: {what}", place.0))
    };
    let hostile = match (case.scripts)(&replaced(&case.document, place, text)) {
        Ok(scripts) => scripts,
        Err(wrong) => {
            let is_about_document =
                wrong.contains('$') || wrong.contains('`') || wrong.contains("D0");
            return match is_about_document && !wrong.contains("internal") {
                true => None,
                false => said(format!("it is refused with {wrong:?}")),
            };
        }
    };
    for script in &hostile {
        if let Err(found) = Compiler::new().script(script) {
            return said(format!("its script is wrong: {found}\n{script}"));
        }
    }
    let harmless = (case.scripts)(&replaced(&case.document, place, HARMLESS)).ok()?;
    for (hostile, harmless) in hostile.iter().zip(&harmless) {
        let (found, mut wanted) = (shape(hostile, case.apart), shape(harmless, case.apart));
        let is_same = |(one, other): (&String, &String)| one == other;
        if found.lines.len() != wanted.lines.len()
            || !found.lines.iter().zip(&wanted.lines).all(is_same)
        {
            let differ = found
                .lines
                .iter()
                .zip(&wanted.lines)
                .find(|pair| pair.0 != pair.1);
            return said(format!("the script is another one: {differ:?}\n{hostile}"));
        }
        for wanted in &mut wanted.texts {
            *wanted = wanted.replace(HARMLESS, text);
        }
        if case.apart {
            wanted.texts.sort();
        }
        let differ = found
            .texts
            .iter()
            .zip(&wanted.texts)
            .find(|pair| pair.0 != pair.1);
        if let Some(differ) = differ {
            return said(format!("a text is not the text that was given: {differ:?}"));
        }
    }
    None
}

/// How many of the texts are tried at each place.
const TEXTS: usize = 4;

/// Tries texts at all places of documents, other ones at each.
fn check(cases: &[Case]) {
    let long = long();
    let texts: Vec<&str> = HOSTILE.into_iter().chain([long.as_str()]).collect();
    let count = match std::env::var("DICEC_CASES") {
        Ok(count) => count.parse().unwrap_or(TEXTS),
        Err(_) => TEXTS,
    };
    let mut all = Vec::new();
    for case in cases {
        let scripts = (case.scripts)(&case.document);
        scripts.unwrap_or_else(|wrong| panic!("{}: {wrong}", case.name));
        let mut found = Vec::new();
        places(&case.document, "", &mut found);
        all.extend(found.into_iter().map(|place| (case, place)));
    }
    let all = all.into_par_iter().enumerate();
    let faults = all.flat_map_iter(|(index, (case, place))| {
        let mut texts: Vec<&str> = texts.clone();
        texts.rotate_left(index * 7 % texts.len());
        let texts = texts.into_iter().take(count);
        let faults: Vec<String> = texts.filter_map(|text| fault(case, &place, text)).collect();
        faults
    });
    let faults: Vec<String> = faults.collect();
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults[..faults.len().min(12)].join("\n")
    );
}

/// The scripts of an encounter: each that is written of it.
fn of_encounter(document: &Value) -> Result<Vec<String>, String> {
    let bestiary = Bestiary::srd();
    let encounter: Encounter =
        serde_json::from_value(document.clone()).map_err(|wrong| format!("`{wrong}`"))?;
    let plan = Plan::new(&encounter, &bestiary).map_err(|wrong| wrong.to_string())?;
    let forms = [Told::Blows, Told::Figures, Told::Sides];
    let scripts = forms.map(|form| encounter_script(&plan, form, Purpose::Trials));
    Ok(scripts.into())
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
        case("vampire", encounter("2 Priest vs 1 Vampire", None)),
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
    let creature = |name: &str, actions: &[Value]| json!({ "creature": { "name": name, "ac": 10, "hp": 9, "actions": actions } });
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
    });
    check(&cases);
}

fn of_features(document: &Value) -> Result<Vec<String>, String> {
    let (features, found) = read_features(&document.to_string());
    if found.has_errors() {
        return Err(format!("`{found}`"));
    }
    let values = Values::default();
    let scripts = features
        .iter()
        .map(|feature| feature_script(feature, &values));
    Ok(scripts.collect())
}

#[test]
fn texts_of_features_stay_texts() {
    let library = file("compiler/src/front/encounter/feature/library.json");
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
        })
        .collect();
    let some = library.as_array().into_iter().flatten().step_by(9).cloned();
    cases.push(Case {
        name: "library",
        document: some.collect(),
        scripts: of_features,
        apart: true,
    });
    check(&cases);
}
