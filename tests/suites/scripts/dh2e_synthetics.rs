//! What items come to (seed 003, "Modifier System", "Predicate System", "Synthetics Registry"): the
//! examples and lists of the seed, written out.

use dicec_games::dh2e::{
    Asked, At, DiceChange, Notes, Options, Predicate, ResistanceChange, Synthetics, ToughnessChange,
};
use serde_json::{Value, json};

fn read(items: &Value) -> Synthetics {
    let read = Synthetics::read(&At::root(items), &mut Notes::default());
    read.unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// What modifiers come to in a domain: the total, and the labels that apply.
fn resolved(modifiers: &Value, domain: &str, options: &[&str]) -> (i64, Vec<String>) {
    let asked = Asked {
        domain,
        characteristic: None,
    };
    let options: Options = options.iter().copied().collect();
    let resolved = read(modifiers).resolve(asked, &options);
    let labels = resolved.applied().map(str::to_owned).collect();
    (resolved.total, labels)
}

fn modifier(label: &str, value: i64, group: Option<&str>) -> Value {
    json!({ "label": label, "value": value, "exclusionGroup": group })
}

/// "Stacking Rules": its example, the best bonus and the worst penalty of a group, and the cap.
#[test]
fn modifiers_stack() {
    let total = |all: &[Value]| resolved(&json!(all), "characteristic:ws", &[]);
    let aim = [
        modifier("Talent", 10, Some("aim")),
        modifier("Better talent", 20, Some("aim")),
        modifier("Condition", -10, None),
    ];
    assert_eq!(
        total(&aim),
        (10, vec!["Better talent".into(), "Condition".into()])
    );
    let group = [5, 15, -5, -20].map(|value| modifier(&value.to_string(), value, Some("g")));
    assert_eq!(total(&group), (-5, vec!["15".into(), "-20".into()]));
    let free = [10, 10, -5].map(|value| modifier("free", value, None));
    assert_eq!(total(&free).0, 15);
    let great = [40, 40].map(|value| modifier("great", value, None));
    assert_eq!(total(&great).0, 60);
    let bad = [-40, -40, 10].map(|value| modifier("bad", value, None));
    assert_eq!(total(&bad).0, -60);
}

/// "ModifierDH2e": each member of a modifier does what it says.
#[test]
fn members_of_a_modifier() {
    let with = |name: &str, value: Value| {
        let mut one = modifier("Aim Bonus", 10, None);
        one[name] = value;
        json!([one])
    };
    let total = |json: &Value, options: &[&str]| resolved(json, "attack:ranged", options).0;
    assert_eq!(total(&with("enabled", json!(false)), &[]), 0);
    assert_eq!(total(&with("enabled", json!(true)), &[]), 10);
    let aimed = with("predicate", json!("self:aim"));
    assert_eq!((total(&aimed, &[]), total(&aimed, &["self:aim"])), (0, 10));
    let mut synthetics = read(&with("toggleable", json!(true)));
    assert_eq!(synthetics.modifiers[0].source, "item");
    assert!(synthetics.toggle(&["Aim Bonus".to_owned()], "$").is_ok());
    assert!(!synthetics.modifiers[0].enabled);
    let mut fixed = read(&with("source", json!("talent")));
    assert_eq!(fixed.modifiers[0].source, "talent");
    assert!(fixed.toggle(&["Aim Bonus".to_owned()], "$").is_err());
}

/// "Domains": those of the list, and inheritance in one direction.
#[test]
fn domains_are_inherited() {
    const LISTED: [&str; 11] = [
        "characteristic:ws",
        "characteristic:bs",
        "skill:dodge",
        "skill:dodge:evade",
        "attack:melee",
        "attack:ranged",
        "damage:melee",
        "damage:ranged",
        "armour:all",
        "armour:head",
        "initiative",
    ];
    for of in LISTED {
        let one = json!([{ "label": "One", "value": 5, "domain": of }]);
        for asked in LISTED {
            let takes = asked == of
                || (of, asked) == ("skill:dodge", "skill:dodge:evade")
                || (of, asked) == ("armour:all", "armour:head");
            let expected = if takes { 5 } else { 0 };
            assert_eq!(resolved(&one, asked, &[]).0, expected, "{of} for {asked}");
        }
    }
}

/// "Syntax": the predicates of the seed, with the options that decide each.
#[test]
fn predicates() {
    let holds = |predicate: &Value, options: &[&str]| {
        let options: Options = options.iter().copied().collect();
        Predicate::read(At::root(predicate), &mut Notes::default()).holds(&options)
    };
    let (prone, flanked) = (json!("self:prone"), json!("not:flanked"));
    assert!(holds(&prone, &["self:prone"]) && !holds(&prone, &[]));
    assert!(holds(&flanked, &[]) && !holds(&flanked, &["flanked"]));
    let both = json!({ "and": ["self:aim:full", "weapon:class:las"] });
    assert!(holds(&both, &["self:aim:full", "weapon:class:las"]));
    assert!(!holds(&both, &["self:aim:full"]));
    let either = json!({ "or": ["target:helpless", "target:stunned"] });
    assert!(holds(&either, &["target:stunned"]) && !holds(&either, &["target:prone"]));
    let combined =
        json!({ "and": ["self:aim", { "or": ["weapon:class:las", "weapon:class:bolt"] }] });
    assert!(holds(&combined, &["self:aim", "weapon:class:bolt"]));
    assert!(!holds(&combined, &["weapon:class:bolt"]) && !holds(&combined, &["self:aim"]));
    // "Empty predicate: always passes", and those of issue 15, 2.
    assert!(holds(&json!([]), &[]) && holds(&json!({ "and": [] }), &[]));
    assert!(!holds(&json!({ "or": [] }), &[]) && !holds(&json!({ "nor": ["a"] }), &["a"]));
    assert!(holds(&json!("not:not:a"), &[]) && !holds(&json!("not:not:a"), &["not:a"]));
}

/// "Synthetics Registry" and "How Synthetics Are Built": each element of each item is in its list,
/// in the order of the items; `vfxOverrides` and strangers are told and change nothing.
#[test]
fn elements_are_collected() {
    let rules = |rules: Value| json!({ "name": "Item", "system": { "rules": rules } });
    let items = json!([
        rules(json!([
            { "key": "FlatModifier", "domain": "attack:melee", "value": 10 },
            { "key": "RollOption", "option": "self:dark-sight" },
            { "key": "AdjustDegree", "amount": 1, "domain": "skill:dodge" },
            { "key": "DiceOverride", "domain": "damage:melee", "mode": "rerollLowest" },
        ])),
        rules(json!([
            { "key": "AdjustToughness", "mode": "multiply", "value": 2 },
            { "key": "Resistance", "damageType": "energy", "mode": "half" },
            { "key": "AttributeOverride", "domain": "initiative", "characteristic": "int" },
            { "key": "VFXOverride", "path": "flash.webm" },
            { "key": "Teleport" },
        ])),
        rules(json!([
            { "key": "FlatModifier", "domain": "attack:melee", "value": -5, "label": "Second" },
            { "key": "DiceOverride", "domain": "damage", "mode": "minimumDie", "value": 3 },
            { "key": "AdjustToughness", "value": 1 },
            { "key": "Resistance", "damageType": "all", "value": 2 },
        ])),
    ]);
    let mut notes = Notes::default();
    let found = Synthetics::read(&At::root(&items), &mut notes).expect("items");
    let labels: Vec<&str> = found.modifiers.iter().map(|one| &*one.label).collect();
    assert_eq!(labels, ["Item", "Second"]);
    let mut options = Options::default();
    found.set_options(&mut options);
    assert_eq!(options.all().collect::<Vec<_>>(), ["self:dark-sight"]);
    assert_eq!(found.degrees[0].amount, 1);
    let dice: Vec<DiceChange> = found.dice.iter().map(|one| one.change).collect();
    assert_eq!(dice, [DiceChange::RerollLowest, DiceChange::AtLeast(3)]);
    let toughness: Vec<ToughnessChange> = found.toughness.iter().map(|one| one.change).collect();
    assert_eq!(
        toughness,
        [ToughnessChange::Multiply(2), ToughnessChange::Add(1)]
    );
    let resistances: Vec<ResistanceChange> =
        found.resistances.iter().map(|one| one.change).collect();
    assert_eq!(
        resistances,
        [ResistanceChange::Half, ResistanceChange::Flat(2)]
    );
    assert_eq!(found.attributes[0].characteristic, "int");
    let told: Vec<&str> = notes.all().iter().map(|note| &*note.path).collect();
    assert_eq!(told, ["$[1].system.rules[3]", "$[1].system.rules[4].key"]);
}
