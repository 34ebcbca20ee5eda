//! Saves in full, and whom actions may be used on (docs/encounters.md, "Saves in full", "Choices").

use super::encounter_odds::{plan, sampled, wins};
use dicec_games::encounter::{Bestiary, Encounter, Plan};
use serde_json::{Value, json};

/// The chance of the first side in one round, or more of them, between two stat blocks. The first
/// one is listed first, and acts first.
fn chance(one: &Value, other: &Value, rounds: u32) -> f64 {
    chance_of(
        &json!({ "creature": one }),
        &json!({ "creature": other }),
        rounds,
        json!({}),
    )
}

fn chance_of(one: &Value, other: &Value, rounds: u32, policies: Value) -> f64 {
    let mut side = json!({ "creatures": [one] });
    for (member, value) in policies.as_object().into_iter().flatten() {
        side[member] = value.clone();
    }
    let encounter = json!({
        "sides": [side, { "creatures": [other] }], "rounds": rounds, "initiative": "listed",
    });
    let encounter = Encounter::read(&encounter).expect("it is an encounter");
    wins(&sampled(&plan(&encounter), 40_000))[0]
}

/// A creature with one action that always happens, and nothing else.
fn with(action: Value) -> Value {
    json!({ "name": "Actor", "ac": 10, "hp": 10, "actions": [action] })
}

/// A target with hit points that no action here can take.
fn target() -> Value {
    json!({ "name": "Target", "ac": 10, "hp": 1000, "type": "humanoid (elf)" })
}

fn is_about(found: f64, expected: f64) {
    // Five standard deviations of 40,000 fights at most.
    assert!((found - expected).abs() < 0.0125, "{found}, not {expected}");
}

fn petrifying(save: Value) -> Value {
    let mut own = json!({ "ability": "CON", "dc": 11, "on success": "none" });
    for (member, value) in save.as_object().into_iter().flatten() {
        own[member] = value.clone();
    }
    with(json!({ "name": "Stare", "save": own }))
}

fn stone() -> Value {
    json!({ "conditions": ["petrified"], "lasts": "until it is cured" })
}

/// SRD 5.1, Medusa: a DC 11 save without a bonus fails by 5 or more on 1 to 6.
#[test]
fn who_fails_by_five_suffers_more() {
    let stare = petrifying(json!({ "conditions": ["restrained"], "fails by 5": stone() }));
    is_about(chance(&stare, &target(), 1), 0.3);
}

/// SRD 5.1, Gorgon: half of the first saves fail, and half of the second ones.
#[test]
fn who_fails_twice_turns_to_stone() {
    let stare = petrifying(json!({
        "conditions": ["restrained"], "lasts": "until the end of its next turn",
        "fails twice": stone(),
    }));
    is_about(chance(&stare, &target(), 1), 0.25);
}

/// SRD 5.1, Mummy: who saves is immune, so a second round changes nothing.
#[test]
fn who_saves_is_immune() {
    let stare = |immune: Value| {
        petrifying(json!({ "conditions": ["restrained"], "fails by 5": stone(), "immune": immune }))
    };
    is_about(chance(&stare(Value::Null), &target(), 2), 1.0 - 0.7 * 0.7);
    // 0.3 at first; after a failure by less (0.2) once more.
    is_about(
        chance(&stare(json!("saved")), &target(), 2),
        0.3 + 0.2 * 0.3,
    );
}

/// SRD 5.1, Ghoul, Gladiator: saves of some types and sizes.
#[test]
fn saves_are_asked_of_some_creatures_only() {
    let stare = |only: Value| {
        petrifying(json!({ "conditions": ["restrained"], "fails by 5": stone(), "only": only }))
    };
    is_about(
        chance(&stare(json!({ "not types": ["elf"] })), &target(), 3),
        0.0,
    );
    is_about(
        chance(&stare(json!({ "types": ["humanoid"] })), &target(), 1),
        0.3,
    );
    let mut large = target();
    large["size"] = 10.into();
    is_about(
        chance(&stare(json!({ "max size": "medium" })), &large, 3),
        0.0,
    );
    is_about(
        chance(&stare(json!({ "max size": "large" })), &large, 1),
        0.3,
    );
}

fn strike(name: &str, dice: &str) -> Value {
    json!({ "name": name, "bonus": 100, "damage": [{ "dice": dice, "type": "force" }] })
}

/// SRD 5.1, Giant Elk: hooves are only for prone creatures, and are used on these though the ram is
/// always possible.
#[test]
fn attacks_wait_for_their_targets() {
    let mut hooves = strike("Hooves", "10");
    hooves["only"] = json!({ "conditions": ["prone"] });
    let elk =
        |ram: Value| json!({ "name": "Elk", "ac": 10, "hp": 10, "actions": [ram, hooves.clone()] });
    let mut foe = target();
    foe["hp"] = 10.into();
    is_about(chance(&elk(strike("Ram", "1")), &foe, 2), 0.0);
    // In this turn the ram fells the target, and it stands up in its own.
    let mut fells = strike("Ram", "1");
    fells["save"] =
        json!({ "ability": "STR", "dc": 100, "on success": "none", "conditions": ["prone"] });
    is_about(chance(&elk(fells.clone()), &foe, 2), 0.0);
    let two = json!({ "creature": elk(fells), "count": 2 });
    is_about(
        chance_of(&two, &json!({ "creature": foe }), 1, json!({})),
        0.95 * (1.0 - 0.05 * 0.05),
    );
}

/// SRD 5.1, swarms: less damage with at most half of the hit points.
#[test]
fn swarms_weaken() {
    let mut bites = strike("Bites", "10");
    bites["at half"] = json!([{ "dice": "1", "type": "force" }]);
    let swarm = json!({ "name": "Swarm", "ac": 10, "hp": 10, "actions": [bites] });
    let mut foe = json!({ "name": "Foe", "ac": 10, "hp": 20, "actions": [strike("Touch", "5")] });
    // 10 of 20, then 5 hit points are left, and 1 damage does not do.
    is_about(chance(&swarm, &foe, 2), 0.95 * 0.05 * 0.95);
    foe["actions"] = json!([strike("Touch", "4")]);
    is_about(chance(&swarm, &foe, 2), 0.95 * 0.95);
}

/// SRD 5.1, Fire Elemental: burning creatures take damage when their turns start.
#[test]
fn burning_goes_on() {
    let mut touch = strike("Touch", "1");
    touch["inflicts"] =
        json!({ "each turn": [{ "dice": "5", "type": "fire" }], "lasts": "for 1 hour" });
    let foe = |immune: Value| json!({ "name": "Foe", "ac": 10, "hp": 6, "immune": immune });
    is_about(chance(&with(touch.clone()), &foe(json!([])), 1), 0.95);
    is_about(chance(&with(touch), &foe(json!(["fire"])), 1), 0.0);
}

/// SRD 5.1, Basilisk: its gaze is met at the start of turns, and eyes may be averted.
#[test]
fn gazes_are_met_or_averted() {
    let gaze = json!({
        "name": "Gaze", "within": 30, "gaze": true,
        "save": { "ability": "CON", "dc": 11, "on success": "none", "conditions": ["restrained"], "fails by 5": stone() },
    });
    let gazer = json!({ "name": "Gazer", "ac": 11, "hp": 10, "traits": [gaze] });
    let foe = json!({ "name": "Foe", "ac": 10, "hp": 10, "actions": [{
        "name": "Sword", "bonus": 0, "damage": [{ "dice": "10", "type": "force" }],
    }] });
    let fight = |gazes: &str| {
        let (one, other) = (json!({ "creature": foe }), json!({ "creature": gazer }));
        chance_of(&one, &other, 1, json!({ "gazes": gazes }))
    };
    // A 10 or more hits; who is restrained (0.2) has disadvantage, and so have those who look away.
    let hit = 0.5;
    is_about(fight("meet"), 0.5 * hit + 0.2 * hit * hit);
    is_about(fight("avert"), hit * hit);
}

/// SRD 5.1, Invisible Stalker: advantage for it, and disadvantage against it, but not for those who
/// perceive it.
#[test]
fn the_unseen_have_advantage() {
    let stalker = |attacks: Value| json!({ "name": "Invisible Stalker", "ac": 11, "hp": 10, "traits": [{ "name": "Invisibility" }], "actions": attacks });
    let sword =
        json!([{ "name": "Sword", "bonus": 0, "damage": [{ "dice": "10", "type": "force" }] }]);
    let foe = |attacks: &Value, senses: Value| json!({ "name": "Foe", "ac": 11, "hp": 10, "actions": attacks, "senses": senses });
    let none = json!([]);
    is_about(
        chance(&stalker(sword.clone()), &foe(&none, json!({})), 1),
        0.75,
    );
    is_about(
        chance(&foe(&sword, json!({})), &stalker(none.clone()), 1),
        0.25,
    );
    is_about(
        chance(&foe(&sword, json!({ "blindsight": 30 })), &stalker(none), 1),
        0.5,
    );
}

/// SRD 5.1, Giant Spider: a character that the poison drops is stable, and paralyzed afterwards.
#[test]
fn poison_that_drops_characters_leaves_them_stable() {
    let encounter = json!({ "sides": [
        { "creatures": [{ "creature": "Giant Spider", "count": 3 }] },
        { "creatures": [{ "creature": { "name": "Hero", "character": true, "ac": 10, "hp": 8 } }] },
    ]});
    let encounter = Encounter::read(&encounter).expect("it is an encounter");
    let answer = sampled(&plan(&encounter), 20_000);
    let dead = answer.stats.iter().find(|stat| stat.name == "Hero: dead");
    let dead = dead
        .and_then(|stat| stat.odds.as_ref())
        .map_or(0.0, |odds| odds.mean());
    // Those whom a bite drops die only of 8 more damage, or are dying when the fight ends.
    assert!(dead < 0.5, "{dead}");
}

/// SRD 5.1, Ghoul: claws against those whom they can paralyze, the bite against others.
#[test]
fn attacks_are_chosen_by_their_worth() {
    let used = |foe: &str| {
        let line = json!({ "sides": [
            { "creatures": [{ "creature": "Ghoul" }] }, { "creatures": [{ "creature": foe }] },
        ]});
        let encounter = Encounter::read(&line).expect("it is an encounter");
        let plan = Plan::new(&encounter, &Bestiary::srd()).expect("it is one");
        let figures = plan.figures();
        let names = figures[0].deeds.iter().map(|deed| deed.name.clone());
        names.collect::<Vec<_>>()
    };
    assert_eq!(used("Veteran"), ["Claws"]);
    // The undead are safe from that, and the bite does more damage.
    assert_eq!(used("Zombie"), ["Bite"]);
}

/// Caveats name what is left out as a whole.
#[test]
fn caveats_name_what_is_left_out() {
    let caveats = |foe: &str| {
        let line = json!({ "sides": [
            { "creatures": [{ "creature": "Veteran" }] }, { "creatures": [{ "creature": foe }] },
        ]});
        let encounter = Encounter::read(&line).expect("it is an encounter");
        let plan = Plan::new(&encounter, &Bestiary::srd()).expect("it is one");
        plan.caveats()
            .iter()
            .map(|one| one.text())
            .collect::<Vec<_>>()
    };
    assert_eq!(caveats("Giant Spider"), ["the Giant Spider's Web"]);
    assert!(caveats("Medusa").is_empty());
}
