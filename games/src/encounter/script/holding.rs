//! Grapples: their beginning, their effects and their end (SRD 5.1, "Conditions: Grappled").
//! Omitted from fights in which no creature can hold another.
//!
//! A holder stores the number of the held creature in a field (`holds1`). A held creature stores
//! the number of creatures that hold it without restraining it (`held`), and of those that restrain
//! it (`bound`).

use super::{Writer, is_one_of};
use crate::encounter::plan::{Condition, Grip, Hold, Kind};
use crate::script_text::{Joined, ScriptCode, code, quoted};

/// The functions with which creatures of a side let go of a fallen creature.
const FREE: [&str; 2] = ["freeFirst", "freeSecond"];

/// The functions for creatures of a side that can no longer hold any creature.
const LET_GO: [&str; 2] = ["letGoFirst", "letGoSecond"];

/// The functions for creatures of a side that are out of each other's reach after a push.
const PART: [&str; 2] = ["partFirst", "partSecond"];

/// The function of how a deed holds somebody.
fn grip_function(kind: &Kind, deed: usize) -> ScriptCode {
    code!("{}Grip", kind.deeds[deed].word)
}

/// The function of the damage to creatures that a deed holds.
fn squeeze_function(kind: &Kind, deed: usize) -> ScriptCode {
    code!("{}Squeeze", kind.deeds[deed].word)
}

impl Writer<'_> {
    /// The fields of creatures that hold others or are held.
    pub(super) fn fields_of_holding(&self) -> Vec<ScriptCode> {
        let plan = self.plan;
        let any = |is_it: &dyn Fn(usize) -> bool| [0, 1].into_iter().any(is_it);
        let fields = [
            ("held", any(&|side| plan.may_be_held(side))),
            ("bound", any(&|side| plan.may_be_bound(side))),
        ];
        let wanted = fields.into_iter().filter(|field| field.1);
        let mut all: Vec<ScriptCode> = wanted.map(|(name, _)| code!("{name}: int", name)).collect();
        let mut slots: Vec<&ScriptCode> = plan.holds.iter().flat_map(|hold| &hold.slots).collect();
        slots.sort_unstable();
        slots.dedup();
        all.extend(slots.into_iter().map(|slot| code!("{slot}: int", slot)));
        all
    }

    /// Expressions that are true if a creature of a side is held.
    pub(super) fn is_held(&self, variable: &'static str, side: usize) -> Vec<ScriptCode> {
        let mut all = Vec::new();
        let is_held = self.plan.may_be_held(side);
        all.extend(is_held.then(|| code!("{variable}.held > 0", variable)));
        all.extend(self.is_bound(variable, side));
        all
    }

    /// An expression that is true if a creature of a side is restrained by a holder.
    pub(super) fn is_bound(&self, variable: &'static str, side: usize) -> Option<ScriptCode> {
        let is_bound = self.plan.may_be_bound(side);
        is_bound.then(|| code!("{variable}.bound > 0", variable))
    }

    /// Expressions that are true if a creature of a kind holds somebody.
    pub(super) fn is_holding(&self, variable: &'static str, kind: &Kind) -> Vec<ScriptCode> {
        let slots = self.plan.holds_of(kind.number).flat_map(|hold| &hold.slots);
        slots
            .map(|slot| code!("{variable}.{slot} > 0", variable, slot))
            .collect()
    }

    /// Whether creatures of a side may hold others or be held, so that their fate matters.
    pub(super) fn has_holds(&self, side: usize) -> bool {
        let plan = self.plan;
        let mut holds = plan.holds.iter();
        plan.holds_on(side).next().is_some() || holds.any(|hold| plan.kinds[hold.kind].side == side)
    }

    pub(super) fn write_holding(&mut self) {
        let plan = self.plan;
        for side in [0, 1] {
            if plan.holds_on(side).next().is_some() {
                self.write_free(side);
                self.write_escaping(side);
                self.write_let_go(1 - side);
                if self.has_pushes() {
                    self.write_parting(1 - side);
                }
            }
        }
        for hold in &plan.holds {
            self.write_grip(hold);
            if hold.hurts() {
                self.write_squeeze(hold);
            }
        }
    }

    /// Holders of a fallen creature let go.
    fn write_free(&mut self, side: usize) {
        self.out.comment("Those who hold somebody let go.");
        self.line(code!(
            "deffun {}(c: creature, others: creature list) {{",
            FREE[side]
        ));
        let plan = self.plan;
        let counts = [
            ("held", plan.may_be_held(side)),
            ("bound", plan.may_be_bound(side)),
        ];
        for (count, _) in counts.iter().filter(|count| count.1) {
            self.line(code!("c.{count} = 0;", count));
        }
        let mut slots: Vec<&ScriptCode> =
            plan.holds_on(side).flat_map(|hold| &hold.slots).collect();
        slots.sort_unstable();
        slots.dedup();
        self.line("for (o : others) {");
        for slot in slots {
            self.line(code!("if (o.{slot} == c.number) {{ o.{slot} = 0; }}", slot));
        }
        self.line("}");
        self.line("}\n");
    }

    /// Removes one hold from the counters of a held creature.
    pub(super) fn loosen(&self, hold: &Hold, variable: &'static str) -> ScriptCode {
        match (hold.restrained.len(), hold.victims.len()) {
            (0, _) => code!("{variable}.held -= 1;", variable),
            (some, all) if some == all => code!("{variable}.bound -= 1;", variable),
            _ => code!(
                "if ({}) {{ {variable}.bound -= 1; }} else {{ {variable}.held -= 1; }}",
                is_one_of(variable, &hold.restrained),
                variable
            ),
        }
    }

    /// Opens a block for `variable` if it is of the kind that has a hold; gives whether it did.
    pub(super) fn open_kind(&mut self, hold: &Hold, variable: &'static str) -> bool {
        let others = self.plan.on_side(self.plan.kinds[hold.kind].side).count() > 1;
        if others {
            self.line(code!("if ({}) {{", is_one_of(variable, &[hold.kind])));
        }
        others
    }

    /// Somebody of a side lets go of everybody.
    fn write_let_go(&mut self, side: usize) {
        let plan = self.plan;
        self.out.comment("Somebody lets go of those whom it holds.");
        self.line(code!(
            "deffun {}(c: creature, others: creature list) {{",
            LET_GO[side]
        ));
        for hold in plan.holds_on(1 - side) {
            let is_open = self.open_kind(hold, "c");
            for slot in &hold.slots {
                self.line(code!("if (c.{slot} > 0) {{", slot));
                self.line(code!(
                    "for (o : others) {{ if (o.number == c.{slot}) {{",
                    slot
                ));
                let loosen = self.loosen(hold, "o");
                self.line(loosen);
                self.tell("o.name + \" is no longer grappled by \" + c.name");
                self.line("} }");
                self.line(code!("c.{slot} = 0;", slot));
                self.line("}");
            }
            if is_open {
                self.line("}");
            }
        }
        self.line("}\n");
    }

    /// Creatures of a side let go of creatures that are out of their reach after a push.
    fn write_parting(&mut self, side: usize) {
        let plan = self.plan;
        self.out
            .comment("Whoever is out of the reach of somebody who holds it is free.");
        self.line(code!(
            "deffun {}(friends: creature list, foes: creature list) {{",
            PART[side]
        ));
        self.line("for (c : friends) {");
        for hold in plan.holds_on(1 - side) {
            let is_open = self.open_kind(hold, "c");
            let feet = plan.kinds[hold.kind].deeds[hold.deed].feet().max;
            for slot in &hold.slots {
                self.line("for (o : foes) {");
                self.line(code!(
                    "if (o.number == c.{slot} && distance(o, c) > {feet}) {{",
                    slot,
                    feet
                ));
                let loosen = self.loosen(hold, "o");
                self.line(code!("c.{slot} = 0; {loosen}", slot, loosen));
                self.tell("o.name + \" is no longer grappled by \" + c.name");
                self.line("}");
                self.line("}");
            }
            if is_open {
                self.line("}");
            }
        }
        self.line("}");
        self.line("}\n");
    }

    /// `self` holds `foe` from now on, if it can and does not yet.
    fn write_grip(&mut self, hold: &Hold) {
        let plan = self.plan;
        let kind = &plan.kinds[hold.kind];
        self.out.comment(format!(
            "{} holds somebody with {}.",
            kind.title, kind.deeds[hold.deed].name
        ));
        self.line(code!(
            "deffun {}(self: creature, foe: creature) {{",
            grip_function(kind, hold.deed)
        ));
        let out = self.barriers(hold).joined(" || ");
        self.line(code!("if ({out}) {{ return; }}", out));
        for (index, slot) in hold.slots.iter().enumerate() {
            let before = if index == 0 { "" } else { "else " };
            self.line(code!(
                "{before}if (self.{slot} == 0) {{ self.{slot} = foe.number; }}",
                before,
                slot
            ));
        }
        self.line("else { return; }");
        self.write_tightening(hold);
        if plan.has_positions() {
            self.line("self.left = 0; foe.left = 0;");
        }
        self.line("}\n");
    }

    /// The conditions that keep `self` from holding `foe`, besides a lack of limbs.
    fn barriers(&self, hold: &Hold) -> Vec<ScriptCode> {
        let side = self.plan.kinds[hold.kind].side;
        let mut out = vec![
            ScriptCode::from("!isAble(self)"),
            ScriptCode::from("foe.hp <= 0"),
        ];
        if hold.victims.len() < self.plan.on_side(1 - side).count() {
            out.push(code!("!({})", is_one_of("foe", &hold.victims)));
        }
        let slots = hold.slots.iter();
        out.extend(slots.map(|slot| code!("self.{slot} == foe.number", slot)));
        out
    }

    /// Expressions that are true if `self` cannot hold `foe` with a deed that does nothing else.
    pub(super) fn cannot_seize(&self, kind: &Kind, deed: usize) -> Vec<ScriptCode> {
        let Some(hold) = self.plan.hold(kind.number, deed) else {
            return Vec::new();
        };
        let mut out = self.barriers(hold);
        let full = hold.slots.iter().map(|slot| code!("self.{slot} > 0", slot));
        out.push(full.collect::<Vec<_>>().joined(" && "));
        out
    }

    /// Updates the counters of `foe`, which `self` holds from now on.
    fn write_tightening(&mut self, hold: &Hold) {
        let held = "foe.name + \" is grappled by \" + self.name";
        let bound = "foe.name + \" is grappled and restrained by \" + self.name";
        match (hold.restrained.len(), hold.victims.len()) {
            (0, _) => {
                self.line("foe.held += 1;");
                self.tell(held);
            }
            (some, all) if some == all => {
                self.line("foe.bound += 1;");
                self.tell(bound);
            }
            _ => {
                self.line(code!("if ({}) {{", is_one_of("foe", &hold.restrained)));
                self.line("foe.bound += 1;");
                self.tell(bound);
                self.line("} else {");
                self.line("foe.held += 1;");
                self.tell(held);
                self.line("}");
            }
        }
    }

    /// `self` holds `foe`, which a deed hit or which failed its save.
    pub(super) fn call_grip(&mut self, kind: &Kind, deed: usize) {
        if self.plan.hold(kind.number, deed).is_some() {
            self.line(code!("{}(self, foe);", grip_function(kind, deed)));
        }
    }

    /// `foe`, of this side, may have fallen: then it neither holds nor is held.
    pub(super) fn call_free(&mut self, side: usize) {
        if !self.has_holds(side) {
            return;
        }
        self.line("if (foe.hp <= 0) {");
        if self.plan.holds_on(side).next().is_some() {
            self.line(code!("{}(foe, others);", FREE[side]));
        }
        if self.plan.holds_on(1 - side).next().is_some() {
            self.line(code!("{}(foe, others);", LET_GO[side]));
        }
        self.line("}");
    }

    /// `foe`, of this side, has a new condition: it lets go if it cannot act.
    pub(super) fn call_let_go(&mut self, side: usize) {
        if self.plan.holds_on(1 - side).next().is_some() {
            self.line(code!(
                "if (!isAble(foe)) {{ {}(foe, friends); }}",
                LET_GO[side]
            ));
        }
    }

    /// `foe`, of this side, was pushed: it may be out of the reach of creatures that it holds or
    /// that hold it.
    pub(super) fn call_part(&mut self, side: usize) {
        for (holders, lists) in [(side, "foes, friends"), (1 - side, "friends, foes")] {
            if self.plan.holds_on(1 - holders).next().is_some() {
                self.line(code!("{}({lists});", PART[holders], lists));
            }
        }
    }

    /// The only possible target of an attack, if `self` holds a creature with it: an expression for
    /// whether it does, and one for the target.
    pub(super) fn only_target(&self, kind: &Kind, deed: usize) -> Option<[ScriptCode; 2]> {
        let hold = self.plan.hold(kind.number, deed)?;
        let slot = hold.slots.first().filter(|_| hold.grip.is_exclusive)?;
        Some([
            code!("self.{slot} > 0", slot),
            code!(
                "least(c by 0 for c : foes if c.number == self.{slot})",
                slot
            ),
        ])
    }

    /// A condition for creatures of a kind that can attack any target, as ` && c.holds1 == 0`.
    pub(super) fn is_free_for(
        &self,
        kind: &Kind,
        deed: usize,
        variable: &'static str,
    ) -> ScriptCode {
        let hold = self.plan.hold(kind.number, deed);
        let slot = hold.filter(|hold| hold.grip.is_exclusive);
        let slot = slot.and_then(|hold| hold.slots.first());
        slot.map_or(ScriptCode::default(), |slot| {
            code!(" && {variable}.{slot} == 0", variable, slot)
        })
    }

    /// An expression that is true if somebody holds `self`, for a deed that cannot be done then.
    pub(super) fn is_held_for(&self, kind: &Kind, deed: usize) -> Option<ScriptCode> {
        let held = self.is_held("self", kind.side);
        let matters = kind.deeds[deed].is_unheld && !held.is_empty();
        matters.then(|| held.joined(" || "))
    }

    /// The conditions for advantage of an attack on held creatures.
    pub(super) fn gains_of_holding(&self, kind: &Kind, deed: usize) -> Vec<ScriptCode> {
        self.whom_it_holds(kind, deed, |grip| grip.has_advantage)
    }

    /// The conditions under which an attack on held creatures always hits.
    pub(super) fn certain_by_holding(&self, kind: &Kind, deed: usize) -> Vec<ScriptCode> {
        self.whom_it_holds(kind, deed, |grip| grip.cannot_miss)
    }

    /// Expressions for a `foe` that `self` holds with a deed, if its grip matches.
    fn whom_it_holds(
        &self,
        kind: &Kind,
        deed: usize,
        passes: impl Fn(&Grip) -> bool,
    ) -> Vec<ScriptCode> {
        let hold = self.plan.hold(kind.number, deed);
        let hold = hold.filter(|hold| passes(&hold.grip));
        let slots = hold.map_or(&[][..], |hold| &hold.slots);
        let is_it = |slot: &ScriptCode| code!("self.{slot} == foe.number", slot);
        slots.iter().map(is_it).collect()
    }

    /// The conditions for disadvantage of held creatures: a prone one cannot stand up.
    pub(super) fn hinders_of_holding(&self, side: usize) -> Option<ScriptCode> {
        let held = self.is_held("self", side);
        let prone = self.having("self", side, |one| one == Condition::Prone);
        let (held, prone) = (held.joined(" || "), prone.joined(" || "));
        (!held.is_empty() && !prone.is_empty()).then(|| code!("({held}) && ({prone})", held, prone))
    }

    /// The damage of a hold to `foe` at the start of each of its turns.
    fn write_squeeze(&mut self, hold: &Hold) {
        let kind = &self.plan.kinds[hold.kind];
        let name = &kind.deeds[hold.deed].name;
        self.out
            .comment(format!("{} hurts somebody whom it holds.", kind.title));
        self.line(code!(
            "deffun {}(self: creature, foe: creature, friends: creature list, foes: creature \
             list) {{",
            squeeze_function(kind, hold.deed)
        ));
        self.tell(&code!(
            "self.name + \" hurts \" + foe.name + {}",
            quoted(&format!(" with {name}"))
        ));
        self.write_sure_damage(kind, hold.deed, &hold.grip.damage);
        self.line("}\n");
    }

    /// `self`, of this side, takes the damage of its holders at the start of its turn.
    pub(super) fn call_squeezes(&mut self, side: usize) {
        let plan = self.plan;
        for hold in plan.holds_on(side).filter(|hold| hold.hurts()) {
            let squeeze = squeeze_function(&plan.kinds[hold.kind], hold.deed);
            let slots = hold.slots.iter();
            let is_it: Vec<ScriptCode> = slots
                .map(|slot| code!("c.{slot} == self.number", slot))
                .collect();
            let is_of = self.is_of(&plan.kinds[hold.kind], "c");
            self.line(code!(
                "for (c : foes) {{ if (self.hp > 0{is_of} && ({})) {{ {squeeze}(c, self, foes, \
                 friends); }} }}",
                is_it.joined(" || "),
                is_of,
                squeeze
            ));
        }
    }
}
