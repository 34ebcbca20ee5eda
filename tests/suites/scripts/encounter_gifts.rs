//! Features that generated encounters give to their creatures, each of one rule of seed 001: the
//! second simulator knows them by their names (`tests/src/encounter/features.rs`).

use super::encounter_features::example;
use arbitrary::{Result, Unstructured};
use dicec_tests::encounter::Side;
use serde_json::{Value, json};

/// A part of a feature that does something to whoever its creature hits.
pub(crate) fn on_hit(effect: &Value, duration: &str, save: Option<(&str, i64)>) -> Value {
    let mut one = json!({ "target": "creature", "effect": effect });
    if !duration.is_empty() {
        one["duration"] = duration.into();
    }
    if let Some((ability, dc)) = save {
        let fails = "N fails dc X ABILITY save by at least X";
        one["effect conditions"] = json!([[fails, "creature", dc, ability, 0]]);
    }
    json!({ "trigger": ["N hits N", "self", "creature"], "effects": [one] })
}

/// Features by name that the second simulator knows (`tests/src/encounter/features.rs`).
pub(crate) fn gifts() -> Vec<(&'static str, Value)> {
    let next = "End of target next turn";
    let hit = |effect: Value, duration: &str, ability: &str| {
        json!([on_hit(&effect, duration, Some((ability, 13)))])
    };
    let hit_for = |effect: Value, duration: Value, ability: &str| {
        let mut part = on_hit(&effect, "", Some((ability, 13)));
        part["effects"][0]["duration"] = duration;
        json!([part])
    };
    let until = |condition: &str, duration: Value, ability: &str| {
        let place = format!("creature.{condition}");
        hit_for(json!(["Set N = N", place, "self"]), duration, ability)
    };
    let hurts = |kind: &str| json!({ "target": "creature", "effect": ["Inflict XdX TYPE damage", 1, 4, kind] });
    let part = |trigger: Value, effects: Value| json!([{ "trigger": trigger, "effects": effects }]);
    let frightens = json!({
        "target": "creature",
        "effect conditions": [["N fails dc X ABILITY save by at least X", "creature", 13, "wisdom", 0]],
        "effect": ["Set N = N", "creature.FRIGHTENED", "self"],
        "duration": next,
    });
    let misses = json!(["Automatic fail on rolls ROLL_CLASS", "attack rolls"]);
    let ground = |comparison: &str| {
        json!([{
            "trigger": "creature,turnstart",
            "condition": format!("creature,self,distance,10,<=,creature,strength,roll,12,{comparison},&"),
            "effects": [{
                "target": "creature", "effect": "0,creature.MOVESPEED,store",
                "duration": "creature,turnstart",
            }],
        }])
    };
    let own_hit = |effect: Value, conditions: Value| {
        json!([{
            "trigger": ["N hits N", "self", "creature"], "conditions": conditions,
            "effects": [{ "target": "creature", "effect": effect }],
        }])
    };
    let attacks = json!(["Impose disadvantage on TYPE", "attack rolls"]);
    let saves = json!(["Impose disadvantage on TYPE", "saving throws"]);
    let fails = json!(["Automatic fail on rolls ROLL_CLASS", "saving throws"]);
    let checks = json!(["Impose disadvantage on TYPE", "ability checks"]);
    let bungles = json!(["Automatic fail on rolls ROLL_CLASS", "ability checks"]);
    let escapes = json!(["Disadvantage on rolls ROLL_CLASS", "escape grapple"]);
    let trapped = json!(["Automatic fail on rolls ROLL_CLASS", "escape grapple"]);
    let disables = |name: &str| json!(["Disable feature FEATURE", name]);
    let own = |effects: Value| {
        let effects = effects.as_array().into_iter().flatten();
        let effects = effects.map(|effect| json!({ "target": "self", "effect": effect }));
        json!([{ "trigger": ["passive"], "effects": effects.collect::<Vec<_>>() }])
    };
    vec![
        ("Startle", hit(json!(["Surprised"]), "", "wisdom")),
        ("Daze", hit(attacks.clone(), next, "constitution")),
        ("Unnerve", hit(saves, "1 min", "wisdom")),
        (
            "Spines",
            part(
                json!(["N hits N", "creature", "self"]),
                json!([hurts("piercing")]),
            ),
        ),
        (
            "Venom",
            part(
                json!(["N touches N", "self", "creature"]),
                json!([hurts("poison")]),
            ),
        ),
        (
            "Parting Gift",
            part(json!("creature,turnend"), json!([hurts("cold")])),
        ),
        (
            "Knit",
            json!([{
                "trigger": "self,turnend", "conditions": ["HP,20,<="],
                "effects": [{ "target": "self", "effect": ["Regain X hp", 3] }],
            }]),
        ),
        (
            "Second Wind",
            json!([{
                "trigger": ["bonus action"], "conditions": ["HP,MAXHP,2,/,<="],
                "effects": [{ "target": "self", "effect": ["Regain X hp", 10] }],
                "recharge": [1, "short rest"],
            }]),
        ),
        (
            "Quick Jab",
            part(
                json!(["bonus action"]),
                json!([{ "target": "self", "effect": ["Take action ACTION", "attack"] }]),
            ),
        ),
        (
            "Snap",
            json!([{
                "trigger": "bonus", "effects": [hurts("fire")], "recharge": [1, "5-6"],
            }]),
        ),
        // Nobody who is petrified acts.
        (
            "Stone Heart",
            json!([{ "trigger": "bonus", "condition": "PETRIFIED", "effects": [hurts("cold")] }]),
        ),
        (
            "Battle Cry",
            json!([{
                "trigger": "free", "effects": [frightens], "recharge": [1, "long rest"],
            }]),
        ),
        (
            "Tail Sweep",
            part(
                json!(["legendary action costing X", 2]),
                json!([{
                    "target": "creature",
                    "effect": ["Inflict XdX TYPE damage, dc X ABILITY save halves", 2, 6, "bludgeoning", 13, "dexterity"],
                }]),
            ),
        ),
        (
            "Spell Bound",
            json!([{
                "trigger": ["N targets N by a spell", "creature", "self"],
                "conditions": [["N fails dc X ABILITY save by at least X", "self", "creature.SPELLDC", "constitution", 0]],
                "effects": [{ "target": "self", "effect": ["Set N = N", "BLINDED", 1], "duration": "1 min" }],
            }]),
        ),
        (
            "Dread Gaze",
            part(
                json!(["N forces N to save", "self", "creature"]),
                json!([{ "target": "creature", "effect": ["Impose disadvantage"] }]),
            ),
        ),
        (
            "Wriggle",
            json!([{
                "trigger": ["N makes check against N", "self", "creature"],
                "conditions": [["N == N", "V0", "escape grapple"]],
                "effects": [{ "target": "self", "effect": ["Grant advantage"] }],
            }]),
        ),
        ("Doom", hit(fails, next, "charisma")),
        ("Stymie", hit(misses.clone(), next, "charisma")),
        (
            "Dazzle",
            until("BLINDED", json!("End of self next turn"), "dexterity"),
        ),
        (
            "Jolt",
            hit_for(attacks, json!("Start of next turn"), "constitution"),
        ),
        (
            "Stagger",
            until("BLINDED", json!("creature,turnstart"), "strength"),
        ),
        ("Flash", until("RESTRAINED", json!("End of turn"), "wisdom")),
        (
            "Lull",
            until(
                "UNCONSCIOUS",
                json!(["N takes damage", "creature"]),
                "wisdom",
            ),
        ),
        (
            "Tar",
            until(
                "RESTRAINED",
                json!("Until action is taken to end"),
                "dexterity",
            ),
        ),
        (
            "Linger",
            until(
                "POISONED",
                json!(["Repeated saves at advantage", 12, "strength"]),
                "constitution",
            ),
        ),
        (
            "Creep",
            until(
                "POISONED",
                json!(["Repeated saves at disadvantage", 9, "wisdom"]),
                "constitution",
            ),
        ),
        (
            "Briars",
            json!([{
                "trigger": "creature,moves", "condition": "creature,self,distance,10,<=",
                "effects": [hurts("slashing")],
            }]),
        ),
        (
            "Quake",
            json!([{
                "trigger": ["N moves", "self"],
                "effects": [{
                    "target": "creatures",
                    "effect conditions": ["creature,self,distance,10,<="],
                    "effect": ["Inflict XdX TYPE damage", 1, 4, "thunder"],
                }],
            }]),
        ),
        ("Dust", until("BLINDED", json!("creature,moves"), "wisdom")),
        (
            "Stare",
            until("FRIGHTENED", json!(["N moves", "self"]), "wisdom"),
        ),
        ("Butterfingers", own(json!([misses]))),
        (
            "Sure Hand",
            own(json!([[
                "Automatic succeed on rolls ROLL_CLASS",
                "attack rolls"
            ]])),
        ),
        (
            "Untouchable",
            json!([{
                "trigger": ["N attacks N", "creature", "self"],
                "conditions": ["creature.ATTACK.MELEE,!"],
                "effects": [{ "target": "creature", "effect": ["Automatic fail on rolls ROLL_CLASS", "attack rolls"] }],
            }]),
        ),
        (
            "Born Lucky",
            own(json!([[
                "Automatic succeed on rolls ROLL_CLASS",
                "ability checks"
            ]])),
        ),
        (
            "Strong Back",
            own(json!([[
                "Advantage on rolls ROLL_CLASS",
                "strength checks"
            ]])),
        ),
        (
            "Weak Back",
            own(json!([[
                "Automatic fail on rolls ROLL_CLASS",
                "strength checks"
            ]])),
        ),
        ("Fumble", hit(checks, "1 min", "intelligence")),
        ("Bungle", hit(bungles, "1 min", "intelligence")),
        ("Tangle", hit(escapes, "1 min", "strength")),
        ("Snare", hit(trapped, "1 min", "strength")),
        (
            "Adept",
            own(json!([
                ["Advantage on rolls ROLL_CLASS", "ability checks"],
                ["Advantage on rolls ROLL_CLASS", "escape grapple"],
            ])),
        ),
        (
            "Slippery",
            own(json!([[
                "Automatic succeed on rolls ROLL_CLASS",
                "escape grapple"
            ]])),
        ),
        (
            "Iron Will",
            own(json!([[
                "Automatic succeed on rolls ROLL_CLASS",
                "wisdom saving throws"
            ]])),
        ),
        (
            "Clumsy Feet",
            own(json!([[
                "Automatic fail on rolls ROLL_CLASS",
                "dexterity saving throws"
            ]])),
        ),
        (
            "Frail",
            own(json!([[
                "Disadvantage on rolls ROLL_CLASS",
                "saving throws"
            ]])),
        ),
        ("Hush", hit(disables("Pack Tactics"), "1 min", "charisma")),
        ("Smother", hit(disables("Stench"), "1 min", "charisma")),
        (
            "Sear",
            hit(disables("Regeneration"), "1 min", "constitution"),
        ),
        (
            "Strong Stomach",
            own(json!([["Immune to feature FEATURE", "stench"]])),
        ),
        ("Mud", ground("<")),
        ("Ice", ground(">=")),
        (
            "Rust",
            json!([on_hit(&json!(["Weapon/armor corrodes"]), "", None)]),
        ),
        (
            "Acid Hide",
            json!([{
                "trigger": ["N touches N", "creature", "self"],
                "effects": [{ "target": "creature", "effect": ["Weapon/armor corrodes"] }],
            }]),
        ),
        (
            "Keen Edge",
            own_hit(json!(["Grant critical hit"]), json!(["creature.HP,10,<="])),
        ),
        (
            "Heavy Blows",
            own_hit(json!(["Deal +X weapon die damage", 1]), json!([])),
        ),
        (
            "Runed Weapons",
            own_hit(json!(["Damage dealt is magical"]), json!([])),
        ),
        ("Fury", example("bloodlust")["subfeatures"].clone()),
    ]
}

/// Gives one of these features to somebody: the next one for each number.
pub(crate) fn gift(
    source: &mut Unstructured<'_>,
    sides: &mut [Side; 2],
    number: usize,
) -> Result<()> {
    let side = source.int_in_range(0..=1)?;
    let kind = source.choose_index(sides[side].kinds.len())?;
    let gifts = gifts();
    let (name, parts) = &gifts[number % gifts.len()];
    let feature = json!({ "name": name, "text": "", "subfeatures": parts });
    let trait_ = json!({ "name": name, "feature": feature, "v": [20] });
    if ["Rust", "Acid Hide"].contains(name) {
        // Few creatures of the SRD have equipment.
        sides[1 - side].kinds[0].0["type"] = "humanoid".into();
    }
    let block = &mut sides[side].kinds[kind].0;
    match block["traits"].as_array_mut() {
        Some(traits) => traits.push(trait_),
        None => block["traits"] = json!([trait_]),
    }
    Ok(())
}
