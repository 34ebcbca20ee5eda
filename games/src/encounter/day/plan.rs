//! The plan of a day: each of its fights planned by itself, and what the party carries from one to
//! the next.

use super::super::bestiary::{Bestiary, Creature};
use super::super::plan::{Caveat, Kind, Plan, Store, StoredFor};
use super::super::rest::Rest;
use super::super::wrong::Wrong;
use super::document::{Day, HitDiceUse, Step};
use super::figures::{DayFigures, FightFigures, HeroFigures};
use super::hit_dice::HitDice;
use crate::script_text::{ScriptCode, code, identifier};

/// A day, resolved.
#[derive(Clone, Debug)]
pub struct DayPlan {
    /// What people call the party.
    pub(super) party: String,
    /// The kinds of creatures of the party, in the order of all plans.
    pub(super) heroes: Vec<Hero>,
    pub(super) steps: Vec<DayStep>,
    pub(super) hit_dice: HitDiceUse,
}

/// A step of a day.
#[derive(Clone, Debug)]
pub(super) enum DayStep {
    Fight(Box<DayFight>),
    Rest(Rest),
}

/// A fight of a day.
#[derive(Clone, Debug)]
pub(super) struct DayFight {
    /// Its number, from 1.
    pub(super) number: usize,
    /// What people call it: its enemies.
    pub(super) name: String,
    pub(super) plan: Plan,
}

/// A kind of creatures of the party.
#[derive(Clone, Debug)]
pub(super) struct Hero {
    pub(super) creature: Creature,
    pub(super) count: u32,
    /// Its name in the script.
    pub(super) word: ScriptCode,
    /// Its resources that last longer than a fight, of all fights.
    pub(super) kept: Vec<Kept>,
    pub(super) hit_dice: Option<HitDice>,
}

/// A resource of the creatures of a kind between fights.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) what: StoredFor,
    /// The field of a hero that has it.
    pub(super) field: ScriptCode,
    pub(super) full: u32,
    /// The rest that brings it back.
    pub(super) rest: Rest,
}

impl DayPlan {
    /// The plan of a day.
    ///
    /// # Errors
    /// The errors in it, in a fight, or in a stat block.
    pub fn new(day: &Day, bestiary: &Bestiary) -> Result<Self, Wrong> {
        let mut number = 0;
        let mut steps = Vec::new();
        for step in day.resolved(bestiary)? {
            steps.push(match step {
                Step::Rest(rest) => DayStep::Rest(rest),
                Step::Fight(index, name, encounter) => {
                    number += 1;
                    let plan = Plan::new(&encounter, bestiary);
                    let plan = plan.map_err(|wrong| of_day(wrong, index))?;
                    if plan.on_side(0).any(|kind| kind.arrives.is_some()) {
                        let what =
                            "has somebody who arrives later: a party is there from the start";
                        return Err(Wrong::new("$.party", what));
                    }
                    DayStep::Fight(Box::new(DayFight { number, name, plan }))
                }
            });
        }
        let mut plan = Self {
            party: String::new(),
            heroes: Vec::new(),
            steps,
            hit_dice: day.hit_dice,
        };
        let first = plan.fights().next().map(|fight| fight.plan.clone());
        for kind in first.iter().flat_map(|first| first.on_side(0)) {
            let hero = plan.hero(kind);
            plan.heroes.push(hero);
        }
        plan.party = first.map_or_else(String::new, |first| first.sides()[0].clone());
        Ok(plan)
    }

    fn hero(&self, kind: &Kind) -> Hero {
        let mut kept: Vec<Kept> = Vec::new();
        for fight in self.fights() {
            let own = fight.plan.on_side(0).find(|own| own.number == kind.number);
            for store in own.into_iter().flat_map(Kind::stores) {
                let is_new = kept.iter().all(|one| one.what != store.what);
                if let (true, Some(rest)) = (is_new, store.rest) {
                    kept.push(Kept::new(store, rest, kept.len()));
                }
            }
        }
        let creature = &kind.creature;
        let modifier = creature.modifier("CON").unwrap_or(0);
        let dice = creature.hp_dice.as_deref();
        Hero {
            creature: creature.clone(),
            count: kind.count,
            word: identifier(&format!("hero {} {}", kind.number + 1, creature.name)),
            kept,
            hit_dice: dice.and_then(|dice| HitDice::of(dice, modifier)),
        }
    }

    /// Its fights, in order.
    pub(super) fn fights(&self) -> impl Iterator<Item = &DayFight> {
        self.steps.iter().filter_map(|step| match step {
            DayStep::Fight(fight) => Some(&**fight),
            DayStep::Rest(_) => None,
        })
    }

    /// The plans of its fights, in order.
    fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.fights().map(|fight| &fight.plan)
    }

    /// The party.
    pub fn party(&self) -> &str {
        &self.party
    }

    /// Its title: the party and the steps.
    pub fn title(&self) -> String {
        let steps = self.steps.iter().map(|step| match step {
            DayStep::Fight(fight) => fight.name.as_str(),
            DayStep::Rest(Rest::Short) => "short rest",
            DayStep::Rest(Rest::Long) => "long rest",
        });
        let steps: Vec<&str> = steps.collect();
        format!("{}: {}", self.party, steps.join("; "))
    }

    /// What the odds of its fights leave out, each once.
    pub fn caveats(&self) -> Vec<Caveat> {
        let mut all: Vec<Caveat> = Vec::new();
        for caveat in self.plans().flat_map(Plan::caveats) {
            if !all.contains(&caveat) {
                all.push(caveat);
            }
        }
        all
    }

    /// Notes on what is not modelled, each once, in words.
    pub fn notes(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for (name, missing) in self.plans().flat_map(Plan::missing) {
            let note = format!("{name}: not modelled: {}", missing.join(", "));
            if !all.contains(&note) {
                all.push(note);
            }
        }
        let resting: Vec<&str> = self.without_hit_dice().collect();
        if !resting.is_empty() {
            let names = resting.join(", ");
            all.push(format!(
                "{names}: no hit dice for short rests without `hp dice` such as `5d10+10`"
            ));
        }
        all
    }

    /// The creatures of the party that regain no hit points in a short rest, because the dice of
    /// their hit points are not known.
    fn without_hit_dice(&self) -> impl Iterator<Item = &str> {
        let rests = |step: &DayStep| matches!(step, DayStep::Rest(Rest::Short));
        let is_asked = self.hit_dice == HitDiceUse::Needed && self.steps.iter().any(rests);
        let heroes = self.heroes.iter().filter(move |_| is_asked);
        let heroes = heroes.filter(|hero| hero.hit_dice.is_none());
        heroes.map(|hero| hero.creature.name.as_str())
    }

    /// The names of the statistics of its script.
    pub fn figures(&self) -> DayFigures {
        let heroes = self.heroes.iter().map(|hero| HeroFigures {
            name: hero.creature.name.clone(),
            count: hero.count,
            most: hero.most(),
        });
        let fights = self.fights();
        DayFigures {
            most: self.heroes.iter().map(Hero::most).sum(),
            slots: self.heroes.iter().map(Hero::slots).sum(),
            heroes: heroes.collect(),
            fights: fights
                .map(|fight| FightFigures::of(fight.number, &fight.name))
                .collect(),
        }
    }
}

/// A mistake in a fight, with its path in the day.
fn of_day(wrong: Wrong, step: usize) -> Wrong {
    let path = if let Some(rest) = wrong.within("$.sides[0]") {
        match rest.starts_with(".keep") {
            true => format!("$.steps[{step}]{rest}"),
            false => format!("$.party{rest}"),
        }
    } else if let Some(rest) = wrong.within("$.sides[1]") {
        format!("$.steps[{step}].fight{rest}")
    } else {
        return wrong;
    };
    Wrong { path, ..wrong }
}

impl Hero {
    /// The hit points of all its creatures.
    fn most(&self) -> i64 {
        self.creature.hp * i64::from(self.count)
    }

    /// The spell slots of all its creatures.
    fn slots(&self) -> i64 {
        let slots = self.slot_fields().map(|kept| i64::from(kept.full));
        slots.sum::<i64>() * i64::from(self.count)
    }

    /// Its spell slots, by level.
    pub(super) fn slot_fields(&self) -> impl Iterator<Item = &Kept> {
        let is_slot = |kept: &&Kept| matches!(kept.what, StoredFor::Slot(_));
        self.kept.iter().filter(is_slot)
    }

    /// The names of its creatures.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        let (name, count) = (&self.creature.name, self.count);
        (1..=count).map(move |number| match count {
            1 => name.clone(),
            _ => format!("{name} {number}"),
        })
    }
}

impl Kept {
    fn new(store: Store, rest: Rest, before: usize) -> Self {
        Self {
            field: match &store.what {
                StoredFor::Slot(_) => store.field,
                _ => code!("kept{}", before + 1),
            },
            what: store.what,
            full: store.full,
            rest,
        }
    }
}
