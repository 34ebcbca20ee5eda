//! Reactions that stop spells of enemies (SRD 5.1 and 5.2, "Counterspell").

use super::saves::save_function;
use super::{Writer, name_and};
use crate::encounter::plan::{Ask, Hit, Kind, Roll};
use crate::script_text::{ScriptCode, code};

/// The functions that tell whether somebody of the other side stops a spell.
const COUNTERED: [&str; 2] = ["counteredByFirst", "counteredBySecond"];

/// The lowest level of spells that creatures stop.
const LEAST: u32 = 3;

impl Writer<'_> {
    /// Whether somebody of a side may stop a limited action of a kind of the other side.
    fn is_counterable(&self, kind: &Kind, deed: usize) -> bool {
        let level = kind.deeds[deed].level.unwrap_or(0);
        let mut foes = self.plan.on_side(1 - kind.side);
        level >= LEAST && foes.any(|foe| !foe.counters().is_empty())
    }

    /// The functions for spells of enemies: 0 if nobody stops one, 1 if somebody does, and 2 if its
    /// slot is not lost either.
    pub(super) fn write_counters(&mut self) {
        let plan = self.plan;
        for side in [0, 1] {
            let mut casters = plan.on_side(1 - side);
            let is_needed = casters.any(|kind| {
                let mut limited = kind.limited.iter();
                limited.any(|rare| self.is_counterable(kind, rare.deed))
            });
            if is_needed {
                self.write_counter(side);
            }
        }
    }

    fn write_counter(&mut self, side: usize) {
        let plan = self.plan;
        self.out
            .comment("Whether somebody stops a spell of an enemy.");
        self.line(code!(
            "deffun {}(c: creature, foes: creature list, level: int) : int {{",
            COUNTERED[side]
        ));
        self.line("for (o : foes) {");
        for kind in plan.on_side(side) {
            for (index, counter) in kind.counters() {
                let rare = &kind.limited[index];
                let (uses, name) = (rare.field(index), &kind.deeds[rare.deed].name);
                let disabled = self.disabled("o", side, name).into_iter();
                let disabled: ScriptCode =
                    disabled.map(|code| code!(" && !({code})", code)).collect();
                self.line(code!(
                    "if (o.hp > 0{} && o.reaction && o.{uses} > 0{disabled} && isAble(o)) {{",
                    self.is_of(kind, "o"),
                    uses,
                    disabled
                ));
                self.line(code!("o.reaction = false; o.{uses} -= 1;", uses));
                self.tell(name_and("o", &format!(" uses {name}")));
                let (stops, result) = match counter.dc {
                    Some(_) => {
                        let save = save_function(kind, rare.deed);
                        (code!("!{save}(c)", save), 2)
                    }
                    None => {
                        let level = counter.level.unwrap_or(0);
                        let check = ScriptCode::from("roll(d20)").plus(counter.bonus);
                        (
                            code!("level <= {level} || {check} >= 10 + level", level, check),
                            1,
                        )
                    }
                };
                self.line(code!("if ({stops}) {{", stops));
                self.tell(name_and("c", " casts in vain"));
                self.line(code!("return {result};", result));
                self.line("}");
                self.line("}");
            }
        }
        self.line("}");
        self.line("return 0;");
        self.line("}\n");
    }

    /// The save against a reaction that stops spells, if it asks for one.
    pub(super) fn counter_save(kind: &Kind, deed: usize) -> Option<Hit> {
        let counter = kind.deeds[deed].boon()?.counters.as_ref()?;
        let ask = Ask {
            ability: "CON".to_owned(),
            dc: counter.dc?,
            roll: Roll::Save,
        };
        Some(Hit {
            ask: Some(ask),
            is_magical: true,
            ..Hit::of_damage(&[])
        })
    }

    /// Opens a block for a limited action that nobody stops, if somebody could; `field` has its
    /// uses. Returns whether it did.
    pub(super) fn open_uncountered(
        &mut self,
        kind: &Kind,
        index: usize,
        field: &ScriptCode,
    ) -> bool {
        let rare = &kind.limited[index];
        if !self.is_counterable(kind, rare.deed) {
            return false;
        }
        let level = kind.deeds[rare.deed].level.unwrap_or(0);
        let name = &kind.deeds[rare.deed].name;
        self.tell(name_and("self", &format!(" begins {name}")));
        self.line(code!(
            "countered = {}(self, foes, {level});",
            COUNTERED[1 - kind.side],
            level
        ));
        if rare.slot.is_some() {
            self.line(code!("if (countered == 2) {{ {field} += 1; }}", field));
        }
        self.line("if (countered == 0) {");
        true
    }
}
