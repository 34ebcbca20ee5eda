//! The numbers of a character: scores, proficiency, columns of the class; and expressions of them
//! in the data of classes, such as `1d10+{level}` and `{level*2}`.

use super::class::{Class, Subclass};
use super::sheet::{Chosen, Sheet};
use super::species::Species;
use crate::edition::Edition;
use crate::wrong::{Wrong, instead};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The abilities, as stat blocks name them.
pub(super) const ABILITIES: [&str; 6] = ["STR", "DEX", "CON", "INT", "WIS", "CHA"];

/// The standard array (SRD 5.1, "Ability Scores"; SRD 5.2, "Character Creation").
const STANDARD: [i64; 6] = [15, 14, 13, 12, 10, 8];

/// The numbers of a character.
pub(super) struct Numbers {
    pub(super) level: i64,
    class: &'static Class,
    scores: BTreeMap<String, i64>,
    /// Texts in place of numbers, by name.
    pub(super) texts: BTreeMap<&'static str, String>,
}

impl Numbers {
    /// The numbers of a sheet at a path.
    ///
    /// # Errors
    /// A score that is not one.
    pub(super) fn of(chosen: &Chosen<'_>, species: &Species, path: &str) -> Result<Self, Wrong> {
        let Sheet { level, scores, .. } = chosen.sheet;
        for (ability, score) in scores {
            let path = format!("{path}.scores.{ability}");
            if !ABILITIES.contains(&&**ability) {
                let wrong = Wrong::new(path, "is not an ability");
                return Err(wrong.help(instead(ability, ABILITIES)));
            }
            if !(1..=30).contains(score) {
                let wrong = Wrong::new(path, format!("is {score}"));
                return Err(wrong.help("scores are from 1 to 30"));
            }
        }
        let mut all = usual(chosen, species);
        all.extend(scores.clone());
        Ok(Self {
            level: *level,
            class: chosen.class,
            scores: all,
            texts: BTreeMap::new(),
        })
    }

    /// The score of an ability.
    pub(super) fn score(&self, ability: &str) -> i64 {
        self.scores.get(ability).copied().unwrap_or(10)
    }

    /// The modifier of an ability.
    pub(super) fn modifier(&self, ability: &str) -> i64 {
        (self.score(ability) - 10).div_euclid(2)
    }

    /// The proficiency bonus (SRD 5.1, "Beyond 1st Level").
    pub(super) fn proficiency(&self) -> i64 {
        2 + (self.level - 1) / 4
    }

    /// A sum of products of numbers and names; `None` if a name is unknown.
    fn evaluate(&self, text: &str) -> Option<i64> {
        let factor = |name: &str| {
            let name = name.trim();
            let column = || {
                let has = self.class.columns.contains_key(name);
                has.then(|| self.class.column(name, self.level))
            };
            match name {
                "level" => Some(self.level),
                "prof" => Some(self.proficiency()),
                _ if ABILITIES.contains(&name) => Some(self.modifier(name)),
                _ => name.parse().ok().or_else(column),
            }
        };
        let product = |text: &str| -> Option<i64> { text.split('*').map(factor).product() };
        text.split('+').map(product).sum()
    }

    /// A value with the expressions in its texts replaced: one that is a whole text becomes a
    /// number.
    pub(super) fn filled(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.filled_text(text),
            Value::Array(all) => all.iter().map(|one| self.filled(one)).collect(),
            Value::Object(members) => Value::Object(self.filled_members(members)),
            other => other.clone(),
        }
    }

    /// The same of members.
    pub(super) fn filled_members(&self, members: &Map<String, Value>) -> Map<String, Value> {
        let members = members.iter();
        members
            .map(|(name, value)| match (name.as_str(), self.filled(value)) {
                // Hit points that are a number are dice in a text, too.
                ("heals", Value::Number(number)) => (name.clone(), number.to_string().into()),
                (_, filled) => (name.clone(), filled),
            })
            .collect()
    }

    fn filled_text(&self, text: &str) -> Value {
        let mut made = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else {
                break;
            };
            let number = self.evaluate(name);
            if let Some(number) = number.filter(|_| name.len() + 2 == text.len()) {
                return number.into();
            }
            made.push_str(before);
            match (number, self.texts.get(name)) {
                (Some(number), _) => made.push_str(&number.to_string()),
                (None, Some(own)) => made.push_str(own),
                (None, None) => made.push_str(name),
            }
            rest = after;
        }
        made.push_str(rest);
        made.into()
    }
}

/// The usual scores: the standard array in the order of the class, the species or background, and
/// the improvements.
fn usual(chosen: &Chosen<'_>, species: &Species) -> BTreeMap<String, i64> {
    let class = chosen.class;
    let array = class.scores.iter().cloned().zip(STANDARD);
    let mut all: BTreeMap<String, i64> = array.collect();
    let mut add = |ability: &String, points: i64| {
        *all.entry(ability.clone()).or_insert(10) += points;
    };
    for (ability, points) in &species.scores {
        add(ability, *points);
    }
    let others = class.scores.iter();
    let others = others.filter(|ability| !species.scores.contains_key(*ability));
    others
        .take(species.best)
        .for_each(|ability| add(ability, 1));
    if chosen.edition == Edition::Srd52 {
        // SRD 5.2, "Character Origins": a background adds 2 to one score and 1 to another.
        class
            .scores
            .iter()
            .zip([2, 1])
            .for_each(|(ability, points)| add(ability, points));
    }
    let level = chosen.sheet.level;
    for _ in class.improvements.iter().filter(|at| **at <= level) {
        let mut points = 2;
        for ability in &class.scores {
            let score = all.entry(ability.clone()).or_insert(10);
            let more = (20 - *score).clamp(0, points);
            *score += more;
            points -= more;
        }
    }
    let features = class.features.iter();
    let of_subclass = chosen
        .subclass
        .iter()
        .flat_map(|one: &&Subclass| &one.features);
    for feature in features.chain(of_subclass).filter(|one| one.level <= level) {
        let scores = feature.adds.as_ref().and_then(|adds| adds.get("scores"));
        for (ability, points) in scores.and_then(Value::as_object).into_iter().flatten() {
            *all.entry(ability.clone()).or_insert(10) += points.as_i64().unwrap_or(0);
        }
    }
    all
}
