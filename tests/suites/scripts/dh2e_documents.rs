//! The files of the d100 rules: their JSON Schema, and what in them has no effect (issue 15, 2 and
//! 4).

use crate::dh2e_scenarios::example;
use dicec_games::dh2e::{
    At, Notes, Synthetics, read_actor, read_phenomena, scenario_script, schema,
};
use dicec_tests::json_schema::is_valid;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// What a test changes about a document.
type Change<'a> = &'a dyn Fn(&mut Value);

/// Which schema an example is for, by its members.
fn kind(json: &Value) -> &'static str {
    let has = |name: &str| json.get(name).is_some();
    match () {
        () if has("attacker") => "attack",
        () if has("sides") => "fight",
        () if has("characteristics") => "actor",
        () if has("phenomena") => "phenomena",
        () if has("injuries") => "injuries",
        () => panic!("an example of nothing: {json}"),
    }
}

/// Every example is what its published schema says, and no other schema takes it.
#[test]
fn examples_are_as_their_schemas_say() {
    const KINDS: [&str; 5] = ["attack", "fight", "actor", "phenomena", "injuries"];
    let schemas = KINDS.map(|name| (name, schema(name).expect("a schema").to_value()));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/dh2e");
    let mut seen = 0;
    for entry in fs::read_dir(folder).expect("the examples") {
        let path = entry.expect("an example").path();
        if path.extension().is_none_or(|end| end != "json") {
            continue;
        }
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a name");
        let json = example(name);
        for (of, schema) in &schemas {
            assert_eq!(
                is_valid(schema, &json),
                *of == kind(&json),
                "{name} as {of}"
            );
        }
        if kind(&json) == "actor" {
            let items = schema("items").expect("a schema").to_value();
            assert!(is_valid(&items, &json), "{name}");
        }
        seen += 1;
    }
    assert!(seen >= 10, "{seen} examples");
}

/// What a schema refuses is refused when it is read, and the other way round.
#[test]
fn schemas_refuse_what_is_refused() {
    let actor = || {
        json!({ "name": "Ann", "characteristics": { "ws": 40 },
                "items": [{ "name": "Aim", "rules": [
                    { "key": "FlatModifier", "domain": "attack", "value": 10,
                      "predicate": ["self:aim", { "or": ["a", "not:b"] }] }] }] })
    };
    let schema = schema("actor").expect("a schema").to_value();
    let changes: [(&str, Change<'_>, bool); 7] = [
        ("as it is", &|_| {}, true),
        ("a name", &|a| a["name"] = json!(3), false),
        ("a stranger", &|a| a["age"] = json!(3), false),
        (
            "a number",
            &|a| a["characteristics"]["ws"] = json!("40"),
            false,
        ),
        (
            "no value",
            &|a| a["items"][0]["rules"][0]["value"] = json!("ten"),
            false,
        ),
        (
            "a rating",
            &|a| {
                a["items"][0]["rating"] = json!(2);
                a["items"][0]["rules"][0]["value"] = json!("rating");
            },
            true,
        ),
        (
            "no domain",
            &|a| a["items"][0]["rules"][0]["domain"] = json!(1),
            false,
        ),
    ];
    for (what, change, is_good) in changes {
        let mut json = actor();
        change(&mut json);
        assert_eq!(is_valid(&schema, &json), is_good, "{what}");
        let read = read_actor(&json).is_ok()
            && Synthetics::read(&At::root(&json["items"]), &mut Notes::default()).is_ok();
        assert_eq!(read, is_good, "{what}");
    }
    assert!(read_phenomena(&example("phenomena.json")).is_ok());
}

/// What items note: the paths, what is said, and the advice.
fn noted(items: &Value) -> Vec<String> {
    let mut notes = Notes::default();
    let read = Synthetics::read(&At::root(items), &mut notes);
    read.unwrap_or_else(|wrong| panic!("{wrong}"));
    let all = notes.all().iter();
    all.map(|note| format!("{note} / {}", note.help.as_deref().unwrap_or_default()))
        .collect()
}

#[test]
fn what_is_not_read_is_noted() {
    let of = |rule: Value| json!([{ "name": "Aim", "rules": [rule] }]);
    for (items, expected) in [
        (
            of(json!({ "key": "FlatModifier", "domain": "attack", "value": 1, "predicte": ["a"] })),
            "`$[0].rules[0].predicte` is not read: it has no effect / did you mean `predicate`?",
        ),
        (
            of(json!({ "key": "RollOption", "option": "a", "priority": 3 })),
            "`$[0].rules[0].priority` is not read: it has no effect / ",
        ),
        (
            of(json!({ "key": "FlatModifier", "domain": "atack:ranged", "value": 1 })),
            "`$[0].rules[0].domain` is `atack:ranged`, a domain of no roll / \
             did you mean `attack:ranged`?",
        ),
        (
            of(json!({ "key": "Resistance", "damageType": "enrgy", "value": 2 })),
            "`$[0].rules[0].damageType` is `enrgy`, a type of damage of its own / \
             did you mean `energy`?",
        ),
        (
            json!([{ "name": "Scope", "ruels": [] }]),
            "`$[0].ruels` is not read: the item has no `rules` / did you mean `rules`?",
        ),
        (
            json!([{ "label": "Aim", "value": 10, "predicat": "a" }]),
            "`$[0].predicat` is not read: it has no effect / did you mean `predicate`?",
        ),
    ] {
        assert_eq!(noted(&items), [expected]);
    }
    let fine = json!([{ "name": "Aim", "type": "talent", "rules": [
        { "key": "FlatModifier", "domain": "damage:*", "value": 1, "source": "talent" },
        { "key": "Resistance", "damageType": "all", "mode": "half" },
        { "key": "Resistance", "damageType": "Warp", "value": 3 },
    ] }]);
    assert_eq!(noted(&fine), [""; 0]);
}

fn fight() -> Value {
    let fighter = |name: &str| {
        json!({ "name": name, "fighters": [{ "actor": {
            "name": name,
            "characteristics": { "ws": 40, "t": 30, "ag": 30, "wp": 30 },
            "wounds": 10,
            "weapons": [{ "name": "Club", "class": "melee", "damage": "1d10" }],
        } }] })
    };
    json!({ "sides": [fighter("Ann"), fighter("Bob")] })
}

/// What is wrong with a fight, or what it notes, after a change of Ann.
fn told(change: &dyn Fn(&mut Value)) -> String {
    let mut json = fight();
    change(&mut json);
    let mut notes = Notes::default();
    let told = |wrong: &dicec_games::dh2e::Wrong| {
        format!("{wrong} / {}", wrong.help.as_deref().unwrap_or_default())
    };
    match scenario_script(&json, &mut notes) {
        Err(wrong) => told(&wrong),
        Ok(_) => notes.all().iter().map(told).collect(),
    }
}

#[test]
fn nothing_in_a_fight_is_silent() {
    const ACTOR: &str = "$.sides[0].fighters[0].actor";
    let cases: [(Change<'_>, String); 11] = [
        (&|_| {}, String::new()),
        (
            &|f| f["rounds"] = json!(0),
            "`$.rounds` is 0, not a whole number above 0 / write 1 or a greater number".into(),
        ),
        (
            &|f| f["rounds"] = json!(5_000_000_000_u64),
            "`$.rounds` is 5000000000, which is too great / write a smaller number".into(),
        ),
        (
            &|f| f["sides"][0]["fighters"][0]["actor"]["wounds"] = json!(5_000_000_000_u64),
            format!("`{ACTOR}.wounds` is 5000000000, beyond ±1000000000 / write a smaller number"),
        ),
        (
            &|f| f["sides"][0]["fighters"][0]["actor"]["wounds"] = json!(1e20),
            format!("`{ACTOR}.wounds` is 1e+20, which is too great / write a smaller number"),
        ),
        (
            &|f| f["sides"][0]["fighters"][0]["actor"]["wounds"] = json!(-1),
            format!("`{ACTOR}.wounds` is -1 / wounds and fatigue count from 0 on"),
        ),
        (
            &|f| f["sides"][0]["fighters"][0]["actor"]["conditions"] = json!(["stuned"]),
            format!(
                "`{ACTOR}.conditions[0]` has `stuned`, which is not a condition with rules / \
                 did you mean `stunned`?"
            ),
        ),
        (
            &|f| f["sides"][0]["fighters"][0]["actor"]["conditions"] = json!(["inspired"]),
            format!(
                "`{ACTOR}.conditions[0]` is `inspired`, a condition without rules that nothing \
                 asks for / "
            ),
        ),
        (
            &|f| f["sides"][0]["fighters"][0]["defence"] = json!("dodge:dodge-attack"),
            "`$.sides[0].fighters[0].defence` is `dodge:dodge-attack`, and Ann has no `dodge` / \
             add it to its `skills`"
                .into(),
        ),
        (
            &|f| {
                f["sides"][0]["fighters"][0]["actor"]["weapons"][0]["qualities"] =
                    json!(["Proven"]);
            },
            format!(
                "`{ACTOR}.weapons[0].qualities[0]` is `Proven`, which needs its number / \
                 write it in parentheses: `Proven(3)`"
            ),
        ),
        (
            &|f| {
                f["sides"][0]["fighters"][0]["actor"]["weapons"][0]["damageType"] = json!("impct");
            },
            format!(
                "`{ACTOR}.weapons[0].damageType` is `impct`, a type of damage of its own / \
                 did you mean `impact`?"
            ),
        ),
    ];
    for (change, expected) in cases {
        assert_eq!(told(change), expected);
    }
    // A condition that an item asks for has an effect.
    let asked = told(&|f| {
        let ann = &mut f["sides"][0]["fighters"][0]["actor"];
        ann["conditions"] = json!(["inspired"]);
        ann["items"] = json!([{ "name": "Hymn", "rules": [
            { "key": "FlatModifier", "domain": "attack", "value": 5, "predicate": "self:inspired" },
        ] }]);
    });
    assert_eq!(asked, "");
}
