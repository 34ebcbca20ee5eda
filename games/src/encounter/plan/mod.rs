//! The plan of an encounter, before its script is written: kinds of creatures with their actions,
//! and their effects on each other.

mod aid;
mod aim;
mod aimless;
mod asides;
mod boon;
mod casting;
mod caveat;
mod character;
mod concentration;
mod condition;
mod damage;
mod deed;
mod dice;
mod effect;
mod facts;
mod feet;
mod grip;
mod handled;
mod helping;
mod holding;
mod kind;
mod lasting;
mod legendary;
mod martial;
mod multiattack;
mod naming;
mod occasion;
mod positions;
mod roll_class;
mod rolls;
mod saving;
mod short_name;
mod sight;
mod spelled;
mod stat_block;
mod steps;
mod stores;
mod strike;
mod traits;
mod worth;

pub(super) use aim::Aim;
pub(super) use boon::Boon;
pub use caveat::Caveat;
pub(super) use condition::Condition;
pub(crate) use condition::condition_named;
pub(crate) use damage::ALL_DAMAGE;
pub(super) use damage::{By, DamagePart, DamageType, Share, share};
pub(super) use deed::{Deed, Sight, Todo, What};
pub(super) use dice::Dice;
pub(super) use effect::{Ask, Effect, Ends, Gear, Hit, LASTING, Part, Repeat, Roll, Safe};
pub(super) use facts::{Fact, Health, Whose};
pub(super) use feet::Feet;
pub(super) use grip::{Grip, Hold};
pub(super) use helping::PlacedBoon;
pub(super) use kind::Kind;
pub(super) use martial::{Smite, Softening, is_physical};
pub(super) use occasion::{Aside, Handled, Healing, aside_field, healing_field, slots_field};
pub(super) use positions::Position;
pub(super) use roll_class::{CheckClass, RollRule, SaveClass};
pub(super) use short_name::short;
pub(super) use stores::{Store, StoredFor};
pub(super) use strike::Strike;
pub(super) use traits::{
    Berserk, Edge, Endurance, EnduranceSave, Extra, ExtraDice, Ground, Parry, Rampage,
    Regeneration, Traits,
};

use super::bestiary::Bestiary;
use super::document::{Encounter, Flees, HitPoints, Initiative, Listed};
use super::feature::When;
use super::wrong::Wrong;
use crate::script_text::{ScriptCode, code, identifier};
use dicec_lang::syntax::nearest;
use worth::{Foe, Sides};

/// An encounter, resolved.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The names of the sides.
    pub(super) sides: [String; 2],
    pub(super) kinds: Vec<Kind>,
    pub(super) effects: Vec<Placed>,
    pub(super) boons: Vec<PlacedBoon>,
    pub(super) holds: Vec<Hold>,
    pub(super) rounds: u32,
    pub(super) initiative: Initiative,
    /// The dice of hit points by kind, if they are rolled.
    pub(super) hit_dice: Vec<Option<Dice>>,
    /// When the sides flee.
    pub(super) flees: [Flees; 2],
    /// Functions that policies name.
    pub(super) functions: Option<String>,
    /// The initial positions of creatures, by kind; `None` if all are in reach of each other.
    pub(super) positions: Option<Vec<Vec<Position>>>,
}

/// An effect, and the field of the script's creatures that has the turns it still lasts.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) kind: usize,
    pub(super) deed: usize,
    pub(super) field: ScriptCode,
    /// The field with the number of its cause, if the cause matters.
    pub(super) cause: Option<ScriptCode>,
    /// The field that is 1 for those who are immune to it though they may suffer from it.
    pub(super) immune: Option<ScriptCode>,
    /// The event that causes it.
    pub(super) part: Part,
    pub(super) effect: Effect,
}

impl Plan {
    /// The plan of an encounter.
    ///
    /// # Errors
    /// The errors in it or in a stat block.
    pub fn new(encounter: &Encounter, bestiary: &Bestiary) -> Result<Self, Wrong> {
        let listed = encounter.creatures(bestiary)?;
        check_without(encounter, &listed)?;
        check_kept(encounter, &listed)?;
        check_functions(encounter)?;
        let sides = [0, 1].map(|side| encounter.side_name(side, &listed));
        let mut kinds = Vec::new();
        for (number, one) in listed.iter().enumerate() {
            let title = title(one, number, &listed);
            kinds.push(Kind::of(one, number, title, encounter, &kinds)?);
        }
        let foes: Vec<Foe> = kinds.iter().map(Foe::of).collect();
        for kind in &mut kinds {
            let (friends, enemies): (Vec<Foe>, Vec<Foe>) =
                foes.iter().cloned().partition(|one| one.side == kind.side);
            kind.choose(&Sides { friends, enemies }, encounter)?;
        }
        let hit_dice: Result<Vec<_>, Wrong> =
            kinds.iter().map(|kind| hit_dice(kind, encounter)).collect();
        let mut plan = Self {
            sides,
            kinds,
            effects: Vec::new(),
            boons: Vec::new(),
            holds: Vec::new(),
            rounds: encounter.rounds,
            initiative: encounter.initiative,
            hit_dice: hit_dice?,
            flees: [0, 1].map(|side| encounter.sides[side].flees),
            functions: encounter.functions.clone(),
            positions: positions::positions(encounter, &listed)?,
        };
        plan.place_besides();
        plan.drop_idle_features();
        plan.name_apart();
        plan.place_effects();
        plan.place_holds();
        while plan.drop_aimless() {
            plan.effects.clear();
            plan.place_effects();
            plan.place_holds();
        }
        plan.drop_idle_healing();
        plan.place_boons(&foes);
        if plan.kinds.iter().all(|kind| plan.does_nothing(kind)) {
            return Err(Wrong::new("$.sides", "have nobody who could attack"));
        }
        Ok(plan)
    }

    /// Gives each effect a field.
    fn place_effects(&mut self) {
        for kind in &self.kinds {
            for deed in kind.used() {
                let own = &kind.deeds[deed];
                let parts = || own.hit().into_iter().flat_map(Hit::parts);
                // What follows another effect has its cause from that one.
                let has_cause =
                    own.needs_concentration || parts().any(|(_, effect)| effect.needs_cause());
                let lasting = parts().filter(|(_, effect)| !effect.is_final());
                self.effects.extend(lasting.map(|(part, effect)| {
                    let field = identifier(&format!("{} by {}", effect.names(), own.word));
                    let is_immune = effect.safe == Safe::SavedLater;
                    Placed {
                        kind: kind.number,
                        deed,
                        cause: has_cause.then(|| code!("{field}From", field)),
                        immune: is_immune.then(|| code!("{field}Immune", field)),
                        field,
                        effect: effect.clone(),
                        part,
                    }
                }));
            }
        }
        self.name_effects_apart();
    }

    /// Whether turns of a kind of creatures change nothing.
    pub(super) fn is_idle(&self, kind: &Kind) -> bool {
        self.does_nothing(kind) && !self.remembers_turns()
    }

    /// Whether a kind of creatures does nothing in its turn that could matter.
    fn does_nothing(&self, kind: &Kind) -> bool {
        let traits = &kind.traits;
        let comes_back = traits.regeneration.is_some() || traits.parry.is_some();
        let enemies = self.on_side(1 - kind.side);
        let mut at_its_turn = enemies.flat_map(|foe| {
            let at_start = foe.handlers_at(When::EnemyTurnStart);
            at_start.chain(foe.handlers_at(When::EnemyTurnEnd))
        });
        let mut effects = self.effects.iter();
        let ends = effects.any(|one| one.kind == kind.number && one.effect.needs_cause());
        !kind.acts_in_turn()
            && self.boons_of(kind.side).next().is_none()
            && !ends
            && kind.healing.is_empty()
            && !comes_back
            && self.effects_on(kind.side).next().is_none()
            && !self.acts_when_held(kind)
            && kind.traits.ground.is_none()
            && at_its_turn.next().is_none()
    }

    /// Whether any effect depends on which creatures have taken a turn.
    pub(super) fn remembers_turns(&self) -> bool {
        let waits = |fact: &Fact| matches!(fact, Fact::Waiting(_));
        self.kinds.iter().any(|kind| kind.asks_for(&waits))
    }

    /// The kinds on a side.
    pub(super) fn on_side(&self, side: usize) -> impl Iterator<Item = &Kind> {
        self.kinds.iter().filter(move |kind| kind.side == side)
    }

    /// The effects that creatures of a side may suffer from.
    pub(super) fn effects_on(&self, side: usize) -> impl Iterator<Item = &Placed> {
        let from_enemy = move |one: &&Placed| self.kinds[one.kind].side != side;
        self.effects.iter().filter(from_enemy)
    }

    /// The effects that creatures of a side concentrate on.
    pub(super) fn concentrations(&self, side: usize) -> impl Iterator<Item = &Placed> {
        let all = self.effects_on(1 - side);
        all.filter(|placed| self.kinds[placed.kind].deeds[placed.deed].needs_concentration)
    }

    /// The field of the effect of a deed.
    pub(super) fn placed(&self, kind: usize, deed: usize) -> Option<&Placed> {
        self.placed_part(kind, deed, Part::Fails)
    }

    /// The field of a part of the effect of a deed.
    pub(super) fn placed_part(&self, kind: usize, deed: usize, part: Part) -> Option<&Placed> {
        let mut all = self.effects.iter();
        all.find(|one| (one.kind, one.deed, one.part) == (kind, deed, part))
    }

    /// The functions that the encounter brings along.
    pub fn functions(&self) -> Option<&str> {
        self.functions.as_deref()
    }

    /// Whether distances count.
    pub fn has_positions(&self) -> bool {
        self.positions.is_some()
    }

    /// Its title: its sides.
    pub fn title(&self) -> String {
        let [first, second] = self.sides();
        format!("{first} vs {second}")
    }

    /// The sides' names.
    pub fn sides(&self) -> &[String; 2] {
        &self.sides
    }

    /// The modelled traits, each with the name of its creature.
    pub fn modelled(&self) -> impl Iterator<Item = (&str, &str)> {
        self.kinds.iter().flat_map(|kind| {
            let names = kind.modelled.iter();
            names.map(|name| (kind.title.as_str(), name.as_str()))
        })
    }

    /// The abilities of creatures that are not modelled, by kind.
    pub fn missing(&self) -> impl Iterator<Item = (&str, &[String])> {
        let kinds = self.kinds.iter().filter(|kind| !kind.missing.is_empty());
        kinds.map(|kind| (kind.creature.name.as_str(), &kind.missing[..]))
    }
}

/// The dice that a kind's hit points are rolled with.
fn hit_dice(kind: &Kind, encounter: &Encounter) -> Result<Option<Dice>, Wrong> {
    if encounter.hit_points == HitPoints::Average {
        return Ok(None);
    }
    let path = format!("{}: $.hp dice", kind.creature.name);
    match &kind.creature.hp_dice {
        Some(dice) => Dice::read(dice, &path).map(Some),
        None => Err(Wrong::new(
            path,
            "is missing, and hit points are to be rolled",
        )),
    }
}

/// Checks that a creature has each of the removed traits.
fn check_without(encounter: &Encounter, listed: &[Listed]) -> Result<(), Wrong> {
    let names = || {
        let creatures = listed.iter().map(|one| &one.creature);
        creatures.flat_map(|creature| {
            let traits = creature.traits.iter().chain(&creature.reactions);
            let traits = traits.map(|one| one.name.as_str());
            traits.chain(creature.actions.iter().map(|action| action.name.as_str()))
        })
    };
    for out in &encounter.without {
        if !names().any(|name| name.eq_ignore_ascii_case(out)) {
            let wrong = Wrong::new("$.without", format!("names `{out}`, which nobody has"));
            return Err(match nearest(out, names()) {
                Some(meant) => wrong.help(format!("did you mean `{meant}`?")),
                None => wrong.help("it is the name of a trait, a reaction or an action"),
            });
        }
    }
    Ok(())
}

/// Checks that somebody of a side has each of the actions that it saves for later.
fn check_kept(encounter: &Encounter, listed: &[Listed]) -> Result<(), Wrong> {
    for (side, own) in encounter.sides.iter().enumerate() {
        let names = || {
            let all = listed.iter().filter(move |one| one.side == side);
            let actions = all.flat_map(|one| &one.creature.actions);
            actions.map(|action| action.name.as_str())
        };
        let is_known = |kept: &&String| names().any(|name| name.eq_ignore_ascii_case(kept));
        if let Some(kept) = own.keep.iter().find(|kept| !is_known(kept)) {
            let path = format!("$.sides[{side}].keep");
            let wrong = Wrong::new(
                path,
                format!("names `{kept}`, which nobody of the side has"),
            );
            return Err(match nearest(kept, names()) {
                Some(meant) => wrong.help(format!("did you mean `{meant}`?")),
                None => wrong.help("it is the name of an action"),
            });
        }
    }
    Ok(())
}

/// Whether the functions that policies name are there.
fn check_functions(encounter: &Encounter) -> Result<(), Wrong> {
    let text = encounter.functions.as_deref().unwrap_or_default();
    let names = || {
        let heads = text.split("deffun ").skip(1);
        heads.filter_map(|head| Some(head.split_once('(')?.0.trim()))
    };
    for (index, side) in encounter.sides.iter().enumerate() {
        for (member, named) in [
            ("targets", side.targets.function()),
            ("limited", side.limited.function()),
        ] {
            let Some(name) = named.filter(|name| !names().any(|own| own == *name)) else {
                continue;
            };
            let path = format!("$.sides[{index}].{member}");
            let what = format!("names the function `{name}`, which `functions` does not have");
            return Err(match nearest(name, names()) {
                Some(meant) => Wrong::new(path, what).help(format!("did you mean `{meant}`?")),
                None => Wrong::new(path, what).help(
                    "write it as in `deffun NAME(self: creature, friends: creature list, \
                     foes: creature list) : creature { ... }`",
                ),
            });
        }
    }
    Ok(())
}

/// The name of a kind in reports: with its side if the other side lists a creature with its name,
/// too.
fn title(one: &Listed, number: usize, all: &[Listed]) -> String {
    let name = &one.creature.name;
    let mut others = all.iter().enumerate();
    let is_alone = !others.any(|(at, other)| at != number && other.creature.name == *name);
    match is_alone {
        true => name.clone(),
        false => format!("{name} ({})", number + 1),
    }
}
