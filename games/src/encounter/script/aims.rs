//! Whom a deed may be done to: creatures of some kinds, in some states, and those who are not
//! immune to it.

use super::facts::{Binding, Truth};
use super::targets::policy_function;
use super::{Writer, is_one_of};
use crate::encounter::document::Targets;
use crate::encounter::feature::Reach;
use crate::encounter::plan::{Aim, Condition, Kind, Placed, Safe, What};
use crate::encounter::policy::Policy;
use crate::script_text::{IsCode, ScriptCode, code};

impl Writer<'_> {
    /// Whether an enemy of a kind fits a premise of its deeds.
    pub(super) fn fits(&self, kind: &Kind, aim: &Aim, variable: &'static str) -> Truth {
        let side = 1 - kind.side;
        let foes = self.plan.on_side(side).count();
        let fitting = self
            .plan
            .on_side(side)
            .filter(|foe| aim.admits(&foe.creature));
        let fitting: Vec<usize> = fitting.map(|foe| foe.number).collect();
        let is_kind = match fitting.len() {
            0 => return Truth::Never,
            some if some == foes => Truth::Always,
            _ => Truth::of(is_one_of(variable, &fitting), Binding::Comparison),
        };
        if !aim.has_state {
            return is_kind;
        }
        let incapacitates = aim.conditions.contains(&Condition::Incapacitated);
        let mut states = self.having(variable, side, |one| {
            aim.conditions.contains(&one) || incapacitates && one.incapacitates()
        });
        if aim.grappled {
            states.extend(self.is_held(variable, side));
        }
        if aim.held {
            let slots = self.plan.holds_of(kind.number).flat_map(|hold| &hold.slots);
            states.extend(
                slots.map(|slot| code!("self.{slot} == {variable}.number", slot, variable)),
            );
        }
        let states = states.into_iter();
        let in_state = Truth::any(states.map(|state| Truth::of(state, Binding::Comparison)));
        Truth::all([is_kind, in_state])
    }

    /// Whether a deed can do something to `c`, who may be its target: it is not immune to it.
    fn is_open_to(&self, kind: &Kind, deed: usize) -> Truth {
        let own = &kind.deeds[deed];
        let fits = self.fits(kind, &own.aim, "c");
        let What::Blast(hit, reach) = &own.what else {
            return fits;
        };
        if *reach == Reach::Given || !hit.damage.is_empty() {
            return fits;
        }
        let affected = self.fits(kind, &hit.aim, "c");
        let open = self.plan.placed(kind.number, deed).and_then(|placed| {
            let is_open = is_open(placed, "c")?;
            Some(Truth::of(is_open, Binding::Comparison))
        });
        Truth::all([fits, affected, open.unwrap_or(Truth::Always)])
    }

    /// Whether any enemy that stands may be the target of a deed, within some feet if distances
    /// count.
    pub(super) fn any_target(&self, kind: &Kind, deed: usize, feet: impl IsCode) -> ScriptCode {
        let is_target = self.is_open_to(kind, deed);
        match (is_target, self.plan.has_positions()) {
            (Truth::Never, _) => ScriptCode::from("false"),
            (Truth::Always, false) => ScriptCode::from("anyStands(foes)"),
            (Truth::Always, true) => code!("anyWithin(self, foes, {feet})", feet),
            (is_target, false) => {
                let is_target = is_target.text(Binding::And);
                code!("any(c.hp > 0 && {is_target} for c : foes)", is_target)
            }
            (is_target, true) => {
                let is_target = is_target.text(Binding::And);
                code!(
                    "any(c.hp > 0 && distance(self, c) <= {feet} && {is_target} for c : foes)",
                    feet,
                    is_target
                )
            }
        }
    }

    /// The target of a deed of `self`, of those within some feet where distances count.
    pub(super) fn chosen_for(
        &self,
        kind: &Kind,
        deed: usize,
        feet: impl IsCode + Copy,
    ) -> ScriptCode {
        let is_target = match self.fits(kind, &kind.deeds[deed].aim, "c") {
            Truth::Always => return self.chosen(kind, feet),
            is_target => is_target.text(Binding::And),
        };
        let within = match self.plan.has_positions() {
            true => code!(" && distance(self, c) <= {feet}", feet),
            false => ScriptCode::default(),
        };
        let from = code!(
            "for c : foes if c.hp > 0{within} && {is_target})",
            within,
            is_target
        );
        let named = |policy| code!("{} {from}", self.choice(policy), from);
        let usual = match &kind.targets {
            Policy::Known(policy) => named(*policy),
            Policy::Function { function } => code!(
                "{}(self, friends, sorted(c by 0 {from})",
                policy_function(function),
                from
            ),
        };
        match kind.may_go_berserk() {
            false => usual,
            true => code!(
                "(self.berserk ? {} : {usual})",
                named(Targets::Nearest),
                usual
            ),
        }
    }
}

/// Whether somebody is not immune to an effect; `None` if nobody ever is.
pub(super) fn is_open(placed: &Placed, variable: &'static str) -> Option<ScriptCode> {
    match (placed.effect.safe, &placed.immune) {
        (Safe::Never, _) => None,
        (_, Some(immune)) => Some(code!("{variable}.{immune} == 0", variable, immune)),
        (_, None) => Some(code!("{variable}.{} == 0", placed.field, variable)),
    }
}
