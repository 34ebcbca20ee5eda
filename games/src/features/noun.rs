//! Nouns: the creatures in a trigger, a condition or an effect (seed 001, "NOUNS").

use std::fmt;

/// A noun.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Noun {
    /// The creature that has the feature.
    Myself,
    /// The creature of the trigger, or of an effect's conditions.
    Creature,
    /// All creatures for which the conditions of the effect hold.
    Creatures,
    /// An object.
    Object,
    /// A structure.
    Structure,
    /// A point in space, which whoever uses the feature chooses.
    Point,
    /// Any creature or object.
    Any,
    /// The terrain.
    Terrain,
    /// A creature or an object of this name, which the game finds.
    Named(String),
}

/// The nouns that are words of the format, as they are written.
const WORDS: [(&str, Noun); 8] = [
    ("self", Noun::Myself),
    ("creature", Noun::Creature),
    ("creatures", Noun::Creatures),
    ("object", Noun::Object),
    ("structure", Noun::Structure),
    ("point in space", Noun::Point),
    ("any", Noun::Any),
    ("terrain", Noun::Terrain),
];

impl Noun {
    /// The noun that a word of the format is; capitals do not matter.
    pub fn of_word(word: &str) -> Option<Self> {
        let mut words = WORDS.into_iter();
        words.find_map(|(name, noun)| name.eq_ignore_ascii_case(word).then_some(noun))
    }

    /// All words of the format that are nouns.
    pub fn words() -> impl Iterator<Item = &'static str> {
        WORDS.iter().map(|(name, _)| *name)
    }
}

impl fmt::Display for Noun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => f.write_str(name),
            noun => {
                let mut words = WORDS.iter();
                let word = words.find_map(|(word, other)| (other == noun).then_some(*word));
                f.write_str(word.unwrap_or_default())
            }
        }
    }
}
