//! Saving throws: a function for each save that a fight may ask for.

use super::{Writer, by_kind, is_one_of, name_and};
use crate::front::encounter::plan::{Ask, Condition, Hit, Kind, Roll};

/// The function of the save that a deed asks for.
pub(super) fn save_function(kind: &Kind, deed: usize) -> String {
    format!("{}Save", kind.deeds[deed].word)
}

impl Writer<'_> {
    pub(super) fn write_saves(&mut self) {
        let plan = self.plan;
        for kind in &plan.kinds {
            for deed in kind.used() {
                let hit = kind.deeds[deed].hit();
                if let Some((hit, ask)) = hit.and_then(|hit| Some((hit, hit.ask.as_ref()?))) {
                    self.write_save(kind, deed, hit, ask);
                }
            }
        }
    }

    /// The save against a deed of a kind, made by somebody of the other side.
    fn write_save(&mut self, kind: &Kind, deed: usize, hit: &Hit, ask: &Ask) {
        let side = 1 - kind.side;
        let (name, dc, ability) = (&kind.deeds[deed].name, ask.dc, &ask.ability);
        self.out.comment(format!(
            "Whether somebody saves against {name} of {}: {ability} {dc}.",
            kind.title
        ));
        self.line(format!(
            "deffun {}(c: creature) : bool {{",
            save_function(kind, deed)
        ));
        let is_bodily = ability == "STR" || ability == "DEX";
        if ask.roll != Roll::Save {
            return self.write_check(side, name, ask);
        }
        let mut failing = match is_bodily {
            true => self.having("c", side, Condition::fails_saves),
            false => Vec::new(),
        };
        failing.extend(self.having("c", side, |one| one == Condition::Doomed));
        let bonuses = self.plan.on_side(side).map(|one| {
            let bonus = one.creature.save(ability).unwrap_or(0);
            (one.number, bonus.to_string())
        });
        let bonus = by_kind("c", &bonuses.collect::<Vec<_>>());
        let rolled = format!("{} + {bonus} >= {dc}", self.save_die(side, hit));
        self.line(match failing.is_empty() {
            true => format!("saved = {rolled};"),
            false => format!("saved = !({}) && {rolled};", failing.join(" || ")),
        });
        if self
            .plan
            .on_side(side)
            .any(|one| one.traits.legendary_resistance > 0)
        {
            self.line("if (!saved && c.resistances > 0) {");
            self.line("c.resistances -= 1; saved = true;");
            self.tell(&name_and("c", " resists"));
            self.line("}");
        }
        self.tell(&format!(
            "c.name + (saved ? \" saves\" : \" fails to save\") + \" against {name}\""
        ));
        self.line("return saved;");
        self.line("}\n");
    }

    /// A check instead of a save: those who are poisoned or frightened have disadvantage on it
    /// (SRD 5.1, "Conditions").
    fn write_check(&mut self, side: usize, name: &str, ask: &Ask) {
        use Condition::{Frightened, Poisoned};
        let hindered = self.having("c", side, |one| matches!(one, Frightened | Poisoned));
        let die = match hindered.is_empty() {
            true => "roll(d20)".to_owned(),
            false => format!("({} ? roll(2d20kl1) : roll(d20))", hindered.join(" || ")),
        };
        let bonuses = self.plan.on_side(side).map(|one| {
            let bonus = one.creature.modifier(&ask.ability).unwrap_or(0);
            (one.number, bonus.to_string())
        });
        let bonus = by_kind("c", &bonuses.collect::<Vec<_>>());
        let escapes = if ask.roll == Roll::Check { ">=" } else { "<" };
        self.line(format!("saved = {die} + {bonus} {escapes} {};", ask.dc));
        self.tell(&format!(
            "c.name + (saved ? \" withstands\" : \" does not withstand\") + \" {name}\""
        ));
        self.line("return saved;");
        self.line("}\n");
    }

    /// The die of a save: with advantage or disadvantage for some.
    fn save_die(&self, side: usize, hit: &Hit) -> String {
        let gains = |kind: &&Kind| kind.traits.gain_on(hit);
        let favoured: Vec<usize> = self
            .plan
            .on_side(side)
            .filter(gains)
            .map(|kind| kind.number)
            .collect();
        let is_bound = hit.asks_for("DEX");
        let hindered = self.having("c", side, |one| {
            one == Condition::Shaken || is_bound && one == Condition::Restrained
        });
        let favoured = (!favoured.is_empty()).then(|| is_one_of("c", &favoured));
        match (favoured, hindered.is_empty()) {
            (None, true) => "roll(d20)".to_owned(),
            (Some(who), true) => format!("({who} ? roll(2d20kh1) : roll(d20))"),
            (None, false) => {
                format!("({} ? roll(2d20kl1) : roll(d20))", hindered.join(" || "))
            }
            (Some(who), false) => {
                let hindered = hindered.join(" || ");
                format!(
                    "(({who}) == ({hindered}) ? roll(d20) : {who} ? roll(2d20kh1) : roll(2d20kl1))"
                )
            }
        }
    }
}
