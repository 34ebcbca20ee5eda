//! Creatures of Open5e, as its servers answer them: versions 1 and 2.

use super::members::{add_entry, at, list, members, saves, scores, skills, speeds, text, whole};
use crate::statblock::block::Section;
use crate::statblock::head::{Label, read_line};
use crate::statblock::numbers::ABILITIES;
use crate::statblock::raw::{Defence, Raw};
use serde_json::Value;

/// Version 1: abilities and lists of actions are members of the creature.
pub(super) fn first(block: &Value) -> Raw {
    let mut raw = common(block);
    scores(&mut raw, block);
    for (long, short) in ABILITIES {
        let save = whole(at(block, &format!("{long}_save")));
        raw.saves.extend(save.map(|save| (short, save)));
    }
    skills(&mut raw, members(at(block, "skills")));
    defences(block, &mut raw, |name| format!("damage_{name}"));
    let conditions = text(at(block, "condition_immunities")).unwrap_or_default();
    raw.defences(&conditions, Defence::Conditions);
    let lists = [
        (Section::Traits, "special_abilities"),
        (Section::Actions, "actions"),
        (Section::BonusActions, "bonus_actions"),
        (Section::Reactions, "reactions"),
        (Section::Legendary, "legendary_actions"),
    ];
    for (section, name) in lists {
        for entry in list(at(block, name)) {
            add(&mut raw, section, entry);
        }
    }
    raw
}

/// Version 2: abilities are objects, and actions say of which kind they are.
pub(super) fn second(block: &Value) -> Raw {
    let mut raw = common(block);
    scores(&mut raw, at(block, "ability_scores"));
    saves(&mut raw, members(at(block, "saving_throws")));
    skills(&mut raw, members(at(block, "skill_bonuses")));
    raw.initiative = whole(at(block, "initiative_bonus"));
    raw.proficiency = whole(at(block, "proficiency_bonus"));
    raw.xp = whole(at(block, "experience_points"));
    let against = at(block, "resistances_and_immunities");
    defences(against, &mut raw, |name| format!("damage_{name}_display"));
    let conditions = text(at(against, "condition_immunities_display")).unwrap_or_default();
    raw.defences(&conditions, Defence::Conditions);
    for entry in list(at(block, "traits")) {
        add(&mut raw, Section::Traits, entry);
    }
    for entry in list(at(block, "actions")) {
        let section = match at(entry, "action_type").as_str() {
            Some("BONUS_ACTION") => Section::BonusActions,
            Some("REACTION") => Section::Reactions,
            Some("LEGENDARY_ACTION") => Section::Legendary,
            Some("LAIR_ACTION") => Section::Lair,
            _ => Section::Actions,
        };
        add(&mut raw, section, entry);
    }
    raw
}

fn common(block: &Value) -> Raw {
    let named = |member: &str| {
        let value = at(block, member);
        text(value)
            .or_else(|| text(at(value, "name")))
            .map(|text| text.to_lowercase())
    };
    let mut raw = Raw {
        name: text(at(block, "name")).unwrap_or_default(),
        size: named("size"),
        kind: named("type"),
        alignment: named("alignment"),
        ac: whole(at(block, "armor_class")),
        hp: whole(at(block, "hit_points")),
        hp_dice: text(at(block, "hit_dice")).map(|dice| dice.replace(' ', "")),
        cr: at(block, "cr")
            .as_f64()
            .or_else(|| super::super::raw::number(&text(at(block, "challenge_rating"))?)),
        ..Raw::default()
    };
    speeds(&mut raw, at(block, "speed"));
    let senses = text(at(block, "senses")).unwrap_or_default();
    read_line(Label::Senses, &senses, &mut raw);
    for sense in ["darkvision", "blindsight", "truesight", "tremorsense"] {
        let feet = whole(at(block, &format!("{sense}_range")));
        raw.senses.extend(feet.map(|feet| (sense.to_owned(), feet)));
    }
    raw
}

fn defences(of: &Value, raw: &mut Raw, name: impl Fn(&str) -> String) {
    let lists = [
        (Defence::Resists, "resistances"),
        (Defence::Immune, "immunities"),
        (Defence::Vulnerable, "vulnerabilities"),
    ];
    for (defence, member) in lists {
        let line = text(at(of, &name(member))).unwrap_or_default();
        raw.defences(&line, defence);
    }
}

fn add(raw: &mut Raw, section: Section, entry: &Value) {
    let name = text(at(entry, "name")).unwrap_or_default();
    let words = text(at(entry, "desc")).unwrap_or_default();
    let param = whole(at(entry, "usage_limits.param"));
    let uses = match (at(entry, "usage_limits.type").as_str(), param) {
        (Some("PER_DAY"), Some(count)) => format!(" ({count}/Day)"),
        (Some("RECHARGE_ON_ROLL"), Some(6)) => " (Recharge 6)".to_owned(),
        (Some("RECHARGE_ON_ROLL"), Some(first)) => format!(" (Recharge {first}-6)"),
        (Some("RECHARGE_AFTER_REST"), _) => " (Recharges after a Short or Long Rest)".to_owned(),
        _ => String::new(),
    };
    let cost = whole(at(entry, "legendary_action_cost")).filter(|cost| *cost > 1);
    let cost = cost
        .map(|cost| format!(" (Costs {cost} Actions)"))
        .unwrap_or_default();
    add_entry(raw, section, &format!("{name}{uses}{cost}"), &words);
}
