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
        self.plan.concentrations(side).next().is_some() || self.keeps_boons(side)
    }

    fn keeps_boons(&self, side: usize) -> bool {
        self.plan.kept_boons(side).next().is_some()
    }

    /// A list of those of a side as a further argument, if its creatures concentrate on boons.
    fn own(&self, side: usize, list: &'static str) -> ScriptCode {
        match self.keeps_boons(side) {
            true => code!(", {list}", list),
            false => ScriptCode::default(),
        }
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
        let own = self.own(side, "own: creature list");
        self.out.comment("Whether somebody concentrates.");
        self.line(code!(
            "deffun {}(c: creature, others: creature list{own}) : bool {{",
            CONCENTRATES[side],
            own
        ));
        let helps = self.plan.kept_boons(side).filter_map(|placed| {
            let cause = placed.cause.as_ref()?;
            Some(code!(
                "o.{} > 0 && o.{cause} == c.number",
                placed.field,
                cause
            ))
        });
        let helps: Vec<ScriptCode> = helps.collect();
        let any = [(terms, "others"), (helps, "own")].into_iter();
        let any = any.filter(|(terms, _)| !terms.is_empty());
        let any: Vec<ScriptCode> = any
            .map(|(terms, list)| {
                let terms = terms.joined(" || ");
                code!("any(o.hp > 0 && ({terms}) for o : {list})", terms, list)
            })
            .collect();
        self.line(code!("return {};", any.joined(" || ")));
        self.line("}\n");
    }

    fn write_end_of_effects(&mut self, side: usize) {
        let plan = self.plan;
        self.out.comment("What ends with a concentration.");
        self.line(code!(
            "deffun {}(c: creature, others: creature list{}) {{",
            END[side],
            self.own(side, "own: creature list")
        ));
        if plan.concentrations(side).next().is_some() {
            self.line("for (o : others) {");
        }
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
        if plan.concentrations(side).next().is_some() {
            self.line("}");
        }
        self.write_end_of_boons(side);
        self.line("}\n");
    }

    /// Damage requires a Constitution save against 10, or half of the damage if that is more.
    fn write_keeping(&mut self, side: usize) {
        self.out
            .comment("Somebody takes damage, and may lose its concentration.");
        self.line(code!(
            "deffun {}(c: creature, others: creature list{}, damage: int) {{",
            KEEP[side],
            self.own(side, "own: creature list")
        ));
        let ends = END[side];
        let concentrates = CONCENTRATES[side];
        let own = self.own(side, "own");
        self.line(code!(
            "if (!{concentrates}(c, others{own})) {{ return; }}",
            concentrates,
            own
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
        let helped = self.save_dice("c", side);
        self.line(code!("total = {}{helped};", die.plus(&bonus), helped));
        self.tell(
            "c.name + (total >= dc ? \" keeps its concentration: \" : \" loses its \
             concentration: \") + total + \" against \" + dc",
        );
        self.line(code!(
            "if (total < dc) {{ {ends}(c, others{own}); }}",
            ends,
            own
        ));
        self.line("}\n");
    }

    /// The kinds of a side that concentrate on something.
    fn casters(&self, side: usize) -> Vec<&Kind> {
        let plan = self.plan;
        let is_caster = |kind: &&Kind| {
            let mut own = plan.concentrations(side);
            let mut boons = plan.kept_boons(side);
            own.any(|placed| placed.kind == kind.number)
                || boons.any(|placed| placed.kind == kind.number)
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
        let own = self.own(side, "foes");
        self.line(code!(
            "if ({is_caster}foe.hp <= 0) {{ {ends}(foe, others{own}); }}",
            is_caster,
            ends,
            own
        ));
        self.line(code!(
            "if ({is_caster}foe.hp > 0 && damage > 0) {{ {keep}(foe, others{own}, damage); }}",
            is_caster,
            keep,
            own
        ));
    }

    /// `foe`, of this side, is dead.
    pub(super) fn call_end_of_effects(&mut self, side: usize) {
        if self.concentrates(side) {
            let own = self.own(side, "foes");
            self.line(code!("{}(foe, others{own});", END[side], own));
        }
    }

    /// `foe`, of this side, has a new condition: it stops concentrating if it cannot act.
    pub(super) fn call_distract(&mut self, side: usize) {
        if self.concentrates(side) {
            let ends = END[side];
            let own = self.own(side, "foes");
            self.line(code!(
                "if (!isAble(foe)) {{ {ends}(foe, friends{own}); }}",
                ends,
                own
            ));
        }
    }

    /// Ends a deed that needs concentration if `self` concentrates already; otherwise ends the
    /// remains of earlier effects.
    pub(super) fn write_begin_of_concentration(&mut self, kind: &Kind, deed: usize) {
        if let Some(concentrates) = self.is_concentrating_for(kind, deed) {
            self.line(code!("if ({concentrates}) {{ return; }}", concentrates));
            // Those who have fallen may get up again.
            let own = self.own(kind.side, "friends");
            if self.plan.has_characters_on(1 - kind.side) || !own.is_empty() {
                self.line(code!("{}(self, foes{own});", END[kind.side], own));
            }
        }
    }

    /// An expression that is true if `self` concentrates, for a deed that it would have to
    /// concentrate on.
    pub(super) fn is_concentrating_for(&self, kind: &Kind, deed: usize) -> Option<ScriptCode> {
        let is_needed = kind.deeds[deed].needs_concentration;
        let own = self.own(kind.side, "friends");
        is_needed.then(|| code!("{}(self, foes{own})", CONCENTRATES[kind.side], own))
    }
}
