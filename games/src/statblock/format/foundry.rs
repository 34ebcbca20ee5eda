//! Actors of Foundry VTT's system `dnd5e`: numbers of the actor, and the texts of its items.

use super::members::{add_entry, at, list, members, speeds, text, whole};
use crate::statblock::block::Section;
use crate::statblock::numbers::ABILITIES;
use crate::statblock::raw::{Defence, Raw};
use serde_json::Value;

/// Sizes, as the system names them.
const SIZES: [(&str, &str); 6] = [
    ("tiny", "tiny"),
    ("sm", "small"),
    ("med", "medium"),
    ("lg", "large"),
    ("huge", "huge"),
    ("grg", "gargantuan"),
];

/// Reads an actor.
pub(super) fn read(actor: &Value) -> Raw {
    let system = at(actor, "system");
    let armour = at(system, "attributes.ac");
    let mut raw = Raw {
        name: text(at(actor, "name")).unwrap_or_default(),
        kind: text(at(system, "details.type.value")),
        alignment: text(at(system, "details.alignment")),
        ac: whole(at(armour, "flat")).or_else(|| whole(at(armour, "value"))),
        hp: whole(at(system, "attributes.hp.max"))
            .or_else(|| whole(at(system, "attributes.hp.value"))),
        hp_dice: text(at(system, "attributes.hp.formula")).map(|dice| dice.replace(' ', "")),
        cr: at(system, "details.cr").as_f64(),
        ..Raw::default()
    };
    let size = at(system, "traits.size").as_str();
    let size = SIZES.iter().find(|(short, _)| Some(*short) == size);
    raw.size = size.map(|(_, size)| (*size).to_owned());
    speeds(&mut raw, at(system, "attributes.movement"));
    for (sense, feet) in members(at(system, "attributes.senses")) {
        raw.senses.extend(
            whole(feet)
                .filter(|feet| *feet > 0)
                .map(|feet| (sense.clone(), feet)),
        );
    }
    for (_, short) in ABILITIES {
        let ability = at(system, &format!("abilities.{}", short.to_lowercase()));
        raw.scores
            .extend(whole(at(ability, "value")).map(|score| (short, score)));
    }
    proficient_saves(system, &mut raw);
    let lists = [
        ("traits.dr", Defence::Resists),
        ("traits.di", Defence::Immune),
        ("traits.dv", Defence::Vulnerable),
        ("traits.ci", Defence::Conditions),
    ];
    for (path, of) in lists {
        let own = at(system, path);
        let bypassed = !at(own, "bypasses").as_array().is_none_or(Vec::is_empty);
        for kind in list(at(own, "value")).filter_map(text) {
            let is_weapon = ["bludgeoning", "piercing", "slashing"].contains(&kind.as_str());
            let from = if bypassed && is_weapon {
                " from nonmagical attacks"
            } else {
                ""
            };
            raw.defences(&format!("{kind}{from}"), of);
        }
        raw.defences(&text(at(own, "custom")).unwrap_or_default(), of);
    }
    for item in list(at(actor, "items")) {
        add_item(&mut raw, item);
    }
    raw
}

/// Saves with proficiency: the actor has no bonuses, but what they come from.
fn proficient_saves(system: &Value, raw: &mut Raw) {
    let challenge = raw.cr.unwrap_or(0.0).clamp(1.0, 30.0);
    let bonus = (challenge.ceil() as i64 - 1) / 4 + 2;
    for (_, short) in ABILITIES {
        let ability = at(system, &format!("abilities.{}", short.to_lowercase()));
        if whole(at(ability, "proficient")) == Some(1) {
            raw.saves.insert(short, raw.modifier(short) + bonus);
        }
    }
}

fn add_item(raw: &mut Raw, item: &Value) {
    let system = at(item, "system");
    let own = at(system, "activation.type").as_str();
    let activities = members(at(system, "activities"));
    let of_activity = activities
        .map(|(_, one)| at(one, "activation.type").as_str())
        .find(Option::is_some);
    let section = match own.filter(|own| !own.is_empty()).or(of_activity.flatten()) {
        Some("bonus") => Section::BonusActions,
        Some("reaction") => Section::Reactions,
        Some("legendary") => Section::Legendary,
        Some("lair") => Section::Lair,
        Some("action") => Section::Actions,
        _ if at(item, "type").as_str() == Some("weapon") => Section::Actions,
        _ => Section::Traits,
    };
    if ["spell", "loot", "consumable", "equipment", "tool"]
        .contains(&at(item, "type").as_str().unwrap_or_default())
    {
        let name = text(at(item, "name")).unwrap_or_default();
        raw.others.push(format!("item {name}"));
        return;
    }
    let name = text(at(item, "name")).unwrap_or_default();
    let recharge = whole(at(system, "recharge.value")).map(|first| match first {
        6 => " (Recharge 6)".to_owned(),
        first => format!(" (Recharge {first}-6)"),
    });
    let uses =
        whole(at(system, "uses.max")).filter(|_| at(system, "uses.per").as_str() == Some("day"));
    let uses = uses.map(|count| format!(" ({count}/Day)"));
    let name = format!("{name}{}", recharge.or(uses).unwrap_or_default());
    let html = text(at(system, "description.value")).unwrap_or_default();
    add_entry(raw, section, &name, &plain(&html));
}

/// The text of HTML: paragraphs become lines.
fn plain(html: &str) -> String {
    let mut text = String::new();
    for (index, part) in html.split('<').enumerate() {
        let (tag, rest) = match index {
            0 => ("", part),
            _ => part.split_once('>').unwrap_or(("", part)),
        };
        let ends = ["/p", "br", "br/", "br /", "/li", "/h2", "/h3", "/h4", "/tr"];
        if ends.contains(&tag) {
            text.push('\n');
        }
        text.push_str(rest);
    }
    let names = [
        ("&nbsp;", " "),
        ("&rsquo;", "'"),
        ("&lsquo;", "'"),
        ("&ndash;", "-"),
        ("&quot;", "\""),
        ("&amp;", "&"),
    ];
    names
        .iter()
        .fold(text, |text, (name, sign)| text.replace(name, sign))
}
