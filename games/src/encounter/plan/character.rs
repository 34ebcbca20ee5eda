//! Characters and healing: dying at 0 hit points, sources of healing, and which of them can occur
//! in a fight. The script has no code for the rest.

use super::Plan;
use super::concentration::no_concentration;
use super::dice::Dice;
use super::kind::Kind;
use super::occasion::{Healing, recharge, rest_of};
use super::short_name::short;
use crate::encounter::bestiary::Action;
use crate::encounter::document::{Encounter, Heal};
use crate::encounter::rest::Rest;
use crate::encounter::wrong::Wrong;
use crate::script_text::identifier;

impl Kind {
    /// An action that heals, at a path. Plain fights have no healing.
    ///
    /// # Errors
    /// Invalid dice, or another effect next to the hit points.
    pub(super) fn read_healing(
        &mut self,
        action: &Action,
        encounter: &Encounter,
        path: &str,
    ) -> Result<(), Wrong> {
        let Some(text) = action.heals.as_deref().filter(|_| !encounter.plain) else {
            return Ok(());
        };
        let path_of_dice = format!("{path}.heals");
        if action.bonus.is_some() || action.save.is_some() || !action.damage.is_empty() {
            let wrong = Wrong::new(
                path_of_dice,
                "is of an action that does something else, too",
            );
            return Err(wrong.help("make two actions of it: one heals, the other attacks"));
        }
        if action.concentration {
            return Err(no_concentration(path));
        }
        let dice = Dice::read(text, &path_of_dice)?;
        if dice.least() < 1 {
            let what = format!("is `{text}`, which may come to less than 1 hit point");
            return Err(Wrong::new(path_of_dice, what).help("write it as in `1d8+3`"));
        }
        let usage = action.usage.as_ref();
        usage.map_or(Ok(()), |usage| self.check_slot(usage, path))?;
        let comes_back = usage.map(|usage| recharge(usage, path)).transpose()?;
        let left = action.left_out.iter();
        let left = left.map(|words| format!("{} ({words})", action.name));
        self.missing.extend(left);
        self.healing.push(Healing {
            name: short(&action.name).to_owned(),
            word: identifier(&format!(
                "{} heals {} {}",
                self.word,
                self.healing.len() + 1,
                short(&action.name)
            )),
            dice,
            uses: usage.map(|usage| usage.per_day.unwrap_or(1)),
            slot: usage.and_then(|usage| usage.slot),
            recharge: comes_back.flatten(),
            rest: usage.map_or(Rest::Long, rest_of),
            is_bonus: action.bonus_action,
            policy: encounter.sides[self.side].heal,
            is_own: match action.on.as_deref() {
                None => false,
                Some("self") => true,
                Some(other) => {
                    let wrong = Wrong::new(format!("{path}.on"), format!("is `{other}`"));
                    return Err(wrong.help("there is only `self`"));
                }
            },
        });
        Ok(())
    }

    /// Whether it has handlers for events of its own turns or of others' turns, which may affect
    /// fallen creatures.
    fn has_handlers(&self) -> bool {
        !self.handled.is_empty()
    }
}

impl Plan {
    /// Removes healing for which there can be no creature on its side.
    pub(super) fn drop_idle_healing(&mut self) {
        let has_character = [0, 1].map(|side| self.has_characters_on(side));
        for kind in &mut self.kinds {
            let is_idle = |healing: &Healing| match healing.policy {
                Heal::Fallen => !has_character[kind.side] && !healing.is_own,
                Heal::Half => false,
                Heal::Never => true,
            };
            kind.healing.retain(|healing| !is_idle(healing));
            let names = kind.healing.iter().map(|healing| healing.name.clone());
            kind.modelled.extend(names);
        }
    }

    /// Whether somebody may be dying.
    pub(in crate::encounter) fn has_characters(&self) -> bool {
        self.kinds.iter().any(|kind| kind.is_character)
    }

    /// Whether somebody of a side may be dying.
    pub fn has_characters_on(&self, side: usize) -> bool {
        self.on_side(side).any(|kind| kind.is_character)
    }

    /// Whether somebody has temporary hit points.
    pub(in crate::encounter) fn has_temporary(&self) -> bool {
        self.kinds.iter().any(|kind| kind.creature.temp_hp > 0)
    }

    /// Whether somebody of a side may be healed by another.
    pub(in crate::encounter) fn has_healing(&self, side: usize) -> bool {
        self.on_side(side).any(|kind| !kind.healing.is_empty())
    }

    /// Whether dying creatures may take damage: features act on events, even if creatures have
    /// fallen.
    pub(in crate::encounter) fn may_hurt_fallen(&self) -> bool {
        self.kinds.iter().any(Kind::has_handlers)
    }

    /// Whether creatures of a kind may get hit points back, or have more than their own.
    pub(in crate::encounter) fn may_recover(&self, kind: &Kind) -> bool {
        let has_more = kind.is_character || kind.creature.temp_hp > 0 || kind.arrives.is_some();
        has_more || kind.traits.regeneration.is_some() || self.has_healing(kind.side)
    }
}
