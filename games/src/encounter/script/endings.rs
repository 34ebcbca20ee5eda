//! Ends of effects other than with turns of their victims: with turns of their causes, at the start
//! of a turn, with the turn in which they began, after damage, by an action, or by a move. Omitted
//! from fights without such effects.

use super::Writer;
use super::saves::{repeat_function, save_call};
use crate::encounter::plan::{Condition, Ends, Hit, Kind, Part, Placed, Safe};
use crate::script_text::{IsCode, code, quoted};

/// The functions that end effects with any turn, for creatures of a side.
const END_TURN: [&str; 2] = ["endTurnFirst", "endTurnSecond"];

/// The lists of the sides.
const SIDES: [&str; 2] = ["firstSide", "secondSide"];

impl Writer<'_> {
    /// The effects on a side that an event ends. Creatures that are only prone stand up instead.
    fn ending(&self, side: usize, by: Ends) -> impl Iterator<Item = &Placed> {
        let all = self.plan.effects_on(side);
        all.filter(move |placed| {
            placed.effect.ends == by && placed.effect.conditions != [Condition::Prone]
        })
    }

    /// Ends an effect on a creature, with a line unless it has fallen.
    fn write_over(&mut self, variable: &'static str, placed: &Placed) {
        let over = over(placed);
        self.line(code!(
            "{variable}.{} = {over};",
            placed.field,
            variable,
            over
        ));
        let told = quoted(&format!(" is no longer {}", placed.effect.names()));
        if self.told == super::Told::Blows {
            self.line(code!(
                "if ({variable}.hp > 0) {{ output({variable}.name + {told}); }}",
                variable,
                told
            ));
        }
    }

    /// Ends effects at the start of the turn of `self`, its own and those of others.
    pub(super) fn write_ends_at_start(&mut self, kind: &Kind) {
        let plan = self.plan;
        for (ends, now) in [(Ends::CauseStart, 0), (Ends::CauseEnd, 1)] {
            let caused = plan.effects_on(1 - kind.side);
            for placed in caused.filter(|one| one.kind == kind.number && one.effect.ends == ends) {
                let Some(cause) = &placed.cause else {
                    continue;
                };
                let field = &placed.field;
                self.line(code!(
                    "for (c : foes) {{ if (c.{field} > {now} && c.{cause} == self.number) {{",
                    field,
                    now,
                    cause
                ));
                match ends {
                    Ends::CauseStart => self.write_over("c", placed),
                    _ => self.line(code!("c.{field} = 1;", field)),
                }
                self.line("} }");
            }
        }
        let own: Vec<Placed> = self.ending(kind.side, Ends::OwnStart).cloned().collect();
        for placed in own {
            self.line(code!("if (self.{} > 0) {{", placed.field));
            self.write_over("self", &placed);
            self.line("}");
        }
    }

    /// Ends effects that `self` caused, at the end of its turn.
    pub(super) fn write_ends_of_caused(&mut self, kind: &Kind) {
        let caused = self.ending(1 - kind.side, Ends::CauseEnd);
        let caused: Vec<Placed> = caused
            .filter(|one| one.kind == kind.number)
            .cloned()
            .collect();
        for placed in caused {
            self.write_over_caused(&placed, "== 1");
        }
    }

    /// Ends an effect that `self` caused on creatures with this number of turns left.
    fn write_over_caused(&mut self, placed: &Placed, left: impl IsCode) {
        let (Some(cause), field) = (&placed.cause, &placed.field) else {
            return;
        };
        self.line(code!(
            "for (c : foes) {{ if (c.{field} {left} && c.{cause} == self.number) {{",
            field,
            left,
            cause
        ));
        self.write_over("c", placed);
        self.line("} }");
    }

    /// The turn of `self` ends: effects come closer to their end, and some saves are repeated.
    pub(super) fn write_ends_at_end(&mut self, kind: &Kind) {
        for placed in self.plan.effects_on(kind.side) {
            if placed.effect.conditions == [Condition::Prone] {
                continue;
            }
            match placed.effect.ends {
                Ends::OwnEnd => {
                    self.write_countdown(placed);
                    if self.has_second_save(placed) {
                        self.line("if (self.hp == 0) { return; }");
                    }
                }
                Ends::CauseStart | Ends::CauseEnd | Ends::CauseMove => self.write_orphan(placed),
                Ends::OwnStart | Ends::Turn | Ends::Damage | Ends::Action | Ends::Move => {}
            }
        }
    }

    /// One turn less is left of an effect on `self`.
    fn write_countdown(&mut self, placed: &Placed) {
        let field = code!("self.{}", placed.field);
        self.line(code!("if ({field} > 0) {{", field));
        self.line(code!("{field} -= 1;", field));
        if let Some(repeat) = &placed.effect.repeats {
            let kind = &self.plan.kinds[placed.kind];
            let is_counted = kind.deeds[placed.deed].hit().is_some_and(Hit::counts);
            let call = match repeat.is_same() {
                true => save_call(kind, placed.deed, "self"),
                false => code!("{}(self)", repeat_function(kind, placed.deed)),
            };
            let reaches = if is_counted { " >= 0" } else { "" };
            self.line(code!(
                "if ({field} > 0 && {call}{reaches}) {{ {field} = 0; }}",
                field,
                call,
                reaches
            ));
        }
        self.line(code!("if ({field} == 0) {{", field));
        let over = over(placed);
        if over != 0 {
            self.line(code!("{field} = {over};", field, over));
        }
        self.write_told_over(placed);
        self.line("}");
        self.line("}");
    }

    /// Whether a second save follows an effect.
    fn has_second_save(&self, placed: &Placed) -> bool {
        let deed = &self.plan.kinds[placed.kind].deeds[placed.deed];
        let has_second = deed.hit().is_some_and(|hit| hit.twice.is_some());
        has_second && placed.part == Part::Fails
    }

    /// The end of an effect on `self`: a second save, if there is one, or a line.
    fn write_told_over(&mut self, placed: &Placed) {
        let names = placed.effect.names();
        let told = super::name_and("self", &format!(" is no longer {names}"));
        if self.has_second_save(placed) {
            self.write_second_save(placed);
            self.tell(told);
            self.line("}");
        } else {
            self.tell(told);
        }
    }

    /// Whoever causes an effect on `self` and has fallen has no turns that could end it.
    fn write_orphan(&mut self, placed: &Placed) {
        if let Some(cause) = &placed.cause {
            self.line(code!(
                "if (self.{} > 0 && !any(c.hp > 0 && c.number == self.{cause} for c : foes)) {{",
                placed.field,
                cause
            ));
            self.write_over("self", placed);
            self.line("}");
        }
    }

    /// The functions that end effects with any turn.
    pub(super) fn write_end_of_turn(&mut self) {
        for side in [0, 1] {
            let ending: Vec<Placed> = self.ending(side, Ends::Turn).cloned().collect();
            if ending.is_empty() {
                continue;
            }
            self.out.comment("What ends with any turn.");
            self.line(code!("deffun {}(all: creature list) {{", END_TURN[side]));
            self.line("for (c : all) {");
            for placed in ending {
                self.line(code!("if (c.{} > 0) {{", placed.field));
                self.write_over("c", &placed);
                self.line("}");
            }
            self.line("}");
            self.line("}\n");
        }
    }

    /// Any turn is over.
    pub(super) fn call_end_of_turn(&mut self) {
        for side in [0, 1] {
            if self.ending(side, Ends::Turn).next().is_some() {
                self.line(code!("{}({});", END_TURN[side], SIDES[side]));
            }
        }
    }

    /// Ends effects on `foe`, of one of these sides, after damage.
    pub(super) fn write_ends_by_damage(&mut self, sides: &[usize]) {
        let sides = sides.iter();
        let ending = sides.flat_map(|side| self.ending(*side, Ends::Damage));
        let ending: Vec<Placed> = ending.cloned().collect();
        for placed in ending {
            self.line(code!("if (damage > 0 && foe.{} > 0) {{", placed.field));
            self.write_over("foe", &placed);
            self.line("}");
        }
    }

    /// Ends effects after a move of `self`, of this side: its own and those of others.
    pub(super) fn write_ends_by_move(&mut self, side: usize) {
        let own: Vec<Placed> = self.ending(side, Ends::Move).cloned().collect();
        for placed in own {
            self.line(code!("if (self.{} > 0) {{", placed.field));
            self.write_over("self", &placed);
            self.line("}");
        }
        let caused = self.ending(1 - side, Ends::CauseMove);
        let caused: Vec<Placed> = caused.cloned().collect();
        for placed in caused {
            self.write_over_caused(&placed, "> 0");
        }
    }

    /// Effects that `self` ends with its action. Returns the number of open blocks; the other
    /// actions belong into the innermost one.
    pub(super) fn write_ends_by_action(&mut self, kind: &Kind) -> usize {
        let ending: Vec<Placed> = self.ending(kind.side, Ends::Action).cloned().collect();
        for placed in &ending {
            self.line(code!("if (self.{} > 0) {{", placed.field));
            self.write_over("self", placed);
            self.line("} else {");
        }
        ending.len()
    }
}

/// The value of an effect's field after its end: some creatures are safe from it then.
fn over(placed: &Placed) -> i32 {
    match placed.effect.safe {
        Safe::Over => -1,
        Safe::Never | Safe::Saved | Safe::SavedLater => 0,
    }
}
