//! Creatures that arrive after some rounds: reinforcements. Until then they have no hit points, so
//! that nobody attacks them and they take no turns; a side that waits for some has not lost.

use super::Writer;
use super::creatures::variable;
use crate::encounter::plan::Kind;
use crate::script_text::{Joined, ScriptCode, code};

impl Writer<'_> {
    /// Whether a side fights on in a round: somebody stands, or somebody is still to arrive.
    pub(super) fn fights_on(&self, side: usize, list: &'static str) -> ScriptCode {
        let stands = code!("anyStands({list})", list);
        match self.last_arrival(side) {
            None => stands,
            Some(round) => code!("({stands} || round < {round})", stands, round),
        }
    }

    fn last_arrival(&self, side: usize) -> Option<u32> {
        self.plan
            .on_side(side)
            .filter_map(|kind| kind.arrives)
            .max()
    }

    /// Those who arrive at the beginning of a round, after which its first turn is chosen again.
    pub(super) fn write_arrivals(&mut self) {
        let plan = self.plan;
        let mut arriving: Vec<(u32, &Kind)> = Vec::new();
        for kind in &plan.kinds {
            arriving.extend(kind.arrives.map(|round| (round, kind)));
        }
        if arriving.is_empty() {
            return;
        }
        for (round, kind) in arriving {
            self.line(code!("if (round == {round}) {{", round));
            for number in 1..=kind.count {
                let one = variable(kind, number);
                let hp = match &plan.hit_dice[kind.number] {
                    Some(dice) if dice.rolls() => code!("max(1, roll({}))", dice.text(false)),
                    Some(_) | None => ScriptCode::from(kind.creature.first_hp()),
                };
                self.line(code!("{one}.hp = {hp};", one, hp));
                if self.keeps_most() {
                    let most = match &plan.hit_dice[kind.number] {
                        Some(_) => code!("{one}.hp", one),
                        None => ScriptCode::from(kind.creature.hp),
                    };
                    self.line(code!("{one}.most = {most};", one, most));
                }
                self.tell(&code!("{one}.name + \" arrives\"", one));
            }
            self.line("}");
        }
        // The last turn of the round before matters no more: somebody who arrives may have a place
        // after it.
        self.write_first_place();
        self.write_whose_turn();
    }

    /// While a side only waits, there is nobody to fight: turns do nothing.
    pub(super) fn write_waiting(&mut self, sides: [&'static str; 2]) {
        let waits = [0, 1].map(|side| self.last_arrival(side).map(|_| sides[side]));
        let waits: Vec<ScriptCode> = waits
            .into_iter()
            .flatten()
            .map(|list| code!("!anyStands({list})", list))
            .collect();
        if !waits.is_empty() {
            self.line(code!("if ({}) {{ continue; }}", waits.joined(" || ")));
        }
    }

    /// The condition on `c` of a side that it has fallen, and is not only to arrive later.
    pub(super) fn has_fallen(&self, side: usize) -> ScriptCode {
        let mut all = ScriptCode::from("c.hp <= 0");
        for kind in self.plan.on_side(side) {
            if let Some(round) = kind.arrives {
                all = code!(
                    "{all} && !(c.kind == {} && round < {round})",
                    kind.number,
                    all,
                    round
                );
            }
        }
        all
    }
}
