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
const KNOWN: [(&str, &str, &str, &str); 43] = [
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
    (
        "Charge",
        "Boar",
        "charge",
        r#"[20, "tusk", 1, 6, "slashing", 11]"#,
    ),
    (
        "Charge",
        "Centaur",
        "lance charge",
        r#"[30, "pike", 3, 6, "piercing"]"#,
    ),
    (
        "Charge",
        "Elk",
        "charge",
        r#"[20, "ram", 2, 6, "bludgeoning", 13]"#,
    ),
    (
        "Charge",
        "Giant Boar",
        "charge",
        r#"[20, "tusk", 2, 6, "slashing", 13]"#,
    ),
    (
        "Charge",
        "Giant Elk",
        "charge",
        r#"[20, "ram", 2, 6, "bludgeoning", 14]"#,
    ),
    (
        "Charge",
        "Giant Goat",
        "charge",
        r#"[20, "ram", 2, 4, "bludgeoning", 13]"#,
    ),
    (
        "Charge",
        "Giant Sea Horse",
        "charge",
        r#"[20, "ram", 2, 6, "bludgeoning", 11]"#,
    ),
    (
        "Charge",
        "Goat",
        "charge",
        r#"[20, "ram", 1, 4, "bludgeoning", 10]"#,
    ),
    (
        "Charge",
        "Minotaur",
        "charge",
        r#"[10, "gore", 2, 8, "piercing", 14]"#,
    ),
    (
        "Charge",
        "Rhinoceros",
        "charge",
        r#"[20, "gore", 2, 8, "bludgeoning", 15]"#,
    ),
    (
        "Charge",
        "Unicorn",
        "charge",
        r#"[20, "horn", 2, 8, "piercing", 15]"#,
    ),
    ("Pounce", "Lion", "pounce", r#"[20, "claw", 13]"#),
    ("Pounce", "Panther", "pounce", r#"[20, "claw", 12]"#),
    (
        "Pounce",
        "Saber-Toothed Tiger",
        "pounce",
        r#"[20, "claw", 14]"#,
    ),
    ("Pounce", "Tiger", "pounce", r#"[20, "claw", 13]"#),
    (
        "Trampling Charge",
        "Elephant",
        "trampling charge",
        r#"[20, "gore", 12]"#,
    ),
    (
        "Trampling Charge",
        "Gorgon",
        "trampling hooves",
        r#"[20, "gore", 16]"#,
    ),
    (
        "Trampling Charge",
        "Mammoth",
        "trampling charge",
        r#"[20, "gore", 18]"#,
    ),
    (
        "Trampling Charge",
        "Triceratops",
        "trampling charge",
        r#"[20, "gore", 13]"#,
    ),
    (
        "Trampling Charge",
        "Warhorse",
        "trampling hooves",
        r#"[20, "hooves", 14]"#,
    ),
    (
        "Charge",
        "Minotaur Skeleton",
        "charge",
        r#"[10, "gore", 2, 8, "piercing", 14]"#,
    ),
    (
        "Charge (Boar or Hybrid Form Only)",
        "Wereboar, Boar Form",
        "charge",
        r#"[15, "tusks", 2, 6, "slashing", 13]"#,
    ),
    (
        "Charge (Boar or Hybrid Form Only)",
        "Wereboar, Hybrid Form",
        "charge",
        r#"[15, "tusks", 2, 6, "slashing", 13]"#,
    ),
    (
        "Pounce",
        "Weretiger, Tiger Form",
        "pounce",
        r#"[15, "claw", 14]"#,
    ),
    (
        "Pounce",
        "Weretiger, Hybrid Form",
        "pounce",
        r#"[15, "claw", 14]"#,
    ),
    // Of whomever.
    ("Aggressive", "", "aggressive", "[]"),
    ("Brave", "", "brave", "[]"),
    ("Flyby", "", "flyby", "[]"),
];

/// What a trait of a creature of the SRD is: the name of a feature, and its variables.
pub(super) fn known(name: &str, creature: &str) -> Option<(&'static str, Vec<Value>)> {
    let mut all = KNOWN.iter();
    let is_it = |who: &str| who.is_empty() || who == creature;
    let (_, _, feature, variables) = all.find(|one| one.0 == name && is_it(one.1))?;
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
        for (name, creature, feature, variables) in &KNOWN {
            assert!(shipped(feature).is_some(), "{feature}");
            if creature.is_empty() {
                assert!(known(name, "Anybody").is_some(), "{name}");
                continue;
            }
            let block = bestiary.find(creature).expect("it is in the SRD");
            assert!(block.has(name), "{creature} has no {name}");
            let (_, read) = known(name, creature).expect("it is known");
            assert!(!read.is_empty(), "{creature}: {variables}");
        }
        assert!(shipped("Death Bursts").is_none());
    }
}
