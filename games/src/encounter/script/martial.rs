//! Rules of characters: rage, a second action in a turn, smites, reactions that soften a hit, the
//! damage of misses, and advantage after a hit.

use super::deeds::rolled;
use super::{Writer, is_one_of, name_and};
use crate::encounter::document::Limited;
use crate::encounter::plan::{
    By, DamagePart, DamageType, Kind, Smite, Softening, Strike, What, is_physical, slots_field,
};
use crate::encounter::policy::Policy;
use crate::script_text::{IsCode, Joined, ScriptCode, code, quoted};

/// Whether a kind has rages, and they give resistance to a type of damage.
pub(super) fn has_rage_against(kind: &Kind, damage: &DamageType) -> bool {
    kind.traits.martial.rage.is_some() && is_physical(&damage.name)
}

/// Whether an attack is one in melee with a weapon.
fn is_melee_weapon(strike: &Strike) -> bool {
    strike.is_melee && is_weapon(strike)
}

/// Whether an attack is one with a weapon.
pub(super) fn is_weapon(strike: &Strike) -> bool {
    let mut parts = strike.damage.iter();
    !parts.any(|part| part.kind.by == By::Spell)
}

impl Writer<'_> {
    /// The fields of these rules.
    pub(super) fn fields_of_martial(&self) -> Vec<ScriptCode> {
        let martial = |has: &dyn Fn(&Kind) -> bool| self.any(has);
        let fields = [
            (
                "surges: int",
                martial(&|kind| kind.traits.martial.surges > 0),
            ),
            ("rages: int", self.has_rage()),
            ("raging: bool", self.has_rage()),
            (
                "smites: int",
                martial(&|kind| smite(kind).is_some_and(|one| one.free > 0)),
            ),
            ("smote: bool", martial(&smites_as_bonus)),
            ("vexed: int", self.has_vex()),
            ("vexing: int", self.has_vex()),
            ("acting: bool", self.has_vex() && self.plan.has_positions()),
        ];
        let wanted = fields.iter().filter(|field| field.1);
        wanted.map(|field| field.0.into()).collect()
    }

    fn has_rage(&self) -> bool {
        self.any(|kind| kind.traits.martial.rage.is_some())
    }

    /// Whether somebody has an attack after which another one has advantage.
    pub(super) fn has_vex(&self) -> bool {
        self.any(vexes)
    }

    /// At the start of its action somebody begins to rage, as a bonus action.
    pub(super) fn write_rage(&mut self, kind: &Kind) {
        if kind.traits.martial.rage.is_none() || kind.limits == Policy::Known(Limited::Never) {
            return;
        }
        self.line("if (!self.raging && self.rages > 0) {");
        self.line("self.raging = true; self.rages -= 1;");
        self.tell(name_and("self", " rages"));
        self.spend_bonus_action(kind);
        self.line("}");
    }

    /// The rage of somebody who falls is over.
    pub(super) fn write_rage_end(&mut self) {
        if self.has_rage() {
            self.line("if (foe.hp == 0) { foe.raging = false; }");
        }
    }

    /// What rage and critical hits add to the damage of a hit, as a part of `to`.
    pub(super) fn write_martial_damage(
        &mut self,
        kind: &Kind,
        strike: &Strike,
        to: impl IsCode + Copy,
    ) {
        // Nothing is added where nothing is rolled.
        if strike.damage.is_empty() {
            return;
        }
        if let Some(dice) = &strike.critical_dice {
            let dice = match dice.rolls() {
                true => code!("roll({})", dice.text(false)),
                false => dice.text(false),
            };
            self.line(code!("if (isCritical) {{ {to} += {dice}; }}", to, dice));
        }
        let rage = kind.traits.martial.rage.filter(|_| is_melee_weapon(strike));
        if let Some(damage) = rage.map(|rage| rage.damage).filter(|damage| *damage > 0) {
            self.line(code!(
                "if (self.raging) {{ {to} += {damage}; }}",
                to,
                damage
            ));
        }
    }

    /// A second action of the turn, if its attack has a target: the creature's actions if nothing
    /// limited is available.
    pub(super) fn write_surge(&mut self, kind: &Kind) {
        let mut attacks = kind.routine.iter().map(|todo| todo.deed);
        let Some(first) = attacks.find(|&deed| kind.deeds[deed].strike().is_some()) else {
            return;
        };
        let is_never = kind.limits == Policy::Known(Limited::Never);
        if kind.traits.martial.surges == 0 || is_never {
            return;
        }
        let mut possible = vec![ScriptCode::from("self.surges > 0")];
        if self.may_fall_in_turn(kind.side) {
            possible.push(ScriptCode::from("self.hp > 0"));
        }
        possible.push(self.someone_for(kind, first));
        self.line(code!("if ({}) {{", possible.joined(" && ")));
        self.line("self.surges -= 1;");
        self.tell(name_and("self", " acts once more"));
        match self.plan.has_positions() {
            true => self.write_options(kind),
            false => {
                let routine = kind.routine.iter();
                routine.for_each(|todo| self.write_todo(kind, todo));
            }
        }
        self.line("}");
    }

    /// What comes back at the beginning of a turn.
    pub(super) fn write_martial_back(&mut self, kind: &Kind) {
        if smites_as_bonus(kind) {
            self.line("self.smote = false;");
        }
        if vexes(kind) && self.plan.has_positions() {
            self.line("self.acting = true;");
        }
    }

    /// A bonus action has been taken: smites that need one are over for this turn.
    pub(super) fn spend_smite(&mut self, kind: &Kind) {
        if smites_as_bonus(kind) {
            self.line("self.smote = true;");
        }
    }

    /// A slot becomes damage of a hit that would not make its target fall: the highest one.
    pub(super) fn write_smite(&mut self, kind: &Kind, strike: &Strike) {
        let is_never = kind.limits == Policy::Known(Limited::Never);
        let Some(smite) = smite(kind).filter(|_| is_melee_weapon(strike) && !is_never) else {
            return;
        };
        self.line("smite = 0;");
        let unspent = if smite.is_bonus {
            " && !self.smote"
        } else {
            ""
        };
        self.line(code!("if (damage < foe.hp{unspent}) {{", unspent));
        let mut before = "";
        for level in kind.slots().into_iter().rev() {
            self.write_smite_of(kind, smite, before, &slots_field(level), level);
            before = "else ";
        }
        if smite.free > 0 {
            let field = ScriptCode::from("smites");
            self.write_smite_of(kind, smite, before, &field, 1);
        }
        self.line("}");
    }

    fn write_smite_of(
        &mut self,
        kind: &Kind,
        smite: Smite,
        before: &'static str,
        field: &ScriptCode,
        level: u32,
    ) {
        let other = 1 - kind.side;
        let count = smite.dice(level);
        let spent = if smite.is_bonus {
            " self.smote = true;"
        } else {
            ""
        };
        self.line(code!("{before}if (self.{field} > 0) {{", before, field));
        self.line(code!("self.{field} -= 1;{spent}", field, spent));
        self.line(code!(
            "smite = isCritical ? roll({}d8) : roll({count}d8);",
            2 * count,
            count
        ));
        let hated = self.plan.on_side(other).filter(|foe| is_hated(foe));
        let hated: Vec<usize> = hated.map(|foe| foe.number).collect();
        if !hated.is_empty() {
            self.line(code!(
                "if ({}) {{ smite += isCritical ? roll(2d8) : roll(d8); }}",
                is_one_of("foe", &hated)
            ));
        }
        self.tell(&code!(
            "self.name + {}",
            quoted(&format!(" smites with a slot of level {level}"))
        ));
        let radiant = DamagePart::radiant(count.into());
        self.write_stop(kind, std::slice::from_ref(&radiant));
        let taken = self.taken("foe", other, &radiant.kind, "smite");
        self.line(code!("damage += {taken};", taken));
        self.line("}");
    }

    /// Whether a hit is critical or has become a smite: an expression.
    pub(super) fn sure_of_hit(&self, kind: &Kind, strike: &Strike) -> &'static str {
        let is_radiant = self.favours_with(kind, strike, "radiant");
        let is_never = kind.limits == Policy::Known(Limited::Never);
        match smite(kind).filter(|_| is_melee_weapon(strike) && !is_never) {
            Some(_) if is_radiant => "isCritical || smite > 0 || favour > 0",
            Some(_) => "isCritical || smite > 0",
            None if is_radiant => "isCritical || favour > 0",
            None => "isCritical",
        }
    }

    /// Reactions of those who are hit: less damage.
    pub(super) fn write_softening(&mut self, kind: &Kind, strike: &Strike) {
        let foes: Vec<(&Kind, &Softening)> = self
            .plan
            .on_side(1 - kind.side)
            .filter_map(|foe| Some((foe, foe.traits.martial.softening.as_ref()?)))
            .filter(|(_, one)| {
                let mut parts = strike.damage.iter();
                let is_covered = parts.any(|part| one.covers(&part.kind.name));
                let is_spell = strike.damage.iter().any(|part| part.kind.by == By::Spell);
                let is_covered = is_covered || one.dice.is_none();
                is_covered && !(one.is_for_missiles && (strike.is_melee || is_spell))
            })
            .collect();
        for (foe, one) in foes {
            let is_it = is_one_of("foe", &[foe.number]);
            let disabled = self.disabled("foe", foe.side, &one.of).into_iter();
            let disabled: ScriptCode = disabled.map(|code| code!(" && !({code})", code)).collect();
            self.line(code!(
                "if ({is_it} && damage > 0 && foe.reaction{disabled} && isAble(foe)) {{",
                is_it,
                disabled
            ));
            self.line("foe.reaction = false;");
            self.line(match &one.dice {
                None => ScriptCode::from("damage = damage / 2;"),
                Some(dice) => {
                    code!("damage = max(0, damage - roll({}));", dice.text(false))
                }
            });
            self.tell(name_and("foe", &format!(" softens the hit: {}", one.of)));
            self.line("}");
        }
    }

    /// The damage of an attack that misses.
    pub(super) fn write_graze(&mut self, kind: &Kind, deed: usize, strike: &Strike) {
        let Some(part) = &strike.on_miss else {
            return;
        };
        let other = 1 - kind.side;
        self.line(code!("damage = {};", rolled(&[part], false)));
        let taken = self.taken("foe", other, &part.kind, "damage");
        self.line(code!("damage = {taken};", taken));
        self.note_damage(kind, deed, "damage");
        self.write_stop(kind, std::slice::from_ref(part));
        let sure = self.sure(std::slice::from_ref(part), "false");
        self.write_hurt(other, &code!("damage{sure}", sure));
        self.write_felled(kind, strike);
    }

    /// Advantage on the creature that the last attack has vexed.
    pub(super) fn gain_of_vex(&self, kind: &Kind) -> Option<ScriptCode> {
        vexes(kind).then(|| ScriptCode::from("self.vexed == foe.number"))
    }

    /// The advantage is spent by an attack on that creature.
    pub(super) fn write_vex_spent(&mut self, kind: &Kind) {
        if vexes(kind) {
            self.line("if (self.vexed == foe.number) { self.vexed = 0; }");
        }
    }

    /// A hit vexes its target until the end of the creature's next turn.
    pub(super) fn write_vex(&mut self, strike: &Strike) {
        // An opportunity attack is not in its turn: the next one is over sooner.
        let turns = match self.plan.has_positions() {
            true => "self.acting ? 2 : 1",
            false => "2",
        };
        if strike.vexes {
            self.line(code!(
                "if (damage > 0) {{ self.vexed = foe.number; self.vexing = {turns}; }}",
                turns
            ));
        }
    }

    /// The end of a turn may end the advantage.
    pub(super) fn write_vex_end(&mut self, kind: &Kind) {
        if vexes(kind) && self.plan.has_positions() {
            self.line("self.acting = false;");
        }
        if vexes(kind) {
            self.line("self.vexing = max(0, self.vexing - 1);");
            self.line("if (self.vexing == 0) { self.vexed = 0; }");
        }
    }
}

/// The smites of a kind.
fn smite(kind: &Kind) -> Option<Smite> {
    kind.traits.martial.smite
}

/// Whether a smite takes the bonus action of a turn.
pub(super) fn smites_as_bonus(kind: &Kind) -> bool {
    smite(kind).is_some_and(|one| one.is_bonus)
}

/// Whether a kind has an attack that vexes.
fn vexes(kind: &Kind) -> bool {
    let mut used = kind.deeds.iter();
    used.any(|deed| matches!(&deed.what, What::Strike(strike) if strike.vexes))
}

/// Whether smites do more damage to a kind (SRD 5.1, "Divine Smite").
fn is_hated(foe: &Kind) -> bool {
    let what = foe.creature.what.as_deref().unwrap_or_default();
    let what = what.to_lowercase();
    let mut words = what.split(|c: char| !c.is_alphabetic());
    words.any(|word| word == "undead" || word == "fiend")
}
