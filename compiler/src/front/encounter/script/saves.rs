//! Saving throws: a function for each save that a fight may ask for.

use super::{Writer, by_kind, is_one_of, name_and};
use crate::front::encounter::plan::{Ask, Condition, Hit, Kind, Roll, RollRule, Traits};

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
        let ruled = |rule| self.ruled("c", side, |traits| traits.on_save(rule, hit));
        failing.extend(ruled(RollRule::Fails));
        let succeeding: Vec<String> = ruled(RollRule::Succeeds).into_iter().collect();
        let bonuses = self.plan.on_side(side).map(|one| {
            let bonus = one.creature.save(ability).unwrap_or(0);
            (one.number, bonus.to_string())
        });
        let bonus = by_kind("c", &bonuses.collect::<Vec<_>>());
        let rolled = format!("{} + {bonus} >= {dc}", self.save_die(side, hit));
        let saved = decided(&succeeding, &failing, rolled);
        self.line(format!("saved = {saved};"));
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
        use Condition::{Clumsy, Frightened, Inept, Poisoned};
        let ruled = |rule| self.ruled("c", side, |traits| traits.on_check(rule, &ask.ability));
        let mut hindered = self.having("c", side, |one| {
            matches!(one, Clumsy | Frightened | Poisoned)
        });
        hindered.extend(ruled(RollRule::Disadvantage));
        let mut failing = self.having("c", side, |one| one == Inept);
        failing.extend(ruled(RollRule::Fails));
        let die = d20(ruled(RollRule::Advantage), &hindered);
        let bonuses = self.plan.on_side(side).map(|one| {
            let bonus = one.creature.modifier(&ask.ability).unwrap_or(0);
            (one.number, bonus.to_string())
        });
        let bonus = by_kind("c", &bonuses.collect::<Vec<_>>());
        let is_high = ask.roll == Roll::Check;
        let compares = if is_high { ">=" } else { "<" };
        let rolled = format!("{die} + {bonus} {compares} {}", ask.dc);
        // Whoever has to stay below the number withstands by a failure.
        let (certain, never) = match is_high {
            true => (ruled(RollRule::Succeeds).into_iter().collect(), failing),
            false => (failing, ruled(RollRule::Succeeds).into_iter().collect()),
        };
        self.line(format!("saved = {};", decided(&certain, &never, rolled)));
        self.tell(&format!(
            "c.name + (saved ? \" withstands\" : \" does not withstand\") + \" {name}\""
        ));
        self.line("return saved;");
        self.line("}\n");
    }

    /// The die of a save: with advantage or disadvantage for some.
    fn save_die(&self, side: usize, hit: &Hit) -> String {
        let ruled = |rule| self.ruled("c", side, |traits| traits.on_save(rule, hit));
        let is_bound = hit.asks_for("DEX");
        let mut hindered = self.having("c", side, |one| {
            one == Condition::Shaken || is_bound && one == Condition::Restrained
        });
        hindered.extend(ruled(RollRule::Disadvantage));
        d20(ruled(RollRule::Advantage), &hindered)
    }

    /// An expression for those of a side whose traits pass; none if nobody's do.
    pub(super) fn ruled(
        &self,
        variable: &str,
        side: usize,
        passes: impl Fn(&Traits) -> bool,
    ) -> Option<String> {
        let kinds = self.plan.on_side(side).filter(|kind| passes(&kind.traits));
        let kinds: Vec<usize> = kinds.map(|kind| kind.number).collect();
        (!kinds.is_empty()).then(|| is_one_of(variable, &kinds))
    }
}

/// A d20, with advantage for some and with disadvantage for some.
pub(super) fn d20(favoured: Option<String>, hindered: &[String]) -> String {
    let hindered = hindered.join(" || ");
    match (favoured, hindered.is_empty()) {
        (None, true) => "roll(d20)".to_owned(),
        (Some(who), true) => format!("({who} ? roll(2d20kh1) : roll(d20))"),
        (None, false) => format!("({hindered} ? roll(2d20kl1) : roll(d20))"),
        (Some(who), false) => {
            format!("(({who}) == ({hindered}) ? roll(d20) : {who} ? roll(2d20kh1) : roll(2d20kl1))")
        }
    }
}

/// Whether a roll succeeds, which some certainly do, and some never.
pub(super) fn decided(certain: &[String], never: &[String], rolled: String) -> String {
    let rolled = match certain.is_empty() {
        true => rolled,
        false => format!("({} || {rolled})", certain.join(" || ")),
    };
    match never.is_empty() {
        true => rolled,
        false => format!("!({}) && {rolled}", never.join(" || ")),
    }
}
