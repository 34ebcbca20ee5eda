//! Damage to hit points, and falling.

use super::martial::has_rage_against;
use super::{Told, Writer, by_kind, name_and};
use crate::encounter::plan::{DamagePart, DamageType, Endurance, Kind, Share, share};
use crate::script_text::{IsCode, ScriptCode, code};

/// The functions for damage to creatures of a side, if it matters to the other side.
const HURT: [&str; 2] = ["hurtFirst", "hurtSecond"];

/// The functions of death by side.
const SLAY: [&str; 2] = ["slayFirst", "slaySecond"];

impl Writer<'_> {
    /// The damage of a type that a creature of a side takes: an expression of `amount`.
    pub(super) fn taken(
        &self,
        foe: &'static str,
        side: usize,
        kind: &DamageType,
        amount: impl IsCode,
    ) -> ScriptCode {
        let values = self.plan.on_side(side).map(|one| {
            let rages = has_rage_against(one, kind);
            let value = match share(&one.creature, kind) {
                Share::None => ScriptCode::from("0"),
                Share::Half => code!("{amount} / 2", amount),
                Share::All if rages => {
                    code!("({foe}.raging ? {amount} / 2 : {amount})", foe, amount)
                }
                Share::All => code!("{amount}", amount),
                Share::Double if rages => {
                    code!("({foe}.raging ? {amount} : 2 * {amount})", foe, amount)
                }
                Share::Double => code!("2 * {amount}", amount),
            };
            (one.number, value)
        });
        by_kind(foe, &values.collect::<Vec<_>>())
    }

    /// Whether some damage is the same to everybody on a side.
    pub(super) fn is_taken_whole(&self, side: usize, kind: &DamageType) -> bool {
        let mut all = self.plan.on_side(side);
        all.all(|one| share(&one.creature, kind) == Share::All && !has_rage_against(one, kind))
    }

    /// Whether it matters to any creature if a hit is critical, or its damage type.
    pub(super) fn has_fortitude(&self) -> bool {
        self.any(|kind| kind.traits.endurance.iter().any(Endurance::yields))
    }

    /// Whether damage overrides rules that keep creatures from falling, if any creature has such a
    /// rule. `critical` is an expression for critical hits.
    pub(super) fn sure(&self, damage: &[DamagePart], critical: &'static str) -> ScriptCode {
        let mut all = Vec::new();
        for kind in &self.plan.kinds {
            if let Some(one) = kind.traits.endurance.iter().find(|one| one.yields()) {
                let is_of_type = |part: &DamagePart| one.yields_to.contains(&part.kind.name);
                let value = match (damage.iter().any(is_of_type), one.yields_to_critical) {
                    (true, _) => "true",
                    (false, true) => critical,
                    (false, false) => "false",
                };
                all.push((kind.number, ScriptCode::from(value)));
            }
        }
        match self.has_fortitude() {
            true => code!(", {}", by_kind("foe", &all)),
            false => ScriptCode::default(),
        }
    }

    /// `foe`, of this side, takes damage: `damage` is the amount, with the further arguments.
    pub(super) fn write_hurt(&mut self, side: usize, damage: impl IsCode) {
        self.line(match self.sees_others(side) {
            true => code!("{}(foe, foes, friends, {damage});", HURT[side], damage),
            false => code!("hurt(foe, foes, {damage});", damage),
        });
    }

    /// `foe`, of this side, is out of the fight: it `dies`, in a word.
    pub(super) fn write_killed(&mut self, side: usize, word: &'static str) {
        self.tell(name_and("foe", &format!(" {word}")));
        self.line(code!("{}(foe, foes, friends);", SLAY[side]));
    }

    /// The same of `self` in its own turn.
    pub(super) fn write_own_end(&mut self, side: usize, word: &'static str) {
        self.tell(name_and("self", &format!(" {word}")));
        self.line(code!("{}(self, friends, foes);", SLAY[side]));
    }

    /// A function of death for creatures of a side, whatever hit points they have.
    fn write_slay(&mut self, side: usize) {
        self.out.comment("Somebody dies.");
        self.line(code!(
            "deffun {}(foe: creature, foes: creature list, others: creature list) {{",
            SLAY[side]
        ));
        self.write_death();
        if self.told == Told::Figures {
            self.write_first_to_fall();
        }
        self.call_free(side);
        self.call_end_of_effects(side);
        self.call_damaged(side);
        self.line("}\n");
    }

    /// Whether damage to creatures of a side matters to the other side, too.
    fn sees_others(&self, side: usize) -> bool {
        self.has_damaged(side) || self.has_holds(side) || self.concentrates(side)
    }

    pub(super) fn write_health(&mut self) {
        let (acting, others): (Vec<usize>, Vec<usize>) =
            [0, 1].into_iter().partition(|&side| self.sees_others(side));
        if !others.is_empty() {
            self.write_damage_taken("hurt", "", &others);
        }
        for side in acting {
            self.write_damage_taken(HURT[side], "others: creature list, ", &[side]);
        }
        for side in [0, 1] {
            if self.plan.on_side(1 - side).any(Kind::kills) {
                self.write_slay(side);
            }
        }
    }

    /// A function for the effect of damage on creatures of these sides.
    fn write_damage_taken(&mut self, name: &'static str, others: &'static str, sides: &[usize]) {
        self.out.comment("Somebody takes damage.");
        let sure = if self.has_fortitude() {
            ", isSure: bool"
        } else {
            ""
        };
        self.line(code!(
            "deffun {name}(foe: creature, foes: creature list, {others}damage: int{sure}) {{",
            name,
            others,
            sure
        ));
        self.write_loss();
        self.tell(
            "foe.name + \": \" + damage + \" damage, \" + foe.hp + (foe.hp == 1 ? \" hit point \
             left\" : \" hit points left\")",
        );
        self.write_endurance();
        self.write_taken();
        match self.told {
            Told::Blows => self.line("if (foe.hp == 0) { output(foe.name + \" falls\"); }"),
            Told::Figures => self.write_first_to_fall(),
            Told::Sides => {}
        }
        self.write_dropped();
        self.write_rage_end();
        self.write_ends_by_damage(sides);
        if !others.is_empty() {
            for side in sides {
                self.call_free(*side);
                self.call_concentrate(*side);
                self.call_damaged(*side);
            }
        }
        self.line("}\n");
    }
}
