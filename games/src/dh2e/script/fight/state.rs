//! The events that are possible in a fight, and the state that its fighters need for them: a fight
//! without flames has no burning.

use super::entrant::Entrant;
use crate::dh2e::combatant::qualities;
use crate::dh2e::json::Wrong;
use crate::dh2e::location::LOCATIONS;
use crate::dh2e::model::Tactic;
use crate::dh2e::script::condition::{OUT, field, lasts, option_name};
use crate::dh2e::script::write::Changing;
use crate::dh2e::tables::Injuries;
use crate::purpose::Purpose;
use crate::script_text::{ScriptCode, code};
use std::num::NonZeroU32;

/// The type of damage of a grapple.
pub(super) const GRAPPLING: &str = "impact";

/// The type of damage of fire (seed 003, "Combat Turn Processing").
pub(super) const FIRE: &str = "energy";

/// The tactics of grappling fighters.
pub(super) const WRESTLING: [Tactic; 3] = [Tactic::Grapple, Tactic::Throw, Tactic::Push];

/// The possible events of a fight.
pub(super) struct State<'a> {
    /// The report form of the script.
    pub(super) purpose: Purpose,
    /// The conditions that somebody may have.
    pub(super) conditions: Vec<Condition>,
    /// Whether somebody may get fatigue.
    pub(super) tires: bool,
    /// Whether somebody has fatigue at the beginning.
    is_tired: bool,
    /// The types of damage, each once; the script has their indices.
    pub(super) types: Vec<String>,
    /// The table of critical injuries.
    pub(super) injuries: Option<Injuries<'a>>,
    /// Whether somebody can avoid hits.
    pub(super) avoids: bool,
    /// Whether somebody grapples, throws or pushes.
    pub(super) wrestles: bool,
    /// Whether somebody keeps watch.
    pub(super) watches: bool,
}

/// A condition that somebody may have.
pub(super) struct Condition {
    /// As options name it.
    name: String,
    /// The field of a fighter.
    pub(super) field: ScriptCode,
    /// Whether it may end.
    pub(super) ends: bool,
}

impl<'a> State<'a> {
    /// The possible events between these fighters.
    ///
    /// # Errors
    /// A gap in the table of injuries, or a table whose injuries end no fighter's participation.
    pub(super) fn new(
        entrants: &[Entrant<'_>],
        injuries: Option<Injuries<'a>>,
        purpose: Purpose,
    ) -> Result<Self, Wrong> {
        let fighters = || entrants.iter().map(|entrant| entrant.fighter);
        let does = |tactic: Tactic| fighters().any(|fighter| fighter.tactic == tactic);
        let mut state = Self {
            purpose,
            conditions: Vec::new(),
            tires: false,
            is_tired: fighters().any(|fighter| fighter.actor.fatigue > 0),
            types: Vec::new(),
            injuries,
            avoids: fighters().any(|fighter| fighter.defence.is_some()),
            wrestles: WRESTLING.into_iter().any(does),
            watches: does(Tactic::Overwatch),
        };
        for weapon in entrants.iter().flat_map(|entrant| &entrant.weapons) {
            state.add_type(&weapon.damage_type);
            if qualities(weapon).any(|quality| quality.slug == "flame") {
                state.add("onFire", None);
            }
        }
        for entrant in entrants {
            for condition in &entrant.fighter.actor.conditions {
                state.add(condition.name(), condition.rounds());
            }
            if entrant.is_exhausted()? {
                state.add("unconscious", None);
            }
        }
        if does(Tactic::Grapple) {
            state.add_type(GRAPPLING);
        }
        if does(Tactic::Throw) {
            state.add("prone", NonZeroU32::new(1));
        }
        state.add_injuries()?;
        if state.has("onFire") || state.has("bleeding") {
            state.tires = true;
        }
        if state.tires {
            state.add("unconscious", None);
        }
        match injuries.is_some() && !OUT.iter().any(|name| state.has(name)) {
            true => {
                let what = "puts nobody out of the fight";
                let help = format!("let a row have one of the conditions {}", OUT.join(", "));
                Err(Wrong::new("$.injuries", what).help(help))
            }
            false => Ok(state),
        }
    }

    /// Adds the effects of critical injuries, to a fixed point: they may set a fighter on fire,
    /// which then takes damage of another type.
    fn add_injuries(&mut self) -> Result<(), Wrong> {
        let Some(table) = self.injuries else {
            return Ok(());
        };
        let mut done = 0;
        loop {
            if self.has("onFire") {
                self.add_type(FIRE);
            }
            let Some(damage_type) = self.types.get(done).cloned() else {
                return Ok(());
            };
            for location in LOCATIONS {
                for row in table.rows(&damage_type, location)? {
                    for (name, rounds) in row.conditions() {
                        self.add(name, rounds);
                    }
                    self.tires |= row.fatigue > 0;
                }
            }
            done += 1;
        }
    }

    fn add(&mut self, name: &str, rounds: Option<NonZeroU32>) {
        let field = field(name);
        let ends = lasts(name, rounds).is_some();
        match self.conditions.iter_mut().find(|one| one.field == field) {
            Some(known) => known.ends |= ends,
            None => self.conditions.push(Condition {
                name: option_name(name),
                field,
                ends,
            }),
        }
    }

    fn add_type(&mut self, name: &str) {
        if !self.types.iter().any(|known| known == name) {
            self.types.push(name.to_owned());
        }
    }

    /// Whether somebody may have a condition.
    pub(super) fn has(&self, field: &str) -> bool {
        self.conditions.iter().any(|one| one.field == field)
    }

    /// Whether the fight has a narration for people.
    pub(super) fn is_told(&self) -> bool {
        self.purpose == Purpose::Telling
    }

    /// Whether fighters remember their fatigue.
    pub(super) fn has_fatigue(&self) -> bool {
        self.tires || self.is_tired
    }

    /// Whether a fighter that is out may come back.
    pub(super) fn may_return(&self) -> bool {
        let mut conditions = self.conditions.iter();
        conditions.any(|one| one.ends && OUT.contains(&one.field.as_str()))
    }

    /// Whether somebody may fall without being attacked.
    pub(super) fn may_fall_alone(&self) -> bool {
        self.has("onFire") || self.tires
    }

    /// The index of a type of damage.
    pub(super) fn type_index(&self, name: &str) -> Option<usize> {
        self.types.iter().position(|known| known == name)
    }

    /// Somebody loses wounds without a table of injuries, as a statement. Whoever is below 0 is as
    /// whoever is at 0, and counts as the same in exact odds.
    pub(super) fn loses(&self, wounds: &'static str) -> ScriptCode {
        match self.purpose {
            Purpose::Trials | Purpose::Telling => code!("f.health -= {wounds};", wounds),
            Purpose::Odds => code!("f.health = max(0, f.health - {wounds});", wounds),
        }
    }

    /// The addend for a number that fatigue lowers.
    pub(super) fn fatigue_of(&self, who: &'static str) -> ScriptCode {
        match self.has_fatigue() {
            true => code!(" + fatiguePenalty({who}.fatigue)", who),
            false => ScriptCode::default(),
        }
    }

    /// The options of `self` or `target` that change during the fight, as conditions on a fighter.
    /// Fighters that are out neither act nor are attacked.
    pub(super) fn changing(&self, who: &str, fighter: &'static str) -> Vec<Changing> {
        let conditions = self.conditions.iter();
        let conditions = conditions.filter(|one| !OUT.contains(&one.field.as_str()));
        let mut changing: Vec<Changing> = conditions
            .map(|one| Changing {
                option: format!("{who}:{}", one.name),
                condition: code!("{fighter}.{} != 0", one.field, fighter),
            })
            .collect();
        if self.has_fatigue() {
            changing.push(Changing {
                option: format!("{who}:fatigued"),
                condition: code!("{fighter}.fatigue > 0", fighter),
            });
        }
        changing
    }
}
