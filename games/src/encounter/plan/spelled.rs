//! Side effects of spells on creatures with spell triggers (seed 001, "TRIGGER": `targetspell`).
//! They become deeds of the caster.

use super::Plan;
use super::deed::What;
use super::effect::{Ask, Hit};
use super::kind::Kind;
use super::occasion::{Besides, rare};
use crate::encounter::bestiary::Action;
use crate::encounter::feature::{Reach, Spelled};
use crate::encounter::wrong::Wrong;

impl Kind {
    /// Adds a spell without effects of its own, for spell triggers of its targets.
    pub(super) fn add_idle_spell(&mut self, action: &Action, path: &str) -> Result<(), Wrong> {
        let deed = self.deeds.len();
        let hit = Hit {
            is_magical: true,
            ..Hit::of_damage(&[])
        };
        self.push(&action.name, What::Blast(hit, Reach::Chosen), None);
        self.deeds[deed].is_idle_spell = true;
        if let Some(usage) = &action.usage {
            self.check_slot(usage, path)?;
            self.limited.push(rare(deed, action, usage, path)?);
        }
        Ok(())
    }

    /// The difficulty of saves against a spell: that of its own save, or that of all spells of its
    /// creature.
    fn spell_dc(&self, spell: usize) -> i64 {
        let own = self.deeds[spell].hit().and_then(|hit| hit.ask.as_ref());
        own.map_or_else(|| self.creature.spell_dc(), |ask| ask.dc)
    }
}

impl Plan {
    /// Attaches side effects on enemies to each spell, and reports the spells without any.
    pub(super) fn place_besides(&mut self) {
        for caster in 0..self.kinds.len() {
            let spells = (0..self.kinds[caster].deeds.len()).filter(|&deed| {
                let deed = &self.kinds[caster].deeds[deed];
                // An aura has no targets.
                deed.is_spell() && (deed.lasting_with.is_none() || deed.strike().is_some())
            });
            for spell in spells.collect::<Vec<_>>() {
                let foes = self.on_side(1 - self.kinds[caster].side);
                let spelled = foes.flat_map(|foe| {
                    let own = foe.spelled.iter().cloned();
                    own.map(move |one| (foe.number, one))
                });
                for (foe, one) in spelled.collect::<Vec<_>>() {
                    self.kinds[caster].add_besides(spell, foe, &one);
                }
            }
            self.kinds[caster].drop_idle_spells();
        }
    }
}

impl Kind {
    fn add_besides(&mut self, spell: usize, foe: usize, one: &Spelled) {
        let name = &self.deeds[spell].name;
        let is_it = one
            .spell
            .as_ref()
            .is_none_or(|own| own.eq_ignore_ascii_case(name));
        if !is_it {
            return;
        }
        let dc = self.spell_dc(spell);
        let ask = one.hit.ask.clone().map(|ask| match one.is_against_caster {
            true => Ask { dc, ..ask },
            false => ask,
        });
        let deed = self.deeds.len();
        let hit = Hit {
            ask,
            ..one.hit.clone()
        };
        self.push(&one.of, What::Blast(hit, Reach::Given), None);
        self.deeds[deed].is_sequel = true;
        self.apart.push(deed);
        self.besides.push(Besides { spell, foe, deed });
    }

    /// Leaves out spells that do nothing to anybody in this fight.
    fn drop_idle_spells(&mut self) {
        let besides = &self.besides;
        let (deeds, missing, modelled) = (&self.deeds, &mut self.missing, &mut self.modelled);
        for (index, deed) in deeds.iter().enumerate().filter(|one| one.1.is_idle_spell) {
            match besides.iter().any(|one| one.spell == index) {
                true => modelled.push(deed.name.clone()),
                false => missing.push(deed.name.clone()),
            }
        }
        let is_idle =
            |deed: usize| deeds[deed].is_idle_spell && !besides.iter().any(|one| one.spell == deed);
        self.limited.retain(|rare| !is_idle(rare.deed));
    }
}
