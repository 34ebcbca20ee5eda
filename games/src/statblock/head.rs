//! Lines of the head of a stat block, in the wordings of 5.1 and 5.2.

use super::numbers::{SIZES, ability};
use super::raw::{Defence, Raw, number};

/// The label of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    ArmorClass,
    HitPoints,
    Speed,
    Initiative,
    Scores,
    Saves,
    Skills,
    Vulnerable,
    Resists,
    Immune,
    ConditionImmune,
    Senses,
    Languages,
    Challenge,
    Proficiency,
    Gear,
}

/// The labels as texts have them: longer ones first.
const LABELS: [(&str, Label); 29] = [
    ("armor class", Label::ArmorClass),
    ("armour class", Label::ArmorClass),
    ("ac", Label::ArmorClass),
    ("hit points", Label::HitPoints),
    ("hp", Label::HitPoints),
    ("speed", Label::Speed),
    ("initiative", Label::Initiative),
    ("ability scores", Label::Scores),
    ("str", Label::Scores),
    ("dex", Label::Scores),
    ("con", Label::Scores),
    ("int", Label::Scores),
    ("wis", Label::Scores),
    ("cha", Label::Scores),
    ("mod", Label::Scores),
    ("saving throws", Label::Saves),
    ("skills", Label::Skills),
    ("damage vulnerabilities", Label::Vulnerable),
    ("vulnerabilities", Label::Vulnerable),
    ("damage resistances", Label::Resists),
    ("resistances", Label::Resists),
    ("damage immunities", Label::Immune),
    ("immunities", Label::Immune),
    ("condition immunities", Label::ConditionImmune),
    ("senses", Label::Senses),
    ("languages", Label::Languages),
    ("challenge", Label::Challenge),
    ("cr", Label::Challenge),
    ("proficiency bonus", Label::Proficiency),
];

impl Label {
    /// Its name in our words.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::ArmorClass => "Armor Class",
            Self::HitPoints => "Hit Points",
            Self::Speed => "Speed",
            Self::Initiative => "Initiative",
            Self::Scores => "Abilities",
            Self::Saves => "Saving Throws",
            Self::Skills => "Skills",
            Self::Vulnerable => "Vulnerabilities",
            Self::Resists => "Resistances",
            Self::Immune => "Immunities",
            Self::ConditionImmune => "Condition Immunities",
            Self::Senses => "Senses",
            Self::Languages => "Languages",
            Self::Challenge => "Challenge",
            Self::Proficiency => "Proficiency Bonus",
            Self::Gear => "Gear",
        }
    }

    /// Whether a line with this label and rest cannot be the beginning of a trait.
    pub(super) fn is_sure(self, rest: &str) -> bool {
        let is_number = rest.starts_with(|sign: char| sign.is_ascii_digit() || sign == '+');
        is_number || matches!(self, Self::Scores | Self::Saves | Self::Skills)
    }

    /// Whether fights use what the line says.
    pub(super) fn matters(self) -> bool {
        use Label::{Challenge, Gear, Languages, Senses};
        !matches!(self, Challenge | Gear | Languages | Senses)
    }

    /// Whether a trait may follow.
    pub(super) fn is_last(self) -> bool {
        matches!(
            self,
            Self::Challenge | Self::Languages | Self::Senses | Self::Proficiency
        )
    }
}

/// The label with which a line begins, and the rest of the line.
pub(super) fn label(line: &str) -> Option<(Label, &str)> {
    let all = LABELS
        .into_iter()
        .chain([("gear", Label::Gear), ("save", Label::Scores)]);
    let mut found = all.filter_map(|(text, label)| {
        let start = line.get(..text.len())?;
        let rest = &line[text.len()..];
        let is_whole = rest.is_empty() || rest.starts_with([' ', ':', '.']);
        let is_it = start.eq_ignore_ascii_case(text) && is_whole;
        is_it.then(|| (label, rest.trim_start_matches([' ', ':', '.'])))
    });
    let (label, rest) = found.next()?;
    // `Speed is life.` is not a line of the head, and neither is `Con artist`.
    let is_number = |text: &str| text.chars().any(|sign| sign.is_ascii_digit());
    let is_plausible = match label {
        Label::ArmorClass | Label::HitPoints | Label::Speed | Label::Initiative => is_number(rest),
        Label::Scores => rest.len() < 90,
        _ => true,
    };
    is_plausible.then_some((label, rest))
}

/// Reads the line of size, type and alignment: `Medium humanoid (any race), neutral`.
pub(super) fn read_type(line: &str, raw: &mut Raw) -> bool {
    let lower = line.to_lowercase();
    let mut words = lower.split(|sign: char| !sign.is_alphabetic());
    let Some(size) = words.next().filter(|word| SIZES.contains(word)) else {
        return false;
    };
    let (what, alignment) = match lower.rsplit_once(", ") {
        Some((what, alignment)) => (what, Some(alignment)),
        None => (&*lower, None),
    };
    let is_alignment = alignment.is_some_and(|text| {
        [
            "aligned", "neutral", "good", "evil", "any", "chaotic", "lawful",
        ]
        .iter()
        .any(|one| text.contains(one))
    });
    let what = what.trim_start_matches(size).trim();
    let what = what
        .strip_prefix("or ")
        .map_or(what, |rest| rest.split_once(' ').map_or("", |rest| rest.1));
    if !is_alignment || what.is_empty() || what.len() > 60 {
        return false;
    }
    raw.size = Some(size.to_owned());
    raw.kind = Some(what.to_owned());
    raw.alignment = alignment.map(str::to_owned);
    true
}

/// Reads a line; whether all of it is known.
pub(super) fn read_line(label: Label, text: &str, raw: &mut Raw) -> bool {
    match label {
        Label::ArmorClass => {
            let (ac, initiative) = split(text, "initiative");
            raw.ac = leading(ac);
            if let Some(initiative) = initiative {
                raw.initiative = leading(initiative);
            }
            raw.ac.is_some()
        }
        Label::Initiative => {
            raw.initiative = leading(text);
            raw.initiative.is_some()
        }
        Label::HitPoints => {
            raw.hp = leading(text);
            let dice = text
                .split_once('(')
                .and_then(|(_, rest)| rest.split_once(')'));
            raw.hp_dice = dice.map(|(dice, _)| dice.replace(' ', ""));
            raw.hp.is_some()
        }
        Label::Speed => speeds(text, raw),
        Label::Scores => true,
        Label::Saves => {
            let saves = bonuses(text).into_iter();
            for (name, bonus) in saves {
                if let Some(ability) = ability(&name) {
                    raw.saves.insert(ability, bonus);
                }
            }
            true
        }
        Label::Skills => {
            raw.skills.extend(bonuses(text));
            true
        }
        Label::Vulnerable => defences(text, Defence::Vulnerable, raw),
        Label::Resists => defences(text, Defence::Resists, raw),
        Label::Immune => defences(text, Defence::Immune, raw),
        Label::ConditionImmune => defences(text, Defence::Conditions, raw),
        Label::Senses => {
            let parts = text.split([',', ';']).filter_map(|part| {
                let (name, feet) = part.trim().split_once(' ')?;
                Some((name.to_lowercase(), leading(feet)?))
            });
            raw.senses
                .extend(parts.filter(|(name, _)| name != "passive"));
            true
        }
        Label::Languages | Label::Gear => true,
        Label::Challenge => {
            challenge(text, raw);
            true
        }
        Label::Proficiency => {
            raw.proficiency = leading(text);
            raw.proficiency.is_some()
        }
    }
}

fn defences(text: &str, of: Defence, raw: &mut Raw) -> bool {
    raw.defences(text, of);
    true
}

/// A text before and after a word, in any case.
fn split<'t>(text: &'t str, word: &str) -> (&'t str, Option<&'t str>) {
    let found = text.to_ascii_lowercase().find(word);
    match found {
        Some(at) => (&text[..at], text.get(at + word.len()..)),
        None => (text, None),
    }
}

/// The number with which a text begins.
fn leading(text: &str) -> Option<i64> {
    let text = text.trim().trim_start_matches([':', '+', ' ']);
    let is_number = |sign: char| sign.is_ascii_digit() || sign == '-' || sign == ',';
    let end = text.find(|sign| !is_number(sign)).unwrap_or(text.len());
    number(&text[..end]).map(|number| number as i64)
}

/// `30 ft., fly 60 ft. (hover)`.
fn speeds(text: &str, raw: &mut Raw) -> bool {
    for part in text.split([',', ';']) {
        let part = part.trim().to_lowercase();
        let digits: String = part.chars().filter(char::is_ascii_digit).collect();
        let Ok(feet) = digits.parse() else {
            continue;
        };
        let ways = ["fly", "swim", "climb", "burrow"];
        let way = ways.iter().find(|way| part.starts_with(**way));
        raw.speed.insert((*way.unwrap_or(&"walk")).to_owned(), feet);
    }
    !raw.speed.is_empty()
}

/// `Dex +5, Sleight of Hand +7`.
fn bonuses(text: &str) -> Vec<(String, i64)> {
    let parts = text.split([',', ';']).filter_map(|part| {
        let (name, bonus) = part.trim().rsplit_once([' '])?;
        let bonus = number(bonus)?;
        Some((
            name.trim().trim_end_matches(':').to_lowercase(),
            bonus as i64,
        ))
    });
    parts.collect()
}

/// `5 (1,800 XP)`, `5 (XP 1,800; PB +3)`.
fn challenge(text: &str, raw: &mut Raw) {
    let text = text
        .trim_start_matches("Rating")
        .trim_start_matches("rating");
    let first = text.split_whitespace().next().unwrap_or_default();
    raw.cr = number(first);
    for part in text.split(['(', ')', ';', ',']) {
        let words: Vec<&str> = part.split_whitespace().collect();
        if let ["PB", bonus] = words[..] {
            raw.proficiency = number(bonus).map(|bonus| bonus as i64);
        }
    }
    let inner = text.split_once('(').map_or("", |(_, inner)| inner);
    let words: Vec<&str> = inner.split([' ', ')', ';']).collect();
    for pair in words.windows(2) {
        let xp = match pair {
            ["XP", xp] | [xp, "XP"] => number(xp.trim_end_matches(',')),
            _ => None,
        };
        raw.xp = raw.xp.or(xp.map(|xp| xp as i64));
    }
}
