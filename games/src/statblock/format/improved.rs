//! Stat blocks of Improved Initiative.

use super::members::{add_entry, at, list, scores, text, whole};
use crate::statblock::block::Section;
use crate::statblock::head::{Label, read_line, read_type};
use crate::statblock::numbers::ability;
use crate::statblock::raw::{Defence, Raw};
use serde_json::Value;

/// Reads a stat block.
pub(super) fn read(block: &Value) -> Raw {
    let notes = text(at(block, "HP.Notes")).unwrap_or_default();
    let mut raw = Raw {
        name: text(at(block, "Name")).unwrap_or_default(),
        ac: whole(at(block, "AC.Value")),
        hp: whole(at(block, "HP.Value")),
        hp_dice: Some(notes.replace(['(', ')', ' '], "")).filter(|dice| dice.contains('d')),
        ..Raw::default()
    };
    read_type(&text(at(block, "Type")).unwrap_or_default(), &mut raw);
    let joined = |member: &str| {
        let texts = list(at(block, member)).filter_map(text);
        texts.collect::<Vec<_>>().join("; ")
    };
    read_line(Label::Speed, &joined("Speed"), &mut raw);
    scores(&mut raw, at(block, "Abilities"));
    for save in list(at(block, "Saves")) {
        let name = text(at(save, "Name")).unwrap_or_default().to_lowercase();
        if let (Some(name), Some(bonus)) = (ability(&name), whole(at(save, "Modifier"))) {
            raw.saves.insert(name, bonus);
        }
    }
    for skill in list(at(block, "Skills")) {
        if let (Some(name), Some(bonus)) = (text(at(skill, "Name")), whole(at(skill, "Modifier"))) {
            raw.skills.insert(name.to_lowercase(), bonus);
        }
    }
    raw.defences(&joined("DamageResistances"), Defence::Resists);
    raw.defences(&joined("DamageImmunities"), Defence::Immune);
    raw.defences(&joined("DamageVulnerabilities"), Defence::Vulnerable);
    raw.defences(&joined("ConditionImmunities"), Defence::Conditions);
    read_line(
        Label::Challenge,
        &text(at(block, "Challenge")).unwrap_or_default(),
        &mut raw,
    );
    read_line(Label::Senses, &joined("Senses"), &mut raw);
    let lists = [
        (Section::Traits, "Traits"),
        (Section::Actions, "Actions"),
        (Section::BonusActions, "BonusActions"),
        (Section::Reactions, "Reactions"),
        (Section::Legendary, "LegendaryActions"),
    ];
    for (section, member) in lists {
        for entry in list(at(block, member)) {
            let name = text(at(entry, "Name")).unwrap_or_default();
            let usage = text(at(entry, "Usage")).map(|usage| format!(" ({usage})"));
            let content = text(at(entry, "Content")).unwrap_or_default();
            let name = format!("{name}{}", usage.unwrap_or_default());
            add_entry(&mut raw, section, &name, &content);
        }
    }
    raw
}
