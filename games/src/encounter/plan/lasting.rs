//! Deeds that are possible as long as a boon lasts: the damage of an aura in turns of enemies, and
//! attacks as a bonus action (SRD 5.1, "Spirit Guardians", "Spiritual Weapon"); and reactions.

use super::deed::What;
use super::kind::Kind;
use super::occasion::{Aside, Handled};
use super::saving::blast;
use super::short_name::short;
use super::strike::Strike;
use crate::encounter::bestiary::{Action, Aura, Weapon};
use crate::encounter::feature::{Only, Reach, Uses, Way, When};
use crate::encounter::wrong::Wrong;

impl Kind {
    /// Adds the deeds that last with a boon, which is an action at a path.
    ///
    /// # Errors
    /// The errors in a save or in damage.
    pub(super) fn add_lasting(
        &mut self,
        boon: usize,
        action: &Action,
        path: &str,
    ) -> Result<(), Wrong> {
        if action.reaction {
            self.add_reaction(boon, action, path)?;
        }
        let Some(help) = action
            .helps
            .as_ref()
            .filter(|_| self.deeds[boon].boon().is_some())
        else {
            return Ok(());
        };
        if let Some(aura) = &help.aura {
            self.add_aura(boon, action, aura, &format!("{path}.helps.aura"))?;
        }
        if let Some(weapon) = &help.attack {
            self.add_weapon(boon, action, weapon, &format!("{path}.helps.attack"))?;
        }
        Ok(())
    }

    /// A deed is a reaction; one with a save is about whoever has hit its creature.
    fn add_reaction(&mut self, deed: usize, action: &Action, path: &str) -> Result<(), Wrong> {
        if action.usage.is_none() {
            let wrong = Wrong::new(format!("{path}.usage"), "is missing next to `reaction`");
            return Err(wrong.help("say how often: `\"usage\": { \"per day\": 1 }`"));
        }
        self.deeds[deed].is_reaction = true;
        match &mut self.deeds[deed].what {
            What::Boon(_) => return Ok(()),
            What::Blast(_, reach) if action.area.is_none() => *reach = Reach::Given,
            What::Blast(..) | What::Strike(_) | What::Mend(_) => {
                let wrong = Wrong::new(format!("{path}.reaction"), "is not one that can be");
                return Err(
                    wrong.help("reactions are `helps` with `ac`, or a save without an area")
                );
            }
        }
        self.handled.push(Handled {
            when: When::Struck,
            is_last: false,
            deed,
            reach: Reach::Given,
            only: Only::default(),
            is_once_a_turn: false,
            follow: None,
        });
        Ok(())
    }

    fn add_aura(
        &mut self,
        boon: usize,
        action: &Action,
        aura: &Aura,
        path: &str,
    ) -> Result<(), Wrong> {
        let own = Action {
            name: action.name.clone(),
            spell: action.spell,
            damage: aura.damage.clone(),
            save: Some(aura.save.clone()),
            ..Action::default()
        };
        let Some(hit) = blast(&own, path)? else {
            return Err(Wrong::new(path, "does nothing"));
        };
        let deed = self.deeds.len();
        self.push(&action.name, What::Blast(hit, Reach::Given), None);
        self.deeds[deed].lasting_with = Some(boon);
        self.apart.push(deed);
        self.handled.push(Handled {
            when: match aura.is_at_end {
                true => When::EnemyTurnEnd,
                false => When::EnemyTurnStart,
            },
            is_last: false,
            deed,
            reach: Reach::Given,
            only: Only {
                within: aura.within,
                ..Only::default()
            },
            is_once_a_turn: false,
            follow: None,
        });
        Ok(())
    }

    fn add_weapon(
        &mut self,
        boon: usize,
        action: &Action,
        weapon: &Weapon,
        path: &str,
    ) -> Result<(), Wrong> {
        let own = Action {
            name: action.name.clone(),
            bonus: Some(weapon.bonus),
            spell: action.spell,
            damage: weapon.damage.clone(),
            reach: Some(weapon.reach),
            ..Action::default()
        };
        let Some(strike) = Strike::of(&own, false, path)? else {
            return Err(Wrong::new(path, "does no damage"));
        };
        let deed = self.deeds.len();
        self.push(&action.name, What::Strike(strike), None);
        self.deeds[deed].lasting_with = Some(boon);
        self.apart.push(deed);
        self.asides.push(Aside {
            of: short(&action.name).to_owned(),
            way: Way::Bonus,
            deed,
            times: 1,
            uses: Uses::Free,
            fact: None,
            is_unheld: false,
        });
        Ok(())
    }

    /// Leaves out deeds of boons that never begin.
    pub(super) fn drop_unlasting(&mut self) {
        let used = self.used();
        let deeds = &self.deeds;
        let never = self.never_uses_limited();
        let lasts = |deed: usize| {
            let own = &deeds[deed];
            own.lasting_with.is_none_or(|boon| used.contains(&boon)) && !(own.is_reaction && never)
        };
        self.handled.retain(|handled| lasts(handled.deed));
        self.asides.retain(|aside| lasts(aside.deed));
    }
}
