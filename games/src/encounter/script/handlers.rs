//! Calls of event handlers of features: at the beginning and the end of turns, after moves, hits
//! and damage. Handlers are in the script only if a creature in the fight has them.

use super::creatures::once_field_of;
use super::facts::{Binding, Scene, Truth};
use super::movement::on_function;
use super::{Writer, is_one_of};
use crate::encounter::feature::{Reach, When};
use crate::encounter::plan::{Fact, Handled, Hold, Kind, Strike, What};
use crate::script_text::{Joined, ScriptCode, code};

impl Writer<'_> {
    /// Calls handlers of `self` for its own event, on their targets or on `foe`.
    pub(super) fn call_own(&mut self, kind: &Kind, when: When) {
        for handled in kind.handlers_at(when) {
            let call = self.call(kind, handled, ["self", "foe", "friends", "foes"]);
            match self.holds_alone(kind, handled.only.fact.as_ref()) {
                Truth::Never => {}
                Truth::Always => self.line(call),
                truth => self.line(code!("if ({}) {{ {call} }}", truth.text(Binding::Or), call)),
            }
        }
    }

    /// Whether a fact that is only about creatures of a kind holds for `self`.
    pub(super) fn holds_alone(&self, kind: &Kind, fact: Option<&Fact>) -> Truth {
        let scene = Scene::alone(kind);
        fact.map_or(Truth::Always, |fact| self.truth(fact, &scene))
    }

    /// Calls handlers of `self` after a hit with a deed.
    pub(super) fn call_hits(&mut self, kind: &Kind, deed: usize) {
        let What::Strike(strike) = &kind.deeds[deed].what else {
            return;
        };
        let scene = Scene::own(kind, strike);
        let name = &kind.deeds[deed].name;
        let is_it = |handled: &&Handled| {
            let with = handled.only.with.as_ref();
            with.is_none_or(|with| with.eq_ignore_ascii_case(name))
        };
        for handled in kind.handlers_at(When::Hits).filter(is_it) {
            let run = handled.only.run.map_or(ScriptCode::default(), |feet| {
                code!(" && self.ran >= {feet} && self.prey == foe.number", feet)
            });
            let fact = handled.only.fact.as_ref();
            let holds = match fact.map(|fact| self.truth(fact, &scene)) {
                None | Some(Truth::Always) => ScriptCode::default(),
                Some(Truth::Never) => continue,
                Some(code) => code!(" && {}", code.text(Binding::And)),
            };
            let call = self.call(kind, handled, ["self", "foe", "friends", "foes"]);
            let (unused, used) = match once_field_of(kind, handled) {
                None => (ScriptCode::default(), ScriptCode::default()),
                Some(field) => (
                    code!(" && !self.{field}", field),
                    code!("self.{field} = true; ", field),
                ),
            };
            self.line(match handled.reach {
                Reach::Given => code!(
                    "if (foe.hp > 0{run}{unused}{holds}) {{ {used}{call} }}",
                    run,
                    unused,
                    holds,
                    used,
                    call
                ),
                Reach::Chosen | Reach::Area(_) => call,
            });
            let placed = self.plan.placed(kind.number, handled.deed);
            if let (Some(next), Some(placed)) = (handled.follow, placed) {
                let on = on_function(kind, next);
                self.line(code!(
                    "if (foe.hp > 0{run} && foe.{} > 0) {{",
                    placed.field,
                    run
                ));
                self.line(code!("self.prey = 0; {on}(self, foe, friends, foes);", on));
                self.line("}");
            }
        }
    }

    /// Calls handlers after a move of `self`, of this side: its own, then those of its enemies.
    pub(super) fn call_moved(&mut self, side: usize) {
        let plan = self.plan;
        for kind in plan.on_side(side) {
            let mut does = kind.handlers_at(When::Moves);
            if does.next().is_none() {
                continue;
            }
            match plan.on_side(side).count() {
                1 => self.call_own(kind, When::Moves),
                _ => {
                    self.line(code!("if ({}) {{", is_one_of("self", &[kind.number])));
                    self.call_own(kind, When::Moves);
                    self.line("}");
                }
            }
        }
        self.call_at_enemies_turn(side, When::EnemyMoves);
    }

    /// Calls handlers of enemies of `self` at the start or end of its turn or after its move: one
    /// creature after the other, with all of its handlers.
    pub(super) fn call_at_enemies_turn(&mut self, side: usize, when: When) {
        let plan = self.plan;
        for kind in plan.on_side(1 - side) {
            let does = kind.handlers_at(when).map(|handled| {
                let call = self.call(kind, handled, ["c", "self", "foes", "friends"]);
                let near = handled.only.within.filter(|_| plan.has_positions());
                (
                    near.map(|feet| code!("distance(c, self) <= {feet}", feet)),
                    call,
                )
            });
            let does: Vec<(Option<ScriptCode>, ScriptCode)> = does.collect();
            let is_it = self.is_of(kind, "c");
            match does.as_slice() {
                [] => {}
                [(near, call)] => {
                    let near = near
                        .as_ref()
                        .map_or(ScriptCode::default(), |near| code!(" && {near}", near));
                    self.line(code!(
                        "for (c : foes) {{ if (c.hp > 0{is_it}{near}) {{ {call} }} }}",
                        is_it,
                        near,
                        call
                    ));
                }
                several => {
                    self.line(code!("for (c : foes) {{ if (c.hp > 0{is_it}) {{", is_it));
                    for (near, call) in several {
                        self.line(match near {
                            Some(near) => code!("if ({near}) {{ {call} }}", near, call),
                            None => call.clone(),
                        });
                    }
                    self.line("} }");
                }
            }
        }
    }

    /// Calls handlers of `foe` after a hit by `self`.
    pub(super) fn call_struck(&mut self, kind: &Kind, strike: &Strike) {
        let plan = self.plan;
        for foe in plan.on_side(1 - kind.side) {
            let scene = Scene::on(foe, strike);
            for handled in foe.handlers_at(When::Struck) {
                let call = self.call(foe, handled, ["foe", "self", "foes", "friends"]);
                let fact = handled.only.fact.as_ref();
                let truth = fact.map_or(Truth::Always, |fact| self.truth(fact, &scene));
                let is_hurt = foe.deeds[handled.deed].is_reaction;
                let is_hurt = is_hurt.then(|| Truth::of("damage > 0".into(), Binding::Comparison));
                match Truth::all(is_hurt.into_iter().chain([truth])) {
                    Truth::Never => {}
                    Truth::Always => self.call_if(foe, None, &call),
                    truth => {
                        let holds = truth.text(Binding::And);
                        self.call_if(foe, Some(holds), &call);
                    }
                }
            }
        }
    }

    /// Calls handlers of `foe` after a melee hit by `self`.
    pub(super) fn call_touched(&mut self, side: usize) {
        let plan = self.plan;
        for kind in plan.on_side(1 - side) {
            for handled in kind.handlers_at(When::Touched) {
                let call = self.call(kind, handled, ["foe", "self", "foes", "friends"]);
                self.call_if(kind, None, &call);
            }
        }
    }

    /// Calls handlers of `foe`, of this side, after damage to it.
    pub(super) fn call_damaged(&mut self, side: usize) {
        let plan = self.plan;
        for kind in plan.on_side(side) {
            for handled in kind.handlers_at(When::Damaged) {
                let call = self.call(kind, handled, ["foe", "foe", "foes", "others"]);
                let fallen = handled.is_last.then(|| "foe.hp == 0".into());
                self.call_if(kind, fallen, &call);
            }
        }
    }

    /// Whether somebody of a side does something when it is hurt.
    pub(super) fn has_damaged(&self, side: usize) -> bool {
        let mut all = self.plan.on_side(side);
        all.any(|kind| kind.handlers_at(When::Damaged).next().is_some())
    }

    /// Whether somebody of a side may fall in its own turn.
    pub(super) fn may_fall_in_turn(&self, side: usize) -> bool {
        let mut enemies = self.plan.on_side(1 - side);
        let mut holds = self.plan.holds_on(side);
        let mut effects = self.plan.effects_on(side);
        if effects.any(|placed| !placed.effect.each_turn.is_empty()) {
            return true;
        }
        if enemies.any(|kind| kind.opportunity.is_some()) || holds.any(Hold::hurts) {
            return true;
        }
        let events = [
            When::EnemyTurnStart,
            When::EnemyTurnEnd,
            When::EnemyMoves,
            When::Struck,
            When::Touched,
            When::Damaged,
        ];
        self.plan.on_side(1 - side).any(|kind| {
            let all = events.iter().flat_map(|when| kind.handlers_at(*when));
            let mut hits = all.filter_map(|handled| kind.deeds[handled.deed].hit());
            hits.any(|hit| hit.removes() || !hit.damage.is_empty())
        })
    }

    /// A call, if `foe` is of a kind and something else holds.
    fn call_if(&mut self, kind: &Kind, condition: Option<ScriptCode>, call: &ScriptCode) {
        let is_it =
            (self.plan.on_side(kind.side).count() > 1).then(|| is_one_of("foe", &[kind.number]));
        let all: Vec<ScriptCode> = is_it.into_iter().chain(condition).collect();
        self.line(match all.is_empty() {
            true => call.clone(),
            false => code!("if ({}) {{ {call} }}", all.joined(" && "), call),
        });
    }

    /// ` && c.kind == 2`, where others are on the side of a kind.
    pub(super) fn is_of(&self, kind: &Kind, variable: &'static str) -> ScriptCode {
        match self.plan.on_side(kind.side).count() {
            1 => ScriptCode::default(),
            _ => code!(" && {}", is_one_of(variable, &[kind.number])),
        }
    }

    /// A call of a handler of a creature, on another one if the handler needs one; then the lists
    /// of its friends and its foes.
    fn call(&self, kind: &Kind, handled: &Handled, who: [&'static str; 4]) -> ScriptCode {
        let [owner, other, friends, foes] = who;
        let word = &kind.deeds[handled.deed].word;
        match handled.reach {
            Reach::Given => code!(
                "{word}({owner}, {other}, {friends}, {foes});",
                word,
                owner,
                other,
                friends,
                foes
            ),
            Reach::Chosen | Reach::Area(_) => code!(
                "{word}({owner}, {friends}, {foes});",
                word,
                owner,
                friends,
                foes
            ),
        }
    }
}
