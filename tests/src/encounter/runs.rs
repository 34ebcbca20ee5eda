//! What creatures of the SRD do after a run.

use super::block::text;
use serde_json::Value;

/// What a run before a hit brings: the trait, how many feet, with which attack, dice of what, the
/// save against falling, and the attack on those who lie.
pub(super) struct Run {
    pub(super) name: &'static str,
    pub(super) feet: i64,
    pub(super) attack: &'static str,
    pub(super) extra: Option<(&'static str, &'static str)>,
    pub(super) dc: Option<i64>,
    pub(super) then: Option<&'static str>,
}

/// The runs of the SRD.
pub(super) fn run(block: &Value) -> Option<Run> {
    let charge = |feet, attack, dice, kind, dc| Run {
        name: "Charge",
        feet,
        attack,
        extra: Some((dice, kind)),
        dc: Some(dc),
        then: None,
    };
    let fells = |name, feet, attack, dc, then| Run {
        name,
        feet,
        attack,
        extra: None,
        dc: Some(dc),
        then: Some(then),
    };
    Some(match text(block, "name") {
        "Boar" => charge(20, "Tusk", "1d6", "slashing", 11),
        "Centaur" => Run {
            dc: None,
            ..charge(30, "Pike", "3d6", "piercing", 0)
        },
        "Elk" => charge(20, "Ram", "2d6", "bludgeoning", 13),
        "Giant Boar" => charge(20, "Tusk", "2d6", "slashing", 13),
        "Giant Elk" => charge(20, "Ram", "2d6", "bludgeoning", 14),
        "Giant Goat" => charge(20, "Ram", "2d4", "bludgeoning", 13),
        "Giant Sea Horse" => charge(20, "Ram", "2d6", "bludgeoning", 11),
        "Goat" => charge(20, "Ram", "1d4", "bludgeoning", 10),
        "Minotaur" | "Minotaur Skeleton" => charge(10, "Gore", "2d8", "piercing", 14),
        "Rhinoceros" => charge(20, "Gore", "2d8", "bludgeoning", 15),
        "Unicorn" => charge(20, "Horn", "2d8", "piercing", 15),
        "Wereboar, Boar Form" | "Wereboar, Hybrid Form" => Run {
            name: "Charge (Boar or Hybrid Form Only)",
            ..charge(15, "Tusks", "2d6", "slashing", 13)
        },
        "Lion" | "Tiger" => fells("Pounce", 20, "Claw", 13, "Bite"),
        "Panther" => fells("Pounce", 20, "Claw", 12, "Bite"),
        "Saber-Toothed Tiger" => fells("Pounce", 20, "Claw", 14, "Bite"),
        "Weretiger, Tiger Form" => fells("Pounce", 15, "Claw", 14, "Bite"),
        "Weretiger, Hybrid Form" => fells("Pounce", 15, "Claw", 14, "Bite"),
        "Elephant" => fells("Trampling Charge", 20, "Gore", 12, "Stomp"),
        "Gorgon" => fells("Trampling Charge", 20, "Gore", 16, "Hooves"),
        "Mammoth" => fells("Trampling Charge", 20, "Gore", 18, "Stomp"),
        "Triceratops" => fells("Trampling Charge", 20, "Gore", 13, "Stomp"),
        "Warhorse" => fells("Trampling Charge", 20, "Hooves", 14, "Hooves"),
        _ => return None,
    })
}
