//! Rules of characters in encounters: rage, further actions, smites, reactions that soften a hit,
//! critical ranges, misses that hurt and hits that vex, as generated encounters get them.

use arbitrary::{Result, Unstructured};
use dicec_tests::encounter::Side;
use serde_json::{Value, json};

/// The elements of a list of a stat block, which is made if it is missing.
fn list<'b>(block: &'b mut Value, member: &str) -> &'b mut Vec<Value> {
    if !block[member].is_array() {
        block[member] = json!([]);
    }
    block[member].as_array_mut().expect("it is a list")
}

/// Gives some of the creatures rules of characters.
pub(super) fn train(source: &mut Unstructured<'_>, sides: &mut [Side; 2]) -> Result<()> {
    for (block, ..) in sides.iter_mut().flat_map(|side| &mut side.kinds) {
        change_attacks(source, block)?;
        let uses = source.int_in_range(1..=3)?;
        if source.ratio(1, 3)? {
            let surge = json!({ "name": "Action Surge", "usage": { "per day": uses } });
            list(block, "traits").push(surge);
        }
        if source.ratio(1, 3)? {
            let rage = json!({ "name": "Rage", "value": 2, "usage": { "per day": uses } });
            list(block, "traits").push(rage);
        }
        if source.ratio(1, 3)? {
            let mut smite = json!({ "name": "Divine Smite" });
            if source.arbitrary()? {
                smite["value"] = "bonus action".into();
                smite["usage"] = json!({ "per day": 1 });
            }
            list(block, "traits").push(smite);
            if !block["spellcasting"]["slots"].is_array() {
                block["spellcasting"] = json!({ "slots": [uses, 1] });
            }
        }
        let reactions = [
            json!({ "name": "Uncanny Dodge" }),
            json!({ "name": "Deflect Attacks", "value": "1d10+3" }),
            json!({ "name": "Deflect Missiles", "value": "1d10+5" }),
        ];
        if source.ratio(1, 3)? {
            let reaction = source.choose(&reactions)?.clone();
            list(block, "reactions").push(reaction);
        }
        if source.ratio(1, 3)? {
            let mut breath = json!({ "name": "Second Breath", "heals": "1d10+3", "on": "self" });
            breath["usage"] = json!({ "per day": uses });
            breath["bonus action"] = source.arbitrary::<bool>()?.into();
            list(block, "actions").push(breath);
        }
    }
    Ok(())
}

/// Changes the attacks of a creature, and makes one of them a bonus action as well.
fn change_attacks(source: &mut Unstructured<'_>, block: &mut Value) -> Result<()> {
    let actions = list(block, "actions");
    let is_attack = |action: &&mut Value| {
        let has_damage = action["damage"]
            .as_array()
            .is_some_and(|all| !all.is_empty());
        action["bonus"].is_number() && has_damage && !action["usage"].is_object()
    };
    let mut names = Vec::new();
    for action in actions.iter_mut().filter(is_attack) {
        if source.ratio(1, 2)? {
            action["critical"] = source.int_in_range(17..=20)?.into();
        }
        if source.ratio(1, 3)? {
            action["critical dice"] = "1d6".into();
        }
        if source.ratio(1, 3)? {
            action["on a miss"] = (*source.choose(&["3", "1d4", "0"])?).into();
        }
        if source.ratio(1, 3)? {
            action["vexes"] = true.into();
        }
        names.push(action["name"].clone());
    }
    if let Some(name) = names
        .first()
        .filter(|_| source.ratio(1, 2).unwrap_or(false))
    {
        let times = source.int_in_range(1..=2)?;
        let mut flurry = json!({
            "name": "Flurry", "bonus action": true,
            "multiattack": [{ "action": name, "count": times }],
        });
        if source.arbitrary()? {
            flurry["usage"] = json!({ "per day": 2 });
        }
        actions.push(flurry);
    }
    Ok(())
}
