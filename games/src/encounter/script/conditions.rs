//! Expressions and functions for the conditions of creatures.

use super::facts::ally_function;
use super::{Writer, is_none_of};
use crate::encounter::plan::{Condition, Fact, Placed};
use crate::script_text::{Joined, ScriptCode, code};
use std::collections::BTreeSet;

impl Writer<'_> {
    /// Expressions that are true if a creature of a side has a condition that passes.
    pub(super) fn having(
        &self,
        variable: &'static str,
        side: usize,
        passes: impl Fn(Condition) -> bool,
    ) -> Vec<ScriptCode> {
        let mut all = Vec::new();
        for placed in self.plan.effects_on(side) {
            let own = placed.effect.conditions.iter();
            let passing: Vec<Condition> = own.copied().filter(|one| passes(*one)).collect();
            if passing.is_empty() {
                continue;
            }
            // Those who are immune to all of them may still have the others of the effect.
            let immune = self.immune(placed, &passing);
            let is_on = code!("{variable}.{} > 0", placed.field, variable);
            all.push(
                match immune.len() == self.immune(placed, &placed.effect.conditions).len() {
                    true => is_on,
                    false => code!("({is_on} && {})", is_none_of(variable, &immune), is_on),
                },
            );
        }
        let bound = self.is_bound(variable, side);
        all.extend(bound.filter(|_| passes(Condition::Restrained)));
        all
    }

    /// The kinds that may be targets of an effect and are immune to all of these conditions.
    pub(super) fn immune(&self, placed: &Placed, conditions: &[Condition]) -> Vec<usize> {
        let side = 1 - self.plan.kinds[placed.kind].side;
        let kinds = self.plan.on_side(side).filter(|kind| {
            let is_immune = |condition: &Condition| kind.creature.is_immune_to(condition.name());
            !conditions.is_empty() && conditions.iter().all(is_immune)
        });
        kinds.map(|kind| kind.number).collect()
    }

    /// Expressions that are true if a feature of somebody of a side is disabled.
    pub(super) fn disabled(
        &self,
        variable: &'static str,
        side: usize,
        feature: &str,
    ) -> Vec<ScriptCode> {
        let effects = self.plan.effects_on(side);
        let effects = effects.filter(|placed| placed.effect.takes_away(feature));
        effects
            .map(|placed| code!("{variable}.{} > 0", placed.field, variable))
            .collect()
    }

    /// The kinds of a side that are immune to a feature.
    pub(super) fn immune_to(&self, side: usize, feature: &str) -> Vec<usize> {
        let kinds = self.plan.on_side(side);
        let immune = kinds.filter(|kind| kind.traits.is_immune_to(feature));
        immune.map(|kind| kind.number).collect()
    }

    /// Whether somebody of a side may be kept from acting.
    pub(super) fn may_be_incapacitated(&self, side: usize) -> bool {
        !self.having("c", side, Condition::incapacitates).is_empty()
    }

    pub(super) fn write_conditions(&mut self) {
        let both = [0, 1].map(|side| self.having("c", side, Condition::incapacitates));
        let terms: Vec<ScriptCode> = both.into_iter().flatten().collect();
        let allies = self.allies();
        let reacts = self.any(|kind| self.reacts(kind) || !kind.legendary.is_empty());
        let mut causes = self.plan.effects.iter();
        let mut boons = self.plan.boons.iter();
        let has_holds = !self.plan.holds.is_empty()
            || causes.any(|one| one.cause.is_some())
            || boons.any(|one| one.cause.is_some());
        if !terms.is_empty()
            || !allies.is_empty()
            || reacts
            || has_holds
            || self.plan.has_positions()
        {
            self.out.comment("Whether somebody can act.");
            let able = match terms.is_empty() {
                true => ScriptCode::from("c.hp > 0"),
                false => code!("c.hp > 0 && !({})", terms.joined(" || ")),
            };
            self.line(code!(
                "deffun isAble(c: creature) : bool {{ return {able}; }}\n",
                able
            ));
        }
        for feet in allies {
            let name = ally_function(feet);
            self.out
                .comment("Whether an ally of somebody can act, who is close to its enemy.");
            self.line(match self.plan.has_positions() {
                true => code!(
                    "deffun {name}(self: creature, foe: creature, friends: creature list) : bool \
                     {{ return any(f != self && isAble(f) && distance(f, foe) <= {feet} \
                     for f : friends); }}\n",
                    name,
                    feet
                ),
                false => code!(
                    "deffun {name}(friends: creature list) : bool \
                     {{ return count(isAble(f) for f : friends) > 1; }}\n",
                    name
                ),
            });
        }
    }

    /// The distances at which allies matter to any creature, in feet, each once.
    fn allies(&self) -> BTreeSet<u32> {
        let facts = self.plan.kinds.iter().flat_map(|kind| kind.facts());
        let mut all = BTreeSet::new();
        for fact in facts {
            fact.each(&mut |part| {
                if let Fact::Ally(feet) = part {
                    all.insert(*feet);
                }
            });
        }
        all
    }
}
