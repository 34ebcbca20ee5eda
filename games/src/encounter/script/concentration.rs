//! Concentration (SRD 5.1, "Casting a Spell: Duration"): an effect lasts only while its cause
//! concentrates. Omitted from fights in which no creature concentrates.
//!
//! A victim of such an effect stores the number of its cause next to the remaining turns. A
//! creature concentrates as long as a standing creature is affected.

use super::{Told, Writer, by_kind, is_one_of};
use crate::encounter::plan::{Kind, Placed, RollRule};
use crate::script_text::{Joined, ScriptCode, code, quoted};

/// The functions that test whether creatures of a side concentrate.
const CONCENTRATES: [&str; 2] = ["concentratesFirst", "concentratesSecond"];

/// The functions that end effects with the concentration of creatures of a side.
const END: [&str; 2] = ["endEffectsFirst", "endEffectsSecond"];

/// The functions for damage to concentrating creatures of a side.
const KEEP: [&str; 2] = ["concentrateFirst", "concentrateSecond"];

impl Writer<'_> {
    /// The fields of creatures with effects whose cause matters.
    pub(super) fn fields_of_causes(&self) -> Vec<ScriptCode> {
        let causes = self.plan.effects.iter();
        let causes = causes.filter_map(|placed| placed.cause.as_ref());
        causes.map(|cause| code!("{cause}: int", cause)).collect()
    }

    /// Whether somebody of a side concentrates on something.
    pub(super) fn concentrates(&self, side: usize) -> bool {
        self.plan.concentrations(side).next().is_some()
    }

    pub(super) fn write_concentration(&mut self) {
        for side in [0, 1] {
            if self.concentrates(side) {
                self.write_concentrates(side);
                self.write_end_of_effects(side);
                self.write_keeping(side);
            }
        }
    }

    fn write_concentrates(&mut self, side: usize) {
        let suffers = |placed: &Placed| {
            let cause = placed.cause.as_ref()?;
            Some(code!(
                "o.{} > 0 && o.{cause} == c.number",
                placed.field,
                cause
            ))
        };
        let terms: Vec<ScriptCode> = self.plan.concentrations(side).filter_map(suffers).collect();
        self.out.comment("Whether somebody concentrates.");
        self.line(code!(
            "deffun {}(c: creature, others: creature list) : bool {{",
            CONCENTRATES[side]
        ));
        self.line(code!(
            "return any(o.hp > 0 && ({}) for o : others);",
            terms.joined(" || ")
        ));
        self.line("}\n");
    }

    fn write_end_of_effects(&mut self, side: usize) {
        let plan = self.plan;
        self.out.comment("What ends with a concentration.");
        self.line(code!(
            "deffun {}(c: creature, others: creature list) {{",
            END[side]
        ));
        self.line("for (o : others) {");
        for placed in plan.concentrations(side) {
            let Some(cause) = &placed.cause else {
                continue;
            };
            let field = &placed.field;
            self.line(code!(
                "if (o.{field} > 0 && o.{cause} == c.number) {{ o.{field} = 0;",
                field,
                cause
            ));
            if self.told == Told::Blows {
                let over = quoted(&format!(" is no longer {}", placed.effect.names()));
                self.line(code!("if (o.hp > 0) {{ output(o.name + {over}); }}", over));
            }
            self.line("}");
        }
        self.line("}");
        self.line("}\n");
    }

    /// Damage requires a Constitution save against 10, or half of the damage if that is more.
    fn write_keeping(&mut self, side: usize) {
        self.out
            .comment("Somebody takes damage, and may lose its concentration.");
        self.line(code!(
            "deffun {}(c: creature, others: creature list, damage: int) {{",
            KEEP[side]
        ));
        let ends = END[side];
        let concentrates = CONCENTRATES[side];
        self.line(code!(
            "if (!{concentrates}(c, others)) {{ return; }}",
            concentrates
        ));
        let casters = self.casters(side);
        let saves: Vec<(usize, ScriptCode)> = casters
            .iter()
            .map(|kind| {
                let bonus = kind.creature.save("CON").unwrap_or(0);
                (kind.number, ScriptCode::from(bonus))
            })
            .collect();
        let favoured = casters
            .iter()
            .filter(|kind| kind.traits.on_all_saves(RollRule::Advantage, "CON"));
        let favoured: Vec<usize> = favoured.map(|kind| kind.number).collect();
        let die = match favoured.is_empty() {
            true => ScriptCode::from("roll(d20)"),
            false => code!(
                "({} ? roll(2d20kh1) : roll(d20))",
                is_one_of("c", &favoured)
            ),
        };
        let bonus = by_kind("c", &saves);
        self.line("dc = max(10, damage / 2);");
        self.line(code!("total = {};", die.plus(&bonus)));
        self.tell(
            "c.name + (total >= dc ? \" keeps its concentration: \" : \" loses its \
             concentration: \") + total + \" against \" + dc",
        );
        self.line(code!("if (total < dc) {{ {ends}(c, others); }}", ends));
        self.line("}\n");
    }

    /// The kinds of a side that concentrate on something.
    fn casters(&self, side: usize) -> Vec<&Kind> {
        let plan = self.plan;
        let is_caster = |kind: &&Kind| {
            let mut own = plan.concentrations(side);
            own.any(|placed| placed.kind == kind.number)
        };
        plan.on_side(side).filter(is_caster).collect()
    }

    /// `foe`, of this side, was hurt: it may have fallen, or lose its concentration.
    pub(super) fn call_concentrate(&mut self, side: usize) {
        if !self.concentrates(side) {
            return;
        }
        let numbers: Vec<usize> = self.casters(side).iter().map(|kind| kind.number).collect();
        let is_caster = match numbers.len() == self.plan.on_side(side).count() {
            true => ScriptCode::default(),
            false => code!("{} && ", is_one_of("foe", &numbers)),
        };
        let (ends, keep) = (END[side], KEEP[side]);
        self.line(code!(
            "if ({is_caster}foe.hp <= 0) {{ {ends}(foe, others); }}",
            is_caster,
            ends
        ));
        self.line(code!(
            "if ({is_caster}foe.hp > 0 && damage > 0) {{ {keep}(foe, others, damage); }}",
            is_caster,
            keep
        ));
    }

    /// `foe`, of this side, is dead.
    pub(super) fn call_end_of_effects(&mut self, side: usize) {
        if self.concentrates(side) {
            self.line(code!("{}(foe, others);", END[side]));
        }
    }

    /// `foe`, of this side, has a new condition: it stops concentrating if it cannot act.
    pub(super) fn call_distract(&mut self, side: usize) {
        if self.concentrates(side) {
            let ends = END[side];
            self.line(code!("if (!isAble(foe)) {{ {ends}(foe, friends); }}", ends));
        }
    }

    /// Ends a deed that needs concentration if `self` concentrates already; otherwise ends the
    /// remains of earlier effects.
    pub(super) fn write_begin_of_concentration(&mut self, kind: &Kind, deed: usize) {
        if let Some(concentrates) = self.is_concentrating_for(kind, deed) {
            self.line(code!("if ({concentrates}) {{ return; }}", concentrates));
            // Those who have fallen may get up again.
            if self.plan.has_characters_on(1 - kind.side) {
                self.line(code!("{}(self, foes);", END[kind.side]));
            }
        }
    }

    /// An expression that is true if `self` concentrates, for a deed that it would have to
    /// concentrate on.
    pub(super) fn is_concentrating_for(&self, kind: &Kind, deed: usize) -> Option<ScriptCode> {
        let is_needed = kind.deeds[deed].needs_concentration;
        is_needed.then(|| code!("{}(self, foes)", CONCENTRATES[kind.side]))
    }
}
