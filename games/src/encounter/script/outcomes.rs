//! Effects of saves on `foe`, beyond damage: conditions, being out of the fight, and damage at the
//! start of later turns.

use super::aims::is_open;
use super::facts::{Binding, Truth};
use super::saves::save_call;
use super::{Writer, is_none_of, name_and};
use crate::encounter::plan::{Condition, Effect, Hit, Kind, Part, Placed, Safe};
use crate::script_text::{ScriptCode, code};

/// Failing by this much matters to some saves.
const MARGIN: i64 = 5;

impl Writer<'_> {
    /// Opens a block for creatures that a save is asked of; returns whether it did.
    pub(super) fn open_asked(&mut self, kind: &Kind, deed: usize, hit: &Hit) -> bool {
        let fits = self.fits(kind, &hit.aim, "foe");
        let open = self.plan.placed(kind.number, deed).and_then(|placed| {
            let counts = hit.damage.is_empty() && hit.ask.is_some();
            let is_open = is_open(placed, "foe").filter(|_| counts)?;
            Some(Truth::of(is_open, Binding::Comparison))
        });
        let asked = Truth::all([fits, open.unwrap_or(Truth::Always)]);
        let is_open = asked != Truth::Always;
        if is_open {
            self.line(code!("if ({}) {{", asked.text(Binding::Or)));
        }
        is_open
    }

    /// The save of `foe`, and by how much it fails if that matters.
    pub(super) fn write_asked(&mut self, kind: &Kind, deed: usize, hit: &Hit) {
        if hit.ask.is_none() {
            return;
        }
        let call = save_call(kind, deed, "foe");
        match hit.worse {
            None => self.line(code!("saved = {call};", call)),
            Some(_) => {
                self.line(code!("margin = {call};", call));
                self.line("saved = margin >= 0;");
            }
        }
    }

    /// The effects on `foe`, after the damage.
    pub(super) fn write_effects(&mut self, kind: &Kind, deed: usize, hit: &Hit) {
        for (part, effect) in hit.parts() {
            let when = match part {
                // Those who are out at once suffer from nothing else.
                Part::Fails if hit.worse.as_ref().is_some_and(Effect::is_final) => {
                    code!("!saved && margin > -{MARGIN} && foe.hp > 0", MARGIN)
                }
                Part::Fails if hit.ask.is_some() => "!saved && foe.hp > 0".into(),
                Part::Fails => "foe.hp > 0".into(),
                Part::FailsBy5 => code!("margin <= -{MARGIN} && foe.hp > 0", MARGIN),
                Part::FailsTwice | Part::Drops => continue,
            };
            self.write_effect(kind, deed, (part, effect), &when);
        }
        self.write_drop(kind, deed);
        let placed = self.plan.placed(kind.number, deed);
        if let Some(placed) = placed.filter(|_| hit.ask.is_some()) {
            let field = &placed.field;
            match (placed.effect.safe, &placed.immune) {
                (Safe::Never, _) => {}
                (_, Some(immune)) => self.line(code!("if (saved) {{ foe.{immune} = 1; }}", immune)),
                (_, None) => self.line(code!("if (saved) {{ foe.{field} = -1; }}", field)),
            }
        }
    }

    /// An effect on `foe` under a condition.
    fn write_effect(
        &mut self,
        kind: &Kind,
        deed: usize,
        (part, effect): (Part, &Effect),
        when: &ScriptCode,
    ) {
        let side = 1 - kind.side;
        let immune = self.immune_kinds(side, &effect.conditions);
        let open = match immune.is_empty() {
            true => ScriptCode::default(),
            false => code!(" && {}", is_none_of("foe", &immune)),
        };
        self.line(code!("if ({when}{open}) {{", when, open));
        match self.plan.placed_part(kind.number, deed, part) {
            None => self.write_killed(side, "turns to stone"),
            Some(placed) => self.write_placed(side, placed, None),
        }
        self.line("}");
    }

    /// `foe` of a side begins to suffer from an effect of `self`; or `self` from one that follows
    /// another.
    fn write_placed(&mut self, side: usize, placed: &Placed, after: Option<&Placed>) {
        let who = after.map_or("foe", |_| "self");
        let (field, turns) = (&placed.field, placed.effect.turns);
        self.line(code!("{who}.{field} = {turns};", who, field, turns));
        if let Some(cause) = &placed.cause {
            let first = after.and_then(|first| first.cause.as_ref());
            let number = first.map_or(ScriptCode::from("self.number"), |first| {
                code!("self.{first}", first)
            });
            self.line(code!("{who}.{cause} = {number};", who, cause, number));
        }
        let names = placed.effect.names();
        self.tell(name_and(who, &format!(" is {names}")));
        let mut conditions = placed.effect.conditions.iter();
        if who == "foe" && conditions.any(|condition| condition.incapacitates()) {
            self.call_let_go(side);
            self.call_distract(side);
        }
    }

    /// Characters that the damage of a save drops to 0 hit points are stable, and suffer from its
    /// effect. To others it does not matter.
    fn write_drop(&mut self, kind: &Kind, deed: usize) {
        let placed = self.plan.placed_part(kind.number, deed, Part::Drops);
        let Some(placed) = placed.filter(|_| self.plan.has_characters_on(1 - kind.side)) else {
            return;
        };
        let immune = self.immune_kinds(1 - kind.side, &placed.effect.conditions);
        self.line("if (foe.hp == 0 && foe.failures < 3) {");
        self.line("foe.failures = 0; foe.successes = 3;");
        self.tell(name_and("foe", " is stable"));
        let is_open = !immune.is_empty();
        if is_open {
            self.line(code!("if ({}) {{", is_none_of("foe", &immune)));
        }
        self.write_placed(1 - kind.side, placed, None);
        if is_open {
            self.line("}");
        }
        self.line("}");
    }

    /// The kinds of a side that are immune to all of these conditions.
    fn immune_kinds(&self, side: usize, conditions: &[Condition]) -> Vec<usize> {
        let kinds = self.plan.on_side(side).filter(|kind| {
            let is_immune = |one: &Condition| kind.creature.is_immune_to(one.name());
            !conditions.is_empty() && conditions.iter().all(is_immune)
        });
        kinds.map(|kind| kind.number).collect()
    }

    /// The second save of `self` at the end of an effect, and the effect on those that fail it.
    /// Leaves a block open for those that make it.
    pub(super) fn write_second_save(&mut self, placed: &Placed) {
        let kind = &self.plan.kinds[placed.kind];
        let call = save_call(kind, placed.deed, "self");
        let failed = match kind.deeds[placed.deed].hit().is_some_and(Hit::counts) {
            true => code!("{call} < 0", call),
            false => code!("!{call}", call),
        };
        let twice = kind.deeds[placed.deed]
            .hit()
            .and_then(|hit| hit.twice.as_ref());
        let conditions = twice.map_or(&[][..], |effect| &effect.conditions);
        let immune = self.immune_kinds(1 - kind.side, conditions);
        let open = match immune.is_empty() {
            true => ScriptCode::default(),
            false => code!(" && {}", is_none_of("self", &immune)),
        };
        self.line(code!("if ({failed}{open}) {{", failed, open));
        match self
            .plan
            .placed_part(placed.kind, placed.deed, Part::FailsTwice)
        {
            None => self.write_own_end(1 - kind.side, "turns to stone"),
            Some(next) => self.write_placed(1 - kind.side, next, Some(placed)),
        }
        self.line("} else {");
    }

    /// Damage of effects to `self`, of this side, at the start of its turn.
    pub(super) fn write_each_turn(&mut self, side: usize) {
        let effects = self.plan.effects_on(side);
        let hurting: Vec<Placed> = effects
            .filter(|placed| !placed.effect.each_turn.is_empty())
            .cloned()
            .collect();
        for placed in hurting {
            self.line(code!(
                "if (self.hp > 0 && self.{field} > 0) {{ {field}Hurts(self, foes, friends); }}",
                field = placed.field
            ));
        }
    }

    /// The functions of that damage.
    pub(super) fn write_hurting(&mut self) {
        for placed in &self.plan.effects {
            if placed.effect.each_turn.is_empty() {
                continue;
            }
            let kind = &self.plan.kinds[placed.kind];
            let names = placed.effect.names();
            self.out
                .comment(format!("{}: damage to those who are {names}.", kind.title));
            // `friends` are those of the cause, as in all functions of deeds.
            self.line(code!(
                "deffun {}Hurts(foe: creature, friends: creature list, foes: creature list) {{",
                placed.field
            ));
            self.tell(name_and("foe", &format!(" is still {names}")));
            self.write_sure_damage(kind, placed.deed, &placed.effect.each_turn);
            self.line("}\n");
        }
    }
}
