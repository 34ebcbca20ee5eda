//! Builds the stat block of a character from its sheet.

use super::attacks::Arms;
use super::casting::Spells;
use super::character::{Character, Entry, Verdict};
use super::class::Feature;
use super::gear::{armour, usual_armour};
use super::numbers::{ABILITIES, Numbers};
use super::sheet::{Chosen, Sheet};
use super::species::{Species, all_species};
use crate::edition::Edition;
use crate::wrong::{Wrong, instead};
use dicec_runtime::bug;
use serde_json::{Map, Value, json};

/// Fighting styles that are in the numbers.
const STYLES: [&str; 4] = ["Archery", "Defense", "Dueling", "Two-Weapon Fighting"];

/// A stat block while it is made.
pub(super) struct Builder<'s> {
    pub(super) chosen: Chosen<'s>,
    pub(super) numbers: Numbers,
    species: &'static Species,
    styles: Vec<String>,
    pub(super) has_shield: bool,
    pub(super) has_mastery: bool,
    pub(super) cantrips: Vec<String>,
    pub(super) actions: Vec<Value>,
    traits: Vec<Value>,
    reactions: Vec<Value>,
    /// Parts of damage that all attacks in melee add.
    pub(super) melee_damage: Vec<Value>,
    /// What each ray of Eldritch Blast adds.
    pub(super) eldritch_bonus: i64,
    /// Lists of texts of the stat block, such as `resists`.
    lists: Map<String, Value>,
    /// Further members of `spellcasting`.
    casting: Map<String, Value>,
    /// The abilities of saves with proficiency.
    saves: Vec<String>,
    /// A bonus to all saves.
    save_bonus: i64,
    hp: i64,
    speed: i64,
    missing: Vec<String>,
    missing_with_distances: Vec<String>,
    entries: Vec<Entry>,
}

impl Sheet {
    /// The character, at a path of its document. `edition` is that of a sheet without one.
    ///
    /// # Errors
    /// A name or a number that the rules do not have.
    pub fn build(&self, edition: Edition, path: &str) -> Result<Character, Wrong> {
        let chosen = self.choose(edition, path)?;
        let species = species(self, chosen.edition, path)?;
        let numbers = Numbers::of(&chosen, species, path)?;
        check_magic(self, path)?;
        let mut builder = Builder {
            saves: chosen.class.saves.clone(),
            styles: styles(&chosen),
            has_shield: self.shield.unwrap_or(chosen.class.shield),
            has_mastery: false,
            cantrips: Vec::new(),
            actions: Vec::new(),
            traits: species.traits.clone(),
            reactions: Vec::new(),
            melee_damage: Vec::new(),
            eldritch_bonus: 0,
            lists: Map::new(),
            casting: Map::new(),
            save_bonus: 0,
            hp: species.hp_a_level * self.level,
            speed: 30 + species.speed,
            missing: species.missing.clone(),
            missing_with_distances: Vec::new(),
            entries: Vec::new(),
            chosen,
            numbers,
            species,
        };
        let arms = Arms::of(&builder, path)?;
        builder.numbers.texts.insert("WEAPON", arms.first());
        let spells = builder.spells();
        builder.cantrips = spells.iter().flat_map(|own| own.cantrips.clone()).collect();
        if spells.as_ref().is_some_and(|own| own.has("Eldritch Blast")) {
            builder.cantrips.push("Eldritch Blast".to_owned());
        }
        builder.add_list("resists", &species.resists);
        builder.add_features();
        builder.name_styles();
        builder.write_attacks(&arms);
        builder.missing.extend(self.feats.iter().cloned());
        builder.finish(spells.as_ref(), path)
    }
}

/// The species of a sheet, or the usual one.
fn species(sheet: &Sheet, edition: Edition, path: &str) -> Result<&'static Species, Wrong> {
    let name = sheet.species.as_deref().unwrap_or("human");
    let found = all_species(edition).find(|one| one.name.eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        let names = all_species(edition).map(|one| one.name.as_str());
        let what = format!(
            "is `{name}`, which the SRD {} does not have",
            edition.name()
        );
        Wrong::new(format!("{path}.species"), what).help(instead(name, names))
    })
}

/// The fighting styles of a sheet, or the usual ones.
fn styles(chosen: &Chosen<'_>) -> Vec<String> {
    let usual = || {
        let levels = chosen.class.styles.range(..=chosen.sheet.level);
        levels.flat_map(|(_, names)| names.clone()).collect()
    };
    chosen.sheet.styles.clone().unwrap_or_else(usual)
}

fn check_magic(sheet: &Sheet, path: &str) -> Result<(), Wrong> {
    let magic = sheet.magic;
    for (member, bonus) in [
        ("weapons", magic.weapons),
        ("armour", magic.armour),
        ("shield", magic.shield),
    ] {
        if !(0..=3).contains(&bonus) {
            let wrong = Wrong::new(format!("{path}.magic.{member}"), format!("is {bonus}"));
            return Err(wrong.help("bonuses of magic items are from 0 to 3"));
        }
    }
    Ok(())
}

impl Builder<'_> {
    pub(super) fn add_trait(&mut self, one: Value) {
        self.traits.push(one);
    }

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
    fn name_styles(&mut self) {
        let unknown = self.styles.iter().filter(|own| {
            let mut known = STYLES.iter();
            !known.any(|known| known.eq_ignore_ascii_case(own))
        });
        let unknown: Vec<String> = unknown.cloned().collect();
        self.missing.extend(unknown);
    }

    fn spells(&self) -> Option<Spells> {
        let casting = self.chosen.class.casting.as_ref()?;
        let modifier = self.numbers.modifier(&casting.ability);
        Some(Spells::of(&self.chosen, casting, modifier))
    }

    fn add_list(&mut self, member: &str, more: &[String]) {
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
    fn add_features(&mut self) {
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
            // They are in the numbers from the beginning.
            "scores" => {}
            other => bug!("a feature adds `{other}`").raise(),
        }
    }

    /// The armour class, and whether Mage Armor is cast before the fight.
    ///
    /// # Errors
    /// Unknown armour.
    fn armour_class(&self, path: &str) -> Result<(i64, bool), Wrong> {
        let (sheet, class) = (self.chosen.sheet, self.chosen.class);
        if let Some(ac) = sheet.ac {
            return Ok((ac, false));
        }
        let dexterity = self.numbers.modifier("DEX");
        let shield = if self.has_shield {
            2 + sheet.magic.shield
        } else {
            0
        };
        let of_subclass = self.chosen.subclass.and_then(|one| one.armour.as_ref());
        let worn = match sheet.armour.as_deref() {
            Some("none") => None,
            Some(name) => Some(armour(name, &format!("{path}.armour"))?),
            None => usual_armour(of_subclass.unwrap_or(&class.armour), sheet.level),
        };
        if let Some(worn) = worn {
            let defense = i64::from(self.has_style("Defense"));
            let ac = worn.ac + dexterity.min(worn.dexterity) + sheet.magic.armour;
            return Ok((ac + defense + shield, false));
        }
        let modifier = |ability: &str| 10 + self.numbers.modifier(ability);
        let mut bases = vec![10];
        bases.extend(class.unarmoured.as_deref().map(modifier));
        if let Some(own) = self.chosen.subclass.and_then(|one| one.unarmoured.as_ref()) {
            bases.extend(own.as_i64().or_else(|| own.as_str().map(modifier)));
        }
        let usual = bases.into_iter().max().unwrap_or(10);
        let casting = class.casting.as_ref();
        let is_cast = casting.is_some_and(|one| one.mage_armour) && usual < 13;
        let base = if is_cast { 13 } else { usual };
        Ok((base + dexterity + shield, is_cast))
    }

    /// The hit points: the greatest number of the die at level 1, and its average, rounded up, at
    /// each further level (SRD 5.1, "Beyond 1st Level"); also as dice.
    fn hit_points(&self) -> (i64, String) {
        let (die, level) = (self.chosen.class.hit_die, self.numbers.level);
        let constitution = self.numbers.modifier("CON");
        let fixed = die + constitution * level + self.hp;
        let average = fixed + (level - 1) * (die / 2 + 1);
        let dice = match level {
            1 => fixed.max(1).to_string(),
            _ => format!("{}d{die}{fixed:+}", level - 1),
        };
        (average.max(level), dice)
    }

    fn finish(mut self, spells: Option<&Spells>, path: &str) -> Result<Character, Wrong> {
        let sheet = self.chosen.sheet;
        let (ac, is_mage_armour) = self.armour_class(path)?;
        let (average, dice) = self.hit_points();
        let hp = sheet.hp.unwrap_or(average);
        let name = sheet.name.clone();
        let of_class = || format!("{} {}", super::attacks::capital(&sheet.class), sheet.level);
        let mut block = json!({
            "name": name.unwrap_or_else(of_class), "character": true, "level": sheet.level,
            "type": "humanoid", "ac": ac, "hp": hp,
            "hp dice": sheet.hp.map_or(dice, |hp| hp.to_string()),
            "speed": { "walk": self.speed },
        });
        for ability in ABILITIES {
            block[ability] = self.numbers.score(ability).into();
        }
        let proficiency = self.numbers.proficiency();
        block["proficiency"] = proficiency.into();
        for ability in ABILITIES {
            let is_proficient = self.saves.iter().any(|own| own == ability);
            if is_proficient || self.save_bonus > 0 {
                let own = if is_proficient { proficiency } else { 0 };
                let bonus = self.numbers.modifier(ability) + own + self.save_bonus;
                block["saves"][ability] = bonus.into();
            }
        }
        for skill in &self.chosen.class.skills {
            let ability = if skill == "athletics" { "STR" } else { "DEX" };
            block["skills"][skill] = (self.numbers.modifier(ability) + proficiency).into();
        }
        for (member, list) in std::mem::take(&mut self.lists) {
            if list.as_array().is_some_and(|list| !list.is_empty()) {
                block[member] = list;
            }
        }
        let casting = self.chosen.class.casting.as_ref().zip(spells);
        if let Some((casting, spells)) = casting {
            let mut spells = spells.clone();
            if is_mage_armour && let Some(first) = spells.slots.first_mut() {
                *first -= 1;
            }
            let mut more = std::mem::take(&mut self.casting);
            if self.chosen.edition == Edition::Srd52 {
                more.insert("edition".to_owned(), "5.2".into());
            }
            block["spellcasting"] = spells.block(&casting.ability, sheet.level, more);
        }
        for (member, list) in [
            ("traits", self.traits),
            ("actions", self.actions),
            ("reactions", self.reactions),
        ] {
            if !list.is_empty() {
                block[member] = list.into();
            }
        }
        for (member, list) in [
            ("not modelled", self.missing),
            ("not modelled with distances", self.missing_with_distances),
        ] {
            if !list.is_empty() {
                block[member] = list.into();
            }
        }
        Ok(Character {
            block,
            class: self.chosen.class.name.clone(),
            subclass: self.chosen.subclass.map(|one| one.full.clone()),
            species: self.species.name.clone(),
            edition: self.chosen.edition,
            features: self.entries,
            is_mage_armour,
        })
    }
}
