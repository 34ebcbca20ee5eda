//! The order of turns: who has the next one. Written between the creatures and their turns.
//!
//! Everybody has a place, the higher the sooner. A loop takes the turns one by one and passes over
//! those who have fallen, so that trials that run side by side do not wait for them.

use super::creatures::variable;
use super::dying::IS_ALIVE;
use super::{Told, Writer};
use crate::front::encounter::document::Initiative;
use crate::front::encounter::plan::Kind;
use crate::front::purpose::Purpose;

/// The faces of the die of initiative.
const FACES: i64 = 20;

impl Writer<'_> {
    /// Everybody by initiative, of equal ones by Dexterity, then as listed.
    pub(super) fn write_order(&mut self) {
        let mut kinds: Vec<&Kind> = self.plan.kinds.iter().collect();
        let is_listed = self.plan.initiative == Initiative::Listed;
        if !is_listed {
            kinds.sort_by_key(|kind| std::cmp::Reverse(kind.creature.modifier("DEX")));
            self.out
                .comment("Of equal initiatives the higher Dexterity goes first.");
        }
        let members = kinds
            .into_iter()
            .flat_map(|kind| (1..=kind.count).map(|one| variable(kind, one)));
        let members: Vec<String> = members.collect();
        self.line(format!("everyone = list({});", members.join(", ")));
        let is_sorted = !is_listed && self.is_sorted();
        if is_sorted {
            self.line("sort(c by c.initiative descending for c : everyone);");
        }
        if is_sorted && self.purpose == Purpose::Odds && self.told != Told::Blows {
            self.out
                .comment("Fights that differ only by initiative count as one from here on.");
            self.line("for (c : everyone) { c.initiative = 0; }");
        }
        self.write_places(is_listed || is_sorted);
    }

    /// Whether creatures are sorted by their initiative. To sort takes longer than to look for the
    /// next one in each turn, but places that do not depend on the numbers that were rolled let
    /// exact odds meet the same fight again.
    fn is_sorted(&self) -> bool {
        self.purpose == Purpose::Odds || self.told == Told::Blows
    }

    fn write_places(&mut self, is_in_order: bool) {
        let count = self.count();
        self.line(format!("place = {count};"));
        let place = match is_in_order {
            true => "place".to_owned(),
            false => match self.lowest_initiative() {
                0 => format!("c.initiative * {count} + place"),
                low if low < 0 => format!("(c.initiative + {}) * {count} + place", -low),
                low => format!("(c.initiative - {low}) * {count} + place"),
            },
        };
        self.line(format!(
            "for (c : everyone) {{ c.place = {place}; place -= 1; }}"
        ));
    }

    fn count(&self) -> i64 {
        self.plan
            .kinds
            .iter()
            .map(|kind| i64::from(kind.count))
            .sum()
    }

    /// Modifiers of initiative.
    fn modifiers(&self) -> impl Iterator<Item = i64> {
        self.plan
            .kinds
            .iter()
            .map(|kind| kind.creature.modifier("DEX").unwrap_or(0))
    }

    fn lowest_initiative(&self) -> i64 {
        1 + self.modifiers().min().unwrap_or(0)
    }

    /// A number above all places.
    fn above_places(&self) -> i64 {
        let highest = FACES + self.modifiers().max().unwrap_or(0);
        let faces = highest - self.lowest_initiative() + 1;
        let above = faces.saturating_mul(self.count()) + 1;
        // A round number is easier to read.
        [100, 1000, 10_000]
            .into_iter()
            .find(|round| *round >= above)
            .unwrap_or(above)
    }

    /// The function that finds whose turn is next.
    pub(super) fn write_next(&mut self) {
        let has_turn = match self.plan.has_characters() {
            // The dying make their saves.
            true => format!("c.hp <= 0 && !({IS_ALIVE})"),
            false => "c.hp <= 0".to_owned(),
        };
        let later = self.above_places();
        self.out
            .comment("How soon the turn of somebody comes after the turn at a place.");
        self.line("deffun soon(c: creature, place: int) : int {");
        self.line(format!(
            "return {has_turn} ? 0 : c.place < place ? c.place + {later} : c.place;"
        ));
        self.line("}\n");
    }
}
