//! Boons that change a creature's own turns and hits: damage that hits add, marks on enemies, one
//! more attack, and the turn that the end of some costs (SRD 5.1, "Divine Favor", "Hunter's Mark",
//! "Haste").

use super::martial::{is_weapon, smites_as_bonus};
use super::{Writer, name_and};
use crate::encounter::plan::{Boon, Condition, DamagePart, Kind, PlacedBoon, Strike, Todo};
use crate::script_text::{Joined, ScriptCode, code, quoted};

impl Writer<'_> {
    /// Whether boons may add damage of a type to an attack of a kind.
    pub(super) fn favours_with(&self, kind: &Kind, strike: &Strike, damage: &str) -> bool {
        let mut all = self.favours(kind, strike).into_iter();
        all.any(|(part, _)| part.kind.name == damage)
    }

    /// The damage that boons add to an attack of a kind, and when.
    fn favours(&self, kind: &Kind, strike: &Strike) -> Vec<(DamagePart, ScriptCode)> {
        let Some(first) = strike.damage.first() else {
            return Vec::new();
        };
        let is_weapon = is_weapon(strike);
        let counts = |boon: &Boon| boon.hits.is_some() && (is_weapon || boon.is_of_spells);
        let all = self.boons_having("self", kind.side, counts).into_iter();
        let all = all.filter(|(placed, _)| !placed.boon.marks);
        let own = self.plan.boons_of(kind.side);
        let own = own.filter(|placed| placed.kind == kind.number && counts(&placed.boon));
        let marking = own.filter_map(|placed| {
            let (field, mark) = (&placed.field, placed.mark.as_ref()?);
            let has = code!("self.{field} > 0 && self.{mark} == foe.number", field, mark);
            Some((placed, has))
        });
        let part = |placed: &PlacedBoon| {
            let mut part = placed.boon.hits.clone()?;
            if part.kind.name == "weapon" {
                part.kind = first.kind.clone();
            }
            Some(part)
        };
        all.chain(marking)
            .filter_map(|(placed, has)| Some((part(placed)?, has)))
            .collect()
    }

    /// The damage that boons add to a hit.
    pub(super) fn write_favour(&mut self, kind: &Kind, strike: &Strike) {
        let all = self.favours(kind, strike);
        if all.is_empty() {
            return;
        }
        self.line("favour = 0;");
        for (part, has) in all {
            let (once, twice) = (part.dice.text(false), part.dice.text(true));
            self.line(code!("if ({has}) {{", has));
            self.line(code!(
                "favour = isCritical ? roll({twice}) : roll({once});",
                twice,
                once
            ));
            self.write_stop(kind, std::slice::from_ref(&part));
            let taken = self.taken("foe", 1 - kind.side, &part.kind, "favour");
            self.line(code!("damage += {taken};", taken));
            self.line("}");
        }
    }

    /// Advantage on saves of Dexterity by boons.
    pub(super) fn nimble(&self, variable: &'static str, side: usize) -> Vec<ScriptCode> {
        let all = self.boons_having(variable, side, |boon| boon.is_nimble);
        all.into_iter().map(|(_, has)| has).collect()
    }

    /// Whether an enemy is there to be marked by a deed, for boons that mark.
    pub(super) fn someone_to_mark(&self, kind: &Kind, deed: usize) -> Option<ScriptCode> {
        let marks = kind.deeds[deed].boon().is_some_and(|boon| boon.marks);
        marks.then(|| match self.plan.has_positions() {
            true => code!("anyWithin(self, foes, {})", kind.deeds[deed].feet().max),
            false => "anyStands(foes)".into(),
        })
    }

    /// `self` marks the enemy that it would attack.
    pub(super) fn write_mark(&mut self, kind: &Kind, placed: &PlacedBoon) {
        let Some(mark) = &placed.mark else {
            return;
        };
        let feet = kind.deeds[placed.deed].feet().max;
        let chosen = self.chosen(kind, feet);
        self.line(code!("foe = {chosen};", chosen));
        self.line(code!("self.{mark} = foe.number;", mark));
        let told = quoted(&format!(" with {}", placed.name));
        self.tell(&code!("self.name + \" marks \" + foe.name + {told}", told));
    }

    /// A bonus action marks another enemy when the marked one has fallen.
    pub(super) fn write_marks(&mut self, kind: &Kind) {
        let plan = self.plan;
        for placed in plan
            .boons_of(kind.side)
            .filter(|one| one.kind == kind.number)
        {
            let Some(mark) = &placed.mark else {
                continue;
            };
            let field = &placed.field;
            let mut all = vec![
                code!("self.{field} > 0", field),
                ScriptCode::from("!isBusy"),
                code!(
                    "!any(c.hp > 0 && c.number == self.{mark} for c : foes)",
                    mark
                ),
            ];
            all.extend(self.someone_to_mark(kind, placed.deed));
            all.extend(smites_as_bonus(kind).then(|| ScriptCode::from("!self.smote")));
            self.line(code!("if ({}) {{", all.joined(" && ")));
            self.write_mark(kind, placed);
            self.spend_bonus_action(kind);
            self.spend_smite(kind);
            self.line("}");
        }
    }

    /// The light on `foe`, of a side, has helped an attack (SRD 5.1, "Guiding Bolt").
    pub(super) fn write_light_spent(&mut self, side: usize) {
        let plan = self.plan;
        let lit = plan.effects_on(side);
        for placed in lit.filter(|one| one.effect.conditions == [Condition::Lit]) {
            self.line(code!("foe.{} = 0;", placed.field));
        }
    }

    /// A reaction to damage by `foe`, if `self` can take it (SRD 5.1, "Hellish Rebuke").
    pub(super) fn write_cost_of_reaction(&mut self, kind: &Kind, deed: usize) {
        let index = kind.limited.iter().position(|rare| rare.deed == deed);
        let Some(index) = index else {
            return self.line("return;");
        };
        let uses = kind.limited[index].field(index);
        self.line(code!(
            "if (foe.hp == 0 || !self.reaction || self.{uses} == 0 || !isAble(self)) {{ return; }}",
            uses
        ));
        self.line(code!("self.reaction = false; self.{uses} -= 1;", uses));
    }

    /// One more attack with a weapon, after the action of a turn.
    pub(super) fn write_extra_attack(&mut self, kind: &Kind) {
        let mut routine = kind.routine.iter().map(|todo| todo.deed);
        let attack = routine.find(|&deed| kind.deeds[deed].strike().is_some_and(is_weapon));
        let all = self.boons_having("self", kind.side, |boon| boon.has_attack);
        let all: Vec<ScriptCode> = all.into_iter().map(|(_, has)| has).collect();
        let Some(attack) = attack.filter(|_| !all.is_empty()) else {
            return;
        };
        let mut possible = vec![code!("({})", all.joined(" || "))];
        if self.may_fall_in_turn(kind.side) {
            possible.push(ScriptCode::from("self.hp > 0"));
        }
        possible.push(self.someone_for(kind, attack));
        self.line(code!("if ({}) {{", possible.joined(" && ")));
        self.tell(name_and("self", " attacks once more"));
        self.write_todo(kind, &Todo::once(attack));
        self.line("}");
    }

    /// Whether the end of a boon may cost creatures of a side a turn.
    pub(super) fn may_tire(&self, side: usize) -> bool {
        self.plan.boons_of(side).any(|placed| placed.boon.tires)
    }

    /// What the end of a boon costs its creature.
    pub(super) fn tiring(variable: &'static str, boon: &Boon) -> ScriptCode {
        match boon.tires {
            true => code!(" {variable}.tired = true;", variable),
            false => ScriptCode::default(),
        }
    }

    /// Those who are tired lose their actions of a turn: opens a block for the others, if anybody
    /// of the side can be tired.
    pub(super) fn write_tired(&mut self, kind: &Kind) -> bool {
        if !self.may_tire(kind.side) {
            return false;
        }
        self.line("if (self.tired) {");
        self.line("self.tired = false;");
        self.tell(name_and("self", " is too tired to act"));
        self.line("} else {");
        true
    }
}
