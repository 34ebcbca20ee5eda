//! When effects end that do not count the turns of those who suffer from them.

use super::block::text;
use super::effects::{Safe, Suffers, safe};
use super::fight::Battle;
use serde_json::Value;

/// What ends an effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ends {
    /// Turns of its victim.
    OwnEnd,
    OwnStart,
    /// Turns of whoever causes it.
    CauseEnd,
    CauseStart,
    /// The turn in which it begins.
    Turn,
    /// Damage to its victim.
    Damage,
    /// An action of its victim.
    Action,
    /// A move of its victim, or of whoever causes it.
    Move,
    CauseMove,
}

/// How many turns an effect lasts, and whose: in the words of stat blocks, or as a feature of the
/// tests has it.
pub(super) fn lasts(save: &Value) -> (i64, Ends) {
    match text(save, "ends") {
        "own start" => return (1, Ends::OwnStart),
        "cause start" => return (1, Ends::CauseStart),
        "cause end" => return (2, Ends::CauseEnd),
        "turn" => return (1, Ends::Turn),
        "damage" => return (1, Ends::Damage),
        "action" => return (1, Ends::Action),
        "move" => return (1, Ends::Move),
        "cause move" => return (1, Ends::CauseMove),
        _ => {}
    }
    let said = text(save, "lasts");
    if save["until damage"] == true {
        return (1, Ends::Damage);
    }
    if save["until action"] == true {
        return (1, Ends::Action);
    }
    let own = [" its ", " their ", "the creature's", "the target's"];
    let is_own = own.iter().any(|words| said.contains(words));
    match said {
        "" if save["repeats"].is_string() => (1000, Ends::OwnEnd),
        cured if cured.ends_with("cured") || cured.ends_with("removed") => (1000, Ends::OwnEnd),
        "for 1 minute" => (10, Ends::OwnEnd),
        "for 5 minutes" => (50, Ends::OwnEnd),
        "for 10 minutes" => (100, Ends::OwnEnd),
        hours if hours.contains("hour") => (1000, Ends::OwnEnd),
        end if end.starts_with("until the end of") && !is_own => (2, Ends::CauseEnd),
        start if start.starts_with("until the start of") && !is_own => (1, Ends::CauseStart),
        _ => (1, Ends::OwnEnd),
    }
}

impl Battle<'_> {
    /// An effect on somebody is over.
    pub(super) fn is_over(&mut self, who: usize, from: &(usize, String)) {
        let suffers = &mut self.all[who].suffers;
        let Some(at) = suffers.iter().position(|one| one.from == *from) else {
            return;
        };
        let one = suffers.remove(at);
        if self.all[who].hp > 0 {
            let name = &self.all[who].name;
            let line = format!("{name} is no longer {}", one.conditions.join(" and "));
            self.say(line);
        }
        if safe(&one.action) == Safe::Over {
            self.all[who].safe.push(from.clone());
        }
    }

    /// Effects on somebody that pass are over.
    fn are_over(&mut self, who: usize, passes: impl Fn(&Suffers) -> bool) -> bool {
        let mut any = false;
        for from in self.order(who) {
            let mut suffers = self.all[who].suffers.iter();
            if suffers.any(|one| one.from == from && passes(one) && one.conditions != ["prone"]) {
                self.is_over(who, &from);
                any = true;
            }
        }
        any
    }

    /// Effects that somebody causes are over, one effect after the other, whoever suffers from it.
    fn caused_are_over(&mut self, who: usize, passes: impl Fn(&Suffers) -> bool) {
        let is_it = |one: &Suffers| one.cause == who && passes(one) && one.conditions != ["prone"];
        let suffers = self.all.iter().flat_map(|one| &one.suffers);
        let mut causes: Vec<(usize, String)> = Vec::new();
        for one in suffers.filter(|one| is_it(one)) {
            if !causes.contains(&one.from) {
                causes.push(one.from.clone());
            }
        }
        for from in self.in_order(causes) {
            for foe in 0..self.all.len() {
                let mut suffers = self.all[foe].suffers.iter();
                if suffers.any(|one| one.from == from && is_it(one)) {
                    self.is_over(foe, &from);
                }
            }
        }
    }

    /// A turn starts.
    pub(super) fn ends_at_start(&mut self, who: usize) {
        self.caused_are_over(who, |one| one.ends == Ends::CauseStart);
        let suffers = self.all.iter_mut().flat_map(|one| &mut one.suffers);
        suffers
            .filter(|one| one.cause == who && one.ends == Ends::CauseEnd)
            .for_each(|one| one.turns = 1);
        self.are_over(who, |one| one.ends == Ends::OwnStart);
    }

    /// A turn ends, and with it what its creature caused before.
    pub(super) fn ends_of_caused(&mut self, who: usize) {
        self.caused_are_over(who, |one| one.ends == Ends::CauseEnd && one.turns == 1);
    }

    /// What ends with any turn.
    pub(super) fn ends_with_turn(&mut self) {
        for side in [0, 1] {
            for who in 0..self.all.len() {
                if self.all[who].side == side {
                    self.are_over(who, |one| one.ends == Ends::Turn);
                }
            }
        }
    }

    /// Somebody takes damage.
    pub(super) fn ends_by_damage(&mut self, who: usize, damage: i64) {
        if damage > 0 {
            self.are_over(who, |one| one.ends == Ends::Damage);
        }
    }

    /// Somebody has moved.
    pub(super) fn ends_by_move(&mut self, who: usize) {
        self.are_over(who, |one| one.ends == Ends::Move);
        self.caused_are_over(who, |one| one.ends == Ends::CauseMove);
    }

    /// Whether somebody uses its action to end what it suffers from: the first effect.
    pub(super) fn ends_by_action(&mut self, who: usize) -> bool {
        for from in self.order(who) {
            let mut suffers = self.all[who].suffers.iter();
            if suffers.any(|one| one.from == from && one.ends == Ends::Action) {
                self.is_over(who, &from);
                return true;
            }
        }
        false
    }
}
