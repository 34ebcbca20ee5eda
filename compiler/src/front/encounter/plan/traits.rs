//! Traits and reactions of the SRD 5.1 that have a meaning in a fight where everybody is in reach,
//! and those that have none.

use super::dice::Dice;
use crate::front::encounter::bestiary::Creature;
use crate::front::encounter::document::Encounter;
use crate::front::encounter::feature::Attached;
use crate::front::encounter::wrong::Wrong;

/// What the traits of a kind of creatures do (SRD 5.1, "Monsters").
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::front::encounter) struct Traits {
    /// Advantage on attacks while an ally stands and can act.
    pub(in crate::front::encounter) pack_tactics: bool,
    /// Advantage on attacks on those who are hurt.
    pub(in crate::front::encounter) blood_frenzy: bool,
    /// Advantage on its own attacks in melee, and on attacks on it until its next turn.
    pub(in crate::front::encounter) reckless: bool,
    /// Hit points at the start of a turn, but not after damage of some types.
    pub(in crate::front::encounter) regeneration: Option<Regeneration>,
    /// What a reaction adds to the armour class against one hit in melee.
    pub(in crate::front::encounter) parry: Option<i64>,
    /// One hit point is left to those who save against 5 and the damage.
    pub(in crate::front::encounter) undead_fortitude: bool,
    /// One hit point is left, once, if the damage is not more than this.
    pub(in crate::front::encounter) relentless: Option<i64>,
    /// Dice that are added to one hit a turn while an ally stands and can act.
    pub(in crate::front::encounter) martial_advantage: Option<Dice>,
    /// Dice that are added to one hit a turn with advantage, or while an ally stands and can act.
    pub(in crate::front::encounter) sneak_attack: Option<Dice>,
    /// Dice that are added to hits in the first round, on those who are surprised.
    pub(in crate::front::encounter) surprise_attack: Option<Dice>,
    /// An attack after the first enemy that falls in its turn.
    pub(in crate::front::encounter) rampage: bool,
    /// Advantage on saves against magic.
    pub(in crate::front::encounter) magic_resistance: bool,
    /// Saves against being frightened with advantage.
    pub(in crate::front::encounter) is_brave: bool,
    /// No damage instead of half of it, and half instead of all, on saves of Dexterity.
    pub(in crate::front::encounter) evasion: bool,
    /// Its saves have advantage.
    pub(in crate::front::encounter) save_advantage: bool,
    /// Its attacks have advantage.
    pub(in crate::front::encounter) attack_advantage: bool,
    /// Its attacks have disadvantage.
    pub(in crate::front::encounter) attack_disadvantage: bool,
    /// Moves up to its speed toward an enemy before it acts.
    pub(in crate::front::encounter) is_aggressive: bool,
    /// Leaves the reach of enemies without an attack by them.
    pub(in crate::front::encounter) flies_by: bool,
    /// Saves that succeed though they failed.
    pub(in crate::front::encounter) legendary_resistance: u32,
}

/// How a creature heals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::front::encounter) struct Regeneration {
    /// Hit points a turn.
    pub(in crate::front::encounter) hit_points: i64,
    /// Types of damage that stop it for a turn.
    pub(in crate::front::encounter) stopped_by: Vec<&'static str>,
}

/// Numbers of traits that stat blocks give in words: the creature, and the number or the dice.
const REGENERATION: [(&str, i64, &[&str]); 5] = [
    ("Oni", 10, &[]),
    ("Shield Guardian", 10, &[]),
    ("Troll", 10, &["acid", "fire"]),
    ("Vampire, Vampire Form", 20, &["radiant"]),
    ("Vampire Spawn", 10, &["radiant"]),
];
const RELENTLESS: [(&str, i64); 5] = [
    ("Boar", 7),
    ("Giant Boar", 10),
    ("Wereboar, Boar Form", 14),
    ("Wereboar, Human Form", 14),
    ("Wereboar, Hybrid Form", 14),
];
const SNEAK_ATTACK: [(&str, &str); 2] = [("Assassin", "4d6"), ("Spy", "2d6")];
const SURPRISE_ATTACK: [(&str, &str); 2] = [("Bugbear", "2d6"), ("Doppelganger", "3d6")];

/// Traits that change nothing where everybody is in reach and sees everybody, or whose effect the
/// numbers of the stat block already have.
const WITHOUT_EFFECT: [&str; 68] = [
    "Aggressive",
    "Air Form",
    "Amorphous",
    "Amphibious",
    "Angelic Weapons",
    "Beast of Burden",
    "Blind Senses",
    "Brute",
    "Charge",
    "Charge (Boar or Hybrid Form Only)",
    "Cunning Action",
    "Detect",
    "Devil's Sight",
    "Divine Awareness",
    "Earth Glide",
    "Echolocation",
    "Ephemeral",
    "Ethereal Jaunt",
    "Ethereal Sight",
    "False Appearance",
    "False Appearance (Object Form Only)",
    "Faultless Tracker",
    "Flyby",
    "Freedom of Movement",
    "Heated Weapons",
    "Hellish Weapons",
    "Hold Breath",
    "Ice Walk",
    "Ignited Illumination",
    "Illumination",
    "Immutable Form",
    "Incorporeal Movement",
    "Inscrutable",
    "Invisibility",
    "Keen Hearing",
    "Keen Hearing and Sight",
    "Keen Hearing and Smell",
    "Keen Senses",
    "Keen Sight",
    "Keen Sight and Smell",
    "Keen Smell",
    "Labyrinthine Recall",
    "Limited Amphibiousness",
    "Limited Telepathy",
    "Magic Weapons",
    "Mimicry",
    "Misty Escape",
    "Multiple Heads",
    "Nimble Escape",
    "Pounce",
    "Probing Telepathy",
    "Rejuvenation",
    "Running Leap",
    "Sense Magic",
    "Shark Telepathy",
    "Siege Monster",
    "Snow Camouflage",
    "Speak with Beasts and Plants",
    "Spider Climb",
    "Standing Leap",
    "Stone Camouflage",
    "Swarm",
    "Telepathic Bond",
    "Teleport",
    "Trampling Charge",
    "Water Breathing",
    "Web Sense",
    "Web Walker",
];

/// Those of them that matter where distances count.
const ABOUT_DISTANCE: [&str; 12] = [
    "Aggressive",
    "Charge",
    "Charge (Boar or Hybrid Form Only)",
    "Cunning Action",
    "Ethereal Jaunt",
    "Flyby",
    "Misty Escape",
    "Nimble Escape",
    "Pounce",
    "Running Leap",
    "Teleport",
    "Trampling Charge",
];

/// Whether a trait or an action changes nothing in a fight as it is modelled.
pub(super) fn has_no_effect(name: &str, encounter: &Encounter) -> bool {
    let is_lost = encounter.has_positions() && ABOUT_DISTANCE.contains(&name);
    WITHOUT_EFFECT.contains(&name) && !is_lost
}

impl Traits {
    /// What the traits of a creature do, without those that are left out; their names, and those of
    /// traits that are not modelled.
    ///
    /// # Errors
    /// A `value` that a trait cannot take.
    pub(super) fn of(
        creature: &Creature,
        encounter: &Encounter,
    ) -> Result<(Self, Vec<String>, Vec<String>), Wrong> {
        let mut made = Self::default();
        let (mut modelled, mut missing) = (Vec::new(), Vec::new());
        for one in creature.traits.iter().chain(&creature.reactions) {
            let name = one.name.as_str();
            if encounter.leaves_out(name)
                || Attached::is_one(one, creature)
                || has_no_effect(name, encounter)
            {
                continue;
            }
            let known = match made.add(creature, name)? {
                true => &mut modelled,
                false => &mut missing,
            };
            known.push(name.to_owned());
        }
        Ok((made, modelled, missing))
    }

    /// Adds a trait; whether it is modelled.
    fn add(&mut self, creature: &Creature, name: &str) -> Result<bool, Wrong> {
        match name {
            "Pack Tactics" => self.pack_tactics = true,
            "Blood Frenzy" => self.blood_frenzy = true,
            "Reckless" => self.reckless = true,
            "Undead Fortitude" => self.undead_fortitude = true,
            "Rampage" => self.rampage = true,
            "Magic Resistance" => self.magic_resistance = true,
            "Evasion" => self.evasion = true,
            "Parry" => self.parry = Some(creature.proficiency),
            "Martial Advantage" => self.martial_advantage = Some(dice(creature, name, "2d6")?),
            "Sneak Attack (1/Turn)" | "Sneak Attack" => {
                self.sneak_attack = Some(dice(creature, name, of(&SNEAK_ATTACK, creature, "1d6"))?);
            }
            "Surprise Attack" => {
                self.surprise_attack =
                    Some(dice(creature, name, of(&SURPRISE_ATTACK, creature, "2d6"))?);
            }
            "Legendary Resistance" => {
                let usage = creature.find(name).and_then(|one| one.usage.as_ref());
                let per_day = usage.and_then(|usage| usage.per_day);
                self.legendary_resistance = per_day.unwrap_or(3);
            }
            "Relentless" => {
                self.relentless = number(creature, name)?.or_else(|| {
                    RELENTLESS
                        .iter()
                        .find(|one| one.0 == creature.name)
                        .map(|one| one.1)
                });
                return Ok(self.relentless.is_some());
            }
            "Regeneration" => {
                self.regeneration = regeneration(creature)?;
                return Ok(self.regeneration.is_some());
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// The dice of a trait: those of its `value`, or these.
fn dice(creature: &Creature, name: &str, usual: &str) -> Result<Dice, Wrong> {
    let path = value_path(creature, name);
    match creature.find(name).and_then(|one| one.value.as_ref()) {
        None => Dice::read(usual, &path),
        Some(value) => match value.as_str() {
            Some(text) => Dice::read(text, &path),
            None => Err(Wrong::new(path, "is not dice").help("write them as in `\"3d6\"`")),
        },
    }
}

/// The number of a trait that its `value` gives, if there is one.
fn number(creature: &Creature, name: &str) -> Result<Option<i64>, Wrong> {
    let value = creature.find(name).and_then(|one| one.value.as_ref());
    let number = |value: &serde_json::Value| {
        let number = value
            .as_i64()
            .filter(|number| (0..=10_000).contains(number));
        number
            .ok_or_else(|| Wrong::new(value_path(creature, name), "is not a number of hit points"))
    };
    value.map(number).transpose()
}

fn value_path(creature: &Creature, name: &str) -> String {
    format!("{}: the value of {name}", creature.name)
}

fn of<'t>(table: &[(&str, &'t str)], creature: &Creature, usual: &'t str) -> &'t str {
    let found = table.iter().find(|(name, _)| *name == creature.name);
    found.map_or(usual, |(_, dice)| dice)
}

fn regeneration(creature: &Creature) -> Result<Option<Regeneration>, Wrong> {
    let mut known = REGENERATION.iter();
    let known = known.find(|(name, ..)| *name == creature.name);
    let own = number(creature, "Regeneration")?;
    let hit_points = own.or_else(|| known.map(|one| one.1));
    Ok(hit_points.map(|hit_points| Regeneration {
        hit_points,
        stopped_by: known.map_or(Vec::new(), |one| one.2.to_vec()),
    }))
}
