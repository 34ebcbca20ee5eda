//! Qualities of weapons as rule elements (seed 003, "Weapon Qualities").

use super::element::{DegreeAdjustment, DiceChange, DiceOverride, Element, OptionElement};
use super::modifier::{Domain, Modifier, slug};
use super::predicate::Predicate;
use dicec_lang::syntax::nearest;

/// The qualities with rules, without their numbers. Those for areas, `Blast` and `Spray`, and for
/// jams, `Reliable`, only set options.
const QUALITIES: [&str; 11] = [
    "Accurate",
    "Balanced",
    "Tearing",
    "Proven",
    "Primitive",
    "Reliable",
    "Razor Sharp",
    "Felling",
    "Blast",
    "Flame",
    "Spray",
];

/// Those of [`QUALITIES`] that need a number.
const RATED: [&str; 4] = ["proven", "primitive", "felling", "blast"];

/// The option for aiming with two half actions (seed 003, "Common Roll Options").
const FULL_AIM: &str = "self:aim:full";

/// A quality of a weapon: `Proven(3)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quality {
    /// Its name in lower case, with hyphens: `razor-sharp`.
    pub(super) slug: String,
    /// The number in its parentheses.
    pub(super) rating: Option<i64>,
    /// As it was written.
    pub(super) label: String,
}

impl Quality {
    /// Reads a quality as it is written.
    pub(super) fn read(text: &str) -> Self {
        let label = text.trim();
        let rated = label
            .strip_suffix(')')
            .and_then(|text| text.rsplit_once('('));
        let rated = rated.and_then(|(name, number)| Some((name, number.trim().parse().ok()?)));
        let (name, rating) = match rated {
            Some((name, rating)) => (name, Some(rating)),
            None => (label, None),
        };
        Self {
            slug: slug(name),
            rating,
            label: label.to_owned(),
        }
    }

    /// Whether it is one of [`QUALITIES`].
    pub(super) fn is_known(&self) -> bool {
        QUALITIES.iter().any(|name| slug(name) == self.slug)
    }

    /// Whether its number is missing.
    pub(super) fn needs_number(&self) -> bool {
        self.rating.is_none() && RATED.contains(&self.slug.as_str())
    }

    /// The one of [`QUALITIES`] that was probably meant. A typo usually keeps the beginning of a
    /// name: `Unreliable` is not `Reliable`.
    pub(super) fn nearest(&self) -> Option<&'static str> {
        let words = self.slug.replace('-', " ");
        let begins = |name: &str| slug(name).chars().next() == words.chars().next();
        nearest(&words, QUALITIES.into_iter().filter(|name| begins(name)))
    }

    /// The option that it sets.
    pub(super) fn option(&self) -> String {
        format!("weapon:quality:{}", self.slug)
    }

    /// Its effects, in the order in which they apply. Every quality sets an option; some are part
    /// of the attack itself.
    pub(super) fn elements(&self) -> Vec<Element> {
        let mut all = vec![Element::Option(OptionElement {
            option: self.option(),
            predicate: Predicate::ALWAYS,
        })];
        match self.slug.as_str() {
            "accurate" => {
                // Who aims fully aims, whether or not the shorter option is set, too.
                let aims = ["self:aim", FULL_AIM].map(|option| Predicate::Set(option.to_owned()));
                all.push(Element::Modifier(Modifier {
                    predicate: Predicate::Any(aims.into()),
                    ..self.bonus("attack:ranged", 10)
                }));
                all.push(Element::Degrees(DegreeAdjustment {
                    label: self.label.clone(),
                    amount: 1,
                    domain: Some(Domain::new("attack:ranged")),
                    predicate: Predicate::Set(FULL_AIM.to_owned()),
                }));
            }
            "balanced" => all.push(Element::Modifier(self.bonus("skill:parry", 10))),
            "tearing" => all.push(self.dice(DiceChange::RerollLowest)),
            "proven" => all.extend(self.rating.map(|n| self.dice(DiceChange::AtLeast(n)))),
            "primitive" => all.extend(self.rating.map(|n| self.dice(DiceChange::AtMost(n)))),
            _ => {}
        }
        all
    }

    fn bonus(&self, domain: &str, value: i64) -> Modifier {
        Modifier::bonus(&self.label, domain, value, "quality")
    }

    fn dice(&self, change: DiceChange) -> Element {
        Element::Dice(DiceOverride {
            label: self.label.clone(),
            domain: Domain::new("damage"),
            change,
            predicate: Predicate::ALWAYS,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seed 003, "Weapon Qualities".
    #[test]
    fn qualities_are_read_as_they_are_written() {
        let read = |text| {
            let Quality { slug, rating, .. } = Quality::read(text);
            (slug, rating)
        };
        assert_eq!(read("Proven(3)"), ("proven".to_owned(), Some(3)));
        assert_eq!(read("Razor Sharp"), ("razor-sharp".to_owned(), None));
        assert_eq!(read(" Felling (2) "), ("felling".to_owned(), Some(2)));
        assert_eq!(Quality::read("Reliable").elements().len(), 1);
        assert_eq!(Quality::read("Accurate").elements().len(), 3);
        let near = |text| Quality::read(text).nearest();
        assert_eq!(near("Provne(3)"), Some("Proven"));
        assert_eq!(near("Unreliable"), None);
    }
}
