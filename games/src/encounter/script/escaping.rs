//! Escapes of held creatures: the check, and the decision to make it.

use super::movement::{ANYWHERE, MOVE, NEXT_TO};
use super::saves::{d20, decided};
use super::{Writer, by_kind};
use crate::encounter::document::Escape;
use crate::encounter::plan::{Condition, Kind, RollRule};
use crate::script_text::{Joined, ScriptCode, code};

/// The functions of an escape by side.
const ESCAPE: [&str; 2] = ["escapeFirst", "escapeSecond"];

impl Writer<'_> {
    /// `self`, which is held, tries to escape from the first creature that holds it.
    pub(super) fn write_escaping(&mut self, side: usize) {
        let plan = self.plan;
        self.out
            .comment("Somebody tries to escape from the first who holds it.");
        self.line(code!(
            "deffun {}(self: creature, foes: creature list) {{",
            ESCAPE[side]
        ));
        let bonuses = plan.on_side(side).map(|kind| {
            let bonus = ScriptCode::from(kind.creature.escape());
            (kind.number, bonus)
        });
        let bonus = by_kind("self", &bonuses.collect::<Vec<_>>());
        use Condition::{Clumsy, Entangled, Frightened, Inept, Poisoned, Trapped};
        let hindering = [Clumsy, Entangled, Frightened, Poisoned];
        let mut hinders = self.having("self", side, |one| hindering.contains(&one));
        let ruled = |rule| self.ruled("self", side, |traits| traits.on_escape(rule));
        hinders.extend(ruled(RollRule::Disadvantage));
        let favoured = ruled(RollRule::Advantage);
        let mut never = self.having("self", side, |one| matches!(one, Inept | Trapped));
        never.extend(ruled(RollRule::Fails));
        let certain: Vec<ScriptCode> = ruled(RollRule::Succeeds).into_iter().collect();
        self.line("for (c : foes) {");
        for hold in plan.holds_on(side) {
            let is_open = self.open_kind(hold, "c");
            let die = match (hold.grip.hinders_escape, &favoured) {
                (false, _) => d20(favoured.clone(), &hinders),
                (true, None) => ScriptCode::from("roll(2d20kl1)"),
                (true, Some(who)) => code!("({who} ? roll(d20) : roll(2d20kl1))", who),
            };
            let dc = hold.grip.dc;
            for slot in &hold.slots {
                self.line(code!("if (c.{slot} == self.number) {{", slot));
                self.line(code!("total = {};", die.plus(&bonus)));
                let rolled = code!("total >= {dc}", dc);
                let escapes = decided(&certain, &never, rolled);
                self.line(code!("if ({escapes}) {{", escapes));
                let loosen = self.loosen(hold, "self");
                self.line(code!("c.{slot} = 0; {loosen}", slot, loosen));
                self.line("}");
                self.tell(&code!(
                    "self.name + ({escapes} ? \" escapes from \" : \" does not escape from \") \
                     + c.name + \": \" + total + \" against {dc}\"",
                    escapes,
                    dc
                ));
                self.line("return;");
                self.line("}");
            }
            if is_open {
                self.line("}");
            }
        }
        self.line("}");
        self.line("}\n");
    }

    /// The escape in a turn, instead of other actions. Returns the number of open blocks; the other
    /// actions belong into the innermost one.
    pub(super) fn write_escape(&mut self, kind: &Kind) -> usize {
        let when = match kind.escapes {
            Escape::Always => self.is_held("self", kind.side),
            Escape::Restrained => self.is_bound("self", kind.side).into_iter().collect(),
            Escape::Stuck | Escape::Never => Vec::new(),
        };
        if when.is_empty() {
            return 0;
        }
        self.line(code!("if ({}) {{", when.joined(" || ")));
        self.write_attempt_to_escape(kind);
        self.line("} else {");
        1
    }

    /// The same if no creature is in reach. Returns whether a block is open.
    pub(super) fn write_escape_of_stuck(&mut self, kind: &Kind) -> bool {
        let held = self.is_held("self", kind.side);
        let may_try = kind.escapes != Escape::Never && !held.is_empty();
        if may_try {
            self.line(code!("if ({}) {{", held.joined(" || ")));
            self.write_attempt_to_escape(kind);
            self.line("} else {");
        }
        may_try
    }

    /// An attempt to escape; a free creature stands up, and moves in fights with distances.
    fn write_attempt_to_escape(&mut self, kind: &Kind) {
        let held = self.is_held("self", kind.side).joined(" || ");
        self.line(code!("{}(self, foes);", ESCAPE[kind.side]));
        let has_positions = self.plan.has_positions();
        let falls = self.falls(kind.side);
        if !has_positions && falls.is_empty() {
            return;
        }
        self.line(code!("if (!({held})) {{", held));
        if has_positions {
            let speed = self.speed(kind);
            self.line(code!("self.left = {speed};", speed));
        }
        self.write_rise(kind, &falls);
        if has_positions {
            let chosen = self.chosen(kind, ANYWHERE);
            self.line(code!(
                "{}(self, {chosen}, {NEXT_TO}, friends, foes);",
                MOVE[kind.side],
                chosen,
                NEXT_TO
            ));
        }
        self.line("}");
    }
}
