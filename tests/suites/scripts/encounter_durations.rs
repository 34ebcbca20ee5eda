//! How long effects last (seed 001, "EFFECTS": durations), each by exact odds that follow by hand.
//! A strike hits with 0.6, with advantage with 0.84, with disadvantage with 0.36.

use super::encounter_features::{damage_of, exact_odds};
use super::encounter_gifts::on_hit;
use super::encounter_rolls::{close, creature, damage, feature, given};
use dicec_games::encounter::Encounter;
use serde_json::{Value, json};

/// The damage of the strikes of a beast and of another creature, whom each hit of the beast blinds.
fn blinded(duration: Value, strikes: u32, rounds: u32) -> [f64; 2] {
    let mut part = on_hit(&json!(["Set N = N", "creature.BLINDED", "self"]), "", None);
    part["effects"][0]["duration"] = duration;
    let beast = creature("Beast", strikes);
    let beast = given(&beast, "traits", json!([feature(&json!([part]))]));
    let other = creature("Other", 1);
    ["Beast", "Other"].map(|who| {
        let rules = json!({ "rounds": rounds });
        damage(rules, [&beast, &other], (who, "Strike"))
    })
}

/// Two strikes, of which the second one has advantage after a hit; the other one sees again before
/// it strikes.
#[test]
fn effects_end_with_the_turn() {
    let [beast, other] = blinded(json!("End of turn"), 2, 1);
    close(beast, 0.6 + 0.6 * 0.84 + 0.4 * 0.6);
    close(other, 0.6);
}

/// In the second of two rounds the beast has advantage only if the other one is still blinded then,
/// and the other one has disadvantage in its turns until then.
#[test]
fn effects_end_at_the_start_or_the_end_of_turns() {
    let (hit, gained, hindered) = (0.6, 0.84, 0.36);
    let after_hit = hit * hindered + (1.0 - hit) * hit;
    // The hit of the first round still counts in the second turn of the beast.
    let [beast, _] = blinded(json!("End of self next turn"), 1, 2);
    close(beast, hit + hit * gained + (1.0 - hit) * hit);
    for (duration, other) in [
        (json!("Start of next turn"), after_hit),
        (json!("self,turnstart"), after_hit),
        (json!("End of target next turn"), after_hit),
        (json!("creature,turnend"), after_hit),
        (json!("creature,turnstart"), hit),
        // It begins in the turn of the beast, and ends with it.
        (json!("self,turnend"), hit),
    ] {
        let found = blinded(duration, 1, 2);
        close(found[0], 2.0 * hit);
        close(found[1], 2.0 * other);
    }
}

/// Whoever is blinded uses its action to see again, instead of a strike.
#[test]
fn actions_end_effects() {
    let [_, other] = blinded(json!("Until action is taken to end"), 1, 1);
    close(other, 0.4 * 0.6);
}

/// A second creature hits a blinded one with 0.84, and that is over then.
#[test]
fn damage_ends_effects() {
    let mut part = on_hit(&json!(["Set N = N", "creature.BLINDED", "self"]), "", None);
    part["effects"][0]["duration"] = json!(["N takes damage", "creature"]);
    let traits = json!([feature(&json!([part]))]);
    let beast = given(&creature("Beast", 1), "traits", traits);
    let document = json!({
        "rounds": 1, "initiative": "listed",
        "sides": [
            { "creatures": [{ "creature": beast }, { "creature": creature("Helper", 1) }] },
            { "creatures": [{ "creature": creature("Other", 1) }] },
        ],
    });
    let encounter = Encounter::read(&document).expect("it is an encounter");
    let struck = damage_of("Other", &exact_odds(&encounter), "Strike");
    let still = 0.6 * (1.0 - 0.84);
    close(struck, still * 0.36 + (1.0 - still) * 0.6);
}

/// A save against 12 at the end of a turn, with advantage or disadvantage, by somebody without a
/// bonus: 11 of 20 faces fail.
#[test]
fn saves_are_repeated_against_their_own_number() {
    let fails: f64 = 11.0 / 20.0;
    let hindered = |words: &str, fails: f64| {
        let [_, other] = blinded(json!([words, 12, "dexterity"]), 1, 2);
        let still = 0.6 * fails;
        // In its second turn those are blinded who failed, or who are hit again.
        let blind = still + (1.0 - still) * 0.6;
        let first = 0.6 * 0.36 + 0.4 * 0.6;
        close(other, first + blind * 0.36 + (1.0 - blind) * 0.6);
    };
    hindered("Repeated saves", fails);
    hindered("Repeated saves at advantage", fails * fails);
    hindered(
        "Repeated saves at disadvantage",
        1.0 - (1.0 - fails).powi(2),
    );
}

/// SRD 5.1, Vrock ("Spores") and Otyugh ("Bite"): what a repeated save ends lasts until then, and
/// what has to be cured lasts for the rest of the fight; without either, it is one turn.
#[test]
fn conditions_of_stat_blocks_last_until_they_are_saved_or_cured() {
    let fails: f64 = 11.0 / 20.0;
    let struck = |says: Value| {
        let mut save = json!({
            "ability": "DEX", "dc": 12, "on success": "none", "conditions": ["blinded"],
        });
        let own = says.as_object().expect("members").clone();
        save.as_object_mut().expect("members").extend(own);
        let mut beast = creature("Beast", 1);
        let actions = beast["actions"].as_array_mut().expect("a list");
        actions.push(json!({ "name": "Spores", "usage": { "per day": 1 }, "save": save }));
        let rules = json!({ "rounds": 3 });
        damage(rules, [&beast, &creature("Other", 1)], ("Other", "Strike"))
    };
    let expected = |blind: [f64; 3]| -> f64 {
        let turns = blind.iter();
        turns.map(|blind| blind * 0.36 + (1.0 - blind) * 0.6).sum()
    };
    close(struck(json!({})), expected([fails, 0.0, 0.0]));
    let repeated = [fails, fails.powi(2), fails.powi(3)];
    close(
        struck(json!({ "repeats": "end of turn" })),
        expected(repeated),
    );
    let cured = json!({ "lasts": "until the disease is cured" });
    close(struck(cured), expected([fails; 3]));
}

/// Whoever is blinded from afar until it moves comes closer, and sees again before it strikes. What
/// frightens somebody until the beast moves lasts as long as the beast stays.
#[test]
fn moves_end_effects() {
    let struck = |place: &str, until: Value, kind: &str| {
        let mut part = on_hit(&json!(["Set N = N", place, "self"]), "", None);
        part["effects"][0]["duration"] = until;
        let mut beast = given(
            &creature("Beast", 1),
            "traits",
            json!([feature(&json!([part]))]),
        );
        beast["actions"][1]["kind"] = kind.into();
        beast["actions"][1]["range"] = json!([60]);
        let other = creature("Other", 1);
        let rules = json!({ "rounds": 2, "distance": 30 });
        damage(rules, [&beast, &other], ("Other", "Strike"))
    };
    let after_hit = 0.6 * 0.36 + 0.4 * 0.6;
    let moved = struck("creature.BLINDED", json!("creature,moves"), "ranged");
    // In the second round the beast shoots at somebody next to it, with disadvantage, and the other
    // one has no reason to move.
    close(moved, 0.6 + 0.36 * 0.36 + 0.64 * 0.6);
    let stays = struck("creature.FRIGHTENED", json!(["N moves", "self"]), "melee");
    let frightened = 1.0 - 0.4 * 0.4;
    close(
        stays,
        after_hit + frightened * 0.36 + (1.0 - frightened) * 0.6,
    );
}
