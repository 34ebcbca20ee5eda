//! Attacks of a stat block.

use super::damage::{By, DamagePart};
use super::effect::Hit;
use super::feet::Feet;
use super::saving::rider;
use super::short_name::short;
use crate::encounter::bestiary::Action;
use crate::encounter::wrong::Wrong;

/// An attack.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Strike {
    /// Its name: `Bite`.
    pub(in crate::encounter) name: String,
    /// The bonus that is added to the d20.
    pub(in crate::encounter) bonus: i64,
    /// Whether it is made in melee; one for both is.
    pub(in crate::encounter) is_melee: bool,
    /// Its range.
    pub(in crate::encounter) feet: Feet,
    pub(in crate::encounter) damage: Vec<DamagePart>,
    /// The damage in its place while the creature has at most half of its hit points; none if it
    /// is the same.
    pub(in crate::encounter) at_half: Vec<DamagePart>,
    /// The save after a hit.
    pub(in crate::encounter) rider: Option<Hit>,
}

/// Whether an attack is made in melee; also one for both ranges, and one without a range.
fn is_melee(action: &Action, path: &str) -> Result<bool, Wrong> {
    match action.kind.as_deref() {
        None | Some("melee" | "melee or ranged") => Ok(true),
        Some("ranged") => Ok(false),
        Some(other) => {
            let wrong = Wrong::new(format!("{path}.kind"), format!("is `{other}`"));
            Err(wrong.help("there are `melee`, `ranged` and `melee or ranged`"))
        }
    }
}

impl Strike {
    /// The attack that an action is, if it is one that does damage, has a rider or holds somebody.
    pub(super) fn of(action: &Action, is_plain: bool, path: &str) -> Result<Option<Self>, Wrong> {
        let Some(bonus) = action.bonus else {
            return Ok(None);
        };
        let by = match action.spell {
            true => By::Spell,
            false => By::Weapon,
        };
        let damage = DamagePart::all(&action.damage, by, path)?;
        let at_half = DamagePart::all(&action.at_half, by, &format!("{path}.at half"))?;
        let rider = match is_plain {
            true => None,
            false => rider(action, by, path)?,
        };
        let is_melee = is_melee(action, path)?;
        let holds = !is_plain && action.grapples.is_some();
        let does_something = !damage.is_empty() || rider.is_some() || holds;
        Ok(does_something.then(|| Self {
            name: short(&action.name).to_owned(),
            bonus,
            is_melee,
            feet: Feet::of(action, is_melee),
            damage,
            at_half,
            rider,
        }))
    }

    /// Twice its average damage, of a hit that is not critical.
    pub(super) fn double_average(&self) -> i64 {
        self.damage
            .iter()
            .map(|part| part.dice.double_average())
            .sum()
    }
}
