//! Saving throws: a function for each save in a fight.

use super::{Writer, by_kind, is_one_of, name_and};
use crate::encounter::plan::{Ask, Condition, Hit, Kind, Roll, RollRule, Traits};
use crate::script_text::{Joined, ScriptCode, code, quoted};

/// The function of a deed's save.
pub(super) fn save_function(kind: &Kind, deed: usize) -> ScriptCode {
    code!("{}Save", kind.deeds[deed].word)
}

/// The function of the save that is repeated, if it is another one.
pub(super) fn repeat_function(kind: &Kind, deed: usize) -> ScriptCode {
    code!("{}Again", save_function(kind, deed))
}

/// A call of the save of a deed: whether somebody saves, or by how much if that matters to the
/// deed.
pub(super) fn save_call(kind: &Kind, deed: usize, who: &'static str) -> ScriptCode {
    code!("{}({who})", save_function(kind, deed), who)
}

impl Writer<'_> {
    pub(super) fn write_saves(&mut self) {
        let plan = self.plan;
        for kind in &plan.kinds {
            for deed in kind.used() {
                let name = save_function(kind, deed);
                if let Some(hit) = Self::counter_save(kind, deed) {
                    self.write_save(kind, deed, &hit, (&name, None));
                }
                let Some(hit) = kind.deeds[deed].hit() else {
                    continue;
                };
                self.write_save(kind, deed, hit, (&name, None));
                let repeats = hit.effect.as_ref().and_then(|one| one.repeats.as_ref());
                if let Some(repeat) = repeats.filter(|repeat| !repeat.is_same()) {
                    let name = repeat_function(kind, deed);
                    let again = Hit {
                        ask: repeat.ask.clone().or_else(|| hit.ask.clone()),
                        ..hit.clone()
                    };
                    self.write_save(kind, deed, &again, (&name, repeat.edge));
                }
            }
        }
    }

    /// The save against a deed of a kind, made by somebody of the other side: its function, and its
    /// advantage or disadvantage for everybody.
    fn write_save(
        &mut self,
        kind: &Kind,
        deed: usize,
        hit: &Hit,
        (function, edge): (&ScriptCode, Option<RollRule>),
    ) {
        let Some(ask) = &hit.ask else {
            return;
        };
        let side = 1 - kind.side;
        let (name, dc, ability) = (&kind.deeds[deed].name, ask.dc, &ask.ability);
        self.out.comment(format!(
            "Whether somebody saves against {name} of {}: {ability} {dc}.",
            kind.title
        ));
        let is_counted = hit.worse.is_some() && ask.roll == Roll::Save;
        let result = if is_counted { "int" } else { "bool" };
        self.line(code!(
            "deffun {function}(c: creature) : {result} {{",
            function,
            result
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
        let forced = |rule| {
            let is_forced = edge == Some(rule) || kind.traits.forces(rule, hit);
            is_forced.then(|| ScriptCode::from("true"))
        };
        failing.extend(forced(RollRule::Fails));
        let succeeding = forced(RollRule::Succeeds).or(ruled(RollRule::Succeeds));
        let succeeding: Vec<ScriptCode> = succeeding.into_iter().collect();
        let bonuses = self.plan.on_side(side).map(|one| {
            let bonus = one.creature.save(ability).unwrap_or(0);
            (one.number, ScriptCode::from(bonus))
        });
        let bonus = by_kind("c", &bonuses.collect::<Vec<_>>());
        let helped = self.save_dice("c", side);
        let total = code!(
            "{} + {bonus}{helped}",
            self.save_die(side, hit, &forced),
            bonus,
            helped
        );
        match is_counted {
            false => {
                let rolled = code!("{total} >= {dc}", total, dc);
                let saved = decided(&succeeding, &failing, rolled);
                self.line(code!("saved = {saved};", saved));
            }
            true => self.write_margin(&succeeding, &failing, &code!("{total} - {dc}", total, dc)),
        }
        if self
            .plan
            .on_side(side)
            .any(|one| one.traits.legendary_resistance > 0)
        {
            self.line("if (!saved && c.resistances > 0) {");
            self.line("c.resistances -= 1; saved = true;");
            if is_counted {
                self.line("margin = 0;");
            }
            self.tell(name_and("c", " resists"));
            self.line("}");
        }
        self.tell(&code!(
            "c.name + (saved ? \" saves\" : \" fails to save\") + {}",
            quoted(&format!(" against {name}"))
        ));
        self.line(if is_counted {
            "return margin;"
        } else {
            "return saved;"
        });
        self.line("}\n");
    }

    /// By how much a save is above its number. One that fails or succeeds without a roll is not
    /// far from it.
    fn write_margin(&mut self, certain: &[ScriptCode], never: &[ScriptCode], rolled: &ScriptCode) {
        let rolled = match certain.is_empty() {
            true => rolled.clone(),
            false => code!("{} ? 0 : {rolled}", certain.joined(" || "), rolled),
        };
        let rolled = match never.is_empty() {
            true => rolled,
            false => code!("{} ? -1 : ({rolled})", never.joined(" || "), rolled),
        };
        self.line(code!("margin = {rolled};", rolled));
        self.line("saved = margin >= 0;");
    }

    /// A check instead of a save: poisoned or frightened creatures have disadvantage (SRD 5.1,
    /// "Conditions").
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
            (one.number, ScriptCode::from(bonus))
        });
        let bonus = by_kind("c", &bonuses.collect::<Vec<_>>());
        let rolled = code!("{die} + {bonus} >= {}", ask.dc, die, bonus);
        let certain: Vec<ScriptCode> = ruled(RollRule::Succeeds).into_iter().collect();
        let reaches = decided(&certain, &failing, rolled);
        // Whoever has to stay below the number withstands by a failure.
        self.line(match ask.roll {
            Roll::LowCheck => code!("saved = !({reaches});", reaches),
            Roll::Check | Roll::Save => code!("saved = {reaches};", reaches),
        });
        self.tell(&code!(
            "c.name + (saved ? \" withstands\" : \" does not withstand\") + {}",
            quoted(&format!(" {name}"))
        ));
        self.line("return saved;");
        self.line("}\n");
    }

    /// The die of a save: with advantage or disadvantage for some.
    fn save_die(
        &self,
        side: usize,
        hit: &Hit,
        forced: &dyn Fn(RollRule) -> Option<ScriptCode>,
    ) -> ScriptCode {
        let ruled = |rule| self.ruled("c", side, |traits| traits.on_save(rule, hit));
        let is_bound = hit.asks_for("DEX");
        let mut hindered = self.having("c", side, |one| {
            one == Condition::Shaken || is_bound && one == Condition::Restrained
        });
        hindered.extend(ruled(RollRule::Disadvantage));
        hindered.extend(forced(RollRule::Disadvantage));
        let favoured = forced(RollRule::Advantage).or(ruled(RollRule::Advantage));
        let nimble = match is_bound {
            true => self.nimble("c", side),
            false => Vec::new(),
        };
        let favoured: Vec<ScriptCode> = favoured.into_iter().chain(nimble).collect();
        let favoured = (!favoured.is_empty()).then(|| favoured.joined(" || "));
        d20(favoured, &hindered)
    }

    /// An expression for creatures of a side whose traits succeed automatically; `None` if there
    /// are none.
    pub(super) fn ruled(
        &self,
        variable: &'static str,
        side: usize,
        passes: impl Fn(&Traits) -> bool,
    ) -> Option<ScriptCode> {
        let kinds = self.plan.on_side(side).filter(|kind| passes(&kind.traits));
        let kinds: Vec<usize> = kinds.map(|kind| kind.number).collect();
        (!kinds.is_empty()).then(|| is_one_of(variable, &kinds))
    }
}

/// A d20, with advantage for some and with disadvantage for some.
pub(super) fn d20(favoured: Option<ScriptCode>, hindered: &[ScriptCode]) -> ScriptCode {
    let hindered = hindered.joined(" || ");
    match (favoured, hindered.is_empty()) {
        (None, true) => ScriptCode::from("roll(d20)"),
        (Some(who), true) => code!("({who} ? roll(2d20kh1) : roll(d20))", who),
        (None, false) => code!("({hindered} ? roll(2d20kl1) : roll(d20))", hindered),
        (Some(who), false) => {
            code!(
                "(({who}) == ({hindered}) ? roll(d20) : {who} ? roll(2d20kh1) : roll(2d20kl1))",
                who,
                hindered
            )
        }
    }
}

/// Whether a roll succeeds, which some certainly do, and some never.
pub(super) fn decided(
    certain: &[ScriptCode],
    never: &[ScriptCode],
    rolled: ScriptCode,
) -> ScriptCode {
    let rolled = match certain.is_empty() {
        true => rolled,
        false => code!("({} || {rolled})", certain.joined(" || "), rolled),
    };
    match never.is_empty() {
        true => rolled,
        false => code!("!({}) && {rolled}", never.joined(" || "), rolled),
    }
}
