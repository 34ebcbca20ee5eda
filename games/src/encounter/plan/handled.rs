//! The event handlers of a kind of creatures in a fight.

use super::Plan;
use super::deed::{Deed, Todo, What};
use super::facts::Fact;
use super::grip::Grip;
use super::kind::Kind;
use super::occasion::{Aside, Handled, Rare};
use super::short_name::short;
use super::traits::has_no_effect;
use crate::encounter::document::Encounter;
use crate::encounter::feature::{
    Attached, Does, Handler, Lowered, Passive, Reach, Uses, When, lower,
};
use crate::encounter::wrong::Wrong;

impl Plan {
    /// Removes handlers for equipment that no enemy has, and for features that no enemy has: the
    /// script would have functions without effect.
    pub(super) fn drop_idle_features(&mut self) {
        let armed = [0, 1].map(|side| self.on_side(side).any(|kind| kind.creature.has_gear()));
        let has = [0, 1].map(|side| {
            let kinds = self.on_side(side);
            kinds.flat_map(Kind::disableable).collect::<Vec<String>>()
        });
        let fixed = [0, 1].map(|side| {
            let kinds = self.on_side(side);
            kinds
                .flat_map(|kind| kind.fixed.clone())
                .collect::<Vec<String>>()
        });
        for kind in &mut self.kinds {
            let foes = 1 - kind.side;
            let Kind {
                deeds,
                handled,
                missing,
                ..
            } = kind;
            for hit in deeds.iter().filter_map(Deed::hit) {
                let named = fixed[foes].iter().filter(|name| hit.takes_away(name));
                missing.extend(named.map(|name| format!("disabling {name}")));
            }
            let is_idle = |one: &Handled| {
                let hit = deeds[one.deed].hit();
                hit.is_some_and(|hit| {
                    let disables = hit
                        .effect
                        .as_ref()
                        .is_some_and(|one| one.disables.is_some());
                    let is_vain = disables && !has[foes].iter().any(|name| hit.takes_away(name));
                    hit.corrodes.is_some() && !armed[foes] || is_vain
                })
            };
            handled.retain(|one| !is_idle(one));
        }
    }
}

impl Kind {
    /// Reads its features: actions and event handlers.
    pub(super) fn read_features(&mut self, encounter: &Encounter) -> Result<(), Wrong> {
        let creature = self.creature.clone();
        let traits = creature.traits.iter().chain(&creature.reactions);
        let traits = traits.filter(|one| {
            let shipped = match &one.feature {
                None => Some(one.name.as_str()),
                Some(feature) => feature.as_str(),
            };
            let is_idle = shipped.is_some_and(|name| has_no_effect(name, encounter));
            !encounter.leaves_out(&one.name) && !is_idle
        });
        let has_positions = encounter.has_positions();
        let mut hinders = false;
        for one in traits {
            let path = format!("{}: the feature of {}", creature.name, one.name);
            for attached in Attached::of(one, &creature, has_positions)? {
                let Lowered {
                    handlers,
                    passive,
                    hinders_escape,
                    spelled,
                    missing,
                } = lower(&attached, &path)?;
                hinders |= hinders_escape;
                let follows = passive
                    .traits
                    .rampage
                    .as_ref()
                    .map(|one| one.attack.clone());
                let acts = !handlers.is_empty() || !spelled.is_empty();
                let is_nothing = !acts && passive == Passive::default();
                self.spelled.extend(spelled);
                self.fixed
                    .extend(passive.is_fixed().then(|| attached.name().to_owned()));
                self.change(&passive, &path)?;
                if let Some(attack) = follows.filter(|_| self.rampage().is_none()) {
                    self.missing.push(format!("{attack} (after a fall)"));
                }
                let words = missing.join("; ");
                match (is_nothing, missing.is_empty()) {
                    (_, true) => self.modelled.push(one.name.clone()),
                    (true, false) => self.missing.push(format!("{} ({words})", one.name)),
                    (false, false) => {
                        self.modelled.push(one.name.clone());
                        self.missing
                            .push(format!("{} (in part: {words})", one.name));
                    }
                }
                for handler in handlers {
                    self.handle(&one.name, handler);
                }
            }
        }
        let grips = self.deeds.iter_mut().filter_map(|deed| deed.grip.as_mut());
        grips.for_each(|grip| grip.hinders_escape |= hinders);
        Ok(())
    }

    /// Applies the permanent changes of features to the creature.
    fn change(&mut self, passive: &Passive, path: &str) -> Result<(), Wrong> {
        let creature = &mut self.creature;
        creature
            .resists
            .extend(passive.traits.resists.iter().cloned());
        self.traits.join(passive.traits.clone(), path)?;
        if let Some(hit_points) = passive.hit_points {
            if !(1..=100_000).contains(&hit_points) {
                let what = format!("sets MAXHP to {hit_points}, not to 1 to 100000");
                return Err(Wrong::new(path, what));
            }
            creature.hp = hit_points;
            creature.hp_dice = Some(hit_points.to_string());
        }
        self.speed = passive.speed.unwrap_or(self.speed);
        self.speed = self.speed.saturating_add(passive.more_speed);
        Ok(())
    }

    fn handle(&mut self, name: &str, handler: Handler) {
        let Handler {
            when,
            is_last,
            does,
            reach,
            only,
            is_once_a_turn,
            follow,
        } = handler;
        let named = |name: &String| {
            let mut deeds = self.deeds.iter();
            let found = deeds.position(|deed| deed.name.eq_ignore_ascii_case(name));
            if found.is_none() {
                self.missing.push(format!("{name} (after a hit)"));
            }
            found
        };
        let follow = follow.as_ref().and_then(named);
        let deed = self.deeds.len();
        let is_sequel = self.handled.last().is_some_and(|before| {
            let is_same = (before.when, before.is_last, &before.only) == (when, is_last, &only);
            let is_about_one = [before.reach, reach] == [Reach::Given; 2];
            is_same
                && is_about_one
                && before.deed + 1 == deed
                && self.deeds[before.deed].name == short(name)
        });
        let known = match does {
            Does::Act(action) => self.deed_of(&action),
            Does::Hit(hit, grip) => Some(self.push_own(name, What::Blast(*hit, reach), grip, when)),
            Does::Mend(hit_points) => Some(self.push_own(name, What::Mend(hit_points), None, when)),
        };
        let Some(deed) = known else {
            let what = format!("{name} (an action that it does not have)");
            return self.missing.push(what);
        };
        self.deeds[deed].is_sequel |= is_sequel;
        self.deeds[deed].is_unheld |= only.unheld;
        match when {
            When::Action(Uses::Free) => {}
            When::Legendary(cost) => self.legendary.push((cost, Todo::once(deed))),
            When::Aside(way, uses) => self.asides.push(Aside {
                of: short(name).to_owned(),
                way,
                deed,
                times: 1,
                uses,
                fact: only.fact,
                is_unheld: only.unheld,
            }),
            When::Action(Uses::Few {
                uses,
                recharge,
                rest,
            }) => self.limited.push(Rare {
                deed,
                uses,
                recharge,
                rest,
                is_step: false,
                slot: None,
                is_by_worth: false,
            }),
            _ => self.handled.push(Handled {
                when,
                is_last,
                deed,
                reach,
                only,
                is_once_a_turn,
                follow,
            }),
        }
    }

    /// Adds a deed of a feature; gives its index.
    fn push_own(&mut self, name: &str, what: What, grip: Option<Grip>, when: When) -> usize {
        let deed = self.deeds.len();
        self.push(name, what, grip);
        let is_action = matches!(when, When::Action(_));
        self.apart.extend((!is_action).then_some(deed));
        deed
    }

    /// The names of its features, and of its actions besides attacks, that others may disable.
    fn disableable(&self) -> Vec<String> {
        let deeds = self.deeds.iter().filter(|deed| deed.strike().is_none());
        let deeds = deeds.map(|deed| deed.name.clone());
        let traits = self.modelled.iter().map(|name| short(name).to_owned());
        deeds.chain(traits).collect()
    }

    /// Whether it may go berserk.
    pub(in crate::encounter) fn may_go_berserk(&self) -> bool {
        let mut all = self.traits.berserk.iter();
        all.any(|one| one.begins) && self.deeds.iter().any(|deed| deed.strike().is_some())
    }

    /// All facts about attacks that its features test.
    pub(in crate::encounter) fn facts(&self) -> impl Iterator<Item = &Fact> {
        let of_handled = self.handled.iter().filter_map(|one| one.only.fact.as_ref());
        let of_asides = self.asides.iter().filter_map(|one| one.fact.as_ref());
        self.traits.facts().chain(of_handled).chain(of_asides)
    }

    /// Whether its features test such a fact.
    pub(in crate::encounter) fn asks_for(&self, is: &dyn Fn(&Fact) -> bool) -> bool {
        self.facts().any(|fact| fact.mentions(is))
    }

    /// The number of its once-a-turn effects: dice of traits, then handlers of features.
    pub(in crate::encounter) fn once_a_turn(&self) -> usize {
        let extras = self.traits.extras.iter();
        let of_handled = self.handled.iter().filter(|one| one.is_once_a_turn);
        extras.filter(|one| one.is_once_a_turn).count() + of_handled.count()
    }

    /// Its handlers for an event.
    pub(in crate::encounter) fn handlers_at(&self, when: When) -> impl Iterator<Item = &Handled> {
        self.handled.iter().filter(move |one| one.when == when)
    }

    /// Whether a deed is a handler for damage to the creature, which runs even if it has fallen.
    pub(in crate::encounter) fn is_of_fallen(&self, deed: usize) -> bool {
        let mut hurt = self.handlers_at(When::Damaged);
        hurt.any(|one| one.deed == deed)
    }
}
