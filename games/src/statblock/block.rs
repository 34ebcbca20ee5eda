//! A stat block as it was understood.

use crate::edition::Edition;
use serde::Serialize;
use serde_json::Value;

/// A stat block: the creature in our own layout, and every sentence with a verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Block {
    /// The format in which it was written.
    pub format: Format,
    /// The edition of the rules whose wording it has.
    pub edition: Edition,
    /// The creature, in the layout of `dicec encounter --describe creature`.
    pub creature: Value,
    /// Its head and its entries, in the order of the text.
    pub entries: Vec<Entry>,
}

impl Block {
    /// The name of the creature.
    pub fn name(&self) -> &str {
        let name = self.creature.get("name").and_then(Value::as_str);
        name.unwrap_or_default()
    }
}

/// A trait, an action or another entry; the head is one, too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The part of the stat block that it is in.
    pub section: Section,
    /// Its name; empty for the head.
    pub name: String,
    /// Its sentences, in order.
    pub sentences: Vec<Sentence>,
}

/// A sentence, or a line of the head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sentence {
    /// Its text, repaired.
    pub text: String,
    /// Whether fights play it.
    pub verdict: Verdict,
    /// The words of it that fights do not play; empty unless it is not modelled.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub missing: String,
    /// The words of it that fights do not play in which distances count.
    #[serde(
        skip_serializing_if = "String::is_empty",
        rename = "missing with distances"
    )]
    pub missing_with_distances: String,
}

/// Whether fights play a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// All of it that matters.
    Modelled,
    /// It changes no fight.
    WithoutEffect,
    /// Not, or not all of it.
    NotModelled,
}

impl Verdict {
    /// The verdict in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Modelled => "modelled",
            Self::WithoutEffect => "without effect in a fight",
            Self::NotModelled => "not modelled",
        }
    }
}

/// A part of a stat block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Section {
    /// Numbers, defences, senses.
    Head,
    /// Traits.
    Traits,
    /// Actions.
    Actions,
    /// Bonus actions.
    BonusActions,
    /// Reactions.
    Reactions,
    /// Legendary actions.
    Legendary,
    /// Actions of a lair, and effects around it.
    Lair,
}

impl Section {
    /// Its heading.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Head => "Head",
            Self::Traits => "Traits",
            Self::Actions => "Actions",
            Self::BonusActions => "Bonus actions",
            Self::Reactions => "Reactions",
            Self::Legendary => "Legendary actions",
            Self::Lair => "Lair",
        }
    }
}

/// A format of stat blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// The text of a page or a PDF.
    Text,
    /// Our own JSON.
    Own,
    /// JSON of Open5e, version 1.
    Open5e1,
    /// JSON of Open5e, version 2.
    Open5e2,
    /// JSON of 5etools.
    FiveTools,
    /// An actor of Foundry VTT's system dnd5e.
    Foundry,
    /// JSON of Improved Initiative.
    ImprovedInitiative,
}

impl Format {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Own => "JSON of dicec",
            Self::Open5e1 => "JSON of Open5e (v1)",
            Self::Open5e2 => "JSON of Open5e (v2)",
            Self::FiveTools => "JSON of 5etools",
            Self::Foundry => "an actor of Foundry VTT (dnd5e)",
            Self::ImprovedInitiative => "JSON of Improved Initiative",
        }
    }
}

/// The edition whose wording texts have: 5.2 has colons after attack rolls and saving throws.
pub(super) fn edition_of<'t>(mut texts: impl Iterator<Item = &'t str>) -> Edition {
    let is_new = texts.any(|text| {
        [
            "Attack Roll:",
            "Saving Throw: DC",
            " condition",
            "Emanation",
            "Bloodied",
        ]
        .iter()
        .any(|word| text.contains(word))
    });
    match is_new {
        true => Edition::Srd52,
        false => Edition::Srd51,
    }
}
