//! What features of the SRD do in a fight, each as an action that happens by itself.

use super::block::{list, modifier, number, text};
use serde_json::{Value, json};

/// When a feature acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// Its creature falls.
    Falls,
    /// Its creature is hit in melee.
    Touched,
    /// The turn of its creature begins.
    Turn,
    /// The turn of an enemy begins.
    EnemyTurn,
    /// The turn of its creature ends, or that of an enemy.
    TurnEnd,
    EnemyTurnEnd,
    /// Its creature has moved, or an enemy has.
    Moves,
    EnemyMoves,
    /// Its creature is hit.
    Struck,
    /// Its creature hits somebody.
    Hits,
}

/// The features of a creature, in the order of its traits: those of the tests come last.
pub(super) fn features(block: &Value) -> Vec<(Event, Value)> {
    let mut all = of_srd(block);
    for one in list(block, "traits") {
        all.extend(of_tests(text(one, "name")));
    }
    // Gazes and auras: what a trait asks of those whose turns start.
    let sights = list(block, "traits").iter();
    let sights = sights.filter(|one| one["save"].is_object() && one["feature"].is_null());
    all.extend(sights.map(|one| {
        let mut sight = one.clone();
        sight["sight"] = true.into();
        (Event::EnemyTurn, sight)
    }));
    all
}

/// What a feature of `encounter_effects` does, by its name.
fn of_tests(name: &str) -> Option<(Event, Value)> {
    let save = |ability: &str, condition: &str, lasts: &str| {
        let save = json!({
            "ability": ability, "dc": 13, "on success": "none", "conditions": [condition],
            "lasts": lasts,
        });
        json!({"name": name, "save": save})
    };
    let harm =
        |dice: &str, kind: &str| json!({"name": name, "damage": [{"dice": dice, "type": kind}]});
    let until = |ability: &str, condition: &str, ends: &str| {
        let mut action = save(ability, condition, "");
        action["save"]["ends"] = ends.into();
        (Event::Hits, action)
    };
    let until_moved = |condition: &str, ends: &str| {
        let (event, mut action) = until("WIS", condition, ends);
        action["needs distances"] = true.into();
        (event, action)
    };
    let again = |ability: &str, dc: i64, edge: &str| {
        let mut action = save("CON", "poisoned", "for 1 hour");
        action["save"]["again"] = json!({"ability": ability, "dc": dc, "edge": edge});
        (Event::Hits, action)
    };
    let check = |roll: &str| {
        let save = json!({
            "ability": "STR", "dc": 12, "check": roll, "conditions": ["rooted to the ground"],
            "ends": "own start",
        });
        json!({"name": name, "save": save, "within": 10, "needs distances": true})
    };
    Some(match name {
        "Startle" => (Event::Hits, save("WIS", "surprised", "")),
        "Daze" => (Event::Hits, save("CON", "hampered in attacks", "")),
        "Unnerve" => (
            Event::Hits,
            save("WIS", "hampered in saves", "for 1 minute"),
        ),
        "Stymie" => (Event::Hits, save("CHA", "unable to hit", "")),
        "Dazzle" => until("DEX", "blinded", "cause end"),
        "Jolt" => until("CON", "hampered in attacks", "cause start"),
        "Stagger" => until("STR", "blinded", "own start"),
        "Flash" => until("WIS", "restrained", "turn"),
        "Lull" => until("WIS", "unconscious", "damage"),
        "Tar" => until("DEX", "restrained", "action"),
        "Linger" => again("STR", 12, "advantage"),
        "Creep" => again("WIS", 9, "disadvantage"),
        "Spines" => (Event::Struck, harm("1d4", "piercing")),
        "Venom" => {
            let mut venom = harm("1d4", "poison");
            venom["melee only"] = true.into();
            (Event::Hits, venom)
        }
        "Parting Gift" => (Event::EnemyTurnEnd, harm("1d4", "cold")),
        "Briars" => {
            let mut briars = harm("1d4", "slashing");
            briars["needs distances"] = true.into();
            briars["within"] = 10.into();
            (Event::EnemyMoves, briars)
        }
        "Quake" => {
            let mut quake = harm("1d4", "thunder");
            quake["needs distances"] = true.into();
            quake["area"] = json!({"shape": "radius", "feet": 10});
            (Event::Moves, quake)
        }
        "Dust" => until_moved("blinded", "move"),
        "Stare" => until_moved("frightened", "cause move"),
        "Knit" => (
            Event::TurnEnd,
            json!({"name": name, "mends": 3, "below": 20}),
        ),
        "Doom" => (Event::Hits, save("CHA", "unable to save", "")),
        "Fumble" => (
            Event::Hits,
            save("INT", "hampered in checks", "for 1 minute"),
        ),
        "Bungle" => (
            Event::Hits,
            save("INT", "unable to succeed in checks", "for 1 minute"),
        ),
        "Tangle" => (
            Event::Hits,
            save("STR", "hampered in escapes", "for 1 minute"),
        ),
        "Hush" => (
            Event::Hits,
            save("CHA", "without Pack Tactics", "for 1 minute"),
        ),
        "Smother" => (Event::Hits, save("CHA", "without Stench", "for 1 minute")),
        "Sear" => (
            Event::Hits,
            save("CON", "without Regeneration", "for 1 minute"),
        ),
        "Snare" => (Event::Hits, save("STR", "unable to escape", "for 1 minute")),
        "Mud" => (Event::EnemyTurn, check("high")),
        "Ice" => (Event::EnemyTurn, check("low")),
        "Rust" => (Event::Hits, json!({"name": name, "corrodes": "armour"})),
        "Acid Hide" => (Event::Touched, json!({"name": name, "corrodes": "weapon"})),
        _ => return None,
    })
}

fn of_srd(block: &Value) -> Vec<(Event, Value)> {
    let burst = |name: &str, dice: &str, kind: &str, dc: i64| {
        let save = json!({"ability": "DEX", "dc": dc, "on success": "half"});
        let action = json!({"name": name, "damage": [{"dice": dice, "type": kind}], "save": save, "area": {"shape": "radius", "feet": 5}});
        (Event::Falls, action)
    };
    let touch = |name: &str, dice: &str, kind: &str| {
        let damage = json!([{"dice": dice, "type": kind}]);
        (Event::Touched, json!({"name": name, "damage": damage}))
    };
    let save = |ability: &str, dc: i64, condition: &str, is_repeated: bool| {
        let mut save = json!({
            "ability": ability, "dc": dc, "on success": "none", "conditions": [condition],
        });
        if is_repeated {
            save["lasts"] = "for 1 hour".into();
            save["repeats"] = "end of turn".into();
        }
        save
    };
    let rust = |name: &str| json!({"name": name, "corrodes": "weapon"});
    if let Some(sticky) = sticky(block) {
        return vec![(Event::Touched, sticky)];
    }
    match text(block, "name") {
        "Dust Mephit" => {
            let save = save("CON", 10, "blinded", true);
            let action = json!({"name": "Death Burst", "save": save, "area": {"shape": "radius", "feet": 5}});
            vec![(Event::Falls, action)]
        }
        "Ice Mephit" => vec![burst("Death Burst", "1d8", "slashing", 10)],
        "Magma Mephit" | "Magmin" => vec![burst("Death Burst", "2d6", "fire", 11)],
        "Steam Mephit" => vec![burst("Death Burst", "1d8", "fire", 10)],
        "Balor" => {
            let aura = json!({"name": "Fire Aura", "damage": [{"dice": "3d6", "type": "fire"}], "area": {"shape": "radius", "feet": 5}});
            vec![
                burst("Death Throes", "20d6", "fire", 20),
                (Event::Turn, aura),
                touch("Fire Aura", "3d6", "fire"),
            ]
        }
        "Azer" => vec![touch("Heated Body", "1d10", "fire")],
        "Remorhaz" => vec![touch("Heated Body", "3d6", "fire")],
        "Salamander" => vec![touch("Heated Body", "2d6", "fire")],
        "Fire Elemental" => vec![touch("Fire Form", "1d10", "fire")],
        "Black Pudding" => {
            let (event, mut touch) = touch("Corrosive Form", "1d8", "acid");
            touch["corrodes"] = "weapon".into();
            vec![(event, touch)]
        }
        "Gray Ooze" => vec![(Event::Touched, rust("Corrode Metal"))],
        "Rust Monster" => vec![(Event::Touched, rust("Rust Metal"))],
        "Gibbering Mouther" => {
            let mut save = save("STR", 10, "rooted to the ground", false);
            save["ends"] = "own start".into();
            let action = json!({
                "name": "Aberrant Ground", "save": save, "within": 10, "needs distances": true,
            });
            vec![(Event::EnemyTurn, action)]
        }
        "Ghast" | "Hezrou" => {
            let dc = if text(block, "name") == "Ghast" {
                10
            } else {
                14
            };
            let mut save = save("CON", dc, "poisoned", false);
            save["ends"] = "own start".into();
            vec![(
                Event::EnemyTurn,
                json!({"name": "Stench", "save": save, "within": 5}),
            )]
        }
        "Pit Fiend" => {
            let mut save = save("WIS", 21, "frightened", false);
            save["ends"] = "own start".into();
            let action = json!({"name": "Fear Aura", "save": save, "within": 20});
            vec![(Event::EnemyTurn, action)]
        }
        "Sea Hag" => {
            let save = save("WIS", 11, "frightened", true);
            let action = json!({"name": "Horrific Appearance", "save": save, "within": 60});
            vec![(Event::EnemyTurn, action)]
        }
        _ => Vec::new(),
    }
}

/// What those stick to who touch a creature in the form of an object: the example `clinging_hide`.
fn sticky(block: &Value) -> Option<Value> {
    let mut traits = list(block, "traits").iter();
    let one = traits.find(|one| one["set"]["FORM_STATE"] == 1)?;
    let dc = 8 + modifier(block, "STR") + number(block, "proficiency");
    let grapples = json!({
        "escape dc": dc, "holds": 100, "max size": 15, "hinders escape": true,
    });
    Some(json!({"name": text(one, "name"), "grapples": grapples}))
}
