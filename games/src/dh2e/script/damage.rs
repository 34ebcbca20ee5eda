//! The dice of damage, with their modifiers (seed 003, "Damage Calculation").

use crate::dh2e::combatant::Combatant;
use crate::dh2e::element::DiceChange;
use crate::dh2e::json::Wrong;
use crate::dh2e::model::Weapon;
use crate::dh2e::modifier::Asked;
use crate::dh2e::predicate::Options;
use crate::script_text::{Joined, ScriptCode, code};

/// The damage of a weapon as dice of the script: those of the weapon after the overrides in the
/// order of its items, its bonus and the modifiers of the damage's domain.
pub(super) fn damage(
    attacker: &Combatant<'_>,
    weapon: &Weapon,
    domain: &str,
    options: &Options,
) -> Result<ScriptCode, Wrong> {
    let part = format!("{}.damage", attacker.path_of(weapon));
    let wrong = |what: String| attacker.wrong(&part, what);
    let read = ScriptCode::dice(&weapon.damage);
    let (written, value) = read.map_err(|found| {
        let wrong = wrong(format!("is `{}`: {}", weapon.damage, found.message));
        wrong.help("write dice and numbers: `1d10+3`")
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
            let what = format!("is `{}`, whose dice cannot be changed", weapon.damage);
            let help = "qualities such as Tearing need plain dice that are added: `1d10+3`";
            return Err(wrong(what).help(help));
        }
        terms.push((count, sides));
    }
    let dice = match overrides.is_empty() {
        true => written,
        false => changed(&terms, &overrides),
    };
    let own = if overrides.is_empty() {
        bonus - value.bonus
    } else {
        bonus
    };
    Ok(match own {
        0 => dice,
        own => dice.plus(own),
    })
}

/// Dice with overrides in their order. Tearing adds a die to the first dice; earlier raises and
/// lowers do not touch that die. All lowest dice are dropped at the end: raising and lowering
/// preserve the order of dice, so the same dice are dropped.
fn changed(terms: &[(i64, i64)], overrides: &[DiceChange]) -> ScriptCode {
    let Some((&(count, sides), others)) = terms.split_first() else {
        return ScriptCode::from("0");
    };
    let whole = bounds(overrides);
    let mut first = count;
    let mut apart = Vec::new();
    for (index, change) in overrides.iter().enumerate() {
        if *change != DiceChange::RerollLowest {
            continue;
        }
        let (before, after) = overrides.split_at(index);
        let lowers = |change: &DiceChange| matches!(change, DiceChange::AtMost(_));
        match before.iter().any(lowers) {
            true => apart.push(code!("1d{sides}{}", bounds(after), sides)),
            // A die that was raised before is never lower than one that was not.
            false => first += 1,
        }
    }
    let torn = first - count + apart.len() as i64;
    let mut pools = vec![code!("{first}d{sides}{whole}", first, sides, whole)];
    pools.extend(apart);
    let others = others.iter();
    pools.extend(others.map(|(count, sides)| code!("{count}d{sides}{whole}", count, sides, whole)));
    match (torn, &pools[..]) {
        (0, pools) => pools.joined(" + "),
        (torn, [only]) => code!("{only}dl{torn}", only, torn),
        (torn, pools) => code!("{{{}}}dl{torn}", pools.joined(" + "), torn),
    }
}

/// Raises and lowers of dice, as dice modifiers.
fn bounds(changes: &[DiceChange]) -> ScriptCode {
    let written = changes.iter().map(|change| match change {
        DiceChange::RerollLowest => ScriptCode::default(),
        DiceChange::AtLeast(least) => code!("min{least}", least),
        DiceChange::AtMost(most) => code!("max{most}", most),
    });
    written.collect()
}
