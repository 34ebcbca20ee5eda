//! Modifiers of items (seed 003, "Modifier System", "Predicate System"): what `games/dh2e` resolves
//! is compared with a second implementation, which works on the JSON itself.

use arbitrary::{Result, Unstructured};
use dicec_games::dh2e::{Asked, At, Notes, Options, Synthetics};
use serde_json::{Value, json};

/// How many sets of items are compared.
const SETS: u64 = 10_000;

const OPTIONS: [&str; 6] = [
    "self:aim",
    "self:aim:full",
    "self:prone",
    "target:stunned",
    "weapon:class:las",
    "not:odd",
];

const DOMAINS: [&str; 9] = [
    "attack",
    "attack:ranged",
    "attack:*",
    "characteristic:bs",
    "characteristic",
    "skill:dodge",
    "skill:dodge:evade",
    "skill:dodgeball",
    "damage:melee",
];

#[test]
fn resolution_agrees_with_a_second_implementation() {
    let mut applied = 0;
    for seed in 0..SETS {
        let bytes = bytes(seed);
        let mut source = Unstructured::new(&bytes);
        let (items, options, asked) = case(&mut source).expect("bytes never run out of zeros");
        let read = Synthetics::read(&At::root(&items), &mut Notes::default());
        let read = read.unwrap_or_else(|wrong| panic!("{items}: {wrong}"));
        let mut set: Options = options.iter().copied().collect();
        read.set_options(&mut set);
        let resolved = read.resolve(asked, &set);
        let labels: Vec<String> = resolved.applied().map(str::to_owned).collect();
        let expected = straightforward(&items, &options, asked);
        assert_eq!(
            (resolved.total, labels),
            expected,
            "{items} {options:?} {asked:?}"
        );
        applied += usize::from(!expected.1.is_empty());
    }
    assert!(
        applied > SETS as usize / 4,
        "only {applied} sets had a modifier that applied"
    );
}

/// Bytes that follow from a seed (splitmix64).
fn bytes(seed: u64) -> Vec<u8> {
    let words = (1..=256_u64).map(|number| {
        let mut word = (seed * 256 + number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    });
    words.flat_map(u64::to_le_bytes).collect()
}

type Case = (Value, Vec<&'static str>, Asked<'static>);

fn case(source: &mut Unstructured<'_>) -> Result<Case> {
    let count = source.int_in_range(0..=6)?;
    let items: Result<Vec<Value>> = (0..count).map(|number| item(number, source)).collect();
    let mut options = Vec::new();
    for option in OPTIONS {
        if source.arbitrary()? {
            options.push(option);
        }
    }
    let domains: Vec<&str> = DOMAINS
        .into_iter()
        .filter(|name| !name.contains('*'))
        .collect();
    let asked = Asked {
        domain: source.choose(&domains)?,
        characteristic: source.arbitrary::<bool>()?.then_some("bs"),
    };
    Ok((Value::Array(items?), options, asked))
}

/// An item with some rules, or a modifier that stands for itself.
fn item(number: usize, source: &mut Unstructured<'_>) -> Result<Value> {
    if source.ratio(1, 3)? {
        let mut modifier = json!({"label": format!("m{number}"), "value": value(source)?});
        add_conditions(&mut modifier, source)?;
        return Ok(modifier);
    }
    let mut rules = Vec::new();
    for rule in 0..source.int_in_range(0..=3)? {
        if source.ratio(1, 5)? {
            let option = source.choose(&OPTIONS)?;
            rules.push(json!({"key": "RollOption", "option": option}));
            continue;
        }
        let mut element = json!({
            "key": "FlatModifier",
            "label": format!("i{number}.{rule}"),
            "domain": source.choose(&DOMAINS)?,
            "value": value(source)?,
        });
        if source.ratio(1, 6)? {
            element["value"] = "rating".into();
        }
        add_conditions(&mut element, source)?;
        rules.push(element);
    }
    let rating = source.int_in_range(-9..=9)?;
    Ok(match source.arbitrary()? {
        true => json!({"name": format!("i{number}"), "rating": rating, "rules": rules}),
        false => {
            let system = json!({"rating": rating, "rules": rules});
            json!({"name": format!("i{number}"), "system": system})
        }
    })
}

fn value(source: &mut Unstructured<'_>) -> Result<i64> {
    Ok(*source.choose(&[-60, -30, -20, -10, -5, 0, 0, 5, 10, 10, 20, 30, 60])?)
}

fn add_conditions(element: &mut Value, source: &mut Unstructured<'_>) -> Result<()> {
    if source.arbitrary()? {
        element["exclusionGroup"] = (*source.choose(&["aim", "light", ""])?).into();
    }
    if source.arbitrary()? {
        element["predicate"] = predicate(source, 3)?;
    }
    if source.ratio(1, 6)? {
        element["enabled"] = source.arbitrary::<bool>()?.into();
    }
    Ok(())
}

fn predicate(source: &mut Unstructured<'_>, depth: u32) -> Result<Value> {
    let list = |source: &mut Unstructured<'_>| -> Result<Value> {
        let count = source.int_in_range(0..=3)?;
        let parts: Result<Vec<Value>> = (0..count).map(|_| predicate(source, depth - 1)).collect();
        Ok(Value::Array(parts?))
    };
    let kind = if depth == 0 {
        0
    } else {
        source.int_in_range(0..=5)?
    };
    Ok(match kind {
        0 | 1 => {
            let option = source.choose(&OPTIONS)?;
            match source.arbitrary()? {
                true => json!(option),
                false => json!(format!("not:{option}")),
            }
        }
        2 => list(source)?,
        3 => json!({"and": list(source)?}),
        4 => json!({"or": list(source)?}),
        _ => json!({"xor": list(source)?}),
    })
}

/// The total of the modifiers that apply, and their labels.
fn straightforward(items: &Value, options: &[&str], asked: Asked<'_>) -> (i64, Vec<String>) {
    let mut set: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
    let mut all: Vec<Value> = Vec::new();
    for item in items.as_array().expect("a list") {
        let system = &item["system"];
        let holder = if system.is_object() { system } else { item };
        match holder["rules"].as_array() {
            None => all.push(item.clone()),
            Some(rules) => {
                for rule in rules {
                    if let Some(option) = rule["option"].as_str() {
                        set.push(option.to_owned());
                        continue;
                    }
                    let mut rule = rule.clone();
                    if rule["value"] == "rating" {
                        rule["value"] = holder["rating"].clone();
                    }
                    all.push(rule);
                }
            }
        }
    }
    all.retain(|modifier| belongs(modifier["domain"].as_str(), asked));
    all.retain(|modifier| modifier["enabled"] != false);
    all.retain(|modifier| {
        modifier
            .get("predicate")
            .is_none_or(|given| holds(given, &set))
    });
    let number = |modifier: &Value| modifier["value"].as_i64().expect("a number");
    let group = |modifier: &Value| match modifier["exclusionGroup"].as_str() {
        None | Some("") => None,
        Some(name) => Some(name.to_owned()),
    };
    let counts = |index: usize| {
        let (mine, name) = (number(&all[index]), group(&all[index]));
        let rivals = all
            .iter()
            .enumerate()
            .filter(|(_, other)| group(other) == name);
        let stronger = |(at, other): (usize, &Value)| {
            let same_side = number(other).signum() == mine.signum();
            let (theirs, ours) = (number(other).abs(), mine.abs());
            same_side && (theirs > ours || (theirs == ours && at < index))
        };
        name.is_none() || (mine != 0 && !rivals.into_iter().any(stronger))
    };
    let kept: Vec<&Value> = (0..all.len())
        .filter(|&at| counts(at))
        .map(|at| &all[at])
        .collect();
    let sum: i64 = kept.iter().map(|modifier| number(modifier)).sum();
    let labels = kept
        .iter()
        .map(|modifier| modifier["label"].as_str().expect("a label").to_owned());
    (sum.clamp(-60, 60), labels.collect())
}

fn belongs(domain: Option<&str>, asked: Asked<'_>) -> bool {
    let Some(domain) = domain else { return true };
    let domain: Vec<&str> = domain.split(':').filter(|part| *part != "*").collect();
    let characteristic = asked
        .characteristic
        .map(|name| format!("characteristic:{name}"));
    let names = [Some(asked.domain.to_owned()), characteristic];
    names.into_iter().flatten().any(|name| {
        let name: Vec<&str> = name.split(':').collect();
        name.starts_with(&domain)
    })
}

fn holds(predicate: &Value, set: &[String]) -> bool {
    let has = |option: &str| set.iter().any(|known| known == option);
    match predicate {
        Value::String(text) if text.starts_with("not:") => !has(&text[4..]),
        Value::String(text) => has(text),
        Value::Array(parts) => parts.iter().all(|part| holds(part, set)),
        Value::Object(object) if object.contains_key("and") => holds(&object["and"], set),
        Value::Object(object) if object.contains_key("or") => {
            let parts = object["or"].as_array().expect("a list");
            parts.iter().any(|part| holds(part, set))
        }
        _ => false,
    }
}
