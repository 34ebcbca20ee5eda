//! A fight that others follow: the first side enters it as the last one left it, and what it has
//! left is written back.
//!
//! The day has a list `heroes` of records, one for each creature of the first side in order, with
//! hit points, death saves and resources.

use super::creatures::variable;
use super::dying::DEAD;
use super::{Told, Writer};
use crate::encounter::plan::{Kind, Plan, Store, StoredFor};
use crate::script_text::{ScriptCode, code, quoted};

/// How the first side enters a fight.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Carried {
    /// For each kind of the first side the resources that last longer than a fight, each with the
    /// field of a hero that has it.
    pub(in crate::encounter) kept: Vec<Vec<(StoredFor, ScriptCode)>>,
    /// The name of the statistic of the number of rounds.
    pub(in crate::encounter) rounds: String,
}

impl<'p> Writer<'p> {
    /// The fight as a function.
    pub(super) fn write_carried_fight(&mut self) {
        self.line("deffun encounter(heroes: hero list) : int {");
        self.line(code!("rounds = {};", self.plan.rounds));
        self.write_course();
        self.write_care();
        for (kind, number) in self.heroes() {
            self.write_back(kind, number);
        }
        if let Some(carried) = self.carried.filter(|_| self.told != Told::Blows) {
            self.line(code!("stat({}, round);", quoted(&carried.rounds)));
        }
        self.line("return firstStands == secondStands ? 0 : firstStands ? 1 : 2;");
        self.line("}");
    }

    /// The creatures of the first side, in order.
    fn heroes(&self) -> Vec<(&'p Kind, u32)> {
        let plan: &'p Plan = self.plan;
        let kinds = plan.on_side(0);
        kinds
            .flat_map(|kind| (1..=kind.count).map(move |number| (kind, number)))
            .collect()
    }

    /// The record of a creature between fights, in a fight of a day; none of an enemy.
    pub(super) fn hero(&self, kind: &Kind, number: u32) -> Option<ScriptCode> {
        self.carried.filter(|_| kind.side == 0)?;
        let before = self.plan.kinds[..kind.number].iter();
        let before: u32 = before.map(|kind| kind.count).sum();
        Some(code!("heroes[{}]", before + number - 1))
    }

    /// The initial values of a creature's resources and death saves, if it is a hero.
    pub(super) fn carried_values(&self, kind: &Kind, number: u32) -> Option<Vec<ScriptCode>> {
        let hero = self.hero(kind, number)?;
        let mut all = Vec::new();
        for store in kind.stores() {
            let value = match self.kept_in(kind, &store) {
                Some(field) => code!("{hero}.{field}", hero, field),
                None => store.full.into(),
            };
            all.push(code!("{}: {value}", store.field, value));
        }
        if self.plan.has_temporary() {
            all.push(code!("temporary: {hero}.temporary", hero));
        }
        if self.plan.has_characters() && kind.is_character {
            all.push(code!("failures: {hero}.failures", hero));
            all.push(code!(
                "successes: {hero}.hp == 0 && {hero}.failures < {DEAD} ? 3 : 0",
                hero,
                DEAD
            ));
        } else if self.plan.has_characters() {
            all.push(code!("failures: {DEAD}", DEAD));
        }
        Some(all)
    }

    /// The field of a hero that has a resource between fights; none if each fight begins with it.
    fn kept_in(&self, kind: &Kind, store: &Store) -> Option<&'p ScriptCode> {
        let kept = self.carried?.kept.get(kind.number)?;
        let (_, field) = kept.iter().find(|(what, _)| *what == store.what)?;
        Some(field)
    }

    /// The maximum hit points of those who may enter with fewer.
    pub(super) fn write_other_maximums(&mut self) {
        let plan: &'p Plan = self.plan;
        for kind in &plan.kinds {
            for number in 1..=kind.count {
                let most = match self.hero(kind, number) {
                    Some(hero) => code!("{hero}.most", hero),
                    None if kind.creature.current_hp.is_some() => kind.creature.hp.into(),
                    None => continue,
                };
                let one = variable(kind, number);
                self.line(code!("{one}.most = {most};", one, most));
            }
        }
    }

    /// After a fight that is won, those who can heal take care of those who need it.
    fn write_care(&mut self) {
        if self.plan.has_characters_on(0) {
            self.line("if (firstStands && !secondStands) {");
            self.line("for (c : firstSide) {");
            self.line(code!(
                "if (c.hp == 0 && c.failures < {DEAD}) {{ c.successes = 3; c.failures = 0; }}",
                DEAD
            ));
            self.line("}");
            self.write_healing_after();
            self.line("}");
        }
    }

    /// Healing after the last turn, as often as somebody needs it and there are uses.
    fn write_healing_after(&mut self) {
        for (kind, number) in self.heroes() {
            for (index, healing) in kind.healing.iter().enumerate() {
                let one = variable(kind, number);
                let heals = self.healing_block((kind, &one), index, healing, ("firstSide", ""));
                self.line(code!(
                    "repeat ({}) {{ if ({one}.hp > 0) {{ {heals} }} }} }}",
                    self.heroes().len(),
                    one,
                    heals
                ));
            }
        }
    }

    /// Writes back what a hero has left.
    fn write_back(&mut self, kind: &Kind, number: u32) {
        let Some(hero) = self.hero(kind, number) else {
            return;
        };
        let one = variable(kind, number);
        let mut lines = vec![code!("{hero}.hp = {one}.hp;", hero, one)];
        if self.plan.has_temporary() {
            lines.push(code!("{hero}.temporary = {one}.temporary;", hero, one));
        }
        if kind.is_character {
            lines.push(code!("{hero}.failures = {one}.failures;", hero, one));
        }
        for store in kind.stores() {
            if let Some(field) = self.kept_in(kind, &store) {
                lines.push(code!(
                    "{hero}.{field} = {one}.{};",
                    store.field,
                    hero,
                    field,
                    one
                ));
            }
        }
        for line in lines {
            self.line(line);
        }
    }
}
