//! Boons: help for a creature or its friends that lasts, and the rolls that it changes. Omitted
//! from fights without any.

use super::edges::Sure;
use super::martial::smites_as_bonus;
use super::{Told, Writer, by_kind, is_none_of, name_and};
use crate::encounter::plan::{Boon, Dice, Kind, PlacedBoon};
use crate::script_text::{Joined, ScriptCode, code, quoted};

/// More hit points than anybody has.
const MORE_THAN_ANY: usize = 1_000_000;

impl Writer<'_> {
    /// The fields of boons: the turns that are left, and who concentrates on them.
    pub(super) fn fields_of_boons(&self) -> Vec<ScriptCode> {
        let boons = self.plan.boons.iter();
        let fields = boons.flat_map(|placed| {
            let more = [&placed.cause, &placed.mark, &placed.images];
            let more = more.map(Option::as_ref);
            [Some(&placed.field)].into_iter().chain(more)
        });
        let tired = [0, 1].into_iter().any(|side| self.may_tire(side));
        let tired = tired.then(|| ScriptCode::from("tired: bool"));
        let fields = fields.flatten();
        fields
            .map(|field| code!("{field}: int", field))
            .chain(tired)
            .collect()
    }

    /// The boons of a side that pass, each name once, with an expression that is true for those
    /// who have it.
    pub(super) fn boons_having(
        &self,
        variable: &'static str,
        side: usize,
        passes: impl Fn(&Boon) -> bool,
    ) -> Vec<(&PlacedBoon, ScriptCode)> {
        let mut all: Vec<&PlacedBoon> = Vec::new();
        for placed in self.plan.boons_of(side) {
            if passes(&placed.boon) && all.iter().all(|one| one.name != placed.name) {
                all.push(placed);
            }
        }
        let each = all.into_iter();
        each.map(|placed| (placed, self.has_boon(variable, side, &placed.name)))
            .collect()
    }

    /// Whether a creature of a side has a boon of a name.
    fn has_boon(&self, variable: &'static str, side: usize, name: &str) -> ScriptCode {
        let all = self
            .plan
            .boons_of(side)
            .filter(|placed| placed.name == name);
        let each: Vec<ScriptCode> = all
            .map(|placed| code!("{variable}.{} > 0", placed.field, variable))
            .collect();
        match each.len() {
            1 => each.into_iter().collect(),
            _ => code!("({})", each.joined(" || ")),
        }
    }

    /// Dice that boons add to rolls of a creature of a side, as ` + ...`.
    fn dice_of_boons(
        &self,
        variable: &'static str,
        side: usize,
        dice: impl Fn(&Boon) -> Option<&Dice>,
    ) -> ScriptCode {
        let all = self.boons_having(variable, side, |boon| dice(boon).is_some());
        let each = all.into_iter().filter_map(|(placed, has)| {
            let dice = dice(&placed.boon)?.text(false);
            Some(code!(" + ({has} ? roll({dice}) : 0)", has, dice))
        });
        each.collect()
    }

    /// Dice that are added to saves of a creature of a side.
    pub(super) fn save_dice(&self, variable: &'static str, side: usize) -> ScriptCode {
        self.dice_of_boons(variable, side, |boon| boon.save_dice.as_ref())
    }

    /// The total of an attack roll by creatures of a side: a variable if boons add to it.
    pub(super) fn helped_total(&mut self, side: usize, total: ScriptCode) -> ScriptCode {
        let more = self.dice_of_boons("self", side, |boon| boon.attack_dice.as_ref());
        if more.is_empty() {
            return total;
        }
        self.line(code!("total = {total}{more};", total, more));
        "total".into()
    }

    /// The armour class of `foe`, of a side, as a variable if boons add to it.
    pub(super) fn write_helped_armour(&mut self, side: usize) {
        let all = self.boons_having("foe", side, |boon| boon.armour > 0);
        let each = all.into_iter().map(|(placed, has)| {
            let armour = placed.boon.armour;
            code!(" + ({has} ? {armour} : 0)", has, armour)
        });
        let more: ScriptCode = each.collect();
        if !more.is_empty() {
            self.line(code!("ac = foe.ac{more};", more));
        }
    }

    /// The armour class of `foe`, of a side, in an attack.
    pub(super) fn armour(&self, side: usize) -> &'static str {
        let mut boons = self.plan.boons_of(side);
        match boons.any(|placed| placed.boon.armour > 0) {
            true => "ac",
            false => "foe.ac",
        }
    }

    /// Advantage of attacks by creatures of a kind that cannot be seen.
    pub(super) fn gains_of_boons(&self, kind: &Kind) -> Vec<ScriptCode> {
        let seeing = self.plan.on_side(1 - kind.side);
        let seeing = seeing.filter(|foe| foe.creature.sees_invisible());
        let seeing: Vec<usize> = seeing.map(|foe| foe.number).collect();
        let all = self.boons_having("self", kind.side, |boon| boon.is_invisible);
        all.into_iter()
            .map(|(_, has)| match seeing.is_empty() {
                true => has,
                false => code!("({has} && {})", is_none_of("foe", &seeing), has),
            })
            .collect()
    }

    /// Disadvantage of attacks by creatures of a kind on those who are hard to see.
    pub(super) fn hinders_of_boons(&self, kind: &Kind) -> Vec<ScriptCode> {
        if kind.creature.sees_invisible() {
            return Vec::new();
        }
        let all = self.boons_having("foe", 1 - kind.side, |boon| boon.is_blurred);
        all.into_iter().map(|(_, has)| has).collect()
    }

    /// Whether somebody would be helped by a deed.
    pub(super) fn someone_helped_by(&self, kind: &Kind, deed: usize, boon: &Boon) -> ScriptCode {
        let name = &kind.deeds[deed].name;
        match boon.is_own {
            true => {
                let has = self.has_boon("self", kind.side, name);
                let open = [code!("!({has})", has)].into_iter();
                let open: Vec<ScriptCode> = open.chain(self.someone_to_mark(kind, deed)).collect();
                open.joined(" && ")
            }
            false => {
                let has = self.has_boon("f", kind.side, name);
                code!("any(f.hp > 0 && !({has}) for f : friends)", has)
            }
        }
    }

    /// Whether the bonus action that a deed would take may be spent already.
    pub(super) fn is_spent_for(&self, kind: &Kind, deed: usize) -> Option<ScriptCode> {
        let boon = kind.deeds[deed].boon();
        if !boon.is_some_and(|boon| boon.is_bonus) {
            return None;
        }
        match (self.spends_bonus_action(kind), smites_as_bonus(kind)) {
            (true, true) => Some("isBusy || self.smote".into()),
            (true, false) => Some("isBusy".into()),
            (false, true) => Some("self.smote".into()),
            (false, false) => None,
        }
    }

    /// The function of a deed that helps somebody.
    pub(super) fn write_boon(&mut self, kind: &Kind, deed: usize, boon: &Boon) {
        let placed = self.plan.boon(kind.number, deed);
        let Some(placed) = placed.filter(|_| !boon.is_reaction) else {
            return;
        };
        let name = &kind.deeds[deed].name;
        self.out.comment(format!("{}: {name}.", kind.title));
        self.open(kind, deed);
        if self.may_fall_in_turn(kind.side) {
            self.line("if (self.hp == 0) { return; }");
        }
        self.write_begin_of_concentration(kind, deed);
        self.tell(name_and("self", &format!(" uses {name}")));
        if boon.is_own {
            self.line("c = self;");
            self.write_gain(placed);
            self.write_mark(kind, placed);
            let attacks = kind.deeds.iter().filter(|one| {
                let is_lasting = one.lasting_with == Some(deed);
                is_lasting && one.strike().is_some()
            });
            for attack in attacks {
                self.line(code!("{}(self, friends, foes);", attack.word));
            }
            return self.line("}\n");
        }
        let has = self.has_boon("f", kind.side, name);
        let chosen = self.helped_first(placed);
        if boon.targets > 1 {
            self.line(code!("repeat ({}) {{", boon.targets));
        }
        self.line(code!(
            "if (any(f.hp > 0 && !({has}) for f : friends)) {{",
            has
        ));
        self.line(code!(
            "c = {chosen} for f : friends if f.hp > 0 && !({has}));",
            chosen,
            has
        ));
        self.write_gain(placed);
        self.line("}");
        if boon.targets > 1 {
            self.line("}");
        }
        self.line("}\n");
    }

    /// Whether the boon lasts as long as which a deed of `self` is possible.
    pub(super) fn is_lasting_for(&self, kind: &Kind, deed: usize) -> Option<ScriptCode> {
        let boon = kind.deeds[deed].lasting_with?;
        let placed = self.plan.boon(kind.number, boon)?;
        Some(code!("self.{} > 0", placed.field))
    }

    /// SRD 5.1, "Shield": a reaction adds to the armour class until the creature's next turn, if it
    /// turns a hit into a miss.
    pub(super) fn write_shields(
        &mut self,
        kind: &Kind,
        deed: usize,
        total: &ScriptCode,
        sure: &Sure,
    ) {
        let plan = self.plan;
        let ac = self.armour(1 - kind.side);
        for foe in plan.on_side(1 - kind.side) {
            for index in foe.reactions() {
                let rare = &foe.limited[index];
                let Some(placed) = plan.boon(foe.number, rare.deed) else {
                    continue;
                };
                let (field, armour) = (&placed.field, placed.boon.armour);
                let uses = rare.field(index);
                let disabled = self.disabled("foe", foe.side, &placed.name).into_iter();
                let disabled: ScriptCode =
                    disabled.map(|code| code!(" && !({code})", code)).collect();
                self.line(code!(
                    "if (face != 20{}{} && foe.reaction && foe.{uses} > 0 && foe.{field} == \
                     0{disabled} && isAble(foe) && {total} < {ac} + {armour}) {{",
                    sure.unless_certain(),
                    self.is_of(foe, "foe"),
                    uses,
                    field,
                    disabled,
                    total,
                    ac,
                    armour
                ));
                self.line(code!(
                    "foe.reaction = false; foe.{uses} -= 1; foe.{field} = 1;",
                    uses,
                    field
                ));
                self.tell(&code!(
                    "foe.name + {} + ({total}) + \" against \" + ({ac} + {armour})",
                    quoted(&format!(" uses {}: ", placed.name)),
                    total,
                    ac,
                    armour
                ));
                if let Some(strike) = kind.deeds[deed].strike() {
                    self.write_graze(kind, deed, strike);
                }
                self.line("return;");
                self.line("}");
            }
        }
    }

    /// Reactions end when a turn of `self` starts.
    pub(super) fn write_shields_back(&mut self, kind: &Kind) {
        for index in kind.reactions() {
            if let Some(placed) = self.plan.boon(kind.number, kind.limited[index].deed) {
                self.line(code!("self.{} = 0;", placed.field));
            }
        }
    }

    /// The start of an expression that chooses who is helped: those to whom it is worth most, then
    /// those with the fewest hit points.
    fn helped_first(&self, placed: &PlacedBoon) -> ScriptCode {
        let ranks = placed.ranks.iter();
        let ranks = ranks.map(|(kind, rank)| (*kind, ScriptCode::from(rank * MORE_THAN_ANY)));
        let ranks: Vec<(usize, ScriptCode)> = ranks.collect();
        match ranks.iter().all(|one| one.1 == ranks[0].1) {
            true => "least(f by f.hp".into(),
            false => code!("most(f by {} - f.hp", by_kind("f", &ranks)),
        }
    }

    /// `c` has a boon of `self`.
    fn write_gain(&mut self, placed: &PlacedBoon) {
        let (field, turns) = (&placed.field, placed.boon.turns);
        self.line(code!("c.{field} = {turns};", field, turns));
        if let Some(cause) = &placed.cause {
            self.line(code!("c.{cause} = self.number;", cause));
        }
        if let Some(images) = &placed.images {
            self.line(code!("c.{images} = {};", placed.boon.images, images));
        }
        self.tell(name_and("c", &format!(" gains {}", placed.name)));
    }

    /// Boons end with the concentration of `c`, of a side.
    pub(super) fn write_end_of_boons(&mut self, side: usize) {
        let plan = self.plan;
        if plan.kept_boons(side).next().is_none() {
            return;
        }
        self.line("for (o : own) {");
        for placed in plan.kept_boons(side) {
            let Some(cause) = &placed.cause else {
                continue;
            };
            let field = &placed.field;
            self.line(code!(
                "if (o.{field} > 0 && o.{cause} == c.number) {{ o.{field} = 0;{tiring}",
                field,
                cause,
                tiring = Self::tiring("o", &placed.boon)
            ));
            if self.told == Told::Blows {
                let over = quoted(&format!(" loses {}", placed.name));
                self.line(code!("if (o.hp > 0) {{ output(o.name + {over}); }}", over));
            }
            self.line("}");
        }
        self.line("}");
    }

    /// The turn of `self` ends: boons come closer to their end.
    pub(super) fn write_boons_at_end(&mut self, kind: &Kind) {
        let plan = self.plan;
        for placed in plan.boons_of(kind.side).filter(|one| one.boon.ends()) {
            if placed.boon.is_own && placed.kind != kind.number {
                continue;
            }
            let field = &placed.field;
            self.line(code!("if (self.{field} > 0) {{", field));
            self.line(code!("self.{field} -= 1;", field));
            if placed.boon.tires {
                self.line(code!(
                    "if (self.{field} == 0) {{ self.tired = true; }}",
                    field
                ));
            }
            if self.told == Told::Blows {
                let over = quoted(&format!(" loses {}", placed.name));
                self.line(code!(
                    "if (self.{field} == 0) {{ output(self.name + {over}); }}",
                    field,
                    over
                ));
            }
            self.line("}");
        }
    }
}
