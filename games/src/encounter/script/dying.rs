//! Characters at 0 hit points: death saves, and damage to dying characters and to temporary hit
//! points. Omitted from fights without either.
//!
//! A creature that is not a character starts with three failed death saves, so that it is dead at 0
//! hit points.

use super::{Told, Writer, by_kind, name_and};
use crate::encounter::figures::taken_figure;
use crate::encounter::plan::Kind;
use crate::purpose::Purpose;
use crate::script_text::{ScriptCode, code, quoted};

/// Failed death saves of the dead (SRD 5.1, "Damage and Healing: Death Saving Throws").
pub(super) const DEAD: u32 = 3;

/// An expression for `c` at 0 hit points that is true unless it is dead.
pub(super) const IS_ALIVE: &str = "c.failures < 3";

/// The records of the sides, which store the first fallen creature of each.
pub(super) const RECORDS: [&str; 2] = ["first", "second"];

/// An expression for a character `c` that is true if it is dead.
pub(super) const IS_DEAD: &str = "c.hp == 0 && c.failures == 3";

impl Writer<'_> {
    /// The fields of creatures that may be dying or have temporary hit points.
    pub(super) fn fields_of_dying(&self) -> Vec<ScriptCode> {
        let has_characters = self.plan.has_characters();
        let fields = [
            ("temporary: int", self.plan.has_temporary()),
            ("successes: int", has_characters),
            ("failures: int", has_characters),
            (
                "hasFallen: bool",
                has_characters && self.told == Told::Figures && !self.remembers_fallen(),
            ),
        ];
        let wanted = fields.iter().filter(|field| field.1);
        wanted.map(|field| field.0.into()).collect()
    }

    /// Their values for creatures of a kind.
    pub(super) fn values_of_dying(&self, kind: &Kind) -> Vec<ScriptCode> {
        let temporary = kind.creature.temp_hp;
        let mut all = Vec::new();
        all.extend((temporary > 0).then(|| code!("temporary: {temporary}", temporary)));
        let is_apart = self.plan.has_characters() && !kind.is_character;
        all.extend(is_apart.then(|| code!("failures: {DEAD}", DEAD)));
        all
    }

    /// Those at 0 hit points do not act; the dying make a death save, and may wake.
    pub(super) fn write_lying(&mut self) {
        if !self.plan.has_characters() {
            return;
        }
        self.line("if (c.hp <= 0) {");
        self.line(code!(
            "if ({IS_ALIVE} && c.successes < 3) {{ saveFromDeath(c); }}",
            IS_ALIVE
        ));
        let loses_turn = self.any(|kind| kind.is_surprised && kind.is_character);
        let surprised = if loses_turn {
            "c.surprised = false; "
        } else {
            ""
        };
        self.line(code!(
            "if (c.hp <= 0) {{ {surprised}continue; }}",
            surprised
        ));
        self.line("}");
    }

    /// The function of a death save.
    pub(super) fn write_death_save(&mut self) {
        if !self.plan.has_characters() {
            return;
        }
        self.out
            .comment("Somebody who is dying makes a death save.");
        self.line("deffun saveFromDeath(c: creature) {");
        self.line("face = roll(d20);");
        self.line("if (face == 20) {");
        self.line("c.hp = 1; c.successes = 0; c.failures = 0;");
        self.tell(name_and("c", " wakes with 1 hit point"));
        self.line("} else if (face >= 10) {");
        self.line("c.successes += 1;");
        self.tell("c.name + \" makes a death save: \" + c.successes + \" of 3\"");
        self.line("if (c.successes == 3) {");
        self.line("c.failures = 0;");
        self.tell(name_and("c", " is stable"));
        self.line("}");
        self.line("} else {");
        self.line(code!(
            "c.failures = min({DEAD}, c.failures + (face == 1 ? 2 : 1));",
            DEAD
        ));
        self.tell("c.name + \" fails a death save: \" + c.failures + \" of 3\"");
        self.write_end_of_failing("c");
        self.line("}");
        self.line("}\n");
    }

    fn write_end_of_failing(&mut self, variable: &'static str) {
        self.line(code!(
            "if ({variable}.failures == {DEAD}) {{",
            variable,
            DEAD
        ));
        self.line(code!("{variable}.successes = 0;", variable));
        self.tell(name_and(variable, " dies"));
        self.line("}");
    }

    /// `foe` loses hit points by `damage`, temporary ones first.
    pub(super) fn write_loss(&mut self) {
        if self.plan.has_characters() || self.notes_taken() {
            self.line("before = foe.hp;");
        }
        if self.plan.has_temporary() {
            self.line("absorbed = min(foe.temporary, damage);");
            self.line("foe.temporary -= absorbed;");
            if self.told == Told::Blows {
                self.line("if (absorbed > 0) {");
                self.tell("foe.name + \" loses \" + absorbed + \" temporary hit points\"");
                self.line("}");
            }
        }
        self.line(code!("foe.hp = max(0, foe.hp - {});", self.through()));
    }

    /// `foe` dies, whatever hit points it has.
    pub(super) fn write_death(&mut self) {
        if self.notes_taken() {
            self.line("before = foe.hp;");
            if self.plan.has_temporary() {
                self.line("absorbed = 0;");
            }
        }
        self.line("foe.hp = 0;");
        if self.plan.has_characters() {
            self.line(code!("foe.failures = {DEAD}; foe.successes = 0;", DEAD));
        }
        self.write_taken();
    }

    /// The damage that temporary hit points leave, as an operand.
    fn through(&self) -> &'static str {
        match self.plan.has_temporary() {
            true => "(damage - absorbed)",
            false => "damage",
        }
    }

    /// Whether the sides store which creature fell first. A line at the end takes less time than
    /// one in the middle of a turn, but the stored number would keep otherwise equal fights apart.
    pub(super) fn remembers_fallen(&self) -> bool {
        self.told == Told::Figures && self.purpose == Purpose::Trials
    }

    /// The lines with the first fallen creatures.
    pub(super) fn write_fallen(&mut self) {
        if !self.remembers_fallen() {
            return;
        }
        for side in RECORDS {
            self.line(code!("if ({side}.fell != \"\") {{", side));
            self.line(code!("output({side}.fell + \" falls first\");", side));
            self.line("}");
        }
    }

    /// `foe` may have fallen: the first of a side is noted.
    pub(super) fn write_first_to_fall(&mut self) {
        if self.remembers_fallen() {
            self.line("if (foe.hp == 0 && foe.side.fell == \"\") { foe.side.fell = foe.name; }");
            return;
        }
        let is_first = match self.plan.has_characters() {
            true => "foe.hp == 0 && !any(c.hasFallen for c : foes)",
            false => "foe.hp == 0 && count(c.hp == 0 for c : foes) == 1",
        };
        self.line(code!("if ({is_first}) {{", is_first));
        self.line("output(foe.name + \" falls first\");");
        self.line("}");
        if self.plan.has_characters() {
            self.line("if (foe.hp == 0) { foe.hasFallen = true; }");
        }
    }

    /// The effect of damage on `foe` if it is dying now (SRD 5.1, "Damage and Healing: Dropping to
    /// 0 Hit Points"): it dies at once if the remaining damage is at least its maximum, and damage
    /// to a creature at 0 is a failed save.
    pub(super) fn write_dropped(&mut self) {
        if !self.plan.has_characters() {
            return;
        }
        self.line(code!("if (foe.hp == 0 && foe.failures < {DEAD}) {{", DEAD));
        let most = self.full_hit_points("foe", |kind| kind.is_character);
        let through = self.through();
        self.line(code!("if ({through} - before >= {most}) {{", through, most));
        self.line(code!("foe.failures = {DEAD}; foe.successes = 0;", DEAD));
        self.tell(name_and("foe", " dies at once"));
        self.line("}");
        if self.plan.may_hurt_fallen() {
            self.line("else if (before == 0) {");
            self.line("if (foe.successes == 3) { foe.successes = 0; }");
            self.line("foe.failures += 1;");
            self.tell("foe.name + \" fails a death save: \" + foe.failures + \" of 3\"");
            self.write_end_of_failing("foe");
            self.line("}");
        }
        self.line("}");
    }

    /// The maximum hit points of a creature of these kinds.
    pub(super) fn full_hit_points(
        &self,
        variable: &'static str,
        may_be: impl Fn(&Kind) -> bool,
    ) -> ScriptCode {
        let kinds = self.plan.kinds.iter().filter(|kind| may_be(kind));
        let values = kinds.map(|kind| {
            let most = match self.plan.hit_dice[kind.number] {
                Some(_) => code!("{variable}.most", variable),
                None => ScriptCode::from(kind.creature.hp),
            };
            (kind.number, most)
        });
        by_kind(variable, &values.collect::<Vec<_>>())
    }

    /// Whether rolled hit points are needed later.
    pub(super) fn keeps_rolled(&self) -> bool {
        let is_needed =
            self.plan.has_characters() || [0, 1].iter().any(|side| self.plan.has_healing(*side));
        is_needed && self.plan.hit_dice.iter().any(Option::is_some)
    }

    /// Whether the damage that somebody takes is noted.
    fn notes_taken(&self) -> bool {
        self.told == Told::Figures && self.any(|kind| self.plan.may_recover(kind))
    }

    /// Notes the hit points that `foe` lost, if they do not follow from those at the end.
    pub(super) fn write_taken(&mut self) {
        if !self.notes_taken() {
            return;
        }
        let plan = self.plan;
        let temporary = if plan.has_temporary() {
            " + absorbed"
        } else {
            ""
        };
        self.line("match (foe.kind) {");
        for kind in plan.kinds.iter().filter(|kind| plan.may_recover(kind)) {
            let name = quoted(&taken_figure(kind));
            self.line(code!(
                "{}: {{ stat({name}, before - foe.hp{temporary}); }}",
                kind.number,
                name,
                temporary
            ));
        }
        self.line("else: { }");
        self.line("}");
    }
}
