//! Effects on creatures that may make a save, and what happens to those that fail it.

use super::condition::Condition;
use super::damage::{By, DamagePart};
use super::roll_class::RollRule;
use crate::encounter::bestiary::{ABILITIES, Action, Save};
use crate::encounter::wrong::Wrong;

/// The effect of an action, a hit or a feature, usually after a failed save.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Hit {
    /// The saving throw; without one, the effect always happens.
    pub(in crate::encounter) ask: Option<Ask>,
    /// Whether a successful save halves the damage; otherwise it avoids all damage.
    pub(in crate::encounter) is_halved: bool,
    /// Whether it is magical: advantage for those with Magic Resistance.
    pub(in crate::encounter) is_magical: bool,
    pub(in crate::encounter) damage: Vec<DamagePart>,
    pub(in crate::encounter) effect: Option<Effect>,
    /// Whether a failed save kills.
    pub(in crate::encounter) kills: bool,
    /// The number of feet that a failed save pushes the creature away, in fights with distances.
    pub(in crate::encounter) pushes: u32,
    /// The equipment that corrodes after a failed save.
    pub(in crate::encounter) corrodes: Option<Gear>,
}

/// Equipment that may corrode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum Gear {
    /// 1 is taken from the armour class, down to 10.
    Armour,
    /// 1 is taken from the damage of hits, up to 5.
    Weapon,
}

/// A saving throw, or a check.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Ask {
    /// STR, DEX, CON, INT, WIS or CHA.
    pub(in crate::encounter) ability: String,
    pub(in crate::encounter) dc: i64,
    pub(in crate::encounter) roll: Roll,
}

/// The kind of roll that avoids the effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum Roll {
    /// By a saving throw.
    Save,
    /// By an ability check that reaches the number.
    Check,
    /// By an ability check that stays below the number: some files say so.
    LowCheck,
}

impl Hit {
    /// Damage, and nothing else.
    pub(in crate::encounter) fn of_damage(damage: &[DamagePart]) -> Self {
        Self {
            ask: None,
            is_halved: false,
            is_magical: false,
            damage: damage.to_vec(),
            effect: None,
            kills: false,
            pushes: 0,
            corrodes: None,
        }
    }

    /// Whether it has no effect.
    pub(in crate::encounter) fn does_nothing(&self) -> bool {
        let is_harmless = !self.kills && self.pushes == 0 && self.corrodes.is_none();
        self.damage.is_empty() && self.effect.is_none() && is_harmless
    }

    /// Whether it disables a feature for a time.
    pub(super) fn takes_away(&self, feature: &str) -> bool {
        let effect = self.effect.as_ref();
        effect.is_some_and(|effect| effect.takes_away(feature))
    }

    /// Whether it may do damage.
    pub(in crate::encounter) fn does_damage(&self) -> bool {
        !self.damage.is_empty()
    }

    /// Whether its save is of this ability.
    pub(in crate::encounter) fn asks_for(&self, ability: &str) -> bool {
        let ask = self.ask.as_ref();
        ask.is_some_and(|ask| ask.ability == ability && ask.roll == Roll::Save)
    }
}

/// The creatures that are safe from an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum Safe {
    /// None.
    Never,
    /// Those that made the save.
    Saved,
    /// Also those for which the effect has ended (Frightful Presence).
    Over,
}

/// Conditions after a failed save, with their duration.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Effect {
    pub(in crate::encounter) conditions: Vec<Condition>,
    /// The number of turns, of the kind in `ends`, that it lasts.
    pub(in crate::encounter) turns: u32,
    /// The event that ends it.
    pub(in crate::encounter) ends: Ends,
    /// The save at the end of each turn, if there is one.
    pub(in crate::encounter) repeats: Option<Repeat>,
    /// The creatures that are safe from it for the rest of the fight.
    pub(in crate::encounter) safe: Safe,
    /// The feature that does not act while it lasts.
    pub(in crate::encounter) disables: Option<String>,
}

/// The event that ends an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum Ends {
    /// The end of turns of its victim.
    OwnEnd,
    /// The start of a turn of its victim.
    OwnStart,
    /// The end of turns of whoever causes it: of the one in which it begins, too, if `turns` is 1.
    CauseEnd,
    /// The start of a turn of whoever causes it.
    CauseStart,
    /// The end of the turn in which it begins, whoever's that is.
    Turn,
    /// Damage to its victim.
    Damage,
    /// An action that its victim uses for that.
    Action,
    /// A move of its victim.
    Move,
    /// A move of whoever causes it.
    CauseMove,
}

/// A save that is repeated.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Repeat {
    /// The repeated save, if it differs from the first one.
    pub(in crate::encounter) ask: Option<Ask>,
    /// Its advantage or disadvantage.
    pub(in crate::encounter) edge: Option<RollRule>,
}

impl Repeat {
    /// The save that was made at first.
    pub(in crate::encounter) const SAME: Self = Self {
        ask: None,
        edge: None,
    };

    /// Whether it is the save that was made at first.
    pub(in crate::encounter) fn is_same(&self) -> bool {
        self.ask.is_none() && self.edge.is_none()
    }
}

impl Effect {
    /// Whether the script must store which creature caused it.
    pub(super) fn needs_cause(&self) -> bool {
        matches!(
            self.ends,
            Ends::CauseStart | Ends::CauseEnd | Ends::CauseMove
        )
    }

    /// Whether it keeps a feature from acting.
    pub(in crate::encounter) fn takes_away(&self, feature: &str) -> bool {
        let name = self.disables.as_ref();
        name.is_some_and(|name| name.eq_ignore_ascii_case(feature))
    }

    /// Its conditions in words: `blinded and prone`.
    pub(in crate::encounter) fn names(&self) -> String {
        if let Some(feature) = &self.disables {
            return format!("without {feature}");
        }
        let names = self.conditions.iter().map(|condition| condition.name());
        names.collect::<Vec<_>>().join(" and ")
    }
}

/// The turns of an effect that outlasts a fight.
pub(in crate::encounter) const LASTING: u32 = 1000;

/// The save after a hit of an attack.
pub(super) fn rider(action: &Action, by: By, path: &str) -> Result<Option<Hit>, Wrong> {
    let by = if by == By::Spell {
        By::Spell
    } else {
        By::Effect
    };
    let Some(save) = &action.save else {
        return Ok(None);
    };
    let damage = DamagePart::all(&save.damage, by, &format!("{path}.save"))?;
    let hit = hit(action, save, damage, path)?;
    Ok((!hit.damage.is_empty() || hit.effect.is_some()).then_some(hit))
}

/// The save of an action that is not an attack.
pub(super) fn blast(action: &Action, path: &str) -> Result<Option<Hit>, Wrong> {
    let Some(save) = action
        .save
        .as_ref()
        .filter(|_| action.bonus.is_none_or(|bonus| bonus == 0))
    else {
        return Ok(None);
    };
    let by = match action.spell {
        true => By::Spell,
        false => By::Effect,
    };
    let mut damage = DamagePart::all(&action.damage, by, path)?;
    damage.extend(DamagePart::all(&save.damage, by, &format!("{path}.save"))?);
    let hit = hit(action, save, damage, path)?;
    let does_something =
        !hit.damage.is_empty() || hit.effect.is_some() || action.grapples.is_some();
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
        effect: effect(action, save),
        ..Hit::of_damage(&[])
    })
}

fn effect(action: &Action, save: &Save) -> Option<Effect> {
    let named = |name: &String| {
        let name = name.to_lowercase();
        let mut all = Condition::ALL.into_iter();
        all.find(|condition| condition.name() == name)
    };
    // Those who are held are restrained for as long as they are held.
    let is_held = |condition: &Condition| {
        let grapple = action.grapples.as_ref();
        *condition == Condition::Restrained && grapple.is_some_and(|one| one.restrains)
    };
    let conditions = save.conditions.iter().filter_map(named);
    let conditions: Vec<Condition> = conditions.filter(|one| !is_held(one)).collect();
    let is_prone = conditions == [Condition::Prone];
    let (turns, ends) = match (&save.lasts, &save.repeats) {
        // SRD 5.1, Vrock: the repeated save ends it.
        (None, Some(_)) => (LASTING, Ends::OwnEnd),
        (lasts, _) => turns(lasts.as_deref()).unwrap_or((1, Ends::OwnEnd)),
    };
    (!conditions.is_empty()).then(|| Effect {
        turns,
        ends,
        repeats: (save.repeats.is_some() && !is_prone).then_some(Repeat::SAME),
        safe: match action.name.as_str() {
            "Frightful Presence" => Safe::Over,
            _ => Safe::Never,
        },
        disables: None,
        conditions,
    })
}

/// The parts of a save that are not modelled: conditions, and durations in other words.
pub(super) fn missing(save: &Save, grapples: bool) -> Vec<String> {
    let known = |name: &str| {
        let mut all = Condition::ALL.iter().map(|condition| condition.name());
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
fn turns(lasts: Option<&str>) -> Option<(u32, Ends)> {
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
