//! A stat block before its sentences are read: the same for text and for each format of JSON.

use super::block::Section;
use super::numbers::ABILITIES;
use super::usage::Heading;
use crate::encounter::ALL_DAMAGE;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The numbers and the texts of a stat block.
#[derive(Clone, Debug, Default)]
pub(super) struct Raw {
    pub(super) name: String,
    pub(super) size: Option<String>,
    pub(super) kind: Option<String>,
    pub(super) alignment: Option<String>,
    pub(super) ac: Option<i64>,
    pub(super) hp: Option<i64>,
    pub(super) hp_dice: Option<String>,
    pub(super) speed: BTreeMap<String, i64>,
    /// The scores by ability, as `STR`.
    pub(super) scores: BTreeMap<&'static str, i64>,
    /// The bonuses of saves, by ability.
    pub(super) saves: BTreeMap<&'static str, i64>,
    /// The bonuses of skills, by name in lower case.
    pub(super) skills: BTreeMap<String, i64>,
    pub(super) resists: Vec<String>,
    pub(super) immune: Vec<String>,
    pub(super) vulnerable: Vec<String>,
    pub(super) condition_immune: Vec<String>,
    /// Feet by sense, such as `blindsight`.
    pub(super) senses: BTreeMap<String, i64>,
    pub(super) cr: Option<f64>,
    pub(super) xp: Option<i64>,
    pub(super) proficiency: Option<i64>,
    pub(super) initiative: Option<i64>,
    /// Lines of the head that say something else.
    pub(super) others: Vec<String>,
    /// Lines of the head as the text has them, and whether they matter in fights; none of JSON.
    pub(super) head: Vec<(String, bool)>,
    pub(super) entries: Vec<RawEntry>,
}

/// An entry before its sentences are read.
#[derive(Clone, Debug)]
pub(super) struct RawEntry {
    pub(super) section: Section,
    pub(super) heading: Heading,
    /// Paragraphs, one a line.
    pub(super) text: String,
}

impl RawEntry {
    pub(super) fn new(section: Section, name: &str, text: &str) -> Self {
        Self {
            section,
            heading: Heading::of(name),
            text: text.to_owned(),
        }
    }
}

/// A number as people write it: `+5`, `1,800`, `1/4`.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = text.trim().trim_start_matches('+').replace(',', "");
    match text.split_once('/') {
        Some((above, below)) => Some(above.parse::<f64>().ok()? / below.parse::<f64>().ok()?),
        None => text.parse().ok(),
    }
}

impl Raw {
    /// The damage types and conditions of a line such as `Poison; Charmed`: those of damage keep
    /// what is said about their source.
    pub(super) fn defences(&mut self, line: &str, of: Defence) {
        for group in line.split(';') {
            let group = group.trim().trim_end_matches('.').to_lowercase();
            if group.is_empty() || group == "-" || group == "none" {
                continue;
            }
            let is_damage =
                ALL_DAMAGE.iter().any(|kind| group.contains(kind)) || of != Defence::Immune;
            let list = match (is_damage, of) {
                (_, Defence::Conditions) | (false, _) => &mut self.condition_immune,
                (_, Defence::Immune) => &mut self.immune,
                (_, Defence::Resists) => &mut self.resists,
                (_, Defence::Vulnerable) => &mut self.vulnerable,
            };
            // `from nonmagical attacks` is about all three kinds of weapons before it.
            let start = match group.contains(" from ") {
                true => group.find("bludgeoning").unwrap_or(0),
                false => group.len(),
            };
            let (single, joint) = group.split_at(start);
            let single = single
                .split(',')
                .map(|one| one.trim().trim_start_matches("and "));
            list.extend(single.filter(|one| !one.is_empty()).map(str::to_owned));
            list.extend(Some(joint.to_owned()).filter(|joint| !joint.is_empty()));
        }
    }

    /// The members of the head in our JSON.
    pub(super) fn members(&self) -> Map<String, Value> {
        let mut all = Map::new();
        let mut add = |name: &str, value: Value| {
            let is_empty = match &value {
                Value::Null => true,
                Value::Array(list) => list.is_empty(),
                Value::Object(members) => members.is_empty(),
                _ => false,
            };
            if !is_empty {
                all.insert(name.to_owned(), value);
            }
        };
        add("name", json!(self.name));
        add("size", json!(self.size));
        add("type", json!(self.kind));
        add("alignment", json!(self.alignment));
        add("cr", json!(self.cr));
        add("xp", json!(self.xp));
        add("ac", json!(self.ac));
        add("hp", json!(self.hp));
        add("hp dice", json!(self.hp_dice));
        add("speed", json!(self.speed));
        for (_, short) in ABILITIES {
            add(short, json!(self.scores.get(short)));
        }
        add("proficiency", json!(self.proficiency()));
        let is_own = |ability: &&'static str, bonus: i64| self.modifier(ability) != bonus;
        let saves = self
            .saves
            .iter()
            .filter(|(ability, bonus)| is_own(ability, **bonus));
        let saves: BTreeMap<_, _> = saves.collect();
        add("saves", json!(saves));
        add("skills", json!(self.skills));
        add("senses", json!(self.senses));
        add("resists", json!(self.resists));
        add("immune", json!(self.immune));
        add("vulnerable", json!(self.vulnerable));
        add("condition immune", json!(self.condition_immune));
        all
    }

    /// The modifier of an ability: that of 10 if the text has no score.
    pub(super) fn modifier(&self, ability: &str) -> i64 {
        let score = self.scores.get(ability).copied().unwrap_or(10);
        (score - 10).div_euclid(2)
    }

    /// The proficiency bonus: the stated one, or that of the challenge (SRD 5.1, "Proficiency Bonus
    /// by Challenge Rating").
    fn proficiency(&self) -> Option<i64> {
        self.proficiency.or_else(|| {
            let challenge = self.cr?.clamp(1.0, 30.0);
            Some((challenge.ceil() as i64 - 1) / 4 + 2)
        })
    }
}

/// A kind of line about defences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Defence {
    Resists,
    /// Damage, and in the wording of 5.2 also conditions.
    Immune,
    Vulnerable,
    Conditions,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defences_are_told_apart() {
        let mut raw = Raw::default();
        raw.defences("Necrotic, Poison; Charmed, Exhaustion", Defence::Immune);
        raw.defences(
            "cold, bludgeoning, piercing, and slashing from nonmagical attacks",
            Defence::Resists,
        );
        assert_eq!(raw.immune, ["necrotic", "poison"]);
        assert_eq!(raw.condition_immune, ["charmed", "exhaustion"]);
        assert_eq!(raw.resists.len(), 2);
    }
}
