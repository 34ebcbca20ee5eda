//! Durations: the list of the seed, and any trigger.

use super::change::save;
use super::condition::number;
use super::phrase::Said;
use super::trigger::{is_like_a_trigger, trigger_said};
use crate::features::document::{Node, Piece};
use crate::features::findings::Findings;
use crate::features::model::{Advantage, Duration, Unit};
use dicec_lang::syntax::Code;

/// The meaning of a phrase as a duration.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    EndOfTurn,
    StartOfNextTurn,
    EndOfOwnNextTurn,
    EndOfTargetNextTurn,
    UntilAction,
    UntilOverridden,
    UntilSpell,
    UntilEffect,
    Saves(Advantage),
}

/// The phrases that are durations (seed 001, "EFFECTS"). More special ones come first.
const PHRASES: &[(Meaning, &str)] = &[
    (Meaning::EndOfTurn, "End of turn"),
    (Meaning::StartOfNextTurn, "Start of next turn"),
    (Meaning::EndOfOwnNextTurn, "End of self next turn"),
    (Meaning::EndOfTargetNextTurn, "End of target next turn"),
    (Meaning::UntilAction, "Until action is taken to end"),
    (Meaning::UntilOverridden, "Until overridden or dead"),
    (Meaning::UntilEffect, "Until other effect expires"),
    (Meaning::UntilEffect, "Until EFFECT expires"),
    (Meaning::UntilSpell, "Until certain spell is cast"),
    (Meaning::UntilSpell, "Until SPELL is cast"),
    (
        Meaning::Saves(Advantage::Advantage),
        "Repeated saves at advantage",
    ),
    (
        Meaning::Saves(Advantage::Disadvantage),
        "Repeated saves at disadvantage",
    ),
    (Meaning::Saves(Advantage::None), "Repeated saves"),
];

/// The units of time as they are written.
const UNITS: [(&[&str], Unit); 6] = [
    (&["sec", "secs", "second", "seconds"], Unit::Second),
    (&["min", "mins", "minute", "minutes"], Unit::Minute),
    (&["hr", "hrs", "hour", "hours"], Unit::Hour),
    (&["day", "days"], Unit::Day),
    (&["month", "months"], Unit::Month),
    (&["year", "years"], Unit::Year),
];

/// Reads a duration.
pub(super) fn duration(node: &Node, findings: &mut Findings) -> Option<Duration> {
    let said = Said::read(node, "a duration", findings)?;
    if let (Some((count, unit)), true) = (time(said.words), said.values.is_empty()) {
        let count = number(count, findings)?;
        return Some(Duration::Time { count, unit });
    }
    // A repeated saving throw has its own difficulty and ability, or those of the effect.
    let asked = Said {
        values: Vec::new(),
        ..said.clone()
    };
    let asked = match asked.is_open(PHRASES) {
        true => &said,
        false => &asked,
    };
    let Some(found) = asked.find(PHRASES, findings).ok()? else {
        if is_like_a_trigger(&said) {
            return trigger_said(&said, findings).map(Duration::Until);
        }
        said.unknown("a duration", PHRASES, findings);
        return None;
    };
    let text = || found.values.first().map(|piece| piece.text.to_owned());
    Some(match found.meaning {
        Meaning::Saves(advantage) => {
            let own = match said.values.as_slice() {
                [] => None,
                [dc, ability] => Some(save(*dc, *ability, findings)?),
                _ => {
                    let help = "write [\"Repeated saves\", DC, ABILITY], or \"Repeated saves\" for that of the effect";
                    let what = "needs a difficulty and an ability, or neither";
                    findings.error(Code::BadFeature, &said.words, what, help);
                    return None;
                }
            };
            Duration::RepeatedSaves(own, advantage)
        }
        Meaning::EndOfTurn => Duration::EndOfTurn,
        Meaning::StartOfNextTurn => Duration::StartOfNextTurn,
        Meaning::EndOfOwnNextTurn => Duration::EndOfOwnNextTurn,
        Meaning::EndOfTargetNextTurn => Duration::EndOfTargetNextTurn,
        Meaning::UntilAction => Duration::UntilAction,
        Meaning::UntilOverridden => Duration::UntilOverridden,
        Meaning::UntilSpell => {
            findings.without_effect(
                &said.words,
                "waits for a spell, which nobody casts in a fight",
            );
            Duration::UntilSpell(text().unwrap_or_else(|| "certain spell".to_owned()))
        }
        Meaning::UntilEffect => {
            Duration::UntilEffect(text().unwrap_or_else(|| "other effect".to_owned()))
        }
    })
}

/// `1 min`: a number and a unit of time.
fn time(piece: Piece<'_>) -> Option<(Piece<'_>, Unit)> {
    let words = piece.words();
    let [count, unit] = words[..] else {
        return None;
    };
    let mut units = UNITS.iter();
    let (_, unit) = units.find(|(names, _)| {
        let mut names = names.iter();
        names.any(|name| name.eq_ignore_ascii_case(unit.text))
    })?;
    Some((count, *unit))
}
