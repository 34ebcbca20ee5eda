//! Characters of other tools as sheets: D&D Beyond's JSON, and actors of type `character` of
//! Foundry VTT's system `dnd5e`. Their classes, scores, equipment and spells are read; everything
//! else of the sheet follows from our own rules. What is not known is a note.

use super::class::class;
use super::gear::{armour, weapon};
use super::species::all_species;
use crate::edition::Edition;
use serde_json::{Map, Value, json};

/// A sheet while it is gathered.
#[derive(Default)]
struct Gathered {
    name: Option<String>,
    /// Classes with their levels and subclasses.
    classes: Vec<(String, i64, Option<String>)>,
    species: Option<String>,
    scores: Map<String, Value>,
    hp: Option<i64>,
    /// The names of items that are worn or held.
    items: Vec<String>,
    spells: Vec<String>,
    feats: Vec<String>,
}

/// The abilities in the order of D&D Beyond's numbers, from 1 on, with their names there.
const ABILITIES: [(&str, &str); 6] = [
    ("STR", "strength"),
    ("DEX", "dexterity"),
    ("CON", "constitution"),
    ("INT", "intelligence"),
    ("WIS", "wisdom"),
    ("CHA", "charisma"),
];

/// The sheet of a character of another tool, as a document of a [`Sheet`](super::Sheet); `None` if
/// a document is not one.
pub fn imported(document: &Value, edition: Edition) -> Option<Value> {
    let beyond = match document["data"]["classes"].is_array() {
        true => &document["data"],
        false => document,
    };
    let gathered = if document["type"] == "character" && document["items"].is_array() {
        of_foundry(document)
    } else if beyond["classes"].is_array() && beyond["stats"].is_array() {
        of_beyond(beyond)
    } else {
        return None;
    };
    Some(gathered.sheet(edition))
}

fn text(value: &Value) -> Option<String> {
    let text = value.as_str().map(str::trim)?;
    (!text.is_empty()).then(|| text.to_owned())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A whole number, also of a text. Sheets have small ones.
fn whole(value: &Value) -> Option<i64> {
    let written = || value.as_str().and_then(|text| text.parse().ok());
    let number = value.as_i64().or_else(written)?;
    Some(number.clamp(-1_000_000, 1_000_000))
}

/// An actor of Foundry.
fn of_foundry(actor: &Value) -> Gathered {
    let system = &actor["system"];
    let mut all = Gathered {
        name: text(&actor["name"]),
        hp: whole(&system["attributes"]["hp"]["max"]),
        ..Gathered::default()
    };
    for (short, _) in ABILITIES {
        if let Some(score) = whole(&system["abilities"][short.to_lowercase()]["value"]) {
            all.scores.insert(short.to_owned(), score.into());
        }
    }
    let items = list(&actor["items"]);
    let subclasses = items.iter().filter(|item| item["type"] == "subclass");
    let mut subclasses = subclasses.filter_map(|item| text(&item["name"]));
    for item in items {
        let Some(name) = text(&item["name"]) else {
            continue;
        };
        let system = &item["system"];
        match item["type"].as_str() {
            Some("class") => {
                let level = whole(&system["levels"]).unwrap_or(0);
                all.classes.push((name, level, subclasses.next()));
            }
            Some("race" | "species") => all.species = Some(name),
            Some("weapon" | "equipment") if system["equipped"] == true => all.items.push(name),
            Some("spell") => {
                let is_unprepared = system["preparation"]["prepared"] == false
                    && system["preparation"]["mode"] == "prepared"
                    && whole(&system["level"]) != Some(0);
                if !is_unprepared {
                    all.spells.push(name);
                }
            }
            Some("feat") if system["type"]["value"] == "feat" => all.feats.push(name),
            _ => {}
        }
    }
    all
}

/// A character of D&D Beyond.
fn of_beyond(sheet: &Value) -> Gathered {
    let mut all = Gathered {
        name: text(&sheet["name"]),
        species: text(&sheet["race"]["fullName"]),
        ..Gathered::default()
    };
    for one in list(&sheet["classes"]) {
        let name = text(&one["definition"]["name"]).unwrap_or_default();
        let level = whole(&one["level"]).unwrap_or(0);
        let subclass = text(&one["subclassDefinition"]["name"]);
        all.classes.push((name, level, subclass));
    }
    let modifiers = sheet["modifiers"].as_object().into_iter().flatten();
    let modifiers: Vec<&Value> = modifiers.flat_map(|(_, all)| list(all)).collect();
    let of_id = |member: &str, id: usize| {
        let found = list(&sheet[member]).iter().find(|one| one["id"] == id);
        found.and_then(|one| whole(&one["value"]))
    };
    for (id, (short, long)) in (1..).zip(ABILITIES) {
        let bonuses = modifiers.iter().filter(|one| {
            one["type"] == "bonus" && one["subType"] == format!("{long}-score").as_str()
        });
        let bonuses: i64 = bonuses.filter_map(|one| whole(&one["value"])).sum();
        let own = of_id("stats", id).unwrap_or(10) + of_id("bonusStats", id).unwrap_or(0);
        let score = of_id("overrideStats", id).unwrap_or(own + bonuses);
        all.scores.insert(short.to_owned(), score.into());
    }
    let level: i64 = all.classes.iter().map(|one| one.1).sum();
    let constitution = all.scores["CON"].as_i64().unwrap_or(10);
    let of_base = whole(&sheet["baseHitPoints"]).map(|base| {
        let bonus = whole(&sheet["bonusHitPoints"]).unwrap_or(0);
        base + bonus + level * (constitution - 10).div_euclid(2)
    });
    all.hp = whole(&sheet["overrideHitPoints"]).or(of_base);
    let items = list(&sheet["inventory"]).iter();
    let worn = items.filter(|item| item["equipped"] == true);
    all.items = worn
        .filter_map(|item| text(&item["definition"]["name"]))
        .collect();
    let of_classes = list(&sheet["classSpells"])
        .iter()
        .flat_map(|one| list(&one["spells"]));
    let others = sheet["spells"].as_object().into_iter().flatten();
    let others = others.flat_map(|(_, all)| list(all));
    for spell in of_classes.chain(others) {
        let own = &spell["definition"];
        let is_ready = spell["prepared"] == true
            || spell["alwaysPrepared"] == true
            || whole(&own["level"]) == Some(0)
            || !spell["prepared"].is_boolean();
        all.spells.extend(text(&own["name"]).filter(|_| is_ready));
    }
    let feats = list(&sheet["feats"]).iter();
    all.feats
        .extend(feats.filter_map(|feat| text(&feat["definition"]["name"])));
    all
}

/// The bonus of a magic item and its plain name: `Longsword, +1`, `+1 Longsword`.
fn plain(name: &str) -> (i64, String) {
    let lower = name.to_lowercase();
    let bonus = (1..=3).find(|bonus| lower.contains(&format!("+{bonus}")));
    let plain: String = match bonus {
        Some(bonus) => lower.replace(&format!("+{bonus}"), ""),
        None => lower,
    };
    // `Crossbow, light` is a light crossbow.
    let plain = plain.trim().trim_end_matches(',').trim();
    let plain = match plain.split_once(", ") {
        Some((noun, adjective)) => format!("{adjective} {noun}"),
        None => plain.to_owned(),
    };
    (bonus.unwrap_or(0), plain)
}

impl Gathered {
    /// The document of the sheet: the class with the highest level; others are notes.
    fn sheet(mut self, edition: Edition) -> Value {
        self.classes.sort_by_key(|one| std::cmp::Reverse(one.1));
        let mut classes = self.classes.into_iter();
        let (name, level, subclass) = classes.next().unwrap_or_default();
        let mut notes = self.feats;
        notes.extend(classes.map(|(name, level, _)| format!("{level} levels of {name}")));
        let own = name.to_lowercase();
        let of_rules = |subclass: &String| {
            let found = class(subclass, edition).filter(|found| found.subclass.is_some());
            found.is_some_and(|found| found.class.name.to_lowercase() == own)
        };
        let mut sheet = json!({ "class": own, "level": level });
        match subclass {
            Some(subclass) if of_rules(&subclass) => sheet["class"] = subclass.into(),
            Some(other) => {
                sheet["subclass"] = "none".into();
                notes.push(format!("the subclass {other}"));
            }
            None => {}
        }
        if let Some(species) = self.species {
            let lower = species.to_lowercase();
            let is_known = all_species(edition).any(|one| one.name == lower);
            match is_known {
                true => sheet["species"] = lower.into(),
                false => notes.push(format!("the species {species}")),
            }
        }
        sheet["name"] = self
            .name
            .unwrap_or_else(|| format!("{name} {level}"))
            .into();
        if !self.scores.is_empty() {
            sheet["scores"] = Value::Object(self.scores);
        }
        if let Some(hp) = self.hp {
            sheet["hp"] = hp.into();
        }
        equip(&mut sheet, &self.items, &mut notes);
        if !self.spells.is_empty() {
            let mut spells: Vec<String> = Vec::new();
            for spell in self.spells {
                if !spells.contains(&spell) {
                    spells.push(spell);
                }
            }
            sheet["spells"] = spells.into();
        }
        sheet["feats"] = notes.into();
        sheet
    }
}

/// Weapons and armour among items; others are notes.
fn equip(sheet: &mut Value, items: &[String], notes: &mut Vec<String>) {
    let mut weapons: Vec<String> = Vec::new();
    let mut has_shield = false;
    for item in items {
        let (bonus, name) = plain(item);
        if name == "shield" {
            has_shield = true;
            sheet["magic"]["shield"] = bonus.into();
        } else if weapon(&name, "").is_ok() {
            if weapons.is_empty() {
                sheet["magic"]["weapons"] = bonus.into();
            } else if sheet["magic"]["weapons"] != bonus {
                notes.push(format!("the bonus of {item}"));
            }
            weapons.push(name);
        } else if let Ok(worn) = armour(&name, "") {
            sheet["armour"] = worn.name.clone().into();
            sheet["magic"]["armour"] = bonus.into();
        } else {
            notes.push(item.clone());
        }
    }
    if items.is_empty() {
        return;
    }
    sheet["shield"] = has_shield.into();
    if sheet["armour"].is_null() {
        sheet["armour"] = "none".into();
    }
    if !weapons.is_empty() {
        sheet["weapons"] = weapons.into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What D&D Beyond has of a fighter, as far as it matters.
    #[test]
    fn a_sheet_of_beyond_is_read() {
        let document = json!({ "data": {
            "name": "Ayla", "race": { "fullName": "Human" }, "baseHitPoints": 34,
            "stats": [
                { "id": 1, "value": 15 }, { "id": 2, "value": 13 }, { "id": 3, "value": 14 },
                { "id": 4, "value": 8 }, { "id": 5, "value": 12 }, { "id": 6, "value": 10 },
            ],
            "modifiers": { "race": [
                { "type": "bonus", "subType": "strength-score", "value": 1 },
                { "type": "bonus", "subType": "constitution-score", "value": 1 },
            ] },
            "classes": [
                { "level": 5, "definition": { "name": "Fighter" },
                  "subclassDefinition": { "name": "Champion" } },
            ],
            "inventory": [
                { "equipped": true, "definition": { "name": "Longsword, +1" } },
                { "equipped": true, "definition": { "name": "Chain Mail" } },
                { "equipped": true, "definition": { "name": "Shield" } },
                { "equipped": false, "definition": { "name": "Greataxe" } },
                { "equipped": true, "definition": { "name": "Cloak of Protection" } },
            ],
            "feats": [{ "definition": { "name": "Alert" } }],
        } });
        let sheet = imported(&document, Edition::Srd51).expect("it is a character");
        assert_eq!(sheet["class"], "Champion");
        assert_eq!(sheet["hp"], 34 + 5 * 2);
        assert_eq!(sheet["scores"]["STR"], 16);
        assert_eq!(sheet["weapons"], json!(["longsword"]));
        assert_eq!(
            sheet["magic"],
            json!({ "weapons": 1, "armour": 0, "shield": 0 })
        );
        assert_eq!(sheet["feats"], json!(["Alert", "Cloak of Protection"]));
        let sheet = super::super::Sheet::read(&sheet, "$").expect("it is a sheet");
        let built = sheet.build(Edition::Srd51, "$").expect("it is a character");
        assert_eq!(built.block["ac"], 18);
    }

    #[test]
    fn an_actor_of_foundry_is_read() {
        let document = json!({
            "name": "Osk", "type": "character",
            "system": {
                "abilities": { "wis": { "value": 18 }, "str": { "value": 14 } },
                "attributes": { "hp": { "max": 38 } },
            },
            "items": [
                { "name": "Cleric", "type": "class", "system": { "levels": 5 } },
                { "name": "War Domain", "type": "subclass", "system": {} },
                { "name": "Mace", "type": "weapon", "system": { "equipped": true } },
                { "name": "Guiding Bolt", "type": "spell", "system": { "level": 1 } },
            ],
        });
        let sheet = imported(&document, Edition::Srd51).expect("it is a character");
        assert_eq!(sheet["class"], "cleric");
        assert_eq!(sheet["subclass"], "none");
        assert_eq!(sheet["feats"], json!(["the subclass War Domain"]));
        assert_eq!(sheet["spells"], json!(["Guiding Bolt"]));
        assert!(imported(&json!({ "name": "Ogre", "type": "npc" }), Edition::Srd51).is_none());
    }
}
