//! The features that ship with the bestiary, and the creatures of the SRD 5.1 that have them.
//! `library.json` is written in the format of seed 001.

use crate::front::features::{Feature, read_features};
use dicec_runtime::bug;
use serde_json::Value;

const LIBRARY: &str = include_str!("library.json");

/// A shipped feature by its name.
pub(super) fn shipped(name: &str) -> Option<Feature> {
    let (features, wrong) = read_features(LIBRARY);
    if wrong.iter().next().is_some() {
        bug!("the shipped features: {wrong:?}").raise();
    }
    let mut all = features.into_iter();
    all.find(|feature| feature.name.written().eq_ignore_ascii_case(name))
}

/// Traits of the SRD 5.1, who has them, the feature that each is, and its variables.
const KNOWN: [(&str, &str, &str, &str); 15] = [
    (
        "Death Burst",
        "Dust Mephit",
        "blinding burst",
        r#"[10, "constitution"]"#,
    ),
    (
        "Death Burst",
        "Ice Mephit",
        "death burst",
        r#"[1, 8, "slashing", 10]"#,
    ),
    (
        "Death Burst",
        "Magma Mephit",
        "death burst",
        r#"[2, 6, "fire", 11]"#,
    ),
    (
        "Death Burst",
        "Magmin",
        "death burst",
        r#"[2, 6, "fire", 11]"#,
    ),
    (
        "Death Burst",
        "Steam Mephit",
        "death burst",
        r#"[1, 8, "fire", 10]"#,
    ),
    (
        "Death Throes",
        "Balor",
        "death burst",
        r#"[20, 6, "fire", 20]"#,
    ),
    ("Fire Aura", "Balor", "aura", r#"[3, 6, "fire"]"#),
    ("Heated Body", "Azer", "burning touch", r#"[1, 10, "fire"]"#),
    (
        "Heated Body",
        "Remorhaz",
        "burning touch",
        r#"[3, 6, "fire"]"#,
    ),
    (
        "Heated Body",
        "Salamander",
        "burning touch",
        r#"[2, 6, "fire"]"#,
    ),
    (
        "Fire Form",
        "Fire Elemental",
        "burning touch",
        r#"[1, 10, "fire"]"#,
    ),
    (
        "Corrosive Form",
        "Black Pudding",
        "burning touch",
        r#"[1, 8, "acid"]"#,
    ),
    ("Stench", "Ghast", "stench", "[10]"),
    ("Stench", "Hezrou", "stench", "[14]"),
    (
        "Horrific Appearance",
        "Sea Hag",
        "horrific appearance",
        "[11]",
    ),
];

/// What a trait of a creature of the SRD is: the name of a feature, and its variables.
pub(super) fn known(name: &str, creature: &str) -> Option<(&'static str, Vec<Value>)> {
    let mut all = KNOWN.iter();
    let (_, _, feature, variables) = all.find(|one| one.0 == name && one.1 == creature)?;
    let variables = serde_json::from_str(variables);
    let variables = variables.unwrap_or_else(|error| bug!("{feature}: {error}").raise());
    Some((feature, variables))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::encounter::Bestiary;

    #[test]
    fn what_ships_is_there() {
        let bestiary = Bestiary::srd();
        for (name, creature, feature, _) in &KNOWN {
            let block = bestiary.find(creature).expect("it is in the SRD");
            assert!(block.has(name), "{creature} has no {name}");
            assert!(shipped(feature).is_some(), "{feature}");
            let (_, variables) = known(name, creature).expect("it is known");
            assert!(!variables.is_empty(), "{creature}");
        }
        assert!(shipped("Death Bursts").is_none());
    }
}
