//! Builds a character from its sheet.

use super::attacks::Arms;
use super::builder::Builder;
use super::gear::capital;
use super::numbers::Numbers;
use super::played::Character;
use super::sheet::{Chosen, Sheet};
use super::species::{Species, all_species};
use crate::edition::Edition;
use crate::wrong::{Wrong, instead};
use serde_json::Map;

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
            critical: 20,
            brutal_dice: species.brutal_dice,
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
        let attack = capital(&arms.first());
        builder.numbers.texts.insert("ATTACK", attack);
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
