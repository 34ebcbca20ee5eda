//! The order of turns. Written between the creatures and their turns.
//!
//! Every creature has a position in the order, higher ones first, and a tie-breaker. A loop takes
//! the turns one by one and skips fallen creatures, so that trials in lanes do not wait for them.
//! Positions are small numbers, many of which fit a machine word.

use super::creatures::variable;
use super::dying::IS_ALIVE;
use super::{Told, Writer};
use crate::encounter::document::Initiative;
use crate::encounter::plan::Kind;
use crate::purpose::Purpose;
use crate::script_text::{Joined, ScriptCode, code};

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
        let members: Vec<ScriptCode> = members.collect();
        self.line(code!("everyone = list({});", members.joined(", ")));
        let is_sorted = !is_listed && self.is_sorted();
        if is_sorted {
            self.line("sort(c by c.initiative descending for c : everyone);");
        }
        if is_sorted && self.purpose == Purpose::Odds && self.told != Told::Blows {
            self.out
                .comment("Fights that differ only by initiative count as one from here on.");
            self.line("for (c : everyone) { c.initiative = 0; }");
        }
        if !is_listed {
            self.tell_order();
        }
        self.write_places(is_listed || is_sorted);
    }

    /// Outputs the order of creatures after they are sorted.
    fn tell_order(&mut self) {
        let names: Vec<ScriptCode> = (0..self.count())
            .map(|place| code!("everyone[{place}].name", place))
            .collect();
        let names = names.joined(" + \", \" + ");
        self.tell(&code!("\"they act in this order: \" + {names}", names));
    }

    /// Whether creatures are sorted by their initiative. To sort takes longer than to look for the
    /// next one in each turn, but places that do not depend on the numbers that were rolled let
    /// exact odds meet the same fight again.
    fn is_sorted(&self) -> bool {
        self.purpose == Purpose::Odds || self.told == Told::Blows
    }

    fn write_places(&mut self, is_in_order: bool) {
        if is_in_order {
            self.line(code!("place = {};", self.count()));
            self.line("for (c : everyone) { c.place = place; place -= 1; }");
            return;
        }
        // The lowest place is 1.
        let place = match self.lowest_initiative() - 1 {
            0 => ScriptCode::from("c.initiative"),
            low if low < 0 => code!("c.initiative + {}", -low),
            low => code!("c.initiative - {low}", low),
        };
        self.line("order = 0;");
        self.line(code!(
            "for (c : everyone) {{ order += 1; c.order = order; c.place = {place}; }}",
            place
        ));
    }

    /// The initial position, before all turns.
    pub(super) fn write_first_place(&mut self) {
        self.line("place = 0;");
        if self.has_order() {
            self.line("order = 0;");
        }
    }

    /// The creature with the next turn.
    pub(super) fn write_whose_turn(&mut self) {
        let after = self.after();
        self.line(code!(
            "c = most(one by soon(one, {after}) for one : everyone);",
            after
        ));
    }

    /// Whether a round begins: all turns of the last one have been taken.
    pub(super) fn begins_round(&self) -> ScriptCode {
        match self.has_order() {
            true => ScriptCode::from("!isLater(c, place, order)"),
            false => ScriptCode::from("c.place >= place"),
        }
    }

    /// Stores the position of the current turn.
    pub(super) fn write_place(&mut self) {
        self.line("place = c.place;");
        if self.has_order() {
            self.line("order = c.order;");
        }
    }

    /// Whether several creatures may have the same position.
    pub(super) fn has_order(&self) -> bool {
        self.plan.initiative != Initiative::Listed && !self.is_sorted()
    }

    /// The last turn.
    fn after(&self) -> &'static str {
        match self.has_order() {
            true => "place, order",
            false => "place",
        }
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
        let places = match self.has_order() {
            true => highest - self.lowest_initiative() + 1,
            false => self.count(),
        };
        let above = places + 1;
        // A round number is easier to read.
        [50, 100, 1000, 10_000]
            .into_iter()
            .find(|round| *round >= above)
            .unwrap_or(above)
    }

    /// The function that finds the creature with the next turn.
    pub(super) fn write_next(&mut self) {
        let has_turn = match self.plan.has_characters() {
            // The dying make their saves.
            true => code!("c.hp <= 0 && !({IS_ALIVE})", IS_ALIVE),
            false => ScriptCode::from("c.hp <= 0"),
        };
        let later = self.above_places();
        let (params, is_later) = match self.has_order() {
            true => ("place: int, order: int", "isLater(c, place, order)"),
            false => ("place: int", "c.place < place"),
        };
        if self.has_order() {
            self.out
                .comment("Whether the turn of somebody comes later in the round than another one.");
            self.line("deffun isLater(c: creature, place: int, order: int) : bool {");
            self.line("return c.place < (c.order > order ? place + 1 : place);");
            self.line("}\n");
        }
        self.out
            .comment("How soon the turn of somebody comes after another one.");
        self.line(code!("deffun soon(c: creature, {params}) : int {{", params));
        self.line(code!(
            "return {has_turn} ? 0 : {is_later} ? c.place + {later} : c.place;",
            has_turn,
            is_later,
            later
        ));
        self.line("}\n");
    }
}
