//! Modifiers before the roll: which of them apply to a domain, and their sum (seed 003, "Modifier
//! System").

use super::predicate::{Options, Predicate};
use std::collections::BTreeMap;

/// The maximum sum of all modifiers of a roll, as a bonus or a penalty (seed 003, "Stacking
/// Rules").
pub const CAP: i64 = 60;

/// A bonus or a penalty to a roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modifier {
    /// What people call it: `Aim Bonus`.
    pub label: String,
    /// Above 0 a bonus, below 0 a penalty.
    pub value: i64,
    /// Where it comes from: `talent`, `equipment`.
    pub source: String,
    /// The rolls that it belongs to; `None` for all.
    pub domain: Option<Domain>,
    /// Of those in one group only the best bonus and the worst penalty apply.
    pub group: Option<String>,
    /// When it applies.
    pub predicate: Predicate,
    /// Whether it is switched on.
    pub enabled: bool,
    /// Whether the user may switch it for one roll.
    pub toggleable: bool,
}

impl Modifier {
    /// A bonus or a penalty that always applies to rolls of a domain.
    pub fn bonus(label: &str, domain: &str, value: i64, source: &str) -> Self {
        Self {
            label: label.to_owned(),
            value,
            source: source.to_owned(),
            domain: Some(Domain::new(domain)),
            group: None,
            predicate: Predicate::ALWAYS,
            enabled: true,
            toggleable: false,
        }
    }

    /// The same while an option is set.
    pub fn when(self, option: &str) -> Self {
        let predicate = Predicate::Set(option.to_owned());
        Self { predicate, ..self }
    }
}

/// The scope of a modifier: `skill:dodge`. `damage:*` is the same as `damage`, `armour:all` as
/// `armour`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain(String);

impl Domain {
    /// The domain of this name.
    pub fn new(name: &str) -> Self {
        let whole = name.strip_suffix(":*").unwrap_or(name);
        Self(
            if whole == "armour:all" {
                "armour"
            } else {
                whole
            }
            .to_owned(),
        )
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// Whether a roll of the domain `name` uses modifiers of this one: `skill:dodge:evade` uses
    /// those of `skill:dodge` (seed 003, "Domains").
    pub fn covers(&self, name: &str) -> bool {
        let rest = name.strip_prefix(self.0.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    }
}

/// A name as domains and options have it: `Razor Sharp` is `razor-sharp`.
pub(super) fn slug(name: &str) -> String {
    let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    words.join("-")
}

/// A roll that modifiers are collected for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked<'a> {
    /// Its domain: `attack:melee`.
    pub domain: &'a str,
    /// The characteristic that it tests, whose modifiers also apply: `ws`.
    pub characteristic: Option<&'a str>,
}

impl Asked<'_> {
    /// Whether the modifiers of a domain are collected.
    pub fn takes(&self, domain: &Domain) -> bool {
        let characteristic = self
            .characteristic
            .map(|name| format!("characteristic:{name}"));
        domain.covers(self.domain) || characteristic.is_some_and(|name| domain.covers(&name))
    }
}

/// A modifier with its result: applied, or the reason why not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its label.
    pub label: String,
    /// Its value.
    pub value: i64,
    /// Where it comes from.
    pub source: String,
    /// Why it does not apply; `None` if it does.
    pub why_not: Option<String>,
}

/// The resolved modifiers of a roll.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolved {
    /// Each modifier of the roll, in written order.
    pub lines: Vec<Line>,
    /// The sum of those that apply, within [`CAP`].
    pub total: i64,
    /// Whether the sum was beyond the cap.
    pub is_capped: bool,
}

impl Resolved {
    /// The labels of the modifiers that apply, in written order.
    pub fn applied(&self) -> impl Iterator<Item = &str> {
        let applied = self.lines.iter().filter(|line| line.why_not.is_none());
        applied.map(|line| line.label.as_str())
    }
}

/// Resolves the modifiers of a roll: those that are off or whose predicate fails do not count; in a
/// group, the best bonus and the worst penalty count, of equal ones the first; the sum is clamped
/// to [`CAP`] (seed 003, "Check Flow", 4).
pub fn resolve<'m>(
    modifiers: impl IntoIterator<Item = &'m Modifier>,
    asked: Asked<'_>,
    options: &Options,
) -> Resolved {
    let belongs = |modifier: &&Modifier| {
        let domain = modifier.domain.as_ref();
        domain.is_none_or(|domain| asked.takes(domain))
    };
    let modifiers: Vec<&Modifier> = modifiers.into_iter().filter(belongs).collect();
    let counts = |modifier: &Modifier| modifier.enabled && modifier.predicate.holds(options);
    let mut groups: BTreeMap<&str, Extremes<'_>> = BTreeMap::new();
    for modifier in modifiers.iter().filter(|modifier| counts(modifier)) {
        if let Some(group) = &modifier.group {
            groups.entry(group).or_default().add(modifier);
        }
    }
    let why_not = |modifier: &Modifier| match &modifier.group {
        _ if !modifier.enabled => Some("switched off".to_owned()),
        _ if !modifier.predicate.holds(options) => Some("its predicate does not hold".to_owned()),
        None => None,
        // Every modifier that gets here has been added to its group.
        Some(group) => groups[group.as_str()].why_not(modifier, group),
    };
    let (mut lines, mut sum) = (Vec::new(), 0_i128);
    for modifier in modifiers {
        let why_not = why_not(modifier);
        if why_not.is_none() {
            sum += i128::from(modifier.value);
        }
        lines.push(Line {
            label: modifier.label.clone(),
            value: modifier.value,
            source: modifier.source.clone(),
            why_not,
        });
    }
    let cap = i128::from(CAP);
    Resolved {
        lines,
        // Within the cap, so it fits.
        total: sum.clamp(-cap, cap) as i64,
        is_capped: sum.abs() > cap,
    }
}

/// The modifiers of a group that count.
#[derive(Default)]
struct Extremes<'m> {
    bonus: Option<&'m Modifier>,
    penalty: Option<&'m Modifier>,
}

impl<'m> Extremes<'m> {
    fn add(&mut self, modifier: &'m Modifier) {
        let best = match modifier.value {
            1.. => &mut self.bonus,
            0 => return,
            _ => &mut self.penalty,
        };
        let weaker = |old: &Modifier| old.value.unsigned_abs() < modifier.value.unsigned_abs();
        if best.is_none_or(weaker) {
            *best = Some(modifier);
        }
    }

    /// Why a modifier of the group does not count, if it does not.
    fn why_not(&self, modifier: &Modifier, group: &str) -> Option<String> {
        let best = match modifier.value {
            1.. => self.bonus,
            0 => None,
            _ => self.penalty,
        };
        match best {
            None => Some(format!("0, of the group `{group}`")),
            Some(best) if std::ptr::eq(best, modifier) => None,
            Some(best) => Some(format!(
                "`{}` of the group `{group}` counts instead",
                best.label
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: Asked<'_> = Asked {
        domain: "any",
        characteristic: None,
    };

    fn modifier(label: &str, value: i64, group: Option<&str>) -> Modifier {
        Modifier {
            label: label.to_owned(),
            value,
            source: "test".to_owned(),
            domain: None,
            group: group.map(str::to_owned),
            predicate: Predicate::ALWAYS,
            enabled: true,
            toggleable: false,
        }
    }

    /// Seed 003, "Stacking Rules": its example, and the cap.
    #[test]
    fn the_example_of_the_seed() {
        let modifiers = [
            modifier("Aim talent", 10, Some("aim")),
            modifier("Better aim talent", 20, Some("aim")),
            modifier("Prone", -10, None),
        ];
        let resolved = resolve(&modifiers, ANY, &Options::default());
        assert_eq!((resolved.total, resolved.is_capped), (10, false));
        let applied: Vec<&str> = resolved.applied().collect();
        assert_eq!(applied, ["Better aim talent", "Prone"]);
        let why_not = "`Better aim talent` of the group `aim` counts instead";
        assert_eq!(resolved.lines[0].why_not.as_deref(), Some(why_not));

        let many = [modifier("a", 50, None), modifier("b", 30, None)];
        let resolved = resolve(&many, ANY, &Options::default());
        assert_eq!((resolved.total, resolved.is_capped), (60, true));
        let many = [modifier("a", i64::MIN, None), modifier("b", i64::MIN, None)];
        assert_eq!(resolve(&many, ANY, &Options::default()).total, -60);
    }

    #[test]
    fn groups_have_a_bonus_and_a_penalty_and_the_first_of_equals() {
        let modifiers = [
            modifier("none", 0, Some("g")),
            modifier("first", 5, Some("g")),
            modifier("second", 5, Some("g")),
            modifier("bad", -3, Some("g")),
            modifier("worse", -7, Some("g")),
            modifier("other", 1, Some("h")),
            modifier("nothing", 0, None),
        ];
        let resolved = resolve(&modifiers, ANY, &Options::default());
        assert_eq!(resolved.total, 5 - 7 + 1);
        let applied: Vec<&str> = resolved.applied().collect();
        assert_eq!(applied, ["first", "worse", "other", "nothing"]);
    }

    /// Seed 003, "Domains"; issue 15, 2.
    #[test]
    fn domains_are_inherited_downwards() {
        let covers = |domain: &str, name| Domain::new(domain).covers(name);
        assert!(covers("skill:dodge", "skill:dodge:evade"));
        assert!(!covers("skill:dodge:evade", "skill:dodge"));
        assert!(!covers("skill:dodge", "skill:dodgeball"));
        assert!(covers("damage:*", "damage:melee"));
        let asked = Asked {
            domain: "skill:parry",
            characteristic: Some("ws"),
        };
        assert!(asked.takes(&Domain::new("characteristic:ws")));
        assert!(!asked.takes(&Domain::new("characteristic:bs")));
    }
}
