//! Attacks of a stat block.

use super::damage::{By, DamagePart};
use super::dice::Dice;
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
    /// The lowest face with which a hit is critical.
    pub(in crate::encounter) critical: i64,
    /// The dice that a critical hit adds, once.
    pub(in crate::encounter) critical_dice: Option<Dice>,
    /// The damage of a miss.
    pub(in crate::encounter) on_miss: Option<DamagePart>,
    /// Whether a hit gives advantage on the next attack on the same creature.
    pub(in crate::encounter) vexes: bool,
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

/// The lowest face with which a hit of an action at a path is critical.
fn critical(action: &Action, path: &str) -> Result<i64, Wrong> {
    let face = action.critical.unwrap_or(20);
    let wrong = || {
        let wrong = Wrong::new(format!("{path}.critical"), format!("is {face}"));
        wrong.help("it is the lowest face of the d20 that is critical, from 2 to 20")
    };
    (2..=20).contains(&face).then_some(face).ok_or_else(wrong)
}

/// The damage of a miss of an action at a path.
fn on_miss(
    action: &Action,
    damage: &[DamagePart],
    is_plain: bool,
    path: &str,
) -> Result<Option<DamagePart>, Wrong> {
    let path = format!("{path}.on a miss");
    let Some(text) = action.on_a_miss.as_deref().filter(|_| !is_plain) else {
        return Ok(None);
    };
    let Some(first) = damage.first() else {
        return Err(Wrong::new(path, "belongs to an attack without damage"));
    };
    let dice = Dice::read(text, &path)?;
    if dice.may_be_negative() {
        return Err(Wrong::new(
            path,
            format!("is `{text}`, which may be below 0"),
        ));
    }
    Ok(Some(DamagePart {
        dice,
        kind: first.kind.clone(),
    }))
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
        if !does_something {
            return Ok(None);
        }
        let path_of_dice = format!("{path}.critical dice");
        let critical_dice = action.critical_dice.as_deref().filter(|_| !is_plain);
        let critical_dice = critical_dice.map(|dice| Dice::read(dice, &path_of_dice));
        Ok(Some(Self {
            name: short(&action.name).to_owned(),
            bonus,
            is_melee,
            feet: Feet::of(action, is_melee),
            on_miss: on_miss(action, &damage, is_plain, path)?,
            damage,
            at_half,
            rider,
            critical: critical(action, path)?,
            critical_dice: critical_dice.transpose()?,
            vexes: action.vexes && !is_plain,
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
