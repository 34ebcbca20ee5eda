//! Grants of a feature for its owner's hits (a critical hit, more dice of the weapon, magic), and
//! the targets of a berserk owner. Recognised by form, like the other `grants`.

use super::facts::Attack;
use super::grants::Granting;
use super::parts::assigned;
use crate::encounter::plan::{Berserk, Extra, ExtraDice, Fact, Traits, Whose};
use crate::features::{Duration, Effect, Expr, Noun};

impl<'a> Granting<'a> {
    /// A hit that is critical.
    pub(super) fn critical(&self, effect: &'a Effect) -> Option<Traits> {
        let (attack, _) = Attack::of(self.event, self.attached, self.flags)?;
        let when = attack.all(self.conditions(Some(effect)))?;
        // The edge of the roll is over after a hit.
        let is_known = !when.is_about_roll() && self.part.recharge.is_none();
        is_known.then(|| Traits {
            criticals: vec![when],
            ..Traits::default()
        })
    }

    /// More dice of the weapon.
    pub(super) fn weapon_dice(&self, effect: &'a Effect, count: &Expr) -> Option<Traits> {
        let (attack, _) = Attack::of(self.event, self.attached, self.flags)?;
        let count = self.attached.number(count)?;
        let is_count = count.fract() == 0.0 && (1.0..=100.0).contains(&count);
        let extra = Extra {
            dice: ExtraDice::OfWeapon(is_count.then_some(count as i64)?),
            when: attack.all(self.conditions(Some(effect)))?,
            is_once_a_turn: self.is_once_a_turn()?,
        };
        Some(Traits {
            extras: vec![extra],
            ..Traits::default()
        })
    }

    /// Weapons that are magical, whomever they hit.
    pub(super) fn magic(&self, effect: &'a Effect) -> Option<Traits> {
        let conditions = self.conditions(Some(effect));
        let holds = conditions
            .into_iter()
            .all(|condition| self.holds(condition));
        (holds && self.part.recharge.is_none()).then(|| Traits {
            has_magic: true,
            ..Traits::default()
        })
    }

    /// The creature begins to attack whoever is nearest, or ceases to.
    pub(super) fn berserk(&self, effect: &'a Effect) -> Option<Traits> {
        let (place, value) = assigned(&effect.change)?;
        let is_it = place.owner == Noun::Myself && place.attribute.to_string() == "BERSERK";
        let is_lasting = matches!(
            effect.duration,
            Duration::Instant | Duration::UntilOverridden
        );
        let about = Attack::own(self.attached, Some(self.flags), &Noun::Creature).rolling();
        let when = about.all(self.conditions(Some(effect)))?;
        let is_own = !when.mentions(&|fact| {
            let is_joined = matches!(fact, Fact::All(_) | Fact::Any(_) | Fact::Not(_));
            !is_joined && !matches!(fact, Fact::Health(Whose::Own, _) | Fact::Die(..))
        });
        let is_known = is_it && is_lasting && is_own && self.part.recharge.is_none();
        let value = self.attached.number(value)?;
        is_known.then(|| Traits {
            berserk: vec![Berserk {
                when,
                begins: value != 0.0,
            }],
            ..Traits::default()
        })
    }
}
