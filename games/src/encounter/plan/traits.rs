//! Traits and reactions in a fight, and the traits of the SRD 5.1 that have no effect there.

use super::dice::Dice;
use super::facts::Fact;
use super::martial::Martial;
use super::roll_class::{CheckClass, RollRule, SaveClass};
use super::short_name::short;
use crate::encounter::bestiary::{Creature, Spellcasting};
use crate::encounter::document::Encounter;
use crate::encounter::feature::Attached;
use crate::encounter::wrong::Wrong;

/// The traits of a kind of creatures: those of its features, and those that features cannot
/// express.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::encounter) struct Traits {
    /// Changes to its attack rolls.
    pub(in crate::encounter) attacks: Vec<Edge>,
    /// Changes to attack rolls against it.
    pub(in crate::encounter) attacked: Vec<Edge>,
    /// Changes to its saves.
    pub(in crate::encounter) saves: Vec<(RollRule, SaveClass)>,
    /// Changes to saves of others against it.
    pub(in crate::encounter) forces: Vec<(RollRule, SaveClass)>,
    /// Changes to its checks.
    pub(in crate::encounter) checks: Vec<(RollRule, CheckClass)>,
    /// The radius of difficult ground around it.
    pub(in crate::encounter) ground: Option<Ground>,
    /// Dice that are added to its hits.
    pub(in crate::encounter) extras: Vec<Extra>,
    /// Conditions under which its hits are critical.
    pub(in crate::encounter) criticals: Vec<Fact>,
    /// Whether its weapons are magical.
    pub(in crate::encounter) has_magic: bool,
    /// When it begins to attack the nearest enemy, and when it is over.
    pub(in crate::encounter) berserk: Vec<Berserk>,
    /// Rules that keep it from falling.
    pub(in crate::encounter) endurance: Vec<Endurance>,
    /// Hit points at the start of a turn, but not after damage of some types.
    pub(in crate::encounter) regeneration: Option<Regeneration>,
    /// A reaction against one hit in melee.
    pub(in crate::encounter) parry: Option<Parry>,
    /// Features of others that do nothing to it.
    pub(in crate::encounter) immune_to: Vec<String>,
    /// An attack after an enemy that falls in its turn.
    pub(in crate::encounter) rampage: Option<Rampage>,
    /// Damage types that it resists, in addition to its stat block's.
    pub(in crate::encounter) resists: Vec<String>,
    /// No damage instead of half of it, and half instead of all, on saves of Dexterity.
    ///
    /// No feature can express that: in seed 001 ("EFFECTS") a save that halves damage is part of
    /// the effect that does the damage, and nothing modifies its result.
    pub(in crate::encounter) evasion: bool,
    /// Moves up to its speed toward an enemy before it acts.
    pub(in crate::encounter) is_aggressive: bool,
    /// Leaves the reach of enemies without an attack by them.
    pub(in crate::encounter) flies_by: bool,
    /// Saves that succeed though they failed.
    pub(in crate::encounter) legendary_resistance: u32,
    /// Rules of characters that no feature can express.
    pub(in crate::encounter) martial: Martial,
}

/// A change to an attack roll: advantage, disadvantage, an automatic hit or miss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::encounter) struct Edge {
    pub(in crate::encounter) rule: RollRule,
    pub(in crate::encounter) when: Fact,
}

/// Dice that are added to the damage of a hit, of the type of its first part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::encounter) struct Extra {
    pub(in crate::encounter) dice: ExtraDice,
    pub(in crate::encounter) when: Fact,
    pub(in crate::encounter) is_once_a_turn: bool,
}

/// Fixed dice, or more dice of the weapon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum ExtraDice {
    Known(Dice),
    OfWeapon(i64),
}

/// At the start of a turn a creature begins to attack the nearest enemy, or ceases to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::encounter) struct Berserk {
    pub(in crate::encounter) when: Fact,
    pub(in crate::encounter) begins: bool,
}

/// A rule that keeps a creature from falling, with some hit points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::encounter) struct Endurance {
    /// The name of the feature.
    pub(in crate::encounter) of: String,
    /// The damage is at most this.
    pub(in crate::encounter) max_damage: Option<i64>,
    /// The save that it takes.
    pub(in crate::encounter) save: Option<EnduranceSave>,
    /// Critical hits make it fall.
    pub(in crate::encounter) yields_to_critical: bool,
    /// Damage of these types makes it fall.
    pub(in crate::encounter) yields_to: Vec<String>,
    /// Whether it happens once.
    pub(in crate::encounter) is_once: bool,
    /// The number of hit points that are left.
    pub(in crate::encounter) hit_points: i64,
}

/// A save against a number, or against a number and the damage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::encounter) struct EnduranceSave {
    pub(in crate::encounter) ability: String,
    pub(in crate::encounter) dc: i64,
    pub(in crate::encounter) adds_damage: bool,
}

/// A reaction to a hit in melee.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::encounter) struct Parry {
    /// The name of the feature.
    pub(in crate::encounter) of: String,
    /// The bonus to the armour class.
    pub(in crate::encounter) bonus: i64,
}

/// How a creature heals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::encounter) struct Regeneration {
    /// The name of the feature.
    pub(in crate::encounter) of: String,
    /// Hit points a turn.
    pub(in crate::encounter) hit_points: i64,
    /// Types of damage that stop it for a turn.
    pub(in crate::encounter) stopped_by: Vec<String>,
}

/// Difficult ground around a creature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) struct Ground {
    /// The radius in feet.
    pub(in crate::encounter) feet: u32,
}

/// A bonus action after making another creature fall in its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::encounter) struct Rampage {
    /// The condition on the hit that made the creature fall.
    pub(in crate::encounter) when: Fact,
    /// The name of the attack.
    pub(in crate::encounter) attack: String,
    /// The divisor of its speed for the movement before: 2 for half.
    pub(in crate::encounter) part_of_speed: Option<u32>,
}

impl Endurance {
    /// Whether some hits make the creature fall all the same.
    pub(in crate::encounter) fn yields(&self) -> bool {
        self.yields_to_critical || !self.yields_to.is_empty()
    }
}

/// Traits without effect in a fight: they matter only if creatures are out of reach or sight,
/// charmed, asleep, turned, in sunlight or change their form, or their effect is already in the
/// numbers of the stat block.
const WITHOUT_EFFECT: [&str; 100] = [
    "Aberrant Ground",
    "Aggressive",
    "Air Form",
    "Amorphous",
    "Amphibious",
    "Antennae",
    "Beast of Burden",
    "Blind Senses",
    "Brute",
    "Change Shape",
    "Charge",
    "Charge (Boar or Hybrid Form Only)",
    "Cunning Action",
    "Detect",
    "Devil's Sight",
    "Divine Awareness",
    "Earth Glide",
    "Echolocation",
    "Elemental Demise",
    "Ephemeral",
    "Ethereal Jaunt",
    "Ethereal Sight",
    "Ethereal Stride",
    "Etherealness",
    "False Appearance",
    "False Appearance (Object Form Only)",
    "Faultless Tracker",
    "Fey Ancestry",
    "Flyby",
    "Freedom of Movement",
    "Heart Sight",
    "Heated Weapons",
    "Hellish Rejuvenation",
    "Hold Breath",
    "Ice Walk",
    "Ignited Illumination",
    "Illumination",
    "Illusory Appearance",
    "Immutable Form",
    "Incorporeal Movement",
    "Ink Cloud",
    "Inscrutable",
    "Invisible Passage",
    "Iron Scent",
    "Keen Hearing",
    "Keen Hearing and Sight",
    "Keen Hearing and Smell",
    "Keen Senses",
    "Keen Sight",
    "Keen Sight and Smell",
    "Keen Smell",
    "Labyrinthine Recall",
    "Lance Charge",
    "Light Sensitivity",
    "Limited Amphibiousness",
    "Limited Telepathy",
    "Mimicry",
    "Misty Escape",
    "Move",
    "Night Hag Items",
    "Nightmare Haunting",
    "Nimble Escape",
    "Pounce",
    "Probing Telepathy",
    "Read Thoughts",
    "Rejuvenation",
    "Running Leap",
    "Sense Magic",
    "Shapechanger",
    "Shark Telepathy",
    "Shielded Mind",
    "Shriek",
    "Siege Monster",
    "Snow Camouflage",
    "Speak with Beasts and Plants",
    "Spider Climb",
    "Standing Leap",
    "Stone Camouflage",
    "Sunlight Sensitivity",
    "Sunlight Weakness",
    "Swarm",
    "Tail Spike Regrowth",
    "Telepathic Bond",
    "Teleport",
    "Trampling Charge",
    "Transparent",
    "Treasure Sense",
    "Tree Stride",
    "Tunneler",
    "Turn Defiance",
    "Turn Resistance",
    "Underwater Camouflage",
    "Vampire Weaknesses",
    "Variable Illumination",
    "Wakeful",
    "Water Breathing",
    "Water Form",
    "Water Susceptibility",
    "Web Sense",
    "Web Walker",
];

/// Those of them that matter in fights with distances.
const ABOUT_DISTANCE: [&str; 17] = [
    "Aberrant Ground",
    "Aggressive",
    "Charge",
    "Charge (Boar or Hybrid Form Only)",
    "Cunning Action",
    "Ethereal Jaunt",
    "Ethereal Stride",
    "Etherealness",
    "Flyby",
    "Lance Charge",
    "Misty Escape",
    "Move",
    "Nimble Escape",
    "Pounce",
    "Running Leap",
    "Teleport",
    "Trampling Charge",
];

/// Whether a trait or an action changes nothing in a fight as it is modelled.
pub(super) fn has_no_effect(name: &str, encounter: &Encounter) -> bool {
    let is_in = |names: &[&str]| names.iter().any(|one| one.eq_ignore_ascii_case(name));
    let is_lost = encounter.has_positions() && is_in(&ABOUT_DISTANCE);
    is_in(&WITHOUT_EFFECT) && !is_lost
}

impl Traits {
    /// The traits of a creature that features cannot express, except removed ones; the names of
    /// these traits, and of traits that are not modelled.
    pub(super) fn of(
        creature: &Creature,
        encounter: &Encounter,
    ) -> (Self, Vec<String>, Vec<String>) {
        let mut made = Self::default();
        let (mut modelled, mut missing) = (Vec::new(), Vec::new());
        for one in creature.traits.iter().chain(&creature.reactions) {
            let name = one.name.as_str();
            if encounter.leaves_out(name)
                || Attached::is_one(one, creature)
                || one.save.is_some()
                || has_no_effect(name, encounter)
                || is_casting(name, creature)
            {
                continue;
            }
            let is_known = match name {
                "Evasion" => {
                    made.evasion = true;
                    true
                }
                _ => made.martial.add(one),
            };
            let known = match is_known {
                true => &mut modelled,
                false => &mut missing,
            };
            known.push(name.to_owned());
        }
        (made, modelled, missing)
    }

    /// Adds the traits of a feature of a creature.
    ///
    /// # Errors
    /// Two features that a fight cannot play together.
    pub(in crate::encounter) fn join(&mut self, other: Self, path: &str) -> Result<(), Wrong> {
        let twice = |what: &str| Err(Wrong::new(path, what));
        if other.parry.is_some() && self.parry.is_some() {
            return twice("is a second reaction that adds to the armour class");
        }
        if other.rampage.is_some() && self.rampage.is_some() {
            return twice("is a second attack after an enemy that falls");
        }
        for one in &other.endurance {
            let mut own = self.endurance.iter();
            if own.any(|own| own.save.is_some() == one.save.is_some()) {
                return twice("is a second rule about falling to 0 hit points");
            }
        }
        if let Some(regeneration) = other.regeneration {
            let own = self.regeneration.get_or_insert_default();
            let is_first = own.hit_points == 0;
            if !is_first && own.stopped_by != regeneration.stopped_by {
                return twice("adds to hit points that other damage keeps from coming back");
            }
            own.of = regeneration.of;
            own.hit_points += regeneration.hit_points;
            own.stopped_by = regeneration.stopped_by;
        }
        self.attacks.extend(other.attacks);
        self.attacked.extend(other.attacked);
        self.saves.extend(other.saves);
        self.forces.extend(other.forces);
        self.checks.extend(other.checks);
        self.ground = self.ground.or(other.ground);
        self.extras.extend(other.extras);
        self.criticals.extend(other.criticals);
        self.berserk.extend(other.berserk);
        self.has_magic |= other.has_magic;
        self.endurance.extend(other.endurance);
        self.resists.extend(other.resists);
        self.immune_to.extend(other.immune_to);
        self.parry = self.parry.take().or(other.parry);
        self.rampage = self.rampage.take().or(other.rampage);
        self.evasion |= other.evasion;
        self.is_aggressive |= other.is_aggressive;
        self.flies_by |= other.flies_by;
        self.legendary_resistance += other.legendary_resistance;
        Ok(())
    }

    /// The same, conditional on its feature: not disabled, and against creatures that are not
    /// immune to it.
    pub(in crate::encounter) fn of_feature(mut self, name: &str) -> Self {
        let is_on = || Fact::Enabled(name.to_owned());
        let guard = |when: &mut Fact| {
            let own = std::mem::replace(when, Fact::known(true));
            *when = Fact::All(vec![is_on(), Fact::Affects(name.to_owned()), own]);
        };
        let edges = self.attacks.iter_mut().chain(&mut self.attacked);
        edges.for_each(|edge| guard(&mut edge.when));
        self.extras.iter_mut().for_each(|one| guard(&mut one.when));
        self.criticals.iter_mut().for_each(guard);
        self.rampage.iter_mut().for_each(|one| guard(&mut one.when));
        for one in &mut self.berserk {
            let own = std::mem::replace(&mut one.when, Fact::known(true));
            one.when = Fact::All(vec![is_on(), own]);
        }
        self
    }

    /// Whether a feature of others does nothing to its creature.
    pub(in crate::encounter) fn is_immune_to(&self, feature: &str) -> bool {
        let mut names = self.immune_to.iter();
        names.any(|name| name.eq_ignore_ascii_case(feature))
    }

    /// All facts that they test.
    pub(in crate::encounter) fn facts(&self) -> impl Iterator<Item = &Fact> {
        let edges = self.attacks.iter().chain(&self.attacked);
        let extras = self.extras.iter().map(|extra| &extra.when);
        let rampage = self.rampage.iter().map(|rampage| &rampage.when);
        let berserk = self.berserk.iter().map(|berserk| &berserk.when);
        let others = extras.chain(rampage).chain(&self.criticals).chain(berserk);
        edges.map(|edge| &edge.when).chain(others)
    }
}

/// Whether a trait is spellcasting whose spells are listed: they are actions.
fn is_casting(name: &str, creature: &Creature) -> bool {
    let is_it = matches!(short(name), "Spellcasting" | "Innate Spellcasting");
    let casting = creature.spellcasting.as_ref();
    is_it && casting.is_some_and(Spellcasting::has_spells)
}
