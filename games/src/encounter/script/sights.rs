//! Gazes and auras (SRD 5.1, Basilisk, Medusa), and averted eyes.

use super::{Writer, is_one_of};
use crate::encounter::plan::{Condition, Kind, Sight};
use crate::script_text::{Joined, ScriptCode, code};

impl Writer<'_> {
    /// Ends a deed that is a gaze or an aura if its creature cannot act, and a gaze if `foe` does
    /// not see it.
    pub(super) fn write_sight(&mut self, kind: &Kind, deed: usize) {
        let Some(sight) = kind.deeds[deed].sight else {
            return;
        };
        let mut safe = Vec::new();
        let may_fail = self.may_be_incapacitated(kind.side);
        safe.extend(may_fail.then(|| ScriptCode::from("!isAble(self)")));
        if sight == Sight::Gaze {
            safe.extend(self.having("foe", 1 - kind.side, |one| one == Condition::Blinded));
            safe.extend(self.averting("foe", 1 - kind.side));
        }
        if !safe.is_empty() {
            self.line(code!("if ({}) {{ return; }}", safe.joined(" || ")));
        }
    }

    /// Expressions that are true if creatures of a kind attack somebody who does not see them, and
    /// if they attack somebody whom they do not see, by averted eyes.
    pub(super) fn averted(&self, kind: &Kind) -> [Option<ScriptCode>; 2] {
        let unseen = self.averting("foe", 1 - kind.side);
        let unseen = unseen.filter(|_| kind.gazes());
        let gazing = self.plan.on_side(1 - kind.side).filter(|foe| foe.gazes());
        let gazing: Vec<usize> = gazing.map(|foe| foe.number).collect();
        let unseeing = kind.averts && !gazing.is_empty();
        [unseen, unseeing.then(|| is_one_of("foe", &gazing))]
    }

    /// An expression that is true for somebody of a side who averts its eyes.
    fn averting(&self, variable: &'static str, side: usize) -> Option<ScriptCode> {
        let averting = self.plan.on_side(side).filter(|kind| kind.averts);
        let averting: Vec<usize> = averting.map(|kind| kind.number).collect();
        (!averting.is_empty()).then(|| is_one_of(variable, &averting))
    }
}
