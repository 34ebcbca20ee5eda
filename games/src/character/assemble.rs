//! The end of a character: armour class, hit points, saves and spells, and the stat block.

use super::builder::Builder;
use super::casting::Spells;
use super::gear::{armour, capital, usual_armour};
use super::numbers::ABILITIES;
use super::played::Character;
use crate::edition::Edition;
use crate::wrong::Wrong;
use serde_json::{Value, json};

impl Builder<'_> {
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
        let spells = sheet.spells.as_ref();
        let knows = spells.is_none_or(|all| all.iter().any(|name| name == "Mage Armor"));
        let is_cast = casting.is_some_and(|one| one.mage_armour) && knows && usual < 13;
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

    /// The saves with proficiency, all of them if there is a bonus to all, and skills.
    fn write_checks(&self, block: &mut Value) {
        let proficiency = self.numbers.proficiency();
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
    }

    /// The spells; Mage Armor has cost a slot of level 1.
    fn write_spells(&mut self, spells: &Spells, is_mage_armour: bool, block: &mut Value) {
        let Some(casting) = &self.chosen.class.casting else {
            return;
        };
        let mut spells = spells.clone();
        if is_mage_armour && let Some(first) = spells.slots.first_mut() {
            *first -= 1;
        }
        let mut more = std::mem::take(&mut self.casting);
        if self.chosen.edition == Edition::Srd52 {
            more.insert("edition".to_owned(), "5.2".into());
        }
        block["spellcasting"] = spells.block(&casting.ability, self.numbers.level, more);
    }

    /// The character.
    ///
    /// # Errors
    /// Unknown armour.
    pub(super) fn finish(
        mut self,
        spells: Option<&Spells>,
        path: &str,
    ) -> Result<Character, Wrong> {
        let sheet = self.chosen.sheet;
        let (ac, is_mage_armour) = self.armour_class(path)?;
        let (average, dice) = self.hit_points();
        let of_class = || format!("{} {}", capital(&sheet.class), sheet.level);
        let mut block = json!({
            "name": sheet.name.clone().unwrap_or_else(of_class), "character": true,
            "level": sheet.level, "type": "humanoid", "ac": ac, "hp": sheet.hp.unwrap_or(average),
            "hp dice": sheet.hp.map_or(dice, |hp| hp.to_string()),
            "speed": { "walk": self.speed }, "proficiency": self.numbers.proficiency(),
        });
        for ability in ABILITIES {
            block[ability] = self.numbers.score(ability).into();
        }
        self.write_checks(&mut block);
        if let Some(spells) = spells {
            self.write_spells(spells, is_mage_armour, &mut block);
        }
        let lists = self.lists.into_iter().chain([
            ("traits".to_owned(), self.traits.into()),
            ("actions".to_owned(), self.actions.into()),
            ("reactions".to_owned(), self.reactions.into()),
            ("not modelled".to_owned(), self.missing.into()),
            (
                "not modelled with distances".to_owned(),
                self.missing_with_distances.into(),
            ),
        ]);
        for (member, list) in lists {
            if list.as_array().is_some_and(|list| !list.is_empty()) {
                block[member] = list;
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
