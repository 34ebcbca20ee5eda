//! The dice of damage, with what changes them (seed 003, "Damage Calculation").

use crate::front::dh2e::combatant::Combatant;
use crate::front::dh2e::element::DiceChange;
use crate::front::dh2e::json::Wrong;
use crate::front::dh2e::model::Weapon;
use crate::front::dh2e::modifier::Asked;
use crate::front::dh2e::predicate::Options;
use crate::front::notation::dice_value;
use crate::syntax::SourceLimits;
use std::fmt::Write;

/// The damage of a weapon as dice of the script: those of the weapon after the overrides in the
/// order of its items, its bonus and the modifiers of the damage's domain.
pub(super) fn damage(
    attacker: &Combatant<'_>,
    weapon: &Weapon,
    domain: &str,
    options: &Options,
) -> Result<String, Wrong> {
    let wrong = |what: String| attacker.wrong("weapons", what);
    let value = dice_value(&weapon.damage, SourceLimits::default());
    let value = value.map_err(|found| {
        wrong(format!(
            "has the damage `{}`: {}",
            weapon.damage, found.message
        ))
    })?;
    let asked = Asked {
        domain,
        characteristic: None,
    };
    let overrides: Vec<DiceChange> = attacker
        .synthetics
        .dice
        .iter()
        .filter(|one| asked.takes(&one.domain) && one.predicate.holds(options))
        .map(|one| one.change)
        .collect();
    let more = weapon.bonus + attacker.synthetics.resolve(asked, options).total;
    let bonus = value.bonus.saturating_add(more);
    let mut terms = Vec::new();
    for term in &value.terms {
        let [count, sides, keep, sign, _] = term.numbers();
        if !overrides.is_empty() && (keep != 0 || sign < 0) {
            let what = format!(
                "has the damage `{}`, whose dice cannot be changed",
                weapon.damage
            );
            return Err(wrong(what));
        }
        terms.push((count, sides));
    }
    let dice = match overrides.is_empty() {
        true => plain(&weapon.damage),
        false => changed(&terms, &overrides),
    };
    let own = if overrides.is_empty() {
        bonus - value.bonus
    } else {
        bonus
    };
    Ok(match own {
        0 => dice,
        1.. => format!("{dice} + {own}"),
        _ => format!("{dice} - {}", own.unsigned_abs()),
    })
}

fn plain(damage: &str) -> String {
    damage.trim().to_owned()
}

/// Dice with overrides. Raising and lowering dice keeps their order, so which ones are dropped does
/// not depend on when that is done; raising and lowering are done in their order.
fn changed(terms: &[(i64, i64)], overrides: &[DiceChange]) -> String {
    let mut more = 0;
    let mut bounds = String::new();
    for change in overrides {
        // Writing to a String cannot fail.
        let _ = match change {
            DiceChange::RerollLowest => {
                more += 1;
                Ok(())
            }
            DiceChange::AtLeast(least) => write!(bounds, "min{least}"),
            DiceChange::AtMost(most) => write!(bounds, "max{most}"),
        };
    }
    let pools: Vec<String> = terms
        .iter()
        .enumerate()
        .map(|(index, (count, sides))| {
            let count = if index == 0 { count + more } else { *count };
            format!("{count}d{sides}{bounds}")
        })
        .collect();
    match (more, &pools[..]) {
        (_, []) => "0".to_owned(),
        (0, pools) => pools.join(" + "),
        (more, [only]) => format!("{only}dl{more}"),
        (more, pools) => format!("{{{}}}dl{more}", pools.join(" + ")),
    }
}
