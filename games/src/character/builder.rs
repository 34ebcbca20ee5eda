//! A stat block of a character while it is made: the features of its class add to it.

use super::casting::Spells;
use super::class::Feature;
use super::numbers::Numbers;
use super::played::{Entry, Verdict};
use super::sheet::Chosen;
use super::species::Species;
use dicec_runtime::bug;
use serde_json::{Map, Value, json};

/// Fighting styles that are in the numbers.
const STYLES: [&str; 4] = ["Archery", "Defense", "Dueling", "Two-Weapon Fighting"];

/// A stat block while it is made.
pub(super) struct Builder<'s> {
    pub(super) chosen: Chosen<'s>,
    pub(super) numbers: Numbers,
    pub(super) species: &'static Species,
    pub(super) styles: Vec<String>,
    pub(super) has_shield: bool,
    pub(super) has_mastery: bool,
    pub(super) cantrips: Vec<String>,
    pub(super) actions: Vec<Value>,
    pub(super) traits: Vec<Value>,
    pub(super) reactions: Vec<Value>,
    /// Parts of damage that all attacks in melee add.
    pub(super) melee_damage: Vec<Value>,
    /// The lowest face with which attacks with weapons are critical.
    pub(super) critical: i64,
    /// The number of dice of the weapon that critical hits in melee add.
    pub(super) brutal_dice: i64,
    /// What each ray of Eldritch Blast adds.
    pub(super) eldritch_bonus: i64,
    /// Lists of texts of the stat block, such as `resists`.
    pub(super) lists: Map<String, Value>,
    /// Further members of `spellcasting`.
    pub(super) casting: Map<String, Value>,
    /// The abilities of saves with proficiency.
    pub(super) saves: Vec<String>,
    /// A bonus to all saves.
    pub(super) save_bonus: i64,
    pub(super) hp: i64,
    pub(super) speed: i64,
    pub(super) missing: Vec<String>,
    pub(super) missing_with_distances: Vec<String>,
    pub(super) entries: Vec<Entry>,
}

impl Builder<'_> {
    /// A part of the character that fights do not play.
    pub(super) fn lose(&mut self, what: String) {
        if !self.missing.contains(&what) {
            self.missing.push(what);
        }
    }

    /// The same where distances count.
    pub(super) fn lose_with_distances(&mut self, what: &str) {
        self.missing_with_distances.push(what.to_owned());
    }

    pub(super) fn has_style(&self, name: &str) -> bool {
        self.styles.iter().any(|own| own.eq_ignore_ascii_case(name))
    }

    /// Names the fighting styles that are not in the numbers.
    pub(super) fn name_styles(&mut self) {
        let unknown = self.styles.iter().filter(|own| {
            let mut known = STYLES.iter();
            !known.any(|known| known.eq_ignore_ascii_case(own))
        });
        let unknown: Vec<String> = unknown.cloned().collect();
        self.missing.extend(unknown);
    }

    pub(super) fn spells(&self) -> Option<Spells> {
        let casting = self.chosen.class.casting.as_ref()?;
        let modifier = self.numbers.modifier(&casting.ability);
        Some(Spells::of(&self.chosen, casting, modifier))
    }

    pub(super) fn add_list(&mut self, member: &str, more: &[String]) {
        let list = self.lists.entry(member).or_insert_with(|| json!([]));
        if let Value::Array(list) = list {
            for one in more {
                if !list.iter().any(|own| own == one) {
                    list.push(one.clone().into());
                }
            }
        }
    }

    /// Adds the features of the class and the subclass up to the level.
    pub(super) fn add_features(&mut self) {
        let (class, level) = (self.chosen.class, self.numbers.level);
        let mut all: Vec<(&'static str, &'static Feature)> = Vec::new();
        all.extend(class.features.iter().map(|one| (&*class.name, one)));
        if let Some(subclass) = self.chosen.subclass {
            all.extend(subclass.features.iter().map(|one| (&*subclass.name, one)));
        }
        all.retain(|(_, one)| one.level <= level && one.until.is_none_or(|until| level < until));
        all.sort_by_key(|(_, one)| one.level);
        for (of, feature) in all {
            self.add_feature(of, feature);
        }
    }

    fn add_feature(&mut self, of: &str, feature: &Feature) {
        let name = &feature.name;
        let verdict = match (&feature.adds, feature.idle, &feature.left) {
            (Some(adds), ..) => {
                let adds = self.numbers.filled_members(adds);
                for (member, value) in &adds {
                    self.add(member, value);
                }
                Verdict::Played
            }
            (None, true, _) => Verdict::Idle,
            (None, false, _) => Verdict::Missing,
        };
        let left = match (&feature.left, verdict) {
            (Some(left), _) => Some(format!("{name} ({left})")),
            (None, Verdict::Missing) => Some(name.clone()),
            (None, Verdict::Played | Verdict::Idle) => None,
        };
        if let Some(left) = left {
            self.lose(left);
        }
        if feature.left_with_distances {
            self.lose_with_distances(name);
        }
        self.entries.push(Entry {
            name: name.clone(),
            of: of.to_owned(),
            level: feature.level,
            verdict,
            left: feature.left.clone(),
        });
    }

    /// Adds something to the stat block that a feature gives.
    fn add(&mut self, member: &str, value: &Value) {
        let number = value.as_i64().unwrap_or(0);
        let list = || value.as_array().cloned().unwrap_or_default();
        let texts = || {
            let texts = list().into_iter();
            let texts = texts.filter_map(|one| one.as_str().map(str::to_owned));
            texts.collect::<Vec<String>>()
        };
        match member {
            "traits" => self.traits.extend(list()),
            "actions" => self.actions.extend(list()),
            "first actions" => drop(self.actions.splice(0..0, list())),
            "reactions" => self.reactions.extend(list()),
            "melee damage" => self.melee_damage.extend(list()),
            "resists" | "immune" | "condition immune" => self.add_list(member, &texts()),
            "saves" => self.saves.extend(texts()),
            "all saves" => self.save_bonus += number.max(1),
            "hp" => self.hp += number,
            "speed" => self.speed += number,
            "eldritch bonus" => self.eldritch_bonus += number,
            "cantrip bonus" | "healing bonus" => {
                self.casting.insert(member.to_owned(), value.clone());
            }
            "mastery" => self.has_mastery = true,
            "critical" => self.critical = self.critical.min(number),
            "brutal critical" => self.brutal_dice += number,
            // They are in the numbers from the beginning.
            "scores" => {}
            other => bug!("a feature adds `{other}`").raise(),
        }
    }
}
