//! Difficult ground around creatures (SRD 5.1, "Difficult Terrain"): each foot costs walking
//! creatures two feet of movement. Omitted from fights without difficult ground.

use super::movement::{ACROSS, DOWN};
use super::{Writer, is_none_of};
use crate::encounter::plan::Kind;
use crate::script_text::{ScriptCode, code};

impl Writer<'_> {
    /// Whether the ground around somebody is difficult.
    pub(super) fn has_ground(&self) -> bool {
        self.any(|kind| kind.traits.ground.is_some())
    }

    /// An expression for creatures of a side that the ground slows down; `None` if there are none.
    pub(super) fn is_slowed(&self, side: usize) -> Option<ScriptCode> {
        let is_walking = |kind: &&Kind| !kind.creature.flies();
        let (walking, flying): (Vec<&Kind>, Vec<&Kind>) =
            self.plan.on_side(side).partition(is_walking);
        let flying: Vec<usize> = flying.iter().map(|kind| kind.number).collect();
        (self.has_ground() && !walking.is_empty()).then(|| is_none_of("self", &flying))
    }

    /// Whether the ground somewhere is difficult.
    pub(super) fn write_ground(&mut self) {
        if !self.has_ground() {
            return;
        }
        self.out
            .comment("Whether the ground somewhere is difficult because somebody is near.");
        self.line("deffun isDifficult(x: int, y: int, all: creature list) : bool {");
        self.line(
            "return any(c.hp > 0 && c.ground > 0 \
             && max(abs(c.x - x), abs(c.y - y)) <= c.ground for c : all);",
        );
        self.line("}\n");
    }

    /// The cost of `steps` toward `foe`, square by square; returns the variable with the movement
    /// that they take.
    pub(super) fn write_steps(&mut self, slowed: &ScriptCode) -> &'static str {
        self.line("steps = 0; spent = 0;");
        self.line("while (steps < far - feet) {");
        self.line("step = min(5, min(far - feet - steps, self.left - spent));");
        self.line("stays = far - steps - step;");
        self.line(ACROSS);
        self.line(DOWN);
        self.line(code!(
            "cost = {slowed} && (isDifficult(x, y, friends) || isDifficult(x, y, foes)) ? 2 * \
             step : step;",
            slowed
        ));
        self.line("if (step <= 0 || spent + cost > self.left) { break; }");
        self.line("steps += step; spent += cost;");
        self.line("}");
        "spent"
    }

    /// The ground around a creature is difficult until its next turn starts.
    pub(super) fn write_ground_at_end(&mut self, kind: &Kind) {
        if let Some(ground) = kind.traits.ground {
            self.line(code!("self.ground = {};", ground.feet));
        }
    }

    /// The ground around a creature is not difficult in its own turn.
    pub(super) fn write_ground_at_beginning(&mut self, kind: &Kind) {
        if kind.traits.ground.is_some() {
            self.line("self.ground = 0;");
        }
    }
}
