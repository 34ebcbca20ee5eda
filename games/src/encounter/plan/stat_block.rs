//! Reads a kind of creatures from its stat block and the encounter.

use super::aim::Aim;
use super::damage::{ALL_DAMAGE, By};
use super::deed::{What, times, what};
use super::grip::Grip;
use super::kind::Kind;
use super::occasion::rare;
use super::positions::speed;
use super::saving::missing;
use super::steps::has_steps;
use super::traits::{Traits, has_no_effect};
use super::worth::Sides;
use crate::encounter::bestiary::{Action, Creature};
use crate::encounter::document::{Encounter, Gazes, Listed};
use crate::encounter::wrong::Wrong;
use crate::script_text::{ScriptCode, code, identifier};
use dicec_lang::syntax::nearest;

impl Kind {
    /// The kind that is listed at an index; `taken` are those before it.
    ///
    /// # Errors
    /// The errors in its stat block.
    pub(super) fn of(
        listed: &Listed,
        number: usize,
        title: String,
        encounter: &Encounter,
        taken: &[Kind],
    ) -> Result<Self, Wrong> {
        let creature = &listed.creature;
        let path = format!("{}: $", creature.name);
        let (traits, modelled, missing) = match encounter.plain {
            true => (Traits::default(), Vec::new(), Vec::new()),
            false => Traits::of(creature, encounter),
        };
        let side = &encounter.sides[listed.side];
        let mut kind = Self {
            number,
            side: listed.side,
            count: listed.count,
            creature: creature.clone(),
            word: word(&creature.name, number, taken),
            title,
            traits,
            deeds: Vec::new(),
            speed: speed(creature, encounter)?,
            routine: Vec::new(),
            options: Vec::new(),
            opportunity: None,
            preferred: Vec::new(),
            limited: Vec::new(),
            legendary: Vec::new(),
            handled: Vec::new(),
            asides: Vec::new(),
            apart: Vec::new(),
            spelled: Vec::new(),
            besides: Vec::new(),
            healing: Vec::new(),
            is_character: creature.character && !encounter.plain,
            targets: side.targets.clone(),
            limits: side.limited.clone(),
            escapes: side.escape,
            averts: side.gazes == Gazes::Avert,
            // Reinforcements come when everybody knows of the fight.
            is_surprised: side.surprised && listed.arrives.is_none(),
            arrives: listed.arrives,
            fixed: modelled.clone(),
            modelled,
            missing,
        };
        if creature.sees_invisible() {
            kind.traits.immune_to.push("Invisibility".to_owned());
        }
        if !encounter.plain {
            kind.missing.extend(creature.not_modelled.iter().cloned());
            let apart = creature.not_modelled_with_distances.iter().cloned();
            kind.missing
                .extend(apart.filter(|_| encounter.has_positions()));
        }
        kind.check()?;
        kind.read_actions(encounter, &path)?;
        if !encounter.plain {
            kind.read_bonus_attacks(encounter, &path)?;
            kind.read_features(encounter)?;
            kind.read_sights(encounter, &path)?;
        }
        kind.enchant();
        Ok(kind)
    }

    /// Chooses what it does in its turns with these friends against these enemies.
    ///
    /// # Errors
    /// The errors in its stat block.
    pub(super) fn choose(&mut self, sides: &Sides, encounter: &Encounter) -> Result<(), Wrong> {
        let path = format!("{}: $", self.creature.name);
        self.choose_routine(sides, encounter.has_positions())?;
        if encounter.has_positions() {
            self.choose_options()?;
        }
        if !encounter.plain {
            self.read_legendary(encounter, &path)?;
            self.enchant();
        }
        self.drop_unlasting();
        self.note_unknown_damage();
        Ok(())
    }

    /// Checks that its numbers are in range for a creature.
    fn check(&self) -> Result<(), Wrong> {
        let Creature { name, ac, hp, .. } = &self.creature;
        let bounds = |member: &str, number: i64, least, most| match number {
            number if (least..=most).contains(&number) => Ok(()),
            _ => {
                let path = format!("{name}: $.{member}");
                Err(Wrong::new(
                    path,
                    format!("is {number}, not in {least} to {most}"),
                ))
            }
        };
        bounds("hp", *hp, 1, 100_000)?;
        bounds("current hp", self.creature.first_hp(), 1, *hp)?;
        bounds("temp hp", self.creature.temp_hp, 0, 100_000)?;
        bounds("ac", *ac, 0, 1000)?;
        self.check_spells()
    }

    /// Its deeds: its actions except multiattacks.
    fn read_actions(&mut self, encounter: &Encounter, path: &str) -> Result<(), Wrong> {
        let (is_plain, creature) = (encounter.plain, self.creature.clone());
        for (index, action) in creature.actions.iter().enumerate() {
            let path = format!("{path}.actions[{index}]");
            let is_out = encounter.leaves_out(&action.name)
                || encounter.sides[self.side].saves_for_later(action)
                || (is_plain && action.usage.is_some());
            let is_idle = action.bonus.is_none() && has_no_effect(&action.name, encounter);
            if has_steps(action) || is_out || is_idle {
                self.note_grapple(action, is_plain || is_out);
                continue;
            }
            if action.heals.is_some() {
                self.read_healing(action, encounter, &path)?;
                continue;
            }
            match what(action, is_plain, &path)? {
                Some(what) => {
                    self.add(action, what, is_plain, &path)?;
                    if encounter.has_positions() {
                        self.note_range_of_help(action);
                        self.add_thrown(action);
                    }
                }
                None if is_plain => {}
                None if action.spell => self.add_idle_spell(action, &path)?,
                None => self.missing.push(action.name.clone()),
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        action: &Action,
        what: What,
        is_plain: bool,
        path: &str,
    ) -> Result<(), Wrong> {
        let deed = self.deeds.len();
        if let Some(save) = &action.save {
            let missing = missing(save, action.grapples.is_some());
            if !missing.is_empty() {
                let what = format!("{} ({})", action.name, missing.join(", "));
                self.missing.push(what);
            }
        }
        if action.bonus_action && action.helps.is_none() {
            let what = format!("{} (as a bonus action)", action.name);
            self.missing.push(what);
        }
        let vain = action.save.as_ref().filter(|_| !is_plain && !asks(&what));
        let vain = vain.map(|_| "what its save averts");
        for words in vain.into_iter().chain(action.left_out.as_deref()) {
            self.missing.push(format!("{} ({words})", action.name));
        }
        let grip = Grip::of(action, path)?;
        let times = times(action, &what, path)?;
        self.push(&action.name, what, grip.filter(|_| !is_plain));
        self.deeds[deed].times = times;
        self.deeds[deed].aim = Aim::of(action.only.as_ref(), &format!("{path}.only"))?;
        self.deeds[deed].level = action.level;
        self.deeds[deed].range = action.range.first().copied();
        self.concentrate(deed, action, path)?;
        self.add_lasting(deed, action, path)?;
        if let Some(usage) = &action.usage {
            self.check_slot(usage, path)?;
            self.limited.push(rare(deed, action, usage, path)?);
            self.modelled.push(action.name.clone());
        }
        Ok(())
    }

    /// Names that help reaches friends wherever they are, and its attacks enemies in reach.
    fn note_range_of_help(&mut self, action: &Action) {
        let Some(help) = &action.helps else {
            return;
        };
        let what = match (action.on.is_none(), help.attack.is_some()) {
            (true, _) => "its range",
            (false, true) => "its moves",
            (false, false) => return,
        };
        self.missing.push(format!("{} ({what})", action.name));
    }

    /// Names holding by all attacks of a multiattack together, which is not modelled.
    fn note_grapple(&mut self, action: &Action, is_out: bool) {
        if action.grapples.is_some() && !is_out {
            self.missing.push(format!("{} (holding)", action.name));
        }
    }

    /// Makes its weapons magical, if a feature does so.
    fn enchant(&mut self) {
        let deeds = self.deeds.iter_mut().filter(|_| self.traits.has_magic);
        for deed in deeds {
            let What::Strike(strike) = &mut deed.what else {
                continue;
            };
            let parts = strike.damage.iter_mut().chain(&mut strike.on_miss);
            let weapons = parts.map(|part| &mut part.kind.by);
            let weapons = weapons.filter(|by| **by == By::Weapon);
            weapons.for_each(|by| *by = By::MagicWeapon);
        }
    }

    /// Lists its damage types that are not in the SRD 5.1: no creature resists them.
    fn note_unknown_damage(&mut self) {
        let mut unknown: Vec<&str> = Vec::new();
        for deed in &self.deeds {
            for part in deed.damage_parts() {
                let name = part.kind.name.as_str();
                if !ALL_DAMAGE.contains(&name) && !unknown.contains(&name) {
                    unknown.push(name);
                }
            }
        }
        let notes = unknown
            .into_iter()
            .map(|name| match nearest(name, ALL_DAMAGE) {
                Some(meant) => format!("`{name}` as a type of damage (did you mean `{meant}`?)"),
                None => format!("`{name}` as a type of damage"),
            });
        let notes: Vec<String> = notes.collect();
        self.missing.extend(notes);
    }
}

/// Whether a deed asks for a save.
fn asks(what: &What) -> bool {
    match what {
        What::Strike(strike) => strike.rider.is_some(),
        What::Blast(hit, _) => hit.ask.is_some(),
        What::Mend(_) | What::Boon(_) => false,
    }
}

/// The name of a kind in the script: numbers of creatures follow it.
fn word(name: &str, number: usize, taken: &[Kind]) -> ScriptCode {
    let word = identifier(name);
    let is_open = word.as_str().ends_with(|c: char| c.is_ascii_digit());
    match is_open || taken.iter().any(|kind| kind.word == word) {
        true => {
            let numeral: ScriptCode = (0..=number).map(|_| ScriptCode::from("I")).collect();
            code!("{word}K{numeral}", word, numeral)
        }
        false => word,
    }
}
