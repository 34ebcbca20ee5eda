//! Reads the saves of actions: what those suffer who fail, and for how long.

use super::aim::Aim;
use super::condition::Condition;
use super::damage::{By, DamagePart};
use super::effect::{Ask, Effect, Ends, Hit, LASTING, Repeat, Roll, Safe};
use crate::encounter::bestiary::{ABILITIES, Action, Outcome, Save};
use crate::encounter::wrong::Wrong;

/// The save after a hit of an attack.
pub(super) fn rider(action: &Action, by: By, path: &str) -> Result<Option<Hit>, Wrong> {
    let by = if by == By::Spell {
        By::Spell
    } else {
        By::Effect
    };
    let Some(save) = &action.save else {
        let effect = outcome(action.inflicts.as_ref(), &format!("{path}.inflicts"))?;
        return Ok(effect.map(|effect| Hit {
            effect: Some(effect),
            ..Hit::of_damage(&[])
        }));
    };
    let damage = DamagePart::all(&save.damage, by, &format!("{path}.save"))?;
    let hit = hit(action, save, damage, path)?;
    let does_something = !hit.damage.is_empty() || hit.parts().next().is_some();
    Ok(does_something.then_some(hit))
}

/// The save of an action that is not an attack.
pub(super) fn blast(action: &Action, path: &str) -> Result<Option<Hit>, Wrong> {
    let by = match action.spell {
        true => By::Spell,
        false => By::Effect,
    };
    let Some(save) = action
        .save
        .as_ref()
        .filter(|_| action.bonus.is_none_or(|bonus| bonus == 0))
    else {
        // A spell without an attack roll and a save hits (SRD 5.1, "Magic Missile").
        let damage = DamagePart::all(&action.damage, by, path)?;
        let hits = action.spell && action.bonus.is_none() && !damage.is_empty();
        return Ok(hits.then(|| Hit {
            is_magical: true,
            ..Hit::of_damage(&damage)
        }));
    };
    let mut damage = DamagePart::all(&action.damage, by, path)?;
    damage.extend(DamagePart::all(&save.damage, by, &format!("{path}.save"))?);
    let hit = hit(action, save, damage, path)?;
    let does_something =
        !hit.damage.is_empty() || hit.parts().next().is_some() || action.grapples.is_some();
    Ok(does_something.then_some(hit))
}

fn hit(action: &Action, save: &Save, damage: Vec<DamagePart>, path: &str) -> Result<Hit, Wrong> {
    let path = format!("{path}.save");
    let ability = save.ability.to_uppercase();
    if !ABILITIES.contains(&&*ability) {
        let what = format!("is `{}`; there are {}", save.ability, ABILITIES.join(", "));
        return Err(Wrong::new(format!("{path}.ability"), what));
    }
    let is_halved = match &*save.on_success {
        "half" => true,
        "none" => false,
        other => {
            let what = format!("is `{other}`; there are `half` and `none`");
            return Err(Wrong::new(format!("{path}.on success"), what));
        }
    };
    let dc = save.dc;
    Ok(Hit {
        ask: Some(Ask {
            ability,
            dc,
            roll: Roll::Save,
        }),
        is_halved,
        is_magical: action.spell,
        damage,
        effect: effect(action, save, &path)?,
        aim: Aim::of(save.only.as_ref(), &format!("{path}.only"))?,
        worse: outcome(save.fails_by_5.as_ref(), &format!("{path}.fails by 5"))?,
        twice: outcome(save.fails_twice.as_ref(), &format!("{path}.fails twice"))?,
        drops: outcome(save.drops.as_ref(), &format!("{path}.drops"))?,
        ..Hit::of_damage(&[])
    })
}

/// An effect as a part of a save or of a hit, at a path; `None` if it changes nothing.
///
/// # Errors
/// A duration in other words, or damage that is not dice.
fn outcome(outcome: Option<&Outcome>, path: &str) -> Result<Option<Effect>, Wrong> {
    let Some(outcome) = outcome else {
        return Ok(None);
    };
    let conditions: Vec<Condition> = outcome
        .conditions
        .iter()
        .filter_map(|name| named(name))
        .collect();
    let each_turn = DamagePart::all(&outcome.each_turn, By::Effect, path)?;
    let lasts = outcome.lasts.as_deref();
    let (turns, ends) = turns(lasts).ok_or_else(|| {
        let what = format!("is `{}`", lasts.unwrap_or_default());
        Wrong::new(format!("{path}.lasts"), what).help("write it as in `for 1 minute`")
    })?;
    let does_something = !conditions.is_empty() || !each_turn.is_empty();
    Ok(does_something.then_some(Effect {
        turns,
        ends: match (outcome.until_damage, outcome.until_action) {
            (true, _) => Ends::Damage,
            (false, true) => Ends::Action,
            (false, false) => ends,
        },
        repeats: None,
        safe: Safe::Never,
        disables: None,
        conditions,
        each_turn,
    }))
}

/// The condition of a name.
fn named(name: &str) -> Option<Condition> {
    let name = name.to_lowercase();
    let mut all = Condition::ALL.into_iter().chain(Condition::OF_SPELLS);
    all.find(|condition| condition.name() == name)
}

/// What those suffer from who fail a save at a path.
fn effect(action: &Action, save: &Save, path: &str) -> Result<Option<Effect>, Wrong> {
    // Those who are held are restrained for as long as they are held.
    let is_held = |condition: &Condition| {
        let grapple = action.grapples.as_ref();
        *condition == Condition::Restrained && grapple.is_some_and(|one| one.restrains)
    };
    let conditions = save.conditions.iter().filter_map(|name| named(name));
    let conditions: Vec<Condition> = conditions.filter(|one| !is_held(one)).collect();
    let is_prone = conditions == [Condition::Prone];
    let (turns, ends) = match (&save.lasts, &save.repeats) {
        // SRD 5.1, Vrock: the repeated save ends it.
        (None, Some(_)) => (LASTING, Ends::OwnEnd),
        (lasts, _) => turns(lasts.as_deref()).unwrap_or((1, Ends::OwnEnd)),
    };
    let each_turn = DamagePart::all(&save.each_turn, By::Effect, path)?;
    let does_something = !conditions.is_empty() || !each_turn.is_empty();
    Ok(does_something.then_some(Effect {
        turns,
        ends: match save.until_damage {
            true => Ends::Damage,
            false => ends,
        },
        repeats: (save.repeats.is_some() && !is_prone).then_some(Repeat::SAME),
        safe: safe(action, save, path)?,
        disables: None,
        conditions,
        each_turn,
    }))
}

/// Who is immune to a save at a path after it.
///
/// # Errors
/// Another word than those that it may be.
fn safe(action: &Action, save: &Save, path: &str) -> Result<Safe, Wrong> {
    Ok(match save.immune.as_deref() {
        None if action.name == "Frightful Presence" => Safe::Over,
        None => Safe::Never,
        Some("saved") => Safe::SavedLater,
        Some("saved or over") => Safe::Over,
        Some(other) => {
            let wrong = Wrong::new(format!("{path}.immune"), format!("is `{other}`"));
            return Err(wrong.help("there are `saved` and `saved or over`"));
        }
    })
}

/// The parts of a save that are not modelled: conditions, and durations in other words.
pub(super) fn missing(save: &Save, grapples: bool) -> Vec<String> {
    let known = |name: &str| {
        let all = Condition::ALL.iter().chain(&Condition::OF_SPELLS);
        let mut all = all.map(|condition| condition.name());
        // Nothing depends on hearing.
        let is_without_effect = name == "deafened" || name == "grappled" && grapples;
        is_without_effect || all.any(|condition| condition == name)
    };
    let names = save.conditions.iter().map(|name| name.to_lowercase());
    let mut all: Vec<String> = names.filter(|name| !known(name)).collect();
    if let Some(lasts) = save
        .lasts
        .as_ref()
        .filter(|lasts| turns(Some(lasts)).is_none())
    {
        all.push(format!("`{lasts}`, which is one turn here"));
    }
    all
}

/// The number of turns that an effect lasts, and whose: `for 1 minute` is 10 of its victim, and an
/// hour is longer than any fight. By default it lasts to the end of the next turn of its victim, or
/// of its cause if the text says so. `None` for other words.
pub(super) fn turns(lasts: Option<&str>) -> Option<(u32, Ends)> {
    let Some(lasts) = lasts else {
        return Some((1, Ends::OwnEnd));
    };
    let words: Vec<&str> = lasts.split_whitespace().collect();
    match &words[..] {
        // SRD 5.1, Dretch: the cloud asks those whose turn starts, who are asked before it here.
        ["until", "the", "end" | "start", "of", "its" | "their", ..]
        | [
            "until",
            "the",
            "end" | "start",
            "of",
            "the",
            "creature's" | "target's",
            ..,
        ] => Some((1, Ends::OwnEnd)),
        ["until", "the", "end", "of", ..] => Some((2, Ends::CauseEnd)),
        ["until", "the", "start", "of", ..] => Some((1, Ends::CauseStart)),
        // SRD 5.1, Otyugh, Solar: nobody cures or removes it during a fight.
        ["until", .., "cured" | "removed"] => Some((LASTING, Ends::OwnEnd)),
        ["for", number, unit] => {
            let number: u32 = match *number {
                "a" | "an" | "one" => 1,
                digits => digits.parse().ok()?,
            };
            let rounds = match unit.trim_end_matches('s') {
                "round" | "turn" => 1,
                "minute" => 10,
                "hour" | "day" => LASTING,
                _ => return None,
            };
            Some((number.saturating_mul(rounds).min(LASTING), Ends::OwnEnd))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_stat_blocks_have_them() {
        assert_eq!(turns(Some("for 1 minute")), Some((10, Ends::OwnEnd)));
        assert_eq!(turns(Some("for 24 hours")), Some((LASTING, Ends::OwnEnd)));
        let next = "until the end of the mummy's next turn";
        assert_eq!(turns(Some(next)), Some((2, Ends::CauseEnd)));
        let next = "until the start of the vrock's next turn";
        assert_eq!(turns(Some(next)), Some((1, Ends::CauseStart)));
        let next = "until the end of the creature's next turn";
        assert_eq!(turns(Some(next)), Some((1, Ends::OwnEnd)));
        assert_eq!(turns(None), Some((1, Ends::OwnEnd)));
        let cured = "until the disease is cured";
        assert_eq!(turns(Some(cured)), Some((LASTING, Ends::OwnEnd)));
        assert_eq!(turns(Some("until dawn")), None);
    }
}
