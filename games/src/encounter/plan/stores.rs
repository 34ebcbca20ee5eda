//! The resources of a creature that last longer than a fight: uses of limited actions, spell slots,
//! and the rests that bring them back.

use super::kind::Kind;
use super::occasion::{aside_field, healing_field, rest_of, slots_field};
use crate::encounter::feature::Uses;
use crate::encounter::rest::Rest;
use crate::script_text::ScriptCode;

/// What a resource is for. It is the same in every fight of a creature, whatever else the fight's
/// script needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum StoredFor {
    Action(String),
    Healing(String),
    BonusAction(String),
    Slot(u32),
    Resistance,
    Trait(&'static str),
}

/// A resource of the creatures of a kind.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Store {
    pub(in crate::encounter) what: StoredFor,
    /// The field of the script's creatures that has it.
    pub(in crate::encounter) field: ScriptCode,
    /// How much there is at first.
    pub(in crate::encounter) full: u32,
    /// The rest that brings it back; `None` if each fight begins with it.
    pub(in crate::encounter) rest: Option<Rest>,
}

impl Kind {
    /// The resources of a creature, in the order in which a script has them.
    pub(in crate::encounter) fn stores(&self) -> Vec<Store> {
        let limited = self.limited.iter().enumerate();
        let limited = limited.filter(|(_, rare)| rare.slot.is_none());
        let limited = limited.map(|(index, rare)| Store {
            what: StoredFor::Action(self.deeds[rare.deed].name.clone()),
            field: rare.field(index),
            full: rare.uses,
            rest: rare.recharge.is_none().then_some(rare.rest),
        });
        let casting = self.creature.spellcasting.as_ref();
        let is_pact = casting.is_some_and(|own| own.slots_rest.as_deref() == Some("short"));
        let slots_rest = if is_pact { Rest::Short } else { Rest::Long };
        let slots = self.slots().into_iter().map(|level| Store {
            what: StoredFor::Slot(level),
            field: slots_field(level),
            full: self.slot_count(level),
            rest: Some(slots_rest),
        });
        let healing = self.healing.iter().enumerate();
        let healing = healing.filter(|(_, one)| one.slot.is_none());
        let healing = healing.filter_map(|(index, one)| {
            Some(Store {
                what: StoredFor::Healing(one.name.clone()),
                field: healing_field(index),
                full: one.uses?,
                rest: one.recharge.is_none().then_some(one.rest),
            })
        });
        let asides = self.asides.iter().enumerate();
        let asides = asides.filter_map(|(index, aside)| match aside.uses {
            Uses::Free => None,
            Uses::Few {
                uses,
                recharge,
                rest,
            } => Some(Store {
                what: StoredFor::BonusAction(aside.of.clone()),
                field: aside_field(index),
                full: uses,
                rest: recharge.is_none().then_some(rest),
            }),
        });
        let resistances = self.traits.legendary_resistance;
        let resistances = (resistances > 0).then(|| Store {
            what: StoredFor::Resistance,
            field: "resistances".into(),
            full: resistances,
            rest: Some(Rest::Long),
        });
        let martial = &self.traits.martial;
        let named = [
            ("Action Surge", "surges", martial.surges),
            ("Rage", "rages", martial.rage.map_or(0, |rage| rage.uses)),
            (
                "Divine Smite",
                "smites",
                martial.smite.map_or(0, |smite| smite.free),
            ),
        ];
        let named = named.into_iter().filter(|(.., full)| *full > 0);
        let named = named.map(|(name, field, full)| {
            let usage = self.creature.find(name).and_then(|own| own.usage.as_ref());
            Store {
                what: StoredFor::Trait(name),
                field: field.into(),
                full,
                rest: Some(usage.map_or(Rest::Long, rest_of)),
            }
        });
        let all = limited.chain(slots).chain(healing).chain(asides);
        all.chain(resistances).chain(named).collect()
    }

    /// The number of spell slots of a level that it has.
    fn slot_count(&self, level: u32) -> u32 {
        let casting = self.creature.spellcasting.as_ref();
        let index = (level as usize).checked_sub(1);
        let count = casting.zip(index).and_then(|(own, at)| own.slots.get(at));
        count.copied().unwrap_or(0)
    }
}
