//! Spell triggers: a part of a feature that acts when a spell targets its owner (seed 001,
//! "TRIGGER": `targetspell`). The owner suffers an effect, unless it makes a save.
//!
//! In a fight it is a side effect of the spell, so it belongs to the caster.

use super::conditions::asked;
use super::lowering::Lowering;
use super::parts::{is_attribute, split};
use crate::encounter::plan::{Ask, Hit, Roll};
use crate::encounter::wrong::Wrong;
use crate::features::{Binary, Change, EventKind, Expr, ExprKind, Noun, Query, Subfeature};

/// A side effect of spells on the owner of a feature.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Spelled {
    /// The name of the feature.
    pub(in crate::encounter) of: String,
    /// The name of the spell; any if there is none.
    pub(in crate::encounter) spell: Option<String>,
    pub(in crate::encounter) hit: Hit,
    /// Whether its save is against the difficulty of whoever casts it.
    pub(in crate::encounter) is_against_caster: bool,
}

impl<'a> Lowering<'a> {
    /// Whether the part acts when its creature is targeted by a spell.
    pub(super) fn is_about_spells(part: &Subfeature) -> bool {
        let [alternative] = &part.trigger.alternatives[..] else {
            return false;
        };
        alternative.event.as_ref().is_some_and(|event| {
            let is_own = matches!(&event.nouns[..], [Noun::Creature | Noun::Any, Noun::Myself]);
            event.kind == EventKind::TargetSpell && is_own
        })
    }

    /// The spell triggers of the part; `None` if fights do not model one.
    ///
    /// # Errors
    /// Dice that are invalid.
    pub(super) fn spelled(&self) -> Result<Option<Vec<Spelled>>, Wrong> {
        let mut all = Vec::new();
        for effect in &self.part.effects {
            let of_trigger = self.part.trigger.alternatives.iter();
            let of_trigger = of_trigger.filter_map(|one| one.condition.as_ref());
            let conditions = self.part.conditions.iter().chain(of_trigger);
            let mut leaves = Vec::new();
            for condition in conditions.chain(&effect.conditions) {
                split(condition, Binary::And, &mut leaves);
            }
            let (named, others): (Vec<&Expr>, Vec<&Expr>) = leaves
                .into_iter()
                .partition(|leaf| self.attached.result_word(leaf).is_some());
            let spells: Vec<String> = named
                .iter()
                .filter_map(|leaf| self.attached.result_word(leaf))
                .collect();
            let (against, others): (Vec<&Expr>, Vec<&Expr>) = others
                .into_iter()
                .partition(|leaf| against_caster(leaf).is_some());
            let Some(asked) = asked(others, self.attached) else {
                return Ok(None);
            };
            let hit = match &effect.change {
                Change::Damage(damage) => self.damage(damage, &asked)?,
                other => super::parts::assigned(other)
                    .and_then(|(place, value)| self.own_condition(place, value, effect, &asked)),
            };
            let is_own = effect.target == Noun::Myself && self.part.recharge.is_none();
            let (Some(hit), true, true) = (hit, is_own, spells.len() <= 1 && against.len() <= 1)
            else {
                return Ok(None);
            };
            let ability = against.first().and_then(|leaf| against_caster(leaf));
            let hit = match ability.map(|ability| self.attached.word(ability)) {
                None => hit,
                // The difficulty is that of whoever casts the spell.
                Some(Some(ability)) if hit.ask.is_none() => match short(&ability) {
                    Some(ability) => Hit {
                        ask: Some(Ask {
                            ability,
                            dc: 0,
                            roll: Roll::Save,
                        }),
                        ..hit
                    },
                    None => return Ok(None),
                },
                Some(_) => return Ok(None),
            };
            all.push(Spelled {
                of: self.attached.name.clone(),
                spell: spells.into_iter().next(),
                hit,
                is_against_caster: ability.is_some(),
            });
        }
        Ok(Some(all))
    }
}

/// The ability of a save against the spells of whoever casts one.
fn against_caster(condition: &Expr) -> Option<&Expr> {
    let ExprKind::Query(Query::FailsSave, operands) = &condition.kind else {
        return None;
    };
    let [_, dc, ability, margin] = &operands[..] else {
        return None;
    };
    let is_casters = [Noun::Creature, Noun::Any]
        .iter()
        .any(|noun| is_attribute(dc, noun, "SPELLDC"));
    (is_casters && margin.kind == ExprKind::Number(0.0)).then_some(ability)
}

/// An ability as stat blocks name it.
fn short(ability: &str) -> Option<String> {
    let mut all = crate::features::ABILITIES.iter();
    let (short, _) = all.find(|(short, long)| {
        ability.eq_ignore_ascii_case(long) || ability.eq_ignore_ascii_case(short)
    })?;
    Some((*short).to_owned())
}
